"""The whole public state, rebuilt from an ``entities`` observation and the legal mask: what makes them complete."""

from typing import Any

import numpy as np

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    HEALTH,
    HIDES_BEFORE_SURE,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
)
from subterra_env.games.subterra.box.tiles import NO_TILE, OPEN_SIDES, STACK_TILES, TILE_TYPES
from subterra_env.games.subterra.derived import derive
from subterra_env.games.subterra.entities import (
    CAVERS,
    FAR_AWAY,
    GLOBALS,
    HORRORS,
    MANY_DICE,
    MANY_ROUNDS,
    MOST_CARDS,
    MOST_OF_A_CARD,
    MOST_OF_A_TYPE,
    MOST_POINTS,
    REPEATS,
    STACK_PLACES,
    TILES,
)
from subterra_env.games.subterra.layout import Layout
from subterra_env.games.subterra.state import NOBODY, NOWHERE, STATE
from subterra_env.games.subterra.terms import Kind, Shape

_WORDS, _WORD = 2, 64


class Row:
    """A row of numbers, read by the names of its features."""

    def __init__(self, row: np.ndarray, layout: Layout) -> None:
        self.row, self.layout = row, layout

    def numbers(self, section: str, feature: str) -> np.ndarray:
        start = self.layout.column(section, feature)
        size = next(each.size for each in self.layout.section(section).features if each.name == feature)
        return self.row[start : start + size]

    def count(self, section: str, feature: str, unit: float = 1.0) -> int:
        return whole(self.numbers(section, feature)[0], unit)

    def one_of(self, section: str, feature: str, none: int = 0) -> int:
        """The number of the only 1; ``none`` if there is none."""
        ones = np.flatnonzero(self.numbers(section, feature))
        assert len(ones) <= 1
        return int(ones[0]) if len(ones) else none

    def set_of(self, section: str, feature: str) -> int:
        return sum(1 << int(member) for member in np.flatnonzero(self.numbers(section, feature)))

    def tile_type(self, section: str) -> int:
        """The only type with this kind, shape and numbers."""
        kinds = self.numbers(section, "kind")
        if not kinds.any():
            return NO_TILE
        kind, shape = Kind(Kind.START + self.one_of(section, "kind")), Shape(self.one_of(section, "shape"))
        rolls = tuple(1 + int(roll) for roll in np.flatnonzero(self.numbers(section, "cave-in number")))
        (found,) = [
            number
            for number, tile in enumerate(TILE_TYPES)
            if (tile.kind, tile.shape, tile.numbers) == (kind, shape, rolls)
        ]
        return found


def whole(share: Any, unit: float) -> int:
    """The whole number behind a share; it must be one, but for the rounding of float32."""
    number = float(share) * unit
    assert abs(number - round(number)) < 1e-3
    return round(number)


def rebuild(seen: dict[str, np.ndarray], mask: np.ndarray) -> np.ndarray:
    """An array of one state, all of it but the luck key."""
    states = np.zeros(1, STATE)
    state: Any = states[0]
    rest = Row(seen["globals"], GLOBALS)
    rebuild_agreed(state, rest)
    rebuild_decks(state, rest)
    rebuild_round(state, rest)
    rebuild_action(state, rest)
    rebuild_hazard(state, rest)
    rebuild_node(state, rest)
    rebuild_tiles(state, seen["tiles"])
    derive(state)
    slots = {(int(tile["x"]), int(tile["y"])): slot for slot, tile in enumerate(state["tiles"][: state["tile_count"]])}
    rebuild_cavers(state, seen["cavers"], slots)
    rebuild_horrors(state, seen["horrors"], slots)
    bits = np.zeros(_WORDS * _WORD, np.uint8)
    bits[: len(mask)] = mask
    state["legal"] = np.packbits(bits, bitorder="little").view(np.uint64)
    return states


def rebuild_agreed(state: Any, rest: Row) -> None:
    state["rules"] = rest.one_of("agreed", "rules")
    state["difficulty"] = rest.one_of("agreed", "difficulty")
    state["extra_hazard_cards"] = rest.count("agreed", "extra hazard cards", MOST_CARDS)
    state["stack_tiles"] = rest.count("agreed", "stack tiles", STACK_TILES)
    state["hidden_cavers_are_passed_by"] = rest.count("agreed", "hidden cavers are passed by")
    state["horror_choices"] = rest.one_of("agreed", "horror choices")
    state["out_of_time"] = rest.one_of("agreed", "out of time")
    state["stop_when_conscious_are_out"] = rest.count("agreed", "stop when conscious are out")
    state["max_rounds"] = rest.count("agreed", "max rounds", MANY_ROUNDS)
    state["caver_count"] = rest.count("agreed", "cavers", MOST_CAVERS)
    state["first_at_setup"] = rest.one_of("agreed", "first at setup", NOBODY)


def rebuild_decks(state: Any, rest: Row) -> None:
    for tile, share in enumerate(rest.numbers("stack", "unseen"), start=NO_TILE + 1):
        state["unseen"][tile] = whole(share, MOST_OF_A_TYPE)
    state["places_left"] = rest.count("stack", "places left", STACK_PLACES)
    state["exit_in_stack"] = rest.count("stack", "exit in stack")
    state["reserve"] = rest.tile_type("reserve")
    for card, share in enumerate(rest.numbers("deck", "unseen")):
        state["unseen_cards"][card] = whole(share, MOST_OF_A_CARD)
    state["cards_left"] = rest.count("deck", "left", MOST_CARDS)
    state["cards_used"] = rest.count("deck", "used", MOST_CARDS)


