"""Writes the ``entities`` observation. Rows are float32 and all zero before they are written."""

import numpy as np

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    HIDES_BEFORE_SURE,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
)
from subterra_env.games.subterra.box.hazards import CARDS
from subterra_env.games.subterra.box.tiles import (
    MOST_HORROR_TILES,
    NO_TILE,
    QUARTER_TURNS,
    STACK_TILES,
    TILE_KIND,
    TILE_ROLLS,
    TILE_SHAPE,
    TILE_TYPES,
)
from subterra_env.games.subterra.entities import (
    CAVERS,
    FAR_AWAY,
    GLOBALS,
    HORRORS,
    MANY_DICE,
    MANY_ROUNDS,
    MOST_CARDS,
    MOST_HEALTH,
    MOST_OF_A_CARD,
    MOST_OF_A_TYPE,
    MOST_POINTS,
    REPEATS,
    STACK_PLACES,
    TILES,
)
from subterra_env.games.subterra.luck import DIE_SIDES
from subterra_env.games.subterra.rules.health import is_submerged
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Check, Kind, Question, Side, Step
from subterra_env.jit import compiled

_SIDES = len(Side)
_TYPES = len(TILE_TYPES)
_CHECKS = len(Check)
_FIRST_KIND = int(Kind.START)
_ONE_CAVER, _ONE_HORROR = np.float32(1 / MOST_CAVERS), np.float32(1 / MOST_HORRORS)

(
    _LIES,
    _KIND,
    _SHAPE,
    _NUMBER,
    _ARROW,
    _OPEN,
    _BLASTED,
    _CONNECTED,
    _UNEXPLORED,
    _FLOODED,
    _RUBBLE,
    _ROPE,
    _PLACE,
    _CAVERS_HERE,
    _HORRORS_HERE,
) = TILES.columns("tile")
_PLAYS, _ME, _WHO, _HEALTH, _ON_BOARD, _STANDS, _SUBMERGED, _DIVED_FROM, _HIDDEN, _HIDES_RUNNING, _LOST = (
    CAVERS.columns("caver")
)
_ABOUT, _WAITING, _MOVING, _STALKS = HORRORS.columns("horror")
(
    _RULES,
    _DIFFICULTY,
    _EXTRA_CARDS,
    _STACK_TILES,
    _PASSED_BY,
    _HORROR_CHOICES,
    _OUT_OF_TIME,
    _STOP_WHEN_OUT,
    _MAX_ROUNDS,
    _CAVER_COUNT,
    _FIRST_AT_SETUP,
) = GLOBALS.columns("agreed")
_UNSEEN, _PLACES_LEFT, _EXIT_IN_STACK, _RESERVE = GLOBALS.columns("stack")
_RESERVE_KIND, _RESERVE_SHAPE, _RESERVE_NUMBER = GLOBALS.columns("reserve")
_CARDS, _CARDS_LEFT, _CARDS_USED = GLOBALS.columns("deck")
(
    _ROUND,
    _PHASE,
    _FIRST,
    _MARKER_PASSED,
    _GAS_OUT,
    _TURNS_TAKEN,
    _SEAT,
    _POINTS,
    _EXERTED,
    _DIRECTED,
    _HID,
    _SURFACED,
    _GUIDES_LEFT,
    _EXPLOSIVES_LEFT,
) = GLOBALS.columns("round")
_ACTOR, _LAYING_SIDE, _EXPLORING, _GUIDED, _DRAWN, _LAY_DRAWN, _LAY_RESERVE, _MOVES_LEFT = GLOBALS.columns("action")
_DRAWN_KIND, _DRAWN_SHAPE, _DRAWN_NUMBER = GLOBALS.columns("drawn")
_CHECKS_FIRST, _CHECKS_DONE, _CARD, _REPEATS_LEFT, _SPAWNS_LEFT, _WAYS, _SPAWN_TILES = GLOBALS.columns("hazard")
_NODE, _QUESTION, _ASKED, _CHANCE, _CHECK, _CHECKER, _STEP, _ENDING = GLOBALS.columns("node")
_DICE = GLOBALS.start("dice")


@compiled
def write_bits(row, at, bits, count):
    """A 1 for every bit that is set."""
    for i in range(count):
        row[at + i] = (bits >> i) & 1


