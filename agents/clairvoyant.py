"""A reference that knows what no player knows: how much the hidden luck is worth to a team that could see it."""

import numpy as np
from subterra_env.agents.base import AgentError
from subterra_env.agents.evaluation import SIGHT, expectation, own_weights
from subterra_env.agents.playouts import TO_THE_END
from subterra_env.agents.rollout import Choices, RolloutAgent
from subterra_env.agents.rules_bot import rules_action_one

from subterra_env.games.subterra.engine import apply_chance_one, apply_one
from subterra_env.games.subterra.luck import lucky_outcome
from subterra_env.games.subterra.rules.health import is_over
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Chance, Node
from subterra_env.jit import compiled, entry

KNOWS = {
    "stack": 1 << Chance.TILE,
    "deck": 1 << Chance.HAZARD,
    "dice": 1 << Chance.DIE,
    "all": 1 << Chance.TILE | 1 << Chance.HAZARD | 1 << Chance.DIE,
}
"""What can be known, as sets of kinds of chance events."""


class ClairvoyantAgent(RolloutAgent):
    """Rollouts to the end of the game that know the stack, the deck, the dice, or all."""

    REFERENCE = True
    SEES_LUCK = True

    def __init__(self, knows: str = "all", sims: int = 200, rounds: int = TO_THE_END, sure: float = 0.0) -> None:
        """As `RolloutAgent`; ``knows``: one of `KNOWS`. It is shown the luck key. Raises `AgentError`."""
        super().__init__(sims, rounds, sure)
        if knows not in KNOWS:
            raise AgentError(f"clairvoyant: knows={knows}; there are {', '.join(KNOWS)}")
        self._knows = KNOWS[knows]

    def _sample(self, choices: Choices, alive: np.ndarray, keys: np.ndarray, last_round: int) -> np.ndarray:
        imagined = keys[:1] if self._knows == KNOWS["all"] else keys  # nothing is left that could differ
        utilities = np.empty((len(alive), len(imagined)))
        compared, weights = choices.compared[alive], own_weights()
        sample_knowing(choices.starts, compared, imagined, self._knows, last_round, weights, utilities)
        return np.broadcast_to(utilities, (len(alive), len(keys)))


@compiled
def play_on_knowing(state, imagined, knows, last_round):
    """The rules bot plays on; the kinds of chance that are known come as they will, the others as imagined."""
    known = state.luck
    while not is_over(state) and state.round_number <= last_round:
        if state.node == Node.CHANCE:
            state.luck = known if (knows >> state.chance) & 1 else imagined
            apply_chance_one(state, lucky_outcome(state))
        else:
            apply_one(state, rules_action_one(state))


@entry
def sample_knowing(starts, choices, keys, knows, last_round, weights, utilities):
    """As `playouts.sample`; ``starts`` carry the luck of the game, of which the kinds ``knows`` are known."""
    scratch, sight = np.zeros(1, STATE), np.zeros(1, SIGHT)
    for k in range(len(keys)):
        for i in range(len(choices)):
            scratch[0] = starts[choices[i]]
            play_on_knowing(scratch[0], keys[k], knows, last_round)
            utilities[i, k] = expectation(scratch[0], weights, sight[0])
