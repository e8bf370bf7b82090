"""One clear line for whatever is typed wrong."""

import json
from pathlib import Path

import pytest

from subterra_env.game import SUBTERRA, Table
from subterra_env.play import cli
from tests.play.ran import Run
from tests.play.set_ups import PLAIN_FOUR, set_up, set_ups_in

TO_FILE = ("--agent", "random", "-o", "OUT")
BY_RULES = ("--agent", "rules")
WRONG: list[tuple[tuple[object, ...], str]] = [
    ((), "Missing command"),
    (("dance",), "dance"),
    (("record",), "--output"),
    (("record", "--cavers", "3", *TO_FILE), "4 to 6"),
    (("record", "--cavers", "9", *TO_FILE), "8 cavers"),
    (("record", "--cavers", "scout,medic,leader,plumber", *TO_FILE), "plumber"),
    (("record", "--cavers", "scout,scout,leader,medic", *TO_FILE), "twice"),
    (("record", "--rules", "house", *TO_FILE), "official"),
    (("record", "--difficulty", "easy", *TO_FILE), "normal"),
    (("record", "--set", "extra_hazard_cards=4", *TO_FILE), "0 to 3"),
    (("record", "--set", "stack_tiles=soup", *TO_FILE), "stack_tiles"),
    (("record", "--set", "colour=red", *TO_FILE), "colour"),
    (("record", "--set", "colour", *TO_FILE), "option=value"),
    (("record", "--set", "rules=guide", *TO_FILE), "--rules"),
    (("record", "--games", "0", *TO_FILE), "--games"),
    (("record", "--seed", "-1", *TO_FILE), "--seed"),
    (("record", "--agent", "nobody", "-o", "OUT"), "nobody"),
    (("record", "--agent", "no.such:Agent", "-o", "OUT"), "no.such"),
    (("record", "--agent", "random", "-o", "FOLDER"), "directory"),
    (("record", "--agent", "random", "-o", "FOLDER/none/games.jsonl"), "No such file"),
    (("check", "MISSING"), "No such file"),
    (("check", "FOLDER"), "directory"),
    (("check", "EMPTY"), "header"),
    (("check", "BINARY"), "line 1"),
    (("check", "TRUNCATED"), "line"),
    (("check", "UNFINISHED"), "line"),
    (("check", "SET-UPS"), "line 1"),
    (("show", "MISSING"), "No such file"),
    (("show", "FOLDER"), "directory"),
    (("show", "TRUNCATED"), "line"),
    (("show", "NINE-FLOODS"), "water"),
    (("show", "EMPTY"), "EMPTY"),
    (("show", "BINARY"), "BINARY"),
    (("advise",), "file"),
    (("advise", "MISSING", *BY_RULES), "No such file"),
    (("advise", "FOLDER", *BY_RULES), "directory"),
    (("advise", "EMPTY", *BY_RULES), "EMPTY"),
    (("advise", "BINARY", *BY_RULES), "BINARY"),
    (("advise", "TRUNCATED", *BY_RULES), "line"),
    (("advise", "NINE-FLOODS", *BY_RULES), "water"),
    (("advise", "OVER", *BY_RULES), "the game is over: "),
    (("advise", "TILE-AWAITED", *BY_RULES), "chance decides: tile; first say what came: ordinary dead end, "),
    (("advise", "DIE-AWAITED", *BY_RULES), "chance decides: die for exert, the scout's; first say what came: 1, 2, 3,"),
    (("advise", "OPENING", "--agent", "nobody"), "nobody"),
    (("advise", "OPENING", "-k", "0", *BY_RULES), "-k"),
    (("advise", "OPENING", "--budget", "soup", *BY_RULES), "200sims"),
    (("advise", "OPENING", "--budget", "0s", *BY_RULES), "more than 0"),
    (("perft", "MISSING"), "No such file"),
    (("perft", "FOLDER"), "directory"),
    (("perft", "EMPTY"), "JSON"),
    (("perft", "BINARY"), "JSON"),
    (("perft", "TRUNCATED"), "JSON"),
    (("perft", "SET-UPS", "--only", "2"), "1 to 1"),
    (("perft", "SET-UPS", "--depth", "0"), "--depth"),
    (("perft", "WRONG-WORD"), "dance"),
    (("perft", "WRONG-CAVER"), "plumber"),
    (("demo", "--seed", "seven"), "--seed"),
    (("bench", "-o", "OUT"), "AGENT"),
    (("bench", "random"), "--output"),
    (("bench", "random", "nobody", "-o", "OUT"), "nobody"),
    (("bench", "random", "--suite", "exam", "-o", "OUT"), "dev"),
    (("bench", "random", "--cells", "normal-7", "-o", "OUT"), "normal-4"),
    (("bench", "random", "--cells", "", "-o", "OUT"), "normal-4"),
    (("bench", "random", "--games", "0", "-o", "OUT"), "--games"),
    (("bench", "random", "--games", "99999999", "-o", "OUT"), "99999998"),
    (("bench", "random", "--budget", "soup", "-o", "OUT"), "200sims"),
    (("bench", "random", "--jobs", "0", "-o", "OUT"), "--jobs"),
    (("bench", "random", "-o", "FOLDER"), "directory"),
    (("bench", "random", "-o", "FOLDER/none/results.jsonl"), "No such file"),
    (("bench", "random", "-o", "SET-UPS"), "line 1"),
    (("bench", "random", "-o", "TRUNCATED"), "line 1"),
    (("table", "MISSING"), "No such file"),
    (("table", "FOLDER"), "directory"),
    (("table", "EMPTY"), "line 1"),
    (("table", "BINARY"), "line 1"),
    (("table", "UNFINISHED"), "line 1"),
]


