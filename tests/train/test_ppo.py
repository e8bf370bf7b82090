"""PPO: it learns, goes on where it stopped, and each part of it is one that a fault would show in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from subterra_env.agents.checkpoint import Architecture, read_checkpoint  # noqa: E402
from subterra_env.train import ppo_learner  # noqa: E402
from subterra_env.train.games import Games  # noqa: E402
from subterra_env.train.kernels import draw_answers, write_advantages, write_gradients  # noqa: E402
from subterra_env.train.network import number_type, precision  # noqa: E402
from subterra_env.train.ppo import Run, load_config, train  # noqa: E402
from subterra_env.train.ppo_learner import Learner, Scale  # noqa: E402
from subterra_env.train.ppo_settings import PpoConfig, Stage  # noqa: E402
from subterra_env.train.running import BEST, LAST, RESUME, Progress  # noqa: E402
from subterra_env.train.settings import ConfigError, settings_from  # noqa: E402

CONFIGS = Path(__file__).parents[2] / "configs"
SMALL = {
    "trainer": "ppo", "curriculum": [{"table": {"stack_tiles": 6}}], "team": "fixed", "reward": "shaped",
    "games": 64, "steps": 32, "minibatch": 512, "learning_rate": 1e-3, "precision": "fp32", "evaluation_games": 100,
    "architecture": {"trunk": [64], "policy": [64], "value": [64]},
}  # fmt: skip
TINY = {
    **SMALL,
    "games": 8,
    "steps": 8,
    "minibatch": 32,
    "decisions": 256,
    "evaluate_every": 128,
    "evaluation_games": 4,
}


def config(given: dict[str, Any], **changes: Any) -> PpoConfig:
    return settings_from({**given, **changes}, PpoConfig, "test")


def learner_of(settings: PpoConfig) -> Learner:
    games = Games(
        settings.games, settings.curriculum, settings.team, settings.reward, settings.gamma, settings.kept,
        central=settings.critic == "state",
    )  # fmt: skip
    games.begin(settings.seed)
    return Learner(settings, games)


def success_after(settings: PpoConfig, folder: Path) -> float:
    told: list[Progress] = []
    train(settings, folder, told.append)
    score = told[-1].score
    assert score is not None
    return score.success


LEARNING = {**SMALL, "decisions": 130_000, "evaluate_every": 10**9}


@pytest.mark.parametrize("critic", ["observation", "state"])
def test_it_learns_a_small_cave(tmp_path: Path, critic: str) -> None:
    assert success_after(config(LEARNING, critic=critic), tmp_path) > 0.6


def test_it_learns_with_positions_turned_and_mirrored(tmp_path: Path) -> None:
    assert success_after(config(LEARNING, decisions=200_000, symmetries=True, epochs=4), tmp_path) > 0.6


def _no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.optim.Adam, "step", lambda self: None)


def _wrong_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*arguments: Any) -> None:
        write_advantages(*arguments)
        arguments[-1][:] *= -1

    monkeypatch.setattr(ppo_learner, "write_advantages", wrong)


@pytest.mark.parametrize("break_it", [_no_step, _wrong_sign])
def test_what_is_broken_does_not_learn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, break_it: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """The bar above is one that a frozen optimiser and a wrong sign fail."""
    break_it(monkeypatch)
    assert success_after(config(LEARNING, decisions=30_000), tmp_path) < 0.4


def test_only_legal_answers_are_drawn_with_the_chances_of_the_policy() -> None:
    rng, rows = np.random.default_rng(0), 20_000
    logits = np.tile(np.array([0.0, 1.0, 2.0, 50.0], np.float32), (rows, 1))
    masks = np.tile(np.array([1, 1, 1, 0], np.int8), (rows, 1))
    answers, log_chances = np.zeros(rows, np.int64), np.zeros(rows, np.float32)
    draw_answers(logits, masks, rng.random(rows), answers, log_chances)
    wanted = np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum()
    assert np.bincount(answers, minlength=4)[3] == 0
    assert np.allclose(np.bincount(answers)[:3] / rows, wanted, atol=0.015)
    assert np.allclose(log_chances, np.log(wanted)[answers], atol=1e-5)


def test_an_answer_that_is_not_legal_stops_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken mask would be learned around without a word."""

    def lowest(logits: Any, masks: np.ndarray, chances: Any, answers: np.ndarray, log_chances: Any) -> None:
        answers[:] = masks.argmin(axis=1)

    monkeypatch.setattr(ppo_learner, "draw_answers", lowest)
    with pytest.raises(ValueError, match=r"action 0 of game 0; .* possible"):
        learner_of(config(TINY)).play()


