"""What ``subterra demo`` shows: a game told round by round, then a policy that learns."""

from bisect import bisect
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import as_file, files
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from subterra_env.game import SUBTERRA
from subterra_env.play.advising import budget_of, print_advice
from subterra_env.play.recording import agent_named

BOT = "rules"
ADVISER, ANSWERS = "rollout", 2
THINKING = "400sims"
"""What the adviser may think; counted, so that the story is the same every time."""
HALFWAY = 0.5
"""Share of the rounds after which advice is shown as well: most games are still open then."""
TRAINING = "subterra_env.train"
CONFIG = files("subterra_env.configs") / "demo.yaml"
_MEDAL_STYLES = {"gold": "bold yellow", "silver": "bold white", "bronze": "bold dark_orange3"}
_HORROR_QUESTIONS = ("horror order", "horror path", "spawn")


def show_game(seed: int) -> None:
    """Plays the game of a seed with the built-in bot and prints every round, the cave before it, and the medal.

    At the turning points it also prints what an agent that compares answers would do there.
    """
    console = Console(highlight=False)
    agent, adviser = agent_named(BOT), agent_named(ADVISER)
    lines = SUBTERRA.record.play_record(SUBTERRA.options(), seed, agent.act)
    replay = SUBTERRA.record.Replay(SUBTERRA.record.read_one(lines))
    last_round = last_part = None
    for (number, part), events in groupby(_events(replay, turning_points(replay)), key=lambda event: event[:2]):
        if number != last_round:
            console.rule(f"Round {number}" if number else "Setup")
            _print_drawing(console, replay)
        if part != last_part and part:
            _print_advice(console, adviser, replay)
        last_round, last_part = number, part
        story = Table.grid(padding=(0, 2))
        for speaker, phrases in _told(line for _, _, line in events):
            story.add_row(Text(speaker, style="bold"), Text(", ".join(phrases)))
        console.print(story)
    console.rule("The end")
    _print_drawing(console, replay)
    ending = replay.line["end"]
    console.print(f"The medal: {ending}" if ending in _MEDAL_STYLES else "No medal", style=_MEDAL_STYLES.get(ending))


def turning_points(replay: Any) -> list[int]:
    """The events before which advice is shown: the first turn, one halfway, and that after the exit is found."""
    turns = [at for at in range(len(replay)) if SUBTERRA.notation.question_word(replay.to(at)[0]) == "turn"]
    found = [at for at in turns if not replay.to(at)[0]["exit_in_stack"]]
    halfway = replay.to(len(replay))[0]["round_number"] * HALFWAY
    late = [at for at in turns if replay.to(at)[0]["round_number"] >= halfway]
    replay.to(0)
    return sorted({events[0] for events in (turns, late, found) if events})


def show_training() -> None:
    """Trains a policy on a small cave as ``configs/demo.yaml`` says, and prints its score beside random play's."""
    console = Console(highlight=False)
    training, judging = (import_module(f"{TRAINING}.{name}") for name in ("maskable_ppo", "judging"))
    with as_file(CONFIG) as path:
        config = training.load_config(path)
    table = ", ".join(f"{name} {value}" for name, value in config.table.items() if name != "cavers")
    console.rule(f"MaskablePPO learns on a small cave ({table})")
    with _progress_bar(console) as bar:
        task = bar.add_task("learning", saved="", total=1)

        def show(at: Any) -> None:
            saved = f"saved of late {at.of_late['saved']:.0%}" if at.of_late else ""
            bar.update(task, completed=_share_done(at, config), saved=saved)

        trained = training.train(config, None, show).judge()
        bar.update(task, completed=1)
    chance = judging.judged(judging.at_random(config.seed), config.table, config.team, config.evaluation_games)
    console.print(_scores(trained, chance))


def _progress_bar(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    return Progress(*columns, TextColumn("{task.fields[saved]}"), console=console)


def _share_done(at: Any, config: Any) -> float:
    """Training ends with the last decision or the last second, whichever comes first."""
    by_time = at.seconds / config.seconds if config.seconds else 0.0
    return float(min(1.0, max(at.decisions / at.total, by_time)))


def _scores(trained: Any, chance: Any) -> Table:
    table = Table("", "cavers saved", "games with a medal", title=f"{trained.games} games, the same for both")
    for name, score in (("random", chance), ("trained", trained)):
        table.add_row(name, f"{score.saved:.1%} ± {score.saved_error:.1%}", f"{score.success:.1%}")
    return table


def _print_drawing(console: Console, replay: Any) -> None:
    console.print(Text(SUBTERRA.notation.drawing(replay.states[0])), soft_wrap=True)


def _print_advice(console: Console, adviser: Any, replay: Any) -> None:
    view = SUBTERRA.view(replay.states)
    console.print()
    console.print(f"What now? {SUBTERRA.notation.stands_at(view[0])}", style="bold")
    print_advice(console, adviser.advise(view, ANSWERS, budget_of(THINKING)))
    console.print()


def _events(replay: Any, parts: list[int]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The round, the turning points so far and the record line of every event; the replay stands before it."""
    for at in range(len(replay)):
        yield int(replay.states[0]["round_number"]), bisect(parts, at), replay.line
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
