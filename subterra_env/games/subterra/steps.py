"""Distances from a set of tiles to every tile, for observations (the rules ask for single distances, `rules.reach`)."""

import numpy as np

from subterra_env.games.subterra.rules.reach import LOW_SLOTS, NONE, high_bit, low_bit, neighbours_high
from subterra_env.jit import compiled, lowest_bit, wrapping

NO_WAY = 127
"""Steps to a tile that cannot be reached, and to no tile."""
DISTANCES = NO_WAY + 1
_ONE = np.uint64(1)
_TWO = np.uint64(2)


@wrapping
def without_lowest(word):
    """A set without its lowest bit; the empty set stays empty."""
    return word & (word - _ONE)


@compiled
def steps_from(state, low, high, most, steps):
    """Writes the connected steps from the nearest of a set of slots; ``steps``: int8, one a slot and `NOWHERE`.

    Tiles more than ``most`` steps away count as out of reach. Slots are taken three at a time, one of them again if
    fewer are left: branches that depend on how many there are would cost more.
    """
    steps[:] = NO_WAY
    seen_low, seen_high = low, high
    distance = 0
    while low | high != NONE and distance <= most:
        found_high = neighbours_high(state, low, high)
        found_low = NONE
        while low != NONE:
            one = lowest_bit(low)
            low = without_lowest(low)
            two = lowest_bit(low) if low != NONE else one
            low = without_lowest(low)
            three = lowest_bit(low) if low != NONE else one
            low = without_lowest(low)
            steps[one] = distance
            steps[two] = distance
            steps[three] = distance
            found_low |= state.adjacent[one] | state.adjacent[two] | state.adjacent[three]
        if high != NONE:
            found_low |= reach_last_two(state, high, distance, steps)
        low = found_low & ~seen_low
        high = found_high & ~seen_high
        seen_low |= found_low
        seen_high |= found_high
        distance += 1


@compiled
def reach_last_two(state, high, distance, steps):
    """Writes the steps to those of the last two slots that a set holds; the slots below connected to them."""
    found = NONE
    if high & _ONE:
        steps[LOW_SLOTS] = distance
        found |= state.adjacent[LOW_SLOTS]
    if high & _TWO:
        steps[LOW_SLOTS + 1] = distance
        found |= state.adjacent[LOW_SLOTS + 1]
    return found


@compiled
def frontier_slots(state):
    """The set of tiles with an open side to an empty place."""
    low, high = NONE, NONE
    for slot in range(min(state.tile_count, LOW_SLOTS)):
        low |= np.uint64(state.tiles[slot].open & state.tiles[slot].empty != 0) << np.uint64(slot)
    for slot in range(LOW_SLOTS, state.tile_count):
        if state.tiles[slot].open & state.tiles[slot].empty:
            high |= high_bit(slot)
    return low, high


@compiled
def horror_slots(state):
    """The set of tiles with a horror."""
    low, high = NONE, NONE
    for i in range(state.horror_count):
        low |= low_bit(state.horrors[i].slot)
        high |= high_bit(state.horrors[i].slot)
    return low, high


def nearness(reach: int) -> np.ndarray:
    """Table from steps to 1 for none, less by 1 / ``reach`` for each step, 0 from ``reach`` on; float32."""
    return np.maximum(0, 1 - np.arange(DISTANCES) / reach).astype(np.float32)
