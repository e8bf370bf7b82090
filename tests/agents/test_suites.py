"""The benchmark's games: frozen, apart from each other, and fair to all teams."""

from collections import Counter
from itertools import pairwise
from math import comb, gcd

import pytest
from subterra_env.agents import suites
from subterra_env.agents.suites import CELLS, SUITES, SuiteError, agreed_at, cells_named, seed_of, team_of

from subterra_env.game import SUBTERRA


def test_there_are_nine_cells() -> None:
    assert [(cell.difficulty, cell.cavers) for cell in CELLS.values()] == [
        (difficulty, cavers) for difficulty in ("normal", "advanced", "expert") for cavers in (4, 5, 6)
    ]
    assert next(iter(CELLS)) == "normal-4"


def test_games_are_those_they_have_always_been() -> None:
    """Whoever changes this makes all figures measured before worthless."""
    assert seed_of("train", "normal-4", 0) == 1_000_000_000
    assert seed_of("dev", "normal-5", 7) == 2_010_000_007
    assert seed_of("test", "expert-6", 399) == 3_080_000_399
    assert team_of("normal-4", 0) == ("diver", "scout", "geologist", "engineer")
    assert team_of("expert-4", 1) == ("diver", "engineer", "climber", "leader")
    assert team_of("advanced-5", 3) == ("diver", "scout", "engineer", "medic", "bodyguard")
    assert team_of("normal-6", 30) == ("scout", "geologist", "engineer", "climber", "medic", "leader")


def test_no_two_games_share_a_seed() -> None:
    stretches = sorted(
        (seed_of(suite, cell, 0), seed_of(suite, cell, suites.CELL_SEEDS - 1)) for suite in SUITES for cell in CELLS
    )
    assert len(stretches) == 27
    assert all(last < first for (_, last), (first, _) in pairwise(stretches))
    for suite, first in SUITES.items():
        assert max(seed_of(suite, cell, suites.CELL_SEEDS - 1) for cell in CELLS) < first + suites.SUITE_SEEDS


@pytest.mark.parametrize("cell", CELLS)
def test_all_teams_of_a_size_take_turns(cell: str) -> None:
    size = CELLS[cell].cavers
    teams = comb(8, size)
    played = Counter(team_of(cell, game) for game in range(3 * teams))
    assert len(played) == teams
    assert set(played.values()) == {3}
    assert gcd(suites.TEAM_STEP[size], teams) == 1


@pytest.mark.parametrize("cell", ["normal-4", "normal-5", "normal-6"])
def test_a_few_games_are_already_of_all_sorts(cell: str) -> None:
    games = 12
    seen = Counter(name for game in range(games) for name in team_of(cell, game))
    fair = games * CELLS[cell].cavers / 8
    assert all(0.6 * fair <= seen[name] <= 1.4 * fair for name in SUBTERRA.notation.CAVER_NAMES)


def test_tables_agree_the_official_defaults() -> None:
    team = team_of("expert-5", 9)
    assert agreed_at("expert-5", team) == SUBTERRA.options(cavers=team, difficulty="expert", rules="official")


def test_cells_are_named_in_any_order() -> None:
    assert [cell.name for cell in cells_named("expert-6, normal-4,expert-6")] == ["normal-4", "expert-6"]


def test_what_there_is_not_is_named() -> None:
    with pytest.raises(SuiteError, match=r"'normal-7'; there are normal-4, .*expert-6"):
        cells_named("normal-4,normal-7")
    with pytest.raises(SuiteError, match="'exam'; there are train, dev, test"):
        seed_of("exam", "normal-4", 0)
    with pytest.raises(SuiteError, match="'easy-4'"):
        seed_of("dev", "easy-4", 0)
    for game in (-1, suites.CELL_SEEDS):
        with pytest.raises(SuiteError, match=f"number {game}"):
            seed_of("dev", "normal-4", game)
