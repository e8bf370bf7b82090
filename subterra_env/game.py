"""A game as one object for whoever plays, plans or trains (`Game`), and one table to play at (`Table`)."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Self

import numpy as np

from subterra_env.games.subterra import engine, notation, record
from subterra_env.games.subterra.notation import Asked, Awaited, IllegalAnswer, ImpossibleOutcome, Result, WordError
from subterra_env.games.subterra.options import AT_RANDOM, Options, OptionsError, options, options_of
from subterra_env.games.subterra.record import RecordError
from subterra_env.games.subterra.state import view
from subterra_env.games.subterra.terms import Node
from subterra_env.seeds import luck_key

__all__ = [
    "SUBTERRA",
    "Asked",
    "Awaited",
    "Game",
    "IllegalAnswer",
    "ImpossibleOutcome",
    "OptionsError",
    "RecordError",
    "Result",
    "Table",
    "WordError",
    "luck_key",
]


@dataclass(frozen=True)
class Game:
    """The modules of a game under one roof: what environments, planners and trainers speak to.

    Each module is imported when it is first asked for. Copies and pickles of a game are the game itself.
    """

    name: str
    package: str

    @cached_property
    def actions(self) -> ModuleType:
        """Action ids and their words."""
        return self._module("actions")

    @cached_property
    def engine(self) -> ModuleType:
        """The rules, as functions on arrays of states."""
        return self._module("engine")

    @cached_property
    def notation(self) -> ModuleType:
        """Words both ways, and the drawn position."""
        return self._module("notation")

    @cached_property
    def observation(self) -> ModuleType:
        """What a learner sees of a state."""
        return self._module("observation")

    @cached_property
    def symmetry(self) -> ModuleType:
        """The turnings and mirrorings of a state, its answers and observations."""
        return self._module("symmetry")

    @cached_property
    def reference(self) -> ModuleType:
        """The reference pages of actions, observations and state."""
        return self._module("reference")

    @cached_property
    def record(self) -> ModuleType:
        """Game records."""
        return self._module("record")

    @cached_property
    def position(self) -> ModuleType:
        """Whole positions as JSON."""
        return self._module("position")

    @cached_property
    def coats(self) -> ModuleType:
        """The engine's calls as one environment of one game makes them."""
        return self._module("coats")

    @cached_property
    def batch(self) -> ModuleType:
        """The engine's calls for many games at once."""
        return self._module("batch")

    @cached_property
    def potential(self) -> ModuleType:
        """How well a team stands, for shaped rewards."""
        return self._module("potential")

    @cached_property
    def picture(self) -> ModuleType:
        """A state as a picture."""
        return self._module("picture")

    @cached_property
    def rules_version(self) -> int:
        """Rises whenever play changes."""
        return int(self.engine.RULES_VERSION)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The record dtype of a state."""
        return self._module("state").STATE  # type: ignore[no-any-return]

    def options(self, **agreed: Any) -> Any:
        """What is agreed before setup, validated. Raises ValueError that names each fault."""
        return self._module("options").options(**agreed)

    def agreed_state(self, agreed: Any) -> np.ndarray:
        """An array of one state that holds what was agreed: what ``engine.begin`` sets the table from."""
        return self._module("options").agreed_state(agreed)  # type: ignore[no-any-return]

    def view(self, states: np.ndarray) -> np.ndarray:
        """A copy of the states without what nobody at the table sees."""
        return self._module("state").view(states)  # type: ignore[no-any-return]

    def _module(self, name: str) -> ModuleType:
        return import_module(f"{self.package}.{name}")

    def __reduce__(self) -> str:
        return self.name.upper()


SUBTERRA = Game("subterra", "subterra_env.games.subterra")


class Table:
    """One game of Sub Terra, played in words.

    With a seed, luck settles every chance event unless its outcome is stated. With ``seed=None`` there is no luck:
    the table waits at each chance event until its outcome is stated, by ``chance`` or by the ``outcomes`` of ``play``.
    Whatever raises an error leaves the table as it was. Raises `OptionsError` for what cannot be agreed and ValueError
    for a seed that is no whole number from 0 on.
    """

    def __init__(
        self,
        cavers: Sequence[str] = ("scout", "medic", "leader", "diver"),
        difficulty: str = "normal",
        rules: str = "official",
        seed: int | None = 7,
        **others: Any,
    ) -> None:
        agreed = options(cavers=cavers, difficulty=difficulty, rules=rules, **others)
        if seed is None and agreed.first == AT_RANDOM:
            raise OptionsError(f"first: {AT_RANDOM!r} needs a seed to be drawn with; or name a seat")
        self._take(record.begun(agreed, 0 if seed is None else luck_key(seed)), seed is not None)

    def _take(self, states: np.ndarray, has_luck: bool, choices: tuple[int, ...] | None = ()) -> None:
        """Starts from a game as it stands; ``choices`` led there from setup, None if nobody knows which did."""
        self._states, self._choices = states, choices
        self.has_luck = has_luck
        self._go_on([], ())

    @property
    def agreed(self) -> Options:
        """What was agreed before setup; ``first`` is the seat, however it was found."""
        return options_of(self._states[0])

    @property
    def question(self) -> Asked | Awaited | None:
        """Who is asked what, or which chance event is awaited; None when the game is over."""
        stands = notation.stands_at(self._states[0])
        return None if isinstance(stands, Result) else stands

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        return notation.result(self._states[0]) if self._states["node"][0] == Node.END else None

    def legal(self) -> list[str]:
        """The answers to the question asked (rulebook 11); empty if nothing is asked."""
        return notation.legal_words(self._states[0])

    def play(self, answer: str, outcomes: Iterable[str | int] = ()) -> None:
        """Answers the question. ``outcomes``, in order, are those of the chance events that follow.

        Further events are left to luck, or awaited where there is none. Raises `WordError` for what is no answer,
        `IllegalAnswer` for one that may not be given now, `ImpossibleOutcome` for outcomes that cannot come or for
        which there is no event.
        """
        self._go_on([notation.action_of(self._states[0], answer)], outcomes)

    def chance(self, outcome: str | int) -> None:
        """States the outcome of the chance event awaited: a tile, a card, or the number of a die.

        Raises `ImpossibleOutcome` if it cannot come, or if nothing is awaited.
        """
        self._go_on([notation.outcome_of(self._states[0], outcome)], ())

    def _go_on(self, choices: list[int], outcomes: Iterable[str | int]) -> None:
        """Makes choices and settles chance as far as it can be, on a copy that becomes the table if all went well."""
        if isinstance(outcomes, str | int):
            raise TypeError(f"outcomes: a list such as [{outcomes!r}], not {outcomes!r}")
        states, stated = self._states.copy(), list(outcomes)
        for choice in choices:
            record.advance(states, choice)
        while states["node"][0] == Node.CHANCE and (stated or self.has_luck):
            choice = notation.outcome_of(states[0], stated.pop(0)) if stated else engine.lucky(states)
            record.advance(states, choice)
            choices.append(choice)
        if stated:
            kept = ", ".join(map(repr, stated))
            raise ImpossibleOutcome(f"no chance event is left for {kept}; {notation.possible_now(states[0])}")
        self._states = states
        if self._choices is not None:
            self._choices = (*self._choices, *choices)

    def copy(self) -> Self:
        """A table of its own that stands where this one stands, with the same luck."""
        # Nothing that two tables share is ever changed in place.
        return copy(self)

    def view(self) -> np.ndarray:
        """The state without the luck key, an array of one: what agents are shown."""
        return view(self._states)

    def record(self) -> list[str]:
        """The lines of the game record so far (rulebook 11).

        Raises ValueError at a table set from a position: how it came about is not known.
        """
        if self._choices is None:
            raise ValueError("this table was set from a position; a record needs a game from its setup on")
        return list(record.write(self.agreed, self._choices))

    @classmethod
    def from_record(cls, lines: str | Iterable[str], seed: int | None = None, events: int | None = None) -> Self:
        """The table after the last event of a record, or after so many ``events``; luck from there on by ``seed``.

        Raises `RecordError` at the first wrong line, IndexError if there are fewer events.
        """
        game = record.read_one(lines.splitlines() if isinstance(lines, str) else lines)
        replay = record.Replay(game)
        states = replay.to(len(replay) if events is None else events)
        return cls._from_states(states, seed, game.choices[: replay.at])

    def to_json(self) -> str:
        """The whole position, without the luck key and how it came about."""
        return SUBTERRA.position.to_json(self.view())  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, text: str, seed: int | None = None) -> Self:
        """The table of a position; luck from there on by ``seed``.

        Raises `position.PositionError` naming everything that cannot be.
        """
        return cls._from_states(SUBTERRA.position.from_json(text), seed, None)

    @classmethod
    def _from_states(cls, states: np.ndarray, seed: int | None, choices: tuple[int, ...] | None) -> Self:
        table = cls.__new__(cls)
        states["luck"] = 0 if seed is None else luck_key(seed)
        table._take(states, seed is not None, choices)
        return table

    def __str__(self) -> str:
        return notation.drawing(self._states[0])

    def __repr__(self) -> str:
        return f"<Table: {notation.stands_at(self._states[0])}>"
