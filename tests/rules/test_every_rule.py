"""Every numbered section of the rulebook has code that cites it and a scene that plays it."""

import re
from pathlib import Path

import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.rules.citing import CITED

RULEBOOK = Path(engine.__file__).with_name("rulebook.md")
SECTIONS = re.findall(r"^### (\d+\.\d+) ", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE)
SCENES = re.findall(
    r"@rule\(([^)]*)\)", "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("*.py"))
)
PLAYED = {section for arguments in SCENES for section in re.findall(r'"([\d.]+)"', arguments)}
DATA_ONLY = {"1.1", "1.2", "1.3", "1.4"}
"""Chapter 1 is data in the package `box`, which cites it in its own text."""


def test_the_rulebook_has_its_sections() -> None:
    assert len(SECTIONS) > 50


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_is_cited_by_code_and_played_in_a_scene(section: str) -> None:
    assert section in CITED or section in DATA_ONLY
    assert section in PLAYED
