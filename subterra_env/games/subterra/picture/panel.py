"""The panel beside the cave: who is asked what, the team's health, stack, hazards, and what lies aside."""

from collections.abc import Iterator
from typing import Any

from subterra_env.games.subterra.box.cavers import HEALTH
from subterra_env.games.subterra.box.hazards import CARD_NAMES
from subterra_env.games.subterra.box.tiles import NO_TILE, TILE_TYPES
from subterra_env.games.subterra.luck import exit_is_due
from subterra_env.games.subterra.picture import colours
from subterra_env.games.subterra.picture.pieces import caver_shapes
from subterra_env.games.subterra.picture.tile import SIZE, tile_shapes
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, Chance, Check, Ending, Node, Question, word
from subterra_env.shapes import Point, Shape, Text, rectangle

PANEL_WIDTH = 380.0
_LEFT = 24.0
_LINE = 22.0
_CAVER_LINE = 40.0
_HEAD = 112.0
_HEART = 15.0
_DECK_LINES = 9
"""The most lines that `_decks` writes, and room above and below."""


def panel_height(state: Any) -> float:
    """Height that the panel needs."""
    return _HEAD + int(state["caver_count"]) * _CAVER_LINE + _DECK_LINES * _LINE + SIZE + 2 * _LEFT


def panel_shapes(state: Any, origin: Point, height: float) -> Iterator[Shape]:
    x, y = origin
    yield rectangle(x, y, PANEL_WIDTH, height, colours.PANEL)
    yield Text((x + _LEFT, y + 42), _headline(state), 24, colours.PAPER, "start", bold=True)
    yield Text((x + _LEFT, y + 74), _what_is_due(state), 16, colours.GOLD, "start")
    y += _HEAD
    for seat in range(int(state["caver_count"])):
        yield from _caver_line(state, seat, (x, y))
        y += _CAVER_LINE
    yield from _decks(state, (x, y + 12))
    yield from _aside(state, (x, y + _DECK_LINES * _LINE))


def _headline(state: Any) -> str:
    if state["node"] == Node.END:
        return f"{word(Ending(int(state['ending']))).capitalize()} after round {state['round_number']}"
    phase = ("Setup", "Start of round", "Action", "Horror", "Hazard", "End")[int(state["phase"])]
    return f"Round {state['round_number']} · {phase}"


def _what_is_due(state: Any) -> str:
    if state["node"] == Node.CHANCE:
        return _chance_due(state)
    if state["node"] == Node.ASK:
        asked = word(Caver(int(state["cavers"][int(state["asked"])]["who"])))
        question = word(Question(int(state["question"])))
        points = f", {state['points']} points" if state["question"] == Question.TURN else ""
        return f"The {asked} is asked: {question}{points}"
    return ""


def _chance_due(state: Any) -> str:
    if state["chance"] == Chance.DIE:
        seat = int(state["checker"])
        who = "" if seat == NOBODY else f" of the {word(Caver(int(state['cavers'][seat]['who'])))}"
        return f"Chance: die for {word(Check(int(state['check'])))}{who}"
    return f"Chance: {word(Chance(int(state['chance'])))}"


def _caver_line(state: Any, seat: int, at: Point) -> Iterator[Shape]:
    """Disc, name, hearts, and what else is to be known of a caver."""
    x, y = at
    caver = state["cavers"][seat]
    who = Caver(int(caver["who"]))
    asked = state["node"] == Node.ASK and state["asked"] == seat
    conscious = bool(caver["health"] > 0) and not caver["lost"]
    yield from caver_shapes((x + _LEFT + 14, y + 12), who, conscious, bool(caver["hidden"]), asked)
    yield Text((x + _LEFT + 42, y + 17), word(who), 17, colours.PAPER, "start")
    for heart in range(int(HEALTH[who])):
        fill = colours.DANGER if heart < caver["health"] else "#444852"
        yield rectangle(x + 160 + heart * (_HEART + 4), y + 4, _HEART, _HEART, fill, colours.INK, 1)
    yield Text((x + PANEL_WIDTH - _LEFT, y + 17), _remark(state, seat), 14, colours.FAINT, "end")


def _remark(state: Any, seat: int) -> str:
    caver = state["cavers"][seat]
    remarks = []
    if caver["lost"]:
        remarks.append("lost")
    elif caver["dived_from"] != NOWHERE:
        remarks.append("submerged")
    elif caver["health"] == 0:
        remarks.append("unconscious")
    if caver["hidden"]:
        remarks.append("hidden")
    if state["exit_slot"] != NOWHERE and caver["slot"] == state["exit_slot"]:
        remarks.append("out")
    if state["first"] == seat:
        remarks.append("first")
    return ", ".join(remarks)


def _decks(state: Any, at: Point) -> Iterator[Shape]:
    x, y = at
    unseen = [f"{name} {n}" for name, n in zip(CARD_NAMES, state["unseen_cards"], strict=True) if n]
    out = "; the exit may come" if exit_is_due(state) else ""
    lines = [
        (f"Stack: {state['places_left']} places left{out}", colours.PAPER),
        (f"Hazard cards left: {state['cards_left']}" if state["cards_left"] else "Out of time", colours.PAPER),
        *((line, colours.FAINT) for line in _wrapped(["unseen: " + unseen[0], *unseen[1:]] if unseen else [])),
    ]
    if state["gas_out"]:
        lines.append(("Gas is out", colours.GOLD))
    who = {int(caver["who"]) for caver in state["cavers"][: int(state["caver_count"])]}
    if Caver.SCOUT in who:
        lines.append((f"Guide: {state['guides_left']} left", colours.PAPER))
    if Caver.ENGINEER in who:
        lines.append((f"Explosives: {state['explosives_left']} left", colours.PAPER))
    for number, (line, colour) in enumerate(lines):
        yield Text((x + _LEFT, y + 20 + number * _LINE), line, 15, colour, "start")


def _wrapped(words: list[str]) -> list[str]:
    """Words in lines of the panel's width."""
    lines, most = [""], 40
    for item in words:
        joined = f"{lines[-1]}, {item}" if lines[-1] else item
        if len(joined) > most:
            lines.append(item)
        else:
            lines[-1] = joined
    return [line for line in lines if line]


def _aside(state: Any, at: Point) -> Iterator[Shape]:
    """The drawn tile and the geologist's reserve, unturned."""
    x, y = at
    for label, tile in (("drawn", int(state["drawn"])), ("reserve", int(state["reserve"]))):
        if tile != NO_TILE:
            yield Text((x + _LEFT, y + 14), f"{label}: {TILE_TYPES[tile].name}", 14, colours.PAPER, "start")
            yield from tile_shapes((x + _LEFT, y + 24), tile, 0)
            x += SIZE + 60
