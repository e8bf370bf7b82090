"""The vector environment as Stable-Baselines3 wants it, with all masks in one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from subterra_env.envs.vector import SubTerraVectorEnv

_MASKS = "action_masks"


class SubTerraVecEnv(VecEnv):
    """A Stable-Baselines3 ``VecEnv`` over `vector.SubTerraVectorEnv`; options are those of that class.

    sb3-contrib's MaskablePPO finds the masks by itself. In the step that ends a game its info holds
    ``terminal_observation``, ``TimeLimit.truncated`` and what `rewards.final_info` says.
    """

    def __init__(self, num_envs: int, **options: Any) -> None:
        self.games = SubTerraVectorEnv(num_envs, **options)
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> Any:
        """Begins an episode in every game, with the luck of the seed given to ``seed`` before, if one was."""
        observations, _ = self.games.reset(seed=None if self._seeds[0] is None else list(self._seeds))
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, info = self.games.step(self._actions)
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones).tolist():
            infos[i] = self._last_info(i, info, bool(truncated[i]))
        return observations, rewards.astype(np.float32), dones, infos

    def _last_info(self, i: int, info: dict[str, Any], truncated: bool) -> dict[str, Any]:
        values = {name: array[i] for name, array in info["final_info"].items() if not name.startswith("_")}
        return values | {"terminal_observation": info["final_obs"][i], "TimeLimit.truncated": truncated}

    def close(self) -> None:
        self.games.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """One value for all games, as often as there are games."""
        return [getattr(self.games, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name}: the games share their settings; make another environment")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Only ``action_masks``: an array int8[n, actions], not a list. Raises AttributeError for anything else."""
        if method_name != _MASKS:
            raise AttributeError(f"{method_name}: the games have only {_MASKS}")
        return self.games.action_masks()[self._chosen(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.games, attr_name)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * len(self._chosen(indices))

    def get_images(self) -> Sequence[Any]:
        return self.games.render()

    def _chosen(self, indices: Any) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
