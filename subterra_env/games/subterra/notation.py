"""Words both ways (rulebook 11): answers, outcomes, what a game stands at; and the drawn cave.

A ``state`` here is one record, ``states[0]``. Words are read strictly: one spelling. What cannot be read, may not be
done or cannot come are three errors, and each says what was possible instead.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import IntEnum
from typing import TypeGuard

import numpy as np

from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra import engine
from subterra_env.games.subterra.box.cavers import HEALTH
from subterra_env.games.subterra.box.hazards import CARD_NAMES, CARD_NUMBER
from subterra_env.games.subterra.box.tiles import NO_TILE, TILE_NUMBER, TILE_TYPES
from subterra_env.games.subterra.cave_text import LEGEND, cave_rows, caver_letter
from subterra_env.games.subterra.options import CAVER_NAMES
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, Chance, Check, Ending, Node, Phase, Question, Side, word

_WORD_BITS = 64
_LONGEST_SHOWN = 80
_PLACE_VERBS = tuple(block.verb for block in a.BLOCKS if block.places)
_FIXED_WORDS = {
    a.SPELLINGS[action]: action for action in range(a.ACTIONS) if action != a.WAIT and not a.block_of(action).places
}
"""Every answer that names no place. ``wait`` is left out: nobody at a table says it."""
_PLACE_WORD = re.compile(rf"(?:{'|'.join(_PLACE_VERBS)}) -?[0-9]{{1,3}},-?[0-9]{{1,3}}")


class WordError(ValueError):
    """A word that is no answer to any question of the game."""


class IllegalAnswer(ValueError):  # noqa: N818 - named as a player would say it
    """An answer that can be read but may not be given now."""


class ImpossibleOutcome(ValueError):  # noqa: N818 - named as a player would say it
    """An outcome that chance cannot have now."""


@dataclass(frozen=True)
class Asked:
    """A question: its word (rulebook 11) and the name of the caver who answers."""

    word: str
    caver: str

    def __str__(self) -> str:
        return f"the {self.caver} is asked: {self.word}"


@dataclass(frozen=True)
class Awaited:
    """A chance event: ``tile``, ``die`` or ``hazard``; what it is for and who rolls, where records (11) say so."""

    word: str
    purpose: str | None
    caver: str | None
    probabilities: tuple[tuple[str | int, float], ...]

    def odds(self) -> dict[str | int, float]:
        """The probability of each possible outcome; they sum to one."""
        return dict(self.probabilities)

    def __str__(self) -> str:
        purpose = f" for {self.purpose}" if self.purpose else ""
        return f"chance decides: {self.word}{purpose}" + (f", the {self.caver}'s" if self.caver else "")


@dataclass(frozen=True)
class Result:
    """How a game ended: the ending, who is left behind in seat order, rounds begun (rulebook 9)."""

    end: str
    left_behind: tuple[str, ...]
    rounds: int

    def __str__(self) -> str:
        left = ", ".join(self.left_behind) or "nobody"
        return f"{self.end} after {self.rounds} round{'s' if self.rounds > 1 else ''}; left behind: {left}"


def stands_at(state: np.void) -> Asked | Awaited | Result:
    """What the game stands at: a question, a chance event, or its end."""
    if state["node"] == Node.ASK:
        return Asked(question_word(state), caver_name(state, state["asked"]))
    if state["node"] == Node.CHANCE:
        odds = tuple((outcome_word(state, outcome), weight) for outcome, weight in possible_outcomes(state).items())
        return Awaited(chance_word(state), purpose_word(state), checker_name(state), odds)
    return result(state)


def question_word(state: np.void) -> str:
    """The question asked: ``turn``, ``place``, … ``spawn``; ``none`` if nothing is asked."""
    return _QUESTIONS[int(state["question"])]


def chance_word(state: np.void) -> str:
    """The chance event awaited: ``tile``, ``die`` or ``hazard``; ``none`` if none is."""
    return _CHANCES[int(state["chance"])]


def purpose_word(state: np.void) -> str | None:
    """What the die is rolled for, ``reserve`` for the geologist's tile at setup, None where records say nothing."""
    if state["chance"] == Chance.DIE:
        return _CHECKS[int(state["check"])]
    return "reserve" if state["chance"] == Chance.TILE and state["phase"] == Phase.SETUP else None


