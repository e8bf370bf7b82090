"""Chapter 4: the actions that are no moves."""

import pytest

from .drawn import EAST
from .scene import Scene, rule

OUT = """
    o--S--E
    """


def heals(scene: Scene) -> set[str]:
    """The cavers who may be healed."""
    return {answer.removeprefix("heal ") for answer in scene.legal if answer.startswith("heal ")}


@rule("4.5")
def test_heal_costs_two_and_gives_one_health() -> None:
    scene = Scene(team="scout health 1, climber").do("heal scout")
    assert (scene.health("scout"), scene.points) == (2, 0)
    assert not heals(Scene(team="scout health 1, climber", points=1))


@rule("4.5", "3.5")
def test_heal_reaches_oneself_and_all_on_the_tile_conscious_or_not() -> None:
    scene = Scene("S--o-", "scout health 2, climber health 0, leader health 1 hidden, engineer on o health 1, medic")
    assert heals(scene) == {"scout", "climber", "leader"}
    assert scene.do("heal climber").health("climber") == 1


@rule("4.5")
def test_nobody_at_full_health_is_healed() -> None:
    assert heals(Scene(team="scout, climber, bodyguard health 4, leader")) == {"bodyguard"}


@rule("4.8")
def test_dig_here_costs_two() -> None:
    scene = Scene("S--a\n   |", "scout on a", a="cave-in 1-4 rubble").do("dig here")
    assert (scene.markers("a"), scene.points) == (set(), 0)
    assert "dig here" not in Scene("S--a\n   |", "scout on a", a="cave-in 1-4 rubble", points=1).legal
    assert "dig here" not in Scene("S--a\n   |", "scout on a", a="cave-in 1-4").legal


@rule("4.8")
def test_dig_removes_the_rubble_of_a_connected_tile() -> None:
    scene = Scene("S--a\n   |", "scout", a="cave-in 1-4 rubble")
    assert scene.sides("dig") == {EAST}
    scene.do("dig east")
    assert (scene.markers("a"), scene.points) == (set(), 0)
    assert EAST in scene.do("exert").sides("move")
    assert not Scene("S--a\n   |", "scout", a="cave-in 1-4 rubble", points=1).sides("dig")


@rule("4.8", "5.1")
def test_dig_does_not_reach_through_walls() -> None:
    scene = Scene(
        """
        a--b
        |  |
        S- c-
        """,
        "scout",
        a="gas",
        b="gas",
        c="cave-in 1-4 rubble",
    )
    assert scene.sides("dig") == set()


@rule("4.9", "3.4")
@pytest.mark.parametrize("kind", ["ledge east", "slide east"])
@pytest.mark.parametrize(("number", "markers"), [(3, set()), (4, {"rope"})])
def test_place_rope_costs_two_and_a_check(kind: str, number: int, markers: set[str]) -> None:
    scene = Scene("S--a-", "scout on a", a=kind).do("place rope")
    assert scene.at == "scout rolls rope"
    scene.roll(number)
    assert (scene.markers("a"), scene.points) == (markers, 0)
    assert "place rope" not in Scene("S--a-", "scout on a", a=kind, points=1).legal


@rule("4.9")
def test_a_rope_is_placed_on_the_own_ledge_or_slide_that_has_none() -> None:
    assert "place rope" not in Scene("S--a-", "scout", a="ledge east").legal
    assert "place rope" not in Scene("S--a-", "scout on a", a="ledge east rope").legal
    assert "place rope" not in Scene("S--a-", "scout on a", a="ordinary").legal


@rule("4.10", "3.4")
@pytest.mark.parametrize(("number", "hidden"), [(3, False), (4, True)])
def test_hide_costs_two_and_a_check(number: int, hidden: bool) -> None:
    scene = Scene(team="scout").do("hide")
    assert scene.at == "scout rolls hide"
    scene.roll(number)
    assert (scene.hidden("scout"), scene.points) == (hidden, 0)
    assert "hide" not in Scene(team="scout", points=1).legal


@rule("4.10", "6.3")
def test_who_hides_is_no_potential_victim() -> None:
    """With a victim two steps away the horror comes; without one it is removed."""
    team = "medic, scout, climber health 0, leader health 0"
    seen = Scene("h--a--S", team, a="ordinary", horrors="h").do("hide").roll(3)
    assert seen.end_turns().horrors == ["a"]
    hidden = Scene("h--a--S", team, a="ordinary", horrors="h").do("hide").roll(4)
    assert hidden.end_turns().horrors == []


@rule("4.10")
def test_moving_does_not_end_hiding() -> None:
    scene = Scene("S--o-").do("exert", "hide").roll(6).do("move east")
    assert scene.hidden("medic")


@rule("4.10")
def test_unconsciousness_does_not_end_hiding() -> None:
    scene = Scene("S--a\n   |", "medic hidden, climber, leader, engineer", a="gas", horrors="a").do("move east")
    assert (scene.health("medic"), scene.hidden("medic")) == (0, True)


@rule("4.10")
def test_hiding_ends_in_the_end_phase() -> None:
    scene = Scene().do("hide").roll(4).end_turns().card("flood")
    assert not scene.hidden("medic")


def with_hides(running: int) -> Scene:
    """A medic who hid in so many own turns running."""
    return Scene(team=f"medic hides {running}, climber, leader, engineer")


@rule("4.10")
@pytest.mark.parametrize(("running", "at"), [(0, "medic rolls hide"), (1, "medic rolls hide"), (2, "medic turn")])
def test_from_the_third_turn_running_on_no_check_is_made(running: int, at: str) -> None:
    scene = with_hides(running).do("hide")
    assert scene.at == at
    assert scene.hidden("medic") is (running == 2)


