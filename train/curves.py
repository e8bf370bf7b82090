"""The learning curve of a run as a picture, from what it told TensorBoard.

``python -m subterra_env.train.curves runs/shallow curve.png``
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

_NAMES = ("success", "low", "high", "saved")
_SIZE = (7.0, 4.0)


def save_curve(folder: Path, picture: Path) -> None:
    """Draws shares of games not defeated and of cavers saved. Raises ValueError if no evaluation was told of."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    told = EventAccumulator(str(folder))
    told.Reload()
    if "eval/success" not in told.Tags()["scalars"]:
        raise ValueError(f"{folder}: no evaluation is told of there")
    curves = {name: told.Scalars(f"eval/{name}") for name in _NAMES}
    decisions = [point.step for point in curves["success"]]
    draw_curve(decisions, {name: [point.value for point in points] for name, points in curves.items()}, picture)


def draw_curve(decisions: Sequence[int], shares: Mapping[str, Sequence[float]], picture: Path) -> None:
    """Draws evaluations after so many decisions; ``shares``: by `_NAMES`, from 0 to 1."""
    from matplotlib.figure import Figure

    millions = [count / 1e6 for count in decisions]
    percent = {name: [100 * share for share in column] for name, column in shares.items()}
    figure = Figure(_SIZE, layout="constrained")
    axes = figure.add_subplot(xlabel="decisions learned from, millions", ylabel="percent", ylim=(0, 100))
    axes.fill_between(millions, percent["low"], percent["high"], alpha=0.25, linewidth=0)
    axes.plot(millions, percent["success"], marker=".", label="games not defeated, 95 % interval")
    axes.plot(millions, percent["saved"], linestyle="--", label="cavers saved")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(picture, dpi=120)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="curves", description="Draw the learning curve of a run.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    save_curve(given.folder, given.picture)


if __name__ == "__main__":
    main()
