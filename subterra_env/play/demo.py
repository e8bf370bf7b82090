"""What ``subterra demo`` shows: a game told round by round, then a policy that learns."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from subterra_env.game import SUBTERRA
from subterra_env.play.recording import agent_named

BOT = "rules"
_MEDAL_STYLES = {"gold": "bold yellow", "silver": "bold white", "bronze": "bold dark_orange3"}
_HORROR_QUESTIONS = ("horror order", "horror path", "spawn")


def show_game(seed: int) -> None:
    """Plays the game of a seed with the built-in bot and prints every round, the cave before it, and the medal."""
    console = Console(highlight=False)
    agent = agent_named(BOT)
    lines = SUBTERRA.record.play_record(SUBTERRA.options(), seed, agent.act)
    replay = SUBTERRA.record.Replay(SUBTERRA.record.read_one(lines))
    for number, events in groupby(_events(replay), key=lambda event: event[0]):
        console.rule(f"Round {number}" if number else "Setup")
        _print_drawing(console, replay)
        story = Table.grid(padding=(0, 2))
        for speaker, phrases in _told(line for _, line in events):
            story.add_row(Text(speaker, style="bold"), Text(", ".join(phrases)))
        console.print(story)
    console.rule("The end")
    _print_drawing(console, replay)
    ending = replay.line["end"]
    console.print(f"The medal: {ending}" if ending in _MEDAL_STYLES else "No medal", style=_MEDAL_STYLES.get(ending))


def _print_drawing(console: Console, replay: Any) -> None:
    console.print(Text(SUBTERRA.notation.drawing(replay.states[0])), soft_wrap=True)


def _events(replay: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """The round and the record line of every event; the replay stands before the event that was given last."""
    for _ in range(len(replay)):
        yield int(replay.states[0]["round_number"]), replay.line
        replay.forward()


def _told(lines: Iterator[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    """Who does something, and what; luck that decides on it stands beside it."""
    speaker, phrases = "", list[str]()
    for line in lines:
        who = _speaker(line) or speaker
        if who != speaker and phrases:
            yield speaker, phrases
            phrases = []
        speaker = who
        phrases.extend(_phrases(line))
    if phrases:
        yield speaker, phrases


def _speaker(line: dict[str, Any]) -> str | None:
    """Who acts or rolls; None if the line belongs to whoever acted last."""
    if line.get("ask") in _HORROR_QUESTIONS:
        return "horrors"
    if line.get("chance") == "hazard":
        return "hazard"
    caver: str | None = line.get("caver")
    return caver


def _phrases(line: dict[str, Any]) -> list[str]:
    """What the line says to somebody who reads along; how a tile is turned is seen in the drawing."""
    if "ask" in line:
        return [] if line["do"].startswith("place drawn") else [line["do"]]
    if line["chance"] == "die":
        return [f"rolls {line['outcome']} ({line['for']})"]
    return [line["outcome"] if line["chance"] == "hazard" else f"draws {line['outcome']}"]
