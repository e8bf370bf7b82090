"""Files of results: a header line, then one JSON line a game, written as soon as the game is over.

Files come from anywhere: whatever is wrong in one is refused with the number of its line. Only a last line that a
killed program left half written is dropped; its game is still to be played.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Annotated, NamedTuple, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from subterra_env.agents.base import Budget
from subterra_env.agents.suites import CELLS, SUITES, seed_of, team_of

from subterra_env.game import SUBTERRA

FORMAT = "subterra results"
VERSION = 1
"""Rises whenever files are written differently."""
MOST_BYTES = 500_000_000
"""The longest file read: more than a million games."""
MOST_LINE_BYTES = 10_000
"""The longest line read; the longest that is written is far shorter."""
LEFT_BEHIND = {"gold": 0, "silver": 1, "bronze": 2}
"""Medals, and how many of the team are left behind for each (rulebook 9.2); more is defeat."""
DEFEAT, TRUNCATED = "defeat", "truncated"

_Count = Annotated[int, Field(ge=0)]
_Name = Annotated[str, Field(min_length=1, max_length=2_000)]
_Line = TypeVar("_Line", bound=BaseModel)


class ResultsError(ValueError):
    """A file that is not one of results, or not of these games; the message names file, line and fault."""


class Fixture(NamedTuple):
    """A game that somebody is to play."""

    agent: str
    budget: str | None
    suite: str
    cell: str
    game: int

    def __str__(self) -> str:
        return f"game {self.game} of {self.cell} ({self.suite}, {label(self.agent, self.budget)})"


class Header(BaseModel):
    """The first line."""

    model_config = ConfigDict(frozen=True, strict=True)

    format: str
    version: int
    suite: str
    rules_version: int


class Row(BaseModel):
    """One game, played to its end."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    agent: _Name
    """Who played, as it was typed."""
    budget: _Name | None
    """What it might think for a caver's turn, as it was typed; None if that was left to the agent."""
    reference: bool
    """Not to be ranked (`Agent.REFERENCE`)."""
    suite: str
    cell: str
    game: int
    """Number of the game in its cell."""
    team: tuple[str, ...]
    seed: int
    ending: str
    saved: _Count
    """Cavers on the exit at the end."""
    cavers: _Count
    """Cavers in the team."""
    rounds: _Count
    decisions: _Count
    """Questions that the agent answered."""
    ms: Annotated[float, Field(ge=0)]
    """Milliseconds it thought, all questions together."""
    sims: _Count
    """Simulations it made, all questions together."""
    rules_version: int
    version: str
    """Version of this package."""

    @property
    def fixture(self) -> Fixture:
        """The game that was to be played."""
        return Fixture(self.agent, self.budget, self.suite, self.cell, self.game)

    @property
    def label(self) -> str:
        """Who played, with the budget: what tables call an agent."""
        return label(self.agent, self.budget)

    @field_validator("agent", "version")
    @classmethod
    def _can_be_shown(cls, text: str) -> str:
        if not text.isprintable():
            raise ValueError("has characters that cannot be printed")
        return text

    @field_validator("budget")
    @classmethod
    def _is_a_budget(cls, text: str | None) -> str | None:
        if text is not None:
            Budget.parse(text)
        return text

    @model_validator(mode="after")
    def _is_a_game_of_its_suite(self) -> Self:
        if self.seed != seed_of(self.suite, self.cell, self.game):
            raise ValueError(f"seed: {self.seed} is not that of game {self.game} of {self.cell} in {self.suite}")
        if self.team != team_of(self.cell, self.game):
            raise ValueError(f"team: game {self.game} of {self.cell} has {', '.join(team_of(self.cell, self.game))}")
        if self.cavers != CELLS[self.cell].cavers:
            raise ValueError(f"cavers: {CELLS[self.cell].cavers} in {self.cell}, not {self.cavers}")
        return self

    @model_validator(mode="after")
    def _ends_as_it_can(self) -> Self:
        left = self.cavers - self.saved
        fits = {DEFEAT: max(LEFT_BEHIND.values()) < left, TRUNCATED: left >= 0}
        fits |= {medal: left == number for medal, number in LEFT_BEHIND.items()}
        if self.ending not in fits:
            raise ValueError(f"ending: no game ends {self.ending!r}; there are {', '.join(fits)}")
        if left < 0 or not fits[self.ending]:
            raise ValueError(f"saved: {self.saved} of {self.cavers} is not what {self.ending} means")
        return self


def label(agent: str, budget: str | None) -> str:
    """What tables call an agent: ``name`` or ``name @ budget``."""
    return agent if budget is None else f"{agent} @ {budget}"


