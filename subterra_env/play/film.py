"""The game of a record as moving pictures."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from subterra_env.envs.painter import pixels
from subterra_env.envs.render import save_animation, save_frames
from subterra_env.game import SUBTERRA

ANIMATION = ".gif"


def save_film(record: Path, output: Path, every: int = 1) -> int:
    """Draws every so many events of a record and the last, into a GIF or a folder; the number of pictures.

    Raises ``record.RecordError`` for a record that is wrong.
    """
    frames = list(_frames(record, every))
    if output.suffix == ANIMATION:
        save_animation(frames, output)
    else:
        save_frames(frames, output)
    return len(frames)


def _frames(record: Path, every: int) -> Iterator[np.ndarray]:
    replay = SUBTERRA.record.Replay(SUBTERRA.record.read_one(SUBTERRA.record.file_lines(record)))
    for events in range(len(replay) + 1):
        if events % every == 0 or events == len(replay):
            yield pixels(SUBTERRA.picture.picture(replay.to(events)[0]))
