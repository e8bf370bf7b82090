"""A whole position as JSON, both ways: everything but the luck key, to the byte.

A person can write one: what has a natural default may be left out, and the default of what the game stands at is the
``turn`` question of the caver in ``turn`` (the starting caver, with two points, if nothing else is said). Text from
outside is checked in full: `PositionError` names everything that is wrong with it.
"""

import json
from collections import Counter
from typing import Any

import numpy as np
from pydantic import ValidationError

from subterra_env.games.subterra import notation, record
from subterra_env.games.subterra.box.hazards import CARD_NAMES, CARD_NUMBER
from subterra_env.games.subterra.box.tiles import EXIT_TILE, NO_TILE, TILE_COUNT, TILE_NUMBER, TILE_TYPES
from subterra_env.games.subterra.invariants import faults
from subterra_env.games.subterra.options import OptionsError, options, options_of
from subterra_env.games.subterra.position_schema import FORMAT, Position, TileLaid
from subterra_env.games.subterra.restoring import ask_again, lay_at, open_wall
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Chance, Ending, Node, Phase, Question, Side, word

MOST_CHARACTERS = 200_000
MOST_BRACKETS = 2_000
_COURSE = {
    **dict.fromkeys(("actor", "checker"), NOBODY),
    **dict.fromkeys(("side", "exploring", "guided", "turnings_drawn", "turnings_reserve", "moves_left"), 0),
    **dict.fromkeys(("checks_first", "checks_done", "card", "repeats_left", "spawns_left", "marker_passed"), 0),
    **dict.fromkeys(("moving", "ways", "spawn_tiles", "check", "step", "turns_taken"), 0),
}
"""Fields of the course of play that have no words of their own, with the numbers they have when they are not in use."""
_ALWAYS_WRITTEN = ("actor", "turns_taken")
"""Their defaults follow from whose turn it is."""
_TURN = ("points", "exerted", "directed", "hid", "surfaced")
_TO_BE_ASKED = 3
"""Stands for the legal answers while everything else is checked: no question asks in a position that cannot be."""
_MARKERS = ("flooded", "rubble", "rope")


class PositionError(ValueError):
    """A position that cannot be; the message names every fault."""


def to_json(states: np.ndarray) -> str:
    """The first game of ``states`` as JSON text."""
    return json.dumps(_described(states[0]), indent=1, ensure_ascii=False)


def _described(state: Any) -> dict[str, Any]:
    header = record.header(options_of(state))
    return {
        **header,
        "format": FORMAT,
        "round": int(state["round_number"]),
        "phase": word(Phase(state["phase"])),
        "starting_caver": notation.caver_name(state, state["first"]),
        "tiles": [_tile(state["tiles"][slot]) for slot in range(state["tile_count"])],
        "team": {notation.caver_name(state, seat): _caver(state, seat) for seat in range(state["caver_count"])},
        "horrors": [_place(state, horror["slot"]) for horror in state["horrors"][: state["horror_count"]]],
        "horrors_waiting": state["horrors"]["waiting"][: state["horror_count"]].tolist(),
        "reserve": TILE_TYPES[state["reserve"]].name if state["reserve"] != NO_TILE else None,
        "drawn": TILE_TYPES[state["drawn"]].name if state["drawn"] != NO_TILE else None,
        "discarded": _discarded(state),
        "hazards_used": _used(state),
        "gas_out": bool(state["gas_out"]),
        "guides_left": int(state["guides_left"]),
        "explosives_left": int(state["explosives_left"]),
        "turn": _turn(state),
        "stands_at": _stands_at(state),
        "course": {
            name: int(state[name])
            for name, unused in _COURSE.items()
            if name in _ALWAYS_WRITTEN or state[name] != unused
        },
        "rolls": state["rolls"].tolist() if state["rolls"].any() else [],
    }


def _tile(tile: Any) -> dict[str, Any]:
    written: dict[str, Any] = {
        "at": [int(tile["x"]), int(tile["y"])],
        "tile": TILE_TYPES[tile["type"]].name,
        "turns": int(tile["turns"]),
    }
    if tile["blasted"]:
        written["blasted"] = [word(side) for side in Side if tile["blasted"] >> side & 1]
    return written | {marker: True for marker in _MARKERS if tile[marker]}


def _place(state: Any, slot: int) -> list[int] | None:
    if slot == NOWHERE:
        return None
    return [int(state["tiles"][slot]["x"]), int(state["tiles"][slot]["y"])]


def _caver(state: Any, seat: int) -> dict[str, Any]:
    caver = state["cavers"][seat]
    written: dict[str, Any] = {"health": int(caver["health"]), "at": _place(state, caver["slot"])}
    if caver["dived_from"] != NOWHERE:
        written["dived_from"] = _place(state, caver["dived_from"])
    if caver["hides_running"]:
        written["hides_running"] = int(caver["hides_running"])
    return written | {flag: True for flag in ("hidden", "lost") if caver[flag]}


