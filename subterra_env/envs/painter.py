"""Paints pictures as pixels with pygame, which is imported only when something is painted."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from subterra_env.shapes import Disc, Path, Picture, Point, Polygon, Shape, Text

if TYPE_CHECKING:
    import pygame

_FINER = 2
"""Shapes are painted this many times larger and then reduced, which smooths their edges."""
_DASHES_PER_TURN = 16
_PYGAME_POINTS, _PYGAME_ASCENT = 1.28, 0.92
"""How pygame's own font compares with the sizes that shapes are made for."""


def pygame_quietly() -> Any:
    """The pygame module, without the line it prints when it is imported."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    return pygame


def pixels(picture: Picture) -> np.ndarray:
    """A picture as uint8[height, width, 3]; needs pygame-ce, but no screen."""
    pygame = pygame_quietly()
    columns_first: np.ndarray = pygame.surfarray.array3d(painted(picture))
    return np.ascontiguousarray(columns_first.swapaxes(0, 1))


def painted(picture: Picture) -> "pygame.Surface":
    pygame = pygame_quietly()
    pygame.font.init()
    sheet = pygame.Surface((round(picture.width * _FINER), round(picture.height * _FINER)))
    sheet.fill(picture.background)
    for shape in picture.shapes:
        _paint(sheet, shape)
    size = (round(picture.width), round(picture.height))
    return pygame.transform.smoothscale(sheet, size)  # type: ignore[no-any-return]


def _paint(sheet: "pygame.Surface", shape: Shape) -> None:
    match shape:
        case Polygon() | Disc():
            _paint_area(sheet, shape)
        case Path():
            _paint_path(sheet, shape)
        case Text():
            _paint_text(sheet, shape)


def _paint_area(sheet: "pygame.Surface", shape: Polygon | Disc) -> None:
    """Half-transparent areas are painted on a layer of their own size."""
    if shape.opacity == 1:
        _fill_and_outline(sheet, shape)
        return
    box = _box(sheet, shape)
    below = sheet.subsurface(box)
    layer = below.copy()
    _fill_and_outline(layer, _moved(shape, (-box.x / _FINER, -box.y / _FINER)))
    layer.set_alpha(round(255 * shape.opacity))
    below.blit(layer, (0, 0))


def _box(sheet: "pygame.Surface", shape: Polygon | Disc) -> "pygame.Rect":
    """The part of the sheet that a shape covers."""
    if isinstance(shape, Disc):
        (x, y), r = shape.centre, shape.radius + shape.width
        corners = np.array([(x - r, y - r), (x + r, y + r)])
    else:
        corners = np.array(shape.points)
    low, high = corners.min(axis=0) * _FINER, corners.max(axis=0) * _FINER
    box: pygame.Rect = pygame_quietly().Rect(low, high - low).inflate(2, 2)
    return box.clip(sheet.get_rect())


def _moved(shape: Polygon | Disc, by: Point) -> Polygon | Disc:
    if isinstance(shape, Disc):
        return replace(shape, centre=(shape.centre[0] + by[0], shape.centre[1] + by[1]))
    return replace(shape, points=tuple((x + by[0], y + by[1]) for x, y in shape.points))


def _fill_and_outline(sheet: "pygame.Surface", shape: Polygon | Disc) -> None:
    pygame = pygame_quietly()
    width = max(1, round(shape.width * _FINER))
    if isinstance(shape, Disc):
        centre, radius = _scaled(shape.centre), shape.radius * _FINER
        if shape.fill:
            pygame.draw.circle(sheet, shape.fill, centre, radius)
        if shape.stroke and shape.dash:
            _paint_dashed_circle(sheet, shape)
        elif shape.stroke:
            pygame.draw.circle(sheet, shape.stroke, centre, radius + width / 2, width)
        return
    points = [_scaled(point) for point in shape.points]
    if shape.fill:
        pygame.draw.polygon(sheet, shape.fill, points)
    if shape.stroke:
        pygame.draw.lines(sheet, shape.stroke, True, points, width)


def _paint_dashed_circle(sheet: "pygame.Surface", disc: Disc) -> None:
    pygame = pygame_quietly()
    x, y = _scaled(disc.centre)
    radius = disc.radius * _FINER
    box = pygame.Rect(round(x - radius), round(y - radius), round(2 * radius), round(2 * radius))
    step = 2 * np.pi / _DASHES_PER_TURN
    for dash in range(0, _DASHES_PER_TURN, 2):
        start = dash * step
        pygame.draw.arc(sheet, disc.stroke or "black", box, start, start + step, max(1, round(disc.width * _FINER)))


def _paint_path(sheet: "pygame.Surface", path: Path) -> None:
    pygame = pygame_quietly()
    width = max(1, round(path.width * _FINER))
    for start, end in zip(path.points, path.points[1:], strict=False):
        for a, b in _dashes(_scaled(start), _scaled(end), tuple(length * _FINER for length in path.dash)):
            pygame.draw.line(sheet, path.stroke, a, b, width)
            for point in (a, b):
                pygame.draw.circle(sheet, path.stroke, point, width / 2)


def _dashes(start: Point, end: Point, dash: tuple[float, ...]) -> list[tuple[Point, Point]]:
    """The painted stretches of a straight line."""
    if not dash:
        return [(start, end)]
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    stretches, at = [], 0.0
    while at < length:
        until = min(length, at + dash[0])
        stretches.append((_between(start, end, at / length), _between(start, end, until / length)))
        at += sum(dash)
    return stretches


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _paint_text(sheet: "pygame.Surface", text: Text) -> None:
    pygame = pygame_quietly()
    font = pygame.font.Font(None, round(text.size * _FINER * _PYGAME_POINTS))
    font.set_bold(text.bold)
    drawn = font.render(text.text, True, text.fill)
    x, y = _scaled(text.at)
    left = {"start": x, "middle": x - drawn.get_width() / 2, "end": x - drawn.get_width()}[text.anchor]
    sheet.blit(drawn, (left, y - font.get_ascent() * _PYGAME_ASCENT))


def _scaled(point: Point) -> Point:
    return point[0] * _FINER, point[1] * _FINER
