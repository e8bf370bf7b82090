"""A network's answers in compiled code, one position at a time.

Weights stand with one row an input, so that what an input adds to all outputs is added at once, and the many inputs
that are 0 cost nothing.
"""

from typing import NamedTuple

import numpy as np
from subterra_env.agents.checkpoint import LEAN, MOST_WIDTH, Checkpoint
from subterra_env.agents.rules_bot import rules_action_one

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.observation import FLAT_SIZE
from subterra_env.games.subterra.state import NOBODY
from subterra_env.jit import compiled, entry

_OFFSET, _INPUTS, _OUTPUTS = range(3)


class Mlp(NamedTuple):
    """All numbers of a network, and where they stand.

    ``lean``: float32[1], 0 without hints; ``numbers``: float32; ``trunk``, ``policy``, ``value``: int64[layers, 3],
    where the weights begin (the biases follow them), inputs, outputs.
    """

    inputs: int
    lean: np.ndarray
    numbers: np.ndarray
    trunk: np.ndarray
    policy: np.ndarray
    value: np.ndarray


def packed(checkpoint: Checkpoint) -> Mlp:
    """A checkpoint's network for compiled code."""
    numbers, tables, at = list[np.ndarray](), dict[str, np.ndarray](), 0
    lean = checkpoint.arrays.get(LEAN, np.zeros(1, np.float32))
    for part in ("trunk", "policy", "value"):
        rows = list[tuple[int, int, int]]()
        while (weight := checkpoint.arrays.get(f"{part}.{len(rows)}.weight")) is not None:
            numbers += [weight.ravel(), checkpoint.arrays[f"{part}.{len(rows)}.bias"]]
            rows.append((at, *weight.shape))
            at += weight.size + weight.shape[1]
        tables[part] = np.array(rows, np.int64).reshape(len(rows), 3)
    return Mlp(checkpoint.card.architecture.inputs, lean, np.concatenate(numbers), **tables)


@compiled
def run_layers(numbers, layers, source, target, ends_in_relu):
    """Runs layers from the first numbers of one array to those of another, both overwritten; which holds the result.

    ReLU follows every layer, the last one only if ``ends_in_relu``.
    """
    for layer in range(len(layers)):
        start, inputs, outputs = layers[layer, _OFFSET], layers[layer, _INPUTS], layers[layer, _OUTPUTS]
        bias = start + inputs * outputs
        for k in range(outputs):
            target[k] = numbers[bias + k]
        for i in range(inputs):
            given = source[i]
            if given != 0.0:
                row = numbers[start + i * outputs : start + (i + 1) * outputs]
                for k in range(outputs):
                    target[k] += given * row[k]
        if ends_in_relu or layer < len(layers) - 1:
            for k in range(outputs):
                target[k] = max(target[k], np.float32(0.0))
        source, target = target, source
    return source, target


@entry
def policies_and_values(net, rows, logits, values):
    """What the network says of positions; the values of one without values are not numbers.

    ``rows``: float32[n, inputs]; ``logits``: float32[n, ACTIONS] and ``values``: float32[n], written.
    """
    one, other = np.empty(MOST_WIDTH, np.float32), np.empty(MOST_WIDTH, np.float32)
    kept = np.empty(MOST_WIDTH, np.float32)
    for i in range(len(rows)):
        one[: rows.shape[1]] = rows[i]
        trunk, room = run_layers(net.numbers, net.trunk, one, other, True)
        kept[:] = trunk
        found, _ = run_layers(net.numbers, net.policy, trunk, room, False)
        logits[i] = found[: logits.shape[1]]
        if net.lean[0] != 0.0:
            logits[i] += net.lean[0] * rows[i, FLAT_SIZE:]
        trunk[:] = kept
        found, _ = run_layers(net.numbers, net.value, trunk, room, False)
        values[i] = found[0] if len(net.value) else np.float32(np.nan)


@entry
def values_of(net, rows, values):
    """As `policies_and_values`, the values only; ``values``: float64[n], written."""
    one, other = np.empty(MOST_WIDTH, np.float32), np.empty(MOST_WIDTH, np.float32)
    for i in range(len(rows)):
        one[: rows.shape[1]] = rows[i]
        trunk, room = run_layers(net.numbers, net.trunk, one, other, True)
        found, _ = run_layers(net.numbers, net.value, trunk, room, False)
        values[i] = found[0]


@entry
def write_hints(states, games, hints):
    """Marks what the rules bot would answer in some games; ``games``: int64[m]; ``hints``: float32[m, ACTIONS]."""
    for k in range(len(games)):
        hints[k] = 0.0
        hints[k, rules_action_one(states[games[k]])] = 1.0


class Inputs:
    """What a network sees of so many positions at a time; ``rows``: float32[n, inputs], written again each time."""

    def __init__(self, inputs: int, positions: int) -> None:
        """``inputs``: of the architecture."""
        self.rows = np.zeros((positions, inputs), np.float32)
        self._all, self._asked = np.arange(positions), np.full(positions, NOBODY, np.int8)
        self._room = SUBTERRA.observation.Room("flat", positions)

    def see(self, states: np.ndarray, games: np.ndarray | None = None) -> np.ndarray:
        """What is seen of all states, or of some whose numbers int64[n] are given, by those asked; the rows."""
        chosen = self._all if games is None else games
        self._room.observe_some(states, chosen, self._asked)
        self.rows[:, :FLAT_SIZE] = self._room.seen
        if self.rows.shape[1] > FLAT_SIZE:
            write_hints(states, chosen, self.rows[:, FLAT_SIZE:])
        return self.rows


def answer_of(net: Mlp, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits float32[n, ACTIONS] and values float32[n] of rows of `Inputs`."""
    logits, values = np.empty((len(rows), SUBTERRA.actions.ACTIONS), np.float32), np.empty(len(rows), np.float32)
    policies_and_values(net, rows, logits, values)
    return logits, values