@compiled
def write_one(row, at, number):
    """A 1 at one of several."""
    row[at + int(number)] = 1.0


@compiled
def write_seat(row, at, seat):
    """A 1 at the seat, none for `NOBODY`."""
    if seat < NOBODY:
        write_one(row, at, seat)


@compiled
def write_type(row, kind_at, shape_at, number_at, tile):
    """What tells the tile type from others; nothing for `NO_TILE`."""
    if tile != NO_TILE:
        write_one(row, kind_at, TILE_KIND[tile] - _FIRST_KIND)
        write_one(row, shape_at, TILE_SHAPE[tile])
        write_bits(row, number_at, TILE_ROLLS[tile] >> 1, DIE_SIDES)


@compiled
def write_place(row, at, state, slot):
    """Where a tile lies, counted from the start."""
    if slot != NOWHERE:
        row[at] = state.tiles[slot].x / FAR_AWAY
        row[at + 1] = state.tiles[slot].y / FAR_AWAY


@compiled
def write_tile(state, slot, row):
    tile = state.tiles[slot]
    row[_LIES] = 1.0
    write_type(row, _KIND, _SHAPE, _NUMBER, tile.type)
    if tile.kind == Kind.LEDGE or tile.kind == Kind.SLIDE:
        write_one(row, _ARROW, tile.turns)
    write_bits(row, _OPEN, tile.open, _SIDES)
    write_bits(row, _BLASTED, tile.blasted, _SIDES)
    write_bits(row, _CONNECTED, tile.connected, _SIDES)
    write_bits(row, _UNEXPLORED, tile.open & tile.empty, _SIDES)
    row[_FLOODED] = tile.flooded
    row[_RUBBLE] = tile.rubble
    row[_ROPE] = tile.rope
    write_place(row, _PLACE, state, slot)


@compiled
def write_who_is_where(state, tiles):
    """Counts of cavers and horrors on the rows of their tiles."""
    for seat in range(state.caver_count):
        if state.cavers[seat].slot != NOWHERE:
            tiles[state.cavers[seat].slot, _CAVERS_HERE] += _ONE_CAVER
    for i in range(state.horror_count):
        tiles[state.horrors[i].slot, _HORRORS_HERE] += _ONE_HORROR


@compiled
def write_caver(state, seat, eyes, row):
    caver = state.cavers[seat]
    row[_PLAYS] = 1.0
    row[_ME] = seat == eyes
    write_one(row, _WHO, caver.who)
    row[_HEALTH] = caver.health / MOST_HEALTH
    row[_ON_BOARD] = caver.slot != NOWHERE
    write_place(row, _STANDS, state, caver.slot)
    row[_SUBMERGED] = is_submerged(state, seat)
    write_place(row, _DIVED_FROM, state, caver.dived_from)
    row[_HIDDEN] = caver.hidden
    row[_HIDES_RUNNING] = caver.hides_running / HIDES_BEFORE_SURE
    row[_LOST] = caver.lost


@compiled
def write_horror(state, index, row):
    row[_MOVING] = state.moving == index
    if index < state.horror_count:
        row[_ABOUT] = 1.0
        row[_WAITING] = state.horrors[index].waiting
        write_place(row, _STALKS, state, state.horrors[index].slot)


@compiled
def write_agreed(state, row):
    write_one(row, _RULES, state.rules)
    write_one(row, _DIFFICULTY, state.difficulty)
    row[_EXTRA_CARDS] = state.extra_hazard_cards / MOST_CARDS
    row[_STACK_TILES] = state.stack_tiles / STACK_TILES
    row[_PASSED_BY] = state.hidden_cavers_are_passed_by
    write_one(row, _HORROR_CHOICES, state.horror_choices)
    write_one(row, _OUT_OF_TIME, state.out_of_time)
    row[_STOP_WHEN_OUT] = state.stop_when_conscious_are_out
    row[_MAX_ROUNDS] = state.max_rounds / MANY_ROUNDS
    row[_CAVER_COUNT] = state.caver_count / MOST_CAVERS
    write_seat(row, _FIRST_AT_SETUP, state.first_at_setup)


