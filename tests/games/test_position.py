"""Positions as JSON: exact both ways, short to write by hand, and refused by naming everything that is wrong."""

import json
from typing import Any

import numpy as np
import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.invariants import faults
from subterra_env.games.subterra.invariants_course import stand
from subterra_env.games.subterra.notation import legal_words
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.position import PositionError, from_json, to_json
from subterra_env.games.subterra.position_text import MOST_CHARACTERS
from subterra_env.games.subterra.state import view
from subterra_env.games.subterra.terms import Node
from tests.random_games import new_game, play, random_answer, varied_options

GAMES = range(0, 108, 5)
"""Numbers that run through rule sets, difficulties and team sizes."""
BY_HAND: dict[str, Any] = {
    "cavers": ["medic", "scout", "leader", "diver"],
    "tiles": [
        {"at": [1, 0], "tile": "water straight", "turns": 1, "flooded": True},
        {"at": [2, 0], "tile": "horror corner", "turns": 2},
        {"at": [-1, 0], "tile": "water crossroads"},
    ],
    "team": {"scout": {"at": [1, 0], "health": 1}, "diver": {"dived_from": [1, 0]}},
    "horrors": [[2, 0]],
    "hazards_used": ["flood", "horror"],
    "turn": {"caver": "leader"},
}
CROSSING = [{"at": [x, y], "tile": "ordinary crossroads"} for x, y in ((1, 0), (-1, 0), (1, 1))]
NEST = [{"at": [0, 1], "tile": "horror dead end", "turns": 2}, {"at": [0, -1], "tile": "horror dead end"}]
GEOLOGY = {"cavers": ["geologist", "medic", "scout", "leader"], "reserve": "gas tee", "hazards_used": []}
BARE = {"tiles": [], "team": {}, "horrors": [], "turn": None}
STANDS: dict[str, dict[str, Any]] = {
    "turn": {},
    "surface": {"turn": {"caver": "diver"}, "stands_at": {"question": "surface"}},
    "place": {"drawn": "gas tee", "stands_at": {"question": "place", "side": "north", "exploring": True}},
    "run": {"turn": {"caver": "leader", "points": 0}, "stands_at": {"question": "run", "moves_left": 2}},
    "direct": {
        "turn": {"caver": "leader", "points": 1, "directed": True},
        "stands_at": {"question": "direct", "caver": "medic"},
    },
    "horror order": BARE
    | {
        "tiles": CROSSING,
        "horrors": [[1, 0], [-1, 0]],
        "horrors_waiting": [True, True],
        "hazards_used": ["horror", "horror"],
        "stands_at": {"question": "horror order"},
    },
    "horror path": BARE
    | {
        "tiles": [*CROSSING, {"at": [0, 1], "tile": "ordinary tee", "turns": 1}],
        "horrors": [[1, 1]],
        "hazards_used": ["horror"],
        "stands_at": {"question": "horror path", "horror": 0},
    },
    "spawn": BARE
    | {
        "tiles": NEST,
        "hazards_used": ["horror"],
        "resolving": {"card": "horror"},
        "stands_at": {"question": "spawn"},
    },
    "tile": {"stands_at": {"chance": "tile", "side": "south"}},
    "hazard": {"turn": None, "stands_at": {"chance": "hazard"}},
    "exert": {
        "turn": {"caver": "leader", "points": 0, "exerted": True},
        "stands_at": {"chance": "die", "for": "exert"},
    },
    "rope": {
        "tiles": [*BY_HAND["tiles"], {"at": [0, 1], "tile": "ledge straight"}],
        "team": {**BY_HAND["team"], "leader": {"at": [0, 1]}},
        "turn": {"caver": "leader", "points": 0},
        "stands_at": {"chance": "die", "for": "rope"},
    },
    "hide": {
        "turn": {"caver": "leader", "points": 0, "hid": True},
        "stands_at": {"chance": "die", "for": "hide"},
    },
    "rough": {
        "tiles": [*BY_HAND["tiles"], {"at": [0, 1], "tile": "rough terrain crossroads"}],
        "team": {**BY_HAND["team"], "leader": {"at": [0, 1]}},
        "turn": {"caver": "leader", "points": 0},
        "stands_at": {"chance": "die", "for": "rough", "moves_left": 1},
    },
    "tremor": BARE
    | {
        "hazards_used": ["tremor"],
        "resolving": {"card": "tremor"},
        "stands_at": {"chance": "die", "for": "tremor", "caver": "scout"},
    },
    "out of time": BARE
    | {
        "options": {"stop_when_conscious_are_out": True},
        "hazards_used": [hazard for hazard in ("tremor", "flood", "gas", "cave-in") for _ in range(5)] + ["horror"] * 2,
        "stands_at": {"chance": "die", "for": "out of time", "caver": "medic"},
    },
    "cave-in": BARE
    | {"hazards_used": ["cave-in"], "resolving": {"card": "cave-in"}, "stands_at": {"chance": "die", "for": "cave-in"}},
    "end": BARE | {"team": {name: {"health": 0} for name in BY_HAND["cavers"]}, "stands_at": {"end": "defeat"}},
}
"""By hand a position at each thing a game can stand at."""


