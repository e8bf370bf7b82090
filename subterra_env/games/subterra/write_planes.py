"""Writes the ``planes`` observation."""

import numpy as np

from subterra_env.games.subterra.box.cavers import MOST_CAVERS, MOST_HORRORS, RUN_MOVES
from subterra_env.games.subterra.box.tiles import NO_TILE, TILE_KIND
from subterra_env.games.subterra.flat import MOST_HURT
from subterra_env.games.subterra.measures import HORROR_NEARNESS, NEARNESS, cave_in_chance
from subterra_env.games.subterra.planes import (
    MOST_CARDS,
    MOST_HEALTH,
    MOST_POINTS,
    PLANES,
    RADIUS,
    STACK_PLACES,
    WIDTH,
)
from subterra_env.games.subterra.rules.passages import barred_side
from subterra_env.games.subterra.rules.sides import EAST_OF, NORTH_OF
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Kind, Question, Side
from subterra_env.jit import compiled

_SIDES = len(Side)
_START_SLOT = 0
_FIRST_KIND, _FIRST_QUESTION = int(Kind.START), int(Question.TURN)
_ONE_CAVER, _ONE_HORROR = np.float32(1 / MOST_CAVERS), np.float32(1 / MOST_HORRORS)
(
    _LIES,
    _BEING_LAID,
    _KIND,
    _OPEN,
    _CONNECTED,
    _UNEXPLORED,
    _BARRED,
    _FLOODED,
    _RUBBLE,
    _ROPE,
    _CAVE_IN,
) = PLANES.columns("tile")
_ME, _CAVERS, _CONSCIOUS, _HURT, _HORRORS = PLANES.columns("beings")
_NEAR_ME, _EXIT_NEAR, _FRONTIER_NEAR, _HORROR_NEAR = PLANES.columns("steps")
(
    _QUESTION,
    _ASKED,
    _HEALTH,
    _POINTS,
    _EXERTED,
    _MOVES_LEFT,
    _GAS_OUT,
    _CARDS_LEFT,
    _PLACES_LEFT,
    _EXIT_IN_STACK,
) = PLANES.columns("everywhere")


@compiled
def middle(state, eyes):
    """The slot of the middle cell."""
    caver = state.cavers[eyes]
    if caver.slot != NOWHERE:
        return caver.slot
    return caver.dived_from if caver.dived_from != NOWHERE else _START_SLOT


@compiled
def column_of(state, centre, slot):
    return RADIUS + int(state.tiles[slot].x) - int(state.tiles[centre].x)


@compiled
def row_of(state, centre, slot):
    return RADIUS - int(state.tiles[slot].y) + int(state.tiles[centre].y)


@compiled
def is_inside(row, column):
    return 0 <= row < WIDTH and 0 <= column < WIDTH


@compiled
def write_sides(planes, at, sides, row, column):
    """Four channels for a set of sides."""
    for side in range(_SIDES):
        planes[at + side, row, column] = (sides >> side) & 1


@compiled
def write_tile(state, slot, planes, row, column):
    tile = state.tiles[slot]
    planes[_LIES, row, column] = 1.0
    planes[_KIND + int(tile.kind) - _FIRST_KIND, row, column] = 1.0
    write_sides(planes, _OPEN, tile.open, row, column)
    write_sides(planes, _CONNECTED, tile.connected, row, column)
    write_sides(planes, _UNEXPLORED, tile.open & tile.empty, row, column)
    write_sides(planes, _BARRED, barred_side(state, slot), row, column)
    planes[_FLOODED, row, column] = tile.flooded
    planes[_RUBBLE, row, column] = tile.rubble
    planes[_ROPE, row, column] = tile.rope
    planes[_CAVE_IN, row, column] = cave_in_chance(tile)


@compiled
def write_steps(slot, measures, planes, row, column):
    planes[_NEAR_ME, row, column] = NEARNESS[measures.from_me[slot]]
    planes[_EXIT_NEAR, row, column] = NEARNESS[measures.from_exit[slot]]
    planes[_FRONTIER_NEAR, row, column] = NEARNESS[measures.from_frontier[slot]]
    planes[_HORROR_NEAR, row, column] = HORROR_NEARNESS[measures.from_horrors[slot]]


@compiled
def write_cave(state, centre, measures, planes):
    for slot in range(state.tile_count):
        row, column = row_of(state, centre, slot), column_of(state, centre, slot)
        if is_inside(row, column):
            write_tile(state, slot, planes, row, column)
            write_steps(slot, measures, planes, row, column)
            planes[_HURT, row, column] = min(measures.hurt[slot], MOST_HURT) / MOST_HURT


@compiled
def write_beings(state, eyes, centre, measures, planes):
    for seat in range(state.caver_count):
        slot = state.cavers[seat].slot
        row, column = row_of(state, centre, slot), column_of(state, centre, slot)
        if slot != NOWHERE and is_inside(row, column):
            planes[_CAVERS, row, column] += _ONE_CAVER
            if (measures.conscious >> seat) & 1:
                planes[_CONSCIOUS, row, column] += _ONE_CAVER
            if seat == eyes:
                planes[_ME, row, column] = 1.0
    for i in range(state.horror_count):
        slot = state.horrors[i].slot
        row, column = row_of(state, centre, slot), column_of(state, centre, slot)
        if is_inside(row, column):
            planes[_HORRORS, row, column] += _ONE_HORROR


@compiled
def write_laying(state, centre, planes):
    """The drawn tile, where it will lie."""
    if state.question == Question.PLACE:
        slot = state.cavers[state.actor].slot
        row = row_of(state, centre, slot) - NORTH_OF[state.side]
        column = column_of(state, centre, slot) + EAST_OF[state.side]
        if is_inside(row, column):
            planes[_BEING_LAID, row, column] = 1.0
            if state.drawn != NO_TILE:
                planes[_KIND + int(TILE_KIND[state.drawn]) - _FIRST_KIND, row, column] = 1.0


@compiled
def fill(planes, channel, value):
    for row in range(WIDTH):
        for column in range(WIDTH):
            planes[channel, row, column] = value


@compiled
def write_everywhere(state, eyes, planes):
    if state.question >= _FIRST_QUESTION:
        fill(planes, _QUESTION + int(state.question) - _FIRST_QUESTION, 1.0)
    fill(planes, _ASKED, np.float64(state.asked == eyes))
    fill(planes, _HEALTH, state.cavers[eyes].health / MOST_HEALTH)
    fill(planes, _POINTS, state.points / MOST_POINTS)
    fill(planes, _EXERTED, np.float64(state.exerted))
    fill(planes, _MOVES_LEFT, state.moves_left / RUN_MOVES if state.question == Question.RUN else 0.0)
    fill(planes, _GAS_OUT, np.float64(state.gas_out))
    fill(planes, _CARDS_LEFT, state.cards_left / MOST_CARDS)
    fill(planes, _PLACES_LEFT, state.places_left / STACK_PLACES)
    fill(planes, _EXIT_IN_STACK, np.float64(state.exit_in_stack))


@compiled
def write_planes(state, eyes, planes, measures):
    """The cave around a caver; ``planes``: float32 of shape (channels, WIDTH, WIDTH)."""
    planes[:] = np.float32(0.0)
    centre = middle(state, eyes)
    write_cave(state, centre, measures, planes)
    write_beings(state, eyes, centre, measures, planes)
    write_laying(state, centre, planes)
    write_everywhere(state, eyes, planes)
