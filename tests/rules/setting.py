"""Builds the state in which a scene begins, from a drawn cave and a line about the team."""

import re
from typing import Any

import numpy as np

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.answers import collect_answers
from subterra_env.games.subterra.box.tiles import LAST_PLACES, NO_TILE, TILE_NUMBER
from subterra_env.games.subterra.options import agreed_state, options
from subterra_env.games.subterra.rules.placing import lay, take_from_stack
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Node, Phase, Question
from subterra_env.jit import entry

from .drawn import Drawn, as_tile, read_cave

KINDS = {"S": "start", "E": "exit", "o": "ordinary", "w": "water", "g": "gas", "h": "horror", "q": "squeeze"}
KINDS |= {"r": "rough terrain"}
"""The letters with a meaning of their own."""
FILLERS = ("medic", "climber", "leader", "engineer")
"""Who waits on the start when fewer than four are named; nobody who touches what happens to others there."""
FEWEST = 4
MARKERS = ("flooded", "rubble", "rope")
_CAVER = re.compile(
    r"(?P<name>\w+)( on (?P<on>\w))?( health (?P<health>\d))?( hides (?P<hides>\d))?"
    r"(?P<hidden> hidden)?(?P<lost> lost)?(?P<dived> dived)?"
)
Person = dict[str, str | None]


@entry
def _lay_tiles(states, tiles):
    for row in range(len(tiles)):
        take_from_stack(states[0], tiles[row, 0])
        lay(states[0], tiles[row, 0], tiles[row, 1], tiles[row, 2], tiles[row, 3])


@entry
def _discard(states, tile):
    take_from_stack(states[0], tile)


@entry
def _ask_turn(states):
    states[0].node = Node.ASK
    states[0].question = Question.TURN
    collect_answers(states[0])


class Setting:
    """The state of a scene, and the letter of each slot."""

    def __init__(self, cave: str, team: str, legend: dict[str, str]) -> None:
        self.tiles = read_cave(cave)
        self.letters = [tile.letter for tile in self.tiles]
        self.people = _read_team(team)
        self.names = [str(person["name"]) for person in self.people]
        self.legend = legend

    def states(
        self,
        *,
        turn: str = "",
        first: str = "",
        points: int = 2,
        exerted: bool = False,
        horrors: str = "",
        cards: int | None = None,
        left: int | None = None,
        reserve: str = "ordinary tee",
        guides: int = 3,
        explosives: int = 3,
        gas: bool = False,
        **agreed: Any,
    ) -> np.ndarray:
        """The state; see `scene` for what the keywords mean."""
        if left is None and "E" in self.letters:
            left = LAST_PLACES - 1
        if left is not None:
            agreed.setdefault(
                "stack_tiles", max(LAST_PLACES, len(self.tiles) - 1 + ("geologist" in self.names) + left - 1)
            )
        first_seat = self.names.index(first) if first else 0
        seat = self.names.index(turn) if turn else first_seat
        states = agreed_state(options(cavers=tuple(self.names), first=first_seat, **agreed))
        engine.begin(states)
        if states[0]["node"] == Node.CHANCE:
            engine.apply_chance(states, TILE_NUMBER[reserve] if reserve else _any_tile(states[0]))
        if not reserve:
            states[0]["reserve"] = NO_TILE
        self._lay(states)
        assert states[0]["unseen"].min() >= 0, "the cave holds more tiles of a type than the box"
        _discard_down_to(states, left)
        _use_cards(states[0], cards)
        for number, person in enumerate(self.people):
            self._place(states[0]["cavers"][number], person)
        _set(states[0], horror_count=len(horrors), phase=Phase.ACTION, seat=seat, actor=seat, asked=seat)
        _set(states[0], turns_taken=(seat - first_seat) % len(self.names) + 1, points=points, exerted=exerted)
        _set(states[0], guides_left=guides, explosives_left=explosives, gas_out=gas)
        for index, letter in enumerate(horrors):
            states[0]["horrors"][index]["slot"] = self.slot(letter)
        _ask_turn(states)
        return states

    def slot(self, letter: str) -> int:
        """The slot of a letter that is drawn once."""
        assert self.letters.count(letter) == 1, f"{letter!r} is drawn {self.letters.count(letter)} times"
        return self.letters.index(letter)

    def _lay(self, states: np.ndarray) -> None:
        rows = [(*self._type_and_turns(tile), *tile.place) for tile in self.tiles[1:]]
        _lay_tiles(states, np.array(rows, np.int64).reshape(-1, 4))
        for slot, letter in enumerate(self.letters):
            for marker in MARKERS:
                states[0]["tiles"][slot][marker] = marker in self.legend.get(letter, "").split()

    def _type_and_turns(self, tile: Drawn) -> tuple[int, int]:
        meaning = self.legend.get(tile.letter) or KINDS[tile.letter]
        bare = [part for part in meaning.split() if part not in MARKERS]
        if bare[0] in ("cave-in", "ledge", "slide"):
            return as_tile(bare[0], tile.opened, bare[1])
        return as_tile(" ".join(bare), tile.opened, "")

    def _place(self, caver: np.void, person: Person) -> None:
        slot = self.slot(person["on"]) if person["on"] else 0
        gone = bool(person["dived"] or person["lost"])
        caver["slot"] = NOWHERE if gone else slot
        caver["dived_from"] = slot if person["dived"] else NOWHERE
        caver["health"] = person["health"] or caver["health"]
        caver["hides_running"] = person["hides"] or 0
        _set(caver, hidden=bool(person["hidden"]), lost=bool(person["lost"]))


def _read_team(team: str) -> list[Person]:
    matches = [_CAVER.fullmatch(person.strip()) for person in team.split(",") if person.strip()]
    people = [match.groupdict() for match in matches if match]
    assert len(people) == len(matches), f"unreadable team: {team}"
    named = [person["name"] for person in people]
    spare = [name for name in FILLERS if name not in named][: max(0, FEWEST - len(named))]
    return people + [match.groupdict() for match in map(_CAVER.fullmatch, spare) if match]


def _set(record: np.void, **fields: Any) -> None:
    for name, value in fields.items():
        record[name] = value


def _any_tile(state: np.void) -> int:
    """A type of tile of which many are unseen."""
    return int(state["unseen"].argmax())


def _discard_down_to(states: np.ndarray, left: int | None) -> None:
    """Ordinary tiles and others nobody will miss were drawn and discarded."""
    while left is not None and states[0]["places_left"] > left:
        _discard(states, _any_tile(states[0]))
    assert left in (None, states[0]["places_left"]), "more tiles lie on the table than left the stack"


def _use_cards(state: np.void, cards: int | None) -> None:
    """Other cards were drawn in the rounds before, one a round."""
    while cards is not None and state["cards_left"] > cards:
        state["unseen_cards"][state["unseen_cards"].argmax()] -= 1
        state["cards_left"] -= 1
        state["cards_used"] += 1
        state["round_number"] += 1
