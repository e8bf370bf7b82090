"""Chapter 5, first part: which tiles are connected, and which sides are barred."""

from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.sides import has, only, opposite
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Kind
from subterra_env.jit import compiled

_PLACES_A_COLUMN = 256


@rule("5.1")
def connected_sides(state, slot):
    """The sides on which the tile shares an edge open on both sides with another tile."""
    return state.tiles[slot].connected


@rule("5.5", "5.6")
def barred_side(state, slot):
    """The sides through which a caver on the tile cannot go: a ledge's far side, a slide's near side, unless roped."""
    tile = state.tiles[slot]
    if tile.rope:
        return 0
    if tile.kind == Kind.LEDGE:
        return only(tile.turns)
    if tile.kind == Kind.SLIDE:
        return only(opposite(tile.turns))
    return 0


@rule("4.2", "5.6")
def ways_out(state, slot):
    """The connected sides through which a caver on the tile can go."""
    return connected_sides(state, slot) & ~barred_side(state, slot)


@rule("4.1", "5.5")
def unexplored_sides(state, slot):
    """The open sides, not barred, that lead to an empty place."""
    tile = state.tiles[slot]
    return tile.open & tile.empty & ~barred_side(state, slot)


@rule("5.7")
def is_exit(state, slot):
    return slot != NOWHERE and slot == state.exit_slot


@compiled
def place_number(x, y):
    """One number for a place, as in the field `places`."""
    return _PLACES_A_COLUMN * int(x) + int(y)


@rule("5.1")
def tile_at(state, x, y):
    """The slot of the tile at a place, `NOWHERE` if none lies there."""
    place = place_number(x, y)
    found = NOWHERE
    for slot in range(NOWHERE):
        if state.places[slot] == place:
            found = slot
    return found


@rule("5.1")
def leads_to(state, slot, side):
    """The slot beyond a side, `NOWHERE` if the place is empty."""
    return state.tiles[slot].beside[side]


@rule("5.1")
def is_connected(state, slot, side):
    return has(state.tiles[slot].connected, side)
