"""Section 11: what is asked, and what is settled without asking."""

import pytest

from .scene import Scene, rule


@rule("11", "3.2")
def test_turn_is_asked_even_if_end_turn_is_the_only_answer() -> None:
    """On a ledge at the edge of the cave, the way back flooded, with one point left."""
    scene = Scene("S--w--a-", "scout on a", w="water flooded", a="ledge east", points=1, exerted=True)
    assert (scene.at, scene.legal) == ("scout turn", {"end turn"})


@rule("11", "3.3")
def test_without_points_it_is_asked_for_the_exertion_and_then_ends_by_itself() -> None:
    scene = Scene("S--o-", "scout", points=1).do("move east")
    assert scene.legal == {"exert", "end turn"}
    scene.do("exert", "move west")
    assert scene.at == "scout rolls exert"


@rule("11")
@pytest.mark.parametrize("kind", ["ordinary straight", "ordinary crossroads", "ledge straight"])
def test_a_single_placement_is_not_asked(kind: str) -> None:
    assert Scene().do("reveal north").tile(kind).at == "medic turn"


@rule("11", "4.4")
def test_a_run_that_can_only_stop_is_not_asked() -> None:
    """Back is barred, ahead is a flood."""
    scene = Scene("-w--a--S", "scout on S", a="slide west", w="water flooded").do("run west")
    assert (scene.place("scout"), scene.at, scene.points) == ("a", "scout turn", 0)


@rule("11", "8.1")
def test_surfacing_on_the_only_water_tile_is_not_asked() -> None:
    scene = Scene("S--w-", "medic, diver on w dived, climber, leader").do("end turn")
    assert (scene.place("diver"), scene.at) == ("w", "climber turn")


@rule("11", "8.8")
def test_direct_is_asked_even_for_one_action_because_of_pass() -> None:
    scene = Scene("S--a-", "leader, scout on a", a="ledge east").do("direct scout")
    assert scene.legal == {"move west", "pass"}


@rule("11", "6.7")
def test_a_single_spawn_tile_is_not_asked() -> None:
    assert Scene("h--S").end_turns().card("horror").horrors == ["h"]


@rule("11")
def test_answers_are_told_apart_by_their_words_not_by_their_effect() -> None:
    """Sprinting or running one step is the same as moving, and all three are answers."""
    assert {"move east", "run east", "sprint east"} <= Scene("S--o-").legal


@rule("11")
def test_a_single_outcome_is_still_drawn() -> None:
    scene = Scene(left=1).do("reveal north")
    assert (scene.at, scene.odds) == ("tile", {"exit dead end": 1})
