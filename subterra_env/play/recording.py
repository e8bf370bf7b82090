"""Records of games that an agent plays: who plays, at which tables, whether the records hold, and a look at them."""

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

from subterra_env.game import SUBTERRA, RecordError, Table

_AGENTS = "subterra_env.agents.base"
_MOST_BYTES = 1_000_000
"""Longer than any position is written."""


class SettingError(ValueError):
    """Something typed on the command line that cannot be read; the message says how it is written."""


class GameFileError(ValueError):
    """A file of a game that cannot be; the message names the file, the place in it and the fault."""


def agent_named(name: str) -> Any:
    """The agent of that name, or of a ``module:Class``. Raises what ``agents.base.load`` raises."""
    return import_module(_AGENTS).load(name)


def agreed_tables(cavers: str, **others: Any) -> list[Any]:
    """What is agreed at each of the tables that games are played at in turn. Raises what `Game.options` raises."""
    return [SUBTERRA.options(cavers=team, **others) for team in teams(cavers)]


def teams(cavers: str) -> list[tuple[str, ...]]:
    """Every team of a size for a number, else the one team named."""
    if not cavers.isdecimal():
        return [tuple(name.strip() for name in cavers.split(","))]
    names, size = SUBTERRA.notation.CAVER_NAMES, int(cavers)
    if not 1 <= size <= len(names):
        raise SettingError(f"--cavers {size}: there are {len(names)} cavers; give a number of them, or their names")
    return list(combinations(names, size))


def settings_in(pairs: Sequence[str]) -> dict[str, int | bool | str]:
    """Options written ``name=value``; whole numbers, ``true`` and ``false`` are what they say, the rest is text."""
    found: dict[str, int | bool | str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise SettingError(f"--set {pair}: written option=value, for example --set extra_hazard_cards=3")
        if name in (*found, "cavers", "rules", "difficulty"):
            raise SettingError(f"--set {pair}: {name} is named twice, or has an option of its own (--{name})")
        found[name] = _value(value)
    return found


def _value(text: str) -> int | bool | str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int) else text


def record_games(agent: Any, tables: Sequence[Any], games: int, seed: int) -> Iterator[str]:
    """The lines of so many records; game number i is that of seed ``seed + i``, at the tables in turn."""
    for game in range(games):
        yield from SUBTERRA.record.play_record(tables[game % len(tables)], seed + game, agent.act)


def checked(path: Path) -> tuple[int, int]:
    """How many records a file holds, and events in them. Raises `GameFileError`, or OSError if it cannot be read."""
    try:
        games, events = SUBTERRA.record.check(SUBTERRA.record.file_lines(path))
    except RecordError as error:
        raise GameFileError(f"{path}: {error}") from None
    return games, events


def table_in(path: Path) -> Table:
    """The table of a file that holds one position, or one record: after its last event.

    Raises `GameFileError`, or OSError if the file cannot be read.
    """
    first_line = next(SUBTERRA.record.file_lines(path), "")
    try:
        if SUBTERRA.record.FORMAT in first_line:
            return Table.from_record(SUBTERRA.record.file_lines(path))
        with path.open("rb") as file:
            return Table.from_json(file.read(_MOST_BYTES).decode("utf-8", errors="replace"))
    except (RecordError, SUBTERRA.position.PositionError) as error:
        raise GameFileError(f"{path}: {error}") from None
