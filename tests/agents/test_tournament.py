"""The benchmark's machinery: the same games whatever it runs on, and nothing lost that was played."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from subterra_env.agents import tournament
from subterra_env.agents.base import Agent, AgentError, Budget
from subterra_env.agents.results import Fixture, ResultsError, Row, read
from subterra_env.agents.suites import CELLS, agreed_at, cells_named, seed_of, team_of
from subterra_env.agents.tournament import AgentFaultError, TournamentError, TurnBudget, bench, fixtures, play, played

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.state import NOBODY, STATE
from subterra_env.games.subterra.terms import Node, Phase

ROOT = Path(__file__).parent.parent.parent
ME = "tests.agents.test_tournament"
SECONDS = 60
"""More than any process started here takes."""


class First(Agent):
    """The first legal answer."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return int(np.flatnonzero(mask)[0])


class Careful(First):
    """Sees no luck, meets only questions, and counts a simulation for each it is allowed."""

    REFERENCE = True

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        assert view["luck"][0] == 0
        assert view["node"][0] == Node.ASK
        assert np.flatnonzero(mask).tolist() == SUBTERRA.notation.legal_ids(view[0])
        self.simulations += 3 if budget is None else budget.simulations or 0
        return super().act(view, mask, rng, budget)


class Mortal(First):
    """Kills its process in the second round of a game, unless it has done so before."""

    def __init__(self, marker: str) -> None:
        self.marker = Path(marker)

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        if view["round_number"][0] == 2 and not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().act(view, mask, rng, budget)


class Doomed(First):
    """Kills its process in every game of one team."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        if team_in(view) == team_of("normal-4", 2):
            os._exit(3)
        return super().act(view, mask, rng, budget)


class Faulty(First):
    """Falls over in one team's games."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return [][1] if team_in(view) == team_of("normal-4", 2) else super().act(view, mask, rng, budget)


class Cheat(Agent):
    """Answers what was not asked."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        return int(np.flatnonzero(mask == 0)[0])


class Slow(First):
    """Takes its time, so that there is some to interrupt it in; in a worker, no end of it over one team's games."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        stuck = multiprocessing.parent_process() is not None and team_in(view) == team_of("normal-4", 2)
        time.sleep(10 * SECONDS if stuck else 0.0005)
        return super().act(view, mask, rng, budget)


def team_in(view: np.ndarray) -> tuple[str, ...]:
    state = view[0]
    return tuple(SUBTERRA.notation.caver_name(state, seat) for seat in range(state["caver_count"]))


def games(agent: str, number: int, cell: str = "normal-4", budget: str | None = None) -> list[Fixture]:
    return list(fixtures([agent], budget, "dev", cells_named(cell), number))


def apart_from_time(rows: list[Row]) -> list[dict[str, Any]]:
    return sorted((row.model_dump(exclude={"ms"}) for row in rows), key=str)


# budgets


def standing_at(round_number: int, seat: int, phase: Phase = Phase.ACTION) -> np.ndarray:
    states = np.zeros(1, STATE)
    states["round_number"], states["seat"], states["phase"] = round_number, seat, phase
    return states


def test_questions_of_a_turn_share_its_simulations() -> None:
    states = standing_at(1, 0)
    turn = TurnBudget(states, Budget(simulations=200))
    shares = [turn.share() for _ in range(5)]
    assert shares == [Budget(simulations=share) for share in (66, 44, 30, 20, 13)]
    states[:] = standing_at(1, 1)
    assert turn.share() == Budget(simulations=66)
    states[:] = standing_at(2, 1)
    assert turn.share() == Budget(simulations=66)


def test_every_question_gets_a_simulation() -> None:
    turn = TurnBudget(standing_at(1, 0), Budget(simulations=1))
    assert [turn.share() for _ in range(3)] == [Budget(simulations=1)] * 3


def test_milliseconds_are_counted_as_they_were_used() -> None:
    turn = TurnBudget(standing_at(1, 0), Budget(milliseconds=90))
    assert turn.share() == Budget(milliseconds=30)
    turn.spend(60)
    assert turn.share() == Budget(milliseconds=10)
    turn.spend(100)
    assert turn.share() == Budget(milliseconds=tournament.LEAST_MILLISECONDS)


