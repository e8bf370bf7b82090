"""How the rules bot walks: the next action of a way to somewhere."""

from subterra_env.agents.distances import entry_price
from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.box.cavers import RUN_MOVES, SPRINT_MOVES
from subterra_env.games.subterra.rules.passages import leads_to
from subterra_env.games.subterra.rules.reach import NONE, low_bit
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Side
from subterra_env.jit import compiled

_SIDES = len(Side)
NO_ACTION = a.WAIT


@compiled
def can_step(state, now, slot, beyond):
    """Whether the way from a tile to one beside it is not barred."""
    if beyond == NOWHERE:
        return False
    if beyond < 64:
        return now.ways[slot] & low_bit(beyond) != NONE
    if slot < 64:
        return now.back[beyond] & low_bit(slot) != NONE
    return state.last_two_connected == 1


@compiled
def find_path(state, now, goal):
    """Writes the slots of a shortest way to a tile in reach into ``now.path``; how many there are."""
    length, slot = 0, goal
    while slot != now.place:
        now.path[length] = slot
        length += 1
        before = now.walk[slot] - entry_price(now, slot)
        for side in range(_SIDES):
            previous = leads_to(state, slot, side)
            if previous != NOWHERE and now.walk[previous] == before and can_step(state, now, previous, slot):
                slot = previous
                break
    return length


@compiled
def side_towards(state, slot, beyond):
    for side in range(_SIDES):
        if leads_to(state, slot, side) == beyond:
            return side
    return 0


@compiled
def plain_steps(now, length):
    """How many steps of the way just found are plain moves, from its beginning on."""
    count = 0
    while count < length and entry_price(now, now.path[length - 1 - count]) == 1:
        count += 1
    return count


@compiled
def walk_towards(state, now, goal):
    """The first action of a shortest way to a tile, `NO_ACTION` if there is none for the points left."""
    length = find_path(state, now, goal)
    if length == 0:
        return NO_ACTION
    side = side_towards(state, now.place, now.path[length - 1])
    plain = plain_steps(now, length)
    if plain >= SPRINT_MOVES and is_legal(state, a.SPRINT + side):
        return a.SPRINT + side
    if plain >= 3 and is_legal(state, a.RUN + side):
        return a.RUN + side
    for block in (a.MOVE, a.SQUEEZE, a.SWIM, a.DIG):
        if is_legal(state, block + side):
            return block + side
    return NO_ACTION