def _discarded(state: Any) -> list[str]:
    """The tiles that were drawn and are nowhere else."""
    there = Counter(state["tiles"]["type"][: state["tile_count"]].tolist())
    there.update((int(state["reserve"]), int(state["drawn"])))
    discarded = []
    for tile in range(EXIT_TILE + 1, len(TILE_TYPES)):
        missing = int(TILE_COUNT[state["rules"], tile]) - int(state["unseen"][tile]) - there[tile]
        discarded += [TILE_TYPES[tile].name] * missing
    exit_seen = not state["exit_in_stack"] and not there[EXIT_TILE]
    return discarded + ([TILE_TYPES[EXIT_TILE].name] if exit_seen else [])


def _used(state: Any) -> list[str]:
    unused = record.begun(options_of(state))["unseen_cards"][0]
    return [name for card, name in enumerate(CARD_NAMES) for _ in range(unused[card] - state["unseen_cards"][card])]


def _turn(state: Any) -> dict[str, Any] | None:
    written: dict[str, Any] = {name: int(state[name]) for name in _TURN}
    if state["seat"] == NOBODY:
        return written if any(written.values()) else None
    return {"caver": notation.caver_name(state, state["seat"]), **written}


def _stands_at(state: Any) -> dict[str, str]:
    if state["node"] == Node.ASK:
        return {"question": notation.question_word(state), "caver": notation.caver_name(state, state["asked"])}
    if state["node"] == Node.CHANCE:
        return {"chance": notation.chance_word(state)}
    return {"end": word(Ending(state["ending"]))}


def from_json(text: str) -> np.ndarray:
    """The game that a text describes: an array of one `STATE`, its luck key 0. Raises `PositionError`."""
    position = _read(text)
    try:
        agreed = options(rules=position.rules, cavers=position.cavers, first=position.first, **position.options)
    except OptionsError as error:
        raise PositionError(str(error)) from None
    states = record.begun(agreed)
    _refuse([*_lay(states, position.tiles)])
    _refuse([*_fill(states, position)])
    _refuse(faults(states[0]))
    return states


def _read(text: str) -> Position:
    if len(text) > MOST_CHARACTERS or text.count("[") + text.count("{") > MOST_BRACKETS:
        raise PositionError(f"a text of {len(text)} characters; a position has at most {MOST_CHARACTERS}")
    try:
        return Position.model_validate(json.loads(text))
    except ValidationError as error:
        raise PositionError("; ".join(_fault(fault) for fault in error.errors()[:10])) from None
    except ValueError as error:
        raise PositionError(f"not JSON: {error}") from None


def _fault(fault: Any) -> str:
    where = ".".join(map(str, fault["loc"])) or "the position"
    return f"{where}: {fault['msg'].removeprefix('Value error, ')}, not {notation.shown(fault['input'])}"


def _refuse(found: list[str]) -> None:
    if found:
        raise PositionError("; ".join(found))


def _lay(states: np.ndarray, tiles: list[TileLaid]) -> list[str]:
    """Lays the tiles after the start in their order, and opens what explosives opened."""
    first = tiles[0]
    if first.tile != "start crossroads" or first.at != (0, 0) or first.turns:
        return ["the first tile is the start crossroads at 0,0, not turned"]
    taken = {first.at}
    for tile in tiles[1:]:
        where = "{},{}".format(*tile.at)
        if tile.at in taken:
            return [f"{where}: two tiles lie there"]
        if tile.tile == first.tile or TILE_NUMBER.get(tile.tile) is None:
            return [f"{where}: no such tile: {notation.shown(tile.tile)}"]
        taken.add(tile.at)
        lay_at(states, TILE_NUMBER[tile.tile], tile.turns, *tile.at)
    for slot, tile in enumerate(tiles):
        for side in tile.blasted:
            open_wall(states, slot, Side[side.upper()])
        for marker in _MARKERS:
            states["tiles"][marker][0, slot] = getattr(tile, marker)
    return []


def _fill(states: np.ndarray, position: Position) -> list[str]:
    """Everything beside the tiles; the faults that keep it from being filled in."""
    state = states[0]
    found = [*_fill_stack(state, position), *_fill_cards(state, position), *_fill_team(state, position)]
    found += _fill_round(state, position)
    if not found:
        found = _fill_course(states, position)
    return found


def _slot_at(state: Any, place: tuple[int, int] | None) -> int:
    """The slot of a place; past all slots, which no check lets through, if no tile lies there."""
    tiles = state["tiles"][: state["tile_count"]]
    slots = np.flatnonzero((tiles["x"] == place[0]) & (tiles["y"] == place[1])) if place else []
    return int(slots[0]) if len(slots) else NOWHERE


