"""The compiled rules against a C twin of their hot kernels: the same results, and hardly more time."""

import ctypes
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.jit import INTERPRETED

from . import c_twin, kernels, positions

pytestmark = pytest.mark.skipif(c_twin.compiler() is None or INTERPRETED, reason="needs a C compiler and Numba's")

GAMES = 256
PICKS = 16
MOST_STEPS = 8
ROUNDS, REPEATS = 60, 60
MOST_TIMES_C = 1.25
TRIES = 10
"""Other programs on the machine can only make a measurement worse."""


@dataclass
class Positions:
    """Different games in their middle, with what the kernels are asked about each."""

    asked: np.ndarray
    to_move: np.ndarray
    slots: np.ndarray
    steps: np.ndarray


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return c_twin.build(tmp_path_factory.mktemp("c_twin"))


def positions_of(collect: Callable[[int, int, int], np.ndarray], games: int) -> Positions:
    generator = np.random.default_rng(3)
    asked = collect(games, 1, 0)
    slots = (generator.random(games) * asked["tile_count"]).astype(np.int64)
    steps = generator.integers(0, MOST_STEPS, games)
    return Positions(asked, positions.horrors_to_move(collect(games, 2, 1)), slots, steps)


@pytest.fixture(scope="module")
def usual() -> Positions:
    return positions_of(positions.usual, GAMES)


@pytest.fixture(scope="module", params=["usual", "crowded"])
def either(request: pytest.FixtureRequest, usual: Positions) -> Positions:
    return usual if request.param == "usual" else positions_of(positions.crowded, GAMES // 4)


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    """Keeps the array alive, as ``ctypes.c_void_p(array.ctypes.data)`` would not."""
    return array.ctypes.data_as(ctypes.c_void_p)


def flood(library: ctypes.CDLL, at: Positions) -> Iterator[Callable[[], np.ndarray]]:
    ours, twins = np.zeros((2, len(at.asked), 2), np.uint64)
    yield lambda: (kernels.flood(at.asked, at.slots, at.steps, ours), ours)[1]
    arguments = pointer(at.asked), ctypes.c_int64(len(at.asked)), pointer(at.slots), pointer(at.steps), pointer(twins)
    yield lambda: (library.twin_flood(*arguments), twins)[1]


def victim(library: ctypes.CDLL, at: Positions) -> Iterator[Callable[[], np.ndarray]]:
    ours, twins = np.zeros((2, len(at.asked), 2), np.int64)
    yield lambda: (kernels.victim(at.asked, at.slots, ours), ours)[1]
    arguments = pointer(at.asked), ctypes.c_int64(len(at.asked)), pointer(at.slots), pointer(twins)
    yield lambda: (library.twin_victim(*arguments), twins)[1]


def mask(library: ctypes.CDLL, at: Positions) -> Iterator[Callable[[], np.ndarray]]:
    ours, twins = np.zeros((2, len(at.asked), ACTIONS), np.int8)
    our_states, twin_states = at.asked.copy(), at.asked.copy()
    yield lambda: (kernels.mask(our_states, ours), ours)[1]
    arguments = pointer(twin_states), ctypes.c_int64(len(twin_states)), pointer(twins)
    yield lambda: (library.twin_mask(*arguments), twins)[1]


def pick(library: ctypes.CDLL, at: Positions) -> Iterator[Callable[[], np.ndarray]]:
    ours, twins = np.zeros((2, PICKS, len(at.asked)), np.int64)
    our_words, twin_words = np.zeros((2, 1), np.uint64)
    yield lambda: (kernels.pick(at.asked, our_words, ours), ours)[1]
    arguments = pointer(at.asked), ctypes.c_int64(len(at.asked)), pointer(twin_words), pointer(twins)
    yield lambda: (library.twin_pick(*arguments), twins)[1]


def horrors(library: ctypes.CDLL, at: Positions) -> Iterator[Callable[[], np.ndarray]]:
    """Both start from the same games each time; making the copies is part of both times."""
    ours, twins = at.to_move.copy(), at.to_move.copy()
    yield lambda: (np.copyto(ours, at.to_move), kernels.horrors(ours), ours)[2]
    arguments = pointer(twins), ctypes.c_int64(len(twins))
    yield lambda: (np.copyto(twins, at.to_move), library.twin_horrors(*arguments), twins)[2]


KERNELS = (flood, victim, mask, pick, horrors)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_both_find_the_same(
    kernel: Callable[..., Iterator[Callable[[], np.ndarray]]], library: ctypes.CDLL, either: Positions
) -> None:
    ours, twins = kernel(library, either)
    assert ours().tobytes() == twins().tobytes()


def test_the_positions_differ(usual: Positions) -> None:
    """Victims near and far, horrors that move and are removed: else agreement would say little."""
    found = np.zeros((GAMES, 2), np.int64)
    kernels.victim(usual.asked, usual.slots, found)
    moved = usual.to_move.copy()
    kernels.horrors(moved)
    assert len(np.unique(found[:, 0])) > 3
    assert (moved["horror_count"] < usual.to_move["horror_count"]).any()
    assert (moved["cavers"]["health"] < usual.to_move["cavers"]["health"]).any()


def times_c(ours: Callable[[], np.ndarray], twins: Callable[[], np.ndarray]) -> float:
    """How many times the twin's time the rules take: both in turn, the quickest of many runs of each."""
    best = [np.inf, np.inf]
    for _ in range(ROUNDS):
        for who, call in enumerate((ours, twins)):
            start = time.perf_counter()
            for _ in range(REPEATS):
                call()
            best[who] = min(best[who], time.perf_counter() - start)
    return float(best[0] / best[1])


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_the_rules_take_hardly_longer_than_c(
    kernel: Callable[..., Iterator[Callable[[], np.ndarray]]], library: ctypes.CDLL, usual: Positions
) -> None:
    ratios = []
    while not ratios or (min(ratios) > MOST_TIMES_C and len(ratios) < TRIES):
        ratios.append(times_c(*kernel(library, usual)))
    print(f"{kernel.__name__}: {min(ratios):.2f} times C")
    assert min(ratios) <= MOST_TIMES_C