def checker_name(state: np.void) -> str | None:
    """Who rolls the die; None for tiles, cards and the die of a cave-in."""
    rolls = state["chance"] == Chance.DIE and state["checker"] != NOBODY
    return caver_name(state, state["checker"]) if rolls else None


def caver_name(state: np.void, seat: int) -> str:
    """The name of the caver of a seat."""
    return CAVER_NAMES[int(state["cavers"][seat]["who"])]


def result(state: np.void) -> Result:
    """The ending, who is left behind (9.2) and the rounds begun; the ending is ``none`` while the game goes on."""
    out = state["exit_slot"] if state["exit_slot"] != NOWHERE else None
    slots = state["cavers"]["slot"][: state["caver_count"]].tolist()
    left = tuple(caver_name(state, seat) for seat, slot in enumerate(slots) if slot != out)
    return Result(ENDINGS[int(state["ending"])], left, int(state["round_number"]))


def legal_ids(state: np.void) -> list[int]:
    """The action ids that answer the question asked, ascending."""
    low, high = state["legal"].tolist()
    bits, found = low | high << _WORD_BITS, []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def legal_words(state: np.void) -> list[str]:
    """The words that answer the question asked, in the order of their ids."""
    return [action_word(state, action) for action in legal_ids(state)]


def action_word(state: np.void, action: int) -> str:
    """The word of an answer; ids that count tiles or horrors become the places these have in this state."""
    if action < a.SURFACE:
        return a.SPELLINGS[action]
    if action < a.HORROR:
        return f"surface {place_word(state, state['water'][action - a.SURFACE])}"
    if action < a.SPAWN:
        return f"horror {place_word(state, state['horrors'][action - a.HORROR]['slot'])}"
    return f"spawn {place_word(state, state['horror_tiles'][action - a.SPAWN])}"


def place_word(state: np.void, slot: int) -> str:
    """Where a tile lies: ``x,y`` with the start at 0,0, x to the east, y to the north."""
    tile = state["tiles"][slot]
    return f"{tile['x']},{tile['y']}"


def action_of(state: np.void, spelled: str) -> int:
    """The id of an answer to the question asked.

    Raises `WordError` for what is no answer at all and `IllegalAnswer` for one that may not be given now.
    """
    if not is_readable(spelled):
        raise WordError(f"{shown(spelled)} is no answer{_meant(spelled, _FIXED_WORDS)}; {possible_now(state)}")
    legal = legal_ids(state)
    action = _FIXED_WORDS.get(spelled)
    if action is None:
        action = {action_word(state, place): place for place in legal}.get(spelled)
    if action not in legal:
        raise IllegalAnswer(f"{shown(spelled)} may not be done now; {possible_now(state)}")
    return action


def is_readable(spelled: object) -> TypeGuard[str]:
    """Whether something is an answer to some question of some game."""
    return isinstance(spelled, str) and (spelled in _FIXED_WORDS or _PLACE_WORD.fullmatch(spelled) is not None)


def possible_outcomes(state: np.void) -> dict[int, float]:
    """The outcomes the chance event awaited can have, with their probabilities; empty if none is awaited."""
    weights = np.zeros(engine.OUTCOMES)
    engine.chance_weights(np.atleast_1d(state), weights)
    return {int(outcome): float(weights[outcome]) for outcome in np.flatnonzero(weights)}


def outcome_word(state: np.void, outcome: int) -> str | int:
    """The word of an outcome of the chance event awaited: a tile, a card, or the bare number of a die."""
    if state["chance"] == Chance.TILE:
        return _TILES[outcome]
    return CARD_NAMES[outcome] if state["chance"] == Chance.HAZARD else int(outcome)


def outcome_of(state: np.void, spelled: str | int) -> int:
    """The outcome of the chance event awaited that a word or number stands for.

    Raises `ImpossibleOutcome` for anything that cannot come now, readable or not.
    """
    outcome = _outcome_read(state, spelled)
    if outcome is None or outcome not in possible_outcomes(state):
        known = {**TILE_NUMBER, **CARD_NUMBER}
        raise ImpossibleOutcome(f"{shown(spelled)} cannot come now{_meant(spelled, known)}; {possible_now(state)}")
    return outcome


def _outcome_read(state: np.void, spelled: object) -> int | None:
    if state["chance"] == Chance.DIE:
        is_number = isinstance(spelled, int | np.integer) and not isinstance(spelled, bool)
        return int(spelled) if is_number else None  # type: ignore[call-overload]
    numbers = TILE_NUMBER if state["chance"] == Chance.TILE else CARD_NUMBER
    return numbers.get(spelled) if isinstance(spelled, str) else None


