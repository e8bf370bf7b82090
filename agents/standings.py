"""What results say: rates with intervals for each agent and cell, and paired differences between agents.

Intervals hold with 95 % confidence. Rates have Wilson's (Wilson 1927). Means and differences have percentile bootstrap
intervals, drawn within each team's games, since teams come in fixed numbers; each draw is one game short of the team's,
without which intervals of a few games a team would be too narrow (Rao and Wu 1988).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text
from subterra_env.agents.results import LEFT_BEHIND, Row
from subterra_env.agents.suites import CELLS

CONFIDENCE = 0.95
RESAMPLES = 2_000
"""Draws of the bootstrap: ends of intervals then vary by about a twentieth of a standard error."""
WIDE = 150
"""Columns that the tables take on a screen, unless names of agents are long."""
_RESAMPLING_SEED = 1
"""The same results give the same intervals."""


class Estimate(NamedTuple):
    """A figure and the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """One agent in one cell."""

    agent: str
    """``name`` or ``name @ budget``."""
    cell: str
    reference: bool
    games: int
    gold: Estimate
    """Share of games that ended so, like the two that follow."""
    silver: Estimate
    bronze: Estimate
    not_defeat: Estimate
    """Share of games with any medal; a game cut short has none."""
    saved: Estimate
    """Mean number of cavers on the exit at the end."""
    ms: float
    """Milliseconds a decision."""
    sims: float
    """Simulations a decision."""


@dataclass(frozen=True)
class Difference:
    """How much better one agent did than another in the games of a cell that both have played."""

    cell: str
    agent: str
    other: str
    games: int
    not_defeat: Estimate
    saved: Estimate


def standings(rows: Iterable[Row]) -> list[Standing]:
    """Every agent of every cell: cells in the order of `suites.CELLS`, agents by rank, references last."""
    found = [_standing(games) for agents in _by_cell(rows).values() for games in agents.values()]
    return sorted(found, key=_rank)


def differences(rows: Iterable[Row]) -> list[Difference]:
    """All pairs of agents that have games in common: the one ranked higher, and how far it is ahead."""
    rows = list(rows)
    order = [(standing.cell, standing.agent) for standing in standings(rows)]
    return list(_differences(_by_cell(rows), order))


def _differences(by_cell: dict[str, dict[str, list[Row]]], order: list[tuple[str, str]]) -> Iterator[Difference]:
    for (cell, agent), (other_cell, other) in combinations(order, 2):
        if cell != other_cell:
            continue
        ours, theirs = ({row.game: row for row in by_cell[cell][name]} for name in (agent, other))
        pairs = [(ours[game], theirs[game]) for game in ours if game in theirs]
        if pairs:
            teams = [row.team for row, _ in pairs]
            gaps = np.array([(has_medal(a) - has_medal(b), a.saved - b.saved) for a, b in pairs], float)
            yield Difference(cell, agent, other, len(pairs), *_means(gaps, teams))


def has_medal(row: Row) -> bool:
    """Whether a game ended with a medal."""
    return row.ending in LEFT_BEHIND


def _by_cell(rows: Iterable[Row]) -> dict[str, dict[str, list[Row]]]:
    """Rows of each agent in each cell, by game number: in whatever order they were played, sums come out the same."""
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(rows, key=lambda row: row.game):
        found[row.cell][row.label].append(row)
    return found


def _standing(rows: list[Row]) -> Standing:
    games, decisions = len(rows), max(1, sum(row.decisions for row in rows))
    medals = {medal: sum(row.ending == medal for row in rows) for medal in LEFT_BEHIND}
    (saved,) = _means(np.array([[row.saved] for row in rows], float), [row.team for row in rows])
    return Standing(
        agent=rows[0].label,
        cell=rows[0].cell,
        reference=any(row.reference for row in rows),
        games=games,
        **{medal: rate(count, games) for medal, count in medals.items()},
        not_defeat=rate(sum(medals.values()), games),
        saved=saved,
        ms=sum(row.ms for row in rows) / decisions,
        sims=sum(row.sims for row in rows) / decisions,
    )


def _rank(standing: Standing) -> tuple[Any, ...]:
    """Medals count first, cavers saved break ties."""
    cell = list(CELLS).index(standing.cell)
    return cell, standing.reference, -standing.not_defeat.value, -standing.saved.value, standing.agent


def rate(count: int, games: int) -> Estimate:
    """The share of games, with Wilson's interval."""
    from scipy.stats import binomtest

    interval = binomtest(count, games).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(count / games, float(interval.low), float(interval.high))


