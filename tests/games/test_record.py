"""Game records: written as the rulebook says, replayed to any event and back, and refused at the first wrong line."""

import importlib.util
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from subterra_env.games.subterra import record
from subterra_env.games.subterra.notation import IllegalAnswer
from subterra_env.games.subterra.options import RECORDED, options
from subterra_env.games.subterra.record import RecordError, Replay
from tests.random_games import varied_options

ORACLE = Path(__file__).parents[3] / "shared" / "oracle" / "check_record.py"
GAMES = 27
"""So many `varied_options` in a row know every rule set at every difficulty."""
LINES = (
    r'\{"ask": "[a-z ]+", "caver": "[a-z]+", "legal": \[("[a-z0-9,\- ]+"(, )?)+\], "do": "[a-z0-9,\- ]+"\}',
    r'\{"chance": "tile", ("for": "reserve", )?"outcome": "[a-z0-9\- ]+"\}',
    r'\{"chance": "die", "for": "(exert|rope|hide|rough|tremor|out of time)", "caver": "[a-z]+", "outcome": [1-6]\}',
    r'\{"chance": "die", "for": "cave-in", "outcome": [1-6]\}',
    r'\{"chance": "hazard", "outcome": "(tremor|flood|gas|cave-in|horror)( x2)?"\}',
)
LAST_LINE = r'\{"end": "(gold|silver|bronze|defeat|truncated)", "left_behind": \[("[a-z]+"(, )?)*\], "rounds": [0-9]+\}'


