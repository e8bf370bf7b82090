"""The whole position: the cave as it lies on the table, and a panel with all that lies beside it."""

from collections.abc import Iterator
from typing import Any

from subterra_env.games.subterra import actions
from subterra_env.games.subterra.picture import colours
from subterra_env.games.subterra.picture.panel import PANEL_WIDTH, panel_height, panel_shapes
from subterra_env.games.subterra.picture.pieces import (
    caver_shapes,
    horror_shapes,
    place_mark,
    places_on_tile,
    unknown_mark,
    way_mark,
)
from subterra_env.games.subterra.picture.tile import (
    SIZE,
    flood_marker,
    gas_marker,
    rope_marker,
    rubble_marker,
    tile_shapes,
)
from subterra_env.games.subterra.rules.sides import EAST_OF, NORTH_OF
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, Kind, Node, Side
from subterra_env.shapes import Picture, Point, Polygon, Shape, rectangle

_MARGIN = 1
"""Empty places shown around the cave."""
_FEWEST_ACROSS, _FEWEST_DOWN = 7, 6
_WORD = 64
_PASSING = (actions.MOVE, actions.SWIM, actions.SQUEEZE)


def picture(state: Any) -> Picture:
    """What the table sees, as shapes. ``state``: one record of `STATE` (an element of an array of states)."""
    frame = _Frame(state)
    shapes = [*_cave(state, frame), *_marks(state, frame), *_pieces(state, frame)]
    shapes += panel_shapes(state, (frame.width, 0.0), frame.height)
    title = f"Sub Terra, round {state['round_number']}"
    return Picture(frame.width + PANEL_WIDTH, frame.height, colours.NIGHT, title, tuple(shapes))


class _Frame:
    """Which places are shown, and where a place lies on the sheet."""

    def __init__(self, state: Any) -> None:
        count = int(state["tile_count"])
        xs, ys = state["tiles"]["x"][:count], state["tiles"]["y"][:count]
        self.west, across = _widened(int(xs.min()), int(xs.max()), _FEWEST_ACROSS)
        south, down = _widened(int(ys.min()), int(ys.max()), _FEWEST_DOWN)
        self.north = south + down - 1
        self.width = across * SIZE
        self.height = max(down * SIZE, panel_height(state))

    def origin(self, x: int, y: int) -> Point:
        return (x - self.west) * SIZE, (self.north - y) * SIZE


def _widened(low: int, high: int, fewest: int) -> tuple[int, int]:
    """First place shown and number of places, with a margin and at least so many."""
    low, high = low - _MARGIN, high + _MARGIN
    missing = max(0, fewest - (high - low + 1))
    return low - missing // 2, high - low + 1 + missing


def _origin_of(state: Any, frame: _Frame, slot: int) -> Point:
    tile = state["tiles"][slot]
    return frame.origin(int(tile["x"]), int(tile["y"]))


def _cave(state: Any, frame: _Frame) -> Iterator[Shape]:
    for slot in range(int(state["tile_count"])):
        tile = state["tiles"][slot]
        origin = _origin_of(state, frame, slot)
        yield from tile_shapes(origin, int(tile["type"]), int(tile["turns"]), int(tile["blasted"]))
        if tile["flooded"]:
            yield from flood_marker(origin)
        if tile["rubble"]:
            yield from rubble_marker(origin)
        if tile["rope"]:
            yield from rope_marker(origin, int(tile["turns"]))
        if state["gas_out"] and tile["kind"] == Kind.GAS:
            yield from gas_marker(origin)


def _pieces(state: Any, frame: _Frame) -> Iterator[Shape]:
    seats = range(int(state["caver_count"]))
    for slot in sorted({int(state["cavers"][seat]["slot"]) for seat in seats} - {NOWHERE}):
        here = [seat for seat in seats if state["cavers"][seat]["slot"] == slot]
        for seat, centre in zip(here, places_on_tile(_origin_of(state, frame, slot), len(here)), strict=True):
            caver = state["cavers"][seat]
            asked = state["node"] == Node.ASK and state["asked"] == seat
            who = Caver(int(caver["who"]))
            yield from caver_shapes(centre, who, bool(caver["health"] > 0), bool(caver["hidden"]), asked)
    for index in range(int(state["horror_count"])):
        yield from horror_shapes(_origin_of(state, frame, int(state["horrors"][index]["slot"])), index)


def _legal(state: Any, action: int) -> bool:
    return bool(int(state["legal"][action // _WORD]) >> action % _WORD & 1)


def _marks(state: Any, frame: _Frame) -> Iterator[Shape]:
    """What the asked caver may do, where it can be shown on the table."""
    if state["node"] != Node.ASK or state["asked"] == NOBODY:
        return
    slot = int(state["cavers"][int(state["asked"])]["slot"])
    if slot != NOWHERE:
        yield from _marks_around(state, frame, slot)
    yield from _marks_of_places(state, frame)
    if state["drawn"]:
        yield from _place_of_drawn(state, frame)


def _marks_around(state: Any, frame: _Frame, slot: int) -> Iterator[Shape]:
    tile = state["tiles"][slot]
    for side in Side:
        beyond = frame.origin(int(tile["x"]) + int(EAST_OF[side]), int(tile["y"]) + int(NORTH_OF[side]))
        if _legal(state, actions.EXPLORE + side):
            yield from unknown_mark(beyond)
        if any(_legal(state, block + side) for block in _PASSING):
            colour = colours.SAFE if _legal(state, actions.MOVE + side) else colours.GOLD
            yield from way_mark(_origin_of(state, frame, slot), side, colour)
        elif _legal(state, actions.DIG + side):
            yield from way_mark(_origin_of(state, frame, slot), side, colours.RUBBLE)


def _marks_of_places(state: Any, frame: _Frame) -> Iterator[Shape]:
    for block, slots in (
        (actions.SURFACE, state["water"]),
        (actions.SPAWN, state["horror_tiles"]),
        (actions.HORROR, state["horrors"]["slot"]),
    ):
        for k, slot in enumerate(slots):
            if _legal(state, block + k):
                yield from place_mark(_origin_of(state, frame, int(slot)), colours.GOLD)


def _place_of_drawn(state: Any, frame: _Frame) -> Iterator[Shape]:
    """Where the drawn tile will lie."""
    here = state["tiles"][int(state["cavers"][int(state["actor"])]["slot"])]
    side = int(state["side"])
    x, y = frame.origin(int(here["x"]) + int(EAST_OF[side]), int(here["y"]) + int(NORTH_OF[side]))
    yield Polygon(rectangle(x + 4, y + 4, SIZE - 8, SIZE - 8, None).points, None, colours.GOLD, 4)
