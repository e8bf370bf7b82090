"""What the README says can be done, can be done."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from subterra_env.play import cli
from subterra_env.play.recording import agent_named

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
SUBTERRA = re.findall(r"`subterra ([a-z]+)([^`]*)`", TEXT)
MAKE = re.findall(r"\bmake ([a-z-]+)", TEXT)
PATHS = re.findall(r"`((?:subterra_env/|agents/|train/|configs/|tests/)[\w./]*|[A-Z]+\.md)`", TEXT)


def test_there_is_something_to_test() -> None:
    assert len(PYTHON) >= 2
    assert {"demo", "test"} <= set(MAKE)
    assert {name for name, _ in SUBTERRA} >= set(get_command(cli.app).commands)  # type: ignore[attr-defined]
    assert PATHS


@pytest.mark.parametrize("code", PYTHON, ids=lambda code: code.split("\n", 1)[0])
def test_python_code_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize(("name", "rest"), SUBTERRA)
def test_commands_and_their_options_exist(name: str, rest: str) -> None:
    command = get_command(cli.app).commands[name]  # type: ignore[attr-defined]
    options = {spelled for parameter in command.params for spelled in parameter.opts}
    assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)) <= options


@pytest.mark.parametrize("target", sorted(set(MAKE)))
def test_make_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", PATHS)
def test_files_to_read_exist(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("name", ["random", "rules"])
def test_agents_exist(name: str) -> None:
    assert f"`{name}`" in TEXT
    agent_named(name)


def test_the_drawn_cave_is_what_the_first_example_prints(capsys: pytest.CaptureFixture[str]) -> None:
    (drawn,) = re.findall(r"^```\n(.*?start.*?)^```", TEXT, re.DOTALL | re.MULTILINE)[:1]
    exec(compile(PYTHON[0], "README.md", "exec"), {})
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert printed.endswith(drawn.rstrip())