def test_advantages_are_sums_of_discounted_errors() -> None:
    rng, gamma, decay = np.random.default_rng(0), 0.9, 0.8
    rewards, values = rng.random((6, 2), np.float32), rng.random((7, 2), np.float32)
    overs = np.zeros((6, 2), np.bool_)
    overs[2, 0] = overs[5, 1] = True
    found = np.zeros((6, 2), np.float32)
    write_advantages(rewards, values, overs, gamma, decay, found)
    for i in range(2):
        for t in range(6):
            total, weight = 0.0, 1.0
            for k in range(t, 6):
                ahead = 0.0 if overs[k, i] else gamma * values[k + 1, i]
                total += weight * (rewards[k, i] + ahead - values[k, i])
                weight *= gamma * decay
                if overs[k, i]:
                    break
            assert found[t, i] == pytest.approx(total, abs=1e-5)


def test_gradients_are_those_of_the_loss_that_torch_works_out() -> None:
    """Chances, clipping on both sides, entropy, Huber's bend and the choice of rows, each met in these numbers."""
    rng, played, n, actions, clip, entropy_weight, value_weight = np.random.default_rng(0), 300, 200, 98, 0.2, 0.03, 0.7
    rows = rng.permutation(played)[:n]
    masks = (rng.random((played, actions)) < 0.1).astype(np.int8)
    answers = rng.integers(actions, size=played)
    masks[np.arange(played), answers] = 1
    said = [rng.normal(size=shape).astype(np.float32) * 2 for shape in ((n, actions), n)]
    logits, values = (torch.tensor(one, requires_grad=True) for one in said)
    old, advantages, returns = (rng.normal(size=played).astype(np.float32) for _ in range(3))
    legal = torch.from_numpy(masks)[rows] != 0
    log_chances = logits.masked_fill(~legal, -1e9).log_softmax(1)
    given = log_chances.gather(1, torch.from_numpy(answers)[rows, None])[:, 0]
    old[rows] = given.detach().numpy() + 0.3 * old[rows]
    log_ratio = given - torch.from_numpy(old)[rows]
    ratio, advantage = log_ratio.exp(), torch.from_numpy(advantages)[rows]
    advantage = (advantage - advantage.mean()) / advantage.std(correction=0)
    policy_loss = -torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()
    entropy = -(log_chances.exp() * log_chances).sum(1).mean()
    value_loss = torch.nn.functional.smooth_l1_loss(values, torch.from_numpy(returns)[rows])
    (policy_loss - entropy_weight * entropy + value_weight * value_loss).backward()

    by_logits, by_values, report = np.zeros_like(said[0]), np.zeros_like(said[1]), np.zeros(5)
    write_gradients(
        rows, *said, masks, answers, old, advantages, returns, clip, entropy_weight, value_weight,
        by_logits, by_values, report,
    )  # fmt: skip
    assert np.allclose(by_logits, logits.grad, atol=1e-7)
    assert np.allclose(by_values, values.grad, atol=1e-7)
    outside = ((ratio - 1).abs() > clip).float().mean().item()
    kl = (ratio - 1 - log_ratio).mean().item()
    assert np.allclose(report, [kl, outside, entropy.item(), policy_loss.item(), value_loss.item()], atol=1e-5)
    assert 0.2 < outside < 0.8


