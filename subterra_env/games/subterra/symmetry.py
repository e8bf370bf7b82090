"""The eight turnings and mirrorings of the cave, as exact maps of states, action ids, masks and observations.

Symmetry ``g`` is g % 4 quarter turns clockwise about the start, after a swap of east and west if g is 4 or more. The
rules know no direction, so a step in the mapped cave is the mapped step, where chance falls the same; only the option
``horror_choices="automatic"`` prefers the north (6.8). Slots, seats and all counts stay as they are.

Quarter turns of a tile change as its shape says, and a shape that looks the same after some of them keeps to the
smallest number (5.2). Hence maps of actions and observations ask for the shapes of the drawn tile and of the one in
reserve: a pair of `Turning`.
"""

from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from subterra_env.games.subterra.actions import ACTIONS, BLOCKS, PLACE_DRAWN, PLACE_RESERVE, block_of
from subterra_env.games.subterra.box.tiles import QUARTER_TURNS, SIDES, TILE_TYPES
from subterra_env.games.subterra.entities import GLOBALS
from subterra_env.games.subterra.flat import FLAT
from subterra_env.games.subterra.layout import SIDE_LABELS, Index, Layout, Turns
from subterra_env.games.subterra.observation import ENTITY_ROWS, REST, Observation, check_kind
from subterra_env.games.subterra.planes import PLANES
from subterra_env.games.subterra.state import SLOTS
from subterra_env.games.subterra.terms import Kind, Question, Shape, Side, Step

SYMMETRIES = 8
_MIRRORED = 4
_WORD = 64
_PLACES_A_COLUMN = 256
_SETS = 1 << SIDES


class Turning(IntEnum):
    """How the quarter turns of a tile change when the cave is turned or mirrored."""

    NEVER = 0
    """Crossroads look the same after every turn; no tile has no turns."""
    AXIS = 1
    """Straights look the same after two."""
    ONE_SIDE = 2
    """Dead ends, tees, ledges and slides: one side is unlike the others."""
    CORNER = 3


class Laid(NamedTuple):
    """What tiles may be about to be laid, as far as turning goes."""

    drawn: Turning
    reserve: Turning


def mapped_side(g: int, side: int) -> int:
    """Where symmetry ``g`` takes a side."""
    if g >= _MIRRORED and side in (Side.EAST, Side.WEST):
        side = (side + 2) % SIDES
    return (side + g) % SIDES


def mapped_place(g: int, east: Any, north: Any) -> tuple[Any, Any]:
    """Where symmetry ``g`` takes a place; numbers or arrays."""
    if g >= _MIRRORED:
        east = -east
    for _ in range(g % QUARTER_TURNS):
        east, north = north, -east
    return east, north


def composed(first: int, then: int) -> int:
    """The symmetry that is ``first`` and after it ``then``."""
    mirrored = (first >= _MIRRORED) != (then >= _MIRRORED)
    turns = then + (-first if then >= _MIRRORED else first)
    return turns % QUARTER_TURNS + _MIRRORED * mirrored


def inverse(g: int) -> int:
    """The symmetry that undoes ``g``."""
    return g if g >= _MIRRORED else -g % QUARTER_TURNS


def mapped_turns(g: int, turning: Turning, turns: int) -> int:
    """The quarter turns of a tile after symmetry ``g``."""
    match turning:
        case Turning.NEVER:
            return turns
        case Turning.AXIS:
            return turns ^ g % 2
        case Turning.ONE_SIDE:
            return mapped_side(g, turns)
        case Turning.CORNER:
            one, other = mapped_side(g, turns), mapped_side(g, (turns + 1) % SIDES)
            return one if (one + 1) % SIDES == other else other


_TURNING_OF_SHAPE = {
    Shape.DEAD_END: Turning.ONE_SIDE,
    Shape.STRAIGHT: Turning.AXIS,
    Shape.CORNER: Turning.CORNER,
    Shape.TEE: Turning.ONE_SIDE,
    Shape.CROSSROADS: Turning.NEVER,
}
_ARROWS = (Kind.LEDGE, Kind.SLIDE)


def _turning_of(kind: Kind, shape: Shape) -> Turning:
    if kind == Kind.NOTHING:
        return Turning.NEVER
    return Turning.ONE_SIDE if kind in _ARROWS else _TURNING_OF_SHAPE[shape]


