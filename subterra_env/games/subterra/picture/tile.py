"""One tile: its rock, its passages, the symbol of its kind, and the markers on it. A tile measures 100."""

from collections.abc import Iterator
from math import cos, pi, sin

from subterra_env.games.subterra.box.tiles import OPEN_SIDES, TILE_TYPES
from subterra_env.games.subterra.picture import colours
from subterra_env.games.subterra.terms import Kind, Side
from subterra_env.shapes import Disc, Path, Point, Polygon, Shape, Text, rectangle

SIZE = 100.0
_HALF = SIZE / 2
_WIDE, _NARROW = 29.0, 13.0
"""Half the width of a passage, and of a squeeze's."""
_SYMBOL_AT = (24.0, 27.0)


def turned(point: Point, quarter_turns: int) -> Point:
    """A point of the tile after clockwise quarter turns about its centre."""
    x, y = point
    for _ in range(quarter_turns % 4):
        x, y = SIZE - y, x
    return x, y


def tile_shapes(origin: Point, tile_type: int, turns: int, blasted: int = 0) -> Iterator[Shape]:
    """A tile with its upper left corner at ``origin``, without markers."""
    kind = Kind(TILE_TYPES[tile_type].kind)
    x, y = origin
    yield rectangle(x, y, SIZE, SIZE, colours.ROCK, colours.ROCK_EDGE, 2)
    open_sides = int(OPEN_SIDES[tile_type, turns]) | blasted
    yield Polygon(_moved(_floor(open_sides, _NARROW if kind == Kind.SQUEEZE else _WIDE), origin), colours.FLOOR[kind])
    for side in Side:
        if blasted >> side & 1:
            yield from _blast_marks(origin, side)
    yield from _symbol(origin, tile_type, turns)


def _floor(open_sides: int, half: float) -> tuple[Point, ...]:
    """The outline of the passages, clockwise from the upper left corner of the middle."""
    outline: list[Point] = []
    for side in Side:
        start, end = turned((_HALF - half, _HALF - half), side), turned((_HALF + half, _HALF - half), side)
        outline.append(start)
        if open_sides >> side & 1:
            outline += [turned((_HALF - half, 0), side), turned((_HALF + half, 0), side)]
        outline.append(end)
    return tuple(outline)


def _moved(points: tuple[Point, ...], by: Point) -> tuple[Point, ...]:
    return tuple((x + by[0], y + by[1]) for x, y in points)


def _blast_marks(origin: Point, side: Side) -> Iterator[Shape]:
    """Black jags on both edges of an opening made by explosives."""
    for edge in (_HALF - _WIDE, _HALF + _WIDE):
        jags: tuple[Point, ...] = ((edge - 6, 0), (edge - 2, 9), (edge + 2, 3), (edge + 6, 12), (edge + 7, 0))
        yield Polygon(_moved(tuple(turned(p, side) for p in jags), origin), colours.INK)


def _symbol(origin: Point, tile_type: int, turns: int) -> Iterator[Shape]:
    at = (origin[0] + _SYMBOL_AT[0], origin[1] + _SYMBOL_AT[1])
    match TILE_TYPES[tile_type].kind:
        case Kind.START:
            yield Text((origin[0] + _HALF, origin[1] + 31), "START", 11, colours.FAINT, bold=True)
        case Kind.EXIT:
            yield from _exit(origin)
        case Kind.WATER:
            yield from waves(origin, 30, colours.WATER)
        case Kind.GAS:
            yield from _gas_cloud(at)
        case Kind.CAVE_IN:
            yield from _numbers(origin, TILE_TYPES[tile_type].numbers)
        case Kind.HORROR:
            yield from _eye(at)
        case Kind.SQUEEZE:
            yield from _squeeze(origin, turns)
        case Kind.LEDGE:
            yield from _ledge(origin, turns)
        case Kind.SLIDE:
            yield from _slide(origin, turns)
        case Kind.ROUGH_TERRAIN:
            yield from _stones(origin)


def waves(origin: Point, y: float, colour: str) -> Iterator[Shape]:
    """Two wave lines across the middle of a tile."""
    for offset in (0.0, 8.0):
        points = tuple(
            (origin[0] + 24 + step * 4, origin[1] + y + offset + (2.5 if step % 2 else -2.5)) for step in range(14)
        )
        yield Path(points, colour, 2.4)


def _gas_cloud(at: Point) -> Iterator[Shape]:
    for dx, dy, radius in ((6, 4, 7.0), (16, 1, 9.0), (27, 4, 7.0)):
        yield Disc((at[0] + dx, at[1] + dy), radius, colours.GAS, colours.INK, 1.5)


