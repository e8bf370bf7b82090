"""Advice on the command line."""

import json
from dataclasses import asdict, fields
from importlib import import_module
from pathlib import Path

import pytest
from rich.console import Console

from subterra_env.game import Table
from subterra_env.play import recording
from subterra_env.play.advising import print_advice
from tests.play.ran import Run


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
