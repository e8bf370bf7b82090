"""A position described in the words of `position_schema`, and such text read back with nothing taken on trust."""

import json
from collections import Counter
from typing import Any

import numpy as np
from pydantic import ValidationError

from subterra_env.games.subterra import notation, record
from subterra_env.games.subterra.box.hazards import CARD_NAMES, POOL
from subterra_env.games.subterra.box.tiles import EXIT_TILE, NO_TILE, TILE_COUNT, TILE_TYPES
from subterra_env.games.subterra.invariants_course import stand
from subterra_env.games.subterra.options import options_of
from subterra_env.games.subterra.position_schema import FORMAT, NOBODY_ROLLS, Position
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Check, Ending, Node, Phase, Side, word

MOST_CHARACTERS = 100_000
MOST_BRACKETS = 500
"""More lists and objects than any position holds; what nests deeper is not looked at."""
MARKERS = ("flooded", "rubble", "rope")
TURN_FLAGS = ("exerted", "directed", "hid", "surfaced")
_MOST_FAULTS = 20
_LAYING = ("place", "tile")


class PositionError(ValueError):
    """A position that cannot be; the message names every fault."""


def read(text: str) -> Position:
    """The position a text describes, its values in range each by itself. Raises `PositionError`."""
    if len(text) > MOST_CHARACTERS:
        raise PositionError(f"{len(text)} characters; a position has at most {MOST_CHARACTERS}")
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise PositionError(f"more than {MOST_BRACKETS} lists and objects; no position has as many")
    try:
        found = json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_constant)
        return Position.model_validate(found)
    except ValidationError as error:
        raise PositionError("; ".join(_fault(fault) for fault in error.errors()[:_MOST_FAULTS])) from None
    except (ValueError, RecursionError) as error:
        raise PositionError(f"this is no JSON: {error}") from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    if twice:
        raise ValueError(f"{', '.join(map(notation.shown, twice))}: there twice in one object")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of a position")


def _fault(fault: Any) -> str:
    where = ".".join(map(str, fault["loc"])) or "the position"
    if fault["type"] == "extra_forbidden":
        return f"{where}: there is no such entry"
    message = fault["msg"].removeprefix("Value error, ")
    given = "" if fault["type"] in ("value_error", "missing") else f", not {notation.shown(fault['input'])}"
    return f"{where}: {message[:1].lower()}{message[1:]}{given}"


def described(state: Any) -> dict[str, Any]:
    """A sound state as what becomes JSON; what has its default is left out where that reads better."""
    team = {notation.caver_name(state, seat): _caver(state, seat) for seat in range(state["caver_count"])}
    waiting = state["horrors"]["waiting"][: state["horror_count"]]
    written = {
        **record.header(options_of(state)),
        "format": FORMAT,
        "round": int(state["round_number"]),
        "phase": word(Phase(state["phase"])),
        "starting_caver": notation.caver_name(state, state["first"]),
        "marker_passed": bool(state["marker_passed"]),
        "tiles": [_tile(state["tiles"][slot]) for slot in range(state["tile_count"])],
        "team": team,
        "horrors": [_place(state, horror["slot"]) for horror in state["horrors"][: state["horror_count"]]],
        "horrors_waiting": waiting.astype(bool).tolist() if waiting.any() else [],
        "places_left": int(state["places_left"]),
        "reserve": _tile_name(state["reserve"]),
        "drawn": _tile_name(state["drawn"]),
        "discarded": _discarded(state),
        "hazards_used": _used(state),
        "gas_out": bool(state["gas_out"]),
        "guides_left": int(state["guides_left"]),
        "explosives_left": int(state["explosives_left"]),
        "turn": _turn(state),
        "stands_at": _stands_at(state, stand(state)),
        "resolving": _resolving(state, stand(state)),
        "rolls": _rolls(state),
    }
    return {name: value for name, value in written.items() if not _is_default(value)}


def _is_default(value: Any) -> bool:
    """A number always says something, also 0."""
    return value is None or value is False or value == [] or value == {}


