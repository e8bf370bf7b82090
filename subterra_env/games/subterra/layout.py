"""How observations are declared: named sections of named features, each number with its meaning and range.

A writer asks a `Layout` where its features lie; the space, the documentation table and the symmetries read the same
declaration.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum

import numpy as np

from subterra_env.games.subterra.box.tiles import QUARTER_TURNS
from subterra_env.games.subterra.terms import Side, words

SIDE_LABELS = tuple(words(Side))
TURNING_LABELS = tuple(f"{turns} quarter turn{'' if turns == 1 else 's'}" for turns in range(QUARTER_TURNS))
PLACE_LABELS = ("east", "north")


class Turns(Enum):
    """What becomes of numbers when the cave is turned or mirrored."""

    FIXED = "stay as they are"
    SIDES = "one a side: they change places"
    PLACE = "a distance to the east and one to the north"
    DRAWN = "one a quarter turn of the drawn tile: they change places as its shape says"
    RESERVE = "one a quarter turn of the tile in reserve"


@dataclass(frozen=True)
class Feature:
    """One number, or several with a label each."""

    name: str
    meaning: str
    low: float = 0.0
    high: float = 1.0
    labels: tuple[str, ...] = ("",)
    turns: Turns = Turns.FIXED

    @property
    def size(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Section:
    """Features that belong together, once or a row each for several alike."""

    name: str
    meaning: str
    features: tuple[Feature, ...]
    rows: tuple[str, ...] = ("",)
    rows_turn: Turns = Turns.FIXED

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return sum(feature.size for feature in self.features)

    @property
    def size(self) -> int:
        return self.width * len(self.rows)


@dataclass(frozen=True)
class Index:
    """One number of an observation: where it stands and what it is."""

    number: int
    section: Section
    row: int
    feature: Feature
    label: int

    @property
    def name(self) -> str:
        parts = (self.section.name, self.section.rows[self.row], self.feature.name, self.feature.labels[self.label])
        return " / ".join(part for part in parts if part)


@dataclass(frozen=True)
class Layout:
    """Sections one after the other."""

    sections: tuple[Section, ...]

    @property
    def size(self) -> int:
        return sum(section.size for section in self.sections)

    def section(self, name: str) -> Section:
        return next(section for section in self.sections if section.name == name)

    def start(self, name: str) -> int:
        """The index of a section's first number. Raises KeyError if there is no such section."""
        start = 0
        for section in self.sections:
            if section.name == name:
                return start
            start += section.size
        raise KeyError(name)

    def columns(self, name: str) -> tuple[int, ...]:
        """The index of the first number of every feature of a section, in its first row."""
        at, columns = self.start(name), []
        for feature in self.section(name).features:
            columns.append(at)
            at += feature.size
        return tuple(columns)

    def column(self, name: str, feature: str) -> int:
        """The index of the first number of one feature of a section, in its first row."""
        names = [declared.name for declared in self.section(name).features]
        return self.columns(name)[names.index(feature)]

    def indices(self) -> Iterator[Index]:
        """Every number, in order."""
        number = 0
        for section in self.sections:
            for row in range(len(section.rows)):
                for feature in section.features:
                    for label in range(feature.size):
                        yield Index(number, section, row, feature, label)
                        number += 1

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the greatest value of every number, float32 of length ``size``."""
        features = [index.feature for index in self.indices()]
        lows, highs = ([getattr(feature, bound) for feature in features] for bound in ("low", "high"))
        return np.array(lows, np.float32), np.array(highs, np.float32)


def flag(name: str, meaning: str) -> Feature:
    """A number that is 1 or 0."""
    return Feature(name, f"1 if {meaning}")


def share(name: str, meaning: str, most: float, high: float = 1.0) -> Feature:
    """A count divided by ``most``."""
    return Feature(name, f"{meaning}, divided by {most:g}", 0.0, high)


def one_of(name: str, meaning: str, terms: type[IntEnum] | tuple[str, ...], first: int = 0) -> Feature:
    """A 1 at one of several, from member ``first`` of the vocabulary on; all 0 if it is none of them.

    ``meaning`` is what is one of them.
    """
    labels = terms if isinstance(terms, tuple) else tuple(words(terms))
    return Feature(name, f"1 if {meaning} is this one", labels=labels[first:])


def sides(name: str, meaning: str) -> Feature:
    """A 1 or 0 for every side."""
    return Feature(name, f"1 if {meaning}", labels=SIDE_LABELS, turns=Turns.SIDES)


def place(name: str, meaning: str, unit: float, most: float) -> Feature:
    """Tiles to the east and to the north, divided by ``unit``."""
    return Feature(name, f"{meaning}, divided by {unit:g}", -most, most, PLACE_LABELS, Turns.PLACE)


def turnings(name: str, meaning: str, turns: Turns) -> Feature:
    """A 1 or 0 for every quarter turn of the drawn tile or of the one in reserve."""
    return Feature(name, f"1 if {meaning}", labels=TURNING_LABELS, turns=turns)
