"""Where a run stands, in a file: weights, optimiser, games and luck, as safetensors and JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save
from subterra_env.train.games import Ended
from subterra_env.train.settings import ConfigError

if TYPE_CHECKING:
    from subterra_env.train.ppo import Run

_STANDS, _CONFIG = "stands", "config"
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")
_MAY_DIFFER = ("decisions", "seconds", "evaluate_every", "evaluation_games")
"""Keys of a configuration that only say how long it goes on and how often it is looked at."""


def write_resume(run: "Run", path: Path) -> None:
    """Writes all that the run goes on from, whole or not at all."""
    learner = run.learner
    arrays = {f"games.{name}": array for name, array in learner.games.env.snapshot().items()}
    arrays |= {f"net.{name}": tensor.detach().cpu().numpy() for name, tensor in learner.network.named_parameters()}
    arrays |= {name: tensor.detach().cpu().numpy() for name, tensor in _moments(run)}
    arrays["scale"] = learner.scale.moments
    stands = {
        "decisions": learner.decisions, "seconds": run.seconds, "evaluated": run.evaluated, "best": run.best,
        "stage": learner.games.stage, "endings": list(learner.endings), "luck": learner.rng.bit_generator.state,
    }  # fmt: skip
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_bytes(save(arrays, {_STANDS: json.dumps(stands), _CONFIG: run.config.model_dump_json()}))
    unfinished.replace(path)


def read_resume(run: "Run", path: Path) -> None:
    """Puts a new run where the file says. Raises `ConfigError` if the file is of another configuration, or broken."""
    try:
        with safe_open(path, "numpy") as file:
            metadata = file.metadata() or {}
            _check_config(run, json.loads(metadata[_CONFIG]), path)
            stands = json.loads(metadata[_STANDS])
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        _restore(run, stands, arrays)
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(f"{path}: cannot be gone on from: {error!r}; remove it to begin anew") from None


def _check_config(run: "Run", before: dict[str, Any], path: Path) -> None:
    now = json.loads(run.config.model_dump_json())
    differ = [name for name in now if name not in _MAY_DIFFER and now[name] != before.get(name)]
    if differ:
        name = differ[0]
        raise ConfigError(f"{path} is of {name}: {before.get(name)}, not {now[name]}; use another folder")


def _restore(run: "Run", stands: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    learner = run.learner
    with torch.no_grad():
        for name, weight in learner.network.named_parameters():
            weight.copy_(torch.from_numpy(arrays[f"net.{name}"]))
        _make_moments(run)
        for name, tensor in _moments(run):
            tensor.copy_(torch.from_numpy(arrays[name]))
    snapshot = {name.removeprefix("games."): array for name, array in arrays.items() if name.startswith("games.")}
    learner.games.restore(stands["stage"], snapshot)
    learner.scale.moments = arrays["scale"].copy()
    learner.decisions = stands["decisions"]
    learner.endings.extend(Ended(*ended) for ended in stands["endings"])
    learner.rng.bit_generator.state = stands["luck"]
    run.seconds, run.evaluated, run.best = stands["seconds"], stands["evaluated"], stands["best"]


def _moments(run: "Run") -> Iterator[tuple[str, torch.Tensor]]:
    """The optimiser's memory of every weight, by name."""
    learner = run.learner
    for name, tensor in learner.network.named_parameters():
        memory = learner.optimiser.state.get(tensor, {})
        yield from ((f"adam.{name}.{moment}", memory[moment]) for moment in _MOMENTS if moment in memory)


def _make_moments(run: "Run") -> None:
    """An optimiser that has not stepped yet remembers nothing that could be overwritten."""
    learner = run.learner
    for weight in learner.network.parameters():
        learner.optimiser.state[weight] = {
            "step": torch.zeros((), dtype=torch.float32),
            "exp_avg": torch.zeros_like(weight),
            "exp_avg_sq": torch.zeros_like(weight),
        }
