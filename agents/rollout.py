"""Rollouts: every answer is played on by the rules bot under the same imagined luck, and the best one is given."""

from time import perf_counter
from typing import NamedTuple

import numpy as np
from subterra_env.agents.base import AgentError, Budget, RankingAgent
from subterra_env.agents.evaluation import own_weights
from subterra_env.agents.halving import Samples, halve
from subterra_env.agents.playouts import after_each, sample
from subterra_env.agents.rules_bot import rules_action

from subterra_env.game import SUBTERRA
from subterra_env.threads import share_out

_KEYS = 1 << 64


class Choices(NamedTuple):
    """What is compared.

    ``answers``: int64[p], the answer that leads to each position; ``starts``: STATE[p], chance undecided;
    ``compared``: int64[n], numbers of the positions; ``base``: which of these the rules bot comes to.
    """

    answers: np.ndarray
    starts: np.ndarray
    compared: np.ndarray
    base: int


class RolloutAgent(RankingAgent):
    """Compares all answers by playouts that last a round or more; keeps to the rules bot's unless sure of a gain."""

    def __init__(self, sims: int = 200, rounds: int = 1, sure: float = 2.0, threads: int = 1) -> None:
        """``sims``: playouts an answer gets if there is no budget; ``rounds``: after the present one, then playouts
        are broken off; ``sure``: standard errors by which another answer must be better. Raises `AgentError`.
        """
        if sims < 1 or rounds < 0 or sure < 0 or threads < 1:
            raise AgentError(f"rollout: sims={sims}, rounds={rounds}, sure={sure}, threads={threads} make no sense")
        self._budget, self._rounds, self._sure = Budget(simulations=sims), rounds, sure
        self._threads = threads

    def rank(
        self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """As `base.Agent.rank`: the others stand in the order of their gain over the rules bot's answer."""
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            return [(int(legal[0]), 0)]
        begun = perf_counter()
        choices = self._choices(view, mask)
        samples = self._compare(choices, int(view["round_number"][0]), rng, budget or self._budget, begun)
        spent = np.isfinite(samples.table).sum(axis=1)
        ranked: dict[int, int] = {}
        for choice in samples.in_order(choices.base, self._sure):
            ranked.setdefault(int(choices.answers[choices.compared[choice]]), int(spent[choice]))
        return list(ranked.items())

    def _choices(self, view: np.ndarray, mask: np.ndarray) -> Choices:
        """Every legal answer."""
        answers = np.flatnonzero(mask)
        starts = np.empty(len(answers), SUBTERRA.dtype)
        after_each(view, answers, starts)
        return Choices(answers, starts, np.arange(len(answers)), int(np.argmax(answers == rules_action(view))))

    def _compare(
        self, choices: Choices, present_round: int, rng: np.random.Generator, budget: Budget, begun: float
    ) -> Samples:
        last_round = present_round + self._rounds

        def playouts(alive: np.ndarray, columns: int) -> np.ndarray:
            keys = rng.integers(_KEYS, size=columns, dtype=np.uint64)
            utilities = self._sample(choices, alive, keys, last_round)
            self.simulations += utilities.size
            return utilities

        return halve(len(choices.compared), choices.base, playouts, budget, begun)

    def _sample(self, choices: Choices, alive: np.ndarray, keys: np.ndarray, last_round: int) -> np.ndarray:
        """Plays on from the positions still alive with every key; float64[alive, keys]."""
        utilities, compared = np.empty((len(keys), len(alive))), choices.compared[alive]
        weights = own_weights()

        def play(_: int, part: slice) -> None:
            sample(choices.starts, compared, keys[part], last_round, weights, utilities[part])

        share_out(play, len(keys), self._threads)
        return utilities.T
