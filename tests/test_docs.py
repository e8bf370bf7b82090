"""The generated pages: up to date, and complete."""

import subprocess
import sys
from pathlib import Path

import pytest

from subterra_env.docs.pages import FOLDER, stale, write
from subterra_env.game import SUBTERRA
from subterra_env.games.subterra.entities import CAVERS, GLOBALS, HORRORS, TILES
from subterra_env.games.subterra.flat import FLAT
from subterra_env.games.subterra.layout import Layout
from subterra_env.games.subterra.planes import PLANES
from subterra_env.games.subterra.state import FIELDS


def test_the_pages_are_up_to_date() -> None:
    assert stale() == [], "run python -m subterra_env.docs"


def test_a_changed_and_a_missing_page_are_noticed(tmp_path: Path) -> None:
    written = write(tmp_path)
    assert stale(tmp_path) == []
    written[0].write_text(written[0].read_text(encoding="utf-8").replace("explore", "explode"), encoding="utf-8")
    written[1].unlink()
    assert stale(tmp_path) == [written[0].name, written[1].name]


def test_every_action_has_its_line() -> None:
    lines = (FOLDER / "actions.md").read_text(encoding="utf-8").splitlines()
    ids = [int(line.split("|")[1]) for line in lines if line.startswith("| ") and line.split("|")[1].strip().isdigit()]
    assert ids == list(range(SUBTERRA.actions.ACTIONS))


@pytest.mark.parametrize("layout", [FLAT, TILES, CAVERS, HORRORS, GLOBALS, PLANES], ids=lambda layout: str(layout.size))
def test_every_number_of_an_observation_has_its_line(layout: Layout) -> None:
    page = (FOLDER / "observation.md").read_text(encoding="utf-8")
    for index in layout.indices():
        feature = index.feature
        assert f"| {index.number} | {index.name} | {feature.low:g} to {feature.high:g} | {feature.meaning}" in page


def test_every_field_of_the_state_has_its_line() -> None:
    page = (FOLDER / "state.md").read_text(encoding="utf-8")
    for sentences in FIELDS.values():
        for name, sentence in sentences.items():
            assert any(line.startswith(f"| `{name}` |") and sentence in line for line in page.splitlines())


def test_the_module_writes_the_pages_it_names() -> None:
    command = [sys.executable, "-m", "subterra_env.docs"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [Path(line).name for line in run.stdout.splitlines()] == ["actions.md", "observation.md", "state.md"]
