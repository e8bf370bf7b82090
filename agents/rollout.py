"""Rollouts: every answer is played on by the rules bot under the same imagined luck, and the best one is given."""

from time import perf_counter

import numpy as np
from subterra_env.agents.base import Agent, AgentError, Budget
from subterra_env.agents.evaluation import own_weights
from subterra_env.agents.halving import Samples, halve
from subterra_env.agents.playouts import after_each, sample, sample_in_parallel
from subterra_env.agents.rules_bot import rules_action

from subterra_env.game import SUBTERRA

_KEYS = 1 << 64


class RolloutAgent(Agent):
    """Compares all answers by playouts that last a round or more; keeps to the rules bot's unless sure of a gain."""

    def __init__(self, sims: int = 200, rounds: int = 1, sure: float = 2.0, threads: int = 1) -> None:
        """``sims``: playouts an answer gets if there is no budget; ``rounds``: after the present one, then playouts
        are broken off; ``sure``: standard errors by which another answer must be better. Raises `AgentError`.
        """
        if sims < 1 or rounds < 0 or sure < 0 or threads < 1:
            raise AgentError(f"rollout: sims={sims}, rounds={rounds}, sure={sure}, threads={threads} make no sense")
        self._budget, self._rounds, self._sure = Budget(simulations=sims), rounds, sure
        self._threads = threads

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """As `base.Agent.act`."""
        answers = np.flatnonzero(mask)
        if len(answers) == 1:
            return int(answers[0])
        base = int(np.flatnonzero(answers == rules_action(view))[0])
        samples = self._compare(view, answers, base, rng, budget or self._budget)
        return int(answers[samples.best(base, self._sure)])

    def _compare(
        self, view: np.ndarray, answers: np.ndarray, base: int, rng: np.random.Generator, budget: Budget
    ) -> Samples:
        begun = perf_counter()
        starts = np.empty(len(answers), SUBTERRA.dtype)
        after_each(view, answers, starts)
        last_round, weights = int(view["round_number"][0]) + self._rounds, own_weights()

        def playouts(choices: np.ndarray, columns: int) -> np.ndarray:
            utilities = np.empty((len(choices), columns))
            keys = rng.integers(_KEYS, size=columns, dtype=np.uint64)
            if self._threads == 1:
                sample(starts, choices, keys, last_round, weights, utilities)
            else:
                sample_in_parallel(starts, choices, keys, last_round, weights, utilities, self._threads)
            self.simulations += utilities.size
            return utilities

        return halve(len(answers), base, playouts, budget, begun)
