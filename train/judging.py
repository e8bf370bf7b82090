"""How well answers are chosen without search: games of given luck, all played side by side to their ends."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from subterra_env.agents.mlp import Inputs, Mlp, answer_of
from subterra_env.agents.playouts import TO_THE_END, best_answers, step_together
from subterra_env.agents.standings import rate
from subterra_env.train.settings import FIRST_EVALUATION_SEED

from subterra_env.envs.expedition import game_states
from subterra_env.envs.rewards import MEDALS, Outcome, outcome_of
from subterra_env.game import SUBTERRA, luck_key


@dataclass(frozen=True)
class Score:
    """What games came to: how many, mean share saved with its standard error, medals, share not defeated."""

    games: int
    saved: float
    saved_error: float
    gold: float
    silver: float
    bronze: float
    success: float
    low: float
    """Lower end of the 95 % interval of ``success`` (Wilson 1927)."""
    high: float
    rounds: float


def score_of(outcomes: Sequence[Outcome]) -> Score:
    """The score of finished games, at least one."""
    saved = np.array([outcome.saved for outcome in outcomes])
    endings = [outcome.ending for outcome in outcomes]
    medals = [endings.count(medal) for medal in MEDALS]
    n = len(saved)
    rounds = float(np.mean([outcome.rounds for outcome in outcomes]))
    gold, silver, bronze = (count / n for count in medals)
    success, low, high = rate(sum(medals), n)
    error = float(saved.std() / math.sqrt(n))
    return Score(n, float(saved.mean()), error, gold, silver, bronze, success, low, high, rounds)


Choose = Callable[[np.ndarray, np.ndarray, np.ndarray], None]
"""Writes an answer for each of many states: from ``states[n]`` and int8[n, ACTIONS], what is legal, to int64[n]."""


def greedy(net: Mlp) -> Choose:
    """The answer that a network likes best."""

    def choose(states: np.ndarray, masks: np.ndarray, answers: np.ndarray) -> None:
        logits, _ = answer_of(net, Inputs(net.inputs, len(states)).see(states))
        best_answers(logits, masks, answers)

    return choose


def at_random(seed: int) -> Choose:
    """Any legal answer, each as likely as the others."""
    rng = np.random.default_rng(seed)

    def choose(_: np.ndarray, masks: np.ndarray, answers: np.ndarray) -> None:
        answers[:] = (masks * rng.random(masks.shape)).argmax(axis=1)

    return choose


def judged(choose: Choose, table: Mapping[str, Any], team: str, games: int) -> Score:
    """The score of the evaluation games at a table, the same for whoever plays; each team in turn if any may go."""
    named = SUBTERRA.options(**table)
    teams = SUBTERRA.coats.teams(len(named.cavers)) if team == "random" else [named.cavers]
    rest = {name: value for name, value in table.items() if name != "cavers"}
    tables = [SUBTERRA.options(cavers=teams[i % len(teams)], **rest) for i in range(games)]
    return score_of(games_played(choose, tables, [luck_key(FIRST_EVALUATION_SEED + i) for i in range(games)]))


def games_played(choose: Choose, tables: Sequence[Any], keys: Sequence[np.uint64]) -> list[Outcome]:
    """How games ended in which somebody chose every answer.

    ``tables``: options, one a game; ``keys``: luck keys, as many. Raises ValueError for an answer that is not legal.
    """
    states = game_states(SUBTERRA, [SUBTERRA.record.begun(*game)[0] for game in zip(tables, keys, strict=True)])
    SUBTERRA.engine.settle_chance(states)
    masks = np.zeros((len(states), SUBTERRA.actions.ACTIONS), np.int8)
    answers = np.zeros(len(states), np.int64)
    going_on = len(states)
    while going_on:
        SUBTERRA.engine.legal_masks(states, masks)
        choose(states, masks, answers)
        _check_legal(masks, answers)
        going_on = step_together(states, answers, TO_THE_END)
    return [outcome_of(SUBTERRA, states[i : i + 1]) for i in range(len(states))]


def _check_legal(masks: np.ndarray, answers: np.ndarray) -> None:
    """Games that are over have no legal answers, and take none."""
    wrong = np.flatnonzero(masks.any(axis=1) & (masks[np.arange(len(masks)), answers] == 0))
    if len(wrong):
        raise ValueError(f"game {wrong[0]}: action {answers[wrong[0]]} is not legal")
