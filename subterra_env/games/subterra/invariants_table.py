"""What must hold of what lies on the table: tiles, markers, stack and hazard cards."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from subterra_env.games.subterra.box.cavers import EXPLOSIVES, GUIDES
from subterra_env.games.subterra.box.hazards import CARD_NAMES, DEALT, POOL
from subterra_env.games.subterra.box.tiles import (
    EXIT_TILE,
    LAST_PLACES,
    MOST_CAVE_IN,
    MOST_WATER,
    NO_TILE,
    OPEN_SIDES,
    SIDES,
    START_TILE,
    TILE_COUNT,
    TILE_TYPES,
)
from subterra_env.games.subterra.rules.sides import HOW_MANY
from subterra_env.games.subterra.state import NOWHERE, TILE
from subterra_env.games.subterra.terms import Caver, Hazard, Kind, Phase, Side, word

ARROWED = (Kind.LEDGE, Kind.SLIDE)
MARKERS = {
    "flooded": ((Kind.WATER,), MOST_WATER),
    "rubble": ((Kind.CAVE_IN,), MOST_CAVE_IN),
    "rope": (ARROWED, sum(int(TILE_COUNT[0, n]) for n, tile in enumerate(TILE_TYPES) if tile.kind in ARROWED)),
}
"""The kinds of tile that each marker may lie on, and how many such tiles are in the box."""
_MOST_OPENED_AT_ONCE = 2


def table_faults(state: np.record) -> list[str]:
    """What is wrong with the table; all numbers must be in range (`invariants.range_faults`)."""
    parts = (_places, _turnings, _connections, _markers, _explosives, _box, _stack, _discarded, _cards, _rest)
    return [fault for part in parts for fault in part(state)]


def place_of(state: Any, slot: int) -> str:
    """A tile and its place, as sentences have them."""
    tile = state["tiles"][slot]
    return f"the {TILE_TYPES[tile['type']].name} at {tile['x']},{tile['y']}"


def has(state: Any, who: Caver) -> bool:
    """Whether a caver is in the team."""
    return who in state["cavers"]["who"][: state["caver_count"]]


def hazards_used(state: Any, hazard: Hazard) -> int:
    """How often a hazard has come up; a doubled card counts twice."""
    used = POOL[state["difficulty"]] - state["unseen_cards"]
    return int(used[2 * hazard]) + 2 * int(used[2 * hazard + 1])


def _places(state: Any) -> Iterator[str]:
    tiles = state["tiles"][: state["tile_count"]]
    if (tiles["type"][0], tiles["turns"][0], tiles["x"][0], tiles["y"][0]) != (START_TILE, 0, 0, 0):
        yield "the first tile is not the start crossroads at 0,0, not turned"
    places = Counter(zip(tiles["x"].tolist(), tiles["y"].tolist(), strict=True))
    for (x, y), count in places.items():
        if count > 1:
            yield f"{count} tiles lie at {x},{y}; a place has room for one"


def _turnings(state: Any) -> Iterator[str]:
    """Of turnings that look alike only the smallest counts (5.2)."""
    for slot in range(1, state["tile_count"]):
        tile = state["tiles"][slot]
        looks = OPEN_SIDES[tile["type"]]
        smallest = int(np.flatnonzero(looks == looks[tile["turns"]])[0])
        if TILE_TYPES[tile["type"]].kind not in ARROWED and tile["turns"] != smallest:
            yield f"{place_of(state, slot)}: {tile['turns']} quarter turns look like {smallest}, which counts (5.2)"


def _connections(state: Any) -> Iterator[str]:
    """Every tile was laid next to an earlier one, connected to it (5.2); so all hang together with the start."""
    for slot in range(1, state["tile_count"]):
        tile = state["tiles"][slot]
        arrowed = TILE_TYPES[tile["type"]].kind in ARROWED
        near = ((int(tile["turns"]) + 2) % SIDES,) if arrowed else tuple(Side)
        if not any(tile["connected"] >> side & 1 and tile["beside"][side] < slot for side in near):
            through = " by the side opposite its arrow" if arrowed else ""
            yield f"{place_of(state, slot)} is not connected to a tile laid before it{through} (5.2)"


def _markers(state: Any) -> Iterator[str]:
    count = int(state["tile_count"])
    for marker, (kinds, most) in MARKERS.items():
        marked = np.flatnonzero(state["tiles"][marker][:count]).tolist()
        if len(marked) > most:
            yield f"{len(marked)} tiles have “{marker}”; there are {most} that may"
        for slot in marked:
            if TILE_TYPES[state["tiles"][slot]["type"]].kind not in kinds:
                yield f"{place_of(state, slot)}: {marker}, but it is no {' or '.join(map(word, kinds))} tile"
    if state["tiles"]["flooded"].any() and not hazards_used(state, Hazard.FLOOD):
        yield "a tile is flooded, but no flood card has been used"
    rocks = hazards_used(state, Hazard.CAVE_IN) or state["explosives_left"] < EXPLOSIVES
    if state["tiles"]["rubble"].any() and not rocks:
        yield "there is rubble, but neither a cave-in card nor explosives have been used"
    if state["gas_out"] and not hazards_used(state, Hazard.GAS):
        yield "gas is out, but no gas card has been used"


def _explosives(state: Any) -> Iterator[str]:
    """Each use opens one wall or two, never a side that is open anyway (8.4)."""
    opened = 0
    for slot in range(state["tile_count"]):
        tile = state["tiles"][slot]
        opened += int(HOW_MANY[tile["blasted"]])
        if tile["blasted"] & OPEN_SIDES[tile["type"], tile["turns"]]:
            yield f"{place_of(state, slot)}: a blasted side is open anyway"
    uses = EXPLOSIVES - int(state["explosives_left"])
    if not uses <= opened <= _MOST_OPENED_AT_ONCE * uses:
        yield f"{opened} sides are blasted, but explosives have been used {uses} times; each opens one or two (8.4)"
    if uses and not has(state, Caver.ENGINEER):
        yield "explosives have been used, but no engineer is in the team"


def _seen(state: Any) -> Counter[int]:
    """Tiles of each type on the table, in reserve and drawn."""
    seen = Counter(state["tiles"]["type"][: state["tile_count"]].tolist())
    seen.update(int(state[name]) for name in ("reserve", "drawn") if state[name] != NO_TILE)
    return seen


def _box(state: Any) -> Iterator[str]:
    """No tile is there more often than in the box (1.1)."""
    seen = _seen(state)
    for tile, name in ((START_TILE, "start"), (EXIT_TILE, "exit")):
        if seen[tile] > 1:
            yield f"the {name} is there {seen[tile]} times; the box has one"
    if NO_TILE in seen:
        yield f"{seen[NO_TILE]} tiles on the table are of no type"
    if state["unseen"][: EXIT_TILE + 1].any():
        yield "start and exit are not counted among the unseen tiles"
    for tile in range(EXIT_TILE + 1, len(TILE_TYPES)):
        box, unseen = int(TILE_COUNT[state["rules"], tile]), int(state["unseen"][tile])
        if not 0 <= unseen <= box - seen[tile]:
            yield (
                f"{TILE_TYPES[tile].name}: {seen[tile]} on the table, drawn or in reserve and {unseen} unseen; "
                f"the box of these rules has {box} (1.1)"
            )


def _drawn(state: Any) -> int:
    """Tiles drawn so far, the exit apart."""
    return int(TILE_COUNT[state["rules"]].sum()) - int(state["unseen"].sum(dtype=int))


def _stack(state: Any) -> Iterator[str]:
    """As many places are left as have not been drawn; the exit is one of the last six (2.3, 2.7)."""
    exits = _seen(state)[EXIT_TILE]
    if state["exit_in_stack"] == (exits > 0):
        yield "the exit is seen and in the stack" if exits else "the exit is neither seen nor in the stack"
    drawn = _drawn(state) + (not state["exit_in_stack"])
    left = int(state["stack_tiles"]) + 1 - drawn
    if state["places_left"] != left:
        yield f"places_left is {state['places_left']}; {drawn} of {state['stack_tiles'] + 1} have been drawn"
    if left < state["exit_in_stack"]:
        yield f"{drawn} tiles have been drawn; the stack had {state['stack_tiles'] + 1} with the exit"
    if left >= LAST_PLACES and not state["exit_in_stack"]:
        yield f"the exit is seen with {left} places left; it is one of the last {LAST_PLACES} (2.3)"
    geologist, begun = has(state, Caver.GEOLOGIST), state["phase"] != Phase.SETUP
    if state["reserve"] != NO_TILE and not (geologist and begun):
        yield "a tile is in reserve, but only a geologist keeps one, from setup on (8.3)"
    if state["reserve"] == NO_TILE and geologist and begun and left > 0:
        yield "reserve: the geologist keeps a tile as long as the stack lasts (8.3); name it"


def _discarded(state: Any) -> Iterator[str]:
    """Every Guide discarded a tile (8.2)."""
    uses = GUIDES - int(state["guides_left"])
    seen = sum(count for tile, count in _seen(state).items() if tile > EXIT_TILE)
    if uses > _drawn(state) - seen:
        yield f"Guide has been used {uses} times, but {_drawn(state) - seen} tiles have been discarded (8.2)"
    if uses and not has(state, Caver.SCOUT):
        yield "Guide has been used, but no scout is in the team"


def _cards(state: Any) -> Iterator[str]:
    """Cards used come from the pool, and as many are left as were dealt and not used (1.2, 1.3)."""
    pool = POOL[state["difficulty"]]
    for card, name in enumerate(CARD_NAMES):
        used = int(pool[card]) - int(state["unseen_cards"][card])
        if not 0 <= used <= pool[card]:
            yield f"{name}: used {used} times; there are {pool[card]} such cards at this difficulty (1.2)"
    used = int(pool.sum()) - int(state["unseen_cards"].sum(dtype=int))
    dealt = int(DEALT[state["caver_count"], state["difficulty"]]) + int(state["extra_hazard_cards"])
    if used > dealt:
        yield f"{used} hazard cards are used; {dealt} were dealt (1.3)"
    if state["cards_used"] != used or state["cards_left"] != dealt - used:
        yield f"{state['cards_left']} cards left and {state['cards_used']} used; of {dealt} dealt {used} are seen"


def _rest(state: Any) -> Iterator[str]:
    """Slots without a tile are blank."""
    count = int(state["tile_count"])
    blank = np.zeros(NOWHERE + 1 - count, TILE)
    blank["beside"] = NOWHERE
    if state["tiles"][count:].tobytes() != blank.tobytes():
        yield f"tiles from slot {count} on: no tile lies there, but something is noted"
