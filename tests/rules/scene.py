"""A small language for scenes: a drawn cave, who stands where, and what happens then.

    scene = Scene(
        '''
            g--
            |
         q--S--a
        ''',
        "medic on a health 1, scout on g, leader, climber",
        a="water flooded",
        points=1,
    )
    scene.do("explore north").tile("gas corner").do("place drawn 1")

**The cave.** A letter is a tile, ``--`` and ``|`` are openings; tiles are three columns and two rows apart. An opening
of one tile only is ``-`` beside it, ``'`` below it or ``.`` above it. The shape follows from the openings. ``S`` is the
start (always a crossroads), ``E`` the exit; `KINDS` gives the other letters with a meaning of their own; any other
letter is explained by a keyword: kind, numbers of a cave-in or side of the arrow of a ledge or slide, then ``flooded``,
``rubble``, ``rope``. Tiles were placed in the order of their distance from the start, then north, east, south, west.

**The team**, in seat order: ``NAME [on LETTER] [health N] [hides N] [hidden] [lost] [dived]``, by default on the start
at full health; ``dived`` from that tile. Who is not named waits on the start, up to four cavers (`FILLERS`).

Every scene begins at a ``turn`` question. What has been drawn and lies nowhere was discarded.
"""

import re
from collections import Counter
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from subterra_env.games.subterra import engine, notation
from subterra_env.games.subterra.answers import collect_answers
from subterra_env.games.subterra.box.hazards import CARD_NAMES
from subterra_env.games.subterra.box.tiles import (
    EXIT_TILE,
    LAST_PLACES,
    OPEN_SIDES,
    START_TILE,
    TILE_NUMBER,
    TILE_TYPES,
)
from subterra_env.games.subterra.options import Options, agreed_state, options
from subterra_env.games.subterra.rules.placing import lay, take_from_stack
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Chance, Check, Ending, Node, Phase, Question, Side, word
from subterra_env.jit import entry

rule = pytest.mark.rule
KINDS = {
    "S": "start",
    "E": "exit",
    "o": "ordinary",
    "w": "water",
    "g": "gas",
    "h": "horror",
    "q": "squeeze",
    "r": "rough terrain",
}
FILLERS = ("medic", "climber", "leader", "engineer")
"""Who waits on the start when fewer than four are named; nobody whose abilities touch the others."""
MARKERS = ("flooded", "rubble", "rope")
SIDES = [word(side) for side in Side]
_STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_ACROSS, _DOWN = 3, 2
Place = tuple[int, int]


def parse_cave(drawing: str) -> dict[Place, tuple[str, frozenset[str]]]:
    """The letter and the open sides of every place of a drawing, in order of placing."""
    rows = dedent(drawing).strip("\n").split("\n")
    ink = {(column, row): mark for row, line in enumerate(rows) for column, mark in enumerate(line) if mark != " "}
    left, top = next(at for at, mark in ink.items() if mark == "S")
    letters, opened = {}, {}
    for (column, row), mark in ink.items():
        if mark.isalpha():
            x, off_column = divmod(column - left, _ACROSS)
            y, off_row = divmod(top - row, _DOWN)
            assert not off_column and not off_row, f"{mark!r} is off the grid of S in\n{drawing}"
            letters[x, y] = mark
            opened[x, y] = frozenset(side for side, marks in _edges(column, row) if any(ink.get(a) in m for a, m in marks))
    letters[0, 0], opened[0, 0] = "S", frozenset(SIDES)
    order = _in_order_of_placing(opened)
    assert len(order) == len(letters), f"some tile is not connected with the start in\n{drawing}"
    return {place: (letters[place], opened[place]) for place in order}