def test_questions_outside_turns_are_turns_of_their_own() -> None:
    turn = TurnBudget(standing_at(1, NOBODY, Phase.HORROR), Budget(simulations=9))
    assert [turn.share() for _ in range(3)] == [Budget(simulations=3)] * 3


def test_without_a_budget_the_agent_decides() -> None:
    turn = TurnBudget(standing_at(1, 0), None)
    turn.spend(5)
    assert turn.share() is None


def test_budgets_reach_the_agent_and_are_kept() -> None:
    free = play(Fixture(f"{ME}:Careful", None, "dev", "normal-4", 0))
    assert free.sims == 3 * free.decisions
    counted = play(Fixture(f"{ME}:Careful", "30sims", "dev", "normal-4", 0))
    assert counted.decisions == free.decisions
    assert counted.decisions <= counted.sims < 10 * counted.decisions
    assert (counted.budget, counted.label) == ("30sims", f"{ME}:Careful @ 30sims")


# games


@pytest.mark.parametrize("agent", ["random", "rules"])
@pytest.mark.parametrize("cell", ["normal-4", "expert-6"])
def test_a_game_is_that_of_its_record(agent: str, cell: str) -> None:
    for game in range(3):
        row = play(Fixture(agent, None, "test", cell, game))
        team, seed = team_of(cell, game), seed_of("test", cell, game)
        lines = SUBTERRA.record.play_record(agreed_at(cell, team), seed, tournament.load(agent).act)
        record = [json.loads(line) for line in lines]
        end = record[-1]
        assert (row.ending, row.rounds, row.cavers - row.saved) == (end["end"], end["rounds"], len(end["left_behind"]))
        assert row.decisions == sum("ask" in line for line in record)
        assert (row.team, row.seed, row.cell, row.suite, row.game) == (team, seed, cell, "test", game)


def test_the_agent_sees_what_a_player_sees_and_rows_say_who_is_a_reference() -> None:
    assert play(Fixture(f"{ME}:Careful", None, "dev", "advanced-5", 1)).reference
    assert not play(Fixture(f"{ME}:First", None, "dev", "advanced-5", 1)).reference


def test_luck_does_not_depend_on_who_plays() -> None:
    first, rules = (play(Fixture(name, None, "dev", "normal-5", 4)) for name in (f"{ME}:First", "rules"))
    assert (first.team, first.seed) == (rules.team, rules.seed)


def test_an_illegal_answer_is_refused_by_name() -> None:
    with pytest.raises(TournamentError, match=rf"game 5 of expert-4 \(dev, {ME}:Cheat\): the agent chose action id 0;"):
        play(Fixture(f"{ME}:Cheat", None, "dev", "expert-4", 5))


def test_a_benchmark_broken_off_is_still_balanced() -> None:
    wanted = list(fixtures(["rules", "random", "rules"], None, "dev", list(CELLS.values()), 2))
    assert len(wanted) == len(set(wanted)) == 2 * 9 * 2
    assert {(fixture.cell, fixture.agent) for fixture in wanted[:18]} == {
        (cell, agent) for cell in CELLS for agent in ("rules", "random")
    }


# files


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Fixture]:
    """Games as they are played."""
    found: list[Fixture] = []

    def counting(fixture: Fixture, really: Callable[[Fixture], Row] = play) -> Row:
        found.append(fixture)
        return really(fixture)

    monkeypatch.setattr(tournament, "play", counting)
    return found


def test_only_what_is_missing_is_played(tmp_path: Path, counted: list[Fixture]) -> None:
    path = tmp_path / "results.jsonl"
    cells = cells_named("normal-4,expert-5")
    bench(path, ["random"], "dev", 2, cells=cells)
    assert len(counted) == 4
    rows = bench(path, ["random", "rules"], "dev", 3, cells=cells)
    assert len(counted) == len(set(counted)) == len(rows) == 12
    bench(path, ["rules"], "dev", 3, cells=cells)
    assert len(counted) == 12
    bench(path, ["rules"], "dev", 1, budget="5sims", cells=cells)
    assert len(counted) == 14
    assert apart_from_time(read(path).rows) == apart_from_time([play(fixture) for fixture in counted])