def _numbers(origin: Point, numbers: tuple[int, ...]) -> Iterator[Shape]:
    """A falling-rock triangle and the numbers of the die that hit the tile."""
    x, y = origin[0] + 34, origin[1] + 24
    yield Polygon(((x, y + 16), (x + 9, y), (x + 18, y + 16)), colours.DANGER, colours.INK, 1.5)
    yield Text((origin[0] + 62, origin[1] + 40), "-".join(map(str, numbers)), 15, colours.INK, bold=True)


def _eye(at: Point) -> Iterator[Shape]:
    x, y = at[0] + 26, at[1] + 4
    yield Polygon(
        ((x - 15, y), (x - 6, y - 7), (x + 6, y - 7), (x + 15, y), (x + 6, y + 7), (x - 6, y + 7)), colours.INK
    )
    yield Disc((x, y), 5, "#ffffff")
    yield Disc((x, y), 2.4, colours.INK)


def _squeeze(origin: Point, turns: int) -> Iterator[Shape]:
    for tip, base in ((38.0, 20.0), (62.0, 80.0)):
        wedge: tuple[Point, ...] = ((tip, 50), (base, 36), (base, 64))
        yield Polygon(_moved(tuple(turned(p, turns) for p in wedge), origin), colours.FAINT, colours.INK, 1.5)


def _ledge(origin: Point, turns: int) -> Iterator[Shape]:
    """A cliff line with teeth before the far side, and the arrow."""
    line = _moved(tuple(turned(p, turns) for p in ((21.0, 24.0), (79.0, 24.0))), origin)
    yield Path(line, colours.INK, 4)
    for x in (27.0, 39.0, 51.0, 63.0, 75.0):
        tooth = _moved(tuple(turned(p, turns) for p in ((x, 24.0), (x - 3, 33.0))), origin)
        yield Path(tooth, colours.INK, 2)
    yield from _arrow(origin, turns, 12)


def _slide(origin: Point, turns: int) -> Iterator[Shape]:
    """Two chevrons down the slope, and the arrow."""
    for y in (88.0, 79.0):
        chevron: tuple[Point, ...] = ((32, y), (50, y - 10), (68, y))
        yield Path(_moved(tuple(turned(p, turns) for p in chevron), origin), colours.INK, 3)
    yield from _arrow(origin, turns, 12)


def _arrow(origin: Point, turns: int, tip: float) -> Iterator[Shape]:
    head: tuple[Point, ...] = ((50, tip - 8), (43, tip + 3), (57, tip + 3))
    yield Polygon(_moved(tuple(turned(p, turns) for p in head), origin), colours.INK)


def _stones(origin: Point) -> Iterator[Shape]:
    for x, y in ((30, 30), (70, 31), (29, 71), (71, 72), (50, 27), (50, 75)):
        yield Polygon(
            _moved(((x - 6, y + 4), (x - 2, y - 5), (x + 5, y - 2), (x + 6, y + 4)), origin), "#8f8570", colours.INK, 1
        )


def _exit(origin: Point) -> Iterator[Shape]:
    """An arch with daylight behind it."""
    x, y = origin[0] + 50, origin[1] + 36
    arch = tuple((x + 15 * cos(pi + pi * step / 8), y - 4 + 13 * sin(pi + pi * step / 8)) for step in range(9))
    yield Polygon((*arch, (x + 15, y + 5), (x - 15, y + 5)), "#fffbe0", colours.INK, 2)
    yield Text((x, y + 3), "EXIT", 10, colours.INK, bold=True)


def flood_marker(origin: Point) -> Iterator[Shape]:
    x, y = origin
    yield Polygon(rectangle(x + 21, y + 21, 58, 58, None).points, colours.WATER, opacity=0.55)
    yield from waves(origin, 62, "#ffffff")


def rubble_marker(origin: Point) -> Iterator[Shape]:
    heap = ((26, 74, 11), (46, 76, 12), (67, 74, 11), (37, 61, 11), (57, 62, 10), (48, 50, 9))
    for x, y, size in heap:
        stone = tuple(
            (x + size * cos(2 * pi * corner / 6 + 0.4), y + size * 0.8 * sin(2 * pi * corner / 6 + 0.4))
            for corner in range(6)
        )
        yield Polygon(_moved(stone, origin), colours.RUBBLE, colours.INK, 1.5)


def rope_marker(origin: Point, turns: int) -> Iterator[Shape]:
    line = tuple((68.0 + (3 if step % 2 else -3), 12.0 + step * 8.5) for step in range(10))
    yield Path(_moved(tuple(turned(p, turns) for p in line), origin), colours.ROPE, 3.5)


def gas_marker(origin: Point) -> Iterator[Shape]:
    for x, y, radius in ((34, 60, 12.0), (52, 66, 14.0), (68, 58, 11.0)):
        yield Disc((origin[0] + x, origin[1] + y), radius, colours.GAS, opacity=0.5)
