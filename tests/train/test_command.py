"""The commands of training: train, evaluate, dataset, and speed --train."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from subterra_env.agents.checkpoint import read_checkpoint
from subterra_env.train import ppo, running, speed
from subterra_env.train.dataset import read_dataset
from subterra_env.train.settings import ConfigError, changed

from subterra_env.play import cli

TINY = """
trainer: ppo
curriculum: [{table: {stack_tiles: 6}}]
team: fixed
games: 8
steps: 8
minibatch: 32
decisions: 128
evaluate_every: 64
evaluation_games: 4
architecture: {trunk: [8], policy: [8], value: [8]}
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def run_words(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["subterra", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        return int(left.value.code or 0), *capsys.readouterr()

    return run_words


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


def test_train_leaves_checkpoints_curves_and_the_configuration(run: Run, config: Path, tmp_path: Path) -> None:
    code, out, err = run("train", config, "--set", "architecture.policy=[4]", "--seed", 3)
    assert (code, err) == (0, "")
    assert "not defeated" in out
    assert "done; checkpoints are in runs/tiny" in out.replace("\n", "")
    folder = tmp_path / "runs" / "tiny"
    assert {"best.safetensors", "last.safetensors", "resume.safetensors", "config.yaml"} <= {
        path.name for path in folder.iterdir()
    }
    assert any(path.name.startswith("events.out.tfevents") for path in folder.iterdir())
    card = read_checkpoint(folder / "last.safetensors").card
    assert card.architecture.policy == (4,)
    assert card.trained["config"]["seed"] == 3


def test_tensorboard_is_told_all_that_is_promised(run: Run, config: Path, tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run("train", config, "-o", "out")
    told = EventAccumulator(str(tmp_path / "out"))
    told.Reload()
    names = set(told.Tags()["scalars"])
    train = {"approx_kl", "clip_fraction", "entropy", "explained_variance", "policy_loss", "value_loss"}
    assert {f"train/{name}" for name in train} <= names
    medals = {"gold", "silver", "bronze", "success", "saved", "rounds"}
    assert {f"eval/{name}" for name in medals | {"low", "high"}} <= names
    assert "time/fps" in names


def test_tensorboard_is_told_of_imitation(run: Run, tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run("dataset", "-o", "games.parquet", "--agent", "rules", "--games", 3)
    (tmp_path / "learn.yaml").write_text(
        "trainer: imitate\ndatasets: [games.parquet]\nepochs: 2\nheld_out: 0.4\nevaluation_games: 4\n"
        "architecture: {policy: [8], value: [8]}\n"
    )
    code, out, _ = run("train", "learn.yaml", "-o", "out")
    assert code == 0
    assert len(re.findall(r"not defeated,\s+[\d.]+%\s+saved,\s+[\d.]+%\s+foretold", out)) == 2
    told = EventAccumulator(str(tmp_path / "out"))
    told.Reload()
    held_out = {f"held_out/{name}" for name in ("agreement", "cross_entropy", "explained_variance")}
    assert {"train/loss", "eval/success", *held_out} <= set(told.Tags()["scalars"])


def test_a_curve_can_be_drawn(run: Run, config: Path, tmp_path: Path) -> None:
    from subterra_env.train.curves import save_curve

    run("train", config, "-o", "out")
    save_curve(tmp_path / "out", tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="no evaluation"):
        save_curve(tmp_path, tmp_path / "none.png")


def test_what_was_stopped_goes_on(run: Run, config: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write = running.write_resume

    def stop(run: ppo.Run, path: Path) -> None:
        write(run, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "write_resume", stop)
    code, _, err = run("train", config, "-o", "out")
    assert code == cli.EXIT_INTERRUPTED
    assert "the same command goes on from the last evaluation" in err
    assert "trainer: ppo" in (tmp_path / "out" / "config.yaml").read_text(encoding="utf-8")
    monkeypatch.setattr(running, "write_resume", write)
    assert run("train", config, "-o", "out")[0] == 0
    assert read_checkpoint(tmp_path / "out" / "last.safetensors").card.trained["decisions"] == 128


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["tiny.yaml", "--set", "gamma=2"], "gamma: Input should be less than or equal to 1"),
        (["tiny.yaml", "--set", "gama=1"], "gama: no such key"),
        (["tiny.yaml", "--set", "games"], "a change is written key=value"),
        (["tiny.yaml", "--set", "trainer=sac"], "trainer: 'sac'; there are ppo, maskable_ppo"),
        (["tiny.yaml", "--set", "start=none.safetensors"], "none.safetensors: No such file"),
        (["none.yaml"], "none.yaml: No such file"),
    ],
)
def test_what_cannot_be_trained_is_one_line(run: Run, config: Path, words: list[str], fault: str) -> None:
    code, out, err = run("train", *words)
    assert (code, out) == (cli.EXIT_BAD_INPUT, "")
    assert re.fullmatch(rf"subterra: .*{re.escape(fault)}.*\n", err)


def test_changes_are_made_where_they_say() -> None:
    given = {"a": 1, "b": {"c": 2, "d": 3}}
    assert changed(given, ["a=x", "b.c=[1, 2]", "e.f=true"]) == {
        "a": "x", "b": {"c": [1, 2], "d": 3}, "e": {"f": True},
    }  # fmt: skip
    assert given == {"a": 1, "b": {"c": 2, "d": 3}}
    numbers = {"a=3e-4": 3e-4, "a=-1E5": -1e5, "a=2.5e+3": 2500.0, "a=7": 7, "a=3e": "3e", "a=e4": "e4"}
    assert {change: changed({}, [change])["a"] for change in numbers} == numbers
    with pytest.raises(ConfigError, match="nothing stands below"):
        changed(given, ["a.b=1"])


def test_maskable_ppo_leaves_a_checkpoint_that_plays(run: Run, tmp_path: Path) -> None:
    (tmp_path / "maskable.yaml").write_text(
        "trainer: maskable_ppo\ntable: {stack_tiles: 6}\ngames: 4\nsteps: 32\nminibatch: 64\ndecisions: 256\n"
        "epochs: 1\nlayers: [8]\nevaluation_games: 10\n"
    )
    assert run("train", "maskable.yaml", "-o", "out")[0] == 0
    assert not list((tmp_path / "out").glob("*.zip"))
    assert {"best.safetensors", "last.safetensors", "resume.safetensors"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }
    assert read_checkpoint(tmp_path / "out" / "last.safetensors").card.value_unit == "shaped"
    code, out, _ = run("evaluate", "out/last.safetensors", "--cells", "normal-4", "--games", 2, "-o", "results.jsonl")
    assert code == 0
    assert "normal-4" in out


def test_the_converted_network_answers_as_stable_baselines3_does() -> None:
    import numpy as np
    import torch
    from subterra_env.agents.mlp import answer_of, packed
    from subterra_env.train.maskable_ppo import Config, converted, new_model

    model = new_model(Config(table={"stack_tiles": 6}, games=4, steps=32, minibatch=64, layers=(8, 6)))
    model.learn(128)
    seen = torch.from_numpy(model.env.reset())
    logits, values = answer_of(packed(converted(model)), seen.numpy())
    with torch.no_grad():
        features = model.policy.mlp_extractor(model.policy.extract_features(seen))
        assert np.allclose(logits, model.policy.action_net(features[0]), atol=1e-4)
        assert np.allclose(values, model.policy.value_net(features[1])[:, 0], atol=1e-4)


def test_dataset_from_games_and_from_records(run: Run, tmp_path: Path) -> None:
    code, _, err = run("dataset", "-o", "played.parquet", "--agent", "rules", "--games", 2, "--seed", 4)
    assert code == 0
    assert re.search(r"played\.parquet: \d+ questions", err)
    run("record", "-o", "games.jsonl", "--agent", "rules", "--games", 2)
    assert run("dataset", "games.jsonl", "-o", "recorded.parquet")[0] == 0
    for name in ("played", "recorded"):
        assert read_dataset(tmp_path / f"{name}.parquet").game.max() == 1


def test_speed_of_training_has_its_names(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "MEASUREMENTS", dict.fromkeys(speed.MEASUREMENTS, lambda: 1.0))
    code, out, _ = run("speed", "--train", "--json")
    assert code == 0
    assert json.loads(out) == dict.fromkeys(("ppo_fp32", "ppo_bf16", "maskable_ppo_same", "maskable_ppo_aec"), 1.0)


def test_the_aec_environment_is_one_that_maskable_ppo_can_play() -> None:
    env = speed.OneAgent()
    seen, _ = env.reset(seed=1)
    for _ in range(300):
        assert seen.shape == env.observation_space.shape
        seen, _, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
        if terminated or truncated:
            break
    assert terminated
