"""Where a run stands, in a file: weights, optimiser, games and luck, as safetensors and JSON."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save
from subterra_env.train.settings import ConfigError

from subterra_env.envs.vector import SubTerraVectorEnv

if TYPE_CHECKING:
    from subterra_env.train.running import Run

_STANDS, _CONFIG = "stands", "config"
_GAMES = "games."
_CLOCK = ("seconds", "evaluated", "best")
_MOMENTS = ("step", "exp_avg", "exp_avg_sq")
_MAY_DIFFER = ("decisions", "seconds", "evaluate_every", "evaluation_games")
"""Keys of a configuration that only say how long it goes on and how often it is looked at."""


def write_resume(run: "Run", path: Path) -> None:
    """Writes all that the run goes on from, whole or not at all."""
    stands, arrays = run.snapshot()
    stands |= {name: getattr(run, name) for name in _CLOCK}
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
        run.restore(stands, arrays)
        for name in _CLOCK:
            setattr(run, name, stands[name])
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError, OSError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(f"{path}: cannot be gone on from: {error!r}; remove it to begin anew") from None


def _check_config(run: "Run", before: dict[str, Any], path: Path) -> None:
    now = json.loads(run.config.model_dump_json())
    differ = [name for name in now if name not in _MAY_DIFFER and now[name] != before.get(name)]
    if differ:
        name = differ[0]
        raise ConfigError(f"{path} is of {name}: {before.get(name)}, not {now[name]}; use another folder")


def learned(network: torch.nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, np.ndarray]:
    """A network's weights and what Adam remembers of them, by name."""
    arrays = {f"net.{name}": tensor.detach().cpu().numpy() for name, tensor in network.named_parameters()}
    return arrays | {name: tensor.detach().cpu().numpy() for name, tensor in _moments(network, optimiser)}


def put_back(network: torch.nn.Module, optimiser: torch.optim.Optimizer, arrays: Mapping[str, np.ndarray]) -> None:
    """Gives both what `learned` took from others like them."""
    fused = bool(optimiser.defaults.get("fused"))
    with torch.no_grad():
        for name, weight in network.named_parameters():
            weight.copy_(torch.from_numpy(arrays[f"net.{name}"]))
            optimiser.state[weight] = {
                "step": torch.zeros((), dtype=torch.float32, device=weight.device if fused else "cpu"),
                "exp_avg": torch.zeros_like(weight),
                "exp_avg_sq": torch.zeros_like(weight),
            }
        for name, tensor in _moments(network, optimiser):
            tensor.copy_(torch.from_numpy(arrays[name]))


def games_kept(games: SubTerraVectorEnv) -> dict[str, np.ndarray]:
    """Where games stand, by names of their own."""
    return {f"{_GAMES}{name}": array for name, array in games.snapshot().items()}


def games_of(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The snapshot that `games_kept` named, from among other arrays."""
    return {name.removeprefix(_GAMES): array for name, array in arrays.items() if name.startswith(_GAMES)}


def _moments(network: torch.nn.Module, optimiser: torch.optim.Optimizer) -> Iterator[tuple[str, torch.Tensor]]:
    for name, weight in network.named_parameters():
        memory = optimiser.state.get(weight, {})
        yield from ((f"adam.{name}.{moment}", memory[moment]) for moment in _MOMENTS if moment in memory)
