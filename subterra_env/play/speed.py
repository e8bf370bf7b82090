"""How fast the project is here: a table of measurements, each with a name that stays."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from subterra_env.game import SUBTERRA
from subterra_env.jit import CACHE_VARIABLE

_PLAYOUTS = 500
_REPEATS = 80
_GAMES, _SHARED_GAMES = 256, 1024
_WARM_UP, _VECTOR_DECISIONS, _AEC_STEPS, _COPIES = 150, 32_000, 5_000, 250_000
_FIRST_USE = """
from subterra_env.game import SUBTERRA
states = SUBTERRA.record.begun(SUBTERRA.options())
SUBTERRA.engine.settle_chance(states)
SUBTERRA.engine.step(states, SUBTERRA.notation.legal_ids(states[0])[0])
SUBTERRA.engine.random_playouts(states, 1, 1)
"""
"""What is needed before the first game can be played, and played out."""


def playout() -> float:
    """Decisions a second of compiled random playouts on one core, the best of eighty short runs."""
    states = SUBTERRA.record.begun(SUBTERRA.options())
    SUBTERRA.engine.random_playouts(states, 0, 1)
    return round(max(_decisions_a_second(states, run) for run in range(_REPEATS)))


def _decisions_a_second(states: np.ndarray, run: int) -> float:
    start = time.perf_counter()
    decisions = SUBTERRA.engine.random_playouts(states, run, _PLAYOUTS)
    return float(decisions / (time.perf_counter() - start))


def compile_s() -> float:
    """Seconds until a first game has been played out in a new process with no machine code on disk."""
    with TemporaryDirectory() as empty:
        return _seconds_of_first_use(**{CACHE_VARIABLE: empty})


def start_s() -> float:
    """The same with the machine code on disk."""
    _seconds_of_first_use()
    return _seconds_of_first_use()


def _seconds_of_first_use(**environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", _FIRST_USE], env=os.environ | environment, stderr=subprocess.DEVNULL, check=True
    )
    return round(time.perf_counter() - start, 2)


def vector_flat() -> float:
    """Decisions a second of random legal play through the vector environment with masks and flat observations."""
    return _vector_speed(_GAMES, observation="flat")


def vector_plain() -> float:
    """The same without observations."""
    return _vector_speed(_GAMES, observation=None)


def vector_flat_2_threads() -> float:
    """The same with flat observations on two threads, with more games, as threads have to wait for each other."""
    return _vector_speed(_SHARED_GAMES, observation="flat", threads=2)


def _vector_speed(games: int, **options: Any) -> float:
    """Every game plays at a table of its own, with a team of its own, so all stand at different questions."""
    from subterra_env.envs.vector import SubTerraVectorEnv

    env = SubTerraVectorEnv(games, team="random", first="random", copy=False, **options)
    env.reset(seed=1)
    words, actions = np.zeros(1, np.uint64), np.zeros(games, np.int64)

    def play(steps: int) -> None:
        for _ in range(steps):
            SUBTERRA.batch.random_actions(env.states, words, actions)
            env.step(actions)

    play(_WARM_UP)
    return _best_rate(play, _VECTOR_DECISIONS // games, games)


def aec() -> float:
    """Decisions a second of an AEC loop with flat observations and a random pick from the mask."""
    from subterra_env import aec_env

    return _aec_speed(aec_env())


def pettingzoo_connect_four() -> float:
    """The same loop on PettingZoo's connect four."""
    from pettingzoo.classic import connect_four_v3

    return _aec_speed(connect_four_v3.raw_env())


def _aec_speed(env: Any) -> float:
    rng = np.random.default_rng(0)
    env.reset(seed=0)

    def play(steps: int) -> None:
        for _ in range(steps):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))

    play(_WARM_UP)
    return _best_rate(play, _AEC_STEPS, 1)


def _best_rate(play: Callable[[int], None], steps: int, games: int) -> float:
    """Decisions a second in the best of several runs: other programs can only slow a run down."""
    best = 0.0
    for _ in range(_REPEATS):
        start = time.perf_counter()
        play(steps)
        best = max(best, steps * games / (time.perf_counter() - start))
    return round(best)


def copy_ns() -> float:
    """Nanoseconds to copy a game in compiled code."""
    states = np.zeros(_GAMES, SUBTERRA.dtype)
    copies = np.zeros(_GAMES, SUBTERRA.dtype)
    SUBTERRA.engine.copies_in_a_row(states, copies, 1)
    rate = _best_rate(lambda times: SUBTERRA.engine.copies_in_a_row(states, copies, times), _COPIES, 1)
    return round(1e9 / rate, 1)


def copy_python_ns() -> float:
    """Nanoseconds to copy a game from Python."""
    states = SUBTERRA.record.begun(SUBTERRA.options())
    copies = np.zeros(1, SUBTERRA.dtype)

    def copy(times: int) -> None:
        for _ in range(times):
            SUBTERRA.engine.copy_into(states, copies)

    copy(1)
    return round(1e9 / _best_rate(copy, _COPIES // 10, 1), 1)


_MEASURES = (playout, compile_s, start_s, vector_flat, vector_plain, vector_flat_2_threads)
_MEASURES_OF_ONE_GAME = (aec, pettingzoo_connect_four, copy_ns, copy_python_ns)
MEASUREMENTS: dict[str, Callable[[], float]] = {
    measure.__name__: measure for measure in (*_MEASURES, *_MEASURES_OF_ONE_GAME)
}
"""What ``subterra speed`` measures; the first line of each docstring says what the number means."""