TURNING = np.array([_turning_of(tile.kind, tile.shape) for tile in TILE_TYPES], np.int8)
"""By tile type."""
_SIDE = np.array([[mapped_side(g, side) for side in Side] for g in range(SYMMETRIES)], np.int8)
_SET = np.array(
    [
        [sum(1 << mapped_side(g, side) for side in Side if members >> side & 1) for members in range(_SETS)]
        for g in range(SYMMETRIES)
    ],
    np.int8,
)
_TURNS = np.array(
    [[[mapped_turns(g, kind, turns) for turns in range(QUARTER_TURNS)] for kind in Turning] for g in range(SYMMETRIES)],
    np.int8,
)
_TURNS_SET = np.array(
    [
        [
            [
                sum(1 << mapped_turns(g, kind, turns) for turns in range(QUARTER_TURNS) if members >> turns & 1)
                for members in range(1 << QUARTER_TURNS)
            ]
            for kind in Turning
        ]
        for g in range(SYMMETRIES)
    ],
    np.int8,
)


def laid(state: np.void) -> Laid:
    """The turning of the drawn tile and of the one in reserve of a game."""
    return Laid(Turning(TURNING[state["drawn"]]), Turning(TURNING[state["reserve"]]))


def map_states(states: np.ndarray, g: int) -> np.ndarray:
    """New states: the same games in the mapped cave, with the same luck."""
    mapped = states.copy()
    _map_tiles(mapped["tiles"], g)
    places = mapped["places"]
    tiles = mapped["tiles"][:, :SLOTS]
    lies = tiles["kind"] != Kind.NOTHING
    places[lies] = _PLACES_A_COLUMN * tiles["x"][lies].astype(places.dtype) + tiles["y"][lies]
    laying = states["step"] == Step.PLACE
    mapped["side"][laying] = _SIDE[g, states["side"][laying]]
    mapped["ways"] = _SET[g, states["ways"]]
    asked = states["question"] == Question.PLACE
    for turnings, tile in (("turnings_drawn", "drawn"), ("turnings_reserve", "reserve")):
        mapped[turnings][asked] = _TURNS_SET[g, TURNING[states[tile][asked]], states[turnings][asked]]
    for i, state in enumerate(states):
        mapped["legal"][i] = _map_words(state["legal"], g, laid(state))
    return mapped


def _map_tiles(tiles: np.ndarray, g: int) -> None:
    tiles["turns"] = _TURNS[g, TURNING[tiles["type"]], tiles["turns"]]
    tiles["x"], tiles["y"] = mapped_place(g, tiles["x"].copy(), tiles["y"].copy())
    for sides in ("open", "blasted", "connected", "empty"):
        tiles[sides] = _SET[g, tiles[sides]]
    beside = tiles["beside"].copy()
    tiles["beside"][..., _SIDE[g]] = beside


