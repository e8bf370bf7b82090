"""Writes what the ``flat`` observation says of the turn, the team, stack, deck and cave, and the tile being laid."""

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.hazards import CARDS
from subterra_env.games.subterra.box.tiles import (
    LAST_PLACES,
    MOST_CAVE_IN,
    MOST_HORROR_TILES,
    MOST_WATER,
    NO_TILE,
    OPEN_SIDES,
    QUARTER_TURNS,
    TILE_KIND,
    TILE_SHAPE,
    TILE_TYPES,
)
from subterra_env.games.subterra.flat import (
    CAVE_IN_SHAPES,
    FLAT,
    MOST_CARDS,
    MOST_FRONTIER,
    MOST_POINTS,
    MOST_WAYS_ON,
    PLACES_BEFORE_LAST,
    PLAIN_TYPES,
    STACK_PLACES,
)
from subterra_env.games.subterra.luck import exit_is_due
from subterra_env.games.subterra.measures import (
    HIT_CHANCE,
    NEARNESS,
    SEATS_IN,
    cave_in_chance,
    write_kind,
    write_one,
)
from subterra_env.games.subterra.rules.passages import tile_at
from subterra_env.games.subterra.rules.sides import EAST_OF, HOW_MANY, NORTH_OF, has, only, opposite
from subterra_env.games.subterra.state import NOBODY, NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Caver, HorrorChoices, Kind, OutOfTime, Question, Side
from subterra_env.jit import compiled

_SIDES = len(Side)
_TEES, _CORNERS = (
    tuple(number for number, tile in enumerate(TILE_TYPES) if tile.numbers and tile.shape == shape)
    for shape in CAVE_IN_SHAPES
)
_FIRST_PLAIN, _PLAIN = PLAIN_TYPES[0], len(PLAIN_TYPES)
_PER_CAVER, _PER_CARD, _PER_PLACE, _PER_SLOT = 1 / MOST_CAVERS, 1 / MOST_CARDS, 1 / STACK_PLACES, 1 / SLOTS
_PER_EARLY_PLACE, _PER_POINT, _PER_MOVE = 1 / PLACES_BEFORE_LAST, 1 / MOST_POINTS, 1 / RUN_MOVES
_PER_GUIDE, _PER_EXPLOSIVE, _PER_OPEN_SIDE = 1 / GUIDES, 1 / EXPLOSIVES, 1 / MOST_FRONTIER
_PER_WATER, _PER_CAVE_IN, _PER_HORROR_TILE = 1 / MOST_WATER, 1 / MOST_CAVE_IN, 1 / MOST_HORROR_TILES
_PER_HORROR, _PER_WAY_ON, _PER_SIDE = 1 / MOST_HORRORS, 1 / MOST_WAYS_ON, 1 / _SIDES

(
    _POINTS,
    _EXERTED,
    _DIRECTED,
    _HID,
    _EXPLORING,
    _GUIDED,
    _MOVES_LEFT,
    _TURNS_TO_COME,
    _QUESTION,
    _ASKED,
) = FLAT.columns("turn")
(
    _SEATS,
    _CONSCIOUS,
    _UNCONSCIOUS,
    _LOST,
    _OUT,
    _EXIT_NEAR,
    _EXIT_FARTHEST,
    _FRONTIER_NEAREST,
    _EXPOSED,
    _TREMOR,
    _FLOOD,
    _GAS,
    _CAVE_IN,
) = FLAT.columns("team")
(
    _UNSEEN,
    _PLACES_LEFT,
    _BEFORE_LAST,
    _EXIT_IN_STACK,
    _EXIT_CHANCE,
    _EXIT_LIES,
    _GUIDES_LEFT,
    _EXPLOSIVES_LEFT,
) = FLAT.columns("stack")
_RESERVE_KIND, _RESERVE_SHAPE = FLAT.columns("reserve")
_UNSEEN_CARDS, _CARDS_LEFT, _OUT_OF_TIME, _GAS_OUT, _PACE = FLAT.columns("deck")
(
    _TILES,
    _FRONTIER,
    _DRY_WATER,
    _FLOODED_TILES,
    _CAVE_IN_TILES,
    _RUBBLE_TILES,
    _HORROR_TILES,
    _HORRORS,
) = FLAT.columns("cave")
_RULES, _DIFFICULTY, _PASSED_BY, _HORRORS_CHOOSE, _CARD_RULE, _STOP_WHEN_OUT = FLAT.columns("table")
_DRAWN_KIND, _DRAWN_SHAPE, _DRAWN_CAVE_IN, _LAYING_SIDE = FLAT.columns("drawn")
_DRAWN_MAY, _DRAWN_OPENS, _DRAWN_CONNECTS = FLAT.columns("lay drawn")
_LAY_DRAWN_WIDTH = FLAT.section("lay drawn").width
_RESERVE_MAY, _RESERVE_OPENS = FLAT.columns("lay reserve")
_LAY_RESERVE_WIDTH = FLAT.section("lay reserve").width


