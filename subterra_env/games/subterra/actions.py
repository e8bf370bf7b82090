"""Every answer as a number, declared once: ids, words, documentation table and fingerprint derive from ``BLOCKS``.

Ids are absolute: sides are north, east, south, west, cavers are named by who they are. The first 64 ids are all that a
``turn`` question can offer, so that its legal answers fit one word.
"""

import hashlib
from dataclasses import dataclass

from subterra_env.games.subterra.box.cavers import MOST_HORRORS
from subterra_env.games.subterra.box.tiles import MOST_HORROR_TILES, MOST_WATER, QUARTER_TURNS
from subterra_env.games.subterra.terms import Caver, Side, words

_SIDES = tuple(words(Side))
_CAVERS = tuple(words(Caver))
_TURNS = tuple(str(turns) for turns in range(QUARTER_TURNS))


@dataclass(frozen=True)
class Block:
    """A run of action ids that differ in their object only."""

    verb: str
    objects: tuple[str, ...]
    meaning: str
    section: str
    places: bool = False
    """The object is a number of a tile or horror here, and its place ``x,y`` in words."""

    @property
    def size(self) -> int:
        return max(1, len(self.objects))


BLOCKS: tuple[Block, ...] = (
    Block("wait", (), "not asked: the only answer of an agent that is not asked", "-"),
    Block("reveal", _SIDES, "draw a tile and lay it on that side", "4.1"),
    Block("explore", _SIDES, "draw a tile, lay it on that side and move onto it", "4.3"),
    Block("move", _SIDES, "one step; also the next step of a run or sprint", "4.2"),
    Block("run", _SIDES, "up to three steps, the first to that side", "4.4"),
    Block("sprint", _SIDES, "up to two steps, the first to that side (medic)", "8.6"),
    Block("swim", _SIDES, "onto a flooded tile", "4.6"),
    Block("squeeze", _SIDES, "onto a squeeze", "4.7"),
    Block("dig", _SIDES, "remove the rubble of the tile on that side", "4.8"),
    Block("demolish", _SIDES, "blast the wall on that side, then a cave-in (engineer)", "8.4"),
    Block("repel", _SIDES, "remove a horror from the tile on that side (bodyguard)", "8.7"),
    Block("dig here", (), "remove the rubble of the own tile", "4.8"),
    Block("place rope", (), "on the own ledge or slide", "4.9"),
    Block("hide", (), "be no potential victim until the End phase", "4.10"),
    Block("dive", (), "leave the board from a water tile (diver)", "8.1"),
    Block("exert", (), "one more action point, a skill check at the end of the turn", "3.3"),
    Block("end turn", (), "no more actions in this turn", "4.11"),
    Block("leave", (), "declare the expedition over", "4.12"),
    Block("heal", _CAVERS, "one health for that caver", "4.5"),
    Block("direct", _CAVERS, "that caver may do one action for one point (leader)", "8.8"),
    Block("place drawn", _TURNS, "lay the drawn tile after so many quarter turns", "5.2"),
    Block("place reserve", _TURNS, "lay the tile in reserve after so many quarter turns (geologist)", "8.3"),
    Block("discard", (), "discard the drawn tile and take the next (scout)", "8.2"),
    Block("stop", (), "no more steps of this run", "4.4"),
    Block("pass", (), "decline the leader's direction", "8.8"),
    Block("path", _SIDES, "the way the horror comes", "6.4"),
    Block("surface", tuple(map(str, range(MOST_WATER))), "on the k-th water tile laid (diver)", "8.1", places=True),
    Block("horror", tuple(map(str, range(MOST_HORRORS))), "the k-th oldest horror moves next", "6.5", places=True),
    Block(
        "spawn", tuple(map(str, range(MOST_HORROR_TILES))), "a horror on the k-th horror tile laid", "6.7", places=True
    ),
)


def _start(verb: str) -> int:
    start = 0
    for block in BLOCKS:
        if block.verb == verb:
            return start
        start += block.size
    raise KeyError(verb)


ACTIONS = sum(block.size for block in BLOCKS)
"""How many action ids there are."""

WAIT = _start("wait")
REVEAL, EXPLORE, MOVE, RUN, SPRINT = map(_start, ("reveal", "explore", "move", "run", "sprint"))
SWIM, SQUEEZE, DIG, DEMOLISH, REPEL = map(_start, ("swim", "squeeze", "dig", "demolish", "repel"))
DIG_HERE, PLACE_ROPE, HIDE, DIVE = map(_start, ("dig here", "place rope", "hide", "dive"))
EXERT, END_TURN, LEAVE = map(_start, ("exert", "end turn", "leave"))
HEAL, DIRECT = map(_start, ("heal", "direct"))
PLACE_DRAWN, PLACE_RESERVE, DISCARD = map(_start, ("place drawn", "place reserve", "discard"))
STOP, PASS, PATH = map(_start, ("stop", "pass", "path"))
SURFACE, HORROR, SPAWN = map(_start, ("surface", "horror", "spawn"))


def _spellings() -> tuple[str, ...]:
    return tuple(
        f"{block.verb} {item}" if item else block.verb for block in BLOCKS for item in (block.objects or ("",))
    )


SPELLINGS: tuple[str, ...] = _spellings()
"""The word of every id; answers that name a place have a number here (`notation` turns it into the place)."""


def block_of(action: int) -> Block:
    """The block an action id belongs to. Raises IndexError for a number that is no action id."""
    if not 0 <= action < ACTIONS:
        raise IndexError(f"{action} is no action id; there are {ACTIONS}, from 0 on")
    start = 0
    for block in BLOCKS:
        start += block.size
        if action < start:
            return block
    raise AssertionError("blocks cover all ids")


def fingerprint() -> str:
    """Sixteen hexadecimal digits that change whenever an id changes its meaning."""
    return hashlib.sha256("\n".join(SPELLINGS).encode()).hexdigest()[:16]


def table() -> str:
    """The documentation page of the action ids, in Markdown."""
    rows = ["| id | words | what it does | rulebook |", "| --- | --- | --- | --- |"]
    start = 0
    for block in BLOCKS:
        ids = str(start) if block.size == 1 else f"{start}-{start + block.size - 1}"
        objects = ", ".join(block.objects)
        spelled = f"{block.verb} x,y (k = {objects})" if block.places else " ".join((block.verb, objects)).strip()
        rows.append(f"| {ids} | {spelled} | {block.meaning} | {block.section} |")
        start += block.size
    return "\n".join(rows) + "\n"
