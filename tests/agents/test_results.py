"""Files of results: whole lines kept, half a last line dropped, everything else refused with its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from subterra_env.agents import results
from subterra_env.agents.results import ResultsError, ResultsFile, Row, read

from tests.agents.result_rows import row

ROWS = [row(0, 2), row(1, 4), row(1, 0, agent="random"), row(0, 6, cell="expert-6")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    with ResultsFile(path, "dev") as file:
        for each in ROWS:
            file.add(each)
    return path


def reopened(path: Path) -> list[Row]:
    with ResultsFile(path, "dev") as file:
        return file.rows


def test_what_is_written_is_read(path: Path) -> None:
    assert read(path).rows == reopened(path) == ROWS
    header, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert header == {"format": "subterra results", "version": 1, "suite": "dev", "rules_version": 1}
    assert len(lines) == len(ROWS)
    assert lines[0]["team"] == ["diver", "scout", "geologist", "engineer"]


def test_a_line_is_in_the_file_at_once(path: Path) -> None:
    with ResultsFile(path, "dev") as file:
        file.add(row(2, 3))
        assert read(path).rows == [*ROWS, row(2, 3)]


@pytest.mark.parametrize("half", ['{"agent": "rul', "{", '{"agent": "rul\n', "\0\0\0", b"\xff\xfe".decode("latin-1")])
def test_a_broken_last_line_is_dropped(path: Path, half: str) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + half.encode("latin-1"))
    assert read(path).rows == ROWS
    assert reopened(path) == ROWS
    assert path.read_bytes() == whole


def test_every_cut_of_the_file_leaves_whole_games(path: Path) -> None:
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole), 37):
        path.write_bytes(whole[:end])
        rows = reopened(path)
        assert rows == ROWS[: len(rows)]
        with ResultsFile(path, "dev") as file:
            for each in ROWS[len(rows) :]:
                file.add(each)
        assert path.read_bytes() == whole


def test_a_last_line_that_only_lacks_its_end_counts(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.removesuffix(b"\n"))
    assert reopened(path) == ROWS
    assert path.read_bytes() == whole


def test_broken_lines_in_the_middle_are_refused(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"agent": "rul\n', *lines[2:]]))
    with pytest.raises(ResultsError, match=r"results\.jsonl: line 3: .*JSON"):
        read(path)


Change = Callable[[dict[str, Any]], object]
WRONG_ROWS: list[tuple[Change, str]] = [
    (lambda line: line.pop("seed"), "seed"),
    (lambda line: line.update(colour="red"), "colour"),
    (lambda line: line.update(seed=2_000_000_001), "seed: 2000000001 is not that of game 0"),
    (lambda line: line.update(team=line["team"][::-1]), "team"),
    (lambda line: line.update(game=10**9), "number 1000000000"),
    (lambda line: line.update(game="0"), "game"),
    (lambda line: line.update(cell="normal-7"), "'normal-7'"),
    (lambda line: line.update(suite="test", seed=3_000_000_000), "suite 'test' in a file of 'dev'"),
    (lambda line: line.update(ending="platinum"), "'platinum'"),
    (lambda line: line.update(ending="gold"), "saved: 2 of 4"),
    (lambda line: line.update(saved=5, ending="truncated"), "saved: 5 of 4"),
    (lambda line: line.update(saved=-1), "saved"),
    (lambda line: line.update(cavers=5, ending="defeat"), "cavers"),
    (lambda line: line.update(ms=float("nan")), "ms"),
    (lambda line: line.update(ms=-1.0), "ms"),
    (lambda line: line.update(sims=1.5), "sims"),
    (lambda line: line.update(decisions=True), "decisions"),
    (lambda line: line.update(agent="\x1b[2J"), "agent"),
    (lambda line: line.update(agent=""), "agent"),
    (lambda line: line.update(agent="x" * 5_000), "agent"),
    (lambda line: line.update(agent="x" * 20_000), "longer than"),
    (lambda line: line.update(budget="soup"), "soup"),
    (lambda line: line.update(rules_version=2), "rules version 2"),
    (lambda line: line.update(game=1, seed=2_000_000_001, team=list(ROWS[1].team)), "twice"),
]


@pytest.mark.parametrize(("change", "says"), WRONG_ROWS, ids=[says for _, says in WRONG_ROWS])
def test_wrong_rows_are_refused_with_their_line(path: Path, change: Change, says: str) -> None:
    header, first, *others = path.read_text(encoding="utf-8").splitlines()
    line = json.loads(first)
    change(line)
    path.write_text("\n".join([header, *others, json.dumps(line), ""]), encoding="utf-8")
    with pytest.raises(ResultsError, match=f"line {len(ROWS) + 1}: ") as refused:
        read(path)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "subterra-record/1"}, "subterra-record/1"),
        ({"version": 2}, "version 2"),
        ({"version": "1"}, "version"),
        ({"suite": "exam"}, "'exam'"),
        ({"suite": "test"}, "games of the suite test; those of dev"),
        ({"rules_version": 99}, "rules version 99"),
        ({"suite": None}, "suite"),
    ],
)
def test_other_files_are_refused_and_left_alone(path: Path, change: dict[str, Any], says: str) -> None:
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    path.write_text(json.dumps({**header, **change}) + "\n", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(ResultsError) as refused:
        ResultsFile(path, "dev")
    assert says in str(refused.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["", "\n", "notes\n", "[[[[", "[" * 9_000, "{}", '{"format": "subterra results"'])
def test_what_is_no_header_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(ResultsError, match="line 1: no header"):
        read(path)


def test_files_too_long_are_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(ResultsError, match="at most"):
        read(path)


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.touch()
    assert reopened(path) == []
    assert read(path).suite == "dev"
