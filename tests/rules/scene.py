"""A small language for scenes: a drawn cave, who stands where, and what happens then.

    scene = Scene(
        '''
            g-
            |
        -q--S--a-
        ''',
        "medic on a health 1, scout on g, leader, climber",
        a="water flooded",
        points=1,
    )
    scene.do("explore east").tile("gas corner").do("place drawn 1")
    assert scene.place("medic") == "2,0"

The cave is drawn as `drawn` says; `setting.KINDS` gives the letters with a meaning of their own, any other letter is
explained by a keyword: kind, numbers of a cave-in or side of the arrow, then ``flooded``, ``rubble``, ``rope``.
The team, in seat order: ``NAME [on LETTER] [health N] [hides N] [hidden] [lost] [dived]``, by default on the start at
full health; ``hides``: own turns running with a hide, ``dived``: submerged, from that tile. Who is not named waits on
the start, up to four cavers (`setting.FILLERS`). Every scene begins at a ``turn`` question. Tiles that were drawn and
lie nowhere have been discarded.

Keywords: ``turn`` and ``first``, whose turn it is and who starts (the first of the team); ``points`` and ``exerted``
of that turn; ``horrors``, letters, oldest first; ``cards`` and ``left``, cards and tiles of the stack yet to come;
``reserve``, the geologist's tile, or none; ``guides``, ``explosives``; ``gas``, whether it is out; and all options.
"""

from typing import Any

import pytest

from subterra_env.games.subterra import engine, notation
from subterra_env.games.subterra.box.tiles import NO_TILE, TILE_TYPES
from subterra_env.games.subterra.notation import Asked, Awaited
from subterra_env.games.subterra.options import agreed_state, options
from subterra_env.games.subterra.state import NOWHERE

from .drawn import SIDES
from .setting import MARKERS, Setting

rule = pytest.mark.rule


class Scene:
    """A game that stands at a ``turn`` question; verbs play on and return the scene, everything else looks."""

    def __init__(self, cave: str = "S", team: str = "", **words: Any) -> None:
        legend = {letter: words.pop(letter) for letter in list(words) if len(letter) == 1}
        self._setting = Setting(cave, team, legend)
        self.states = self._setting.states(**words)

    @classmethod
    def at_setup(cls, **agreed: Any) -> "Scene":
        """A game that has just begun, with these options: at its first question or chance event."""
        scene = cls.__new__(cls)
        scene._setting = Setting("S", ",".join(agreed["cavers"]), {})
        scene.states = agreed_state(options(**agreed))
        engine.begin(scene.states)
        return scene

    # playing on

    def do(self, *answers: str) -> "Scene":
        """Gives answers, one after the other."""
        for answer in answers:
            engine.apply(self.states, notation.action_of(self.state, answer))
        return self

    def tile(self, *names: str) -> "Scene":
        """Tiles are drawn."""
        return self._chance("tile", names)

    def roll(self, *numbers: int) -> "Scene":
        """Dice are rolled."""
        return self._chance("die", numbers)

    def card(self, name: str) -> "Scene":
        """A hazard card is drawn."""
        return self._chance("hazard", (name,))

    def end_turns(self) -> "Scene":
        """All who are asked for their turn end it."""
        while self.at.endswith(" turn"):
            self.do("end turn")
        return self

    def _chance(self, event: str, outcomes: tuple[str | int, ...]) -> "Scene":
        for outcome in outcomes:
            assert notation.chance_word(self.state) == event, f"{outcome} stated, but: {self.at}"
            engine.apply_chance(self.states, notation.outcome_of(self.state, outcome))
        return self

    # looking

    @property
    def state(self) -> Any:
        return self.states[0]

    @property
    def at(self) -> str:
        """``medic turn``, ``medic rolls hide``, ``cave-in die``, ``tile``, ``hazard``, ``gold``, …"""
        stands = notation.stands_at(self.state)
        if isinstance(stands, Asked):
            return f"{stands.caver} {stands.word}"
        if isinstance(stands, Awaited):
            return (
                f"{stands.caver} rolls {stands.purpose}"
                if stands.caver
                else " ".join(part for part in (stands.purpose, stands.word) if part)
            )
        return stands.end

    @property
    def legal(self) -> set[str]:
        """The words of all legal answers."""
        return set(notation.legal_words(self.state))

    def sides(self, verb: str) -> set[str]:
        """The sides that may be named with a verb."""
        return {side for side in SIDES if f"{verb} {side}" in self.legal}

    @property
    def odds(self) -> dict[str | int, float]:
        """The possible outcomes of the chance event and their probabilities."""
        stands = notation.stands_at(self.state)
        assert isinstance(stands, Awaited), self.at
        return stands.odds()

    def caver(self, name: str) -> Any:
        """The record of a caver."""
        return self.state["cavers"][self._setting.names.index(name)]

    def health(self, name: str) -> int:
        return int(self.caver(name)["health"])

    def hidden(self, name: str) -> bool:
        return bool(self.caver(name)["hidden"])

    def place(self, name: str) -> str:
        """Where a caver is: a letter or ``x,y``, ``submerged`` or ``lost``."""
        caver = self.caver(name)
        if caver["lost"]:
            return "lost"
        return "submerged" if caver["dived_from"] != NOWHERE else self._name(caver["slot"])

    @property
    def horrors(self) -> list[str]:
        """Where the horrors are, oldest first."""
        return [self._name(slot) for slot in self.state["horrors"]["slot"][: self.state["horror_count"]]]

    @property
    def cave(self) -> dict[str, str]:
        """The tiles by letter or ``x,y``: type and quarter turns, as in ``gas corner 2``."""
        tiles = self.state["tiles"][: self.state["tile_count"]]
        return {self._name(slot): f"{TILE_TYPES[tile['type']].name} {tile['turns']}" for slot, tile in enumerate(tiles)}

    def markers(self, place: str) -> set[str]:
        """The markers on a tile."""
        tile = self.state["tiles"][list(self.cave).index(place)]
        return {marker for marker in MARKERS if tile[marker]}

    @property
    def reserve(self) -> str | None:
        """The tile the geologist keeps."""
        return TILE_TYPES[self.state["reserve"]].name if self.state["reserve"] != NO_TILE else None

    @property
    def points(self) -> int:
        return int(self.state["points"])

    @property
    def first(self) -> str:
        """The starting caver."""
        seat: int = self.state["first"]
        return self._setting.names[seat]

    @property
    def left_behind(self) -> tuple[str, ...]:
        return notation.result(self.state).left_behind

    def _name(self, slot: int) -> str:
        letters = self._setting.letters
        if slot < len(letters) and letters.count(letters[slot]) == 1:
            return letters[slot]
        return notation.place_word(self.state, slot)
