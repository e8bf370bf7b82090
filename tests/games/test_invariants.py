"""Positions of random games are whole; each way of damaging one is named."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from subterra_env.games.subterra.box.tiles import NO_TILE, TILE_NUMBER
from subterra_env.games.subterra.invariants import faults
from subterra_env.games.subterra.invariants_course import stand
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.position import from_json
from subterra_env.games.subterra.state import FILLER, NOBODY, NOWHERE, STATE
from subterra_env.games.subterra.terms import Caver, Ending, Kind, Node, Phase, Step
from tests.random_games import new_game, play, varied_options

from .test_position import BY_HAND, STANDS

GAMES = range(45)
SOUND = BY_HAND | {
    "cavers": ["medic", "geologist", "leader", "diver"],
    "tiles": [*BY_HAND["tiles"], {"at": [0, 1], "tile": "ledge straight"}, {"at": [0, -1], "tile": "gas tee"}],
    "team": {"geologist": {"at": [1, 0], "health": 1}, "diver": {"dived_from": [1, 0]}},
    "reserve": "horror corner",
}
WATER, HORROR, LEDGE, GAS, FREE = 1, 2, 4, 5, 20
"""Slots in the sound position; the last holds no tile."""
MEDIC, GEOLOGIST, LEADER, DIVER = range(4)
OUTSIDE_THE_GAME = ("rules", "stack_tiles", "max_rounds", "extra_hazard_cards", "luck")
"""What was agreed and the luck key may be changed to something else that is sound."""

Damage = Callable[[Any], None]


def test_nothing_is_wrong_with_any_position_of_random_games() -> None:
    seen: Counter[str] = Counter()
    for number in GAMES:
        for states in play(varied_options(number), number, number):
            assert faults(states[0]) == []
            seen[stand(states[0])] += 1
    assert seen.total() > 100 * len(GAMES)
    assert len(seen) > 14


def test_a_new_game_is_sound() -> None:
    assert faults(new_game(options(), 1)[0]) == []


def sound(name: str = "") -> Any:
    """A sound position: one in the middle of a turn, or one that stands at something by name."""
    return from_json(json.dumps(BY_HAND | STANDS[name] if name else SOUND))[0]


def put(name: str, value: Any, index: Any = None) -> Damage:
    def do(state: Any) -> None:
        if index is None:
            state[name] = value
        else:
            state[name][index] = value

    return do


def tile(slot: int, **fields: int) -> Damage:
    def do(state: Any) -> None:
        for name, value in fields.items():
            state["tiles"][slot][name] = value

    return do


def caver(seat: int, **fields: int) -> Damage:
    def do(state: Any) -> None:
        for name, value in fields.items():
            state["cavers"][seat][name] = value

    return do


def horror(index: int, **fields: int) -> Damage:
    def do(state: Any) -> None:
        for name, value in fields.items():
            state["horrors"][index][name] = value

    return do


def over(state: Any) -> None:
    state["node"], state["ending"], state["question"], state["asked"] = Node.END, Ending.GOLD, 0, NOBODY
    state["legal"], state["step"] = 0, Step.ROUND_BEGINS


def everybody_falls(state: Any) -> None:
    for seat in range(len(SOUND["cavers"])):
        state["cavers"][seat]["health"] = 0


DAMAGE: dict[str, tuple[Damage, str]] = {
    "frontier": (put("frontier", 40), "frontier is 40; 7 follows"),
    "kind": (tile(GAS, kind=Kind.ORDINARY), "tiles[5].kind is 3; 5 follows"),
    "open": (tile(GAS, open=0), "tiles[5].open is 0"),
    "connected": (tile(GAS, connected=0), "tiles[5].connected is 0"),
    "empty": (tile(GAS, empty=0), "tiles[5].empty is 0"),
    "beside": (put("tiles", tuple([0] * 12 + [[1, 1, 1, 1]]), FREE), "tiles[20].beside"),
    "adjacent": (put("adjacent", 0, 0), "adjacent is"),
    "last two": (put("last_two_connected", 1), "last_two_connected is 1"),
    "places": (put("places", 7, 0), "places is"),
    "exit slot": (put("exit_slot", WATER), "exit_slot is 1"),
    "water count": (put("water_count", 0), "water_count is 0"),
    "water list": (put("water", 5, 0), "water is"),
    "horror tiles": (put("horror_tiles", 1, 0), "horror_tiles is"),
    "cave-ins": (put("cave_in_count", 3), "cave_in_count is 3"),
    "unseen total": (put("unseen_total", 1), "unseen_total is 1"),
    "tile moved": (tile(GAS, x=50), "tiles[5].connected is 1; 0 follows"),
    "tile on another": (tile(GAS, x=0, y=0), "2 tiles lie at 0,0"),
    "start moved": (tile(0, x=1), "the first tile is not the start"),
    "tile of no type": (tile(GAS, type=NO_TILE), "1 tiles on the table are of no type"),
    "tile of unknown type": (tile(GAS, type=99), "tiles[5].type is 99"),
    "tile turned": (tile(HORROR, turns=0), "tiles[2].connected is 8; 0 follows"),
    "tile turned too far": (tile(WATER, turns=3), "3 quarter turns look like 1"),
    "arrow turned": (tile(LEDGE, turns=2), "by the side opposite its arrow"),
    "tile from nowhere": (tile(FREE, type=TILE_NUMBER["gas tee"]), "tiles from slot 6 on"),
    "tile gone": (put("tile_count", 5), "tiles from slot 5 on"),
    "unseen": (put("unseen", 9, TILE_NUMBER["gas tee"]), "gas tee: 1 on the table, drawn or in reserve and 9 unseen"),
    "unseen start": (put("unseen", 1, TILE_NUMBER["start crossroads"]), "start and exit are not counted"),
    "places left": (put("places_left", 3), "places_left is 3; 6 of 65 have been drawn"),
    "exit seen": (put("exit_in_stack", 0), "the exit is neither seen nor in the stack"),
    "two starts": (put("reserve", TILE_NUMBER["start crossroads"]), "the start is there 2 times"),
    "exit in reserve": (put("reserve", TILE_NUMBER["exit dead end"]), "the exit is seen and in the stack"),
    "no reserve": (put("reserve", NO_TILE), "the geologist keeps a tile"),
    "guides": (put("guides_left", 0), "no scout is in the team"),
    "explosives": (put("explosives_left", 2), "no engineer is in the team"),
    "blasted": (tile(GAS, blasted=4), "1 sides are blasted"),
    "blasted open side": (tile(GAS, blasted=1), "a blasted side is open anyway"),
    "flooded gas": (tile(GAS, flooded=1), "flooded, but it is no water tile"),
    "rubble": (tile(WATER, rubble=1), "rubble, but it is no cave-in tile"),
    "rope": (tile(GAS, rope=1), "rope, but it is no ledge or slide"),
    "gas": (put("gas_out", 1), "no gas card has been used"),
    "cards": (put("unseen_cards", 9, 0), "tremor: used -4 times"),
    "cards left": (put("cards_left", 30), "30 cards left"),
    "cards used": (put("cards_used", 4), "20 cards left and 4 used"),
    "health": (caver(MEDIC, health=4), "medic: health 4; it is from 0 to 3"),
    "negative health": (caver(MEDIC, health=-1), "medic: health -1"),
    "nowhere": (caver(MEDIC, slot=NOWHERE), "medic: is on no tile exactly if submerged or lost"),
    "no such tile": (caver(MEDIC, slot=60), "medic: no tile lies where it is"),
    "no such slot": (caver(MEDIC, slot=70), "cavers[0].slot is 70"),
    "submerged and there": (caver(DIVER, slot=0), "diver: is on no tile exactly if"),
    "submerged geologist": (caver(GEOLOGIST, dived_from=WATER), "geologist: is submerged, but is no conscious diver"),
    "dived on land": (caver(DIVER, dived_from=GAS), "diver: dived from a tile that is no water"),
    "drowned": (caver(DIVER, health=0), "diver: is submerged, but is no conscious diver"),
    "lost and there": (caver(MEDIC, lost=1), "medic: is on no tile exactly if"),
    "lost in time": (caver(MEDIC, lost=1, slot=NOWHERE), "medic: is lost before the time has run out"),
    "hides too long": (caver(MEDIC, hides_running=3), "medic: hides_running is 3"),
    "twins": (caver(MEDIC, who=Caver.LEADER), "options: cavers"),
    "fifth caver": (caver(4, health=3), "cavers from seat 4 on"),
    "horror beside a caver": (horror(0, slot=0), "medic: is conscious on the start crossroads at 0,0, with a horror"),
    "horror on no tile": (horror(0, slot=FREE), "horror 1 is where no tile lies"),
    "horror without a card": (put("horror_count", 2), "2 horrors, but by the horror cards used at most 1"),
    "four horrors": (put("horror_count", 4), "horror_count is 4"),
    "horror not counted": (horror(1, slot=WATER), "horrors from number 2 on"),
    "horror waits": (horror(0, waiting=1), "a horror waits to move"),
    "round": (put("round_number", 5), "2 hazard cards used in round 5"),
    "round beyond": (put("round_number", 101), "round 101; the game is broken off after 100"),
    "round 0": (put("round_number", 0), "round 0 in phase action"),
    "phase": (put("phase", Phase.HORROR), "“turn” in phase horror; it comes in action"),
    "starting caver": (put("first", MEDIC), "the medic is the starting caver of round 3"),
    "starting seat": (put("first", 5), "first is seat 5; seats are 0 to 3"),
    "marker": (put("marker_passed", 1), "marker_passed, but nobody is lost"),
    "turns taken": (put("turns_taken", 3), "turns_taken is 3; by phase and turn it is 1"),
    "dice of nobody": (put("rolls", 1, (0, NOBODY)), "rolls: exert dice of nobody"),
    "exerted twice": (put("rolls", 2, (0, 0)), "a caver exerts once a turn"),
    "points": (put("points", 3), "leader: 3 action points"),
    "nine points": (put("points", 9), "points is 9; it is from 0 to 3"),
    "no turn": (put("seat", NOBODY), "nobody has the turn in phase action"),
    "nobody acts": (put("actor", NOBODY), "nobody acts in the turn of the leader"),
    "another acts": (put("actor", MEDIC), "medic: acts in the turn of the leader"),
    "unconscious": (caver(LEADER, health=0), "leader: has the turn, but is not conscious"),
    "surfaced": (put("surfaced", 1), "a turn spent surfacing is a diver's"),
    "asked nobody": (put("asked", NOBODY), "somebody who is asked"),
    "asked another": (put("asked", MEDIC), "the rules would go on to “the leader is asked: turn”"),
    "no question": (put("question", 0), "the game stands at nothing"),
    "no answers": (put("legal", 0), "answers are there exactly where a question is asked"),
    "an answer less": (put("legal", 2, 0), "legal is"),
    "chance": (put("chance", 1), "a chance event is awaited exactly where"),
    "check": (put("check", 3), "check is 3, which says nothing at “turn”"),
    "checker": (put("checker", MEDIC), "checker is medic"),
    "step": (put("step", Step.SPAWN), "step is 11; at “turn” it is 3"),
    "filler": (put(FILLER, 1, 0), f"{FILLER} is"),
    "over": (over, "the game is over, though somebody conscious is not out"),
    "ending": (put("ending", 1), "ending is 1, which says nothing"),
    "all unconscious": (
        everybody_falls,
        "the game goes on, though everybody is out",
    ),
    "first at setup": (put("first_at_setup", 9), "first_at_setup is 9"),
    **{
        name: (put(name, 1), f"{name} is 1, which says nothing at “turn”")
        for name in ("side", "exploring", "guided", "drawn", "turnings_drawn", "turnings_reserve", "moves_left", "card")
    },
    **{
        name: (put(name, 1), f"{name} is 1, which says nothing at “turn”")
        for name in ("repeats_left", "spawns_left", "checks_first", "checks_done", "moving", "ways", "spawn_tiles")
    },
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(name: str) -> None:
    state = sound()
    do, named = DAMAGE[name]
    do(state)
    assert any(named in fault for fault in faults(state)), faults(state)


DAMAGE_AT: dict[tuple[str, str], tuple[Damage, str]] = {
    ("place", "turnings"): (put("turnings_drawn", 15), "turnings_drawn is 15"),
    ("place", "side"): (put("side", 1), "nothing can be laid east"),
    ("run", "moves"): (put("moves_left", 0), "0 moves left"),
    ("direct", "not directed"): (put("directed", 0), "without being directed"),
    ("surface", "points"): (put("points", 1), "a turn spent surfacing"),
    ("surface", "not surfacing"): (put("surfaced", 0), "surfaced is 0 at “surface”"),
    ("horror order", "one waits"): (horror(0, waiting=0), "the rules would go on to"),
    ("horror path", "ways"): (put("ways", 15), "ways is 15"),
    ("horror path", "moving"): (put("moving", 2), "the rules would go on to"),
    ("horror path", "card"): (put("card", 1), "in phase horror"),
    ("spawn", "tiles"): (put("spawn_tiles", 7), "spawn_tiles is 7"),
    ("spawn", "repeats"): (put("repeats_left", 1), "repeats_left is 1"),
    ("spawn", "spawns"): (put("spawns_left", 1), "spawns_left is 1"),
    ("spawn", "card"): (put("card", 0), "the card is a horror card"),
    ("tile", "empty stack"): (put("places_left", 0), "the stack is empty"),
    ("exert", "not exerted"): (put("exerted", 0), "the rules would go on to"),
    ("exert", "of another"): (put("checker", MEDIC), "medic: rolls for what the leader does"),
    ("hide", "not hid"): (put("hid", 0), "so it has used hide in this turn"),
    ("hide", "hidden"): (caver(2, hidden=1), "the rules would go on to"),
    ("rope", "roped"): (tile(4, rope=1), "the rules would go on to"),
    ("rough", "elsewhere"): (caver(2, slot=0), "rolls for rough terrain, but is on none"),
    ("tremor", "order"): (put("checks_done", 3), "checks_done is 3"),
    ("tremor", "of an unconscious"): (caver(1, health=0), "the rules would go on to"),
    ("tremor", "gas"): (put("gas_out", 1), "gas is out in the Hazard phase"),
    ("out of time", "too early"): (put("round_number", 22), "out-of-time checks come in phase hazard"),
    ("cave-in", "somebody's"): (put("checker", 0), "checker is medic"),
    ("cave-in", "unused card"): (put("card", 7), "the card is a cave-in card that has been used"),
    ("hazard", "none left"): (put("cards_left", 0), "0 cards left"),
    ("end", "gold"): (put("ending", Ending.GOLD), "gold with 4 left behind; it is defeat"),
    ("end", "truncated"): (put("ending", Ending.TRUNCATED), "broken off only after the End phase"),
    ("end", "goes on"): (put("step", Step.TURN), "step is 3"),
}


@pytest.mark.parametrize("place", DAMAGE_AT, ids=" ".join)
def test_damage_to_what_is_under_way_is_named(place: tuple[str, str]) -> None:
    state = sound(place[0])
    do, named = DAMAGE_AT[place]
    do(state)
    assert any(named in fault for fault in faults(state)), faults(state)


@pytest.mark.parametrize("name", STANDS)
def test_a_number_changed_in_any_field_is_a_fault(name: str) -> None:
    """In every field but those where another number may be as good, and those of cavers, tiles and horrors."""
    rng = np.random.default_rng(7)
    for field in set(STATE.names or ()) - {*OUTSIDE_THE_GAME, "cavers", "tiles", "horrors", "rolls"}:
        state = sound(name)
        numbers = np.atleast_1d(state[field])
        index = int(rng.integers(numbers.size))
        state[field] = 77 if np.ndim(state[field]) == 0 else [77 if i == index else n for i, n in enumerate(numbers)]
        assert faults(state), field


def test_everything_wrong_is_named_at_once() -> None:
    state = sound()
    for name in ("frontier", "health", "points", "places left"):
        DAMAGE[name][0](state)
    assert {"frontier", "medic", "leader", "places_left"} <= {
        word.strip(":;") for fault in faults(state) for word in fault.split()
    }
