"""Pictures of results: skill against thinking time, medals by cell, and what each team saves.

Colours are matplotlib's set for colour-blind readers; agents differ in their marks too, medals in hatching.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from subterra_env.agents.results import LEFT_BEHIND, Row
from subterra_env.agents.standings import Standing, standings
from subterra_env.agents.suites import CELLS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = "tableau-colorblind10"
MARKS = "osD^vPX*<>"
MEDAL_LOOKS = {"gold": ("#e6b800", ""), "silver": ("#c4c8cc", "//"), "bronze": ("#a5682a", "..")}
"""Colour and hatching."""
LEAST_MS = 1e-4
"""Left end of a logarithmic axis, for what took no time to measure."""
_DPI = 120
_PANELS_ACROSS = 3
_PANEL_INCHES = (4.4, 3.2)
_ROW_INCHES = 0.17


def save_plots(rows: Iterable[Row], folder: Path) -> list[Path]:
    """Writes all pictures into a folder, made if it is not there; their paths. Raises OSError if it cannot."""
    import matplotlib.style

    rows = list(rows)
    found = standings(rows)
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.style.context(STYLE):
        figures = {
            "skill_against_budget": _panels(found, _draw_skill, "milliseconds a decision", "not defeat"),
            "medals_by_cell": _panels(found, _draw_medals, "share of games", ""),
            "saved_by_team": _teams(rows),
        }
        paths = [folder / f"{name}.png" for name in figures]
        for path, figure in zip(paths, figures.values(), strict=True):
            figure.savefig(path, dpi=_DPI)
    return paths


def _panels(
    found: Sequence[Standing], draw: "Callable[[Axes, list[Standing]], None]", across: str, up: str
) -> "Figure":
    """One panel a cell."""
    from matplotlib.figure import Figure

    cells = [cell for cell in CELLS if any(standing.cell == cell for standing in found)]
    columns = max(1, min(_PANELS_ACROSS, len(cells)))
    lines = max(1, -(-len(cells) // columns))
    width, height = _PANEL_INCHES
    figure = Figure(figsize=(width * columns, height * lines + 1), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False)
    for panel in panels.flat[len(cells) :]:
        panel.set_visible(False)
    for panel, cell in zip(panels.flat, cells, strict=False):
        draw(panel, [standing for standing in found if standing.cell == cell])
        panel.set(title=cell, xlabel=across, ylabel=up)
    _legend(figure)
    return figure


def _legend(figure: "Figure") -> None:
    """One for all panels, each name once."""
    handles: dict[str, Any] = {}
    for panel in figure.axes:
        for handle, name in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.setdefault(name, handle)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=_PANELS_ACROSS, frameon=False)


def _draw_skill(panel: "Axes", found: list[Standing]) -> None:
    """One line an agent, through its budgets."""
    lines: dict[str, list[Standing]] = defaultdict(list)
    for standing in sorted(found, key=lambda standing: standing.ms):
        lines[standing.agent.partition(" @ ")[0]].append(standing)
    for name, look in zip(sorted(lines), _looks(), strict=False):
        line = lines[name]
        across = [max(LEAST_MS, standing.ms) for standing in line]
        values, low, high = np.array([standing.not_defeat for standing in line]).T
        # An end of Wilson's interval may miss the value by a rounding error.
        errors = np.maximum(0, (values - low, high - values))
        panel.errorbar(across, values, errors, label=_named(name, line[0].reference), capsize=3, **look)
    panel.set_xscale("log")
    # Whole decades, so that there are figures at the axis however narrow the range is.
    panel.set_xlim(*_decades_around([standing.ms for standing in found]))
    panel.set_ylim(0, 1)
    panel.grid(alpha=0.3)


def _decades_around(milliseconds: list[float]) -> tuple[float, float]:
    low, high = np.log10(np.maximum(LEAST_MS, (min(milliseconds), max(milliseconds))))
    return float(10 ** np.floor(low)), float(10 ** (np.floor(high) + 1))


def _draw_medals(panel: "Axes", found: list[Standing]) -> None:
    """Stacked shares of the medals, the best agent on top."""
    names = [_named(standing.agent, standing.reference) for standing in found]
    start = np.zeros(len(found))
    for medal in LEFT_BEHIND:
        shares = np.array([getattr(standing, medal).value for standing in found])
        colour, hatch = MEDAL_LOOKS[medal]
        panel.barh(names, shares, left=start, label=medal, color=colour, hatch=hatch, edgecolor="#404040")
        start += shares
    panel.set_xlim(0, 1)
    panel.invert_yaxis()


def _teams(rows: Sequence[Row]) -> "Figure":
    """One panel a size of team, all difficulties together; teams in the order of what all agents save with them."""
    from matplotlib.figure import Figure

    sizes = sorted({row.cavers for row in rows})
    orders = [_teams_in_order([row for row in rows if row.cavers == size]) for size in sizes]
    height = max(map(len, orders), default=1) * _ROW_INCHES + 2
    figure = Figure(figsize=(_PANEL_INCHES[0] * max(1, len(sizes)), height), layout="constrained")
    panels = figure.subplots(1, max(1, len(sizes)), squeeze=False)
    for panel, size, teams in zip(panels.flat, sizes, orders, strict=False):
        _draw_teams(panel, [row for row in rows if row.cavers == size], teams)
        panel.set(title=f"teams of {size}, by initials", xlabel="cavers saved, mean")
    _legend(figure)
    return figure


def _teams_in_order(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    saved: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row in rows:
        saved[row.team].append(row.saved)
    return sorted(saved, key=lambda team: (np.mean(saved[team]), team))


def _draw_teams(panel: "Axes", rows: Sequence[Row], teams: list[tuple[str, ...]]) -> None:
    saved: dict[str, dict[tuple[str, ...], list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        saved[row.label][row.team].append(row.saved)
    for name, look in zip(sorted(saved), _looks(), strict=False):
        played = [height for height, team in enumerate(teams) if team in saved[name]]
        means = [np.mean(saved[name][teams[height]]) for height in played]
        panel.plot(means, played, label=name, **{**look, "linestyle": "none"})
    panel.set_yticks(range(len(teams)), [_initials(team) for team in teams], fontsize="x-small", family="monospace")
    panel.set_ylim(-1, len(teams))
    panel.grid(alpha=0.3)


def _initials(team: tuple[str, ...]) -> str:
    return "".join(name[0].upper() for name in team)


def _named(name: str, reference: bool) -> str:
    return f"{name} (reference)" if reference else name


def _looks() -> Iterator[dict[str, Any]]:
    """Colours and marks repeat after different numbers of agents, so their pairs are many."""
    import matplotlib

    colours = matplotlib.rcParams["axes.prop_cycle"].by_key()["color"]
    for colour, mark in zip(cycle(colours), cycle(MARKS[:-1]), strict=False):
        yield {"color": colour, "marker": mark, "markersize": 5, "linewidth": 1.2}