@compiled
def write_turn(state, eyes, row):
    row[_POINTS] = state.points * _PER_POINT
    row[_EXERTED] = state.exerted
    row[_DIRECTED] = state.directed
    row[_HID] = state.hid
    row[_EXPLORING] = state.exploring
    row[_GUIDED] = state.guided
    row[_MOVES_LEFT] = state.moves_left * _PER_MOVE if state.question == Question.RUN else 0.0
    write_one(row, _QUESTION, state.question)
    if state.asked != NOBODY:
        write_one(row, _ASKED, (state.asked - eyes) % state.caver_count)


@compiled
def write_team(state, measures, row):
    """Counts of the cavers by what has become of them, and how far they are from where they want to be."""
    lost = 0
    exit_near, exit_farthest, frontier_nearest = 0.0, 1.0, 0.0
    for seat in range(MOST_CAVERS):
        slot = state.cavers[seat].slot
        lost += state.cavers[seat].lost
        to_exit = NEARNESS[measures.from_exit[slot]]
        exit_near += to_exit
        if (measures.conscious >> seat) & 1:
            exit_farthest = min(exit_farthest, to_exit)
            frontier_nearest = max(frontier_nearest, NEARNESS[measures.from_frontier[slot]])
    conscious = SEATS_IN[measures.conscious]
    row[_SEATS] = state.caver_count * _PER_CAVER
    row[_CONSCIOUS] = conscious * _PER_CAVER
    row[_UNCONSCIOUS] = (state.caver_count - conscious - lost) * _PER_CAVER
    row[_LOST] = lost * _PER_CAVER
    row[_OUT] = SEATS_IN[measures.out] * _PER_CAVER
    row[_EXIT_NEAR] = exit_near / state.caver_count
    row[_EXIT_FARTHEST] = exit_farthest
    row[_FRONTIER_NEAREST] = frontier_nearest
    row[_EXPOSED] = SEATS_IN[measures.exposed] * _PER_CAVER
    row[_TURNS_TO_COME] = SEATS_IN[measures.to_come] * _PER_CAVER
    write_pace(state, conscious, row)


@compiled
def write_pace(state, conscious, row):
    """Tiles to be laid for each action point that is left to lay them."""
    points = TURN_POINTS * conscious * (state.cards_left + 1)
    row[_PACE] = min(1.0, state.places_left / points) if points > 0 else 1.0


@compiled
def write_dangers(state, measures, row):
    """Whom the next hazard would strike."""
    flood, gas, cave_in = 0, 0, 0.0
    for seat in range(MOST_CAVERS):
        caver = state.cavers[seat]
        tile = state.tiles[caver.slot]
        open_to_harm = 1 - ((measures.guarded >> seat) & 1)
        amphibious = (caver.who == Caver.DIVER) & (measures.conscious >> seat)
        flood += (tile.kind == Kind.WATER) & ~amphibious & open_to_harm
        gas += (tile.kind == Kind.GAS) & open_to_harm
        cave_in += cave_in_chance(tile) * open_to_harm
    row[_TREMOR] = SEATS_IN[measures.conscious & ~measures.out & ~measures.guarded] * _PER_CAVER
    row[_FLOOD] = flood * _PER_CAVER
    row[_GAS] = gas * _PER_CAVER
    row[_CAVE_IN] = cave_in * _PER_CAVER


@compiled
def write_stack(state, row):
    write_unseen(state, row)
    row[_PLACES_LEFT] = state.places_left * _PER_PLACE
    row[_BEFORE_LAST] = max(0, state.places_left - LAST_PLACES) * _PER_EARLY_PLACE
    row[_EXIT_IN_STACK] = state.exit_in_stack
    row[_EXIT_CHANCE] = 1 / state.places_left if exit_is_due(state) else 0.0
    row[_EXIT_LIES] = state.exit_slot != NOWHERE
    row[_GUIDES_LEFT] = state.guides_left * _PER_GUIDE
    row[_EXPLOSIVES_LEFT] = state.explosives_left * _PER_EXPLOSIVE
    if state.reserve != NO_TILE:
        write_kind(row, _RESERVE_KIND, TILE_KIND[state.reserve])
        write_one(row, _RESERVE_SHAPE, TILE_SHAPE[state.reserve])


