"""The command line: what it writes and prints, and one clear line for whatever is typed wrong."""

import json
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from subterra_env.game import SUBTERRA, Table
from subterra_env.play import cli, demo, perft, recording, speed
from subterra_env.play.advising import print_advice

ORACLE = Path(__file__).parent.parent.parent / "shared" / "oracle" / "perft_table.json"
PLAIN_FOUR = ["medic", "climber", "bodyguard", "engineer"]


@dataclass
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run_words(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["subterra", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        return Ran(int(left.value.code or 0), *capsys.readouterr())

    return run_words


@pytest.fixture
def records(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    assert run("record", "--agent", "random", "--games", 2, "--seed", 5, "-o", path) == Ran(0, "", "")
    return path


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice comes quicker, and says less."""
    monkeypatch.setattr("subterra_env.agents.advice.GAMES", 20)


def headers(path: Path) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()) if "format" in line]


def set_up(**changes: Any) -> dict[str, Any]:
    header = {"rules": "official", "options": {"first": "seat 0"}, "cavers": PLAIN_FOUR, "first": 0}
    return {"name": "plain four", "header": header, "after": [], "leaves": {"1": 11, "2": 251}, **changes}


def set_ups_in(path: Path, *setups: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"what": "leaves at each depth", "setups": setups}), encoding="utf-8")
    return path


# starting


def test_help_starts_at_once() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "subterra_env.play", "--help"], capture_output=True, check=True)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(3)) < 0.5


def test_help_names_every_command(run: Run) -> None:
    shown = run("--help")
    assert shown.code == 0
    assert all(
        f"\n  {name}  " in shown.out for name in ("demo", "record", "check", "show", "perft", "bench", "table", "speed")
    )


# record and check


def test_what_record_writes_check_accepts(run: Run, records: Path) -> None:
    checked = run("check", records, records)
    assert checked.code == 0
    assert checked.out.count("2 records") == 2


def test_game_number_n_is_the_game_of_that_seed(run: Run, records: Path, tmp_path: Path) -> None:
    alone = tmp_path / "second.jsonl"
    run("record", "--agent", "random", "--seed", 6, "-o", alone)
    both = records.read_text(encoding="utf-8")
    assert both.endswith(alone.read_text(encoding="utf-8"))
    assert not both.startswith(alone.read_text(encoding="utf-8"))


def test_record_plays_at_the_table_described(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    words = ("--rules", "guide", "--difficulty", "expert", "--cavers", ",".join(PLAIN_FOUR))
    settings = ("--set", "stack_tiles=8", "--set", "out_of_time=card", "--set", "hidden_cavers_are_passed_by=true")
    run("record", "--agent", "random", *words, *settings, "--set", "first=2", "-o", path)
    (header,) = headers(path)
    assert (header["rules"], header["cavers"], header["first"]) == ("guide", PLAIN_FOUR, 2)
    expected = {"difficulty": "expert", "stack_tiles": 8, "out_of_time": "card", "hidden_cavers_are_passed_by": True}
    assert expected.items() <= header["options"].items()


def test_a_number_of_cavers_goes_through_all_teams(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("record", "--agent", "random", "--cavers", 6, "--games", 29, "--set", "max_rounds=1", "-o", path)
    teams = [tuple(header["cavers"]) for header in headers(path)]
    assert len(set(teams)) == 28
    assert teams[28] == teams[0]


def test_an_agent_can_be_named_by_its_class(run: Run, records: Path, tmp_path: Path) -> None:
    path = tmp_path / "same.jsonl"
    run("record", "--agent", "subterra_env.agents.uniform:RandomAgent", "--games", 2, "--seed", 5, "-o", path)
    assert path.read_bytes() == records.read_bytes()


def test_check_names_file_and_first_wrong_line(run: Run, records: Path) -> None:
    lines = records.read_text(encoding="utf-8").splitlines()
    wrong = next(number for number, line in enumerate(lines) if '"end turn"}' in line)
    lines[wrong] = lines[wrong].replace('"do": "end turn"', '"do": "dance"')
    records.write_text("\n".join(lines), encoding="utf-8")
    refused = run("check", records)
    assert refused.code == cli.EXIT_BAD_INPUT
    assert refused.err.startswith(f"subterra: {records}: line {wrong + 1}: ")
    assert "dance" in refused.err


def test_show_draws_records_and_positions(run: Run, tmp_path: Path) -> None:
    table = Table(seed=3)
    table.play("explore east")
    (tmp_path / "game.jsonl").write_text("\n".join(table.record()), encoding="utf-8")
    (tmp_path / "position.json").write_text(table.to_json(), encoding="utf-8")
    expected = Ran(0, f"{table}\n", "")
    assert run("show", tmp_path / "game.jsonl") == expected
    assert run("show", tmp_path / "position.json") == expected


def test_values_of_settings() -> None:
    read = recording.settings_in(["a=3", "b=true", "c=card", "d=1.5", "e=[1]", "f="])
    assert read == {"a": 3, "b": True, "c": "card", "d": "1.5", "e": "[1]", "f": ""}


# advise


@pytest.fixture
def in_progress(tmp_path: Path) -> Path:
    table, path = Table(seed=3), tmp_path / "in-progress.jsonl"
    for answer in ("explore east", "place drawn 2", "end turn"):
        table.play(answer if answer in table.legal() else table.legal()[0])
    path.write_text("\n".join(table.record()), encoding="utf-8")
    return path


def columns_of(shown: str) -> str:
    """The words on a screen, however its lines are broken."""
    return " ".join(shown.split())


def test_advise_names_the_best_answers_with_their_chances(run: Run, few_games: None, in_progress: Path) -> None:
    words = ("advise", in_progress, "--agent", "rollout", "--budget", "100sims")
    ran = run(*words, "-k", 2)
    assert (ran.code, ran.err) == (0, "")
    first, header, *rest = ran.out.splitlines()
    assert first == str(recording.table_in(in_progress).question)
    assert header.split() == ["answer", "gold", "silver", "bronze", "defeat", "saved", "(95%)", "playouts"]
    ranks = [line.split()[0] for line in rest if line[:1].isdigit()]
    assert ranks == ["1.", "2."]
    assert sum(line.startswith("    then: ") for line in rest) == 2
    assert sum(line.startswith("    risk: ") for line in rest) == 2
    assert "the rules bot played on" in columns_of(ran.out)
    assert all(len(line.rstrip()) <= 80 for line in rest)
    assert run(*words, "-k", 2) == ran


def test_advise_writes_what_agents_say_as_json(run: Run, few_games: None, in_progress: Path) -> None:
    words = ("advise", in_progress, "--agent", "rollout", "--budget", "100sims", "--json")
    written = json.loads(run(*words).out)
    base = import_module("subterra_env.agents.base")
    advice = base.load("rollout").advise(recording.table_in(in_progress).view(), 3, base.Budget(simulations=100))
    assert written == json.loads(json.dumps([asdict(each) for each in advice]))
    assert [set(each) for each in written] == [{field.name for field in fields(base.Advice)}] * 3
    assert len(json.loads(run(*words, "-k", 99).out)) == len(recording.table_in(in_progress).legal())


def test_advise_asks_the_best_agent_unless_told_otherwise(run: Run, few_games: None, in_progress: Path) -> None:
    words = ("advise", in_progress, "--budget", "100sims")
    ran = run(*words)
    assert ran.code == 0
    assert ran.out == run(*words, "--agent", "best").out


def test_advise_says_the_same_of_a_record_and_of_its_position(
    run: Run, few_games: None, in_progress: Path, tmp_path: Path
) -> None:
    position = tmp_path / "position.json"
    position.write_text(recording.table_in(in_progress).to_json(), encoding="utf-8")
    assert run("advise", position, "--agent", "rules").out == run("advise", in_progress, "--agent", "rules").out


@pytest.mark.parametrize("width", [30, 50, 79])
def test_advice_is_broken_at_spaces_on_a_narrow_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch, in_progress: Path, width: int
) -> None:
    words = ("advise", in_progress, "--agent", "rules", "--json")
    (advice,) = json.loads(run(*words).out)
    monkeypatch.setenv("COLUMNS", str(width))
    shown = run(*words[:-1]).out
    assert all(len(line.rstrip()) <= width for line in shown.splitlines())
    assert columns_of(shown).startswith(
        columns_of(f"{recording.table_in(in_progress).question} 1. {advice['word']}: gold")
    )
    assert f"then: {', '.join(advice['expected_line'])} risk: {advice['main_risk']} " in columns_of(shown)
    assert f"defeat {advice['defeat']:.0%}, saved {advice['saved']:.2f} (" in columns_of(shown)


def test_what_an_agent_does_not_say_is_a_question_mark(capsys: pytest.CaptureFixture[str]) -> None:
    bare = import_module("subterra_env.agents.base").Advice(1, "end turn")
    print_advice(Console(width=100), [bare])
    assert capsys.readouterr().out.splitlines()[1].split() == ["1.", "end", "turn", *"?????", "0"]


# perft


def test_perft_prints_name_depth_and_leaves(run: Run, tmp_path: Path) -> None:
    path = set_ups_in(tmp_path / "setups.json", set_up())
    assert run("perft", path) == Ran(0, "plain four: 1 11\nplain four: 2 251\n", "")
    assert run("perft", path, "--depth", 1) == Ran(0, "plain four: 1 11\n", "")


def test_perft_starts_after_what_was_told(run: Run, tmp_path: Path) -> None:
    told = ["explore west", "gas tee", "place drawn 1", "exert", "end turn", 4]
    path = set_ups_in(tmp_path / "setups.json", set_up(), set_up(name="later", after=told, leaves={}))
    assert run("perft", path, "--only", 2, "--depth", 1).out.startswith("later: 1 ")
    later = perft.position(perft.setups_in(path)[1])
    assert str(later.question) == "the climber is asked: turn"


def test_perft_says_where_counts_differ(run: Run, tmp_path: Path) -> None:
    path = set_ups_in(tmp_path / "setups.json", set_up(leaves={"1": 11, "2": 252}))
    ran = run("perft", path)
    assert ran.code == cli.EXIT_WRONG_COUNT
    assert ran.out == "plain four: 1 11\nplain four: 2 251\n"
    assert ran.err == f"subterra: {path}: plain four: 251 leaves at depth 2, but the file says 252\n"


def test_perft_agrees_with_the_independent_reading(run: Run) -> None:
    if not ORACLE.exists():
        pytest.skip(f"{ORACLE.parent} is not there: no counts to compare with")
    ran = run("perft", ORACLE)
    assert ran.code == 0
    assert ran.out.count("\n") == 12 * 4


# bench and table


def test_table_works_out_again_what_bench_printed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    played = run(
        "bench", "random", "rules", "--cells", "normal-4,expert-6", "--games", 3, "--suite", "test", "-o", path
    )
    assert played.code == 0
    assert "12/12" in played.err
    assert run("table", path) == Ran(0, played.out, "")
    assert all(word in played.out for word in ("not defeat", "normal-4", "expert-6", "random", "rules", "ahead of"))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert {(line["agent"], line["cell"], line["game"]) for line in lines} == {
        (agent, cell, game) for agent in ("random", "rules") for cell in ("normal-4", "expert-6") for game in range(3)
    }
    before = path.read_bytes()
    again = run("bench", "random", "rules", "--cells", "expert-6,normal-4", "--games", 3, "--suite", "test", "-o", path)
    assert (again.code, again.out, path.read_bytes()) == (0, played.out, before)


def test_table_for_programs_and_in_pictures(run: Run, tmp_path: Path) -> None:
    path, folder = tmp_path / "results.jsonl", tmp_path / "pictures"
    run("bench", "rules", "--cells", "normal-5", "--games", 2, "--budget", "20sims", "-o", path)
    ran = run("table", path, "--json", "--plots", folder)
    (row,) = json.loads(ran.out)
    assert (row["agent"], row["cell"], row["games"]) == ("rules @ 20sims", "normal-5", 2)
    value, low, high = row["not_defeat"]
    assert 0 <= low <= value <= high <= 1
    assert sorted(path.name for path in folder.iterdir()) == sorted(Path(line).name for line in ran.err.splitlines())
    assert len(ran.err.splitlines()) == 3


def test_the_benchmark_says_what_it_needs(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    for words in (("bench", "random", "-o", tmp_path / "results.jsonl"), ("table", tmp_path / "results.jsonl")):
        ran = run(*words)
        assert (ran.code, ran.out) == (cli.EXIT_BAD_INPUT, "")
        assert "pip install 'subterra_env[bench]'" in ran.err
    assert not (tmp_path / "results.jsonl").exists()


# speed


def test_speed_prints_one_json_object(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "MEASUREMENTS", dict.fromkeys(speed.MEASUREMENTS, lambda: 2.5))
    figures = json.loads(run("speed", "--json").out)
    assert figures == dict.fromkeys(speed.MEASUREMENTS, 2.5)
    assert {"playout", "compile_s", "start_s"} <= set(figures)


@pytest.mark.slow
def test_speed_is_what_was_promised() -> None:
    assert speed.playout() >= 1_500_000
    assert speed.compile_s() <= 60
    assert speed.start_s() <= 2


# demo


def test_demo_tells_a_game_to_its_end(run: Run, few_games: None) -> None:
    ran = run("demo", "--skip-training", "--seed", 3)
    assert ran.code == 0
    assert " Round 1 " in ran.out
    assert " Round 2 " in ran.out
    assert "start" in ran.out
    assert ran.out.splitlines()[-1].startswith(("The medal: ", "No medal"))
    assert run("demo", "--skip-training", "--seed", 3).out == ran.out


def test_demo_asks_for_advice_at_its_turning_points(run: Run, few_games: None) -> None:
    """In the game of seed 7 the exit is found."""
    told = run("demo", "--skip-training", "--seed", 7).out
    pieces = told.split("What now? ")[1:]
    assert len(pieces) == 3
    assert all(piece.startswith("the ") and "\n1.  " in piece and "\n2.  " in piece for piece in pieces)
    assert told.index("What now? ") < told.index(" Round 2 ")
    before, _ = told.rsplit("What now? ", 1)
    assert re.search(r"draws exit dead end\s*$", before)
    replay = SUBTERRA.record.Replay(
        SUBTERRA.record.read_one(SUBTERRA.record.play_record(SUBTERRA.options(), 7, recording.agent_named("rules").act))
    )
    first, halfway, found = demo.turning_points(replay)
    assert first == 0
    assert replay.to(halfway)[0]["round_number"] == math.ceil(replay.to(len(replay))[0]["round_number"] / 2)
    assert replay.to(found)[0]["exit_in_stack"] == 0
    assert replay.to(found - 1)[0]["exit_in_stack"] == 0 or replay.line["chance"] == "tile"


def test_demo_trains_and_compares(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = tmp_path / "short.yaml"
    config.write_text(
        "{table: {stack_tiles: 6}, decisions: 2000, games: 8, minibatch: 256, evaluation_games: 10}", encoding="utf-8"
    )
    monkeypatch.setattr(demo, "CONFIG", config)
    code, shown, err = astuple(run("demo"))
    assert (code, err) == (0, "")
    assert "10 games, the same for both" in shown
    assert shown.index("│ random ") < shown.index("│ trained ")


# what is typed wrong

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
