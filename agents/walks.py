"""How far all cavers have to walk to every tile, found for all of them at once, compiled.

A word holds a number a caver, in the byte of its seat: prices, distances. Tiles are laid beside older ones, so a cave
without loops is a tree whose roots come first: going through its steps once backwards and once forwards finds every
distance. Loops take a few turns more.
"""

import numpy as np
from subterra_env.agents.distances import FAR, add

from subterra_env.games.subterra.box.cavers import MOST_CAVERS
from subterra_env.games.subterra.rules.reach import NONE
from subterra_env.games.subterra.state import NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Caver, Kind
from subterra_env.jit import compiled, inlined

SEAT_BITS = 8
EACH = np.uint64(sum(1 << SEAT_BITS * seat for seat in range(MOST_CAVERS)))
"""One for everybody."""
_TOP = EACH << np.uint64(SEAT_BITS - 1)
_TO_BOTTOM = np.uint64(SEAT_BITS - 1)
_BYTE = np.uint64(255)
_ALL_FAR = EACH * np.uint64(FAR)


@inlined
def byte_of(word, seat):
    """A caver's number."""
    return np.int64((word >> np.uint64(SEAT_BITS * seat)) & _BYTE)


@inlined
def ones_of(seat):
    """One for a caver, nothing for the others."""
    return np.uint64(1) << np.uint64(SEAT_BITS * seat)


@inlined
def smaller(first, second):
    """The smaller number of each caver; all are below 128."""
    not_smaller = ((first | _TOP) - second) & _TOP
    chosen = not_smaller - (not_smaller >> _TO_BOTTOM)
    return (second & chosen) | (first & ~chosen)


@compiled
def price_tiles(state, ground, divers, climbers, geologists):
    """What entering each tile costs: swims and squeezes two, rubble three to dig away first, and gas as much.

    ``divers``, ``climbers``, ``geologists``: words with ones for those who have the ability.
    """
    ground.shut[:] = NONE
    ground.rope_prices = EACH + (EACH & ~climbers)
    diggers = EACH & ~(climbers | geologists)
    for slot in range(state.tile_count):
        tile = state.tiles[slot]
        dear, dearest = NONE, NONE
        if tile.flooded:
            dear |= EACH & ~divers
        if tile.kind == Kind.SQUEEZE:
            dear |= EACH & ~climbers
        if tile.kind == Kind.ROUGH_TERRAIN:
            dear |= EACH
        if tile.rubble:
            dear |= geologists
            dearest |= diggers
        if state.gas_out and tile.kind == Kind.GAS:
            dearest |= EACH
        ground.price[slot] = EACH + (dear | dearest) + dearest


@compiled
def price_for(state, ground, who):
    """As `price_tiles`, for everybody what it costs one of the cavers."""
    divers = EACH if who == Caver.DIVER else NONE
    climbers = EACH if who == Caver.CLIMBER else NONE
    geologists = EACH if who == Caver.GEOLOGIST else NONE
    price_tiles(state, ground, divers, climbers, geologists)


@compiled
def shut_horrors_out(state, ground):
    """Nobody walks onto a tile with a horror."""
    for i in range(state.horror_count):
        add(ground.shut, state.horrors[i].slot)
        ground.price[state.horrors[i].slot] = _ALL_FAR


@compiled
def walk_all(state, ground, walkers):
    """Writes the points that each caver of a set of seats needs to walk to every tile, `FAR` at most."""
    for slot in range(SLOTS + 1):
        ground.walks[slot] = _ALL_FAR
    for seat in range(state.caver_count):
        slot = state.cavers[seat].slot
        if (walkers >> seat) & 1 and slot != NOWHERE and byte_of(ground.price[slot], seat) < FAR:
            ground.walks[slot] &= ~(ones_of(seat) * _BYTE)
    step_back(ground)
    changed = ~NONE
    while changed != NONE:
        step_forward(ground)
        changed = step_through_bars(ground)
        if ground.loops > 0 or changed != NONE:
            changed |= step_back(ground)


@inlined
def step_back(ground):
    """Every step from a newer tile onto an older one, the newest first; what has changed."""
    changed = NONE
    for k in range(ground.edges - 1, -1, -1):
        changed |= step(ground, ground.newer[k], ground.older[k], NONE)
    return changed


@inlined
def step_forward(ground):
    """Every step onto a newer tile, the oldest first."""
    for k in range(ground.edges):
        step(ground, ground.older[k], ground.newer[k], NONE)


@compiled
def step_through_bars(ground):
    """Steps that take a rope, and the same way back; what has changed."""
    changed = NONE
    for k in range(ground.bars):
        changed |= step(ground, ground.bar_from[k], ground.bar_to[k], ground.rope_prices)
        if ground.bar_free[k]:
            changed |= step(ground, ground.bar_to[k], ground.bar_from[k], NONE)
    return changed


@inlined
def step(ground, here, there, rope_prices):
    """Goes from a tile to the next where that is a shorter way; what has changed."""
    before = ground.walks[there]
    found = smaller(before, ground.walks[here] + ground.price[there] + rope_prices)
    ground.walks[there] = found
    return found ^ before
