"""Sequential halving: the budget kept, the best found, no change without good reason."""

import math
import time

import numpy as np
import pytest
from subterra_env.agents.base import Budget
from subterra_env.agents.halving import Samples, halve


class Bandit:
    """Choices with known means; columns share their noise, as games under the same luck do."""

    def __init__(self, means: list[float], noise: float = 1.0, own_noise: float = 0.0, seed: int = 0) -> None:
        self.means, self.noise, self.own_noise = np.array(means), noise, own_noise
        self.rng, self.pulls = np.random.default_rng(seed), 0

    def __call__(self, choices: np.ndarray, columns: int) -> np.ndarray:
        self.pulls += len(choices) * columns
        shared = self.noise * self.rng.normal(size=columns)
        own = self.own_noise * self.rng.normal(size=(len(choices), columns))
        return self.means[choices][:, None] + shared + own


def test_samples_are_compared_in_pairs() -> None:
    samples = Samples(3)
    samples.add(np.array([0, 1, 2]), np.array([[1.0, 5.0], [2.0, 6.0], [0.0, 9.0]]))
    samples.add(np.array([0, 1]), np.array([[3.0], [5.0]]))
    assert samples.count == 8
    np.testing.assert_allclose(samples.means(), [3.0, 13 / 3, 4.5])
    gain, error = samples.gain(1, 0)
    assert gain == pytest.approx(4 / 3)
    assert error == pytest.approx(np.std([1, 1, 2], ddof=1) / math.sqrt(3))
    assert samples.gain(2, 2) == (0.0, 0.0)
    low, high = samples.interval(1)
    assert low < 13 / 3 < high
    assert math.isclose(high - 13 / 3, 1.96 * np.std([2, 6, 5], ddof=1) / math.sqrt(3))


def test_one_sample_says_nothing() -> None:
    samples = Samples(2)
    samples.add(np.array([0, 1]), np.array([[0.0], [9.0]]))
    assert samples.gain(1, 0) == (0.0, math.inf)
    assert samples.interval(1) == (-math.inf, math.inf)
    assert samples.best(base=0, sure=0.1) == 0


def test_the_base_is_kept_unless_the_gain_is_sure() -> None:
    samples = Samples(2)
    samples.add(np.array([0, 1]), np.array([[0.0, 0.0, 0.0, 0.0], [3.0, -2.0, 3.0, -2.0]]))
    assert samples.best(base=0, sure=2.0) == 0
    assert samples.best(base=0, sure=0.0) == 1
    assert samples.best(base=1, sure=2.0) == 1


@pytest.mark.parametrize("choices", [2, 3, 7, 16])
def test_simulations_are_kept(choices: int) -> None:
    bandit = Bandit([0.0] * choices)
    samples = halve(choices, 0, bandit, Budget(simulations=1000), time.perf_counter())
    assert samples.count == bandit.pulls
    assert 700 <= bandit.pulls <= 1000
    assert len(samples.alive) <= 2


def test_a_budget_too_small_keeps_the_base() -> None:
    samples = halve(16, 5, Bandit(list(range(16))), Budget(simulations=3), time.perf_counter())
    assert samples.count == 0
    assert samples.best(base=5, sure=2.0) == 5


def test_milliseconds_are_kept() -> None:
    def slow(choices: np.ndarray, columns: int) -> np.ndarray:
        time.sleep(2e-4 * columns * len(choices))
        return np.zeros((len(choices), columns))

    took = []
    for _ in range(5):
        begun = time.perf_counter()
        halve(8, 0, slow, Budget(milliseconds=50), begun)
        took.append(1000 * (time.perf_counter() - begun))
    assert 40 < min(took) < 55


def test_the_base_is_never_dropped() -> None:
    samples = halve(16, 0, Bandit([-5.0] + [0.0] * 15), Budget(simulations=2000), time.perf_counter())
    counts = np.isfinite(samples.table).sum(axis=1)
    assert 0 in samples.alive
    assert counts[0] == counts.max()


def test_shared_noise_does_not_hide_a_small_gain() -> None:
    """A gain of a tenth under shared noise of 1 is found at once; were the samples not paired, it could not be."""
    right = [
        halve(8, 0, Bandit([0.0, *[-0.1] * 6, 0.1], seed=seed), Budget(simulations=160), 0.0).best(0, 2.0) == 7
        for seed in range(20)
    ]
    unpaired = [
        halve(8, 0, Bandit([0.0, *[-0.1] * 6, 0.1], 0.0, 1.0, seed), Budget(simulations=160), 0.0).best(0, 2.0) == 7
        for seed in range(20)
    ]
    assert all(right)
    assert sum(unpaired) < 10
