"""What an agent sees of a game: ``flat``, ``entities`` or ``planes``, always through the eyes of one caver.

The eyes are those of the caver asked, unless a seat is named; where nobody is asked they are those of the caver in
turn, else of the starting caver. Nothing here reads the luck key. What every number means is declared in `flat`,
`entities` and `planes`, and listed by `reference`.
"""

import hashlib
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
from subterra_env.jit import compiled, entry

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

STRETCH = 128
"""So many flat observations are written at a time: their games, rows and measures stay in the processor's cache."""
PLANES_SHAPE = (PLANES.size, WIDTH, WIDTH)

FLAT_ROW = np.dtype((np.record, [("numbers", np.float32, (FLAT_SIZE,))]))
"""A flat observation as a record: inside compiled code that is much cheaper to hand on than a row of an array."""

Observation: TypeAlias = np.ndarray | dict[str, np.ndarray]


@compiled
def write_around(state, eyes, measures, row):
    """The part of a flat observation that depends on whose eyes it is seen through; ``row``: FLAT_ROW."""
    write_me(state, eyes, measures, row)
    write_my_tile(state, eyes, measures, row)
    write_sides(state, eyes, measures, row)
    write_others(state, eyes, measures, row)
    write_horrors(state, eyes, measures, row)
    write_water(state, measures, row)


@compiled
def write_table(state, eyes, measures, row):
    """The rest of it."""
    write_turn(state, eyes, row)
    write_team(state, measures, row)
    write_dangers(state, measures, row)
    write_stack(state, row)
    write_deck(state, row)
    write_cave(state, row)
    write_agreed(state, row)
    write_laying(state, row)


@compiled
def eyes_in(state, seat):
    """Those of the seat named, or of who is asked if it is `NOBODY`."""
    return eyes_of(state) if seat == NOBODY else int(seat)


@compiled
def write_stretch(states, games, seats, rows, measures, first, last):
    """The flat observations from one place of ``games`` up to another, at most as many as there are ``measures``.

    In three rounds: the code of one round stays in the processor's cache, which saves a fifth of the time.
    """
    for k in range(first, last):
        state = states[games[k]]
        rows[k].numbers[:] = np.float32(0.0)
        measure(state, eyes_in(state, seats[k]), measures[k - first])
    for k in range(first, last):
        state = states[games[k]]
        write_around(state, eyes_in(state, seats[k]), measures[k - first], rows[k].numbers)
    for k in range(first, last):
        state = states[games[k]]
        write_table(state, eyes_in(state, seats[k]), measures[k - first], rows[k].numbers)


@entry
def flat_rows(states, games, seats, rows, measures):
    """Writes what a seat sees of each of some games.

    ``games``: int64[m], their numbers among the states; ``seats``: int8[m], `NOBODY` for who is asked; ``rows``:
    FLAT_ROW[m]; ``measures``: MEASURES[k], room to measure k games at a time in.
    """
    for start in range(0, len(games), len(measures)):
        write_stretch(states, games, seats, rows, measures, start, min(start + len(measures), len(games)))


@entry
def entity_rows(states, games, seats, tiles, cavers, horrors, rest):
    """Writes what a seat sees of each of some games; ``games``, ``seats`` as in `flat_rows`.

    ``tiles``: float32 of shape (m, 66, features); ``cavers`` (m, 6, features); ``horrors`` (m, 3, features);
    ``rest``: the globals, (m, features).
    """
    for k in range(len(games)):
        state = states[games[k]]
        write_entities(state, eyes_in(state, seats[k]), tiles[k], cavers[k], horrors[k], rest[k])


@entry
def plane_rows(states, games, seats, planes, measures):
    """Writes what a seat sees of each of some games; as `flat_rows`, but ``planes``: float32[m, channels, w, w]."""
    for k in range(len(games)):
        state = states[games[k]]
        eyes = eyes_in(state, seats[k])
        measure(state, eyes, measures[0])
        write_planes(state, eyes, planes[k], measures[0])


