"""How fast the project is here: a table of measurements, each with a name that stays."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

import numpy as np

from subterra_env.game import SUBTERRA
from subterra_env.jit import CACHE_VARIABLE

_PLAYOUTS = 2_000
_REPEATS = 5
_FIRST_USE = """
from subterra_env.game import SUBTERRA
states = SUBTERRA.record.begun(SUBTERRA.options())
SUBTERRA.engine.settle_chance(states)
SUBTERRA.engine.step(states, SUBTERRA.notation.legal_ids(states[0])[0])
SUBTERRA.engine.random_playouts(states, 1, 1)
"""
"""What is needed before the first game can be played, and played out."""


def playout() -> float:
    """Decisions a second of compiled random playouts on one core, the best of five runs."""
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


MEASUREMENTS: dict[str, Callable[[], float]] = {"playout": playout, "compile_s": compile_s, "start_s": start_s}
"""What ``subterra speed`` measures; the first line of each docstring says what the number means."""
