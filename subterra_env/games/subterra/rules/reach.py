"""Distances along connected tiles (rulebook 6.2) as flood fill on sets of slots.

A set of slots is two words: one bit for each slot below 64, and the two slots beyond in ``high`` (bits 0 and 1). Most
games never fill slot 64, so the second word costs a test and no more.
"""

import numpy as np

from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.jit import compiled, lowest_bit

LOW_SLOTS = 64
NONE = np.uint64(0)
_ONE = np.uint64(1)
_BOTH_HIGH = np.uint64(2)


@compiled
def low_bit(slot):
    """The slot as a set: its first word."""
    return _ONE << np.uint64(slot) if slot < LOW_SLOTS else NONE


@compiled
def high_bit(slot):
    """The slot as a set: its second word."""
    return _ONE << np.uint64(slot - LOW_SLOTS) if LOW_SLOTS <= slot < NOWHERE else NONE


@compiled
def neighbours_low(state, low, high):
    """The slots below 64 connected to any of a set."""
    found = NONE
    while low != NONE:
        found |= state.adjacent[lowest_bit(low)]
        low &= low - _ONE
    if high != NONE:
        if high & _ONE:
            found |= state.adjacent[LOW_SLOTS]
        if high & _BOTH_HIGH:
            found |= state.adjacent[LOW_SLOTS + 1]
    return found


@compiled
def neighbours_high(state, low, high):
    """The slots from 64 on connected to any of a set."""
    if state.tile_count <= LOW_SLOTS:
        return NONE
    found = NONE
    if state.adjacent[LOW_SLOTS] & low != NONE:
        found |= _ONE
    if state.adjacent[LOW_SLOTS + 1] & low != NONE:
        found |= _BOTH_HIGH
    if state.last_two_connected:
        found |= ((high & _ONE) << _ONE) | (high >> _ONE)
    return found


@rule("6.2")
def within(state, slot, steps):
    """The set of slots at most so many steps from a tile; walls block, nothing else does."""
    low, high = low_bit(slot), high_bit(slot)
    for _ in range(steps):
        more_low = neighbours_low(state, low, high)
        more_high = neighbours_high(state, low, high)
        low |= more_low
        high |= more_high
    return low, high


@compiled
def contains(low, high, slot):
    """Whether a set holds a slot; never `NOWHERE`."""
    return (low & low_bit(slot)) | (high & high_bit(slot)) != NONE
