"""The game as a Gymnasium environment: one policy moves every caver."""

from copy import deepcopy
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces

from subterra_env.envs.expedition import END, Expedition, next_key
from subterra_env.envs.render import FRAMES_PER_SECOND, MODES
from subterra_env.envs.rows import as_row, space_of_rows


class SubTerraEnv(gymnasium.Env[Any, Any]):
    """Observations are those of the caver asked; the legal answers are in ``info["action_mask"]``, int8[actions].

    ``action_masks()`` gives them to sb3-contrib's MaskablePPO. Options as of `expedition.Expedition`, with one default
    of its own: an illegal action ends the game with a penalty, since checkers and trainers without masks sample freely.
    Tables and planes come as one row each (of the size of ``game.observation.space``), as Stable-Baselines3 wants them.
    """

    metadata = {"render_modes": list(MODES), "render_fps": FRAMES_PER_SECOND}

    def __init__(self, illegal: str = END, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = render_mode
        self._game = Expedition(illegal=illegal, render_mode=render_mode, **options)
        self.observation_space = space_of_rows(self._game.observation_space)
        self.action_space = spaces.Discrete(self._game.action_space_size)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode: with the luck of the seed, or with the next luck of the environment's own stream."""
        super().reset(seed=seed)
        self._game.begin(next_key(seed, self.np_random))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Gives the answer of the caver asked. Raises as `Expedition.answer`."""
        reward = self._game.answer(action)
        info = self._info()
        if self._game.over:
            info |= self._game.final_info()
        terminated = self._game.over and not self._game.truncated
        return self._observation(), reward, terminated, self._game.truncated, info

    def _observation(self) -> Any:
        return as_row(self._game.observe(self._game.asked))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def action_masks(self) -> np.ndarray:
        """The legal answers, int8[actions]; never all zero."""
        return self._game.mask.copy()

    def copy(self) -> Self:
        """An environment of its own that stands where this one stands and goes on identically."""
        return deepcopy(self)

    def render(self) -> Any:
        """The game as the render mode shows it; see `render.Renderer.show`."""
        return self._game.render()

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._game.close()
