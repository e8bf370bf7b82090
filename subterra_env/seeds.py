"""From the seed a person names to the keys that luck and choices are drawn from."""

import numpy as np

_CHOICES = 1
"""Spawn key of the stream for choices, so that who chooses shares no randomness with the luck of the game."""


def luck_key(seed: int) -> np.uint64:
    """The hidden 64-bit luck key that a seed stands for. Raises ValueError if the seed is no whole number from 0 on."""
    return _checked(seed).generate_state(1, np.uint64)[0]  # type: ignore[no-any-return]


def choices_generator(seed: int) -> np.random.Generator:
    """The generator for the random choices of whoever plays the game of a seed. Raises ValueError as `luck_key`."""
    return np.random.default_rng(_checked(seed, _CHOICES))


def _checked(seed: int, *spawn_key: int) -> np.random.SeedSequence:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed: a whole number from 0 on, not {seed!r}")
    return np.random.SeedSequence(int(seed), spawn_key=spawn_key)