def _fill_stack(state: Any, position: Position) -> list[str]:
    found = []
    aside = [name for name in (position.reserve, position.drawn) if name]
    state["exit_in_stack"], state["places_left"] = 1, state["stack_tiles"] + 1
    for name in [tile.tile for tile in position.tiles[1:]] + position.discarded + aside:
        tile = TILE_NUMBER.get(name, NO_TILE)
        if tile <= 1:
            found.append(f"no such tile: {notation.shown(name)}")
        elif tile == EXIT_TILE:
            state["exit_in_stack"] = 0
        else:
            state["unseen"][tile] -= 1
            state["unseen_total"] -= 1
        state["places_left"] -= 1
    state["reserve"] = TILE_NUMBER.get(position.reserve or "", NO_TILE)
    state["drawn"] = TILE_NUMBER.get(position.drawn or "", NO_TILE)
    return found


def _fill_cards(state: Any, position: Position) -> list[str]:
    unknown = [
        f"no such hazard card: {notation.shown(name)}" for name in position.hazards_used if name not in CARD_NUMBER
    ]
    for name in position.hazards_used:
        if name in CARD_NUMBER:
            state["unseen_cards"][CARD_NUMBER[name]] -= 1
            state["cards_left"] -= 1
            state["cards_used"] += 1
    return [f"no such hazard card: {name}" for name in unknown]


def _fill_team(state: Any, position: Position) -> list[str]:
    found = [f"{name} is not in the team" for name in position.team if name not in position.cavers]
    for seat, name in enumerate(position.cavers):
        told = position.team.get(name)
        if told is None:
            continue
        caver = state["cavers"][seat]
        for place in (told.at, told.dived_from):
            if place is not None and _slot_at(state, place) == NOWHERE:
                found.append(f"{name}: no tile lies at {place[0]},{place[1]}")
        caver["slot"], caver["dived_from"] = _slot_at(state, told.at), _slot_at(state, told.dived_from)
        if told.health is not None:
            caver["health"] = told.health
        caver["hidden"], caver["lost"], caver["hides_running"] = told.hidden, told.lost, told.hides_running
    return found


def _fill_round(state: Any, position: Position) -> list[str]:
    found = []
    for index, place in enumerate(position.horrors):
        slot = _slot_at(state, place)
        if slot == NOWHERE:
            found.append(f"a horror at {place[0]},{place[1]}, where no tile lies")
        state["horrors"][index]["slot"] = slot
    state["horror_count"] = len(position.horrors)
    for index, waits in enumerate(position.horrors_waiting[: len(position.horrors)]):
        state["horrors"][index]["waiting"] = waits
    state["round_number"], state["phase"] = position.round, Phase[position.phase.upper().replace(" ", "_")]
    state["gas_out"] = position.gas_out
    state["guides_left"], state["explosives_left"] = position.guides_left, position.explosives_left
    if position.starting_caver is not None:
        state["first"] = _seat(position, position.starting_caver, found)
    return found


def _seat(position: Position, name: str, found: list[str]) -> int:
    if name in position.cavers:
        return position.cavers.index(name)
    found.append(f"{name} is not in the team")
    return 0


def _fill_course(states: np.ndarray, position: Position) -> list[str]:
    """Whose turn it is, the course of play, and what the game stands at."""
    state, found = states[0], list[str]()
    for name, unused in _COURSE.items():
        state[name] = unused
    state["seat"] = state["asked"] = NOBODY
    state["node"], state["chance"], state["question"], state["ending"] = Node.RUNNING, 0, 0, 0
    state["legal"][:] = 0
    for name in _TURN:
        state[name] = 0
    turn = position.turn
    if turn is not None:
        for name in _TURN:
            state[name] = getattr(turn, name)
        if turn.caver is not None:
            state["seat"] = state["actor"] = _seat(position, turn.caver, found)
            state["turns_taken"] = (state["seat"] - state["first"]) % state["caver_count"] + 1
    for name, number in position.course.items():
        if name not in _COURSE:
            found.append(f"course.{name}: no such field; there are {', '.join(_COURSE)}")
        else:
            state[name] = number
    if position.rolls:
        state["rolls"] = position.rolls
    return found or _fill_node(states, position)


def _fill_node(states: np.ndarray, position: Position) -> list[str]:
    state, found, stands = states[0], list[str](), position.stands_at
    if stands.chance is not None:
        state["node"], state["chance"] = Node.CHANCE, Chance[stands.chance.upper()]
    elif stands.end is not None:
        state["node"], state["ending"] = Node.END, Ending[stands.end.upper()]
    else:
        turn = position.turn
        asked = stands.caver or (turn.caver if turn else None)
        if asked is None:
            return [f"who is asked? name a caver in turn or in stands_at; there are {', '.join(position.cavers)}"]
        state["node"], state["question"] = Node.ASK, Question[(stands.question or "turn").upper().replace(" ", "_")]
        state["asked"] = _seat(position, asked, found)
        state["legal"][:] = _TO_BE_ASKED
        found += faults(state)
        if not found:
            ask_again(states)
    return found
