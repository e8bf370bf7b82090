"""A reference for tiny positions: every answer and every outcome to the end of the game (expectimax)."""

import numpy as np
from subterra_env.agents.base import Agent, AgentError, Budget
from subterra_env.agents.evaluation import MOST_UTILITY, utilities_of

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.terms import Node


class ExactAgent(Agent):
    """Plays tiny positions perfectly, and refuses those that are not tiny."""

    REFERENCE = True

    def __init__(self, limit: int = 100_000) -> None:
        """``limit``: positions that may be looked at for one answer; beyond it `AgentError` is raised."""
        if limit < 1:
            raise AgentError(f"exact: limit={limit}; at least one position has to be looked at")
        self._limit = limit
        self._known: dict[bytes, float] = {}

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The answer worth most, the one with the smallest id among equals. Raises `AgentError` beyond the limit."""
        values = self.values(view)
        return max(values, key=lambda answer: (values[answer], -answer))

    def values(self, view: np.ndarray) -> dict[int, float]:
        """What each legal answer is worth, see `evaluation.utility`. Raises `AgentError` beyond the limit."""
        self._known.clear()
        try:
            return {answer: self._after(view, answer) for answer in SUBTERRA.notation.legal_ids(view[0])}
        except RecursionError as error:
            raise AgentError(
                "exact: the game can go on for too long from here; it is made for tiny positions"
            ) from error

    def _after(self, states: np.ndarray, answer: int) -> float:
        following = states.copy()
        SUBTERRA.engine.apply(following, answer)
        return self._value(following)

    def _value(self, states: np.ndarray) -> float:
        key = states.tobytes()
        if key not in self._known:
            self.simulations += 1
            if len(self._known) >= self._limit:
                raise AgentError(f"exact: more than {self._limit} positions lie ahead; it is made for tiny positions")
            self._known[key] = self._worked_out(states)
        return self._known[key]

    def _worked_out(self, states: np.ndarray) -> float:
        node = states["node"][0]
        if node == Node.END:
            return float(utilities_of(states)[0])
        if node == Node.ASK:
            return self._best(states)
        odds = np.zeros(SUBTERRA.engine.OUTCOMES)
        SUBTERRA.engine.chance_weights(states, odds)
        return sum(float(odds[outcome]) * self._with(states, int(outcome)) for outcome in np.flatnonzero(odds))

    def _best(self, states: np.ndarray) -> float:
        """Nothing better is looked for once everybody is out."""
        best = 0.0
        for answer in SUBTERRA.notation.legal_ids(states[0]):
            best = max(best, self._after(states, answer))
            if best >= MOST_UTILITY:
                break
        return best

    def _with(self, states: np.ndarray, outcome: int) -> float:
        following = states.copy()
        SUBTERRA.engine.apply_chance(following, outcome)
        return self._value(following)
