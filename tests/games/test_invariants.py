"""Positions of random games are whole; each way of damaging one is named."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from subterra_env.games.subterra.box.tiles import TILE_NUMBER
from subterra_env.games.subterra.invariants import faults
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Kind, Node
from tests.random_games import new_game, play, varied_options

GAMES = 45
TEAM = ("diver", "geologist", "bodyguard", "medic")


def test_nothing_is_wrong_with_any_position_of_random_games() -> None:
    positions = 0
    for number in range(GAMES):
        for states in play(varied_options(number), number, number):
            assert faults(states[0]) == []
            positions += 1
    assert positions > 100 * GAMES


def sound() -> Any:
    """A position in the middle of a game, with water and gas on the table and two tiles or more."""
    for number in range(1, 100, 2):
        for states in play(options(cavers=TEAM), number, number):
            kinds = set(states["tiles"]["kind"][0].tolist())
            if {Kind.WATER, Kind.GAS, Kind.CAVE_IN} <= kinds and states["node"][0] == Node.ASK:
                return states.copy()[0]
    raise AssertionError("no game has such a position")


def slot_of(state: Any, kind: Kind) -> int:
    return int(np.flatnonzero(state["tiles"]["kind"] == kind)[0])


def damage(name: str, index: Any, value: int) -> Callable[[Any], None]:
    def do(state: Any) -> None:
        state[name][index] = value

    return do


def set_field(name: str, value: int) -> Callable[[Any], None]:
    def do(state: Any) -> None:
        state[name] = value

    return do


def set_tile(field: str, value: int, kind: Kind = Kind.GAS) -> Callable[[Any], None]:
    def do(state: Any) -> None:
        state["tiles"][slot_of(state, kind)][field] = value

    return do


def set_caver(field: str, value: int, seat: int = 3) -> Callable[[Any], None]:
    def do(state: Any) -> None:
        state["cavers"][seat][field] = value

    return do


DAMAGE: dict[str, tuple[Callable[[Any], None], str]] = {
    "frontier": (set_field("frontier", 40), "frontier is 40"),
    "places left": (set_field("places_left", 3), "places_left is 3"),
    "unseen": (damage("unseen", TILE_NUMBER["gas tee"], 9), "gas tee"),
    "unseen total": (set_field("unseen_total", 1), "unseen_total"),
    "exit seen": (set_field("exit_in_stack", 0), "neither seen nor in the stack"),
    "reserve": (set_field("reserve", TILE_NUMBER["start crossroads"]), "the start is there 2 times"),
    "tile kind": (set_tile("kind", Kind.ORDINARY), "kind"),
    "tile open": (set_tile("open", 0), "open sides"),
    "tile moved": (set_tile("x", 50), "not connected to an earlier tile"),
    "beside": (set_tile("connected", 0), "connections do not follow"),
    "flooded gas": (set_tile("flooded", 1), "flooded, but a gas"),
    "rubble on water": (set_tile("rubble", 1, Kind.WATER), "rubble, but a water"),
    "rope on gas": (set_tile("rope", 1), "rope, but a gas"),
    "list": (set_field("water_count", 0), "list of water tiles"),
    "adjacent": (damage("adjacent", 0, 0), "connections do not follow"),
    "places": (damage("places", 0, 7), "its number in places"),
    "cards": (damage("unseen_cards", 0, 9), "tremor: 9 cards unseen"),
    "cards left": (set_field("cards_left", 30), "30 hazard cards left"),
    "health": (set_caver("health", 4), "health 4"),
    "nowhere": (set_caver("slot", NOWHERE), "is on a tile unless"),
    "no such tile": (set_caver("slot", 60), "where no tile lies"),
    "slot out of range": (set_caver("slot", 70), "slot is no slot"),
    "submerged medic": (set_caver("dived_from", 0), "only a conscious diver"),
    "twins": (set_caver("who", 0), "diver is there twice"),
    "four horrors": (set_field("horror_count", 4), "4 horrors"),
    "asked nobody": (set_field("asked", 6), "a question is asked of somebody"),
    "no answers": (damage("legal", slice(None), 0), "legal answers exactly where"),
    "over": (set_field("ending", 1), "has an ending exactly when"),
    "round": (set_field("round_number", 101), "round 101"),
    "points": (set_field("points", 9), "points is 9"),
    "actor": (set_field("actor", 5), "actor is 5"),
    "gas": (set_field("gas_out", 2), "gas_out is 2"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(name: str) -> None:
    state = sound_position.copy()[0]
    do, named = DAMAGE[name]
    do(state)
    assert any(named in fault for fault in faults(state)), faults(state)


def test_a_conscious_caver_beside_a_horror_is_named() -> None:
    state = sound_position.copy()[0]
    state["horror_count"] = 1
    state["horrors"][0]["slot"] = state["cavers"][int(state["asked"])]["slot"]
    assert any("conscious on a tile with a horror" in fault for fault in faults(state))


def test_everything_wrong_is_named_at_once() -> None:
    state = sound_position.copy()[0]
    set_field("frontier", 40)(state)
    set_caver("health", 4)(state)
    assert len(faults(state)) == 2


def test_a_new_game_is_sound() -> None:
    assert faults(new_game(options(), 1)[0]) == []


sound_position = np.array([sound()])