def _map_words(words: np.ndarray, g: int, turning: Laid) -> np.ndarray:
    """Legal answers as bits of two words."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    mapped = np.zeros(2 * _WORD, np.uint8)
    mapped[action_map(g, turning)] = bits[:ACTIONS]
    return np.packbits(mapped, bitorder="little").view(np.uint64)


@cache
def action_map(g: int, turning: Laid) -> np.ndarray:
    """Where symmetry ``g`` takes every action id: int64[ACTIONS]."""
    ids = np.arange(ACTIONS)
    start = 0
    for block in BLOCKS:
        if block.objects == SIDE_LABELS:
            ids[start : start + SIDES] = start + _SIDE[g]
        start += block.size
    ids[PLACE_DRAWN : PLACE_DRAWN + QUARTER_TURNS] = PLACE_DRAWN + _TURNS[g, turning.drawn]
    ids[PLACE_RESERVE : PLACE_RESERVE + QUARTER_TURNS] = PLACE_RESERVE + _TURNS[g, turning.reserve]
    ids.flags.writeable = False
    return ids


def map_action(action: int, g: int, turning: Laid) -> int:
    """Where symmetry ``g`` takes an action id. Raises IndexError for a number that is no action id."""
    block_of(action)
    return int(action_map(g, turning)[action])


def map_mask(mask: np.ndarray, g: int, turning: Laid) -> np.ndarray:
    """A new mask; int8 of shape (..., ACTIONS)."""
    mapped = np.empty_like(mask)
    mapped[..., action_map(g, turning)] = mask
    return mapped


@cache
def _layout_map(layout: Layout, g: int, turning: Laid) -> tuple[np.ndarray, np.ndarray]:
    """For every number of a mapped observation, which number it comes from and with which sign."""
    numbers = {(at.section.name, at.row, at.feature.name, at.label): at.number for at in layout.indices()}
    source, sign = np.zeros(layout.size, np.int64), np.ones(layout.size, np.float32)
    for at in layout.indices():
        row = _image(at.section.rows_turn, at.row, g, turning)
        label = _image(at.feature.turns, at.label, g, turning)
        target = numbers[at.section.name, row, at.feature.name, label]
        source[target] = at.number
        sign[target] = _sign(at, g)
    return source, sign


def _image(turns: Turns, member: int, g: int, turning: Laid) -> int:
    """Where a row or a label goes."""
    match turns:
        case Turns.FIXED:
            return member
        case Turns.SIDES:
            return mapped_side(g, member)
        case Turns.PLACE:
            return member ^ g % 2
        case Turns.DRAWN:
            return mapped_turns(g, turning.drawn, member)
        case Turns.RESERVE:
            return mapped_turns(g, turning.reserve, member)


def _sign(at: Index, g: int) -> int:
    """Whether a distance to the east or north becomes one to the west or south."""
    if at.feature.turns != Turns.PLACE:
        return 1
    unit = (1, 0) if at.label == 0 else (0, 1)
    return sum(mapped_place(g, *unit))


def _map_rows(rows: np.ndarray, layout: Layout, g: int, turning: Laid) -> np.ndarray:
    source, sign = _layout_map(layout, g, turning)
    mapped: np.ndarray = rows[..., source] * sign + np.float32(0)
    return mapped


def laid_in(seen: Any, kind: str) -> Laid:
    """What `laid` says, read from one ``flat`` or ``entities`` observation; for ``planes`` it has to be known."""
    row, layout = (seen, FLAT) if kind == "flat" else (seen[REST], GLOBALS)
    return Laid(_turning_seen(row, layout, "drawn"), _turning_seen(row, layout, "reserve"))


@cache
def _kinds_in(layout: Layout, section: str) -> tuple[tuple[Kind, ...], int]:
    """The kinds of tiles that a section tells apart, and where it begins to."""
    labels = next(feature.labels for feature in layout.section(section).features if feature.name == "kind")
    return tuple(Kind)[-len(labels) :], layout.column(section, "kind")


def _turning_seen(row: np.ndarray, layout: Layout, section: str) -> Turning:
    kinds, at = _kinds_in(layout, section)
    shape = layout.column(section, "shape")
    seen = row[at : at + len(kinds)]
    if not seen.any():
        return Turning.NEVER
    return _turning_of(kinds[int(seen.argmax())], Shape(int(row[shape : shape + len(Shape)].argmax())))


def flat_map(g: int, turning: Laid) -> tuple[np.ndarray, np.ndarray]:
    """For every number of a mapped flat observation, which number it comes from and with which sign."""
    return _layout_map(FLAT, g, turning)


def turnings_in(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The turnings of the drawn tiles and of those in reserve of many flat observations, float32[n, FLAT_SIZE].

    Two int64[n], as `laid_in` has them for one.
    """
    drawn, reserve = (_turnings_seen(rows, section) for section in ("drawn", "reserve"))
    return drawn, reserve


def _turnings_seen(rows: np.ndarray, section: str) -> np.ndarray:
    kinds, kind = _kinds_in(FLAT, section)
    shape = FLAT.column(section, "shape")
    lies = rows[:, kind : kind + len(kinds)]
    table = np.array([[_turning_of(each, form) for form in Shape] for each in kinds])
    found = table[lies.argmax(axis=1), rows[:, shape : shape + len(Shape)].argmax(axis=1)]
    return np.where(lies.any(axis=1), found, int(Turning.NEVER))


def map_observation(seen: Any, g: int, kind: str) -> Observation:
    """What the same caver sees in the mapped cave: new arrays. Raises `ObservationError`.

    ``seen``: one observation of that kind, as `observation.observe` returns it.
    """
    check_kind(kind)
    if kind == "planes":
        return _map_planes(seen, g)
    turning = laid_in(seen, kind)
    if kind == "flat":
        return _map_rows(seen, FLAT, g, turning)
    tables = {name: _map_rows(seen[name], layout, g, turning) for name, (_, layout) in ENTITY_ROWS.items()}
    return tables | {REST: _map_rows(seen[REST], GLOBALS, g, turning)}


def _map_planes(planes: np.ndarray, g: int) -> np.ndarray:
    """Channels change places like rows, and so do the cells of each."""
    source, _ = _layout_map(PLANES, g, Laid(Turning.NEVER, Turning.NEVER))
    if g >= _MIRRORED:
        planes = planes[..., ::-1]
    turned = np.rot90(planes, -(g % QUARTER_TURNS), axes=(-2, -1))
    return np.ascontiguousarray(turned[..., source, :, :])
