"""Everything that must hold in every position, looked at all at once and worked out apart from the rules' own code."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from subterra_env.games.subterra.box.cavers import EXPLOSIVES, GUIDES, HEALTH, MOST_HORRORS, TURN_POINTS
from subterra_env.games.subterra.box.hazards import CARD_NAMES, DEALT, POOL
from subterra_env.games.subterra.box.tiles import (
    EXIT_TILE,
    NO_TILE,
    OPEN_SIDES,
    START_TILE,
    TILE_COUNT,
    TILE_KIND,
    TILE_TYPES,
)
from subterra_env.games.subterra.rules.sides import EAST_OF, NORTH_OF
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, Chance, Check, Kind, Node, Phase, Question, Side, Step, word

MARKED = {"flooded": (Kind.WATER,), "rubble": (Kind.CAVE_IN,), "rope": (Kind.LEDGE, Kind.SLIDE)}
"""The kinds of tile that each marker may lie on."""
LISTS = {
    "water": ("water_count", Kind.WATER),
    "horror_tiles": ("horror_tile_count", Kind.HORROR),
    "cave_ins": ("cave_in_count", Kind.CAVE_IN),
}
_LOW_SLOTS = 64
_FEWEST_CHOICES = 2
_RANGES = {
    "first": len(Caver),
    "seat": NOBODY,
    "actor": NOBODY,
    "asked": NOBODY,
    "checker": NOBODY,
    "side": len(Side) - 1,
    "phase": len(Phase) - 1,
    "node": len(Node) - 1,
    "question": len(Question) - 1,
    "chance": len(Chance) - 1,
    "check": len(Check) - 1,
    "step": len(Step) - 1,
    "points": TURN_POINTS + 1,
    "guides_left": GUIDES,
    "explosives_left": EXPLOSIVES,
    "moves_left": 3,
    "card": len(CARD_NAMES) - 1,
    "repeats_left": 2,
    "spawns_left": 2,
    "moving": MOST_HORRORS - 1,
    "ways": 15,
    "turnings_drawn": 15,
    "turnings_reserve": 15,
    "spawn_tiles": 255,
    "checks_first": 5,
    "checks_done": 6,
    "turns_taken": 6,
    "drawn": len(TILE_TYPES) - 1,
    "reserve": len(TILE_TYPES) - 1,
    "exerted": 1,
    "directed": 1,
    "hid": 1,
    "surfaced": 1,
    "guided": 1,
    "exploring": 1,
    "marker_passed": 1,
    "gas_out": 1,
}
"""The largest value of each of these fields; the smallest is 0."""


def faults(state: np.record) -> list[str]:
    """What is wrong with a game, one sentence each; empty if nothing is. ``state``: one record of `STATE`."""
    found = list(_ranges(state))
    if found:
        return found
    parts = (_tiles, _lists, _markers, _stack, _cards, _team, _horrors, _round, _asked, _over)
    return [fault for part in parts for fault in part(state)]


def _ranges(state: np.record) -> Iterator[str]:
    """Numbers outside their range: nothing else can be looked at before these are right."""
    for name, most in _RANGES.items():
        if not 0 <= state[name] <= most:
            yield f"{name} is {state[name]}; it is from 0 to {most}"
    if not 1 <= state["tile_count"] <= NOWHERE:
        yield f"{state['tile_count']} tiles lie on the table; it is from 1 to {NOWHERE}"
    for name in ("slot", "dived_from"):
        if (state["cavers"][name] > NOWHERE).any() or (state["cavers"][name] < 0).any():
            yield f"a caver's {name} is no slot"
    if not 0 <= state["horror_count"] <= MOST_HORRORS:
        yield f"{state['horror_count']} horrors; there are at most {MOST_HORRORS} (6.1)"


def _places(state: np.record) -> dict[tuple[int, int], int]:
    tiles = state["tiles"][: state["tile_count"]]
    return {(int(x), int(y)): slot for slot, (x, y) in enumerate(zip(tiles["x"], tiles["y"], strict=True))}


def at(state: np.record, slot: int) -> str:
    """The place of a slot, as words have it."""
    return f"{state['tiles'][slot]['x']},{state['tiles'][slot]['y']}"


def _tiles(state: np.record) -> Iterator[str]:
    """Tiles lie on places of their own, are open as their type and turning say, and all hang together (5.1, 5.2)."""
    places, count = _places(state), int(state["tile_count"])
    if len(places) < count:
        yield "two tiles lie on one place"
        return
    if state["tiles"][0]["type"] != START_TILE or places.get((0, 0)) != 0:
        yield "the first tile is not the start at 0,0"
    frontier = 0
    for (x, y), slot in places.items():
        tile = state["tiles"][slot]
        if tile["kind"] != TILE_KIND[tile["type"]]:
            yield f"{at(state, slot)}: kind {tile['kind']} is not that of tile type {tile['type']}"
        if tile["open"] != OPEN_SIDES[tile["type"], tile["turns"]] | tile["blasted"]:
            yield f"{at(state, slot)}: open sides {tile['open']} do not follow from type, turns and explosives"
        empty, connected, low = 0, 0, 0
        for side in Side:
            beyond = places.get((x + int(EAST_OF[side]), y + int(NORTH_OF[side])), NOWHERE)
            if tile["beside"][side] != beyond:
                yield f"{at(state, slot)}: what lies {word(side)} of it is wrong"
            if beyond == NOWHERE:
                empty |= 1 << side
            elif tile["open"] >> side & 1 and state["tiles"][beyond]["open"] >> (side + 2) % 4 & 1:
                connected |= 1 << side
                low |= 1 << beyond if beyond < _LOW_SLOTS else 0
        frontier += int(tile["open"] & empty).bit_count()
        if (tile["empty"], tile["connected"]) != (empty, connected) or int(state["adjacent"][slot]) != low:
            yield f"{at(state, slot)}: its connections do not follow from the tiles around it"
        if slot and not any(tile["beside"][side] < slot for side in Side if connected >> side & 1):
            yield f"{at(state, slot)}: the {TILE_TYPES[tile['type']].name} is not connected to an earlier tile (5.2)"
        if state["places"][slot] != 256 * x + y:
            yield f"{at(state, slot)}: its number in places is wrong"
    if state["frontier"] != frontier:
        yield f"frontier is {state['frontier']}; {frontier} open sides face an empty place"
    if state["tiles"][count:].tobytes() != _empty_slots(state, count):
        yield f"slots from {count} on are not empty"


def _empty_slots(state: np.record, count: int) -> bytes:
    empty = np.zeros(NOWHERE + 1 - count, state["tiles"].dtype)
    empty["beside"] = NOWHERE
    return empty.tobytes()


def _lists(state: np.record) -> Iterator[str]:
    """The lists of water, horror and cave-in tiles, and where the exit is."""
    kinds = state["tiles"]["kind"][: state["tile_count"]]
    for name, (count, kind) in LISTS.items():
        slots = np.flatnonzero(kinds == kind)
        if state[count] != len(slots) or not np.array_equal(state[name][: len(slots)], slots):
            yield f"the list of {word(kind)} tiles is not that of the tiles on the table"
    exits = np.flatnonzero(kinds == Kind.EXIT)
    if state["exit_slot"] != (exits[0] if len(exits) else NOWHERE):
        yield "exit_slot is not where the exit lies"


def _markers(state: np.record) -> Iterator[str]:
    for slot in range(state["tile_count"]):
        tile = state["tiles"][slot]
        for marker, kinds in MARKED.items():
            if tile[marker] not in (0, 1) or (tile[marker] and tile["kind"] not in kinds):
                where = " or ".join(word(kind) for kind in kinds)
                yield f"{at(state, slot)}: {marker}, but a {TILE_TYPES[tile['type']].name} is no {where} tile"
    if state["gas_out"] and state["phase"] == Phase.SETUP:
        yield "gas is out before the first round"


def _stack(state: np.record) -> Iterator[str]:
    """No tile type is there more often than in the box, and the stack has as many places as were not drawn (2.3)."""
    seen = Counter(state["tiles"]["type"][: state["tile_count"]].tolist())
    seen.update(int(state[name]) for name in ("reserve", "drawn"))
    for tile, name in ((START_TILE, "start"), (EXIT_TILE, "exit")):
        if seen[tile] > 1:
            yield f"the {name} is there {seen[tile]} times"
    if seen[EXIT_TILE] == state["exit_in_stack"]:
        yield "the exit is in the stack and seen" if seen[EXIT_TILE] else "the exit is neither seen nor in the stack"
    drawn = 0
    for tile in range(EXIT_TILE + 1, len(TILE_TYPES)):
        box, unseen = int(TILE_COUNT[state["rules"], tile]), int(state["unseen"][tile])
        drawn += box - unseen
        if unseen < 0 or seen[tile] + unseen > box:
            yield f"{TILE_TYPES[tile].name}: {seen[tile]} seen and {unseen} unseen; {box} are in the box (1.1)"
    if state["unseen_total"] != state["unseen"].sum() or state["unseen"][: EXIT_TILE + 1].any():
        yield "unseen_total is not the sum of the unseen tiles"
    places = int(state["stack_tiles"]) - drawn + int(state["exit_in_stack"])
    if state["places_left"] != places or places < 0:
        yield f"places_left is {state['places_left']}; {places} follow from the tiles drawn"
    if state["reserve"] != NO_TILE and Caver.GEOLOGIST not in state["cavers"]["who"][: state["caver_count"]]:
        yield "a tile is in reserve, but no geologist is in the team (8.3)"


def _cards(state: np.record) -> Iterator[str]:
    """Cards used come from the pool, and as many are left as were dealt and not used (1.2, 1.3)."""
    pool = POOL[state["difficulty"]]
    for card, name in enumerate(CARD_NAMES):
        if not 0 <= state["unseen_cards"][card] <= pool[card]:
            yield f"{name}: {state['unseen_cards'][card]} cards unseen; the pool holds {pool[card]}"
    used = int(pool.sum()) - int(state["unseen_cards"].sum())
    dealt = int(DEALT[state["caver_count"], state["difficulty"]]) + int(state["extra_hazard_cards"])
    if state["cards_used"] != used or state["cards_left"] != dealt - used or used > dealt:
        yield f"{state['cards_left']} cards left, {state['cards_used']} used; {dealt} were dealt, {used} are seen"


def _team(state: np.record) -> Iterator[str]:
    names = [word(Caver(who)) for who in state["cavers"]["who"][: state["caver_count"]]]
    yield from (f"{name} is there twice" for name, count in Counter(names).items() if count > 1)
    for seat, name in enumerate(names):
        caver = state["cavers"][seat]
        if not 0 <= caver["health"] <= HEALTH[caver["who"]]:
            yield f"{name}: health {caver['health']}; it is from 0 to {HEALTH[caver['who']]} (1.4)"
        submerged = caver["dived_from"] != NOWHERE
        if submerged and (caver["who"] != Caver.DIVER or caver["health"] == 0 or caver["lost"]):
            yield f"{name}: only a conscious diver is submerged (8.1)"
        if submerged and state["tiles"][caver["dived_from"]]["kind"] != Kind.WATER:
            yield f"{name}: dived from a tile that is no water tile (8.1)"
        if (caver["slot"] == NOWHERE) != bool(submerged or caver["lost"]):
            yield f"{name}: is on a tile unless submerged or lost, and then on none"
        if caver["slot"] != NOWHERE and caver["slot"] >= state["tile_count"]:
            yield f"{name}: is on a place where no tile lies"
        if caver["hidden"] not in (0, 1) or caver["lost"] not in (0, 1) or caver["hides_running"] < 0:
            yield f"{name}: hidden, lost and hides_running are no numbers below 0, and the first two at most 1"


def _horrors(state: np.record) -> Iterator[str]:
    """Horrors stand on tiles, and nobody whom they harm is conscious beside them (6.6)."""
    slots = state["horrors"]["slot"][: state["horror_count"]]
    if (slots >= state["tile_count"]).any() or (slots < 0).any():
        yield "a horror stands where no tile lies"
    for seat in range(state["caver_count"]):
        caver = state["cavers"][seat]
        passed_by = caver["hidden"] and state["hidden_cavers_are_passed_by"]
        spared = caver["who"] == Caver.SCOUT or caver["slot"] in (NOWHERE, state["exit_slot"]) or passed_by
        if caver["slot"] in slots and caver["health"] > 0 and not spared and state["node"] != Node.END:
            yield f"{word(Caver(caver['who']))}: is conscious on a tile with a horror (6.6)"


def _round(state: np.record) -> Iterator[str]:
    count = int(state["caver_count"])
    for name in ("first", "checks_first"):
        if state[name] >= count:
            yield f"{name} is {state[name]}; there are {count} cavers"
    for name in ("seat", "actor", "asked", "checker"):
        if count <= state[name] < NOBODY:
            yield f"{name} is {state[name]}; there are {count} cavers"
    if state["turns_taken"] > count or state["checks_done"] > count:
        yield f"more turns taken or checks done than there are cavers ({count})"
    if not 0 <= state["round_number"] <= state["max_rounds"]:
        yield f"round {state['round_number']}; it is from 0 to {state['max_rounds']}"
    acting = state["phase"] == Phase.ACTION and state["node"] != Node.END
    if acting and state["seat"] == NOBODY:
        yield "nobody has the turn in the Action phase"
    if acting and state["seat"] < count and state["cavers"][state["seat"]]["lost"]:
        yield "a lost caver has the turn"


def _asked(state: np.record) -> Iterator[str]:
    """A question has somebody who is asked and answers; chance and end have none."""
    asks = state["node"] == Node.ASK
    if asks != (state["question"] != Question.NONE) or asks != (state["asked"] != NOBODY):
        yield "a question is asked of somebody exactly where the game stands at a question"
    if asks != bool(state["legal"].any()):
        yield "there are legal answers exactly where a question is asked"
    answers = sum(int(bits).bit_count() for bits in state["legal"])
    if asks and state["question"] != Question.TURN and answers < _FEWEST_CHOICES:
        yield f"{answers} answers; a question other than turn has at least {_FEWEST_CHOICES} (11)"
    if state["question"] == Question.SURFACE and state["cavers"][state["asked"] % NOBODY]["dived_from"] == NOWHERE:
        yield "who is asked where to surface is submerged (8.1)"
    if (state["node"] == Node.CHANCE) != (state["chance"] != Chance.NONE):
        yield "a chance event is awaited exactly where the game stands at one"
    if state["node"] == Node.RUNNING:
        yield "the game stands at nothing"
    if state["question"] in (Question.TURN, Question.RUN, Question.DIRECT, Question.PLACE):
        actor = state["cavers"][state["actor"]] if state["actor"] < state["caver_count"] else None
        if actor is None or actor["health"] == 0 or actor["slot"] == NOWHERE:
            yield "the caver who acts is not conscious on a tile"
        if state["question"] == Question.TURN and not state["actor"] == state["seat"] == state["asked"]:
            yield "the turn question is asked of the caver who has the turn"
    if state["chance"] == Chance.TILE and state["places_left"] == 0:
        yield "a tile is to be drawn from an empty stack"
    if state["chance"] == Chance.HAZARD and state["cards_left"] == 0:
        yield "a card is to be drawn, but none is left"
    if state["chance"] == Chance.DIE and (state["checker"] == NOBODY) != (state["check"] == Check.CAVE_IN):
        yield "every die but that of a cave-in is somebody's"


def _over(state: np.record) -> Iterator[str]:
    """The game is over as soon as the rules say so (9.1)."""
    team = state["cavers"][: state["caver_count"]]
    out = (team["slot"] == state["exit_slot"]) & (team["slot"] != NOWHERE)
    here, conscious = team["lost"] == 0, (team["lost"] == 0) & (team["health"] > 0)
    agreed = state["stop_when_conscious_are_out"] and not (conscious & ~out).any()
    if ((out | ~here).all() or not conscious.any() or agreed) and state["node"] != Node.END:
        yield "the game goes on, but everybody left is out or nobody is conscious (9.1)"
    if (state["node"] == Node.END) != (state["ending"] != 0):
        yield "the game has an ending exactly when it is over"