@entry
def eyes(states, index):
    """The seat through whose eyes a game is seen when none is named."""
    return eyes_of(states[index])


def fingerprint() -> str:
    """Sixteen hexadecimal digits that change whenever a number of the flat observation changes its meaning."""
    return hashlib.sha256("\n".join(index.name for index in FLAT.indices()).encode()).hexdigest()[:16]


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


class Room:
    """Arrays for what is seen of so many games at a time, used again each time.

    ``seen``: float32 arrays of shape (games, …), parts as in `space`; ``rows``: the same memory as FLAT_ROW[games] if
    the kind is flat; ``measures``: room to measure in, a row a thread. Parts can be written by several threads at a
    time, with the same results. Raises `ObservationError` for a kind that does not exist.
    """

    def __init__(self, kind: str, games: int, threads: int = 1) -> None:
        check_kind(kind)
        self.kind, self.games, self.threads = kind, games, threads
        self.seen: Observation = _arrays(kind, games)
        self._all_games, self._who_is_asked = np.arange(games), np.full(games, NOBODY, np.int8)
        self.measures = np.empty((threads, min(games, STRETCH)), MEASURES)
        self.rows = self.seen.view(FLAT_ROW)[:, 0] if isinstance(self.seen, np.ndarray) and kind == "flat" else None

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies have arrays of their own, to be written anew: views would not share memory with theirs."""
        return Room, (self.kind, self.games, self.threads)

    def observe_all(self, states: np.ndarray) -> None:
        """Writes what the caver asked sees in every game; as many states as there are games."""
        self.observe_part(states, 0, slice(0, self.games))

    def observe_part(self, states: np.ndarray, thread: int, part: slice) -> None:
        """Writes what the caver asked sees in some of the games, measured in the room of a thread."""
        self._write(states, self._all_games, self._who_is_asked, thread, part)

    def observe_some(self, states: np.ndarray, games: np.ndarray, seats: np.ndarray) -> None:
        """Writes what seats see of games; ``games``: int64[games of this room]; ``seats``: int8, as many."""
        self._write(states, games, seats, 0, slice(0, self.games))

    def _write(self, states: np.ndarray, games: np.ndarray, seats: np.ndarray, thread: int, part: slice) -> None:
        asked, measures = (states, games[part], seats[part]), self.measures[thread]
        if isinstance(self.seen, dict):
            entity_rows(*asked, *(self.seen[name][part] for name in (*ENTITY_ROWS, REST)))
        elif self.rows is not None:
            flat_rows(*asked, self.rows[part], measures)
        else:
            plane_rows(*asked, self.seen[part], measures)


def _arrays(kind: str, games: int) -> Observation:
    if kind == "flat":
        return np.zeros((games, FLAT_SIZE), np.float32)
    if kind == "planes":
        return np.zeros((games, *PLANES_SHAPE), np.float32)
    tables = {name: np.zeros((games, rows, layout.size), np.float32) for name, (rows, layout) in ENTITY_ROWS.items()}
    return tables | {REST: np.zeros((games, GLOBALS.size), np.float32)}


def observe_each(states: np.ndarray, games: np.ndarray, seats: np.ndarray, kind: str) -> Observation:
    """What a seat sees of each of some games, as new arrays; ``games``, ``seats``: whole numbers[m].

    Raises `ObservationError` for a kind that does not exist.
    """
    room = Room(kind, len(games))
    room.observe_some(states, games.astype(np.int64), seats.astype(np.int8))
    return room.seen


def observe(states: np.ndarray, index: int, seat: int | None, kind: str) -> Observation:
    """What a seat of one game sees, or without a seat whoever is asked, as new arrays. Raises `ObservationError`."""
    seen = observe_each(states, np.full(1, index), np.full(1, NOBODY if seat is None else seat), kind)
    return {name: table[0] for name, table in seen.items()} if isinstance(seen, dict) else seen[0]
