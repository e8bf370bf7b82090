"""The benchmark: agents play the games of `suites`, one process or several, and every result is kept at once."""

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from importlib.metadata import version
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from subterra_env.agents.base import Agent, AgentError, Budget, legal_answers, load
from subterra_env.agents.results import Fixture, ResultsFile, Row
from subterra_env.agents.suites import CELLS, Cell, agreed_at, seed_of, team_of

from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra.terms import Node, Phase
from subterra_env.seeds import choices_generator

PACKAGE = "subterra_env"
SHARE = 3
"""Each question of a turn gets one part in so many of what is left of the turn's budget: the first ones, which decide
on what follows, get most, and however many there are, the turn's budget is not overdrawn."""
LEAST_MILLISECONDS = 0.1
"""What a question gets once its turn's milliseconds are used up: a budget cannot be nothing."""
MOST_DEATHS = 3
"""Workers that one game may cost before it is the game's fault."""
SPEED_SECONDS = 300.0
"""The time left is guessed from as many of the last seconds: agents and cells in turn differ in speed."""
_MS = 1000.0


class TournamentError(ValueError):
    """A game that cannot be played; the message names it."""


class AgentFaultError(RuntimeError):
    """An agent's own fault in a worker, with the traceback from there."""


class TurnBudget:
    """Shares out among the questions of a caver's turn what an agent may think for it.

    A question outside the turns, such as which way a horror comes, counts as a turn of its own.
    """

    def __init__(self, states: np.ndarray, budget: Budget | None) -> None:
        """``states``: the only game, which goes on in place."""
        self._states, self._budget = states, budget
        self._left = 0.0
        self._turn: tuple[int, ...] = ()

    def share(self) -> Budget | None:
        """What the agent may think for the question the game stands at; None leaves it to the agent."""
        if self._budget is None:
            return None
        turn = tuple(int(self._states[name][0]) for name in ("round_number", "seat", "phase"))
        if turn != self._turn or turn[-1] != Phase.ACTION:
            self._turn = turn
            self._left = self._budget.simulations or self._budget.milliseconds or 0.0
        if self._budget.simulations is not None:
            simulations = max(1, int(self._left) // SHARE)
            self._left -= simulations
            return Budget(simulations=simulations)
        return Budget(milliseconds=max(LEAST_MILLISECONDS, self._left / SHARE))

    def spend(self, milliseconds: float) -> None:
        """Takes what was really used off the turn's milliseconds."""
        if self._budget is not None and self._budget.milliseconds is not None:
            self._left -= milliseconds


@cache
def ready_agent(name: str) -> Agent:
    """The agent of that name, one in each process, with its machine code loaded. Raises `base.AgentError`.

    It answers a question that does not count, so that no game's time is that of compiling.
    """
    agent = load(name)
    states = SUBTERRA.record.begun(SUBTERRA.options())
    SUBTERRA.engine.settle_chance(states)
    view = SUBTERRA.view(states)
    agent.act(view, legal_answers(view), np.random.default_rng(0), Budget(simulations=1))
    return agent


def play(fixture: Fixture) -> Row:
    """Plays a game to its end. Raises `TournamentError` if the agent gives an illegal answer.

    The agent is shown one view and one mask, written anew for each question: what it wants to keep it must copy. Only
    those who are to see the luck key are shown it.
    """
    agent, engine = ready_agent(fixture.agent), SUBTERRA.engine
    seed, team = seed_of(fixture.suite, fixture.cell, fixture.game), team_of(fixture.cell, fixture.game)
    states = SUBTERRA.record.begun(agreed_at(fixture.cell, team), luck_key(seed))
    engine.settle_chance(states)
    rng = choices_generator(seed)
    turn = TurnBudget(states, None if fixture.budget is None else Budget.parse(fixture.budget))
    view, masks = SUBTERRA.view(states), np.zeros((1, SUBTERRA.actions.ACTIONS), np.int8)
    # Looked up once: a field of an array, or a member of an enumeration, takes about as long as a whole step.
    node, luck, mask, end = states["node"], view["luck"], masks[0], int(Node.END)
    simulations, decisions, thought = agent.simulations, 0, 0.0
    while node[0] != end:
        engine.copy_into(states, view)
        if not agent.SEES_LUCK:
            luck[0] = 0
        engine.legal_masks(states, masks)
        budget = turn.share()
        start = perf_counter()
        action = agent.act(view, mask, rng, budget)
        took = (perf_counter() - start) * _MS
        if not engine.legal(states, int(action)):
            possible = SUBTERRA.notation.possible_now(states[0])
            raise TournamentError(f"{fixture}: the agent chose action id {action}; {possible}")
        engine.step(states, int(action))
        turn.spend(took)
        thought += took
        decisions += 1
    result = SUBTERRA.notation.result(states[0])
    return Row(
        **fixture._asdict(),
        reference=agent.REFERENCE,
        team=team,
        seed=seed,
        ending=result.end,
        saved=len(team) - len(result.left_behind),
        cavers=len(team),
        rounds=result.rounds,
        decisions=decisions,
        ms=round(thought, 3),
        sims=int(agent.simulations - simulations),
        rules_version=SUBTERRA.rules_version,
        version=_version(),
    )


@cache
def _version() -> str:
    return version(PACKAGE)


def fixtures(
    agents: Sequence[str], budget: str | None, suite: str, cells: Sequence[Cell], games: int
) -> Iterator[Fixture]:
    """All games of a benchmark. Wherever it is broken off, all cells and agents have played about as many."""
    for game in range(games):
        for cell in cells:
            for agent in dict.fromkeys(agents):
                yield Fixture(agent, budget, suite, cell.name, game)


def bench(
    output: Path,
    agents: Sequence[str],
    suite: str,
    games: int,
    budget: str | None = None,
    cells: Sequence[Cell] = tuple(CELLS.values()),
    jobs: int = 1,
    console: Console | None = None,
) -> list[Row]:
    """Plays what is missing in a file of results, and shows how far it is; all games of the file.

    Raises what `base.load`, `Budget.parse`, `suites.seed_of`, `results.ResultsFile` and `played` raise.
    """
    if budget is not None:
        Budget.parse(budget)
    for cell in cells:
        seed_of(suite, cell.name, games - 1)
    for agent in agents:
        ready_agent(agent)
    wanted = list(fixtures(agents, budget, suite, cells, games))
    with ResultsFile(output, suite) as file:
        rows = file.rows
        there = {row.fixture for row in rows}
        missing = [fixture for fixture in wanted if fixture not in there]
        with closing(played(missing, jobs)) as new_rows, _progress_bar(console or Console(stderr=True)) as bar:
            task = bar.add_task("games", total=len(wanted), completed=len(wanted) - len(missing))
            for row in new_rows:
                file.add(row)
                rows.append(row)
                bar.advance(task)
    return rows


def _progress_bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    return Progress(*columns, *times, console=console, speed_estimate_period=SPEED_SECONDS)


def played(to_play: Iterable[Fixture], jobs: int) -> Generator[Row, None, None]:
    """Plays games in this process or in several, and yields each as soon as it is over.

    Raises `TournamentError` for a game that workers keep dying of, and `AgentFaultError` for an agent that fails in
    one.
    """
    waiting = deque(to_play)
    if jobs > 1 and len(waiting) > 1:
        yield from _played_by_workers(waiting, jobs)
    else:
        yield from map(play, waiting)


def _played_by_workers(waiting: deque[Fixture], jobs: int) -> Iterator[Row]:
    """A game whose worker dies is the next to be played."""
    deaths: Counter[Fixture] = Counter()
    busy: dict[Connection, _Worker] = {}
    with _one_thread_each():
        try:
            while waiting or busy:
                while waiting and len(busy) < jobs:
                    worker = _Worker()
                    busy[worker.connection] = worker
                    worker.start(waiting.popleft())
                for connection in wait(list(busy)):
                    worker = busy[connection]  # type: ignore[index]
                    try:
                        row = worker.row()
                    except EOFError:
                        del busy[worker.connection]
                        worker.stop()
                        waiting.appendleft(worker.fixture)
                        deaths[worker.fixture] += 1
                        if deaths[worker.fixture] == MOST_DEATHS:
                            raise TournamentError(_cause_of_death(worker)) from None
                        continue
                    if waiting:
                        worker.start(waiting.popleft())
                    else:
                        del busy[worker.connection]
                        worker.stop()
                    yield row
        finally:
            for worker in busy.values():
                worker.stop()


def _cause_of_death(worker: "_Worker") -> str:
    return f"{worker.fixture}: {MOST_DEATHS} workers died of it, the last with exit code {worker.exit_code()}"


class _Worker:
    """A process of its own that plays one game after another."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other_end = context.Pipe()
        self.fixture = Fixture("", None, "", "", 0)
        self._process = context.Process(target=_serve, args=(other_end,), daemon=True)
        self._process.start()
        # With no other copy open, the end of the process is the end of the connection.
        other_end.close()

    def start(self, fixture: Fixture) -> None:
        """Sends it a game to play."""
        self.fixture = fixture
        with suppress(BrokenPipeError):
            self.connection.send(fixture)

    def row(self) -> Row:
        """The result of that game. Raises what the game raised, EOFError if the process is dead."""
        try:
            answer = self.connection.recv()
        except ConnectionError:
            raise EOFError from None
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    def exit_code(self) -> int | None:
        """How the process ended; None while it runs."""
        return self._process.exitcode

    def stop(self) -> None:
        """Ends it, whatever it does."""
        self._process.terminate()
        self._process.join()
        self.connection.close()


def _serve(connection: Connection) -> None:
    """What a worker does. An interrupt from the keyboard is its parent's to deal with."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(_row_or_error(connection.recv()))


def _row_or_error(fixture: Fixture) -> Row | Exception:
    """Other errors than the project's own may not survive being sent: their text does."""
    try:
        return play(fixture)
    except (TournamentError, AgentError) as error:
        return error
    except Exception:
        return AgentFaultError(f"{fixture}\n{traceback.format_exc()}")


def _end_with_parent() -> None:
    """A game under way would otherwise go on for nobody when its parent is killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Workers share the cores among them; libraries read the variable when they are first imported."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
