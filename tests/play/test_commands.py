"""The command line: what it writes and prints."""

import json
import math
import re
import subprocess
import sys
import time
from dataclasses import astuple
from pathlib import Path

import pytest

from subterra_env.game import SUBTERRA, Table
from subterra_env.play import cli, demo, perft, recording, speed
from tests.play.ran import Ran, Run, headers
from tests.play.set_ups import PLAIN_FOUR, set_up, set_ups_in

ORACLE = Path(__file__).parents[3] / "shared" / "oracle" / "perft_table.json"


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
