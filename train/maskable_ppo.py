"""Trains sb3-contrib's MaskablePPO on many games at once; see `running` for what it leaves.

``subterra train configs/shallow_maskable.yaml`` is a run worth repeating; `train` is the same from Python. PPO:
Schulman et al. 2017; invalid action masking: Huang and Ontañón 2022.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field, model_validator
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger
from stable_baselines3.common.vec_env import VecMonitor
from subterra_env.agents.checkpoint import Architecture, Checkpoint, card_here
from subterra_env.train import running
from subterra_env.train.games import REMEMBERED, Ended, summary
from subterra_env.train.network import device_of
from subterra_env.train.resuming import games_kept, games_of, learned, put_back
from subterra_env.train.running import RunSettings, Watch
from subterra_env.train.settings import Agreed, load_settings
from torch.nn import ReLU

from subterra_env.envs.sb3 import SubTerraVecEnv


class Config(RunSettings):
    """One training run."""

    trainer: Literal["maskable_ppo"] = "maskable_ppo"
    table: Agreed = Field(default_factory=dict)
    """What the table agrees: options of the game, such as ``stack_tiles``."""
    team: Literal["fixed", "random"] = "fixed"
    reward: Literal["saved", "medal", "shaped"] = "shaped"
    """What is learned from; see `envs.rewards`."""
    decisions: Annotated[int, Field(ge=1)] = 300_000
    """Answers to learn from, at least."""
    games: Annotated[int, Field(ge=1)] = 64
    """Games played side by side."""
    steps: Annotated[int, Field(ge=1)] = 128
    """Answers of each game between two updates."""
    minibatch: Annotated[int, Field(ge=2)] = 2048
    epochs: Annotated[int, Field(ge=1)] = 4
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    gamma: Annotated[float, Field(gt=0, le=1)] = 0.995
    gae_lambda: Annotated[float, Field(ge=0, le=1)] = 0.95
    clip: Annotated[float, Field(gt=0)] = 0.2
    entropy: Annotated[float, Field(ge=0)] = 0.01
    layers: tuple[Annotated[int, Field(ge=1)], ...] = Field(default=(128, 128), strict=False)
    """Widths of the hidden layers, of the policy and of the value alike."""

    @model_validator(mode="after")
    def _minibatches_fit(self) -> "Config":
        if self.batch % self.minibatch:
            raise ValueError(f"minibatch: {self.minibatch} does not divide games x steps, {self.batch}")
        return self

    @property
    def batch(self) -> int:
        """Decisions between two updates."""
        return self.games * self.steps


def load_config(path: Path, changes: Sequence[str] = ()) -> Config:
    """Reads a configuration from YAML. Raises `settings.ConfigError`; unknown keys are errors."""
    return load_settings(path, Config, changes)


class Run(running.Run):
    """A run under way of ``sb3_contrib.MaskablePPO``, called for a batch at a time."""

    config: Config
    stage = 0

    def __init__(self, config: Config, folder: Path | None) -> None:
        super().__init__(config, folder)
        self.model, self.total, self.table = new_model(config), config.decisions, config.table
        self._told = dict[str, float]()
        self._endings = deque[Ended](maxlen=REMEMBERED)
        self.model.set_logger(Logger(None, [_Kept(self._told)]))

    @property
    def decisions(self) -> int:  # type: ignore[override]
        return int(self.model.num_timesteps)

    def learn(self) -> Mapping[str, float]:
        watch = _Watch(self._endings)
        self.model.learn(self.config.batch, watch, log_interval=None, reset_num_timesteps=False)
        self.model.dump_logs()
        return dict(self._told)

    def of_late(self) -> Mapping[str, float]:
        return summary(self._endings)

    def checkpoint(self, **card: Any) -> Checkpoint:
        return converted(self.model, value_unit=self.config.reward, **card)

    def snapshot(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Beside the network and its games: what Stable-Baselines3 remembers, and the luck it draws from, torch's."""
        model, env = self.model, self.model.env
        luck: Any = np.random.get_state(legacy=False)  # noqa: NPY002 - what it shuffles with
        arrays = learned(model.policy, model.policy.optimizer)
        arrays |= games_kept(env.venv.games)
        arrays |= {
            "begins": model._last_episode_starts.copy(), "returns": env.episode_returns, "lengths": env.episode_lengths,
            "torch luck": torch.get_rng_state().numpy(), "numpy luck": luck["state"]["key"],
        }  # fmt: skip
        if model.device.type == "cuda":
            arrays["cuda luck"] = torch.cuda.get_rng_state().numpy()
        stands = {
            "decisions": model.num_timesteps, "updates": model._n_updates, "endings": list(self._endings),
            "episodes": [(float(one["r"]), int(one["l"])) for one in model.ep_info_buffer],
            "successes": [bool(one) for one in model.ep_success_buffer], "numpy luck": luck["state"]["pos"],
        }  # fmt: skip
        return stands, arrays

    def restore(self, stands: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        model, env = self.model, self.model.env
        put_back(model.policy, model.policy.optimizer, arrays)
        env.reset()
        model._last_obs, _ = env.venv.games.restore(games_of(arrays))
        model._last_episode_starts = arrays["begins"].copy()
        env.episode_returns[:], env.episode_lengths[:] = arrays["returns"], arrays["lengths"]
        model.num_timesteps, model._n_updates = stands["decisions"], stands["updates"]
        model.ep_info_buffer = deque(
            ({"r": np.float32(r), "l": n} for r, n in stands["episodes"]), model._stats_window_size
        )
        model.ep_success_buffer = deque(stands["successes"], model._stats_window_size)
        self._endings.extend(Ended(*ended) for ended in stands["endings"])
        torch.set_rng_state(torch.from_numpy(arrays["torch luck"].copy()))
        if "cuda luck" in arrays:
            torch.cuda.set_rng_state(torch.from_numpy(arrays["cuda luck"].copy()))
        luck = {"key": arrays["numpy luck"], "pos": stands["numpy luck"]}
        np.random.set_state({"bit_generator": "MT19937", "state": luck})  # noqa: NPY002


class _Kept(KVWriter):
    """Takes what Stable-Baselines3 logs, under its own names."""

    def __init__(self, numbers: dict[str, float]) -> None:
        self._numbers = numbers

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        self._numbers.clear()
        told = (name for name in key_values if "tensorboard" not in key_excluded[name])
        self._numbers.update({name: float(key_values[name]) for name in told})

    def close(self) -> None:
        """Nothing is open."""


class _Watch(BaseCallback):
    """Takes down how games ended."""

    def __init__(self, endings: deque[Ended]) -> None:
        super().__init__()
        self._endings = endings

    def _on_step(self) -> bool:
        ended = (info for info in self.locals["infos"] if info)
        self._endings.extend(
            Ended(float(info["outcome"]), float(info["saved"]), int(info["rounds"]), str(info["medal"]))
            for info in ended
        )
        return True


def new_model(config: Config) -> Any:
    """An untrained ``sb3_contrib.MaskablePPO`` at its games; it writes no files."""
    games = SubTerraVecEnv(config.games, team=config.team, reward=config.reward, gamma=config.gamma, **config.table)
    layers = list(config.layers)
    model = MaskablePPO(
        "MlpPolicy",
        VecMonitor(games),
        learning_rate=config.learning_rate,
        n_steps=config.steps,
        batch_size=config.minibatch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        ent_coef=config.entropy,
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}, "activation_fn": ReLU},
        seed=config.seed,
        device=device_of(config.device),
    )
    model.set_logger(Logger(None, []))
    return model