def at_random(view: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> int:
    assert view["luck"] == 0
    return int(rng.choice(np.flatnonzero(mask)))


def recorded(number: int) -> list[str]:
    return list(record.play_record(varied_options(number), number, at_random))


@pytest.fixture(scope="module")
def games() -> list[list[str]]:
    return [recorded(number) for number in range(GAMES)]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """One game with dice, tiles and cards in it, the geologist's reserve first."""
    agreed = options(cavers=("geologist", "scout", "medic", "leader"), stack_tiles=6, max_rounds=6)
    return list(record.play_record(agreed, 1, at_random))


# writing and reading


def test_lines_are_written_as_the_rulebook_says(games: list[list[str]]) -> None:
    for first, *events, last in games:
        header = json.loads(first)
        assert list(header) == ["format", "rules", "options", "cavers", "first"]
        assert header["options"].keys() == set(RECORDED)
        assert type(header["first"]) is int
        assert all(any(re.fullmatch(pattern, line) for pattern in LINES) for line in events)
        assert re.fullmatch(LAST_LINE, last)


def test_the_reserve_is_drawn_at_setup_only(lines: list[str]) -> None:
    assert [number for number, line in enumerate(lines) if '"reserve"' in line.partition("legal")[0]] == [1]


def test_records_read_are_the_games_written(games: list[list[str]]) -> None:
    for game in games:
        read = record.read_one(game)
        assert read.finished
        assert list(record.write(read.agreed, read.choices)) == game


def test_records_follow_one_another(games: list[list[str]]) -> None:
    together = [line for game in games for line in game]
    assert record.check(together) == (GAMES, len(together) - 2 * GAMES)
    first_lines = [read.first_line for read in record.read(together)]
    assert first_lines == [1 + sum(map(len, games[:number])) for number in range(GAMES)]
    with pytest.raises(RecordError, match=f"line {len(games[0]) + 1}: .*after one record"):
        record.read_one(together)


def test_a_record_without_its_last_line_is_a_game_in_progress(lines: list[str]) -> None:
    for end in range(1, len(lines)):
        read = record.read_one(lines[:end])
        assert not read.finished
        assert list(record.write(read.agreed, read.choices))[:end] == lines[:end]
        with pytest.raises(RecordError, match=f"line {end + 1}: .*no more lines"):
            record.check(lines[:end])


def test_the_same_seed_is_the_same_record(games: list[list[str]]) -> None:
    assert recorded(4) == games[4]


def test_who_plays_illegally_is_named() -> None:
    with pytest.raises(IllegalAnswer, match=r"action id 0 was chosen.*possible: reveal north"):
        list(record.play_record(options(), 0, lambda view, mask, rng: 0))


def test_the_oracle_agrees(games: list[list[str]]) -> None:
    if not ORACLE.exists():
        pytest.skip(f"no {ORACLE}: records are not compared with the other reading of the rules")
    spec = importlib.util.spec_from_file_location("check_record", ORACLE)
    assert spec
    assert spec.loader
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    for game in games:
        assert oracle.check_record(list(enumerate(game, 1))) == (len(game) - 2, None)


# replaying


def test_replay_goes_to_any_event_and_back(lines: list[str]) -> None:
    replay = Replay(record.read_one(lines))
    assert len(replay) == len(lines) - 2
    seen = [replay.states.tobytes()]
    for number in range(len(replay)):
        assert replay.line == json.loads(lines[number + 1])
        seen.append(replay.forward().tobytes())
        assert replay.at == number + 1
    assert replay.line == json.loads(lines[-1])
    assert [replay.to(number).tobytes() for number in reversed(range(len(seen)))] == seen[::-1]
    assert [Replay(replay.record).to(number).tobytes() for number in range(len(seen))] == seen
    replay.to(3)
    assert replay.back().tobytes() == seen[2]


def test_replay_stays_inside_the_record(lines: list[str]) -> None:
    replay = Replay(record.read_one(lines))
    with pytest.raises(IndexError, match="there are 0 to"):
        replay.back()
    replay.to(len(replay))
    with pytest.raises(IndexError, match="there are 0 to"):
        replay.forward()
    assert replay.at == len(replay)


def test_states_of_a_replay_are_copies(lines: list[str]) -> None:
    replay = Replay(record.read_one(lines))
    before = replay.states.tobytes()
    replay.states["round_number"] = 99
    assert replay.states.tobytes() == before


def test_a_game_in_progress_has_no_line_ahead(lines: list[str]) -> None:
    replay = Replay(record.read_one(lines[:5]))
    replay.to(4)
    assert replay.line is None


# what is refused


def changed(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda line: {**line, **changes}


def without(key: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda line: {name: value for name, value in line.items() if name != key}


def with_option(name: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda line: {**line, "options": {**line["options"], name: value}}


def is_turn(line: dict[str, Any]) -> bool:
    return line.get("ask") == "turn"


def is_die(line: dict[str, Any]) -> bool:
    return line.get("chance") == "die" and "caver" in line


def is_tile(line: dict[str, Any]) -> bool:
    return line.get("chance") == "tile" and "for" not in line


def is_card(line: dict[str, Any]) -> bool:
    return line.get("chance") == "hazard"


def is_header(line: dict[str, Any]) -> bool:
    return "format" in line


def is_last(line: dict[str, Any]) -> bool:
    return "end" in line


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], bool], Callable[[dict[str, Any]], object], str]] = {
    "another format": (is_header, changed(format="subterra-record/2"), "subterra-record/1"),
    "no rules": (is_header, without("rules"), "a header with the keys"),
    "more in the header": (is_header, changed(luck=7), "a header with the keys"),
    "unknown rules": (is_header, changed(rules="house"), "rules"),
    "unknown caver": (is_header, changed(cavers=["geologist", "scout", "medic", "wizard"]), "no such caver: wizard"),
    "three cavers": (is_header, changed(cavers=["geologist", "scout", "medic"]), "4 to 6"),
    "cavers no list": (is_header, changed(cavers=4), "cavers"),
    "first at random": (is_header, changed(first="random"), "first as a seat"),
    "first no seat": (is_header, changed(first=4), "4 is no seat"),
    "first true": (is_header, changed(first=True), "first"),
    "options no object": (is_header, changed(options=[]), "options as a JSON object"),
    "option missing": (is_header, lambda line: changed(options=without("max_rounds")(line["options"]))(line), "keys"),
    "option unknown": (is_header, with_option("colour", "red"), "options with the keys"),
    "option a fraction": (is_header, with_option("max_rounds", 6.0), "max_rounds"),
    "option a number": (is_header, with_option("stop_when_conscious_are_out", 0), "stop_when_conscious_are_out"),
    "too many cards": (is_header, with_option("extra_hazard_cards", 4), "room for 0 to 3"),
    "another question": (is_turn, changed(ask="run"), "is asked: turn"),
    "a list as question": (is_turn, changed(ask=["turn"]), "is asked: turn"),
    "another caver": (is_turn, changed(caver="bodyguard"), "caver 'bodyguard'"),
    "no caver": (is_turn, without("caver"), "a question with the keys"),
    "more in a question": (is_turn, changed(luck=7), "a question with the keys"),
    "legal too short": (is_turn, lambda line: changed(legal=line["legal"][:-1])(line), "missing"),
    "legal too long": (is_turn, lambda line: changed(legal=[*line["legal"], "dive"])(line), "too many"),
    "legal twice": (is_turn, lambda line: changed(legal=[*line["legal"], "end turn"])(line), "named twice"),
    "legal no list": (is_turn, changed(legal="end turn"), "legal as a list"),
    "legal with a number": (is_turn, changed(legal=[1]), "legal as a list"),
    "illegal answer": (is_turn, changed(do="surface 0,0"), "do: one of"),
    "no word": (is_turn, changed(do="dance"), "do: one of"),
    "answer a number": (is_turn, changed(do=1), "do: one of"),
    "a question for a die": (is_die, lambda line: {"ask": "turn", "caver": line["caver"]}, "chance decides: die"),
    "another chance": (is_die, changed(chance="hazard"), "chance decides: die"),
    "another purpose": (is_die, lambda line: {**line, "for": "fun"}, "die for"),
    "another roller": (is_die, changed(caver="bodyguard"), "die for"),
    "no roller": (is_die, without("caver"), "a chance event with the keys"),
    "seven": (is_die, changed(outcome=7), "possible: 1, 2, 3, 4, 5, 6; found outcome 7"),
    "true": (is_die, changed(outcome=True), "found outcome True"),
    "a fraction": (is_die, changed(outcome=4.0), "found outcome 4.0"),
    "a digit": (is_die, changed(outcome="4"), "found outcome '4'"),
    "no such tile": (is_tile, changed(outcome="gas crossroads"), "found outcome 'gas crossroads'"),
    "a tile of other rules": (is_tile, changed(outcome="cave-in tee 1"), "found outcome 'cave-in tee 1'"),
    "a reserve later": (is_tile, lambda line: {**line, "for": "reserve"}, "a chance event with the keys"),
    "no such card": (is_card, changed(outcome="flood x2"), "found outcome 'flood x2'"),
    "a card for somebody": (is_card, changed(caver="scout"), "a chance event with the keys"),
    "another ending": (is_last, changed(end="gold"), '"end": "'),
    "somebody else left behind": (is_last, changed(left_behind=["bodyguard"]), '"left_behind": ['),
    "another order": (is_last, lambda line: changed(left_behind=line["left_behind"][::-1])(line), '"left_behind": ['),
    "rounds a fraction": (is_last, lambda line: changed(rounds=float(line["rounds"]))(line), '"rounds": '),
    "rounds infinite": (is_last, lambda line: json.dumps(line).replace('"rounds": ', '"rounds": 1e999'), '"rounds": '),
    "more at the end": (is_last, changed(gold=True), "the last line with the keys"),
    "a list": (is_turn, lambda line: [line], "a JSON object"),
    "a number": (is_turn, lambda line: 7, "a JSON object"),
    "empty": (is_turn, lambda line: "", "a JSON object"),
    "cut off": (is_turn, lambda line: json.dumps(line)[:40], "a JSON object"),
    "not a number": (is_die, lambda line: json.dumps(changed(outcome=float("nan"))(line)), "NaN is no number"),
    "infinite": (is_die, lambda line: json.dumps(changed(outcome=float("inf"))(line)), "Infinity is no number"),
    "a key twice": (is_die, lambda line: json.dumps(line)[:-1] + ', "outcome": 1}', "a key stands there twice"),
    "too long": (is_die, changed(outcome=" " * record.MOST_CHARACTERS), "at most 50000 characters"),
    "too deep": (is_die, lambda line: "[" * 20_000 + "]" * 20_000, "at most 50 lists and objects"),
    "many digits": (is_die, lambda line: f'{{"outcome": {"9" * 10_000}}}', "a JSON object"),
    "half a character": (is_die, changed(outcome="\ud800"), "found outcome '\\ud800'"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_first_wrong_line_is_named(name: str, lines: list[str]) -> None:
    is_meant, spoil, complaint = FAULTS[name]
    index = next(number for number, line in enumerate(lines) if is_meant(json.loads(line)))
    wrong = spoil(json.loads(lines[index]))
    spoiled = [*lines[:index], wrong if isinstance(wrong, str) else json.dumps(wrong), *lines[index + 1 :]]
    with pytest.raises(RecordError) as raised:
        record.check(spoiled)
    message = str(raised.value)
    assert raised.value.line == index + 1
    assert complaint in message
    assert message.isprintable()
    assert len(message) < 2_500


def test_a_missing_line_is_missed_where_it_stood(lines: list[str]) -> None:
    with pytest.raises(RecordError) as raised:
        record.check([*lines[:3], *lines[4:]])
    assert raised.value.line in (4, 5)


@pytest.mark.parametrize("extra", ["{}", "", '{"end": "gold", "left_behind": [], "rounds": 1}'])
def test_nothing_but_a_header_follows_the_last_line(extra: str, lines: list[str]) -> None:
    with pytest.raises(RecordError, match=f"^line {len(lines) + 1}: expected a"):
        record.check([*lines, extra])


def test_an_end_before_the_end_is_refused(lines: list[str]) -> None:
    with pytest.raises(RecordError, match=r"^line 6: expected a line for"):
        record.check([*lines[:5], lines[-1]])


def test_no_lines_are_no_record() -> None:
    with pytest.raises(RecordError, match="line 1: expected a header line"):
        record.check([])
    with pytest.raises(RecordError, match="line 1: expected a header line"):
        record.read_one([])


def test_a_record_has_only_so_many_events(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MOST_EVENTS", 5)
    with pytest.raises(RecordError, match="line 7: expected at most 5 events"):
        record.check(lines)


# files


def test_files_are_read_line_by_line(lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert list(record.file_lines(path)) == lines
    assert record.check(record.file_lines(path)) == (1, len(lines) - 2)


@pytest.mark.parametrize(
    ("third", "complaint"), [(b"\xff\xfe", "expected UTF-8"), (b"x" * 60_000, "at most 50000 bytes")]
)
def test_broken_files_are_refused_at_their_line(third: bytes, complaint: str, lines: list[str], tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes("\n".join(lines[:2]).encode() + b"\n" + third)
    with pytest.raises(RecordError, match=f"^line 3: .*{complaint}"):
        record.check(record.file_lines(path))
