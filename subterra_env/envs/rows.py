"""Tables and planes as one row each: Stable-Baselines3 takes two-dimensional boxes for pictures and warns."""

from typing import Any

import numpy as np
from gymnasium import spaces


def space_of_rows(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """The space of an observation whose parts are rows."""
    if isinstance(space, spaces.Dict):
        return spaces.Dict({name: spaces.flatten_space(part) for name, part in space.items()})
    return spaces.flatten_space(space)


def as_row(seen: Any) -> Any:
    """One observation, its parts as rows that share its memory."""
    return {name: part.reshape(-1) for name, part in seen.items()} if isinstance(seen, dict) else seen.reshape(-1)


def as_rows(seen: Any) -> Any:
    """A batch of observations, its parts as one row a game that share its memory."""
    if isinstance(seen, dict):
        return {name: _rows(part) for name, part in seen.items()}
    return _rows(seen)


def _rows(part: np.ndarray) -> np.ndarray:
    return part.reshape(len(part), -1)
