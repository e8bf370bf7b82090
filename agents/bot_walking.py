"""How the rules bot walks: the next action of a way to somewhere."""

from subterra_env.agents.distances import entry_price

from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.box.cavers import SPRINT_MOVES
from subterra_env.games.subterra.rules.passages import barred_side, leads_to
from subterra_env.games.subterra.rules.sides import has, opposite
from subterra_env.games.subterra.terms import Side
from subterra_env.jit import compiled

_SIDES = len(Side)
NO_ACTION = a.WAIT


@compiled
def step_price(state, now, slot, side):
    """Points for the step from a tile to the connected one on a side, with the rope if it is barred."""
    price = entry_price(now, leads_to(state, slot, side))
    return price + now.rope_price if has(barred_side(state, slot), side) else price


@compiled
def find_path(state, now, goal):
    """Writes the slots of a shortest way to a tile in reach into ``now.path``; how many there are."""
    length, slot = 0, goal
    while slot != now.place:
        now.path[length] = slot
        length += 1
        slot = slot_before(state, now, slot)
    return length


@compiled
def slot_before(state, now, slot):
    """The last tile but one of a shortest way to a tile in reach."""
    for side in range(_SIDES):
        previous = leads_to(state, slot, side)
        leads = has(state.tiles[slot].connected, side)
        if leads and now.walk[previous] + step_price(state, now, previous, opposite(side)) == now.walk[slot]:
            return previous
    return now.place


@compiled
def side_towards(state, slot, beyond):
    for side in range(_SIDES):
        if leads_to(state, slot, side) == beyond:
            return side
    return 0


@compiled
def plain_steps(state, now, length):
    """How many steps of the way just found are plain moves, from its beginning on."""
    count, slot = 0, now.place
    while count < length:
        beyond = now.path[length - 1 - count]
        if step_price(state, now, slot, side_towards(state, slot, beyond)) > 1:
            break
        slot = beyond
        count += 1
    return count


@compiled
def walk_towards(state, now, goal):
    """The first action of a shortest way to a tile, `NO_ACTION` if there is none for the points left."""
    length = find_path(state, now, goal)
    if length == 0:
        return NO_ACTION
    side = side_towards(state, now.place, now.path[length - 1])
    if has(barred_side(state, now.place), side):
        return a.PLACE_ROPE if is_legal(state, a.PLACE_ROPE) else NO_ACTION
    plain = plain_steps(state, now, length)
    if plain >= SPRINT_MOVES and is_legal(state, a.SPRINT + side):
        return a.SPRINT + side
    if plain >= 3 and is_legal(state, a.RUN + side):
        return a.RUN + side
    for block in (a.MOVE, a.SQUEEZE, a.SWIM, a.DIG):
        if is_legal(state, block + side):
            return block + side
    return NO_ACTION
