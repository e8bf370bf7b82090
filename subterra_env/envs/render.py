"""Pictures of a game for people: text, SVG, pixels, a window, and animated recordings.

What is drawn comes from the game (``game.picture``, ``game.notation.drawing``); here it is only put on paper or screen.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from subterra_env.envs.painter import painted, pixels, pygame_quietly
from subterra_env.shapes import Picture, svg

if TYPE_CHECKING:
    import pygame

    from subterra_env.game import Game

MODES = ("ansi", "rgb_array", "human", "svg")
FRAMES_PER_SECOND = 4


class RenderError(ValueError):
    """A render mode that does not exist, or a file format that cannot be written."""


class Renderer:
    """Shows the states of one game in one mode; ``human`` opens a window, which ``close`` closes."""

    def __init__(self, game: "Game", mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise RenderError(f"render_mode {mode!r}; there are {', '.join(MODES)}, or None")
        self.game = game
        self.mode = mode
        self._window: pygame.Surface | None = None

    def show(self, states: np.ndarray) -> str | np.ndarray | None:
        """The first game of ``states``: text for ansi and svg, uint8[height, width, 3] for rgb_array."""
        match self.mode:
            case "ansi":
                return str(self.game.notation.drawing(states[0]))
            case "svg":
                return svg(self.game.picture.picture(states[0]))
            case "rgb_array":
                return pixels(self.game.picture.picture(states[0]))
            case "human":
                self._show_window(self.game.picture.picture(states[0]))
        return None

    def close(self) -> None:
        """Closes the window, if one is open."""
        if self._window is not None:
            pygame_quietly().display.quit()
            self._window = None

    def _show_window(self, picture: Picture) -> None:
        pygame = pygame_quietly()
        size = (round(picture.width), round(picture.height))
        if self._window is None or self._window.get_size() != size:
            pygame.display.init()
            self._window = pygame.display.set_mode(size)
            pygame.display.set_caption(picture.title)
        self._window.blit(painted(picture), (0, 0))
        pygame.display.flip()
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.close()
                return


def save_animation(frames: Iterable[np.ndarray], path: Path, frames_per_second: float = FRAMES_PER_SECOND) -> None:
    """Writes frames (uint8[height, width, 3] each, not necessarily of one size) as a GIF.

    Raises RenderError if there are no frames or the name does not end in ``.gif``. Needs Pillow.
    """
    from PIL import Image

    images = [Image.fromarray(frame) for frame in _of_one_size(list(frames))]
    if not images or path.suffix != ".gif":
        raise RenderError(f"{path}: an animation is a .gif of at least one frame; there are {len(images)}")
    pause = round(1000 / frames_per_second)
    images[0].save(path, save_all=True, append_images=images[1:], duration=pause, loop=0, optimize=True)


def save_frames(frames: Iterable[np.ndarray], folder: Path) -> int:
    """Writes frames as ``0000.png``, ``0001.png``, … into a folder, which is made; the number of them. Needs Pillow."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for frame in frames:
        Image.fromarray(frame).save(folder / f"{count:04d}.png")
        count += 1
    return count


def _of_one_size(frames: list[np.ndarray]) -> list[np.ndarray]:
    """The cave grows: smaller frames are set into the middle of the largest size, in the colour of their corner."""
    height = max((frame.shape[0] for frame in frames), default=0)
    width = max((frame.shape[1] for frame in frames), default=0)
    return [_set_into(frame, height, width) for frame in frames]


def _set_into(frame: np.ndarray, height: int, width: int) -> np.ndarray:
    sheet = np.empty((height, width, 3), np.uint8)
    sheet[:] = frame[0, 0]
    top, left = (height - frame.shape[0]) // 2, (width - frame.shape[1]) // 2
    sheet[top : top + frame.shape[0], left : left + frame.shape[1]] = frame
    return sheet