def _means(values: np.ndarray, teams: Sequence[tuple[str, ...]]) -> list[Estimate]:
    """The mean of each column, with its interval."""
    drawn = resampled_means(values, teams, np.random.default_rng(_RESAMPLING_SEED))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail), axis=0)
    return [Estimate(*map(float, ends)) for ends in zip(values.mean(axis=0), low, high, strict=True)]


def resampled_means(values: np.ndarray, teams: Sequence[tuple[str, ...]], rng: np.random.Generator) -> np.ndarray:
    """Means of values drawn again within each team, float64 of shape (`RESAMPLES`, columns).

    ``values``: shape (games, columns). Teams of one game are drawn from together, as if they were one.
    """
    total = np.zeros((RESAMPLES, values.shape[1]))
    for group in _groups(teams):
        size = len(group)
        draws = rng.integers(size, size=(RESAMPLES, max(1, size - 1)))
        total += values[group][draws].mean(axis=1) * size
    return total / len(values)


def _groups(teams: Sequence[tuple[str, ...]]) -> list[np.ndarray]:
    """Indices of the games of each team; of all teams with one game together."""
    of_team: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, team in enumerate(teams):
        of_team[team].append(index)
    groups = [games for games in of_team.values() if len(games) > 1]
    single = [games[0] for games in of_team.values() if len(games) == 1]
    return [np.array(games) for games in (*groups, *([single] if single else []))]


def as_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Standings as plain data, estimates as ``[value, low, high]``, each with its differences to all others.

    A difference is how far the agent is ahead of the other one; behind, if it is negative.
    """
    rows = list(rows)
    found = {(standing.cell, standing.agent): asdict(standing) for standing in standings(rows)}
    for standing in found.values():
        standing["differences"] = {}
    for gap in differences(rows):
        for agent, other, sign in ((gap.agent, gap.other, 1), (gap.other, gap.agent, -1)):
            found[gap.cell, agent]["differences"][other] = {
                "games": gap.games,
                "not_defeat": _signed(gap.not_defeat, sign),
                "saved": _signed(gap.saved, sign),
            }
    return list(found.values())


def _signed(estimate: Estimate, sign: int) -> Estimate:
    return estimate if sign > 0 else Estimate(-estimate.value, -estimate.high, -estimate.low)


def shown(rows: Iterable[Row]) -> Group:
    """Standings and differences as tables for people."""
    rows = list(rows)
    return Group(_standings_table(standings(rows)), _differences_table(differences(rows)))


def _standings_table(found: Sequence[Standing]) -> Table:
    title = "Percent of games and mean cavers saved, with 95 % intervals; milliseconds and simulations a decision"
    table = Table("cell", "", "agent", title=title, title_justify="left", box=SIMPLE_HEAD)
    for name in ("games", "gold", "silver", "bronze", "not defeat", "saved", "ms", "sims"):
        table.add_column(name, justify="right", no_wrap=True)
    rank = 0
    for before, standing in zip((None, *found), found, strict=False):
        new_cell = before is None or before.cell != standing.cell
        if new_cell:
            table.add_section()
            rank = 0
        rank += 1
        table.add_row(
            standing.cell if new_cell else "",
            "ref" if standing.reference else str(rank),
            Text(standing.agent),
            str(standing.games),
            *(_percent(each) for each in (standing.gold, standing.silver, standing.bronze, standing.not_defeat)),
            _plain(standing.saved),
            f"{standing.ms:.3g}",
            f"{standing.sims:.3g}",
            style="dim" if standing.reference else "",
        )
    return table


def _differences_table(found: Sequence[Difference]) -> Table | Text:
    if not found:
        return Text("")
    title = "How far the first agent is ahead of the second in the same games"
    table = Table("cell", "agent", "ahead of", title=title, title_justify="left", box=SIMPLE_HEAD)
    for name in ("games", "not defeat", "saved"):
        table.add_column(name, justify="right", no_wrap=True)
    for before, gap in zip((None, *found), found, strict=False):
        new_cell = before is None or before.cell != gap.cell
        if new_cell:
            table.add_section()
        names = Text(gap.agent), Text(gap.other)
        table.add_row(
            gap.cell if new_cell else "", *names, str(gap.games), _percent(gap.not_defeat, "+"), _plain(gap.saved, "+")
        )
    return table


def _percent(estimate: Estimate, sign: str = "") -> str:
    value, low, high = (100 * figure for figure in estimate)
    return f"{value:{sign}.1f} ({low:{sign}.0f}…{high:{sign}.0f})"


def _plain(estimate: Estimate, sign: str = "") -> str:
    value, low, high = estimate
    return f"{value:{sign}.2f} ({low:{sign}.2f}…{high:{sign}.2f})"
