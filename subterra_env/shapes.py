"""The few shapes that pictures are made of, and their SVG. Lengths are units; y points down."""

from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Polygon:
    """A closed area."""

    points: tuple[Point, ...]
    fill: str | None
    stroke: str | None = None
    width: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True)
class Path:
    """An open line through points, with round ends."""

    points: tuple[Point, ...]
    stroke: str
    width: float
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Disc:
    centre: Point
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0
    opacity: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Text:
    """A line of text; ``anchor`` is where ``at`` lies in it, and ``at`` is on its base line."""

    at: Point
    text: str
    size: float
    fill: str
    anchor: str = "middle"
    bold: bool = False


Shape: TypeAlias = Polygon | Path | Disc | Text


@dataclass(frozen=True)
class Picture:
    """Shapes in the order they are painted, and the size of the sheet."""

    width: float
    height: float
    background: str
    title: str
    shapes: tuple[Shape, ...] = field(default=())


def rectangle(
    x: float, y: float, width: float, height: float, fill: str | None, stroke: str | None = None, line: float = 0.0
) -> Polygon:
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Polygon(corners, fill, stroke, line)


def svg(picture: Picture) -> str:
    """A picture as one SVG document that needs nothing beside it."""
    size = f'width="{_n(picture.width)}" height="{_n(picture.height)}"'
    box = f'viewBox="0 0 {_n(picture.width)} {_n(picture.height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img" font-family="{FONT}">'
    title = f"<title>{escape(picture.title)}</title>"
    ground = f'<rect width="100%" height="100%" fill="{picture.background}"/>'
    return "\n".join([head, title, ground, *map(_element, picture.shapes), "</svg>\n"])


def _element(shape: Shape) -> str:
    match shape:
        case Polygon():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
            return f'<polygon points="{points}"{_paint(shape)}/>'
        case Path():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
            line = f'stroke="{shape.stroke}" stroke-width="{_n(shape.width)}"{_dashes(shape.dash)}'
            return f'<polyline points="{points}" fill="none" stroke-linecap="round" stroke-linejoin="round" {line}/>'
        case Disc():
            x, y = shape.centre
            paint = _paint(shape) + _dashes(shape.dash)
            return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(shape.radius)}"{paint}/>'
        case Text():
            x, y = shape.at
            weight = ' font-weight="bold"' if shape.bold else ""
            look = f'font-size="{_n(shape.size)}" fill="{shape.fill}" text-anchor="{shape.anchor}"{weight}'
            return f'<text x="{_n(x)}" y="{_n(y)}" {look}>{escape(shape.text)}</text>'


def _paint(shape: Polygon | Disc) -> str:
    opacity = f' opacity="{_n(shape.opacity)}"' if shape.opacity < 1 else ""
    stroke = (
        f' stroke="{shape.stroke}" stroke-width="{_n(shape.width)}" stroke-linejoin="round"' if shape.stroke else ""
    )
    return f' fill="{shape.fill or "none"}"{stroke}{opacity}'


def _dashes(dash: tuple[float, ...]) -> str:
    return f' stroke-dasharray="{" ".join(map(_n, dash))}"' if dash else ""


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
