"""Whole turns: the ends that a caver's turn can come to are compared, and the first answer on the way is given."""

import numpy as np
from subterra_env.agents.base import AgentError
from subterra_env.agents.evaluation import own_weights
from subterra_env.agents.greedy import expectations
from subterra_env.agents.rollout import Choices, RolloutAgent
from subterra_env.agents.turn_tree import DEEPEST, MOST_ENDS, SEEN_PLACES, STATE_WORDS, end_by_rules, ends_of_turn

from subterra_env.game import SUBTERRA

BASE = 0
"""The end to be bettered stands first."""


class TurnAgent(RolloutAgent):
    """Looks through every way to spend the turn, and compares the most promising by playouts as `rollout` does."""

    def __init__(self, sims: int = 200, rounds: int = 1, sure: float = 2.0, threads: int = 1, width: int = 24) -> None:
        """As `RolloutAgent`; ``width``: ends of the turn compared by playouts, those that the evaluation likes best."""
        super().__init__(sims, rounds, sure, threads)
        if width < 1:
            raise AgentError(f"turn: width={width}; at least one end of the turn is compared")
        self._width = width
        self._path, self._path_words = _room(DEEPEST + 1)
        self._ends, self._end_words = _room(MOST_ENDS)

    def _choices(self, view: np.ndarray, mask: np.ndarray) -> Choices:
        answers, values = np.empty(MOST_ENDS, np.int64), np.empty(MOST_ENDS)
        seen = np.zeros(SEEN_PLACES, np.uint64)
        room = (self._path, self._path_words, seen, self._ends, self._end_words)
        answers[BASE] = self._begin(view, self._ends[BASE:])
        count = ends_of_turn(view, *room, answers)
        self._value(self._ends[:count], values[:count])
        self.simulations += count
        best = np.argsort(-values[1:count], kind="stable")[: self._width - 1] + 1
        return Choices(answers, self._ends, np.append(BASE, best), BASE)

    def _begin(self, view: np.ndarray, end: np.ndarray) -> int:
        """The rules bot's first answer; ``end``: STATE[1], written: the end of the turn it comes to."""
        first: int = end_by_rules(view, end)
        return first

    def _value(self, ends: np.ndarray, values: np.ndarray) -> None:
        """What ends of the turn seem to be worth; ``values``: float64, written."""
        expectations(ends, len(ends), own_weights(), values)


def _room(positions: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions, and the same memory as words."""
    states = np.zeros(positions, SUBTERRA.dtype)
    return states, states.view(np.uint64).reshape(positions, STATE_WORDS)
