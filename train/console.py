"""What a run shows: a bar, a line for every evaluation, and TensorBoard's curves."""

from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from subterra_env.train.running import AGREEMENT, RunSettings
from subterra_env.train.running import Progress as Stands
from torch.utils.tensorboard import SummaryWriter

_COLUMNS = (
    "{task.fields[rate]:,.0f} decisions/s", "stage {task.fields[stage]}", "{task.fields[late]}",
)  # fmt: skip


class Log:
    """Told of a run after every batch; to be used in a ``with`` statement."""

    def __init__(self, config: RunSettings, folder: Path) -> None:
        self._config, self._console = config, Console(highlight=False)
        self._writer = SummaryWriter(str(folder))
        self._bar = Progress(
            BarColumn(), TaskProgressColumn(), *map(TextColumn, _COLUMNS), TimeElapsedColumn(), TimeRemainingColumn(),
            console=self._console,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=1.0, rate=0.0, stage=1, late="")
        self._last = (0, 0.0)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._writer.close()

    def __call__(self, at: Stands) -> None:
        """Shows where the run stands."""
        decisions, seconds = self._last
        rate = (at.decisions - decisions) / max(at.seconds - seconds, 1e-9)
        self._last = (at.decisions, at.seconds)
        done = at.decisions / at.total
        if self._config.seconds is not None:
            done = max(done, at.seconds / self._config.seconds)
        late = f"success of late {at.of_late['success']:.0%}" if at.of_late else ""
        self._bar.update(self._task, completed=min(1.0, done), rate=rate, stage=at.stage + 1, late=late)
        self._write(at, rate)
        if at.score is not None:
            agrees = f", {at.numbers[AGREEMENT]:.1%} foretold" if AGREEMENT in at.numbers else ""
            success, low, high = (f"{100 * share:.1f}" for share in (at.score.success, at.score.low, at.score.high))
            self._console.print(
                f"{at.decisions:>11,} decisions, {at.seconds:5.0f} s: {success}% ({low} to {high}) not defeated, "
                f"{at.score.saved:.1%} saved{agrees}",
                soft_wrap=True,
            )

    def _write(self, at: Stands, rate: float) -> None:
        numbers = {**at.numbers, **{f"rollout/{name}": number for name, number in at.of_late.items()}}
        if at.score is not None:
            numbers |= {f"eval/{name}": number for name, number in asdict(at.score).items()}
        for name, number in (numbers | {"time/fps": rate, "time/stage": at.stage}).items():
            self._writer.add_scalar(name, number, at.decisions)
