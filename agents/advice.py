"""What to expect of some answers: games played to their end by the rules bot, all answers under the same luck.

The chances are those of a team that plays on like the rules bot: a better team does better, but what is better for the
one is mostly better for the other. They describe answers and do not rank them; agents rank by their own judgement.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from subterra_env.agents.base import Advice, Budget
from subterra_env.agents.fates import RISKS, Fate, play_out
from subterra_env.agents.halving import Samples
from subterra_env.agents.rules_bot import rules_action

from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.terms import Chance, Ending, Node

GAMES = 200
"""Games played out for each answer if time allows: chances are then known to 7 % or better."""
FEWEST_GAMES = 2
"""Without two there is no interval."""
STEPS = 8
"""Steps of the likely continuation that are told: about a caver's turn."""
PLANNING = 2 / 3
"""Share of the milliseconds of a budget that goes to comparing answers; the forecast takes the rest."""
_HALF = 0.5
"""Part of the time left that a batch is planned to take: games differ in length, so the last batches are small."""
_MS = 1000.0
_KEYS = 1 << 64
_MEDALS = (Ending.GOLD, Ending.SILVER, Ending.BRONZE)


class Shares:
    """How a budget is shared between an agent that compares answers and the forecast; the clock starts here.

    A budget in simulations is all the agent's: the forecast's games are beside it.
    """

    def __init__(self, budget: Budget | None) -> None:
        # Machine code is loaded by the first call, which is no thinking time.
        play_out(np.zeros(1, SUBTERRA.dtype), np.zeros(0, np.int64), np.zeros(0, np.uint64), *_unwritten(0, 0, 0))
        self.planning, self.end = budget, None
        if budget is not None and budget.milliseconds is not None:
            self.planning = Budget(milliseconds=budget.milliseconds * PLANNING)
            self.end = perf_counter() + budget.milliseconds / _MS


def forecast(
    view: np.ndarray, ranked: Sequence[tuple[int, int]], rng: np.random.Generator, end: float | None = None
) -> list[Advice]:
    """Advice on answers, in the order given: pairs of an action id and the simulations already spent on it.

    ``view``: one state at a question, shape (1,); ``rng``: draws the luck of the games; ``end``: the `perf_counter` at
    which no more games are begun.
    """
    answers = np.array([answer for answer, _ in ranked], np.int64)
    games = _played(view, answers, rng, end)
    saved = Samples(len(answers))
    saved.add(np.arange(len(answers)), (games.fates == Fate.SAVED).sum(axis=2).astype(np.float64))
    return [_advice(view, games, saved, i, *ranked[i]) for i in range(len(answers))]


@dataclass
class _Games:
    """Games played to their end: a row an answer, a column a luck key."""

    keys: np.ndarray
    endings: np.ndarray
    fates: np.ndarray


def _unwritten(answers: int, keys: int, cavers: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty((answers, keys), np.int8), np.empty((answers, keys, cavers), np.int8)


def _played(view: np.ndarray, answers: np.ndarray, rng: np.random.Generator, end: float | None) -> _Games:
    """As many games after each answer as there is time for."""
    batches: list[_Games] = []
    left, columns = GAMES, GAMES if end is None else FEWEST_GAMES
    while columns > 0:
        begun = perf_counter()
        batches.append(_batch(view, answers, rng, columns))
        left -= columns
        now = perf_counter()
        columns = min(left, 0 if end is None else int((end - now) * _HALF * columns / (now - begun)))
    return _Games(
        np.concatenate([batch.keys for batch in batches]),
        np.concatenate([batch.endings for batch in batches], axis=1),
        np.concatenate([batch.fates for batch in batches], axis=1),
    )


def _batch(view: np.ndarray, answers: np.ndarray, rng: np.random.Generator, columns: int) -> _Games:
    keys = rng.integers(_KEYS, size=columns, dtype=np.uint64)
    endings, fates = _unwritten(len(answers), columns, int(view["caver_count"][0]))
    play_out(view, answers, keys, endings, fates)
    return _Games(keys, endings, fates)


def _advice(view: np.ndarray, games: _Games, saved: Samples, i: int, answer: int, simulations: int) -> Advice:
    gold, silver, bronze = (float((games.endings[i] == medal).mean()) for medal in _MEDALS)
    mean, (low, high) = float(saved.means()[i]), saved.interval(i)
    typical = int(np.argmin(np.abs(saved.table[i] - mean)))
    return Advice(
        action=answer,
        word=SUBTERRA.notation.action_word(view[0], answer),
        gold=gold,
        silver=silver,
        bronze=bronze,
        defeat=float((~np.isin(games.endings[i], _MEDALS)).mean()),
        saved=mean,
        saved_interval=(max(low, 0.0), min(high, float(games.fates.shape[2]))),
        simulations=simulations + len(games.keys),
        expected_line=_continuation(view, answer, games.keys[typical]),
        main_risk=_main_risk(games.endings[i], games.fates[i]),
    )


def _main_risk(endings: np.ndarray, fates: np.ndarray) -> str | None:
    """What befalls most of those left behind, in most of the lost games; None if no game is lost."""
    lost = fates[~np.isin(endings, _MEDALS)]
    if len(lost) == 0:
        return None
    befallen = np.stack([(lost == fate).sum(axis=1) for fate in RISKS], axis=1)
    counts = np.bincount(befallen.argmax(axis=1), minlength=len(RISKS))
    return f"{list(RISKS.values())[int(counts.argmax())]} (in {counts.max()} of {len(fates)} games)"


def _continuation(view: np.ndarray, answer: int, key: np.uint64) -> tuple[str, ...]:
    """How the game of a key goes on after an answer: what is done, luck in brackets, a caver's name where it begins."""
    states, speaker, steps = view.copy(), SUBTERRA.notation.caver_name(view[0], view["asked"][0]), list[str]()
    states["luck"] = key
    SUBTERRA.engine.apply(states, answer)
    while len(steps) < STEPS and states["node"][0] != Node.END:
        who, step = _next_step(states)
        steps.append(step if who in (None, speaker) else f"{who}: {step}")
        speaker = who or speaker
    if states["node"][0] == Node.END:
        steps.append(f"the end: {SUBTERRA.notation.result(states[0]).end}")
    return tuple(steps)


def _next_step(states: np.ndarray) -> tuple[str | None, str]:
    """Who does or rolls something, and what; the game has gone on past it."""
    notation, engine = SUBTERRA.notation, SUBTERRA.engine
    if states["node"][0] == Node.ASK:
        answer = int(rules_action(states))
        told = notation.caver_name(states[0], states["asked"][0]), notation.action_word(states[0], answer)
        engine.apply(states, answer)
        return told
    outcome = engine.lucky(states)
    told = notation.checker_name(states[0]), f"[{_chance_step(states[0], notation.outcome_word(states[0], outcome))}]"
    engine.apply_chance(states, outcome)
    return told


def _chance_step(state: np.void, outcome: str | int) -> str:
    if state["chance"] == Chance.DIE:
        return f"rolls {outcome} for {SUBTERRA.notation.purpose_word(state)}"
    return f"hazard: {outcome}" if state["chance"] == Chance.HAZARD else f"draws {outcome}"
