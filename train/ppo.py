"""Trains a policy by PPO as a configuration says; see `ppo_learner` for the algorithm, `running` for what it leaves."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from subterra_env.agents.checkpoint import Checkpoint, card_here, read_checkpoint, shapes_of
from subterra_env.train import running
from subterra_env.train.games import Ended, Games, summary
from subterra_env.train.ppo_learner import Learner
from subterra_env.train.ppo_settings import PpoConfig
from subterra_env.train.resuming import games_kept, games_of, learned, put_back
from subterra_env.train.running import Watch
from subterra_env.train.settings import ConfigError, load_settings


def load_config(path: Path, changes: Sequence[str] = ()) -> PpoConfig:
    """Reads a configuration. Raises `settings.ConfigError`."""
    return load_settings(path, PpoConfig, changes)


class Run(running.Run):
    """A run of `ppo` under way."""

    config: PpoConfig

    def __init__(self, config: PpoConfig, folder: Path | None) -> None:
        """Begins anew. Raises `settings.ConfigError` if the checkpoint to start with does not fit."""
        super().__init__(config, folder)
        games = Games(
            config.games, config.curriculum, config.team, config.reward, config.gamma, config.kept,
            central=config.critic == "state", hint=config.architecture.hint,
        )  # fmt: skip
        games.begin(config.seed)
        self.learner, self.total = Learner(config, games), config.decisions
        self.table = config.curriculum[-1].table
        if config.start is not None:
            self._start_from(read_checkpoint(Path(config.start)))

    def _start_from(self, checkpoint: Checkpoint) -> None:
        if checkpoint.card.architecture != self.config.architecture_kept:
            raise ConfigError(f"start: its architecture is {checkpoint.card.architecture}")
        self.learner.take(checkpoint.arrays)

    @property
    def decisions(self) -> int:  # type: ignore[override]
        return self.learner.decisions

    @property
    def stage(self) -> int:  # type: ignore[override]
        return self.learner.games.stage

    def learn(self) -> Mapping[str, float]:
        learner = self.learner
        learner.play()
        update = learner.learn()
        endings = learner.endings
        if len(endings) == endings.maxlen and learner.games.go_on(summary(endings)["success"]):
            endings.clear()
        return {f"train/{name}": number for name, number in update._asdict().items()}

    def of_late(self) -> Mapping[str, float]:
        return summary(self.learner.endings)

    def checkpoint(self, **card: Any) -> Checkpoint:
        architecture, arrays = self.config.architecture_kept, self.learner.arrays()
        kept = {name: arrays[name] for name in shapes_of(architecture)}
        unit = None if architecture.value is None else self.config.reward
        return Checkpoint(card_here(architecture, value_unit=unit, **card), kept)

    def snapshot(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        learner = self.learner
        arrays = learned(learner.network, learner.optimiser) | {"scale": learner.scale.moments}
        arrays |= games_kept(learner.games.env)
        stands = {
            "decisions": learner.decisions, "stage": learner.games.stage, "endings": list(learner.endings),
            "luck": learner.rng.bit_generator.state,
        }  # fmt: skip
        return stands, arrays

    def restore(self, stands: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        learner = self.learner
        put_back(learner.network, learner.optimiser, arrays)
        learner.games.restore(stands["stage"], games_of(arrays))
        learner.scale.moments = arrays["scale"].copy()
        learner.decisions = stands["decisions"]
        learner.endings.extend(Ended(*ended) for ended in stands["endings"])
        learner.rng.bit_generator.state = stands["luck"]


def run(config: PpoConfig, folder: Path) -> None:
    """`train`, shown on the console and to TensorBoard."""
    running.train_shown(Run(config, folder), folder)


def train(config: PpoConfig, folder: Path | None, watch: Watch) -> Run:
    """Trains as a configuration says, from where the folder's last run broke off if there is one.

    Without a folder nothing is written. Raises `settings.ConfigError` if the folder is of another configuration.
    """
    return running.train(Run(config, folder), watch)