def run(config: Config, folder: Path) -> None:
    """`train`, shown on the console and to TensorBoard."""
    running.train_shown(Run(config, folder), folder)


def train(config: Config, folder: Path | None, watch: Watch) -> Run:
    """Trains as a configuration says, from where the folder's last run broke off if there is one.

    Without a folder nothing is written. Raises `settings.ConfigError` if the folder is of another configuration.
    """
    return running.train(Run(config, folder), watch)


def converted(model: Any, **card: Any) -> Checkpoint:
    """A ``MaskablePPO`` with ReLU as a checkpoint, so that nobody has to unpickle Stable-Baselines3's zip."""
    weights = model.policy.state_dict()
    ends = {"policy": ("mlp_extractor.policy_net", "action_net"), "value": ("mlp_extractor.value_net", "value_net")}
    arrays, widths = dict[str, np.ndarray](), dict[str, tuple[int, ...]]()
    for part, (hidden, last) in ends.items():
        layers = sorted({int(name.split(".")[2]) for name in weights if name.startswith(hidden)})
        names = [*(f"{hidden}.{layer}" for layer in layers), last]
        for number, name in enumerate(names):
            arrays[f"{part}.{number}.weight"] = weights[f"{name}.weight"].cpu().numpy().T
            arrays[f"{part}.{number}.bias"] = weights[f"{name}.bias"].cpu().numpy()
        widths[part] = tuple(arrays[f"{part}.{number}.bias"].size for number in range(len(layers)))
    return Checkpoint(card_here(Architecture(policy=widths["policy"], value=widths["value"]), **card), arrays)
