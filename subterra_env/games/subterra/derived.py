"""What follows from the tiles that lie, worked out anew in plain Python, apart from the rules' own bookkeeping."""

from typing import Any

import numpy as np

from subterra_env.games.subterra.box.tiles import OPEN_SIDES, SIDES, TILE_KIND
from subterra_env.games.subterra.rules.setup import NO_PLACE
from subterra_env.games.subterra.rules.sides import EAST_OF, NORTH_OF
from subterra_env.games.subterra.state import NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Kind, Side

LISTS = {
    "water": ("water_count", Kind.WATER),
    "horror_tiles": ("horror_tile_count", Kind.HORROR),
    "cave_ins": ("cave_in_count", Kind.CAVE_IN),
}
"""The fields that list the tiles of a kind, and those that count them."""
DERIVED = (
    *("adjacent", "last_two_connected", "frontier", "exit_slot", "places", "unseen_total"),
    *(field for name, (count, _) in LISTS.items() for field in (name, count)),
)
"""Fields of the game that follow from others."""
DERIVED_OF_TILES = ("kind", "open", "connected", "empty", "beside")
"""Fields of a tile that follow from others."""

_LOW_SLOTS = 64
_ONE_BIT_A_SIDE = 1 << np.arange(SIDES)
_BACK = [(side + 2) % SIDES for side in Side]
_PLACES_A_COLUMN = 256


def derive(state: Any) -> None:
    """Writes every field in `DERIVED` and `DERIVED_OF_TILES` from type, turns, place and explosives of each tile.

    Of two tiles on one place the others see the one laid first.
    """
    count = int(state["tile_count"])
    tiles = state["tiles"]
    places = list(zip(tiles["x"][:count].tolist(), tiles["y"][:count].tolist(), strict=True))
    types = tiles["type"][:count]
    is_open = np.zeros((SLOTS + 1, SIDES), bool)
    sides = OPEN_SIDES[types, tiles["turns"][:count]] | tiles["blasted"][:count]
    is_open[:count] = sides[:, None] & _ONE_BIT_A_SIDE != 0
    beside = _beside(places)
    lies = beside != NOWHERE
    connected = is_open & is_open[beside, _BACK] & lies
    empty = ~lies
    empty[count:] = False
    for name, value in (("kind", 0), ("beside", beside)):
        tiles[name] = value
    tiles["kind"][:count] = TILE_KIND[types]
    for name, flags in (("open", is_open), ("connected", connected), ("empty", empty)):
        tiles[name] = flags @ _ONE_BIT_A_SIDE
    state["frontier"] = (is_open & empty).sum()
    state["places"] = NO_PLACE
    state["places"][:count] = [_PLACES_A_COLUMN * x + y for x, y in places]
    state["unseen_total"] = state["unseen"].sum(dtype=state["unseen"].dtype)
    _connect(state, beside, connected)
    _list(state, tiles["kind"][:count])


def _beside(places: list[tuple[int, int]]) -> np.ndarray:
    """The slot beyond each side of each slot, `NOWHERE` where none is."""
    slot_at: dict[tuple[int, int], int] = {}
    for slot, place in enumerate(places):
        slot_at.setdefault(place, slot)
    beside = np.full((SLOTS + 1, SIDES), NOWHERE)
    for slot, (x, y) in enumerate(places):
        for side in Side:
            beside[slot, side] = slot_at.get((x + int(EAST_OF[side]), y + int(NORTH_OF[side])), NOWHERE)
    return beside


def _connect(state: Any, beside: np.ndarray, connected: np.ndarray) -> None:
    neighbours = [set(beside[slot][connected[slot]].tolist()) for slot in range(SLOTS)]
    state["adjacent"] = [sum(1 << other for other in others if other < _LOW_SLOTS) for others in neighbours]
    state["last_two_connected"] = SLOTS - 1 in neighbours[SLOTS - 2]


def _list(state: Any, kinds: np.ndarray) -> None:
    for name, (count, kind) in LISTS.items():
        slots = np.flatnonzero(kinds == kind)[: len(state[name])]
        state[name] = 0
        state[name][: len(slots)] = slots
        state[count] = len(slots)
    exits = np.flatnonzero(kinds == Kind.EXIT)
    state["exit_slot"] = exits[0] if len(exits) else NOWHERE
