"""The cave tiles (rulebook 1.1): kinds and counts after the publisher's rulebook, shapes after two hand counts."""

from dataclasses import dataclass

import numpy as np

from subterra_env.games.subterra.terms import Kind, RuleSet, Shape, Side, word

SIDES = len(Side)
QUARTER_TURNS = 4

D, S, C, T, X = Shape.DEAD_END, Shape.STRAIGHT, Shape.CORNER, Shape.TEE, Shape.CROSSROADS

_OPEN_UNTURNED = {
    D: (Side.NORTH,),
    S: (Side.NORTH, Side.SOUTH),
    C: (Side.NORTH, Side.EAST),
    T: (Side.NORTH, Side.EAST, Side.WEST),
    X: tuple(Side),
}

_PLAIN = {
    Kind.ORDINARY: {D: 2, S: 4, C: 4, T: 3, X: 3},
    Kind.WATER: {S: 4, T: 2, X: 2},
    Kind.GAS: {C: 6, T: 2},
    Kind.HORROR: {D: 6, C: 2},
    Kind.SQUEEZE: {S: 3},
    Kind.LEDGE: {S: 3},
    Kind.SLIDE: {S: 3},
    Kind.ROUGH_TERRAIN: {X: 3},
}
_CAVE_IN_TWO_NUMBERS: dict[Shape, tuple[tuple[int, ...], ...]] = {
    T: ((1, 3), (1, 6), (2, 3), (2, 4), (2, 5), (3, 5), (4, 5), (4, 6)),
    C: ((1, 4), (1, 5), (2, 6), (3, 6)),
}
_CAVE_IN_ONE_NUMBER: dict[Shape, tuple[tuple[int, ...], ...]] = {
    T: ((1,), (2,), (3,), (4,), (5,), (5,), (6,), (6,)),
    C: ((1,), (2,), (3,), (4,)),
}
_CAVE_IN = {
    RuleSet.OFFICIAL: _CAVE_IN_TWO_NUMBERS,
    RuleSet.GUIDE: _CAVE_IN_ONE_NUMBER,
    RuleSet.SUMMARY: _CAVE_IN_TWO_NUMBERS,
}


@dataclass(frozen=True)
class TileType:
    """Tiles that cannot be told apart; ``numbers`` are a cave-in tile's."""

    kind: Kind
    shape: Shape
    numbers: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The spelling of records: ``"cave-in tee 1-3"``."""
        parts = [word(self.kind), word(self.shape), "-".join(map(str, self.numbers))]
        return " ".join(part for part in parts if part)


def _all_types() -> list[TileType]:
    types = [TileType(Kind.NOTHING, D), TileType(Kind.START, X), TileType(Kind.EXIT, D)]
    types += [TileType(kind, shape) for kind, shapes in _PLAIN.items() for shape in shapes]
    for numbered in (_CAVE_IN_TWO_NUMBERS, _CAVE_IN_ONE_NUMBER):
        for shape, labels in numbered.items():
            types += [TileType(Kind.CAVE_IN, shape, numbers) for numbers in dict.fromkeys(labels)]
    return types


def _counts(rules: RuleSet) -> list[int]:
    def count(tile: TileType) -> int:
        if tile.kind == Kind.CAVE_IN:
            labels: tuple[tuple[int, ...], ...] = _CAVE_IN[rules][tile.shape]
            return labels.count(tile.numbers)
        return _PLAIN.get(tile.kind, {}).get(tile.shape, 0)

    return [count(tile) for tile in TILE_TYPES]


def turned(sides: int, quarter_turns: int) -> int:
    """A set of sides (bit s for side s) after so many clockwise quarter turns."""
    doubled = sides << quarter_turns
    return (doubled | doubled >> SIDES) & 0b1111


def _open(shape: Shape, quarter_turns: int) -> int:
    return turned(sum(1 << side for side in _OPEN_UNTURNED[shape]), quarter_turns)


def _turnings(tile: TileType, side: Side) -> int:
    """Quarter turns (a bit each) in which a tile may be laid on ``side`` of the caver's tile (5.2), sealing apart."""
    if tile.kind in (Kind.LEDGE, Kind.SLIDE):
        return 1 << side
    back = 1 << (side + 2) % SIDES
    fitting = [turns for turns in range(QUARTER_TURNS) if _open(tile.shape, turns) & back]
    first_of_each = {_open(tile.shape, turns): turns for turns in reversed(fitting)}
    return sum(1 << turns for turns in first_of_each.values())


TILE_TYPES: list[TileType] = _all_types()
"""Every tile type of every rule set; its place in the list is its number. The first stands for "no tile"."""
NO_TILE, START_TILE, EXIT_TILE = 0, 1, 2
TILE_NUMBER = {tile.name: number for number, tile in enumerate(TILE_TYPES) if number != NO_TILE}

TILE_KIND = np.array([tile.kind for tile in TILE_TYPES], np.int8)
TILE_SHAPE = np.array([tile.shape for tile in TILE_TYPES], np.int8)
TILE_ROLLS = np.array([sum(1 << n for n in tile.numbers) for tile in TILE_TYPES], np.int16)
"""Bit n: a cave-in roll of n hits the tile (1.1)."""
TILE_COUNT = np.array([_counts(rules) for rules in RuleSet], np.int8)
"""How many of each type are in the 64 of the stack, by rule set."""
STACK_TILES = 64
LAST_PLACES = 6
"""The exit is one of the last so many places of the stack (2.3)."""
OPEN_SIDES = np.array([[_open(tile.shape, turns) for turns in range(QUARTER_TURNS)] for tile in TILE_TYPES], np.int8)
TURNINGS = np.array([[_turnings(tile, side) for side in Side] for tile in TILE_TYPES], np.int8)
MOST_WATER, MOST_HORROR_TILES, MOST_CAVE_IN = 8, 8, 12
