"""The cave as rows of text, north up: walls and passages, what each tile is, its markers, and who is there."""

import numpy as np

from subterra_env.games.subterra.box.tiles import TILE_TYPES
from subterra_env.games.subterra.options import CAVER_NAMES
from subterra_env.games.subterra.terms import Kind, Side

_WIDE, _HIGH = 9, 3
"""Columns and rows from one tile to the next; neighbours share the wall between them."""
_STUB = 2
"""Columns of wall left on either side of a passage to the north or south."""
_MARGIN = 4
"""Columns for the y of each row."""
_GLYPHS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""By the sides, as bits, to which a stroke leads."""
_ARROWS = "↑→↓←"
_LABELS = {
    Kind.START: "start",
    Kind.EXIT: "exit",
    Kind.ORDINARY: "",
    Kind.WATER: "water",
    Kind.GAS: "gas",
    Kind.CAVE_IN: "cave",
    Kind.HORROR: "horror",
    Kind.SQUEEZE: "squeeze",
    Kind.LEDGE: "ledge ",
    Kind.SLIDE: "slide ",
    Kind.ROUGH_TERRAIN: "rough",
}
_MARKERS = {"flooded": "~", "rubble": "#", "rope": "&"}
LEGEND = (
    "capitals are conscious cavers, small letters unconscious ones; ! horror, !2 two of them",
    "~ flooded, # rubble, & rope; cave1-3 is a cave-in tile that a 1 or a 3 hits; arrows as on ledges and slides",
)


class _Canvas:
    """Characters by column and row, the rows counted downwards."""

    def __init__(self) -> None:
        self._strokes: dict[tuple[int, int], int] = {}
        self._letters: dict[tuple[int, int], str] = {}

    def across(self, row: int, start: int, end: int) -> None:
        for column in range(start, end):
            self._lead(column, row, Side.EAST)
            self._lead(column + 1, row, Side.WEST)

    def down(self, column: int, start: int, end: int) -> None:
        for row in range(start, end):
            self._lead(column, row, Side.SOUTH)
            self._lead(column, row + 1, Side.NORTH)

    def corners(self, column: int, start: int, end: int) -> None:
        """Only the two ends of a line down."""
        self._lead(column, start, Side.SOUTH)
        self._lead(column, end, Side.NORTH)

    def write(self, column: int, row: int, text: str) -> None:
        for k, letter in enumerate(text):
            self._letters[column + k, row] = letter

    def rows(self) -> list[str]:
        glyphs = {place: _GLYPHS[sides] for place, sides in self._strokes.items()} | self._letters
        wide, high = (1 + max(place[axis] for place in glyphs) for axis in (0, 1))
        return ["".join(glyphs.get((x, y), " ") for x in range(wide)).rstrip() for y in range(high)]

    def _lead(self, column: int, row: int, side: Side) -> None:
        self._strokes[column, row] = self._strokes.get((column, row), 0) | 1 << side


def caver_letter(caver: np.void) -> str:
    """The first letter of the name, unlike those of all others; small if unconscious."""
    letter = CAVER_NAMES[int(caver["who"])][0]
    return letter.upper() if caver["health"] > 0 else letter


def cave_rows(state: np.void) -> list[str]:
    """The cave, each tile 9 columns by 3 rows, with the x of each column below and the y of each row on the left."""
    tiles = state["tiles"][: state["tile_count"]]
    west, north = int(tiles["x"].min()), int(tiles["y"].max())
    canvas = _Canvas()
    for slot, tile in enumerate(tiles):
        column, row = _MARGIN + (int(tile["x"]) - west) * _WIDE, (north - int(tile["y"])) * _HIGH
        _draw_walls(canvas, tile, column, row)
        canvas.write(column + 1, row + 1, _label(tile))
        canvas.write(column + 1, row + 2, _who_is_on(state, slot))
    for y in range(int(tiles["y"].min()), north + 1):
        canvas.write(0, (north - y) * _HIGH + 1, f"{y:>{_MARGIN - 1}}")
    below = (north - int(tiles["y"].min()) + 1) * _HIGH + 1
    for x in range(west, int(tiles["x"].max()) + 1):
        canvas.write(_MARGIN + (x - west) * _WIDE, below, f"{x:^{_WIDE}}")
    return canvas.rows()


def _draw_walls(canvas: _Canvas, tile: np.void, column: int, row: int) -> None:
    right, bottom = column + _WIDE, row + _HIGH
    for side, y in ((Side.NORTH, row), (Side.SOUTH, bottom)):
        if _is_way(tile, side):
            canvas.across(y, column, column + _STUB)
            canvas.across(y, right - _STUB, right)
        else:
            canvas.across(y, column, right)
    for side, x in ((Side.WEST, column), (Side.EAST, right)):
        if _is_way(tile, side):
            canvas.corners(x, row, bottom)
        else:
            canvas.down(x, row, bottom)


def _is_way(tile: np.void, side: Side) -> bool:
    """Open to the next tile, or open toward an empty place; open toward the wall of a neighbour it is a wall."""
    return bool((int(tile["connected"]) | int(tile["open"]) & int(tile["empty"])) >> side & 1)


def _label(tile: np.void) -> str:
    kind = Kind(tile["kind"])
    numbers = "-".join(map(str, TILE_TYPES[tile["type"]].numbers))
    arrow = _ARROWS[tile["turns"]] if kind in (Kind.LEDGE, Kind.SLIDE) else ""
    marker = "".join(mark for name, mark in _MARKERS.items() if tile[name])
    return _LABELS[kind] + numbers + arrow + marker


def _who_is_on(state: np.void, slot: int) -> str:
    horrors = int((state["horrors"]["slot"][: state["horror_count"]] == slot).sum())
    letters = [caver_letter(caver) for caver in state["cavers"][: state["caver_count"]] if caver["slot"] == slot]
    return ("!" if horrors else "") + (str(horrors) if horrors > 1 else "") + "".join(letters)
