"""Positions as JSON: exact both ways, short to write by hand, and refused by naming everything that is wrong."""

import json
from typing import Any

import numpy as np
import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.notation import legal_words
from subterra_env.games.subterra.options import options
from subterra_env.games.subterra.position import MOST_CHARACTERS, PositionError, from_json, to_json
from subterra_env.games.subterra.state import view
from tests.random_games import new_game, play, varied_options

GAMES = 24
BY_HAND: dict[str, Any] = {
    "format": "subterra-position/1",
    "cavers": ["medic", "scout", "leader", "diver"],
    "tiles": [
        {"at": [0, 0], "tile": "start crossroads"},
        {"at": [1, 0], "tile": "water straight", "turns": 1, "flooded": True},
        {"at": [2, 0], "tile": "horror corner", "turns": 2},
    ],
    "team": {"scout": {"at": [1, 0], "health": 1}, "diver": {"dived_from": [1, 0]}},
    "horrors": [[2, 0]],
    "hazards_used": ["flood", "horror"],
    "turn": {"caver": "medic"},
}


def by_hand(**changes: Any) -> str:
    return json.dumps(BY_HAND | changes)


def test_every_position_of_random_games_comes_back_to_the_byte() -> None:
    for number in range(GAMES):
        for states in play(varied_options(number), number, number):
            assert from_json(to_json(states)).tobytes() == view(states).tobytes()


def test_a_position_read_goes_on_like_the_game_it_was_written_from() -> None:
    states = new_game(options(cavers=("geologist", "medic", "scout", "leader")), 3)
    engine.settle_chance(states)
    read = from_json(to_json(states))
    read["luck"] = states["luck"]
    for game in (states, read):
        while engine.legal(game, 5):
            engine.step(game, 5)
    assert read.tobytes() == states.tobytes()


def test_a_person_writes_a_dozen_lines() -> None:
    states = from_json(by_hand())
    assert "reveal north" in legal_words(states[0])
    assert "swim east" in legal_words(states[0])
    assert states["cards_left"][0] == 20
    assert states["places_left"][0] == 63
    assert states["cavers"]["health"][0, :4].tolist() == [3, 1, 3, 3]


def flooded(count: int) -> list[dict[str, Any]]:
    row = [{"at": [x, 0], "tile": "water crossroads", "flooded": True} for x in range(1, count + 1)]
    return [{"at": [0, 0], "tile": "start crossroads"}, *row]


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "nine flood markers": ({"tiles": flooded(9)}, "water crossroads: 9 seen"),
    "flood marker on gas": (
        {
            "tiles": [
                {"at": [0, 0], "tile": "start crossroads"},
                {"at": [0, 1], "tile": "gas tee", "turns": 2, "flooded": True},
            ],
            "team": {},
            "horrors": [],
        },
        "flooded, but a gas tee",
    ),
    "unknown caver": ({"cavers": ["medic", "scout", "leader", "wizard"]}, "no such caver: wizard"),
    "three cavers": ({"cavers": ["medic", "scout", "leader"]}, "it takes 4 to 6"),
    "not in the team": ({"team": {"climber": {"at": [0, 0]}}}, "climber is not in the team"),
    "too much health": ({"team": {"scout": {"at": [1, 0], "health": 4}}}, "scout: health 4"),
    "no tile there": ({"team": {"scout": {"at": [9, 9]}}}, "no tile lies at 9,9"),
    "horror in the void": ({"horrors": [[5, 5]]}, "a horror at 5,5"),
    "four horrors": ({"horrors": [[2, 0]] * 4}, "horrors"),
    "caver beside a horror": ({"horrors": [[0, 0]]}, "conscious on a tile with a horror"),
    "two on a place": ({"tiles": [*BY_HAND["tiles"], {"at": [1, 0], "tile": "gas tee"}]}, "1,0: two tiles lie there"),
    "an island": ({"tiles": [*BY_HAND["tiles"], {"at": [9, 0], "tile": "gas tee"}]}, "not connected to an earlier"),
    "no such tile": ({"tiles": [*BY_HAND["tiles"], {"at": [0, 1], "tile": "lava tee"}]}, "no such tile: 'lava tee'"),
    "no such card": ({"hazards_used": ["plague"]}, "no such hazard card: 'plague'"),
    "too many floods": ({"hazards_used": ["flood"] * 6}, "flood: -1 cards unseen"),
    "points": ({"turn": {"caver": "medic", "points": 9}}, "points is 9"),
    "nobody is asked": ({"turn": None}, "who is asked?"),
    "unknown key": ({"weather": "rain"}, "weather"),
    "course": ({"course": {"luck": 3}}, "course.luck: no such field"),
    "side": ({"course": {"side": 9}}, "side is 9"),
    "round": ({"round": 5000}, "round"),
    "surfacing on land": ({"stands_at": {"question": "surface", "caver": "medic"}}, "is submerged"),
    "card from an empty deck": (
        {"stands_at": {"chance": "hazard"}, "options": {"difficulty": "normal", "extra_hazard_cards": 4}},
        "extra_hazard_cards: 4",
    ),
    "over but going on": (
        {"team": {name: {"health": 0, "at": [0, 0]} for name in BY_HAND["cavers"]}},
        "nobody is conscious",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be_is_named(name: str) -> None:
    changes, named = FAULTS[name]
    with pytest.raises(PositionError) as refused:
        from_json(by_hand(**changes))
    assert named in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "NaN", "null", "1" * (MOST_CHARACTERS + 1), "[" * 3000, '{"format": 1}']
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        from_json(text)


def test_damaged_text_is_refused_or_a_sound_position() -> None:
    """Numbers changed at random: never another error, never a position that breaks the rules' own arrays."""
    rng = np.random.default_rng(5)
    texts = [to_json(states) for number in range(3) for states in play(varied_options(number), number, number)]
    refused = 0
    for text in rng.permutation(texts)[:150]:
        numbers = [i for i, character in enumerate(text) if character.isdigit()]
        place = int(rng.choice(numbers))
        damaged = text[:place] + str(rng.integers(10)) + text[place + 1 :]
        try:
            engine.settle_chance(from_json(damaged))
        except PositionError:
            refused += 1
    assert refused > 30