def play_round(scene: Scene, *answers: str) -> Scene:
    """The medic's turn with these answers, all checks failed, everybody else waits; then a flood that harms nobody."""
    while scene.at != "medic turn":
        scene.do("end turn")
    for answer in answers:
        scene.do(answer)
        if "rolls" in scene.at:
            scene.roll(1)
    return scene.end_turns().card("flood")


def until_medic(scene: Scene) -> Scene:
    while scene.at != "medic turn":
        scene.do("end turn")
    return scene


@rule("4.10")
def test_using_counts_success_does_not_matter() -> None:
    scene = Scene()
    for _ in range(2):
        play_round(scene, "hide")
    assert until_medic(scene).do("hide").hidden("medic")
    assert scene.at == "medic turn"


@rule("4.10")
def test_also_in_the_fourth_turn_running() -> None:
    scene = Scene()
    for _ in range(3):
        play_round(scene, "hide")
    assert until_medic(scene).do("hide").hidden("medic")


@rule("4.10", "10")
def test_several_in_one_turn_count_once() -> None:
    scene = Scene(rules="guide").do("hide").roll(1).do("hide").roll(1).end_turns().card("flood")
    assert until_medic(scene).do("hide").at == "medic rolls hide"


@rule("4.10")
def test_a_turn_without_it_breaks_the_run() -> None:
    scene = with_hides(2).end_turns().card("flood")
    assert until_medic(scene).do("hide").at == "medic rolls hide"


@rule("4.10", "8.1")
def test_surfacing_breaks_the_run() -> None:
    scene = Scene("S--w-", "medic, diver on w hides 2 dived, climber, leader").end_turns().card("flood")
    assert (scene.place("diver"), scene.at) == ("w", "diver turn")
    assert scene.do("hide").at == "diver rolls hide"


@rule("4.10", "3.5")
def test_a_turn_cut_short_breaks_the_run() -> None:
    scene = Scene("S--r", "climber health 1 hides 2, medic, leader, engineer")
    scene.do("move east").roll(1)
    assert scene.caver("climber")["hides_running"] == 0


@rule("4.10", "3.5")
def test_a_turn_cut_short_after_hiding_counts() -> None:
    scene = Scene("S--r", "climber health 1 hides 1, medic, leader, engineer").do("exert", "hide").roll(1)
    scene.do("move east").roll(1)
    assert scene.caver("climber")["hides_running"] == 2


@rule("4.10", "3.2")
def test_a_turn_passed_over_while_unconscious_neither_counts_nor_breaks() -> None:
    scene = Scene(team="climber, leader health 0 hides 2, medic, engineer").end_turns().card("flood")
    scene.do("heal leader").end_turns().card("flood")
    while scene.at != "leader turn":
        scene.do("end turn")
    assert scene.do("hide").hidden("leader")


@rule("4.10", "8.8", "10")
def test_a_directed_hide_always_needs_the_check_and_does_not_count() -> None:
    scene = Scene(team="leader, medic hides 2, climber, engineer", rules="guide").do("direct medic", "hide")
    assert scene.at == "medic rolls hide"
    scene.roll(1).do("end turn", "hide")
    assert (scene.at, scene.hidden("medic")) == ("medic turn", True)


@rule("4.10", "8.8", "10")
def test_a_directed_hide_does_not_break_the_run_nor_lengthen_it() -> None:
    after_own_turn = Scene(team="leader, medic hides 1, climber, engineer", rules="guide", first="medic", turn="leader")
    after_own_turn.do("direct medic", "hide").roll(1)
    assert after_own_turn.caver("medic")["hides_running"] == 1


@rule("4.10")
def test_hide_is_not_offered_while_hidden_or_on_the_exit_otherwise_always() -> None:
    assert "hide" not in Scene(team="medic hidden").legal
    assert "hide" not in Scene("S--E", "medic on E, climber").legal
    assert "hide" in Scene(team="scout").legal
    assert "hide" in Scene("S--o-", horrors="S").legal


@rule("4.11")
def test_end_turn_is_always_there_and_costs_nothing() -> None:
    for points in (0, 1, 2, 3):
        assert Scene(points=points).do("end turn").at == "climber turn"


@rule("4.12", "9.2")
def test_leave_ends_the_expedition_without_an_exertion_check() -> None:
    scene = Scene(OUT, "medic on E, climber on E, leader on o health 0, engineer on E")
    assert "leave" in scene.legal
    scene.do("exert", "leave")
    assert (scene.at, scene.left_behind) == ("silver", ("leader",))


@rule("4.12")
def test_leave_at_every_turn_question_of_everybody() -> None:
    scene = Scene(OUT, "medic on E, climber on E, leader on o health 0, engineer on E").do("end turn")
    assert (scene.at, "leave" in scene.legal) == ("climber turn", True)
    assert "leave" in scene.do("exert").legal


@rule("4.12")
def test_no_leave_while_a_conscious_caver_is_elsewhere() -> None:
    assert "leave" not in Scene(OUT, "medic on E, climber on E, leader on o health 1, engineer on E").legal
    submerged = Scene("-w--S--E", "medic on E, climber on E, diver on w dived, engineer on E")
    assert "leave" not in submerged.legal


@rule("4.12", "7.6")
def test_the_lost_do_not_keep_the_others() -> None:
    """With everybody else on the exit or lost the game is over, so somebody lies elsewhere."""
    scene = Scene(OUT, "medic on E, climber lost, leader on o health 0, engineer on E")
    assert scene.do("leave").at == "bronze"
