"""MaskablePPO: it learns a cave that any right learner solves, repeats itself, and refuses what cannot be run."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from subterra_env.agents.checkpoint import read_checkpoint  # noqa: E402
from subterra_env.train.judging import at_random, judged  # noqa: E402
from subterra_env.train.maskable_ppo import Config, Run, load_config, train  # noqa: E402
from subterra_env.train.running import BEST, LAST, RESUME, Progress  # noqa: E402
from subterra_env.train.settings import ConfigError  # noqa: E402

TINY = Config(
    table={"stack_tiles": 6}, games=4, steps=32, minibatch=64, decisions=384, epochs=1, layers=(8,),
    evaluate_every=128, evaluation_games=10,
)  # fmt: skip


def weights(run: Run) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in run.checkpoint().arrays.items()}


def untold(at: Progress) -> None:
    """Somebody who does not listen."""


def told(at: Progress) -> str:
    """All but the time it took."""
    numbers = {name: number for name, number in at.numbers.items() if not name.startswith("time/")}
    return repr((at.decisions, numbers, at.of_late, at.score))


def test_it_learns_a_small_cave() -> None:
    config = Config(table={"stack_tiles": 6}, decisions=120_000, evaluation_games=200)
    trained = train(config, None, untold).judge()
    chance = judged(at_random(0), config.table, config.team, 200)
    assert chance.saved < 0.2
    assert trained.saved > 0.5
    assert trained.success > 0.5


def test_the_same_seed_learns_the_same_and_another_does_not() -> None:
    one, again, other = (train(TINY.model_copy(update={"seed": seed}), None, untold) for seed in (1, 1, 2))
    assert weights(one) == weights(again)
    assert one.judge() == again.judge()
    assert weights(one) != weights(other)


def test_progress_is_told_after_every_batch_under_the_names_of_stable_baselines3() -> None:
    progress: list[Progress] = []
    train(TINY.model_copy(update={"evaluate_every": 256, "steps": 128, "decisions": 1024}), None, progress.append)
    assert [at.decisions for at in progress] == [512, 1024]
    assert progress[0].seconds < progress[1].seconds
    names = {"approx_kl", "clip_fraction", "entropy_loss", "explained_variance", "policy_gradient_loss", "value_loss"}
    assert {f"train/{name}" for name in names} <= progress[-1].numbers.keys()
    assert {"rollout/ep_rew_mean", "rollout/ep_len_mean", "rollout/success_rate"} <= progress[-1].numbers.keys()
    assert {"success", "saved", "rounds", "gold", "silver", "bronze", "return"} == progress[-1].of_late.keys()


def test_time_can_run_out_first_and_the_end_is_judged() -> None:
    progress: list[Progress] = []
    run = train(
        TINY.model_copy(update={"decisions": 10**9, "evaluate_every": 10**9, "seconds": 0.5}), None, progress.append
    )
    assert 0.5 <= run.seconds < 10
    assert [at.score is not None for at in progress] == [False] * (len(progress) - 1) + [True]


def test_a_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    """Broken off between two evaluations, it goes on from the first of them, whatever was drawn in between."""
    settings = TINY.model_copy(update={"steps": 64, "decisions": 1024, "evaluate_every": 512})
    whole: list[Progress] = []
    at_once = train(settings, tmp_path / "whole", whole.append)

    def stop(at: Progress) -> None:
        if at.decisions > 512:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(settings, tmp_path / "parts", stop)
    torch.rand(7), np.random.random(7)  # noqa: NPY002
    rest: list[Progress] = []
    in_parts = train(settings, tmp_path / "parts", rest.append)
    assert [told(at) for at in rest] == [told(at) for at in whole if at.decisions > 512]
    assert len(rest) == 2
    assert weights(in_parts) == weights(at_once)


def test_a_run_leaves_its_best_and_its_last_network_and_nothing_pickled(tmp_path: Path) -> None:
    run = train(TINY, tmp_path, untold)
    assert {path.name for path in tmp_path.iterdir()} == {BEST, LAST, RESUME}
    last = read_checkpoint(tmp_path / LAST)
    assert {name: array.tobytes() for name, array in last.arrays.items()} == weights(run)
    score = last.card.scores["last stage, evaluation seeds"]
    assert score["games"] == 10
    assert score["low"] <= score["success"] <= score["high"]
    assert last.card.trained["decisions"] == 384


def test_threads_are_as_before_and_without_a_folder_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = torch.get_num_threads()
    train(TINY, None, untold)
    assert torch.get_num_threads() == before
    assert list(tmp_path.iterdir()) == []


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
        ("evaluate_every: 0", "evaluate_every: "),
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
