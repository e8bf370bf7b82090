"""What an agent would do at a place in a game, printed for whoever sits at the table, or for programs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from subterra_env.game import Asked, Awaited, Table
from subterra_env.play.recording import agent_named, table_in

_AGENTS = "subterra_env.agents.base"

HOW_TO_READ = "Chances: games that the rules bot played on from there. Order: the agent's own."
_MEDALS = ("gold", "silver", "bronze", "defeat")
_UNKNOWN = "?"
_ONE_PERCENT = 0.01
_WIDTHS = {"": 2, "answer": 16, **dict.fromkeys(_MEDALS, 6), "saved": 16, "playouts": 8}
"""Characters of each column of figures."""
_GAP = 2
_WIDE = sum(_WIDTHS.values()) + _GAP * (len(_WIDTHS) - 1)
_INDENT = _WIDTHS[""] + _GAP


class NothingToAdviseError(ValueError):
    """A game that asks nobody anything; the message says what it stands at."""


def advice_on(file: Path, agent: str, budget: str | None, k: int) -> tuple[Asked, list[Any]]:
    """The question that a record in progress or a position stands at, and at most ``k`` answers, best first.

    Raises `NothingToAdviseError` if it stands at none, and what `table_in`, `agent_named` and `budget_of` raise.
    """
    adviser, allowed = agent_named(agent), None if budget is None else budget_of(budget)
    table = table_in(file)
    return _question_of(file, table), adviser.advise(table.view(), k, allowed)


def budget_of(written: str) -> Any:
    """What an agent may think. Raises what ``agents.base.Budget.parse`` raises."""
    return import_module(_AGENTS).Budget.parse(written)


def _question_of(file: Path, table: Table) -> Asked:
    match table.question:
        case Asked() as question:
            return question
        case Awaited() as event:
            possible = ", ".join(map(str, event.odds()))
            raise NothingToAdviseError(f"{file}: {event}; first say what came: {possible}")
    raise NothingToAdviseError(f"{file}: the game is over: {table.result}")


def json_of(advice: Sequence[Any]) -> str:
    """One JSON list, an object for each answer with the fields of ``agents.base.Advice``."""
    return json.dumps([asdict(each) for each in advice], ensure_ascii=False)


def print_advice(console: Console, advice: Sequence[Any]) -> None:
    """Figures in columns, or in words where the screen is too narrow for them; below each what may follow."""
    is_wide = console.width >= _WIDE
    if is_wide:
        console.print(_row({**{name: name for name in _WIDTHS}, "saved": "saved (95%)"}, "bold"))
    for rank, each in enumerate(advice, 1):
        figures = {"": f"{rank}.", "answer": each.word, **_figures(each)}
        console.print(_row(figures) if is_wide else _words(figures))
        for name, told in (("then", ", ".join(each.expected_line)), ("risk", each.main_risk)):
            if told:
                console.print(Padding(Text(f"{name}: {told}", style="dim"), (0, 0, 0, _INDENT), expand=False))
    console.print(Text(HOW_TO_READ, style="italic"))


def _row(cells: dict[str, str], style: str = "") -> RenderableType:
    grid = Grid.grid(padding=(0, _GAP, 0, 0))
    for name, width in _WIDTHS.items():
        grid.add_column(width=width, justify="right" if name in (*_MEDALS, "playouts") else "left")
    grid.add_row(*(Text(cell, style=style) for cell in cells.values()))
    return grid


def _words(cells: dict[str, str]) -> Text:
    rank, answer, *figures = cells.items()
    told = ", ".join(f"{name} {figure}" for name, figure in figures)
    return Text.assemble((f"{rank[1]} {answer[1]}", "bold"), f": {told}")


def _figures(each: Any) -> dict[str, str]:
    """What an agent says of an answer, by column; what it does not estimate is a question mark."""
    saved = _UNKNOWN
    if each.saved is not None and each.saved_interval is not None:
        low, high = each.saved_interval
        saved = f"{each.saved:.2f} ({low:.2f}…{high:.2f})"
    chances = {name: getattr(each, name) for name in _MEDALS}
    shown = {name: _UNKNOWN if chance is None else _percent(chance) for name, chance in chances.items()}
    return {**shown, "saved": saved, "playouts": f"{each.simulations}"}


def _percent(chance: float) -> str:
    """In whole percent; a small chance is told from none."""
    return f"<{_ONE_PERCENT:.0%}" if 0 < chance < _ONE_PERCENT else f"{chance:.0%}"
