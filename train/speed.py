"""How fast training is here: frames a second of `ppo` beside sb3-contrib's MaskablePPO, in one process and run."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, Literal

import gymnasium
import numpy as np
from subterra_env.agents.checkpoint import Architecture
from subterra_env.train.games import Games
from subterra_env.train.maskable_ppo import Config, new_model
from subterra_env.train.network import torch_threads
from subterra_env.train.ppo_learner import Learner
from subterra_env.train.ppo_settings import PpoConfig

from subterra_env import aec_env

WIDTHS = (128, 128)
SAME: dict[str, Any] = {"games": 64, "steps": 128, "minibatch": 2048, "epochs": 4, "device": "cpu"}
"""Both trainers' settings where they are compared."""
_UPDATES = 4


class OneAgent(gymnasium.Env[np.ndarray, int]):
    """The AEC environment with one agent for all cavers, as MaskablePPO can be given it."""

    def __init__(self) -> None:
        self._game: Any = aec_env(agents="team")
        agent = self._game.possible_agents[0]
        seen: Any = self._game.observation_space(agent)
        self.observation_space = seen["observation"]
        self.action_space = self._game.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        self._game.reset(seed=seed)
        return self._game.last()[0]["observation"], {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        self._game.step(int(action))
        seen, reward, terminated, truncated, _ = self._game.last()
        return seen["observation"], float(reward), terminated, truncated, {}

    def action_masks(self) -> np.ndarray:
        """The legal answers, int8[actions]."""
        mask: np.ndarray = self._game.last()[0]["action_mask"]
        return mask


def ppo_fp32() -> float:
    """Frames a second of ppo: 64 games, net of 2 x 128 for policy and value each, 4 epochs, minibatch 2,048."""
    return _ppo("fp32")


def ppo_bf16() -> float:
    """The same with products of matrices in bf16."""
    return _ppo("bf16")


def _ppo(precision: Literal["fp32", "bf16"]) -> float:
    architecture = Architecture(policy=WIDTHS, value=WIDTHS)
    config = PpoConfig(trainer="ppo", team="fixed", architecture=architecture, precision=precision, **SAME)
    games = Games(config.games, config.curriculum, config.team, config.reward, config.gamma, config.kept, central=False)
    games.begin(0)
    learner = Learner(config, games)

    def update() -> None:
        learner.play()
        learner.learn()

    with torch_threads(1):
        return _best(update, config.batch)


def maskable_ppo_same() -> float:
    """Frames a second of MaskablePPO on the vector bridge with the same net, epochs and minibatch."""
    model = new_model(Config(reward="saved", layers=WIDTHS, **SAME))
    with torch_threads(1):
        return _frames_of(model, SAME["games"] * SAME["steps"])


def maskable_ppo_aec() -> float:
    """Frames a second of MaskablePPO at its defaults on the AEC environment."""
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", OneAgent(), seed=0, device="cpu")
    with torch_threads(1):
        return _frames_of(model, model.n_steps)


def _frames_of(model: Any, batch: int) -> float:
    from stable_baselines3.common.logger import Logger

    model.set_logger(Logger(None, []))
    return _best(lambda: model.learn(batch, reset_num_timesteps=False), batch)


def _best(update: Callable[[], Any], batch: int) -> float:
    """Frames a second of the quickest of a few updates, after one that does not count."""
    update()
    seconds = []
    for _ in range(_UPDATES):
        begun = perf_counter()
        update()
        seconds.append(perf_counter() - begun)
    return round(batch / min(seconds))


MEASUREMENTS: dict[str, Callable[[], float]] = {
    measure.__name__: measure for measure in (ppo_fp32, ppo_bf16, maskable_ppo_same, maskable_ppo_aec)
}
"""What ``subterra speed --train`` measures, on one thread."""
