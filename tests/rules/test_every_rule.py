"""Every numbered section of the rulebook has code that cites it and a scene that plays it."""

import re
from pathlib import Path

import pytest

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.rules.citing import CITED

RULEBOOK = Path(engine.__file__).with_name("rulebook.md").read_text(encoding="utf-8")
SETUP = RULEBOOK.partition("\n## 2 ")[2].partition("\n## ")[0]
SECTIONS = [
    *re.findall(r"^### (\d+\.\d+) ", RULEBOOK, re.MULTILINE),
    *(f"2.{point}" for point in re.findall(r"^(\d+)\. ", SETUP, re.MULTILINE)),
    *re.findall(r"^## (10|11) ", RULEBOOK, re.MULTILINE),
]
SCENES = re.findall(
    r"@rule\(([^)]*)\)", "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("*.py"))
)
PLAYED = {section for arguments in SCENES for section in re.findall(r'"([\d.]+)"', arguments)}
NO_RULE_OF_PLAY = {"1.1", "1.2", "1.3", "1.4", "2.2"}
"""Chapter 1 is data in the package `box`; who sits where is `envs.seating`. Both cite the rulebook in their text."""


def test_the_rulebook_has_all_its_sections() -> None:
    in_a_chapter = {1: 4, 2: 7, 3: 5, 4: 13, 5: 7, 6: 8, 7: 6, 8: 8, 9: 3}
    wanted = [f"{chapter}.{number + 1}" for chapter, count in in_a_chapter.items() for number in range(count)]
    assert sorted(SECTIONS) == sorted([*wanted, "10", "11"])


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_is_cited_by_code_and_played_in_a_scene(section: str) -> None:
    assert section in CITED or section in NO_RULE_OF_PLAY
    assert section in PLAYED


@pytest.mark.parametrize("cited", sorted(PLAYED | set(CITED)))
def test_only_sections_of_the_rulebook_are_cited(cited: str) -> None:
    assert cited in SECTIONS or f"\n## {cited} " in RULEBOOK