def test_a_game_cut_off_in_the_file_is_played_again(tmp_path: Path, counted: list[Fixture]) -> None:
    path = tmp_path / "results.jsonl"
    whole = bench(path, ["rules"], "dev", 3, cells=cells_named("normal-4"))
    path.write_bytes(path.read_bytes()[:-30])
    counted.clear()
    assert apart_from_time(bench(path, ["rules"], "dev", 3, cells=cells_named("normal-4"))) == apart_from_time(whole)
    assert counted == games("rules", 3)[2:]


def test_what_cannot_be_played_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for wrong in ({"agents": ["nobody"]}, {"suite": "exam"}, {"budget": "soup"}, {"games": 10**8}):
        with pytest.raises(ValueError, match=r"nobody|exam|soup|number 99999999"):
            bench(path, **{"agents": ["random"], "suite": "dev", "games": 1, **wrong})  # type: ignore[arg-type]
        assert not path.exists()
    bench(path, ["random"], "dev", 1, cells=cells_named("normal-4"))
    with pytest.raises(ResultsError, match="dev"):
        bench(path, ["random"], "test", 1)


def test_agents_are_checked_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="nobody"):
        bench(tmp_path / "results.jsonl", ["random", "nobody"], "dev", 1)


# workers


def test_workers_play_the_same_games(tmp_path: Path) -> None:
    cells = cells_named("normal-4,advanced-5,expert-6")
    alone = bench(tmp_path / "alone.jsonl", ["rules", "random"], "dev", 4, cells=cells)
    shared = bench(tmp_path / "shared.jsonl", ["rules", "random"], "dev", 4, cells=cells, jobs=2)
    assert apart_from_time(alone) == apart_from_time(shared)
    assert apart_from_time(read(tmp_path / "shared.jsonl").rows) == apart_from_time(shared)


def test_a_dead_worker_costs_only_its_game_a_second_try(tmp_path: Path) -> None:
    name = f"{ME}:Mortal:marker={tmp_path / 'died'}"
    rows = list(played(games(name, 6), jobs=2))
    assert (tmp_path / "died").exists()
    assert [row.game for row in sorted(rows, key=lambda row: row.game)] == list(range(6))
    expected = [play(fixture) for fixture in games(f"{ME}:First", 6)]
    assert apart_from_time(rows) == apart_from_time([row.model_copy(update={"agent": name}) for row in expected])


def test_a_game_that_workers_keep_dying_of_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with pytest.raises(TournamentError, match=r"game 2 of normal-4 .*Doomed\): 3 workers died of it.*exit code 3"):
        bench(path, [f"{ME}:Doomed"], "dev", 4, cells=cells_named("normal-4"), jobs=2)
    assert {0, 1} <= {row.game for row in read(path).rows} <= {0, 1, 3}


@pytest.mark.parametrize(
    ("agent", "error", "says"),
    [("Faulty", AgentFaultError, r"game 2 of normal-4(.|\n)*IndexError"), ("Cheat", TournamentError, "action id 0")],
)
def test_errors_in_workers_reach_whoever_asked(agent: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        list(played(games(f"{ME}:{agent}", 4), jobs=2))


def heed_interrupts() -> None:
    """Who was started in the background passes on that it is not to be interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_whatever_stops_it_the_same_command_goes_on(tmp_path: Path, end: signal.Signals) -> None:
    path, number = tmp_path / "results.jsonl", 40
    words = [f"{ME}:Slow", "--cells", "normal-4", "--games", str(number), "--jobs", "2", "-o", str(path)]
    command = [sys.executable, "-m", "subterra_env.play", "bench", *words]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    deadline = time.monotonic() + SECONDS
    while not path.exists() or path.read_bytes().count(b"\n") < 5:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(end)
    # Workers hold the other ends of these pipes: this returns when they are gone, too, even the one that is stuck.
    _, complaint = process.communicate(timeout=SECONDS)
    if end == signal.SIGINT:
        assert process.returncode == 130
        assert "the same command" in complaint
        assert "Traceback" not in complaint
    kept = read(path).rows
    assert 4 <= len(kept) < number
    rows = bench(path, [f"{ME}:Slow"], "dev", number, cells=cells_named("normal-4"))
    assert rows[: len(kept)] == kept
    assert sorted(row.game for row in rows) == list(range(number))