def rebuild_round(state: Any, rest: Row) -> None:
    state["round_number"] = rest.count("round", "number", MANY_ROUNDS)
    state["phase"] = rest.one_of("round", "phase")
    state["first"] = rest.one_of("round", "first", NOBODY)
    state["seat"] = rest.one_of("round", "seat", NOBODY)
    state["turns_taken"] = rest.count("round", "turns taken", MOST_CAVERS)
    state["points"] = rest.count("round", "points", MOST_POINTS)
    for field in ("marker_passed", "gas_out", "exerted", "directed", "hid", "surfaced"):
        state[field] = rest.count("round", field.replace("_", " "))
    state["guides_left"] = rest.count("round", "guides left", GUIDES)
    state["explosives_left"] = rest.count("round", "explosives left", EXPLOSIVES)


def rebuild_action(state: Any, rest: Row) -> None:
    state["actor"] = rest.one_of("action", "actor", NOBODY)
    state["side"] = rest.one_of("action", "side")
    state["exploring"] = rest.count("action", "exploring")
    state["guided"] = rest.count("action", "guided")
    state["drawn"] = rest.tile_type("drawn")
    assert rest.count("action", "drawn") == (state["drawn"] != NO_TILE)
    assert rest.count("stack", "reserve") == (state["reserve"] != NO_TILE)
    state["turnings_drawn"] = rest.set_of("action", "lay drawn")
    state["turnings_reserve"] = rest.set_of("action", "lay reserve")
    state["moves_left"] = rest.count("action", "moves left", RUN_MOVES)


def rebuild_hazard(state: Any, rest: Row) -> None:
    state["checks_first"] = rest.one_of("hazard", "checks first")
    state["checks_done"] = rest.count("hazard", "checks done", MOST_CAVERS)
    state["card"] = rest.one_of("hazard", "card")
    state["repeats_left"] = rest.count("hazard", "repeats left", REPEATS)
    state["spawns_left"] = rest.count("hazard", "spawns left", REPEATS)
    state["ways"] = rest.set_of("hazard", "ways")
    state["spawn_tiles"] = rest.set_of("hazard", "spawn tiles")


def rebuild_node(state: Any, rest: Row) -> None:
    for field in ("node", "question", "chance", "check", "step", "ending"):
        state[field] = rest.one_of("node", field)
    for field in ("asked", "checker"):
        state[field] = rest.one_of("node", field, NOBODY)
    dice = rest.row[GLOBALS.start("dice") :].reshape(MOST_CAVERS + 1, -1)
    for (seat, check), share in np.ndenumerate(dice):
        state["rolls"][check, seat] = whole(share, MANY_DICE)


def rebuild_tiles(state: Any, rows: np.ndarray) -> None:
    for slot, numbers in enumerate(rows):
        row = Row(numbers, TILES)
        if not row.count("tile", "lies"):
            assert not numbers.any()
            continue
        tile = state["tiles"][slot]
        state["tile_count"] = slot + 1
        tile["type"] = row.tile_type("tile")
        tile["blasted"] = row.set_of("tile", "blasted")
        arrow = row.one_of("tile", "arrow", none=len(OPEN_SIDES[0]))
        by_nature = row.set_of("tile", "open") & ~tile["blasted"]
        turns = [turns for turns, sides in enumerate(OPEN_SIDES[tile["type"]]) if sides == by_nature]
        tile["turns"] = arrow if arrow in turns else turns[0]
        tile["x"], tile["y"] = place(row.numbers("tile", "place"))
        for marker in ("flooded", "rubble", "rope"):
            tile[marker] = row.count("tile", marker)


def place(numbers: np.ndarray) -> tuple[int, int]:
    east, north = (whole(number, FAR_AWAY) for number in numbers)
    return east, north


def rebuild_cavers(state: Any, rows: np.ndarray, slots: dict[tuple[int, int], int]) -> None:
    for seat, numbers in enumerate(rows):
        row, caver = Row(numbers, CAVERS), state["cavers"][seat]
        caver["slot"] = caver["dived_from"] = NOWHERE
        assert row.count("caver", "plays") == (seat < state["caver_count"])
        if seat >= state["caver_count"]:
            continue
        caver["who"] = row.one_of("caver", "who")
        caver["health"] = row.count("caver", "health", float(HEALTH.max()))
        if row.count("caver", "on the board"):
            caver["slot"] = slots[place(row.numbers("caver", "place"))]
        if row.count("caver", "submerged"):
            caver["dived_from"] = slots[place(row.numbers("caver", "dived from"))]
        caver["hidden"] = row.count("caver", "hidden")
        caver["hides_running"] = row.count("caver", "hides running", HIDES_BEFORE_SURE)
        caver["lost"] = row.count("caver", "lost")


def rebuild_horrors(state: Any, rows: np.ndarray, slots: dict[tuple[int, int], int]) -> None:
    moving = [index for index, numbers in enumerate(rows) if Row(numbers, HORRORS).count("horror", "moving")]
    (state["moving"],) = moving
    for index, numbers in enumerate(rows[:MOST_HORRORS]):
        row, horror = Row(numbers, HORRORS), state["horrors"][index]
        if row.count("horror", "about"):
            state["horror_count"] = index + 1
            horror["waiting"] = row.count("horror", "waiting")
            horror["slot"] = slots[place(row.numbers("horror", "place"))]
