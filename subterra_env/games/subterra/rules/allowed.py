"""Chapter 4, and the abilities of chapter 8 that are actions: what a caver may do where it stands.

Actions that name a side answer with a set of sides, the others with yes or no. Prices are in `prices`.
"""

from subterra_env.games.subterra.box.cavers import HEALTH
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.health import conscious_are_out, horror_on, is_conscious, is_on_exit
from subterra_env.games.subterra.rules.passages import unexplored_sides, ways_out
from subterra_env.games.subterra.rules.placing import has_a_tile_to_lay
from subterra_env.games.subterra.rules.sides import ALL_SIDES, only
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Kind, Side
from subterra_env.jit import compiled

_SIDES = len(Side)


@compiled
def tile_under(state, seat):
    return state.tiles[state.cavers[seat].slot]


@compiled
def flooded_sides(state, slot):
    """The sides beyond which a flooded tile lies."""
    beside = state.tiles[slot].beside
    found = 0
    for side in range(_SIDES):
        found |= state.tiles[beside[side]].flooded << side
    return found


@compiled
def rubble_sides(state, slot):
    """The sides beyond which a tile with rubble lies."""
    beside = state.tiles[slot].beside
    found = 0
    for side in range(_SIDES):
        found |= state.tiles[beside[side]].rubble << side
    return found


@compiled
def squeeze_sides(state, slot):
    """The sides beyond which a squeeze lies."""
    beside = state.tiles[slot].beside
    found = 0
    for side in range(_SIDES):
        found |= (state.tiles[beside[side]].kind == Kind.SQUEEZE) << side
    return found


@rule("4.1", "4.3")
def may_reveal(state, seat):
    """The sides on which the caver may reveal or explore."""
    if not has_a_tile_to_lay(state, seat):
        return 0
    return unexplored_sides(state, state.cavers[seat].slot)


@rule("4.2", "8.1", "8.5")
def may_move(state, seat):
    """The sides to which a plain move leads: a diver swims for free, a climber is at home in rubble and squeezes."""
    slot = state.cavers[seat].slot
    who = state.cavers[seat].who
    blocked = 0
    if who != Caver.DIVER:
        blocked |= flooded_sides(state, slot)
    if who != Caver.CLIMBER:
        blocked |= rubble_sides(state, slot) | squeeze_sides(state, slot)
    return ways_out(state, slot) & ~blocked


@rule("4.6", "8.1")
def may_swim(state, seat):
    """The sides to which the caver may swim; not where a plain move leads."""
    if state.cavers[seat].who == Caver.DIVER:
        return 0
    slot = state.cavers[seat].slot
    return ways_out(state, slot) & flooded_sides(state, slot)


@rule("4.7", "8.5")
def may_squeeze(state, seat):
    """The sides to which the caver may squeeze; not where a plain move leads."""
    if state.cavers[seat].who == Caver.CLIMBER:
        return 0
    slot = state.cavers[seat].slot
    return ways_out(state, slot) & squeeze_sides(state, slot)


@rule("4.8", "5.6")
def may_dig(state, seat):
    """The sides on which the caver may remove rubble."""
    slot = state.cavers[seat].slot
    return ways_out(state, slot) & rubble_sides(state, slot)


@rule("4.8")
def may_dig_here(state, seat):
    return tile_under(state, seat).rubble == 1


@rule("4.5", "8.1")
def may_heal(state, seat, other):
    """Itself or a caver on its tile, not at full health."""
    patient = state.cavers[other]
    here = patient.slot == state.cavers[seat].slot
    return here and patient.health < HEALTH[patient.who]


@rule("4.9", "8.5")
def may_place_rope(state, seat):
    tile = tile_under(state, seat)
    return (tile.kind == Kind.LEDGE or tile.kind == Kind.SLIDE) and not tile.rope


@rule("4.10")
def may_hide(state, seat):
    return not state.cavers[seat].hidden and not is_on_exit(state, seat)


@rule("4.12")
def may_leave(state):
    """Every conscious caver is on the exit while others lie elsewhere (if nobody did, the game would be over)."""
    return conscious_are_out(state)


@rule("8.1")
def may_dive(state, seat):
    return state.cavers[seat].who == Caver.DIVER and tile_under(state, seat).kind == Kind.WATER


@rule("8.4", "5.6")
def may_demolish(state, seat):
    """The sides on which the engineer may open a wall: not connected there, and a wall is there to open."""
    if state.cavers[seat].who != Caver.ENGINEER or state.explosives_left == 0:
        return 0
    tile = tile_under(state, seat)
    nothing_to_open = tile.open & tile.empty
    return ALL_SIDES & ~tile.connected & ~nothing_to_open


@rule("8.7", "5.6")
def may_repel(state, seat):
    """The connected sides beyond which a horror stands."""
    if state.cavers[seat].who != Caver.BODYGUARD or state.horror_count == 0:
        return 0
    tile = tile_under(state, seat)
    found = 0
    for side in range(_SIDES):
        if tile.beside[side] != NOWHERE and horror_on(state, tile.beside[side]):
            found |= only(side)
    return found & tile.connected


@rule("8.8")
def may_be_directed(state, other):
    """A conscious caver on the board other than the leader; that it has an action for one point is looked at apart."""
    on_board = state.cavers[other].slot != NOWHERE
    return on_board and is_conscious(state, other) and state.cavers[other].who != Caver.LEADER