def _tile(tile: Any) -> dict[str, Any]:
    written: dict[str, Any] = {"at": [int(tile["x"]), int(tile["y"])], "tile": TILE_TYPES[tile["type"]].name}
    if tile["turns"]:
        written["turns"] = int(tile["turns"])
    if tile["blasted"]:
        written["blasted"] = [word(side) for side in Side if tile["blasted"] >> side & 1]
    return written | {marker: True for marker in MARKERS if tile[marker]}


def _tile_name(tile: int) -> str | None:
    return TILE_TYPES[tile].name if tile != NO_TILE else None


def _place(state: Any, slot: int) -> list[int]:
    return [int(state["tiles"][slot]["x"]), int(state["tiles"][slot]["y"])]


def _caver(state: Any, seat: int) -> dict[str, Any]:
    caver = state["cavers"][seat]
    written: dict[str, Any] = {"health": int(caver["health"])}
    for name, slot in (("at", caver["slot"]), ("dived_from", caver["dived_from"])):
        if slot != NOWHERE:
            written[name] = _place(state, slot)
    if caver["hides_running"]:
        written["hides_running"] = int(caver["hides_running"])
    return written | {flag: True for flag in ("hidden", "lost") if caver[flag]}


def _discarded(state: Any) -> list[str]:
    """The tiles that were drawn and are nowhere else."""
    there = Counter(state["tiles"]["type"][: state["tile_count"]].tolist())
    there.update((int(state["reserve"]), int(state["drawn"])))
    drawn = TILE_COUNT[state["rules"]] - state["unseen"]
    return [
        TILE_TYPES[tile].name
        for tile in range(EXIT_TILE + 1, len(TILE_TYPES))
        for _ in range(drawn[tile] - there[tile])
    ]


def _used(state: Any) -> list[str]:
    used = POOL[state["difficulty"]] - state["unseen_cards"]
    return [name for name, count in zip(CARD_NAMES, used, strict=True) for _ in range(count)]


def _turn(state: Any) -> dict[str, Any] | None:
    if state["seat"] == NOBODY:
        return None
    flags = {flag: True for flag in TURN_FLAGS if state[flag]}
    return {"caver": notation.caver_name(state, state["seat"]), "points": int(state["points"]), **flags}


def _stands_at(state: Any, stands: str) -> dict[str, Any]:
    if state["node"] == Node.END:
        return {"end": word(Ending(state["ending"]))}
    seat = NOBODY
    if state["node"] == Node.ASK:
        written: dict[str, Any] = {"question": stands}
        seat = state["asked"]
    else:
        written = {"chance": notation.chance_word(state)}
        if written["chance"] == "die":
            written["for"] = stands
            seat = state["checker"]
        elif stands == "tile":
            seat = state["actor"]
    if seat != NOBODY:
        written["caver"] = notation.caver_name(state, seat)
    return written | _under_way(state, stands)


def _under_way(state: Any, stands: str) -> dict[str, Any]:
    """What belongs to one question or check only."""
    if stands in _LAYING and state["phase"] != Phase.SETUP:
        flags = {flag: True for flag in ("exploring", "guided") if state[flag]}
        return {"side": word(Side(state["side"])), **flags}
    if stands in ("run", "rough"):
        return {"moves_left": int(state["moves_left"])}
    if stands == "horror path":
        return {"horror": int(state["moving"])}
    if stands in ("tremor", "out of time"):
        return {"checks_began_with": notation.caver_name(state, state["checks_first"])}
    return {}


def _resolving(state: Any, stands: str) -> dict[str, Any] | None:
    cards = ("tremor", "cave-in", "horror order", "horror path", "spawn")
    if state["phase"] != Phase.HAZARD or stands not in cards:
        return None
    left = {name: int(state[name]) for name in ("repeats_left", "spawns_left") if state[name]}
    return {"card": CARD_NAMES[state["card"]], **left}


def _rolls(state: Any) -> dict[str, dict[str, int]]:
    return {
        word(check): {
            notation.caver_name(state, seat) if seat != NOBODY else NOBODY_ROLLS: int(state["rolls"][check, seat])
            for seat in np.flatnonzero(state["rolls"][check]).tolist()
        }
        for check in Check
        if state["rolls"][check].any()
    }