@compiled
def write_stack_and_deck(state, row):
    for tile in range(NO_TILE + 1, _TYPES):
        row[_UNSEEN + tile - NO_TILE - 1] = state.unseen[tile] / MOST_OF_A_TYPE
    row[_PLACES_LEFT] = state.places_left / STACK_PLACES
    row[_EXIT_IN_STACK] = state.exit_in_stack
    row[_RESERVE] = state.reserve != NO_TILE
    write_type(row, _RESERVE_KIND, _RESERVE_SHAPE, _RESERVE_NUMBER, state.reserve)
    for card in range(CARDS):
        row[_CARDS + card] = state.unseen_cards[card] / MOST_OF_A_CARD
    row[_CARDS_LEFT] = state.cards_left / MOST_CARDS
    row[_CARDS_USED] = state.cards_used / MOST_CARDS


@compiled
def write_round(state, row):
    row[_ROUND] = state.round_number / MANY_ROUNDS
    write_one(row, _PHASE, state.phase)
    write_seat(row, _FIRST, state.first)
    row[_MARKER_PASSED] = state.marker_passed
    row[_GAS_OUT] = state.gas_out
    row[_TURNS_TAKEN] = state.turns_taken / MOST_CAVERS
    write_seat(row, _SEAT, state.seat)
    row[_POINTS] = state.points / MOST_POINTS
    row[_EXERTED] = state.exerted
    row[_DIRECTED] = state.directed
    row[_HID] = state.hid
    row[_SURFACED] = state.surfaced
    row[_GUIDES_LEFT] = state.guides_left / GUIDES
    row[_EXPLOSIVES_LEFT] = state.explosives_left / EXPLOSIVES


@compiled
def write_action(state, row):
    write_seat(row, _ACTOR, state.actor)
    if state.step == Step.PLACE:
        write_one(row, _LAYING_SIDE, state.side)
    row[_EXPLORING] = state.exploring
    row[_GUIDED] = state.guided
    row[_DRAWN] = state.drawn != NO_TILE
    write_type(row, _DRAWN_KIND, _DRAWN_SHAPE, _DRAWN_NUMBER, state.drawn)
    if state.question == Question.PLACE:
        write_bits(row, _LAY_DRAWN, state.turnings_drawn, QUARTER_TURNS)
        write_bits(row, _LAY_RESERVE, state.turnings_reserve, QUARTER_TURNS)
    row[_MOVES_LEFT] = state.moves_left / RUN_MOVES


@compiled
def write_hazard(state, row):
    write_seat(row, _CHECKS_FIRST, state.checks_first)
    row[_CHECKS_DONE] = state.checks_done / MOST_CAVERS
    write_one(row, _CARD, state.card)
    row[_REPEATS_LEFT] = state.repeats_left / REPEATS
    row[_SPAWNS_LEFT] = state.spawns_left / REPEATS
    write_bits(row, _WAYS, state.ways, _SIDES)
    write_bits(row, _SPAWN_TILES, state.spawn_tiles, MOST_HORROR_TILES)


@compiled
def write_node(state, row):
    write_one(row, _NODE, state.node)
    write_one(row, _QUESTION, state.question)
    write_seat(row, _ASKED, state.asked)
    write_one(row, _CHANCE, state.chance)
    write_one(row, _CHECK, state.check)
    write_seat(row, _CHECKER, state.checker)
    write_one(row, _STEP, state.step)
    write_one(row, _ENDING, state.ending)


@compiled
def write_dice(state, row):
    for seat in range(MOST_CAVERS + 1):
        for check in range(_CHECKS):
            row[_DICE + seat * _CHECKS + check] = state.rolls[check, seat] / MANY_DICE


@compiled
def write_globals(state, row):
    write_agreed(state, row)
    write_stack_and_deck(state, row)
    write_round(state, row)
    write_action(state, row)
    write_hazard(state, row)
    write_node(state, row)
    write_dice(state, row)


@compiled
def write_entities(state, eyes, tiles, cavers, horrors, rest):
    """Everything, through the eyes of a seat."""
    tiles[:] = np.float32(0.0)
    cavers[:] = np.float32(0.0)
    horrors[:] = np.float32(0.0)
    rest[:] = np.float32(0.0)
    for slot in range(state.tile_count):
        write_tile(state, slot, tiles[slot])
    write_who_is_where(state, tiles)
    for seat in range(state.caver_count):
        write_caver(state, seat, eyes, cavers[seat])
    for index in range(MOST_HORRORS):
        write_horror(state, index, horrors[index])
    write_globals(state, rest)
