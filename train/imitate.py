"""Learns policy and value from a planner's games: answers by cross entropy, values by how the games ended.

`ppo` goes on from the checkpoint that this leaves (its key ``start``).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal

import numpy as np
import torch
from pydantic import Field
from rich.console import Console
from subterra_env.agents.checkpoint import Architecture, Checkpoint, card_here, read_checkpoint
from subterra_env.agents.network import VALUE_UNIT
from subterra_env.train.dataset import Dataset, joined, read_dataset
from subterra_env.train.network import Network, legal_logits, precision, torch_threads
from subterra_env.train.settings import ConfigError, Settings, load_settings
from subterra_env.train.symmetries import Symmetries
from subterra_env.train.versions import provenance

BEST = "best.safetensors"
_Count = Annotated[int, Field(ge=1)]


class ImitateConfig(Settings):
    """One run."""

    trainer: Literal["imitate"]
    datasets: Annotated[tuple[str, ...], Field(min_length=1, strict=False)]
    """Parquet files; see `dataset`."""
    start: str | None = None
    """A checkpoint to begin with."""
    seed: Annotated[int, Field(ge=0)] = 0
    epochs: _Count = 10
    minibatch: _Count = 1024
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    weight_decay: Annotated[float, Field(ge=0)] = 1e-4
    value_weight: Annotated[float, Field(ge=0)] = 0.5
    symmetries: bool = True
    held_out: Annotated[float, Field(gt=0, lt=1)] = 0.1
    """Part of the games that is not learned from, to judge by."""
    precision: Literal["fp32", "bf16"] = "bf16"
    architecture: Architecture = Architecture()
    torch_threads: _Count = 1


@dataclass(frozen=True)
class Report:
    """An epoch, judged on the games held out: share of answers foretold, cross entropy, variance of utilities told."""

    epoch: int
    seconds: float
    agreement: float
    cross_entropy: float
    explained_variance: float


def load_config(path: Path, changes: Sequence[str] = ()) -> ImitateConfig:
    """Reads a configuration. Raises `settings.ConfigError`."""
    return load_settings(path, ImitateConfig, changes)


def run(config: ImitateConfig, folder: Path) -> None:
    """`imitate` with a line an epoch on the console."""
    console = Console(highlight=False)

    def show(at: Report) -> None:
        console.print(
            f"epoch {at.epoch}, {at.seconds:.0f} s: agrees in {at.agreement:.1%} of the answers held out, cross "
            f"entropy {at.cross_entropy:.3f}, variance explained {at.explained_variance:.1%}"
        )

    imitate(config, show).write(folder / BEST)


def imitate(config: ImitateConfig, tell: Callable[[Report], None]) -> Checkpoint:
    """The network of the epoch with the least loss on the games held out. Raises `settings.ConfigError`."""
    begun = perf_counter()
    data = joined(read_dataset(Path(name)) for name in config.datasets)
    learned, judged = _shared_out(data, config)
    network = _network(config)
    rng = np.random.default_rng(config.seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    steps = config.epochs * math.ceil(len(learned) / config.minibatch)
    slower = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    best, least = network.arrays(), math.inf
    last: Report | None = None
    with torch_threads(config.torch_threads):
        for epoch in range(1, config.epochs + 1):
            for part in _minibatches(data, rng.permutation(learned), config, rng):
                optimiser.zero_grad()
                _loss(network, part, config)[0].backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                slower.step()
            report, loss = _judge(network, data, judged, config, epoch, perf_counter() - begun)
            tell(report)
            if loss < least:
                best, least, last = network.arrays(), loss, report
    games = int(data.game.max()) + 1
    trained = provenance(config.model_dump(mode="json"), len(data.answer), perf_counter() - begun) | {"games": games}
    scores = {} if last is None else {"games held out": asdict(last)}
    return Checkpoint(card_here(config.architecture, value_unit=VALUE_UNIT, trained=trained, scores=scores), best)


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
    with precision(config.precision, "cpu"):
        logits, values = network(part["seen"])
    logits = legal_logits(logits, part["masks"])
    entropy = torch.nn.functional.cross_entropy(logits, part["answers"])
    errors = values - part["utilities"]
    loss = entropy + config.value_weight * errors.square().mean()
    return loss, entropy, logits.argmax(1) == part["answers"], errors


def _judge(
    network: Network, data: Dataset, rows: np.ndarray, config: ImitateConfig, epoch: int, seconds: float
) -> tuple[Report, float]:
    losses, entropies, agree, errors = list[float](), list[float](), list[np.ndarray](), list[np.ndarray]()
    with torch.inference_mode():
        for part in _minibatches(data, rows, config, None):
            loss, entropy, agrees, wrong = _loss(network, part, config)
            losses.append(loss.item() * len(agrees))
            entropies.append(entropy.item() * len(agrees))
            agree.append(agrees.numpy())
            errors.append(wrong.numpy())
    n, variance = len(rows), float(data.utility[rows].var())
    told = 1 - float(np.concatenate(errors).var()) / variance if variance > 0 else 0.0
    agreement = float(np.concatenate(agree).mean())
    return Report(epoch, seconds, agreement, sum(entropies) / n, told), sum(losses) / n