def possible_now(state: np.void) -> str:
    """What the game stands at and what is possible there, as one sentence for errors."""
    stands = stands_at(state)
    if isinstance(stands, Asked):
        return f"{stands}; possible: {', '.join(legal_words(state))}"
    if isinstance(stands, Awaited):
        return f"{stands}; possible: {', '.join(map(str, stands.odds()))}"
    return f"the game is over: {stands}"


def shown(given: object, longest: int = _LONGEST_SHOWN) -> str:
    """Something a person or a file gave, in one line that is not too long for an error."""
    text = repr(given)
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters)"


def _meant(spelled: object, known: Iterable[str]) -> str:
    may_be_mistyped = isinstance(spelled, str) and len(spelled) <= _LONGEST_SHOWN and spelled not in known
    close = get_close_matches(str(spelled), known, n=1) if may_be_mistyped else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def drawing(state: np.void) -> str:
    """The cave drawn for a terminal, a legend, the team, and what lies beside the cave; rows joined by newlines."""
    rows = [*cave_rows(state), "", *LEGEND, "", *_team_rows(state), "", *_beside_the_cave(state), str(stands_at(state))]
    return "\n".join(rows)


def _team_rows(state: np.void) -> list[str]:
    rows = []
    for seat in range(state["caver_count"]):
        caver = state["cavers"][seat]
        mark = ">" if state["node"] == Node.ASK and seat == state["asked"] else " "
        health = f"{caver['health']}/{HEALTH[caver['who']]}"
        rows.append(
            f"{mark} {caver_letter(caver)} {caver_name(state, seat):<10} {health}  {_whereabouts(state, caver)}"
        )
    return rows


def _whereabouts(state: np.void, caver: np.void) -> str:
    if caver["lost"]:
        return "lost"
    if caver["dived_from"] != NOWHERE:
        return f"submerged, dived from {place_word(state, caver['dived_from'])}"
    hidden, unconscious = ", hidden" if caver["hidden"] else "", ", unconscious" if caver["health"] == 0 else ""
    return f"at {place_word(state, caver['slot'])}{hidden}{unconscious}"


def _beside_the_cave(state: np.void) -> list[str]:
    phase = word(Phase(state["phase"]))
    gas = "; gas is out" if state["gas_out"] else ""
    exit_is = "the exit still unseen" if state["exit_in_stack"] else "the exit seen"
    cards = f"{state['cards_left']} left" if state["cards_left"] else "none left, time is running out"
    rows = [
        f"round {state['round_number']} of at most {state['max_rounds']}, {phase} phase; "
        f"starting caver: {caver_name(state, state['first'])}{gas}",
        f"stack: {state['places_left']} tiles, {exit_is}; hazard cards: {cards}",
    ]
    return rows + [row for row in (_turn_row(state), _abilities_row(state), _drawn_row(state)) if row]


def _turn_row(state: np.void) -> str:
    if state["seat"] == NOBODY:
        return ""
    exerted = ", exerted" if state["exerted"] else ""
    return f"turn of the {caver_name(state, state['seat'])}: points left {state['points']}{exerted}"


def _abilities_row(state: np.void) -> str:
    team = state["cavers"]["who"][: state["caver_count"]]
    guides = f"guides left {state['guides_left']}" if Caver.SCOUT in team else ""
    explosives = f"explosives left {state['explosives_left']}" if Caver.ENGINEER in team else ""
    reserve = f"in reserve: {_TILES[state['reserve']]}" if state["reserve"] != NO_TILE else ""
    return "; ".join(part for part in (guides, explosives, reserve) if part)


def _drawn_row(state: np.void) -> str:
    if state["question"] != Question.PLACE:
        return ""
    drawn = f"drawn: {_TILES[state['drawn']]}" if state["drawn"] != NO_TILE else "nothing drawn"
    return f"{drawn}, to be placed {word(Side(state['side']))} of the {caver_name(state, state['actor'])}"


def _spelled(terms: type[IntEnum]) -> tuple[str, ...]:
    return tuple(map(word, terms))


_QUESTIONS, _CHANCES, _CHECKS = _spelled(Question), _spelled(Chance), _spelled(Check)
_TILES = tuple(tile.name for tile in TILE_TYPES)
ENDINGS = _spelled(Ending)
"""The word of every ending, by its number."""
