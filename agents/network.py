"""Agents that play by a trained network: its policy alone, and a planner that trusts its values.

The network runs in compiled code; torch is not needed. Without a checkpoint named it is the one the project ships.
"""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from subterra_env.agents.base import AgentError, Budget, RankingAgent
from subterra_env.agents.checkpoint import CheckpointError, read_checkpoint
from subterra_env.agents.evaluation import MOST_UTILITY, own_weights
from subterra_env.agents.greedy import expectations
from subterra_env.agents.mlp import Inputs, Mlp, answer_of, packed, values_of
from subterra_env.agents.playouts import best_answers, play_out
from subterra_env.agents.rollout import Choices
from subterra_env.agents.turn import TurnAgent
from subterra_env.agents.turn_tree import DEEPEST, answer_on

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.terms import Node
from subterra_env.threads import share_out

SHIPPED = "policy.safetensors"
VALUE_UNIT = "utility"


@cache
def network_of(path: str | None) -> tuple[Mlp, str | None]:
    """The network of a checkpoint, or the shipped one, and the unit of its values. Raises `AgentError`."""
    try:
        if path is not None:
            checkpoint = read_checkpoint(Path(path))
        else:
            with as_file(files("subterra_env.agents") / SHIPPED) as shipped:
                checkpoint = read_checkpoint(shipped)
    except CheckpointError as error:
        raise AgentError(str(error)) from None
    return packed(checkpoint), checkpoint.card.value_unit


class PolicyAgent(RankingAgent):
    """Gives the answer that a trained network likes best, without search."""

    def __init__(self, checkpoint: str | None = None, sampled: bool = False) -> None:
        """``checkpoint``: a file; None is the shipped one. ``sampled``: answers are drawn with the policy's chances.

        Raises `AgentError`.
        """
        self._net, _ = network_of(checkpoint)
        self._sampled = sampled
        self._inputs = Inputs(self._net.inputs, 1)

    def rank(
        self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """As `base.Agent.rank`: the likelier an answer, the better."""
        legal = np.flatnonzero(mask)
        logits = answer_of(self._net, self._inputs.see(view))[0][0, legal]
        if self._sampled:
            logits = logits + rng.gumbel(size=len(legal))  # the largest is then distributed as the policy says
        return [(int(legal[choice]), 0) for choice in np.argsort(-logits, kind="stable")]


class NetSearchAgent(TurnAgent):
    """Compares whole turns as `turn` does; a trained network plays the turn to be bettered and helps to judge."""

    def __init__(
        self,
        checkpoint: str | None = None,
        sims: int = 200,
        rounds: int = 1,
        sure: float = 2.0,
        threads: int = 1,
        width: int = 24,
        trust: float = 0.5,
    ) -> None:
        """As `TurnAgent`; ``trust``: the network's part in what a position is worth, the rest is the evaluation's.

        Raises `AgentError`.
        """
        super().__init__(sims, rounds, sure, threads, width)
        if not 0 <= trust <= 1:
            raise AgentError(f"net-search: trust={trust}; the network's part is from 0 to 1")
        self._net, unit = network_of(checkpoint)
        if unit != VALUE_UNIT:
            raise AgentError(f"{checkpoint}: its values are of {unit}; search needs a network trained for {VALUE_UNIT}")
        self._trust, self._inputs = trust, Inputs(self._net.inputs, 1)
        self._mask = np.zeros((1, SUBTERRA.actions.ACTIONS), np.int8)

    def _begin(self, view: np.ndarray, end: np.ndarray) -> int:
        """As `TurnAgent._begin`, by the policy."""
        end[0] = view[0]
        first = answer = self._liked_best(end[:1])
        for _ in range(DEEPEST):
            if not answer_on(view, end, answer):
                break
            answer = self._liked_best(end[:1])
        return first

    def _liked_best(self, state: np.ndarray) -> int:
        answers = np.zeros(1, np.int64)
        SUBTERRA.engine.legal_masks(state, self._mask)
        best_answers(answer_of(self._net, self._inputs.see(state))[0], self._mask, answers)
        return int(answers[0])

    def _sample(self, choices: Choices, alive: np.ndarray, keys: np.ndarray, last_round: int) -> np.ndarray:
        finals = np.empty((len(keys), len(alive)), SUBTERRA.dtype)
        utilities, compared = np.empty(finals.shape), choices.compared[alive]

        def work(_: int, part: slice) -> None:
            play_out(choices.starts, compared, keys[part], last_round, finals[part])
            utilities[part] = self._worth(finals[part].reshape(-1)).reshape(-1, len(alive))

        share_out(work, len(keys), self._threads)
        return utilities.T

    def _worth(self, states: np.ndarray) -> np.ndarray:
        """Utilities of games that are over, what those that go on are worth; float64[n]."""
        worth = np.empty(len(states))
        expectations(states, len(states), own_weights(), worth)
        going_on = np.flatnonzero(states["node"] != Node.END)
        if len(going_on):
            values = np.empty(len(going_on))
            values_of(self._net, Inputs(self._net.inputs, len(going_on)).see(states, going_on), values)
            worth[going_on] += self._trust * (np.clip(values, 0.0, MOST_UTILITY) - worth[going_on])
        return worth
