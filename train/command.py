"""What ``subterra train`` does: any trainer by the name in its configuration."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import yaml
from subterra_env.train.settings import TRAINER, ConfigError, changed, read_yaml

TRAINERS = ("ppo", "maskable_ppo", "imitate", "expert_iteration")
"""Modules of this package with ``load_config`` and ``run``."""
CONFIG_FILE = "config.yaml"


def run(path: Path, changes: Sequence[str], folder: Path | None) -> Path:
    """Trains as a configuration says and returns the run's folder, ``runs/`` and the file's name if none is given.

    A run that was broken off there goes on. Raises `settings.ConfigError`.
    """
    name = changed(read_yaml(path), changes).get(TRAINER)
    if name not in TRAINERS:
        raise ConfigError(f"{path}: {TRAINER}: {name!r}; there are {', '.join(TRAINERS)}")
    trainer = import_module(f"subterra_env.train.{name}")
    config = trainer.load_config(path, changes)
    folder = folder or Path("runs") / path.stem
    folder.mkdir(parents=True, exist_ok=True)
    text, kept = yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False), folder / CONFIG_FILE
    if not kept.exists():  # what a run that is gone on with was, is not lost if this configuration is refused
        kept.write_text(text, encoding="utf-8")
    trainer.run(config, folder)
    kept.write_text(text, encoding="utf-8")
    return folder
