"""Reads a drawn cave: letters are tiles, ``--`` and ``|`` openings; tiles are three columns and two rows apart.

An opening of one tile only is a single ``-`` beside it, or ``'`` below it or ``.`` above it. ``S`` is the start, and
like rough terrain, ``r``, open on all sides whatever is drawn. North is up.
"""

from dataclasses import dataclass
from textwrap import dedent

from subterra_env.games.subterra.box.tiles import OPEN_SIDES, TILE_TYPES
from subterra_env.games.subterra.terms import Side, words

Place = tuple[int, int]
SIDES = words(Side)
NORTH, EAST, SOUTH, WEST = SIDES
STEP = {NORTH: (0, 1), EAST: (1, 0), SOUTH: (0, -1), WEST: (-1, 0)}
OPEN_ON_ALL_SIDES = "Sr"
_ACROSS, _DOWN = 3, 2
_EDGE = {NORTH: (0, -1, "|."), EAST: (1, 0, "-"), SOUTH: (0, 1, "|'"), WEST: (-1, 0, "-")}


@dataclass(frozen=True)
class Drawn:
    """A tile of a drawing."""

    letter: str
    place: Place
    opened: frozenset[str]


def read_cave(drawing: str) -> list[Drawn]:
    """The tiles of a drawing, in an order in which they can have been placed: nearest to the start first."""
    rows = dedent(drawing).strip("\n").split("\n")
    ink = {(column, row): mark for row, line in enumerate(rows) for column, mark in enumerate(line) if mark != " "}
    left, top = next(spot for spot, mark in ink.items() if mark == "S")
    found, used = {}, set()
    for (column, row), mark in ink.items():
        if mark.isalpha():
            place = ((column - left) // _ACROSS, (top - row) // _DOWN)
            assert ((column - left) % _ACROSS, (top - row) % _DOWN) == (0, 0), f"{mark} is off the grid in{drawing}"
            edges = {side: (column + x, row + y) for side, (x, y, _) in _EDGE.items()}
            opened = frozenset(side for side, spot in edges.items() if ink.get(spot, " ") in _EDGE[side][2])
            used |= {(column, row)} | {edges[side] for side in opened}
            found[place] = Drawn(mark, place, frozenset(SIDES) if mark in OPEN_ON_ALL_SIDES else opened)
    assert not ink.keys() - used, f"marks beside no tile at (column, row) {sorted(ink.keys() - used)} in{drawing}"
    order = _nearest_first(found)
    assert len(order) == len(found), f"a tile is not connected with the start in{drawing}"
    return order


def _nearest_first(found: dict[Place, Drawn]) -> list[Drawn]:
    order = [found[0, 0]]
    for tile in order:
        for side in SIDES:
            there = found.get(beyond(tile.place, side))
            if there and there not in order and side in tile.opened and opposite(side) in there.opened:
                order.append(there)
    return order


def beyond(place: Place, side: str) -> Place:
    """The next place on that side."""
    return place[0] + STEP[side][0], place[1] + STEP[side][1]


def opposite(side: str) -> str:
    return SIDES[(SIDES.index(side) + 2) % len(SIDES)]


def as_tile(kind: str, opened: frozenset[str], detail: str) -> tuple[int, int]:
    """The tile type and quarter turns of a kind with these open sides; ``detail``: numbers, or the arrow's side."""
    bits = sum(1 << SIDES.index(side) for side in opened)
    for number, tile in enumerate(TILE_TYPES):
        for turns, sides in enumerate(OPEN_SIDES[number]):
            arrow_fits = kind not in ("ledge", "slide") or SIDES[turns] == detail
            numbers_fit = kind != "cave-in" or tile.name.endswith(f" {detail}")
            if tile.name.startswith(f"{kind} ") and sides == bits and arrow_fits and numbers_fit:
                return number, turns
    raise AssertionError(f"the box holds no {kind} {detail} tile that is open {sorted(opened)}")
