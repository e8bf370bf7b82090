"""A training run: batches until it is over, an evaluation now and then, checkpoints, and a file that it goes on from.

A run's folder holds ``best.safetensors`` and ``last.safetensors`` (checkpoints), and ``resume.safetensors``, from which
the run goes on bit for bit.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import numpy as np
from pydantic import Field
from subterra_env.agents.checkpoint import Checkpoint
from subterra_env.agents.mlp import packed
from subterra_env.train.judging import Score, greedy, judged
from subterra_env.train.network import torch_threads
from subterra_env.train.resuming import read_resume, write_resume
from subterra_env.train.settings import FIRST_EVALUATION_SEED, Settings
from subterra_env.train.versions import provenance

BEST, LAST, RESUME = "best.safetensors", "last.safetensors", "resume.safetensors"
AGREEMENT = "held_out/agreement"
"""Among a run's numbers: share of answers of games held out that it foretells, if it learns from games."""


class RunSettings(Settings):
    """What every run can be told."""

    team: Literal["fixed", "random"] = "random"
    """The team that the table names, or any of its size."""
    seed: Annotated[int, Field(ge=0, lt=FIRST_EVALUATION_SEED)] = 0
    seconds: Annotated[float, Field(gt=0)] | None = None
    """Time after which training ends, if that comes first."""
    torch_threads: Annotated[int, Field(ge=1)] = 1
    device: Literal["auto", "cpu"] = "auto"
    """Where the network learns: with CUDA if there is one, or not even then."""
    evaluate_every: Annotated[int, Field(ge=1)] = 2_000_000
    """Decisions between evaluations; there is one at the end too."""
    evaluation_games: Annotated[int, Field(ge=1)] = 280


@dataclass(frozen=True)
class Progress:
    """How a run stands after a batch."""

    decisions: int
    total: int
    seconds: float
    stage: int
    numbers: Mapping[str, float]
    """What TensorBoard is told, by name."""
    of_late: Mapping[str, float]
    """Means over the last games, by name (`games.summary`); nothing before the first."""
    score: Score | None
    """The evaluation made after this batch, if one was."""


Watch = Callable[[Progress], None]
R = TypeVar("R", bound="Run")


class Run(ABC):
    """A run under way: what learns, its clock, its best score."""

    decisions: int
    """Answers learned from so far."""
    total: int
    """Answers to learn from, at least; the run ends with the batch that reaches them."""
    stage: int
    table: Mapping[str, Any]
    """What is agreed in the evaluation games."""

    def __init__(self, config: RunSettings, folder: Path | None) -> None:
        """Begins anew; without a folder nothing is written."""
        self.config, self.folder = config, folder
        self.seconds, self.evaluated, self.best = 0.0, 0, -1.0

    @abstractmethod
    def learn(self) -> Mapping[str, float]:
        """Learns from one more batch of answers; numbers for TensorBoard, by name."""

    @abstractmethod
    def of_late(self) -> Mapping[str, float]:
        """Means over the last games, by name; nothing before the first."""

    @abstractmethod
    def checkpoint(self, **card: Any) -> Checkpoint:
        """The network as it stands, with what else its card says."""

    @abstractmethod
    def snapshot(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """All that learning goes on from: what JSON can hold, and arrays."""

    @abstractmethod
    def restore(self, stands: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on from a snapshot."""

    def go_on(self, watch: Watch) -> None:
        """Trains to the end; ``watch`` is told after every batch."""
        with torch_threads(self.config.torch_threads):
            while not self._is_done():
                numbers = self._timed(self.learn)
                score = self._timed(self.judge) if self._is_due() else None
                watch(Progress(self.decisions, self.total, self.seconds, self.stage, numbers, self.of_late(), score))
                if score is not None:
                    self._keep(score)

    def _timed(self, work: Callable[[], Any]) -> Any:
        begun = time.perf_counter()
        found = work()
        self.seconds += time.perf_counter() - begun
        return found

    def _is_done(self) -> bool:
        out_of_time = self.config.seconds is not None and self.seconds >= self.config.seconds
        return out_of_time or self.decisions >= self.total

    def _is_due(self) -> bool:
        return self._is_done() or self.decisions >= self.evaluated + self.config.evaluate_every

    def judge(self) -> Score:
        """How the network plays the evaluation games now, without search."""
        self.evaluated = self.decisions
        net = packed(self.checkpoint())
        return judged(greedy(net), self.table, self.config.team, self.config.evaluation_games)

    def _keep(self, score: Score) -> None:
        if self.folder is None:
            return
        trained = provenance(self.config.model_dump(mode="json"), self.decisions, self.seconds)
        checkpoint = self.checkpoint(trained=trained, scores={"last stage, evaluation seeds": asdict(score)})
        checkpoint.write(self.folder / LAST)
        if score.success + score.saved > self.best:
            self.best = score.success + score.saved
            checkpoint.write(self.folder / BEST)
        write_resume(self, self.folder / RESUME)


def train(run: R, watch: Watch) -> R:
    """Trains to the end, from where the last run of the same folder broke off if there is one.

    Raises `settings.ConfigError` if that was of another configuration.
    """
    _begin(run)
    run.go_on(watch)
    return run


def train_shown(run: Run, folder: Path) -> None:
    """`train`, shown on the console and to TensorBoard."""
    from subterra_env.train.console import Log

    _begin(run)
    with Log(run.config, folder) as log:
        run.go_on(log)


def _begin(run: Run) -> None:
    if run.folder is not None:
        run.folder.mkdir(parents=True, exist_ok=True)
        if (run.folder / RESUME).exists():
            read_resume(run, run.folder / RESUME)