def test_turned_answers_keep_the_chances_they_were_given_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the chances that the policy has in the turned position instead, unlikely answers are pushed off for ever."""
    seen: list[np.ndarray] = []

    def watched(*arguments: Any) -> None:
        seen.append(arguments[5].copy())
        write_gradients(*arguments)

    monkeypatch.setattr(ppo_learner, "write_gradients", watched)
    learner = learner_of(config(TINY, symmetries=True))
    learner.play()
    played = learner._batch.log_chances.ravel().copy()
    learner.learn()
    assert all(np.array_equal(one, played) for one in seen)
    assert len(seen) == learner.config.epochs * learner.config.batch // learner.config.minibatch


def test_the_first_update_starts_from_the_policy_that_played() -> None:
    """Before any step the ratio of chances is 1 everywhere: masks and answers stand with their rows."""
    settings = config(TINY, learning_rate=1e-12, last_learning_rate=0.0, epochs=1)
    learner = learner_of(settings)
    learner.play()
    update = learner.learn()
    assert abs(update.approx_kl) < 1e-6
    assert update.clip_fraction == 0
    assert update.entropy > 0.5


def test_values_stay_as_they_are_when_their_units_change() -> None:
    learner = learner_of(config(TINY))
    learner.play()
    seen = learner.games.seen.copy()
    for returns in (np.array([5.0, 7.0]), np.array([-3.0, 100.0])):
        before = learner._answer(seen, None)[1]
        learner._scale_to(returns)
        assert np.allclose(learner._answer(seen, None)[1], before, atol=1e-3)


def test_the_scale_is_that_of_the_returns() -> None:
    scale = Scale()
    assert (scale.mean, scale.spread) == (0.0, 1.0)
    returns = np.random.default_rng(0).normal(3.0, 2.0, 10_000)
    scale.take(returns)
    assert scale.mean == pytest.approx(returns.mean())
    assert scale.spread == pytest.approx(returns.std())


@pytest.mark.parametrize("changes", [{}, {"critic": "state"}, {"reward": "utility", "team": "random"}])
def test_a_run_goes_on_bit_for_bit(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Broken off between two evaluations, it goes on from the first of them."""
    settings = config(TINY, **changes)
    whole: list[Progress] = []
    at_once = train(settings, tmp_path / "whole", whole.append)

    def stop(at: Progress) -> None:
        if at.decisions > 128:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(settings, tmp_path / "parts", stop)
    rest: list[Progress] = []
    in_parts = train(settings, tmp_path / "parts", rest.append)
    assert [told(at) for at in rest] == [told(at) for at in whole if at.decisions > 128]
    assert weights(in_parts) == weights(at_once)


def told(at: Progress) -> str:
    """All but the time it took."""
    return repr((at.decisions, at.stage, at.numbers, at.of_late, at.score))


def weights(run: Run) -> bytes:
    return b"".join(array.tobytes() for array in run.learner.arrays().values())


def test_the_same_seed_learns_the_same_and_another_does_not(tmp_path: Path) -> None:
    runs = [
        train(config(TINY, seed=seed), tmp_path / str(number), lambda at: None) for number, seed in enumerate((1, 1, 2))
    ]
    one, again, other = map(weights, runs)
    assert one == again
    assert one != other


def test_a_folder_of_another_configuration_is_refused(tmp_path: Path) -> None:
    train(config(TINY), tmp_path, lambda at: None)
    with pytest.raises(ConfigError, match=r"entropy: 0\.005, not 0\.1"):
        train(config(TINY, entropy=0.1), tmp_path, lambda at: None)


