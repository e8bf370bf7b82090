"""The hazard cards (rulebook 1.2 after two hand counts, 1.3 after the publisher's rulebook)."""

import numpy as np

from subterra_env.games.subterra.terms import Difficulty, Hazard, word

CARDS = 2 * len(Hazard)
"""Card numbers: twice the hazard, plus one if doubled."""
CARD_NAMES = [word(hazard) + suffix for hazard in Hazard for suffix in ("", " x2")]
NO_CARD = 0
"""What stands in a card's place while none is being resolved."""
CARD_NUMBER = {name: number for number, name in enumerate(CARD_NAMES)}

_POOL = {Difficulty.NORMAL: (5, 0), Difficulty.ADVANCED: (4, 1), Difficulty.EXPERT: (3, 1)}
POOL = np.array([_POOL[difficulty] * len(Hazard) for difficulty in Difficulty], np.int8)
"""Cards of each number in the pool, by difficulty."""

_DEALT = {4: (22, 20, 18), 5: (19, 17, 15), 6: (17, 15, 13)}
_NONE_DEALT = (0, 0, 0)
DEALT = np.array([_DEALT.get(cavers, _NONE_DEALT) for cavers in range(max(_DEALT) + 1)], np.int8)
"""Cards dealt, extra ones apart, by number of cavers and difficulty (1.3)."""


def most_extra_cards(cavers: int, difficulty: Difficulty) -> int:
    """How many extra cards the pool has room for (1.3)."""
    return int(POOL[difficulty].sum() - DEALT[cavers, difficulty])


FLOOD_COSTS, GAS_COSTS, TREMOR_COSTS = 1, 2, 1
CAVE_IN_COSTS, CAVE_IN_COSTS_CAREFUL = 3, 1
FAILED_EFFORT_COSTS = 1
"""Health lost to each hazard (7, 8.4), and to a failed check for exertion or rough terrain (3.3, 4.13)."""