def by_hand(**changes: Any) -> str:
    return json.dumps(BY_HAND | changes)


def there_and_back(states: np.ndarray) -> bool:
    return from_json(to_json(states)).tobytes() == view(states).tobytes()


def test_every_position_of_random_games_comes_back_to_the_byte() -> None:
    for number in GAMES:
        for states in play(varied_options(number), number, number):
            assert there_and_back(states), to_json(states)


@pytest.mark.parametrize("name", STANDS)
def test_whatever_a_game_stands_at_can_be_written_by_hand_and_goes_on(name: str) -> None:
    states = from_json(by_hand(**STANDS[name]))
    assert stand(states[0]) == name
    assert there_and_back(states)
    rng = np.random.default_rng(1)
    for _ in range(60):
        if states["node"][0] == Node.END:
            break
        if states["node"][0] == Node.CHANCE:
            engine.apply_chance(states, engine.lucky(states))
        else:
            engine.apply(states, random_answer(states, rng))
        assert faults(states[0]) == []
        assert there_and_back(states)


def test_a_position_read_goes_on_like_the_game_it_was_written_from() -> None:
    states = new_game(options(cavers=("geologist", "medic", "scout", "leader")), 3)
    engine.settle_chance(states)
    read = from_json(to_json(states))
    read["luck"] = states["luck"]
    for game in (states, read):
        rng = np.random.default_rng(2)
        while game["node"][0] != Node.END:
            engine.step(game, random_answer(game, rng))
    assert read.tobytes() == states.tobytes()


def test_a_person_writes_a_dozen_lines() -> None:
    states = from_json(by_hand())
    assert "reveal north" in legal_words(states[0])
    assert "swim east" in legal_words(states[0])
    assert states["cards_left"][0] == 20
    assert states["places_left"][0] == 62
    assert states["round_number"][0] == 3
    assert states["first"][0] == 2
    assert states["points"][0] == 2
    assert states["cavers"]["health"][0, :4].tolist() == [3, 1, 3, 3]


def test_a_new_game_needs_the_team_only() -> None:
    team = ("medic", "scout", "leader", "diver")
    assert from_json(json.dumps({"cavers": team})).tobytes() == new_game(options(cavers=team), 0).tobytes()


def test_the_first_starting_caver_follows_from_the_present_one() -> None:
    states = from_json(by_hand(starting_caver="medic"))
    assert states["first_at_setup"][0] == 2


def test_a_sealed_cave_can_be_read() -> None:
    dead_ends = [
        {"at": [0, 1], "tile": "ordinary dead end", "turns": 2},
        {"at": [1, 0], "tile": "horror dead end", "turns": 3},
        {"at": [0, -1], "tile": "horror dead end", "turns": 0},
        {"at": [-1, 0], "tile": "exit dead end", "turns": 1},
    ]
    short = {"options": {"stack_tiles": 6}, "hazards_used": []}
    states = from_json(by_hand(**(BARE | short | {"tiles": dead_ends})))
    assert states["frontier"][0] == 0


def flooded(count: int) -> list[dict[str, Any]]:
    return [{"at": [x, 0], "tile": "water crossroads", "flooded": True} for x in range(1, count + 1)]


def tile(name: str, at: tuple[int, int] = (0, 1), **more: Any) -> dict[str, Any]:
    return {"tiles": [*BY_HAND["tiles"], {"at": at, "tile": name, **more}]}


