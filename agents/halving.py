"""Comparing choices by noisy samples: sequential halving over paired samples, and no change without good reason.

Karnin, Koren and Somekh 2013: the budget is spent in rounds of equal size; after each the worse half of the choices is
dropped. Samples are paired, one column a luck key, so two choices are compared by the differences of their columns.
"""

import math
from collections.abc import Callable
from time import perf_counter

import numpy as np
from subterra_env.agents.base import Budget

_MS = 1000.0
_LEAST_COLUMNS = 2
"""Fewer samples have no spread."""
_CAUTION = 0.9
"""Part of the time left that a batch is planned to take."""

Sampler = Callable[[np.ndarray, int], np.ndarray]
"""Samples choices: ``(choices int64[k], columns m) -> float64[k, m]``, the columns under luck that is new each time."""


class Samples:
    """What is known of some choices: float64[choices, columns], NaN where one was not sampled."""

    def __init__(self, choices: int) -> None:
        self.table = np.empty((choices, 0))
        self.alive = np.arange(choices)
        """Those not dropped."""

    @property
    def count(self) -> int:
        """How many samples there are."""
        return int(np.isfinite(self.table).sum())

    def add(self, choices: np.ndarray, columns: np.ndarray) -> None:
        """Columns of some of the choices."""
        wider = np.full((len(self.table), columns.shape[1]), np.nan)
        wider[choices] = columns
        self.table = np.concatenate([self.table, wider], axis=1)

    def means(self) -> np.ndarray:
        """The mean of each choice, minus infinity for one never sampled; float64[choices]."""
        counts = np.isfinite(self.table).sum(axis=1)
        sums = np.nansum(self.table, axis=1)
        return np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf)

    def gain(self, choice: int, base: int) -> tuple[float, float]:
        """How much better a choice is than the base in the columns both have, and the standard error of that."""
        differences = self.table[choice] - self.table[base]
        differences = differences[np.isfinite(differences)]
        if len(differences) < _LEAST_COLUMNS:
            return 0.0, math.inf
        return float(differences.mean()), float(differences.std(ddof=1) / math.sqrt(len(differences)))

    def interval(self, choice: int) -> tuple[float, float]:
        """Where the mean of a choice lies with 95 % confidence, by the normal approximation."""
        own = self.table[choice][np.isfinite(self.table[choice])]
        if len(own) < _LEAST_COLUMNS:
            return -math.inf, math.inf
        half = 1.96 * float(own.std(ddof=1)) / math.sqrt(len(own))
        return float(own.mean()) - half, float(own.mean()) + half

    def best(self, base: int, sure: float) -> int:
        """The choice left with the highest mean; the base unless that gains so many standard errors over it."""
        choice = int(self.alive[np.argmax(self.means()[self.alive])])
        gain, error = self.gain(choice, base)
        return choice if gain > 0 and gain >= sure * error else base

    def in_order(self, base: int, sure: float) -> list[int]:
        """All choices, the best first; those dropped early are compared with the base by the samples they have."""
        best = self.best(base, sure)
        compared = [self.gain(choice, base) for choice in range(len(self.table))]
        gains = [gain if math.isfinite(error) else -math.inf for gain, error in compared]
        return sorted(range(len(gains)), key=lambda choice: (choice != best, -gains[choice]))


def halve(choices: int, base: int, sampler: Sampler, budget: Budget, begun: float) -> Samples:
    """Spends a budget on finding the best of some choices; the base is never dropped, as it is compared with.

    ``begun``: the `perf_counter` from which on milliseconds count.
    """
    samples = Samples(choices)
    rounds = max(1, math.ceil(math.log2(choices)))
    for done in range(rounds):
        if budget.simulations is not None:
            _sample_so_often(samples, sampler, budget.simulations // rounds)
        elif budget.milliseconds is not None:
            _sample_until(samples, sampler, begun + budget.milliseconds / _MS * (done + 1) / rounds)
        samples.alive = _better_half(samples, base)
    return samples


def _sample_so_often(samples: Samples, sampler: Sampler, simulations: int) -> None:
    columns = simulations // len(samples.alive)
    if columns:
        samples.add(samples.alive, sampler(samples.alive, columns))


def _sample_until(samples: Samples, sampler: Sampler, end: float) -> None:
    """Batches of a size that the time left allows, judged by the last one."""
    columns = 1
    while columns and perf_counter() < end:
        start = perf_counter()
        samples.add(samples.alive, sampler(samples.alive, columns))
        now = perf_counter()
        columns = int((end - now) * _CAUTION * columns / (now - start))


def _better_half(samples: Samples, base: int) -> np.ndarray:
    alive = samples.alive
    ranked = alive[np.argsort(-samples.means()[alive], kind="stable")]
    kept = ranked[: (len(alive) + 1) // 2]
    return np.sort(kept if base in kept else np.append(kept, base))
