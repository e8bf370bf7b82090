"""Checkpoints and the agents that play by them."""

import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from subterra_env.agents.base import AgentError, Budget, legal_answers, load
from subterra_env.agents.checkpoint import (
    CARD,
    LEAN,
    Architecture,
    Card,
    Checkpoint,
    CheckpointError,
    card_here,
    read_checkpoint,
    shapes_of,
)
from subterra_env.agents.mlp import Inputs, answer_of, packed, values_of
from subterra_env.agents.rules_bot import rules_action

from subterra_env.game import SUBTERRA
from tests.random_games import new_game

FLAT = SUBTERRA.observation.FLAT_SIZE
ARCHITECTURES = [
    Architecture(policy=(8,), value=(6, 5)),
    Architecture(trunk=(16, 8), policy=(), value=()),
    Architecture(hint=True, trunk=(12,), policy=(8,), value=(8,)),
    Architecture(trunk=(9,), policy=(8,), value=None),
]


def checkpoint_of(architecture: Architecture, seed: int = 0, **card: Any) -> Checkpoint:
    rng = np.random.default_rng(seed)
    unit = None if architecture.value is None else "utility"
    arrays = {name: rng.normal(0, 0.2, shape) for name, shape in shapes_of(architecture).items()}
    return Checkpoint(card_here(architecture, value_unit=unit, **card), arrays)


def written(path: Path, architecture: Architecture = ARCHITECTURES[2]) -> Path:
    checkpoint_of(architecture).write(path)
    return path


def positions(count: int) -> np.ndarray:
    """Games at their first questions, and some answers later."""
    states = np.zeros(count, SUBTERRA.dtype)
    for i in range(count):
        game = new_game(SUBTERRA.options(), i)
        for _ in range(i * 3):
            if legal := SUBTERRA.notation.legal_ids(game[0]):
                SUBTERRA.engine.step(game, legal[i % len(legal)])
        states[i] = game[0]
    return states[states["node"] == 1]


