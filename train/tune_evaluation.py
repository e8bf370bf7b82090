"""Fits the weights of the hand evaluation (`agents.evaluation`) to games that an agent plays on the train seeds.

``python -m subterra_env.train.tune_evaluation`` makes the weights that the project ships. Each phase and head is a
logistic regression of its own: the chance of a medal, and the share of the team saved, from the terms of positions in
the course of games. How well they do is measured on games that were left out.
"""

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.progress import track
from subterra_env.agents.base import load
from subterra_env.agents.evaluation import HEADS, PHASES, SIGHT, TERMS, WEIGHTS_FILE, by_name, write_rows
from subterra_env.agents.suites import CELLS, agreed_at, seed_of, team_of

from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra.terms import Node
from subterra_env.seeds import choices_generator

SUITE = "train"
EVERY = 7
"""Answers from one position that is learned from to the next; no divisor of what a round usually has."""
LEFT_OUT = 10
"""One game in so many is kept for measuring."""
GAMES_A_TASK = 20
PENALTY = 1e-5
"""Of the sum of squared weights, so that terms that are always 0 in a phase weigh nothing."""
MEDALS = ("gold", "silver", "bronze")


@dataclass(frozen=True)
class Positions:
    """What is learned from.

    ``rows``: float64[n, terms]; ``phases``: int64[n]; ``ends``: float64[n, heads], how the game ended: medal or none,
    share saved; ``games``: int64[n], numbers of the games.
    """

    rows: np.ndarray
    phases: np.ndarray
    ends: np.ndarray
    games: np.ndarray


def positions_of(agent_name: str, numbers: range) -> Positions:
    """Positions from the games of these numbers, which go through all cells in turn."""
    agent, cells = load(agent_name), list(CELLS)
    found = []
    for number in numbers:
        cell, game = cells[number % len(cells)], number // len(cells)
        seed = seed_of(SUITE, cell, game)
        states = SUBTERRA.record.begun(agreed_at(cell, team_of(cell, game)), luck_key(seed))
        SUBTERRA.engine.settle_chance(states)
        view, masks = SUBTERRA.view(states), np.zeros((1, SUBTERRA.actions.ACTIONS), np.int8)
        node, luck, kept, rng, answers = states["node"], view["luck"], [], choices_generator(seed), number
        while node[0] != Node.END:
            if answers % EVERY == 0:
                kept.append(states.copy())
            SUBTERRA.engine.copy_into(states, view)
            luck[0] = 0
            SUBTERRA.engine.legal_masks(states, masks)
            SUBTERRA.engine.step(states, agent.act(view, masks[0], rng))
            answers += 1
        found.append(_looked_at(kept, states, number))
    return _together(found)


def _looked_at(kept: list[np.ndarray], end: np.ndarray, number: int) -> Positions:
    """The terms of a game's positions, beside how it ended."""
    states = np.empty(len(kept), SUBTERRA.dtype)
    for i, one in enumerate(kept):
        states[i] = one[0]
    rows, phases = np.empty((len(kept), len(TERMS))), np.empty(len(kept), np.int64)
    write_rows(states, rows, phases, np.zeros(1, SIGHT))
    result = SUBTERRA.notation.result(end[0])
    ends = (float(result.end in MEDALS), 1 - len(result.left_behind) / int(end["caver_count"][0]))
    return Positions(rows, phases, np.tile(ends, (len(kept), 1)), np.full(len(kept), number))


def _together(parts: list[Positions]) -> Positions:
    names = ("rows", "phases", "ends", "games")
    return Positions(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def gather(agent_name: str, games: int, jobs: int) -> Positions:
    """Positions from so many games, played by so many processes."""
    tasks = [range(first, min(games, first + GAMES_A_TASK)) for first in range(0, games, GAMES_A_TASK)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as workers:
        parts = workers.map(positions_of, [agent_name] * len(tasks), tasks)
        return _together(list(track(parts, "games", len(tasks))))


def fit(rows: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The weights of one phase, float64[heads, terms], by logistic regression; fractions are targets like any other."""
    from scipy.optimize import minimize

    found = []
    for end in ends.T:

        def loss(weights: np.ndarray, end: np.ndarray = end) -> tuple[float, np.ndarray]:
            scores = rows @ weights
            value = np.logaddexp(0, scores).mean() - (end * scores).mean() + PENALTY * (weights**2).sum()
            slope = rows.T @ (1 / (1 + np.exp(-scores)) - end) / len(rows) + 2 * PENALTY * weights
            return float(value), slope

        found.append(minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x)
    return np.array(found)


def report(weights: np.ndarray, positions: Positions) -> Iterator[str]:
    """A line a phase: mean squared errors beside those of a constant, and how well games with a medal are told."""
    for phase, name in enumerate(PHASES):
        chosen = positions.phases == phase
        ends = positions.ends[chosen]
        told = 1 / (1 + np.exp(-positions.rows[chosen] @ weights[phase].T))
        errors = ((told - ends) ** 2).mean(axis=0) / ends.var(axis=0)
        shares = ", ".join(f"{head} {1 - error:.1%} explained" for head, error in zip(HEADS, errors, strict=True))
        yield f"{name:11} {len(ends):7} positions: {shares}, area under the curve {area(told[:, 0], ends[:, 0]):.3f}"


def area(told: np.ndarray, medals: np.ndarray) -> float:
    """How often a game with a medal is given more than one without (area under the ROC curve)."""
    ranks = np.empty(len(told))
    ranks[np.argsort(told, kind="stable")] = np.arange(1, len(told) + 1)
    won = medals.sum()
    return float((ranks[medals > 0].sum() - won * (won + 1) / 2) / (won * (len(told) - won)))


def tune(agent_name: str, games: int, jobs: int) -> tuple[np.ndarray, list[str]]:
    """Weights, float64[phases, heads, terms], and what can be said of them."""
    positions = gather(agent_name, games, jobs)
    left_out = positions.games % LEFT_OUT == 0
    weights = np.array([
        fit(positions.rows[chosen], positions.ends[chosen])
        for chosen in (~left_out & (positions.phases == phase) for phase in range(len(PHASES)))
    ])  # fmt: skip
    apart = Positions(*(part[left_out] for part in (positions.rows, positions.phases, positions.ends, positions.games)))
    return weights, list(report(weights, apart))


def main(arguments: list[str] | None = None) -> int:
    """The command: plays, fits, prints how well, and writes the weights."""
    parser = argparse.ArgumentParser(prog="tune_evaluation", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agent", default="rules", help="who plays the games")
    parser.add_argument("--games", type=int, default=27_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).parent.parent / "agents" / WEIGHTS_FILE)
    given = parser.parse_args(arguments)
    weights, lines = tune(given.agent, given.games, given.jobs)
    print(*lines, sep="\n")
    given.output.write_text(json.dumps(by_name(weights), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
