"""What an agent sees of a game: ``flat``, ``entities`` or ``planes``, always through the eyes of one caver.

The eyes are those of the caver asked, unless a seat is named; where nobody is asked they are those of the caver in
turn, else of the starting caver. Nothing here reads the luck key. What every number means is declared in `flat`,
`entities` and `planes`, and listed by `reference`.
"""

from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces

from subterra_env.games.subterra.box.cavers import MOST_CAVERS, MOST_HORRORS
from subterra_env.games.subterra.entities import CAVERS, GLOBALS, HORRORS, TILES
from subterra_env.games.subterra.flat import FLAT
from subterra_env.games.subterra.layout import Layout
from subterra_env.games.subterra.measures import MEASURES, eyes_of, measure
from subterra_env.games.subterra.planes import PLANES, WIDTH
from subterra_env.games.subterra.state import NOBODY, SLOTS
from subterra_env.games.subterra.write_around import (
    write_horrors,
    write_me,
    write_my_tile,
    write_others,
    write_sides,
    write_water,
)
from subterra_env.games.subterra.write_entities import write_entities
from subterra_env.games.subterra.write_planes import write_planes
from subterra_env.games.subterra.write_table import (
    write_agreed,
    write_cave,
    write_dangers,
    write_deck,
    write_laying,
    write_stack,
    write_team,
    write_turn,
)
from subterra_env.jit import compiled, entry, parallel_entry, parallel_range

KINDS = ("flat", "entities", "planes")
FLAT_SIZE = FLAT.size
ENTITY_ROWS: dict[str, tuple[int, Layout]] = {
    "tiles": (SLOTS, TILES),
    "cavers": (MOST_CAVERS, CAVERS),
    "horrors": (MOST_HORRORS, HORRORS),
}
"""The tables of ``entities`` with their number of rows and what a row is."""
REST = "globals"
"""The name of the one row of ``entities`` that belongs to no tile, caver or horror."""

PLANES_SHAPE = (PLANES.size, WIDTH, WIDTH)

FLAT_ROW = np.dtype((np.record, [("numbers", np.float32, (FLAT_SIZE,))]))
"""A flat observation as a record: inside compiled code that is much cheaper to hand on than a row of an array."""

Observation: TypeAlias = np.ndarray | dict[str, np.ndarray]


@compiled
def write_flat(state, eyes, row, measures):
    """The flat observation; ``row``: float32 of length FLAT_SIZE; ``measures``: room to measure in."""
    row[:] = np.float32(0.0)
    measure(state, eyes, measures)
    write_me(state, eyes, measures, row)
    write_my_tile(state, eyes, measures, row)
    write_sides(state, eyes, measures, row)
    write_others(state, eyes, measures, row)
    write_horrors(state, eyes, measures, row)
    write_water(state, measures, row)
    write_turn(state, eyes, row)
    write_team(state, measures, row)
    write_dangers(state, measures, row)
    write_stack(state, row)
    write_deck(state, row)
    write_cave(state, row)
    write_agreed(state, row)
    write_laying(state, row)


@entry
def flat_rows(states, seats, rows, measures):
    """Writes what a seat of each game sees; ``seats``: int8[games], `NOBODY` for who is asked; ``rows``: FLAT_ROW."""
    for i in range(len(states)):
        eyes = eyes_of(states[i]) if seats[i] == NOBODY else int(seats[i])
        write_flat(states[i], eyes, rows[i].numbers, measures[0])


@parallel_entry
def flat_rows_in_parallel(states, seats, rows, measures):
    """`flat_rows` on several threads, in as many parts as there is room to measure in."""
    parts = len(measures)
    share = (len(states) + parts - 1) // parts
    for part in parallel_range(parts):
        for i in range(part * share, min(len(states), (part + 1) * share)):
            eyes = eyes_of(states[i]) if seats[i] == NOBODY else int(seats[i])
            write_flat(states[i], eyes, rows[i].numbers, measures[part])


@entry
def entity_rows(states, seats, tiles, cavers, horrors, rest):
    """Writes what a seat of each game sees; ``seats`` as in `flat_rows`.

    ``tiles``: float32 of shape (games, 66, features); ``cavers`` (games, 6, features); ``horrors`` (games, 3,
    features); ``rest``: the globals, (games, features).
    """
    for i in range(len(states)):
        eyes = eyes_of(states[i]) if seats[i] == NOBODY else int(seats[i])
        write_entities(states[i], eyes, tiles[i], cavers[i], horrors[i], rest[i])