def test_a_broken_file_to_go_on_from_is_refused(tmp_path: Path) -> None:
    train(config(TINY), tmp_path, lambda at: None)
    whole = (tmp_path / RESUME).read_bytes()
    (tmp_path / RESUME).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ConfigError, match=r"resume\.safetensors: cannot be gone on from"):
        train(config(TINY), tmp_path, lambda at: None)


def test_checkpoints_say_what_they_are(tmp_path: Path) -> None:
    train(config(TINY), tmp_path, lambda at: None)
    for name in (BEST, LAST):
        card = read_checkpoint(tmp_path / name).card
        assert card.architecture == Architecture(trunk=(64,), policy=(64,), value=(64,))
        assert card.trained["config"]["games"] == 8
        assert {"torch", "numpy", "subterra_env"} <= card.trained["versions"].keys()
        score = card.scores["last stage, evaluation seeds"]
        assert score["low"] <= score["success"] <= score["high"]
    assert read_checkpoint(tmp_path / LAST).card.trained["decisions"] == 256


def test_a_run_starts_from_a_checkpoint(tmp_path: Path) -> None:
    train(config(TINY), tmp_path / "first", lambda at: None)
    start = tmp_path / "first" / LAST
    run = Run(config(TINY, start=str(start)), tmp_path / "second")
    for name, array in read_checkpoint(start).arrays.items():
        assert np.allclose(run.learner.arrays()[name], array, atol=1e-6)
    with pytest.raises(ConfigError, match="architecture"):
        Run(config(TINY, start=str(start), architecture={"policy": [8]}), tmp_path / "third")


def test_a_curriculum_goes_on_and_keeps_some_of_the_old() -> None:
    stages = (Stage(table={"stack_tiles": 6}, success=0.5), Stage(table={"stack_tiles": 8}))
    games = Games(200, stages, "fixed", "saved", 1.0, kept=0.25, central=False)
    games.begin(0)
    assert not games.go_on(0.4)
    assert games.go_on(0.5)
    assert not games.go_on(1.0), "there is no further stage"
    games.begin(1)
    depths = games.env.states["stack_tiles"]
    assert set(depths.tolist()) == {6, 8}
    assert 0.1 < (depths == 6).mean() < 0.4


def test_every_configuration_here_can_be_read() -> None:
    from subterra_env.train.command import TRAINERS
    from subterra_env.train.settings import read_yaml

    for path in sorted(CONFIGS.glob("*.yaml")):
        trainer = read_yaml(path)["trainer"]
        assert trainer in TRAINERS
        if trainer == "ppo":
            load_config(path)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"colour": 1}, "colour: no such key"),
        ({"minibatch": 500}, "minibatch: 500 does not divide games x steps, 2048"),
        ({"curriculum": [{"table": {"stack_tiles": 5000}}]}, "stack_tiles"),
        ({"curriculum": []}, "curriculum"),
        ({"gamma": 2.0}, "gamma"),
        ({"architecture": {"policy": [0]}}, "architecture.policy"),
        ({"architecture": {"wide": 3}}, "architecture.wide: no such key"),
        ({"games": "many"}, "games"),
    ],
)
def test_what_cannot_be_run_is_named(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        config(SMALL, **changes)


def test_resume_holds_no_pickle(tmp_path: Path) -> None:
    train(config(TINY), tmp_path, lambda at: None)
    content = (tmp_path / RESUME).read_bytes()
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    assert "adam.trunk.0.weight.exp_avg" in header


def test_bf16_is_for_processors_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    processor = torch.device("cpu")
    for name, has_it, wanted in (
        ("bf16", True, torch.bfloat16), ("bf16", False, torch.float32), ("fp32", True, torch.float32),
    ):  # fmt: skip
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda has_it=has_it: {"avx512_bf16": has_it})
        assert number_type(name, processor) == wanted
        layer = torch.nn.Linear(3, 2)
        with precision(name, processor):
            assert layer(torch.ones(1, 3)).dtype == wanted
