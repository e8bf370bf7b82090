"""Simulations a second of the agent `mcts`, and of OpenSpiel's MCTS bot on backgammon, measured in turn.

Run as ``python tests/speed/openspiel_mcts.py`` where OpenSpiel is installed too (``pip install open_spiel``; measured
with 2.0.2); the project itself does not need it. OpenSpiel's bot is the one in C++ with random rollouts to the end of
the game, one a leaf. Both search many positions from the middle of games, with as many simulations in each, on one
thread.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np
import pyspiel
from subterra_env.agents.base import Budget, legal_answers, load
from subterra_env.agents.rules_bot import rules_action
from subterra_env.agents.suites import CELLS, agreed_at, team_of

from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra.terms import Node

AGENTS = ("mcts", "mcts:leaf=evaluation")
POSITIONS = 40
SIMULATIONS = 1000
"""About what a caver's answer gets in benchmarks."""
REPEATS = 3
"""All are measured so often, in turn; the median counts, so that other programs disturb it less."""
WANTED = 20
EXPLORATION = 2.0
"""OpenSpiel's own example of it."""
MEGABYTES = 1000
BACKGAMMON_DECISIONS = (10, 60)
"""Random games are about 150 decisions long; they are broken off after so many."""
SUBTERRA_DECISIONS = (20, 120)


def backgammon_positions(rng: np.random.Generator) -> list[pyspiel.State]:
    """Positions of random games where a player is to move."""
    game, found = pyspiel.load_game("backgammon"), []
    while len(found) < POSITIONS:
        state, left = game.new_initial_state(), rng.integers(*BACKGAMMON_DECISIONS)
        while not state.is_terminal() and (left > 0 or state.is_chance_node()):
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=odds)))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
                left -= 1
        if not state.is_terminal():
            found.append(state)
    return found


def subterra_positions(rng: np.random.Generator) -> list[np.ndarray]:
    """Views of the rules bot's games, of all difficulties and team sizes, where there is something to choose."""
    found: list[np.ndarray] = []
    cells = list(CELLS)
    while len(found) < POSITIONS:
        cell = cells[len(found) % len(cells)]
        key = luck_key(int(rng.integers(1 << 32)))
        states = SUBTERRA.record.begun(agreed_at(cell, team_of(cell, len(found))), key)
        SUBTERRA.engine.settle_chance(states)
        left = rng.integers(*SUBTERRA_DECISIONS)
        while left > 0 and states["node"][0] != Node.END:
            SUBTERRA.engine.step(states, int(rules_action(states)))
            left -= 1
        if states["node"][0] == Node.ASK:
            found.append(SUBTERRA.view(states))
    return found


def openspiel_searches(positions: list[pyspiel.State]) -> int:
    """Searches every position; the number of simulations."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(positions[0].get_game(), evaluator, EXPLORATION, SIMULATIONS, MEGABYTES, False, 0, False)
    for position in positions:
        bot.step(position)
    return SIMULATIONS * len(positions)


def own_searches(name: str, positions: list[np.ndarray]) -> int:
    """Searches every position; the number of simulations."""
    agent, rng = load(name), np.random.default_rng(0)
    for position in positions:
        agent.act(position, legal_answers(position), rng, Budget(simulations=SIMULATIONS))
    return agent.simulations


def per_second(searches: Callable[[], int]) -> float:
    """Simulations a second."""
    begun = perf_counter()
    return searches() / (perf_counter() - begun)


def main() -> None:
    """Prints simulations a second and ratios."""
    rng = np.random.default_rng(0)
    theirs, ours = backgammon_positions(rng), subterra_positions(rng)
    own_searches(AGENTS[0], ours[:1])  # loads the machine code
    rates: dict[str, list[float]] = {}
    for _ in range(REPEATS):
        rates.setdefault("OpenSpiel", []).append(per_second(lambda: openspiel_searches(theirs)))
        for name in AGENTS:
            rates.setdefault(name, []).append(per_second(lambda name=name: own_searches(name, ours)))
    slow = float(np.median(rates["OpenSpiel"]))
    print(f"{'OpenSpiel, backgammon, random rollouts':40} {slow:9,.0f} simulations a second")
    for name in AGENTS:
        rate = float(np.median(rates[name]))
        print(f"{name:40} {rate:9,.0f} simulations a second, {rate / slow:.1f} times as many (wanted: {WANTED})")


if __name__ == "__main__":
    main()