@entry
def plane_rows(states, seats, planes, measures):
    """Writes what a seat of each game sees; ``seats`` as in `flat_rows`; ``planes``: float32[games, channels, w, w]."""
    for i in range(len(states)):
        eyes = eyes_of(states[i]) if seats[i] == NOBODY else int(seats[i])
        measure(states[i], eyes, measures[0])
        write_planes(states[i], eyes, planes[i], measures[0])


@entry
def eyes(states, index):
    """The seat through whose eyes a game is seen when none is named."""
    return eyes_of(states[index])


class ObservationError(ValueError):
    """A kind of observation that does not exist."""


def space(kind: str) -> spaces.Space[Any]:
    """The space of one observation of a kind, all float32.

    A Box of numbers for ``flat``, a Dict of Boxes for ``entities``, a Box of (channels, rows, columns) for ``planes``.
    Raises `ObservationError` for another kind.
    """
    check_kind(kind)
    if kind == "flat":
        return _box(FLAT)
    if kind == "planes":
        low, high = (np.broadcast_to(bound[:, None, None], PLANES_SHAPE) for bound in PLANES.bounds())
        return spaces.Box(low, high, dtype=np.float32)
    tables: dict[str, spaces.Space[Any]] = {REST: _box(GLOBALS)}
    tables |= {name: _box(layout, rows) for name, (rows, layout) in ENTITY_ROWS.items()}
    return spaces.Dict(tables)


def check_kind(kind: str) -> None:
    """Raises `ObservationError` if there is no such kind."""
    if kind not in KINDS:
        raise ObservationError(f"observation: {kind!r}; there are {', '.join(KINDS)}")


def _box(layout: Layout, rows: int | None = None) -> spaces.Box:
    low, high = layout.bounds()
    if rows is not None:
        low, high = np.tile(low, (rows, 1)), np.tile(high, (rows, 1))
    return spaces.Box(low, high, dtype=np.float32)


def buffers(kind: str, games: int) -> Observation:
    """Room for the observations of so many games, for `observe_all`; float32. Raises `ObservationError`."""
    check_kind(kind)
    if kind == "flat":
        return np.zeros((games, FLAT_SIZE), np.float32)
    if kind == "planes":
        return np.zeros((games, *PLANES_SHAPE), np.float32)
    tables = {name: np.zeros((games, rows, layout.size), np.float32) for name, (rows, layout) in ENTITY_ROWS.items()}
    return tables | {REST: np.zeros((games, GLOBALS.size), np.float32)}


def observe_all(states: np.ndarray, kind: str, room: Any, threads: int = 1) -> None:
    """Writes what the caver asked sees in every game into the arrays that `buffers` made for as many games.

    Several ``threads`` share flat observations out; the results are the same. Raises `ObservationError`.
    """
    _write(states, np.full(len(states), NOBODY, np.int8), kind, room, threads)


def observe_each(states: np.ndarray, seats: np.ndarray, kind: str) -> Observation:
    """What a seat of each game sees, as new arrays; ``seats``: whole numbers[games]. Raises `ObservationError`."""
    room = buffers(kind, len(states))
    _write(states, seats.astype(np.int8), kind, room, threads=1)
    return room


def observe(states: np.ndarray, index: int, seat: int | None, kind: str) -> Observation:
    """What a seat of one game sees, or without a seat whoever is asked, as new arrays. Raises `ObservationError`."""
    seen = observe_each(states[index : index + 1], np.full(1, NOBODY if seat is None else seat), kind)
    return {name: table[0] for name, table in seen.items()} if isinstance(seen, dict) else seen[0]


def _write(states: np.ndarray, seats: np.ndarray, kind: str, room: Any, threads: int) -> None:
    check_kind(kind)
    match kind:
        case "flat":
            write = flat_rows if threads == 1 else flat_rows_in_parallel
            write(states, seats, _as_rows(room), np.empty(threads, MEASURES))  # type: ignore[no-untyped-call]
        case "entities":
            tables = (room[name] for name in (*ENTITY_ROWS, REST))
            entity_rows(states, seats, *tables)
        case "planes":
            plane_rows(states, seats, room, np.empty(1, MEASURES))


def _as_rows(numbers: np.ndarray) -> np.ndarray:
    """Rows of numbers as records of them, sharing memory."""
    return numbers.view(FLAT_ROW)[:, 0]
