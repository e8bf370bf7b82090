"""Cavers and horrors on their tile, and the marks of what the asked caver may do."""

from collections.abc import Iterator
from math import cos, pi, sin

from subterra_env.games.subterra.picture import colours
from subterra_env.games.subterra.picture.tile import SIZE, turned
from subterra_env.games.subterra.terms import Caver, Side, word
from subterra_env.shapes import Disc, Path, Point, Polygon, Shape, Text

RADIUS = 12.5
_SEATS_ON_TILE: dict[int, tuple[Point, ...]] = {
    1: ((50, 56),),
    2: ((36, 56), (64, 56)),
    3: ((36, 47), (64, 47), (50, 70)),
    4: ((36, 44), (64, 44), (36, 70), (64, 70)),
    5: ((36, 40), (64, 40), (36, 65), (64, 65), (50, 86)),
    6: ((36, 36), (64, 36), (36, 60), (64, 60), (36, 84), (64, 84)),
}


def letters(who: Caver) -> str:
    """Two letters for a caver's disc."""
    return word(who)[:2].capitalize()


def places_on_tile(origin: Point, count: int) -> list[Point]:
    """Where so many cavers stand on a tile."""
    return [(origin[0] + x, origin[1] + y) for x, y in _SEATS_ON_TILE.get(count, ())]


def caver_shapes(centre: Point, who: Caver, conscious: bool, hidden: bool, asked: bool) -> Iterator[Shape]:
    """A disc with two letters: grey with a cross if unconscious, dashed if hidden, ringed if asked."""
    if asked:
        yield Disc(centre, RADIUS + 5, None, colours.GOLD, 4)
        yield Disc(centre, RADIUS + 5, None, colours.INK, 1)
    fill = colours.CAVER[who] if conscious else "#c4c4c4"
    yield Disc(centre, RADIUS, fill, colours.INK, 2, opacity=0.55 if hidden else 1.0)
    if hidden:
        yield Disc(centre, RADIUS, None, colours.INK, 2.5, dash=(4, 4))
    yield Text((centre[0], centre[1] + 4.5), letters(who), 12.5, "#ffffff" if conscious else colours.INK, bold=True)
    if not conscious:
        yield from _cross((centre[0] + RADIUS * 0.75, centre[1] - RADIUS * 0.75))


def _cross(centre: Point) -> Iterator[Shape]:
    x, y = centre
    reach = RADIUS * 0.4
    for colour, width in ((colours.INK, 6.5), (colours.DANGER, 3.5)):
        yield Path(((x - reach, y - reach), (x + reach, y + reach)), colour, width)
        yield Path(((x - reach, y + reach), (x + reach, y - reach)), colour, width)


def horror_shapes(origin: Point, index: int) -> Iterator[Shape]:
    """A spiked black shape with eyes in a corner of the tile."""
    x, y = origin[0] + (80, 20, 80)[index], origin[1] + (20, 20, 82)[index]
    spikes = tuple(
        (x + (17 if corner % 2 else 10) * cos(pi * corner / 9), y + (17 if corner % 2 else 10) * sin(pi * corner / 9))
        for corner in range(18)
    )
    yield Polygon(spikes, "#000000", colours.DANGER, 1.8)
    for dx in (-4, 4):
        yield Disc((x + dx, y - 1), 2.8, "#ffffff")
        yield Disc((x + dx, y - 0.5), 1.3, "#000000")


def way_mark(origin: Point, side: Side, colour: str) -> Iterator[Shape]:
    """An arrow head on the edge of a tile: the asked caver may go there."""
    head: tuple[Point, ...] = ((50, -13), (37, 5), (63, 5))
    points = tuple((origin[0] + x, origin[1] + y) for x, y in (turned(p, side) for p in head))
    yield Polygon(points, colour, colours.INK, 2)


def unknown_mark(origin: Point) -> Iterator[Shape]:
    """A dashed empty place with a question mark: the asked caver may draw a tile there."""
    x, y = origin
    edge = 8.0
    corners = ((x + edge, y + edge), (x + SIZE - edge, y + edge), (x + SIZE - edge, y + SIZE - edge))
    outline = (*corners, (x + edge, y + SIZE - edge), (x + edge, y + edge))
    yield Path(outline, colours.GOLD, 2.5, dash=(7, 7))
    yield Text((x + SIZE / 2, y + SIZE / 2 + 14), "?", 40, colours.GOLD, bold=True)


def place_mark(origin: Point, colour: str) -> Iterator[Shape]:
    """A frame round a tile that is an answer by itself (surface, spawn, horror)."""
    x, y = origin
    outline = ((x, y), (x + SIZE, y), (x + SIZE, y + SIZE), (x, y + SIZE), (x, y))
    yield Path(outline, colour, 5, dash=(12, 8))
