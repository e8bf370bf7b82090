"""Sides and sets of sides: a set is four bits, bit s for side s."""

import numpy as np

from subterra_env.games.subterra.terms import Side
from subterra_env.jit import compiled

EAST_OF = np.array([0, 1, 0, -1], np.int8)
NORTH_OF = np.array([1, 0, -1, 0], np.int8)
HOW_MANY = np.array([bin(sides).count("1") for sides in range(16)], np.int8)
ALL_SIDES = 0b1111
_SIDES = len(Side)


@compiled
def opposite(side):
    return (side + 2) % _SIDES


@compiled
def has(sides, side):
    return (sides >> side) & 1 == 1


@compiled
def only(side):
    """The set of one side."""
    return 1 << side