def stands(name: str, **changes: Any) -> dict[str, Any]:
    """One of `STANDS`, with something else said about what the game stands at."""
    return STANDS[name] | {"stands_at": STANDS[name].get("stands_at", {}) | changes}


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "nine flood markers": ({"tiles": flooded(9)}, "9 tiles have “flooded”; there are 8"),
    "nine water tiles": ({"tiles": flooded(9)}, "water crossroads: 9 on the table"),
    "flood marker on gas": (tile("gas tee", turns=2, flooded=True), "flooded, but it is no water tile"),
    "rubble on gas": (tile("gas tee", turns=2, rubble=True), "rubble, but it is no cave-in tile"),
    "rope on gas": (tile("gas tee", turns=2, rope=True), "rope, but it is no ledge or slide tile"),
    "rubble from nowhere": (tile("cave-in tee 1-3", turns=2, rubble=True), "neither a cave-in card nor explosives"),
    "flood without a card": ({"hazards_used": ["horror"]}, "no flood card has been used"),
    "gas without a card": ({"gas_out": True}, "no gas card has been used"),
    "horror without a card": ({"hazards_used": ["flood"]}, "at most 0 have come"),
    "unknown caver": ({"cavers": ["medic", "scout", "leader", "wizard"]}, "no such caver: wizard"),
    "twins": ({"cavers": ["medic", "scout", "medic", "leader"]}, "a caver is named twice"),
    "three cavers": ({"cavers": ["medic", "scout", "leader"]}, "cavers"),
    "not in the team": ({"team": {"climber": {"at": [0, 0]}}}, "'climber' is not in the team"),
    "too much health": ({"team": {"scout": {"at": [1, 0], "health": 4}}}, "scout: health 4"),
    "no tile there": ({"team": {"scout": {"at": [9, 9]}}}, "scout: no tile lies at 9,9"),
    "horror in the void": ({"horrors": [[5, 5]]}, "horror 0: no tile lies at 5,5"),
    "four horrors": ({"horrors": [[2, 0]] * 4}, "horrors"),
    "caver beside a horror": ({"horrors": [[0, 0]]}, "medic: is conscious on the start crossroads at 0,0"),
    "two on a place": (tile("gas tee", (1, 0)), "2 tiles lie at 1,0"),
    "an island": (tile("gas tee", (9, 0)), "gas tee at 9,0 is not connected to a tile laid before it"),
    "wrong order": ({"tiles": BY_HAND["tiles"][::-1]}, "horror corner at 2,0 is not connected to a tile laid before"),
    "a wall between": (tile("gas tee", (-1, 1)), "gas tee at -1,1"),
    "arrow towards the start": (tile("ledge straight", turns=2), "by the side opposite its arrow"),
    "turned too far": (tile("ordinary straight", turns=2), "2 quarter turns look like 0"),
    "no such tile": (tile("lava tee"), "no such tile: 'lava tee'"),
    "tile of other rules": (tile("cave-in tee 1", turns=2), "the official rules have no cave-in tee 1"),
    "too many of a tile": ({"discarded": ["gas tee"] * 3}, "gas tee: 0 on the table"),
    "exit too early": (tile("exit dead end", turns=2), "the exit is seen with 61 places left"),
    "two exits": (tile("exit dead end", turns=2) | {"reserve": "exit dead end"}, "the exit is there 2 times"),
    "places left": ({"places_left": 5}, "places_left: 5; by the tiles"),
    "stack too small": (
        {"options": {"stack_tiles": 6}, "discarded": ["gas corner"] * 5},
        "8 tiles have been drawn; the stack had 7",
    ),
    "reserve without geologist": ({"reserve": "gas tee"}, "only a geologist keeps one"),
    "geologist without reserve": (BARE | GEOLOGY | {"reserve": None}, "the geologist keeps a tile"),
    "blasted but unused": (tile("gas corner", turns=1, blasted=["north"]), "explosives have been used 0 times"),
    "explosives without engineer": ({"explosives_left": 2}, "no engineer is in the team"),
    "guide without discards": ({"guides_left": 1}, "Guide has been used 2 times, but 0 tiles"),
    "no such card": ({"hazards_used": ["plague"]}, "no such hazard card: 'plague'"),
    "too many floods": ({"hazards_used": ["flood"] * 6 + ["horror"]}, "flood: used 6 times; there are 5"),
    "too many points": ({"turn": {"caver": "leader", "points": 3}}, "3 action points; a turn has 2"),
    "nine points": ({"turn": {"caver": "leader", "points": 9}}, "turn.points"),
    "nothing to ask": ({"turn": {"caver": "leader", "points": 0, "exerted": True}}, "the rules would go on to"),
    "directed by a medic": ({"turn": {"caver": "medic", "directed": True}}, "medic: has directed, but is no leader"),
    "turn of an unconscious": ({"team": {"leader": {"health": 0}}}, "leader: has the turn, but is not conscious"),
    "turn of a submerged": ({"turn": {"caver": "diver"}}, "diver: has the turn, but is on no tile"),
    "submerged medic": ({"team": {"medic": {"dived_from": [1, 0]}}}, "medic: is submerged, but is no conscious diver"),
    "dived on land": ({"team": {"diver": {"dived_from": [0, 0]}}}, "dived from a tile that is no water"),
    "lost too early": ({"team": {"medic": {"lost": True}}}, "medic: is lost before the time has run out"),
    "unknown key": ({"weather": "rain"}, "weather: there is no such entry"),
    "unknown option": ({"options": {"luck": 3}}, "'luck' is none of"),
    "round": ({"round": 7}, "2 hazard cards used in round 7, phase action; it would be 6"),
    "starting caver": ({"first": 0, "starting_caver": "diver"}, "by passing the marker it is the leader"),
    "surfacing on land": ({"stands_at": {"question": "surface"}}, "a turn spent surfacing is a diver's"),
    "over but going on": ({"team": {name: {"health": 0} for name in BY_HAND["cavers"]}}, "the game goes on"),
    "ended too early": (BARE | {"stands_at": {"end": "gold"}}, "though somebody conscious is not out"),
    "wrong medal": (stands("end", end="gold"), "gold with 4 left behind; it is defeat"),
    "asked of another": (stands("turn", caver="medic") | {"turn": {"caver": "leader"}}, "the leader is asked: turn"),
    "place on a taken side": (stands("place", side="east"), "nothing can be laid east of the start crossroads"),
    "place nothing": (STANDS["place"] | {"drawn": None}, "no tile is drawn"),
    "place on no side": (STANDS["place"] | {"stands_at": {"question": "place"}}, "name the side"),
    "guided by a leader": (stands("place", guided=True), "only a scout who has used Guide"),
    "run without moves": (stands("run", moves_left=0), "0 moves left"),
    "directs itself": (stands("direct", caver="leader"), "leader: directs itself"),
    "order of one horror": (STANDS["horror order"] | {"horrors_waiting": [True, False]}, "the rules would go on to"),
    "path of no choice": (STANDS["horror path"] | {"tiles": CROSSING}, "the rules would go on to"),
    "path without its horror": (stands("horror path", horror=1), "the rules would go on to"),
    "spawn of one tile": (STANDS["spawn"] | {"tiles": NEST[:1]}, "the rules would go on to"),
    "exert without exerting": (STANDS["exert"] | {"turn": {"caver": "leader"}}, "the rules would go on to"),
    "rope without a ledge": (stands("rope") | {"team": {}, "horrors": []}, "rules would go on to"),
    "rough on the start": (STANDS["rough"] | {"team": BY_HAND["team"]}, "rolls for rough terrain, but is on none"),
    "tremor of nobody": (STANDS["tremor"] | {"stands_at": {"chance": "die", "for": "tremor"}}, "who rolls for tremor"),
    "tremor by flood": (STANDS["tremor"] | {"resolving": {"card": "flood"}}, "the card is a tremor card"),
    "out of time too early": (STANDS["out of time"] | {"hazards_used": ["flood"]}, "out-of-time checks come in phase"),
    "card left over": ({"resolving": {"card": "tremor x2"}}, "card is 1, which says nothing at “turn”"),
    "die for nothing": ({"stands_at": {"chance": "die"}}, "a die, and nothing else, is for something"),
    "two things at once": ({"stands_at": {"chance": "tile", "end": "gold"}}, "stands at one thing"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be_is_named(name: str) -> None:
    changes, named = FAULTS[name]
    with pytest.raises(PositionError) as refused:
        from_json(by_hand(**changes))
    assert named in str(refused.value)
    assert "\n" not in str(refused.value)


def test_everything_wrong_is_named_at_once() -> None:
    wrong = {**tile("gas tee", (9, 0)), "horrors": [[5, 5]], "hazards_used": ["plague"], "guides_left": 2}
    with pytest.raises(PositionError) as refused:
        from_json(by_hand(**wrong))
    for named in ("gas tee at 9,0", "no tile lies at 5,5", "plague", "Guide has been used", "no flood card"):
        assert named in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "NaN", "null", "1" * (MOST_CHARACTERS + 1), "[" * 3000, '{"format": 1}', "[" * 499),
        '{"a":' * 499 + "1" + "}" * 499,
        by_hand().replace('"turn"', '"turn": {"caver": "medic"}, "turn"'),
        by_hand(round=int("1" * 400)),
        by_hand(gas_out=1),
        by_hand(round=float("nan")),
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(PositionError) as refused:
        from_json(text)
    assert len(str(refused.value)) < 2000


def test_damaged_text_is_refused_or_a_sound_position() -> None:
    """Numbers and words changed at random: never another error, never a position that breaks a rule."""
    rng = np.random.default_rng(5)
    texts = [by_hand(**changes) for changes in STANDS.values()]
    texts += [to_json(states) for number in range(3) for states in play(varied_options(number), number, number)]
    refused = 0
    for text in rng.permutation(texts)[:300]:
        pieces = text.replace("[", " [ ").replace(",", " , ").split(" ")
        place, other = rng.integers(len(pieces), size=2)
        pieces[place] = str(rng.integers(5)) if pieces[place].isdigit() else pieces[other]
        try:
            states = from_json(" ".join(pieces))
        except PositionError:
            refused += 1
        else:
            assert faults(states[0]) == []
            engine.settle_chance(states)
    assert 100 < refused < 300