@compiled
def write_unseen(state, row):
    """The shares of the tiles in what is unseen; cave-in tiles by shape, whatever their numbers."""
    if state.unseen_total == 0:
        return
    each = 1 / state.unseen_total
    for i in range(_PLAIN):
        row[_UNSEEN + i] = state.unseen[_FIRST_PLAIN + i] * each
    tees, corners = 0, 0
    for tile in _TEES:
        tees += state.unseen[tile]
    for tile in _CORNERS:
        corners += state.unseen[tile]
    row[_UNSEEN + _PLAIN] = tees * each
    row[_UNSEEN + _PLAIN + 1] = corners * each


@compiled
def write_deck(state, row):
    total = 0
    for card in range(CARDS):
        total += state.unseen_cards[card]
    each = 1 / total if total > 0 else 0.0
    for card in range(CARDS):
        row[_UNSEEN_CARDS + card] = state.unseen_cards[card] * each
    row[_CARDS_LEFT] = state.cards_left * _PER_CARD
    row[_OUT_OF_TIME] = state.cards_left == 0
    row[_GAS_OUT] = state.gas_out


@compiled
def write_cave(state, row):
    flooded, rubble = 0, 0
    for k in range(state.water_count):
        flooded += state.tiles[state.water[k]].flooded
    for k in range(state.cave_in_count):
        rubble += state.tiles[state.cave_ins[k]].rubble
    row[_TILES] = state.tile_count * _PER_SLOT
    row[_FRONTIER] = min(state.frontier, MOST_FRONTIER) * _PER_OPEN_SIDE
    row[_DRY_WATER] = (state.water_count - flooded) * _PER_WATER
    row[_FLOODED_TILES] = flooded * _PER_WATER
    row[_CAVE_IN_TILES] = (state.cave_in_count - rubble) * _PER_CAVE_IN
    row[_RUBBLE_TILES] = rubble * _PER_CAVE_IN
    row[_HORROR_TILES] = state.horror_tile_count * _PER_HORROR_TILE
    row[_HORRORS] = state.horror_count * _PER_HORROR


@compiled
def write_agreed(state, row):
    write_one(row, _RULES, state.rules)
    write_one(row, _DIFFICULTY, state.difficulty)
    row[_PASSED_BY] = state.hidden_cavers_are_passed_by
    row[_HORRORS_CHOOSE] = state.horror_choices == HorrorChoices.AUTOMATIC
    row[_CARD_RULE] = state.out_of_time == OutOfTime.CARD
    row[_STOP_WHEN_OUT] = state.stop_when_conscious_are_out


@compiled
def write_laying(state, row):
    """The tile being laid, and what each of its turnings would open."""
    if state.question != Question.PLACE:
        return
    here = state.tiles[state.cavers[state.actor].slot]
    empty, facing = beyond_place(state, here.x + EAST_OF[state.side], here.y + NORTH_OF[state.side])
    write_one(row, _LAYING_SIDE, state.side)
    if state.drawn != NO_TILE:
        write_kind(row, _DRAWN_KIND, TILE_KIND[state.drawn])
        write_one(row, _DRAWN_SHAPE, TILE_SHAPE[state.drawn])
        row[_DRAWN_CAVE_IN] = HIT_CHANCE[state.drawn]
    for turns in range(QUARTER_TURNS):
        at = turns * _LAY_DRAWN_WIDTH
        if has(state.turnings_drawn, turns):
            row[at + _DRAWN_MAY] = 1.0
            row[at + _DRAWN_OPENS] = HOW_MANY[OPEN_SIDES[state.drawn, turns] & empty] * _PER_WAY_ON
            row[at + _DRAWN_CONNECTS] = HOW_MANY[OPEN_SIDES[state.drawn, turns] & facing] * _PER_SIDE
        at = turns * _LAY_RESERVE_WIDTH
        if has(state.turnings_reserve, turns):
            row[at + _RESERVE_MAY] = 1.0
            row[at + _RESERVE_OPENS] = HOW_MANY[OPEN_SIDES[state.reserve, turns] & empty] * _PER_WAY_ON


@compiled
def beyond_place(state, x, y):
    """Of an empty place: the sides beyond which no tile lies, and those on which an open side faces it."""
    empty, facing = 0, 0
    for side in range(_SIDES):
        slot = tile_at(state, x + EAST_OF[side], y + NORTH_OF[side])
        if slot == NOWHERE:
            empty |= only(side)
        elif has(state.tiles[slot].open, opposite(side)):
            facing |= only(side)
    return empty, facing
