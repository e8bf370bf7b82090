"""Writes the reference pages beside this file, and finds those that are out of date."""

from pathlib import Path

from subterra_env.game import SUBTERRA, Game

FOLDER = Path(__file__).parent


def write(folder: Path = FOLDER, game: Game = SUBTERRA) -> list[Path]:
    """Writes every page of a game into ``folder``; the files written."""
    written = []
    for name, text in game.reference.pages().items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def stale(folder: Path = FOLDER, game: Game = SUBTERRA) -> list[str]:
    """The names of the pages in ``folder`` that are missing or do not say what the game says."""
    return [name for name, text in game.reference.pages().items() if _read(folder / name) != text]


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