def by_numpy(checkpoint: Checkpoint, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same network, worked out layer by layer."""

    def run(part: str, numbers: np.ndarray, ends_in_relu: bool) -> np.ndarray:
        count = sum(name.startswith(part) and name.endswith("weight") for name in checkpoint.arrays)
        for k in range(count):
            numbers = numbers @ checkpoint.arrays[f"{part}.{k}.weight"] + checkpoint.arrays[f"{part}.{k}.bias"]
            if ends_in_relu or k < count - 1:
                numbers = np.maximum(numbers, 0)
        return numbers

    trunk = run("trunk", rows, True)
    logits = run("policy", trunk, False)
    if LEAN in checkpoint.arrays:
        logits = logits + checkpoint.arrays[LEAN] * rows[:, FLAT:]
    return logits, run("value", trunk, False)[:, 0]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_compiled_code_answers_as_the_layers_say(architecture: Architecture) -> None:
    checkpoint, states = checkpoint_of(architecture), positions(12)
    net = packed(checkpoint)
    rows = Inputs(net.inputs, len(states)).see(states)
    logits, values = answer_of(net, rows)
    wanted_logits, wanted_values = by_numpy(checkpoint, rows)
    assert np.allclose(logits, wanted_logits, atol=1e-4)
    if architecture.value is None:
        assert np.isnan(values).all()
    else:
        assert np.allclose(values, wanted_values, atol=1e-4)
        alone = np.empty(len(states))
        values_of(net, rows, alone)
        assert np.allclose(alone, values)


def test_torch_answers_the_same() -> None:
    torch = pytest.importorskip("torch")
    from subterra_env.train.network import Network

    for architecture in ARCHITECTURES[:3]:
        checkpoint, states = checkpoint_of(architecture), positions(12)
        network = Network(architecture)
        network.take(checkpoint.arrays)
        rows = Inputs(architecture.inputs, len(states)).see(states)
        logits, values = answer_of(packed(checkpoint), rows)
        with torch.no_grad():
            found, worth = network(torch.from_numpy(rows))
        assert np.allclose(logits, found, atol=1e-4)
        assert np.allclose(values, worth, atol=1e-4)
        assert all(np.array_equal(array, network.arrays()[name]) for name, array in checkpoint.arrays.items())


def test_hints_are_what_the_rules_bot_would_answer() -> None:
    states = positions(12)
    rows = Inputs(Architecture(hint=True).inputs, len(states)).see(states)
    for i, row in enumerate(rows):
        assert row[FLAT:].sum() == 1
        assert row[FLAT:].argmax() == rules_action(states[i : i + 1])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_checkpoint_is_read_as_it_was_written(tmp_path: Path, architecture: Architecture) -> None:
    first = checkpoint_of(architecture, trained={"decisions": 3})
    first.write(tmp_path / "net.safetensors")
    second = read_checkpoint(tmp_path / "net.safetensors")
    assert second.card == first.card
    assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
    assert [each.name for each in tmp_path.iterdir()] == ["net.safetensors"]


def test_a_card_for_something_else_is_refused(tmp_path: Path) -> None:
    here = checkpoint_of(ARCHITECTURES[0])
    for name, value in (("game", "chess"), ("rules_version", 99), ("actions", "0" * 16), ("observations", "0" * 16)):
        card = here.card.model_copy(update={name: value})
        Checkpoint(card, here.arrays).write(tmp_path / "net.safetensors")
        with pytest.raises(CheckpointError, match=rf"net\.safetensors: made for {name} {value}; here it is"):
            read_checkpoint(tmp_path / "net.safetensors")


def test_broken_files_are_refused_in_one_line(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.safetensors").read_bytes()
    huge = struct.pack("<Q", 1 << 60) + whole[8:]
    deep = b"[" * 100_000
    for number, content in enumerate(
        [b"", b"abc", whole[:100], whole[:-5], huge, struct.pack("<Q", len(deep)) + deep, b"\x80\x04}."]
    ):
        path = tmp_path / f"{number}.safetensors"
        path.write_bytes(content)
        with pytest.raises(CheckpointError) as caught:
            read_checkpoint(path)
        assert path.name in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(CheckpointError, match="No such file"):
        read_checkpoint(tmp_path / "none.safetensors")


def test_arrays_that_are_not_the_card_s_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "net.safetensors")
    arrays = load_file(path)
    card = {CARD: read_checkpoint(path).card.model_dump_json()}
    name = "policy.0.weight"
    for wrong, fault in (
        ({**arrays, name: arrays[name][:, :-1].copy()}, rf"{name}: \(12, 7\); the card says \(12, 8\)"),
        ({each: arrays[each] for each in arrays if each != name}, f"{name}: missing"),
        ({**arrays, "more": arrays[name]}, r"more: \(12, 8\); the card says none"),
        ({**arrays, name: arrays[name] * np.float32(np.nan)}, f"{name}: holds numbers that are not finite"),
    ):
        save_file(wrong, path, card)
        with pytest.raises(CheckpointError, match=fault):
            read_checkpoint(path)
    save_file(arrays, path)
    with pytest.raises(CheckpointError, match="no card"):
        read_checkpoint(path)
    save_file(arrays, path, {CARD: json.dumps({"game": "subterra"})})
    with pytest.raises(CheckpointError, match="rules_version: Field required"):
        read_checkpoint(path)


def test_a_card_cannot_ask_for_a_huge_network() -> None:
    card = json.loads(card_here(ARCHITECTURES[0]).model_dump_json())
    card["architecture"]["trunk"] = [10**9]
    with pytest.raises(ValueError, match="less than or equal to 4096"):
        Card.model_validate(card)


def chosen(name: str, states: np.ndarray, seed: int = 0, budget: Budget | None = None) -> list[int]:
    agent, found = load(name), []
    for i in range(len(states)):
        view = SUBTERRA.view(states[i : i + 1])
        mask = legal_answers(view)
        found.append(agent.act(view, mask, np.random.default_rng(seed), budget))
        assert mask[found[-1]]
    return found


def test_the_policy_gives_the_legal_answer_it_likes_best(tmp_path: Path) -> None:
    path, states = written(tmp_path / "net.safetensors"), positions(30)
    net = packed(read_checkpoint(path))
    logits, _ = answer_of(net, Inputs(net.inputs, len(states)).see(states))
    masks = np.stack([legal_answers(states[i : i + 1]) for i in range(len(states))])
    assert chosen(f"policy:checkpoint={path}", states) == np.where(masks, logits, -np.inf).argmax(axis=1).tolist()


def test_a_sampled_policy_draws_by_its_chances(tmp_path: Path) -> None:
    path = written(tmp_path / "net.safetensors")
    states = positions(3)[:1]
    agent, view = load(f"policy:checkpoint={path},sampled=true"), SUBTERRA.view(states)
    mask, rng = legal_answers(view), np.random.default_rng(0)
    draws = np.bincount([agent.act(view, mask, rng) for _ in range(4000)], minlength=len(mask)) / 4000
    net = packed(read_checkpoint(path))
    logits = answer_of(net, Inputs(net.inputs, 1).see(states))[0][0]
    wanted = np.where(mask, np.exp(logits), 0)
    assert np.allclose(draws, wanted / wanted.sum(), atol=0.03)


@pytest.mark.parametrize("threads", [1, 2])
def test_net_search_answers_legally_and_repeats_itself(tmp_path: Path, threads: int) -> None:
    path, states = written(tmp_path / "net.safetensors"), positions(12)
    names = [f"net-search:checkpoint={path},threads={each}" for each in (1, threads)]
    one, other = (chosen(name, states, budget=Budget(simulations=60)) for name in names)
    assert one == other


def test_net_search_keeps_to_the_policy_unless_it_is_sure(tmp_path: Path) -> None:
    path, states = written(tmp_path / "net.safetensors"), positions(12)
    policy, bot = chosen(f"policy:checkpoint={path}", states), chosen("rules", states)
    assert chosen(f"net-search:checkpoint={path},sims=10,sure=1e9", states) == policy
    assert policy != bot


def test_net_search_refuses_values_of_something_else(tmp_path: Path) -> None:
    here = checkpoint_of(ARCHITECTURES[0])
    Checkpoint(here.card.model_copy(update={"value_unit": "saved"}), here.arrays).write(tmp_path / "saved.safetensors")
    with pytest.raises(AgentError, match="its values are of saved"):
        load(f"net-search:checkpoint={tmp_path / 'saved.safetensors'}")
    with pytest.raises(AgentError, match="trust=2"):
        load(f"net-search:checkpoint={written(tmp_path / 'net.safetensors')},trust=2")
    with pytest.raises(AgentError, match="No such file"):
        load(f"policy:checkpoint={tmp_path / 'none.safetensors'}")


def test_no_torch_at_play_time(tmp_path: Path) -> None:
    path = written(tmp_path / "net.safetensors")
    code = (
        "import sys; from subterra_env.agents.base import load; "
        f"load('policy:checkpoint={path}'); load('net-search:checkpoint={path}'); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