def games_to_advise_on(records: str) -> dict[str, list[str]]:
    """Records that nothing is asked in, and one where something is; ``records``: of games that are over."""
    lines = records.splitlines()
    end_of_first = next(number for number, line in enumerate(lines, 1) if line.startswith('{"end"'))
    exploring, exerting = Table(seed=None), Table(seed=None)
    exploring.play("explore east")
    exerting.play("exert")
    exerting.play("explore east", ["ordinary crossroads"])
    for answer in ("place drawn 0", "move west", "move east"):
        exerting.play(answer)
    return {
        "OVER": lines[:end_of_first],
        "OPENING": Table().record(),
        "TILE-AWAITED": exploring.record(),
        "DIE-AWAITED": exerting.record(),
    }


@pytest.fixture
def files(records: Path, tmp_path: Path) -> dict[str, Path]:
    """Files to be refused, by the names that `WRONG` has for them."""
    text = records.read_text(encoding="utf-8")
    found = {name: tmp_path / name for name in ("OUT", "MISSING", "EMPTY", "BINARY", "TRUNCATED", "UNFINISHED")}
    found["EMPTY"].write_text("")
    found["BINARY"].write_bytes(bytes(range(256)))
    found["TRUNCATED"].write_text(text[: len(text) // 2])
    found["UNFINISHED"].write_text("".join(text.splitlines(keepends=True)[:5]))
    for name, record in games_to_advise_on(text).items():
        found[name] = tmp_path / name
        found[name].write_text("\n".join(record), encoding="utf-8")
    found["FOLDER"] = tmp_path / "FOLDER"
    found["FOLDER"].mkdir()
    position = json.loads(Table().to_json())
    flooded = {"tile": "water straight", "turns": 1, "flooded": True}
    position["tiles"] += [{"at": [x, 0], **flooded} for x in range(1, 10)]
    found["NINE-FLOODS"] = tmp_path / "floods.json"
    found["NINE-FLOODS"].write_text(json.dumps(position))
    found["SET-UPS"] = set_ups_in(tmp_path / "setups.json", set_up())
    found["WRONG-WORD"] = set_ups_in(tmp_path / "word.json", set_up(after=["dance"]))
    strangers = {"rules": "official", "options": {}, "cavers": [*PLAIN_FOUR, "plumber"], "first": 0}
    found["WRONG-CAVER"] = set_ups_in(tmp_path / "caver.json", set_up(header=strangers))
    return found


@pytest.mark.parametrize(("words", "named"), WRONG, ids=lambda part: " ".join(part) if isinstance(part, tuple) else "")
def test_what_is_wrong_is_one_clear_line(run: Run, files: dict[str, Path], words: tuple[str, ...], named: str) -> None:
    def with_paths(word: str) -> str:
        name, slash, rest = word.partition("/")
        return f"{files[name]}{slash}{rest}" if name in files else word

    ran = run(*map(with_paths, words))
    assert (ran.code, ran.out) == (cli.EXIT_BAD_INPUT, "")
    assert ran.err.startswith("subterra: ")
    assert ran.err.count("\n") == 1
    assert named in ran.err
    assert not files["OUT"].exists()


def test_faults_of_the_program_are_not_hidden() -> None:
    assert not cli.is_for_people(ValueError("operands could not be broadcast"))
    assert cli.is_for_people(SUBTERRA.notation.WordError("no such word"))
