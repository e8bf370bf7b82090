"""The benchmark's statistics against known values and what intervals must do; its tables and pictures."""

import random
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from subterra_env.agents import plots
from subterra_env.agents.results import Row
from subterra_env.agents.standings import (
    RESAMPLES,
    Estimate,
    as_json,
    differences,
    rate,
    resampled_means,
    shown,
    standings,
)
from subterra_env.agents.suites import CELLS

from tests.agents.result_rows import row

TEAMS = 70


def varied(agent: str, games: int = 2 * TEAMS, cell: str = "normal-4", more: int = 0, **others: object) -> list[Row]:
    """Games with any number saved; ``more`` cavers more for a better agent in each of the same games."""
    rng = np.random.default_rng(5)
    saved = rng.integers(0, CELLS[cell].cavers, games)
    return [row(game, int(saved[game]) + more, agent, cell, **others) for game in range(games)]


# rates


def test_wilson_intervals_are_those_in_books() -> None:
    """Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    known = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0, 0.1611), (1, 29): (0.0061, 0.1718)}
    for (count, games), ends in known.items():
        found = rate(count, games)
        assert found.value == count / games
        assert found[1:] == pytest.approx(ends, abs=5e-5)


def test_figures_of_an_agent() -> None:
    games = [row(0, 4), row(1, 3), row(2, 2), row(3, 1), row(4, 0), row(5, 4, ending="truncated"), row(6, 2)]
    games += [row(7, 0, ms=250.0, sims=900, decisions=200)]
    (standing,) = standings(games)
    assert (standing.agent, standing.cell, standing.games) == ("rules", "normal-4", 8)
    assert [each.value * 8 for each in (standing.gold, standing.silver, standing.bronze)] == [1, 1, 2]
    assert standing.not_defeat == rate(4, 8)
    assert standing.saved.value == 2.0
    assert standing.ms == pytest.approx((7 * 50 + 250) / 900)
    assert standing.sims == 1.0


# the bootstrap


def test_the_bootstrap_spreads_as_sampling_theory_says() -> None:
    """Variance of a mean over strata: sum of (share of the stratum)² x s² / n."""
    rng = np.random.default_rng(2)
    sizes = [2, 3, 5, 6, 8]
    groups = [rng.normal(10 * k, 1 + k, size) for k, size in enumerate(sizes)]
    teams = [(str(k),) for k, size in enumerate(sizes) for _ in range(size)]
    values, total = np.concatenate(groups)[:, None], sum(sizes)
    drawn = np.concatenate([resampled_means(values, teams, np.random.default_rng(seed)) for seed in range(5)])
    expected = sum((len(group) / total) ** 2 * group.var(ddof=1) / len(group) for group in groups)
    assert drawn.shape == (5 * RESAMPLES, 1)
    assert drawn.var() == pytest.approx(expected, rel=0.08)
    assert drawn.mean() == pytest.approx(values.mean(), abs=0.05)


def test_what_teams_differ_in_is_no_uncertainty() -> None:
    games = [row(game, game % TEAMS % 5) for game in range(3 * TEAMS)]
    (standing,) = standings(games)
    assert standing.saved == pytest.approx((2.0, 2.0, 2.0))


def test_teams_that_played_once_are_drawn_from_together() -> None:
    (standing,) = standings([row(game, game % 5) for game in range(TEAMS)])
    error = np.std(np.arange(TEAMS) % 5, ddof=1) / np.sqrt(TEAMS)
    assert standing.saved.value == 2.0
    assert standing.saved.high - standing.saved.low == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_one_game_gives_figures_too() -> None:
    (standing,) = standings([row(0, 4)])
    assert standing.gold == rate(1, 1)
    assert standing.saved == Estimate(4.0, 4.0, 4.0)


# differences


def test_the_same_games_tell_small_differences_apart() -> None:
    worse, better = varied("worse"), varied("better", more=1)
    ranked = standings([*worse, *better])
    assert ranked[0].agent == "better"
    (gap,) = differences([*worse, *better])
    assert (gap.agent, gap.other, gap.games) == ("better", "worse", 2 * TEAMS)
    assert gap.saved == (1.0, 1.0, 1.0)
    assert gap.not_defeat.value == pytest.approx(ranked[0].not_defeat.value - ranked[1].not_defeat.value)
    assert 0 < gap.not_defeat.low < gap.not_defeat.value < gap.not_defeat.high < 1


def test_only_games_that_both_played_are_compared() -> None:
    long, short = varied("long", 40), varied("short", 30, more=1)[10:]
    (gap,) = differences([*long, *short])
    assert gap.games == 20
    assert abs(gap.saved.value) == 1.0
    assert differences([*varied("long", 10), *varied("short", 20)[10:]]) == []
    assert differences([*varied("a"), *varied("a", cell="normal-5")]) == []


# rank and form


def test_cells_come_in_order_and_agents_by_rank() -> None:
    rows = [*varied("b", cell="expert-6"), *varied("a"), *varied("z", more=1), *varied("c", cell="normal-5")]
    assert [(each.cell, each.agent) for each in standings(rows)] == [
        ("normal-4", "z"),
        ("normal-4", "a"),
        ("normal-5", "c"),
        ("expert-6", "b"),
    ]


def test_references_stand_below_the_ranking() -> None:
    rows = [*varied("all-knowing", more=1, reference=True), *varied("a"), *varied("z")]
    assert [(each.agent, each.reference) for each in standings(rows)] == [
        ("a", False),
        ("z", False),
        ("all-knowing", True),
    ]
    lines = [line.split() for line in text_of(rows).splitlines()]
    assert [line[:2] for line in lines if line[:1] == ["ref"]] == [["ref", "all-knowing"]]


def test_budgets_are_rows_of_their_own() -> None:
    rows = [*varied("a"), *varied("a", budget="1s", more=1)]
    assert [each.agent for each in standings(rows)] == ["a @ 1s", "a"]


def test_the_order_of_games_in_the_file_changes_nothing() -> None:
    rows = [*varied("a"), *varied("b", more=1), *varied("c", 50, cell="expert-5", ms=0.1)]
    shuffled = random.Random(1).sample(rows, len(rows))
    assert as_json(rows) == as_json(shuffled)
    assert text_of(rows) == text_of(shuffled)


def test_json_has_a_row_for_each_agent_and_cell() -> None:
    found = as_json([*varied("worse"), *varied("better", more=1)])
    better, worse = found
    wanted = {"agent", "cell", "games", "gold", "silver", "bronze", "not_defeat", "saved", "ms", "sims"}
    assert wanted <= set(better)
    assert all(len(better[name]) == 3 for name in ("gold", "silver", "bronze", "not_defeat", "saved"))
    ahead, behind = better["differences"]["worse"], worse["differences"]["better"]
    assert ahead["saved"] == (1, 1, 1)
    assert behind["saved"] == (-1, -1, -1)
    value, low, high = ahead["not_defeat"]
    assert behind["not_defeat"] == (-value, -high, -low)


def text_of(rows: list[Row]) -> str:
    console = Console(width=200, force_terminal=False)
    with console.capture() as captured:
        console.print(shown(rows))
    return captured.get()


def test_tables_for_people() -> None:
    text = text_of([*varied("[red]odd[/red]"), *varied("better", more=1)])
    assert "[red]odd[/red]" in text
    assert "normal-4   1   better" in text
    assert "+1.00 (+1.00…+1.00)" in text


def test_nothing_played_is_a_table_too() -> None:
    assert standings([]) == differences([]) == as_json([]) == []
    assert "not defeat" in text_of([])


# pictures


@pytest.mark.parametrize("agents", [0, 1, 12])
def test_pictures_are_drawn(tmp_path: Path, agents: int) -> None:
    rows = [
        game
        for number in range(agents)
        for cell in ("normal-4", "expert-6")
        for game in varied(f"agent {number}", 20, cell, budget="1s" if number % 2 else None, ms=float(number))
    ]
    paths = plots.save_plots(rows, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["skill_against_budget.png", "medals_by_cell.png", "saved_by_team.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_budgets_of_an_agent_are_one_line() -> None:
    rows = [*varied("a"), *varied("a", budget="1s", more=1, ms=900.0), *varied("b")]
    figure = plots._panels(standings(rows), plots._draw_skill, "", "")
    (panel,) = figure.axes
    assert panel.get_legend_handles_labels()[1] == ["a", "b"]
    assert panel.get_xlim() == (0.1, 10.0)
    assert [len(line.lines[0].get_xdata()) for line in panel.containers] == [2, 1]  # type: ignore[attr-defined]
