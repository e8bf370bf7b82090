"""Game records (rulebook 11): written, read and checked line by line, and replayed to any event and back.

A game is what was agreed and its ``choices``: for every event, in order, the action id of the answer or the outcome.
Records come from anywhere: whatever is wrong in one is refused with the number of its line.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from subterra_env.games.subterra import engine, notation
from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.games.subterra.options import (
    AT_RANDOM,
    RECORDED,
    Options,
    OptionsError,
    agreed_state,
    options,
    options_of,
)
from subterra_env.games.subterra.state import STATE, view
from subterra_env.games.subterra.terms import Node
from subterra_env.seeds import choices_generator, luck_key

FORMAT = "subterra-record/1"
MOST_CHARACTERS = 50_000
"""The longest line read; the longest that a game can write is far shorter."""
MOST_BRACKETS = 50
"""The most lists and objects opened in a line: what nests deeper than Python can follow is not even looked at."""
MOST_EVENTS = 200_000
"""The most events read in one record; no game of `options.MOST_ROUNDS` rounds has as many."""

Choose = Callable[[np.ndarray, np.ndarray, np.random.Generator], int]
"""Picks an action id from a view of the state (array of one), the legal mask (int8, `ACTIONS`) and a generator."""

_HEADER_KEYS = ("format", "rules", "options", "cavers", "first")
_ASK_KEYS = ("ask", "caver", "legal", "do")
_MOST_SHOWN = 300
_END_OF_FILE = "the end of the file"


class RecordError(ValueError):
    """A record that is no record of a game: the number of its first wrong line, what was expected, what was found."""

    def __init__(self, line: int, expected: str, found: str) -> None:
        super().__init__(f"line {line}: expected {expected}; found {found}")
        self.line, self.expected, self.found = line, expected, found


@dataclass(frozen=True)
class Record:
    """A game read from a record: what was agreed, its choices in order, whether it ended, and its lines in the file."""

    agreed: Options
    choices: tuple[int, ...]
    finished: bool
    first_line: int = 1
    last_line: int = 1


def begun(agreed: Options, luck: np.uint64 | int = 0) -> np.ndarray:
    """One game (array of shape (1,), dtype `STATE`) at its first question or chance event."""
    states = agreed_state(agreed)
    states["luck"] = luck
    engine.begin(states)
    return states


def advance(states: np.ndarray, choice: int) -> None:
    """Gives a legal answer or states a possible outcome, whichever the game stands at."""
    if states["node"][0] == Node.CHANCE:
        engine.apply_chance(states, choice)
    else:
        engine.apply(states, choice)


def header(agreed: Options) -> dict[str, Any]:
    """The first line. ``agreed.first`` must be a seat: a drawn one is found in the state (`options.options_of`)."""
    settings = {name: getattr(agreed, name) for name in RECORDED}
    cavers = list(agreed.cavers)
    return {"format": FORMAT, "rules": agreed.rules, "options": settings, "cavers": cavers, "first": agreed.first}


def event(state: np.void, choice: int) -> dict[str, Any]:
    """The line of an event: the question or chance event the state stands at, and what was chosen."""
    if state["node"] == Node.ASK:
        return {**_asked(state), "do": notation.action_word(state, choice)}
    return {**_awaited(state), "outcome": notation.outcome_word(state, choice)}


def end(state: np.void) -> dict[str, Any]:
    """The last line, of a game that is over."""
    result = notation.result(state)
    return {"end": result.end, "left_behind": list(result.left_behind), "rounds": result.rounds}


def _asked(state: np.void) -> dict[str, Any]:
    caver = notation.caver_name(state, state["asked"])
    return {"ask": notation.question_word(state), "caver": caver, "legal": notation.legal_words(state)}


def _awaited(state: np.void) -> dict[str, Any]:
    line = {
        "chance": notation.chance_word(state),
        "for": notation.purpose_word(state),
        "caver": notation.checker_name(state),
    }
    return {key: value for key, value in line.items() if value is not None}


def written(line: dict[str, Any]) -> str:
    """A line as it stands in a file, without the newline."""
    return json.dumps(line, ensure_ascii=False)


def write(agreed: Options, choices: Iterable[int]) -> Iterator[str]:
    """The lines of the game that these choices make; the last line only if they end it."""
    states = begun(agreed)
    yield written(header(options_of(states[0])))
    for choice in choices:
        yield written(event(states[0], choice))
        advance(states, choice)
    if states["node"][0] == Node.END:
        yield written(end(states[0]))


def play_record(agreed: Options, seed: int, choose: Choose) -> Iterator[str]:
    """Plays a game with the luck of a seed and yields the lines of its record as they happen.

    ``choose`` sees a view without the luck key. Raises `notation.IllegalAnswer` if it picks what is not legal.
    """
    states = begun(agreed, luck_key(seed))
    generator = choices_generator(seed)
    mask = np.zeros((1, ACTIONS), np.int8)
    yield written(header(options_of(states[0])))
    while states["node"][0] != Node.END:
        if states["node"][0] == Node.CHANCE:
            choice = engine.lucky(states)
        else:
            engine.legal_masks(states, mask)
            choice = _checked(states, choose(view(states), mask[0].copy(), generator))
        yield written(event(states[0], choice))
        advance(states, choice)
    yield written(end(states[0]))


def _checked(states: np.ndarray, action: int) -> int:
    if not engine.legal(states, int(action)):
        raise notation.IllegalAnswer(f"action id {action} was chosen; {notation.possible_now(states[0])}")
    return int(action)


def file_lines(path: Path | str) -> Iterator[str]:
    """The lines of a record file, without their newlines. Raises `RecordError` for lines too long or not UTF-8."""
    with open(path, "rb") as file:
        number = 0
        while line := file.readline(MOST_CHARACTERS + 1):
            number += 1
            if len(line) > MOST_CHARACTERS:
                raise RecordError(number, f"at most {MOST_CHARACTERS} bytes", "a longer line")
            try:
                yield line.decode("utf-8").removesuffix("\n")
            except UnicodeDecodeError as error:
                raise RecordError(number, "UTF-8", str(error)) from None


def read(lines: Iterable[str]) -> Iterator[Record]:
    """The records that stand in these lines one after the other; one without its last line is a game in progress.

    Raises `RecordError` at the first line that is not what the rules make of the lines before it.
    """
    game: _Reading | None = None
    for number, text in enumerate(lines, 1):
        line = _parsed(number, text)
        if "format" in line:
            if game:
                yield game.record(number - 1)
            game = _Reading(number, line)
        elif game is None or game.finished:
            raise RecordError(number, f"a header line or {_END_OF_FILE}", notation.shown(text))
        else:
            game.take(number, line)
    if game:
        yield game.record(number)


def read_one(lines: Iterable[str]) -> Record:
    """The only record that stands in these lines. Raises `RecordError` as `read`, and if there is none or another."""
    records = list(read(lines))
    if not records:
        raise RecordError(1, "a header line", _END_OF_FILE)
    if len(records) > 1:
        raise RecordError(records[1].first_line, f"{_END_OF_FILE} after one record", "another header line")
    return records[0]


def check(lines: Iterable[str]) -> tuple[int, int]:
    """How many records, and events in all, stand in these lines; every game must be played to its end.

    Raises `RecordError` at the first line that is wrong or missing.
    """
    records = events = 0
    for record in read(lines):
        if not record.finished:
            state = Replay(record).to(len(record.choices))[0]
            raise RecordError(record.last_line + 1, _due(state), "no more lines of this record")
        records += 1
        events += len(record.choices)
    if not records:
        raise RecordError(1, "a header line", _END_OF_FILE)
    return records, events


class Replay:
    """A game that can be looked at before and after any of its events.

    ``at`` counts the events behind: 0 before the first, ``len(replay)`` after the last.
    """

    def __init__(self, record: Record) -> None:
        self.record, self.at, self._reached = record, 0, 0
        self._states = np.zeros(len(record.choices) + 1, STATE)
        self._states[:1] = begun(record.agreed)

    def __len__(self) -> int:
        return len(self.record.choices)

    @property
    def states(self) -> np.ndarray:
        """The game as it stands: a copy, an array of one state."""
        return self._states[self.at : self.at + 1].copy()

    @property
    def line(self) -> dict[str, Any] | None:
        """The line of the event ahead; after the last event the last line of the record, None if it has none."""
        if self.at < len(self):
            return event(self.states[0], self.record.choices[self.at])
        return end(self.states[0]) if self.record.finished else None

    def forward(self) -> np.ndarray:
        """Over the event ahead. Raises IndexError after the last one. Returns `states`."""
        return self.to(self.at + 1)

    def back(self) -> np.ndarray:
        """Back over the event behind. Raises IndexError before the first one. Returns `states`."""
        return self.to(self.at - 1)

    def to(self, events: int) -> np.ndarray:
        """To where so many events are behind. Raises IndexError outside 0 to ``len(replay)``. Returns `states`."""
        if not 0 <= events <= len(self):
            raise IndexError(f"no place in this record after {events} events; there are 0 to {len(self)}")
        while self._reached < events:
            self._states[self._reached + 1] = self._states[self._reached]
            advance(self._states[self._reached + 1 : self._reached + 2], self.record.choices[self._reached])
            self._reached += 1
        self.at = events
        return self.states


class _Reading:
    """A record under way: the game as far as its lines have been read."""

    def __init__(self, number: int, line: dict[str, Any]) -> None:
        self.agreed = _agreed_in(number, line)
        self.states = begun(self.agreed)
        self.first_line = number
        self.choices: list[int] = []
        self.finished = False

    def take(self, number: int, line: dict[str, Any]) -> None:
        state = self.states[0]
        if state["node"] == Node.END:
            _expect(number, end(state), line)
            self.finished = True
            return
        if len(self.choices) == MOST_EVENTS:
            raise RecordError(number, f"at most {MOST_EVENTS} events in a record", "another")
        choice = _answer_in(number, state, line) if state["node"] == Node.ASK else _outcome_in(number, state, line)
        self.choices.append(choice)
        advance(self.states, choice)

    def record(self, last_line: int) -> Record:
        return Record(self.agreed, tuple(self.choices), self.finished, self.first_line, last_line)


def _agreed_in(number: int, line: dict[str, Any]) -> Options:
    if line["format"] != FORMAT:
        raise RecordError(number, f"format {FORMAT!r}", notation.shown(line["format"]))
    _expect_keys(number, "a header", line, _HEADER_KEYS)
    settings = line["options"]
    if not isinstance(settings, dict):
        raise RecordError(number, "options as a JSON object", notation.shown(settings))
    _expect_keys(number, "options", settings, RECORDED)
    if line["first"] == AT_RANDOM:
        raise RecordError(number, "first as a seat number", notation.shown(line["first"]))
    try:
        return options(rules=line["rules"], cavers=line["cavers"], first=line["first"], **settings)
    except OptionsError as error:
        raise RecordError(number, "options that can be played", notation.shown(str(error), _MOST_SHOWN)) from None


def _answer_in(number: int, state: np.void, line: dict[str, Any]) -> int:
    asked = _asked(state)
    if line.get("ask") != asked["ask"]:
        raise RecordError(number, _due(state), _excerpt(line))
    _expect_keys(number, "a question", line, _ASK_KEYS)
    if line["caver"] != asked["caver"]:
        raise RecordError(number, _due(state), f"caver {notation.shown(line['caver'])}")
    _expect_legal(number, asked["legal"], line["legal"])
    try:
        return notation.action_of(state, line["do"])
    except (notation.WordError, notation.IllegalAnswer):
        raise RecordError(number, f"do: one of {', '.join(asked['legal'])}", notation.shown(line["do"])) from None


def _expect_legal(number: int, expected: list[str], found: object) -> None:
    if not isinstance(found, list) or not all(isinstance(answer, str) for answer in found):
        raise RecordError(number, "legal as a list of answers", notation.shown(found))
    missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    if missing or extra or len(found) > len(expected):
        faults = f"missing {missing}, too many {extra}" if missing or extra else "an answer named twice"
        raise RecordError(number, f"legal: {', '.join(expected)}", notation.shown(faults))


def _outcome_in(number: int, state: np.void, line: dict[str, Any]) -> int:
    awaited = _awaited(state)
    if line.get("chance") != awaited["chance"]:
        raise RecordError(number, _due(state), _excerpt(line))
    _expect_keys(number, "a chance event", line, (*awaited, "outcome"))
    if any(line[key] != value for key, value in awaited.items()):
        raise RecordError(number, _due(state), _excerpt(line))
    try:
        return notation.outcome_of(state, line["outcome"])
    except notation.ImpossibleOutcome:
        raise RecordError(number, _due(state), f"outcome {notation.shown(line['outcome'])}") from None


def _expect(number: int, expected: dict[str, Any], found: dict[str, Any]) -> None:
    _expect_keys(number, "the last line", found, tuple(expected))
    # Compared as text: 3.0 and true are no whole numbers.
    if json.dumps(found, sort_keys=True) != json.dumps(expected, sort_keys=True):
        raise RecordError(number, written(expected), _excerpt(found))


def _expect_keys(number: int, what: str, line: dict[str, Any], keys: Sequence[str]) -> None:
    if set(line) != set(keys):
        raise RecordError(number, f"{what} with the keys {', '.join(keys)}", notation.shown(list(line), _MOST_SHOWN))


def _due(state: np.void) -> str:
    return written(end(state)) if state["node"] == Node.END else f"a line for: {notation.possible_now(state)}"


def _excerpt(line: dict[str, Any]) -> str:
    text = json.dumps(line)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _parsed(number: int, text: str) -> dict[str, Any]:
    """Untrusted JSON: one object, each key once, no NaN or infinity, neither too long nor too deep."""
    if len(text) > MOST_CHARACTERS:
        raise RecordError(number, f"at most {MOST_CHARACTERS} characters", f"{len(text)}")
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise RecordError(number, f"at most {MOST_BRACKETS} lists and objects", notation.shown(text))
    try:
        line = json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_number)
    except ValueError as error:
        raise RecordError(number, "a JSON object", f"{notation.shown(text)} ({error})") from None
    if not isinstance(line, dict):
        raise RecordError(number, "a JSON object", notation.shown(text))
    return line


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a key stands there twice")
    return dict(pairs)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")
