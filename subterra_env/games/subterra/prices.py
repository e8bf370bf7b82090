"""What actions cost whom (rulebook 4, 8 and 10), as words of action bits a caver."""

import numpy as np

from subterra_env.games.subterra import actions
from subterra_env.games.subterra.box.cavers import HEAL_PRICE, HIDE_PRICE, ROPE_PRICE, RUN_PRICE
from subterra_env.games.subterra.terms import Caver, RuleSet

_TURN_IDS = 64


def _price(rules: RuleSet, who: Caver, action: int) -> int:
    """Action points; 0 for what costs none and for what is no answer to `turn`."""
    verb = actions.block_of(action).verb
    match verb:
        case "reveal" | "move" | "explore" | "sprint" | "repel" | "direct":
            return 1
        case "swim" | "squeeze" | "demolish" | "dive":
            return 2
        case "run":
            return int(RUN_PRICE[rules])
        case "dig" | "dig here":
            return 1 if who == Caver.GEOLOGIST else 2
        case "place rope":
            return 1 if who == Caver.CLIMBER else int(ROPE_PRICE[rules])
        case "hide":
            return int(HIDE_PRICE[rules])
        case "heal":
            first_aid = who == Caver.MEDIC and action != actions.HEAL + who
            return 1 if first_aid else int(HEAL_PRICE[rules])
        case _:
            return 0


PRICE = np.array(
    [[[_price(rules, who, action) for action in range(_TURN_IDS)] for who in Caver] for rules in RuleSet], np.int8
)
"""By rule set, caver and action id."""


def _costing(points: int) -> np.ndarray:
    bits = np.uint64(1) << np.arange(_TURN_IDS, dtype=np.uint64)
    words: np.ndarray = np.where(points == PRICE, bits, np.uint64(0)).sum(axis=2, dtype=np.uint64)
    return words


FOR_ONE = _costing(1)
FOR_TWO = _costing(2)
"""The action ids that cost one and two points, as bits, by rule set and caver."""
