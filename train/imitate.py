"""Learns policy and value from a planner's games: answers by cross entropy, values by how the games ended.

`ppo` goes on from the checkpoint that this leaves (its key ``start``).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field
from subterra_env.agents.checkpoint import Architecture, Checkpoint, card_here, read_checkpoint
from subterra_env.agents.network import VALUE_UNIT
from subterra_env.train import running
from subterra_env.train.dataset import Dataset, joined, read_dataset
from subterra_env.train.network import Network, device_of, legal_logits, precision
from subterra_env.train.resuming import learned, put_back
from subterra_env.train.running import AGREEMENT, RunSettings, Watch
from subterra_env.train.settings import Agreed, ConfigError, load_settings
from subterra_env.train.symmetries import Symmetries

_Count = Annotated[int, Field(ge=1)]


class ImitateConfig(RunSettings):
    """One run."""

    trainer: Literal["imitate"]
    datasets: Annotated[tuple[str, ...], Field(min_length=1, strict=False)]
    """Parquet files; see `dataset`."""
    start: str | None = None
    """A checkpoint to begin with."""
    epochs: _Count = 10
    minibatch: _Count = 1024
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    """At first; it falls to nothing along a cosine."""
    weight_decay: Annotated[float, Field(ge=0)] = 1e-4
    value_weight: Annotated[float, Field(ge=0)] = 0.5
    symmetries: bool = True
    held_out: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """Part of the games that is not learned from, to judge by."""
    precision: Literal["fp32", "bf16"] = "bf16"
    architecture: Architecture = Architecture()
    table: Agreed = Field(default_factory=dict)
    """What the table of the evaluation games agrees."""
    evaluate_every: _Count = 1
    """As in `running`; an epoch is the least there is."""


def load_config(path: Path, changes: Sequence[str] = ()) -> ImitateConfig:
    """Reads a configuration. Raises `settings.ConfigError`."""
    return load_settings(path, ImitateConfig, changes)


class Run(running.Run):
    """A run of `imitate` under way; a batch is an epoch."""

    config: ImitateConfig
    decisions, stage = 0, 0

    def __init__(self, config: ImitateConfig, folder: Path | None) -> None:
        """Begins anew. Raises `settings.ConfigError` and `dataset.DatasetError`."""
        super().__init__(config, folder)
        self._data = joined(read_dataset(Path(name)) for name in config.datasets)
        self._learned, self._judged = _shared_out(self._data, config)
        self.total, self.table = config.epochs * len(self._learned), config.table
        self.network = _network(config).to(device_of(config.device))
        self._optimiser = torch.optim.AdamW(self.network.parameters(), weight_decay=config.weight_decay)
        self._rng = np.random.default_rng(config.seed)

    def learn(self) -> Mapping[str, float]:
        losses = list[float]()
        for part in _minibatches(self._data, self._rng.permutation(self._learned), self.config, self._rng):
            self._slow_down()
            self._optimiser.zero_grad()
            loss = _loss(self.network, part, self.config)[0]
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimiser.step()
            self.decisions += len(part["answers"])
            losses.append(loss.item())
        return {"train/loss": float(np.mean(losses)), **_judge(self.network, self._data, self._judged, self.config)}

    def _slow_down(self) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = self.config.learning_rate * (1 + math.cos(math.pi * self.decisions / self.total)) / 2

    def of_late(self) -> Mapping[str, float]:
        return {}

    def checkpoint(self, **card: Any) -> Checkpoint:
        return Checkpoint(card_here(self.config.architecture, value_unit=VALUE_UNIT, **card), self.network.arrays())

    def snapshot(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        stands = {"decisions": self.decisions, "luck": self._rng.bit_generator.state}
        return stands, learned(self.network, self._optimiser)

    def restore(self, stands: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        put_back(self.network, self._optimiser, arrays)
        self.decisions = stands["decisions"]
        self._rng.bit_generator.state = stands["luck"]


def run(config: ImitateConfig, folder: Path) -> None:
    """`train`, shown on the console and to TensorBoard."""
    running.train_shown(Run(config, folder), folder)


def train(config: ImitateConfig, folder: Path | None, watch: Watch) -> Run:
    """Learns as a configuration says, from where the folder's last run broke off if there is one.

    Without a folder nothing is written. Raises `settings.ConfigError` if the folder is of another configuration, or if
    there are too few games.
    """
    return running.train(Run(config, folder), watch)


def _network(config: ImitateConfig) -> Network:
    torch.manual_seed(config.seed)
    network = Network(config.architecture)
    if config.start is not None:
        checkpoint = read_checkpoint(Path(config.start))
        if checkpoint.card.architecture != config.architecture:
            raise ConfigError(f"start: its architecture is {checkpoint.card.architecture}")
        network.take(checkpoint.arrays)
    return network


def _shared_out(data: Dataset, config: ImitateConfig) -> tuple[np.ndarray, np.ndarray]:
    """Rows to learn from, and rows of other games to judge by."""
    games = int(data.game.max()) + 1
    held_out = np.zeros(games, np.bool_)
    count = max(1, round(games * config.held_out))
    if count >= games:
        raise ConfigError(f"datasets: {games} games are too few to hold out {config.held_out:.0%} of them")
    held_out[np.random.default_rng(config.seed).permutation(games)[:count]] = True
    rows = held_out[data.game]
    return np.flatnonzero(~rows), np.flatnonzero(rows)


def _minibatches(
    data: Dataset, order: np.ndarray, config: ImitateConfig, rng: np.random.Generator | None
) -> Iterator[dict[str, torch.Tensor]]:
    """Rows in this order; turned and mirrored at random if there is a generator and the configuration says so."""
    symmetries = Symmetries() if config.symmetries and rng is not None else None
    for start in range(0, len(order), config.minibatch):
        rows = order[start : start + config.minibatch]
        hint = config.architecture.hint
        part = {
            "seen": torch.from_numpy(_inputs(data, rows, hint)),
            "masks": torch.from_numpy(data.legal[rows].astype(np.int8)),
            "answers": torch.from_numpy(data.answer[rows].astype(np.int64)),
            "utilities": torch.from_numpy(data.utility[rows]),
        }  # fmt: skip
        if symmetries is not None and rng is not None:
            symmetries.turn(part, rng)
        yield part


def _inputs(data: Dataset, rows: np.ndarray, hint: bool) -> np.ndarray:
    seen: np.ndarray = data.seen[rows]
    if not hint:
        return seen
    hints = np.zeros((len(rows), data.legal.shape[1]), np.float32)
    hints[np.arange(len(rows)), data.hint[rows]] = 1.0
    return np.concatenate([seen, hints], axis=1)


def _loss(
    network: Network, part: dict[str, torch.Tensor], config: ImitateConfig
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The loss, the cross entropy, whether each answer is foretold, and what values are off by."""
    device = device_of(config.device)
    part = {name: column.to(device) for name, column in part.items()}
    with precision(config.precision, device):
        logits, values = network(part["seen"])
    logits = legal_logits(logits, part["masks"])
    entropy = torch.nn.functional.cross_entropy(logits, part["answers"])
    errors = values - part["utilities"]
    loss = entropy + config.value_weight * errors.square().mean()
    return loss, entropy, logits.argmax(1) == part["answers"], errors


def _judge(network: Network, data: Dataset, rows: np.ndarray, config: ImitateConfig) -> dict[str, float]:
    """Judged on the games held out: share of answers foretold, cross entropy, variance of utilities foretold."""
    entropies, agree, errors = list[float](), list[np.ndarray](), list[np.ndarray]()
    with torch.inference_mode():
        for part in _minibatches(data, rows, config, None):
            _, entropy, agrees, wrong = _loss(network, part, config)
            entropies.append(entropy.item() * len(agrees))
            agree.append(agrees.cpu().numpy())
            errors.append(wrong.cpu().numpy())
    variance = float(data.utility[rows].var())
    told = 1 - float(np.concatenate(errors).var()) / variance if variance > 0 else 0.0
    return {
        AGREEMENT: float(np.concatenate(agree).mean()), "held_out/cross_entropy": sum(entropies) / len(rows),
        "held_out/explained_variance": told,
    }  # fmt: skip
