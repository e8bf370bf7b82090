"""One step of expectation: every answer is followed by each outcome that chance could have next, and evaluated."""

import numpy as np
from subterra_env.agents.base import Budget, RankingAgent
from subterra_env.agents.evaluation import SIGHT, expectation, own_weights
from subterra_env.agents.playouts import after_each

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.engine import OUTCOMES, apply_chance_one, weights_one
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Node
from subterra_env.jit import compiled, entry


class GreedyAgent(RankingAgent):
    """Gives the answer after which the evaluation expects most; looks at nothing beyond the next chance event."""

    def rank(
        self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
    ) -> list[tuple[int, int]]:
        """As `base.Agent.rank`."""
        answers = np.flatnonzero(mask)
        starts, values = np.empty(len(answers), SUBTERRA.dtype), np.empty(len(answers))
        after_each(view, answers, starts)
        expectations(starts, len(answers), own_weights(), values)
        self.simulations += len(answers)
        return [(int(answers[choice]), 1) for choice in np.argsort(-values, kind="stable")]


@compiled
def expectation_over_chance(state, weights, sight, odds, scratch):
    """What a position is worth, where chance is to decide in the mean over its outcomes.

    ``odds``: float64[OUTCOMES] and ``scratch``: STATE[1] are room to work in.
    """
    if state.node != Node.CHANCE:
        return expectation(state, weights, sight)
    weights_one(state, odds)
    total = 0.0
    for outcome in range(OUTCOMES):
        if odds[outcome] > 0:
            scratch[0] = state
            apply_chance_one(scratch[0], outcome)
            total += odds[outcome] * expectation(scratch[0], weights, sight)
    return total


@entry
def expectations(starts, count, weights, values):
    """What the first so many positions are worth; ``values``: float64[count], written."""
    scratch, sight, odds = np.zeros(1, STATE), np.zeros(1, SIGHT), np.zeros(OUTCOMES)
    for i in range(count):
        values[i] = expectation_over_chance(starts[i], weights, sight[0], odds, scratch)
