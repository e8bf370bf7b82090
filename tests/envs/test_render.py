"""Pictures: every mode of every kind of environment, windows that close, films."""

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from subterra_env import SUBTERRA, aec_env, parallel_env, single_env
from subterra_env.envs.render import MODES, Renderer, RenderError, pixels, save_animation, save_frames
from subterra_env.envs.vector import SubTerraVectorEnv
from subterra_env.shapes import Disc, Picture, Polygon, Text, svg
from subterra_env.shapes import Path as Line
from tests.random_games import play, varied_options

MAKERS: list[Any] = [aec_env, parallel_env, single_env]


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")


def states_of_many_kinds() -> Iterator[np.ndarray]:
    """Every eleventh position of games of all rule sets and team sizes."""
    for number in range(1, 28, 2):
        for event, states in enumerate(play(varied_options(number), number, number)):
            if event % 11 == 0:
                yield states


@pytest.mark.parametrize("make", MAKERS)
def test_environments_show_what_their_mode_says(make: Any) -> None:
    shown = {}
    for mode in MODES:
        env = make(render_mode=mode)
        env.reset(seed=1)
        shown[mode] = env.render()
        env.close()
    assert "start" in shown["ansi"]
    assert shown["svg"].startswith("<svg")
    assert shown["rgb_array"].dtype == np.uint8
    assert shown["rgb_array"].shape[2] == 3
    assert shown["human"] is None


def test_a_vector_shows_every_game() -> None:
    env = SubTerraVectorEnv(2, render_mode="svg")
    env.reset(seed=0)
    assert [text[:4] for text in env.render()] == ["<svg", "<svg"]


def test_no_mode_shows_nothing_and_an_unknown_one_is_named() -> None:
    assert Renderer(SUBTERRA, None).show(SUBTERRA.record.begun(SUBTERRA.options())) is None
    with pytest.raises(RenderError, match="'film'"):
        Renderer(SUBTERRA, "film")


def test_every_position_can_be_drawn_as_valid_svg_within_its_sheet() -> None:
    drawn = 0
    for states in states_of_many_kinds():
        picture = SUBTERRA.picture.picture(states[0])
        root = ElementTree.fromstring(svg(picture))
        assert root.tag.endswith("svg")
        for shape in picture.shapes:
            for x, y in points_of(shape):
                assert -20 <= x <= picture.width + 20
                assert -20 <= y <= picture.height + 20
        drawn += 1
    assert drawn > 100


def points_of(shape: Any) -> list[tuple[float, float]]:
    match shape:
        case Polygon(points=points) | Line(points=points):
            return list(points)
        case Disc(centre=centre):
            return [centre]
        case Text(at=at):
            return [at]
    raise AssertionError(shape)


def test_who_is_asked_and_what_it_may_do_is_in_the_picture() -> None:
    states = SUBTERRA.record.begun(SUBTERRA.options(cavers=("medic", "scout", "leader", "diver")))
    texts = [shape.text for shape in SUBTERRA.picture.picture(states[0]).shapes if isinstance(shape, Text)]
    assert "The medic is asked: turn, 2 points" in texts
    assert texts.count("?") == 4
    assert "Me" in texts


def test_pixels_show_the_shapes() -> None:
    picture = Picture(20, 10, "#000000", "two", (Polygon(((0, 0), (10, 0), (10, 10), (0, 10)), "#ff0000"),))
    seen = pixels(picture)
    assert seen.shape == (10, 20, 3)
    assert seen[5, 4].tolist() == [255, 0, 0]
    assert seen[5, 15].tolist() == [0, 0, 0]


def test_looking_changes_nothing() -> None:
    for states in states_of_many_kinds():
        before = states.tobytes()
        SUBTERRA.picture.picture(states[0])
        SUBTERRA.notation.drawing(states[0])
        assert states.tobytes() == before


def test_a_window_closes_and_opens_again() -> None:
    import pygame

    renderer = Renderer(SUBTERRA, "human")
    states = SUBTERRA.record.begun(SUBTERRA.options())
    for _ in range(2):
        renderer.show(states)
        assert pygame.display.get_init()
        renderer.close()
        assert not pygame.display.get_init()
    renderer.close()


def test_films(tmp_path: Path) -> None:
    from PIL import Image

    frames = [np.full((height, 30, 3), height, np.uint8) for height in (20, 40, 40)]
    save_animation(frames, tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as film:
        assert (film.n_frames, film.size) == (2, (30, 40))
    assert save_frames(frames, tmp_path / "frames") == 3
    assert sorted(path.name for path in (tmp_path / "frames").iterdir()) == ["0000.png", "0001.png", "0002.png"]
    for bad in (tmp_path / "game.mp4", tmp_path / "empty.gif"):
        with pytest.raises(RenderError):
            save_animation([] if "empty" in bad.name else frames, bad)
