"""How well a network plays without search: games of given luck, all played side by side to their ends."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from subterra_env.agents.mlp import Inputs, Mlp, answer_of
from subterra_env.agents.playouts import TO_THE_END, best_answers, step_together
from subterra_env.agents.standings import rate

from subterra_env.envs.expedition import game_states
from subterra_env.envs.rewards import MEDALS, Outcome, outcome_of
from subterra_env.game import SUBTERRA


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


def games_played(net: Mlp, tables: Sequence[Any], keys: Sequence[np.uint64]) -> list[Outcome]:
    """How games ended in which a network gave the answer it likes best.

    ``tables``: options, one a game; ``keys``: luck keys, as many.
    """
    states = game_states(SUBTERRA, [SUBTERRA.record.begun(*game)[0] for game in zip(tables, keys, strict=True)])
    SUBTERRA.engine.settle_chance(states)
    inputs = Inputs(net.inputs, len(states))
    masks = np.zeros((len(states), SUBTERRA.actions.ACTIONS), np.int8)
    answers = np.zeros(len(states), np.int64)
    going_on = len(states)
    while going_on:
        SUBTERRA.engine.legal_masks(states, masks)
        logits, _ = answer_of(net, inputs.see(states))
        best_answers(logits, masks, answers)
        going_on = step_together(states, answers, TO_THE_END)
    return [outcome_of(SUBTERRA, states[i : i + 1]) for i in range(len(states))]
