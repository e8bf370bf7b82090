"""The games of the benchmark: nine cells, all teams of each, and seeds that nobody changes any more.

A suite is a range of seeds. ``train`` is for whatever learns or is tuned, ``dev`` for comparing while work goes on,
``test`` for the last measurement of finished work. Game number g of a cell has the same team and seed for every agent.
All games are played by the official rules with the options' defaults.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from subterra_env.game import SUBTERRA

SUITES = {"train": 1_000_000_000, "dev": 2_000_000_000, "test": 3_000_000_000}
"""The first seed of each suite. Public and frozen: figures of different days are of the same games."""
SUITE_SEEDS = 100_000_000
"""Seeds of a suite, counted from its first."""
CELL_SEEDS = 10_000_000
"""Seeds of a cell, and so the most games it has; the cells of a suite take theirs one after the other."""
DEFAULT_SUITE = "dev"
DEFAULT_GAMES = 400
"""Games of a cell: a rate of one half is then known to within 5 % either way."""
TEAM_STEP = {4: 27, 5: 23, 6: 11}
"""How many teams further on in their list each game's is. Neighbours there share most of their cavers, so that the
first games of a cell would hardly differ; without a common divisor with the number of teams, all get their turn."""


class SuiteError(ValueError):
    """A suite, cell or game number that there is not; the message names those there are."""


@dataclass(frozen=True)
class Cell:
    """Games of one difficulty with teams of one size."""

    name: str
    difficulty: str
    cavers: int


CELLS = {
    f"{difficulty}-{cavers}": Cell(f"{difficulty}-{cavers}", difficulty, cavers)
    for difficulty in ("normal", "advanced", "expert")
    for cavers in (4, 5, 6)
}
"""The nine cells by name, in the order of their seeds and of every table."""


def cells_named(names: str) -> list[Cell]:
    """The cells of a text such as ``normal-4,expert-6``, in the order of `CELLS`. Raises `SuiteError`."""
    named = {name.strip() for name in names.split(",")}
    unknown = sorted(named - set(CELLS))
    if unknown:
        raise SuiteError(f"no cell is called {unknown[0]!r}; there are {', '.join(CELLS)}")
    return [cell for name, cell in CELLS.items() if name in named]


def seed_of(suite: str, cell: str, game: int) -> int:
    """The seed of a game. Raises `SuiteError`."""
    if suite not in SUITES:
        raise SuiteError(f"no suite is called {suite!r}; there are {', '.join(SUITES)}")
    if cell not in CELLS:
        raise SuiteError(f"no cell is called {cell!r}; there are {', '.join(CELLS)}")
    if not 0 <= game < CELL_SEEDS:
        raise SuiteError(f"no game has the number {game}; a cell has games 0 to {CELL_SEEDS - 1}")
    return SUITES[suite] + list(CELLS).index(cell) * CELL_SEEDS + game


def team_of(cell: str, game: int) -> tuple[str, ...]:
    """The team of a game, in seat order: all teams of the cell's size in turn."""
    size = CELLS[cell].cavers
    teams = _teams(size)
    return teams[game * TEAM_STEP[size] % len(teams)]


def agreed_at(cell: str, team: tuple[str, ...]) -> Any:
    """What the table of a team in a cell agrees."""
    return SUBTERRA.options(cavers=team, difficulty=CELLS[cell].difficulty)


@cache
def _teams(size: int) -> list[tuple[str, ...]]:
    return list(combinations(SUBTERRA.notation.CAVER_NAMES, size))
