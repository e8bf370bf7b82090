"""How the rules bot lays tiles: which of the tiles at hand, how it is turned, what the scout refuses."""

from subterra_env.agents.situation import find_middle

from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.box.tiles import OPEN_SIDES, QUARTER_TURNS, TILE_KIND
from subterra_env.games.subterra.rules.passages import tile_at
from subterra_env.games.subterra.rules.sides import EAST_OF, NORTH_OF, has, opposite
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Side
from subterra_env.jit import compiled

_SIDES = len(Side)
_WORST = -1e9


@compiled
def worth_of_opening(state, now):
    """An open side is worth the more, the fewer there are."""
    return now.weights.opening * (1 + now.weights.scarce / (1 + state.frontier))


@compiled
def worth_of_laying(state, now, tile, turns, x, y):
    """What a tile, so turned, makes of the cave."""
    open_sides = OPEN_SIDES[tile, turns]
    opening = worth_of_opening(state, now)
    worth = -now.weights.trouble[TILE_KIND[tile]]
    for side in range(_SIDES):
        there_x, there_y = x + EAST_OF[side], y + NORTH_OF[side]
        neighbour = tile_at(state, there_x, there_y)
        if neighbour == NOWHERE:
            if has(open_sides, side):
                outwards = abs(there_x - now.middle_x) + abs(there_y - now.middle_y)
                worth += opening - now.weights.outwards * outwards
        elif has(state.tiles[neighbour].open, opposite(side)):
            worth += now.weights.link if has(open_sides, side) else -now.weights.walled_off * opening
    return worth


@compiled
def lay(state, now):
    """The answer to a `place` question."""
    find_middle(state, now)
    here = state.tiles[state.cavers[state.actor].slot]
    x, y = here.x + EAST_OF[state.side], here.y + NORTH_OF[state.side]
    best, chosen = _WORST, a.PLACE_DRAWN
    for turns in range(QUARTER_TURNS):
        if is_legal(state, a.PLACE_DRAWN + turns):
            worth = worth_of_laying(state, now, state.drawn, turns, x, y)
            if worth > best:
                best, chosen = worth, a.PLACE_DRAWN + turns
        if is_legal(state, a.PLACE_RESERVE + turns):
            worth = worth_of_laying(state, now, state.reserve, turns, x, y)
            if worth > best:
                best, chosen = worth, a.PLACE_RESERVE + turns
    if best < now.weights.refuse and is_legal(state, a.DISCARD):
        return a.DISCARD
    return chosen
