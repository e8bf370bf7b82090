"""Perft: the leaves of the tree of answers and chance outcomes below set-ups that a JSON file describes.

Two readings of the rules that agree on every count agree on every question, answer and outcome down to that depth.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from subterra_env.game import SUBTERRA, Asked, Table

MOST_BYTES = 10_000_000
USUAL_DEPTH = 4


class SetupError(ValueError):
    """A file that describes no set-ups; the message names the file, the place in it and the fault."""


class Agreed(BaseModel):
    """The header of a game record; other keys in it are ignored."""

    rules: str
    cavers: tuple[str, ...]
    first: int
    options: dict[str, Any]


class Setup(BaseModel):
    """A position (a header, and the answers and outcomes told after it) and its leaves at each depth, if known."""

    name: str
    header: Agreed
    after: tuple[int | str, ...] = ()
    leaves: dict[int, int] = {}

    def deepest(self) -> int:
        return max(self.leaves, default=USUAL_DEPTH)


class Setups(BaseModel):
    setups: tuple[Setup, ...]


def setups_in(path: Path) -> tuple[Setup, ...]:
    """The set-ups that a file describes. Raises `SetupError`, or OSError if it cannot be read."""
    with path.open("rb") as file:
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise SetupError(f"{path}: longer than {MOST_BYTES} bytes")
    try:
        return Setups.model_validate_json(text).setups
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"]))
        raise SetupError(f"{path}: {place + ': ' if place else ''}{fault['msg']}") from None


def chosen(setups: tuple[Setup, ...], only: int | None) -> tuple[Setup, ...]:
    """All set-ups, or the one with that number, counted from 1. Raises `SetupError` if there is none."""
    if only is None:
        return setups
    if not 1 <= only <= len(setups):
        raise SetupError(f"no set-up {only}; there are 1 to {len(setups)}")
    return (setups[only - 1],)


def position(setup: Setup) -> Table:
    """The table after what was told. Raises what `Table` raises for options, answers and outcomes that cannot be."""
    agreed = setup.header
    # Files may state among the options how the first caver was found; the seat beside them is what counts.
    settings = {name: value for name, value in agreed.options.items() if name != "first"}
    table = Table(agreed.cavers, rules=agreed.rules, seed=None, first=agreed.first, **settings)
    for told in setup.after:
        if isinstance(table.question, Asked):
            table.play(str(told))
        else:
            table.chance(told)
    return table


def counts(setup: Setup, deepest: int) -> Iterator[tuple[int, int]]:
    """Depth and leaves, for every depth from 1 on."""
    states = position(setup).view()
    for depth in range(1, deepest + 1):
        yield depth, int(SUBTERRA.engine.perft(states, depth))
