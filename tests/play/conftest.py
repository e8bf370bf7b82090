"""Commands run in this process, and games for them."""

import sys
from pathlib import Path

import pytest

from subterra_env.play import cli
from tests.play.ran import Ran, Run


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