class Contents(NamedTuple):
    """What stands in a file: its suite, its games, and how many of its bytes are whole lines."""

    suite: str
    rows: list[Row]
    whole_bytes: int


def read(path: Path) -> Contents:
    """The games of a file. Raises `ResultsError` at its first wrong line, OSError if it cannot be read."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ResultsError(f"{path}: {size} bytes; files of at most {MOST_BYTES} are read")
    lines = _lines(path)
    number, first = next(lines, (1, b""))
    header = _checked_header(path, first)
    rows: list[Row] = []
    seen: set[Fixture] = set()
    whole = len(first)
    for number, line in lines:
        try:
            row = _parsed(Row, line)
        except _BrokenLineError as error:
            if whole + len(line) < size:
                raise ResultsError(f"{path}: line {number}: {error}") from None
            break
        except ValueError as error:
            raise ResultsError(f"{path}: line {number}: {error}") from None
        _expect_fitting(path, number, header, row, seen)
        rows.append(row)
        seen.add(row.fixture)
        whole += len(line)
    return Contents(header.suite, rows, whole)


class ResultsFile:
    """A file that games are added to, made if it is not there; ``rows`` are those that stood in it.

    Raises `ResultsError` for a file of something else or of another suite, and leaves it as it is.
    """

    def __init__(self, path: Path, suite: str) -> None:
        self.rows: list[Row] = []
        start = b""
        if path.exists() and path.stat().st_size > 0:
            contents = read(path)
            if contents.suite != suite:
                raise ResultsError(f"{path}: games of the suite {contents.suite}; those of {suite} need another file")
            self.rows = contents.rows
            os.truncate(path, contents.whole_bytes)
        else:
            header = Header(format=FORMAT, version=VERSION, suite=suite, rules_version=SUBTERRA.rules_version)
            start = _written(header)
        # Without a buffer every line is in the file as soon as it is written, whatever happens to this program.
        self._file = path.open("ab", buffering=0)
        self._file.write(start or self._end_of_line(path))

    @staticmethod
    def _end_of_line(path: Path) -> bytes:
        with path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return b"" if file.read() == b"\n" else b"\n"

    def add(self, row: Row) -> None:
        """Writes the line of a game."""
        self._file.write(_written(row))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


class _BrokenLineError(ValueError):
    """Not JSON."""


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, the end of line included."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MOST_LINE_BYTES + 1):
            number += 1
            if len(line) > MOST_LINE_BYTES:
                raise ResultsError(f"{path}: line {number}: longer than {MOST_LINE_BYTES} bytes")
            yield number, line


def _checked_header(path: Path, line: bytes) -> Header:
    try:
        header = _parsed(Header, line)
    except ValueError as error:
        raise ResultsError(f"{path}: line 1: no header of {FORMAT}: {error}") from None
    if (header.format, header.version) != (FORMAT, VERSION):
        raise ResultsError(
            f"{path}: line 1: {header.format!r} version {header.version}; this program reads {FORMAT!r} {VERSION}"
        )
    if header.suite not in SUITES:
        raise ResultsError(f"{path}: line 1: no suite is called {header.suite!r}; there are {', '.join(SUITES)}")
    if header.rules_version != SUBTERRA.rules_version:
        raise ResultsError(
            f"{path}: line 1: games by rules version {header.rules_version}; this program plays by version "
            f"{SUBTERRA.rules_version}, and figures of the two cannot be compared"
        )
    return header


def _expect_fitting(path: Path, number: int, header: Header, row: Row, seen: set[Fixture]) -> None:
    if row.suite != header.suite:
        raise ResultsError(f"{path}: line {number}: suite {row.suite!r} in a file of {header.suite!r}")
    if row.rules_version != header.rules_version:
        raise ResultsError(
            f"{path}: line {number}: rules version {row.rules_version} in a file of {header.rules_version}"
        )
    if row.fixture in seen:
        raise ResultsError(f"{path}: line {number}: {row.fixture} stands there twice")


def _parsed(model: type[_Line], line: bytes) -> _Line:
    """Raises `_BrokenLineError`, or ValueError that names each fault."""
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        faults = error.errors()
        message = "; ".join(_fault(fault["loc"], fault["msg"]) for fault in faults)
        if faults[0]["type"] == "json_invalid":
            raise _BrokenLineError(message) from None
        raise ValueError(message) from None


def _fault(where: tuple[int | str, ...], message: str) -> str:
    place = ".".join(map(str, where))
    return (f"{place}: " if place else "") + message.removeprefix("Value error, ")


def _written(line: BaseModel) -> bytes:
    return line.model_dump_json().encode() + b"\n"
