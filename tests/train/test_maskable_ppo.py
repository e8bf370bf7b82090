"""MaskablePPO: it learns a cave that any right learner solves, repeats itself, and refuses what cannot be run."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from subterra_env.train import maskable_ppo  # noqa: E402
from subterra_env.train.maskable_ppo import Config, Progress, evaluate, load_config, train  # noqa: E402
from subterra_env.train.settings import ConfigError  # noqa: E402

from subterra_env import SUBTERRA  # noqa: E402

TINY = Config(
    table={"stack_tiles": 6}, games=4, steps=32, minibatch=64, decisions=256, epochs=1, layers=(8,), evaluation_games=10
)


def weights(result: maskable_ppo.Result) -> np.ndarray:
    return np.concatenate([part.detach().numpy().ravel() for part in result.model.policy.parameters()])


def test_it_learns_a_small_cave() -> None:
    result = train(Config(table={"stack_tiles": 6}, decisions=120_000, evaluation_games=200))
    assert result.random.saved < 0.2
    assert result.trained.saved > 0.5
    assert result.trained.medals > 0.5
    assert result.decisions >= 120_000


def test_the_same_seed_learns_the_same_and_another_does_not() -> None:
    one, again, other = (train(TINY.model_copy(update={"seed": seed})) for seed in (1, 1, 2))
    assert np.array_equal(weights(one), weights(again))
    assert (one.trained, one.random) == (again.trained, again.random)
    assert not np.array_equal(weights(one), weights(other))


def test_progress_is_told_after_every_batch() -> None:
    told: list[Progress] = []
    train(TINY, told.append)
    assert [at.decisions for at in told] == [128, 256]
    assert all(at.total == 256 for at in told)
    assert told[0].seconds < told[1].seconds


def test_time_can_run_out_first() -> None:
    result = train(TINY.model_copy(update={"decisions": 10**9, "seconds": 0.5}))
    assert 0.5 <= result.seconds < 10


def test_threads_are_as_before_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = torch.get_num_threads()
    train(TINY)
    assert torch.get_num_threads() == before
    assert list(tmp_path.iterdir()) == []


def test_evaluation_plays_the_same_games_for_everybody() -> None:
    seen: list[bytes] = []

    def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        seen.append(observations.tobytes())
        first: np.ndarray = masks.argmax(axis=1)
        return first

    assert evaluate(TINY, first_legal) == evaluate(TINY, first_legal)
    assert seen[: len(seen) // 2] == seen[len(seen) // 2 :]


def test_an_illegal_choice_is_not_scored() -> None:
    with pytest.raises(SUBTERRA.notation.IllegalAnswer):
        evaluate(TINY, lambda observations, masks: np.zeros(len(masks), np.int64))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("learning_rat: 1", "learning_rat: no such key; there are .*learning_rate"),
        ("table: {stack_tiles: 5}", "table: stack_tiles: .*6"),
        ("table: {stack_tile: 6}", "table: stack_tile: no such option"),
        ("gamma: 2", "gamma: .*less than or equal to 1"),
        ("games: many", "games: "),
        ("minibatch: 1000", "minibatch: 1000 does not divide games x steps, 8192"),
        ("reward: gold", "reward: .*'shaped'"),
        ("- 1", "not list"),
        ("a: [", "not YAML"),
        ("!!python/object/apply:os.getcwd []", "not YAML"),
        ("# " + "long " * 20_000, "longer than"),
    ],
)
def test_a_configuration_that_cannot_be_run_is_refused(text: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=named):
        load_config(path)


def test_a_missing_configuration_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nothing\.yaml: No such file"):
        load_config(tmp_path / "nothing.yaml")
