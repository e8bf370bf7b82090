"""Random masked play through the environments, for tests."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from subterra_env.envs.aec import SubTerraAEC
from subterra_env.envs.parallel import SubTerraParallel

SMALL: dict[str, Any] = {"stack_tiles": 8}
"""A small cave, for short games."""
OTHER_TEAM: dict[str, Any] = {"cavers": ("geologist", "engineer", "bodyguard", "leader", "diver", "climber")}


def pick(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def choose(env: SubTerraAEC, rng: np.random.Generator) -> int | None:
    """A random legal action for the agent selected, None for one whose game is over."""
    _, _, terminated, truncated, info = env.last(observe=False)
    return None if terminated or truncated else pick(info["action_mask"], rng)


def play_aec(env: SubTerraAEC, rng: np.random.Generator) -> Iterator[tuple[str, int | None]]:
    """Plays on to the last dead step; yields before every step who is about to answer what."""
    while env.agents:
        action = choose(env, rng)
        yield env.agent_selection, action
        env.step(action)


def play_to_the_end(env: SubTerraAEC, rng: np.random.Generator) -> None:
    """Plays on until the dead steps begin."""
    action = choose(env, rng)
    while action is not None:
        env.step(action)
        action = choose(env, rng)


def play_parallel(
    env: SubTerraParallel, rng: np.random.Generator, seed: int | None = None
) -> Iterator[tuple[Any, ...]]:
    """Plays a game; yields what every step returns."""
    observations, _ = env.reset(seed=seed)
    while env.agents:
        step = env.step({agent: pick(seen["action_mask"], rng) for agent, seen in observations.items()})
        observations = step[0]
        yield step


def same(one: Any, other: Any) -> bool:
    """Whether two observations, infos or tuples of such are equal to the bit."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) and one.dtype == object:
        return same(list(one), list(other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return bool(one == other)


def arrays_in(thing: Any) -> list[np.ndarray]:
    """Every array inside dicts, sequences and objects of this package."""
    if isinstance(thing, np.ndarray):
        return [thing]
    if isinstance(thing, dict):
        return [array for part in thing.values() for array in arrays_in(part)]
    if isinstance(thing, list | tuple):
        return [array for part in thing for array in arrays_in(part)]
    is_ours = type(thing).__module__.startswith("subterra_env")
    return arrays_in(vars(thing)) if is_ours and hasattr(thing, "__dict__") else []


def memory_of(env: Any) -> list[np.ndarray]:
    """Every array an environment holds, but for what it scribbles on while it looks."""
    game = {name: part for name, part in vars(env._game).items() if name != "_eyes"}
    return arrays_in({**vars(env), "_game": game})
