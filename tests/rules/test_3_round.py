"""Chapter 3: rounds, turns, checks, health."""

import pytest

from .scene import Scene, rule


@rule("3.1")
def test_action_horror_hazard_end_and_the_next_round() -> None:
    scene = Scene(
        """
              o--S--E
              |
              a
              |
              h
        """,
        "leader on E, scout hidden, climber on E, medic on o",
        a="ordinary",
        horrors="h",
    )
    scene.end_turns()
    assert (scene.at, scene.horrors) == ("hazard", ["a"])
    scene.card("flood")
    assert scene.at == "scout turn"
    assert not scene.hidden("scout")


@rule("3.1")
def test_hiding_lasts_through_the_hazard_phase() -> None:
    scene = Scene(team="medic hidden, climber").end_turns()
    assert scene.at == "hazard"
    assert scene.hidden("medic")
    scene.card("tremor")
    assert scene.hidden("medic")
    scene.roll(6, 6, 6, 6)
    assert not scene.hidden("medic")


@rule("3.1")
def test_the_marker_passes_clockwise_past_the_lost_but_not_past_the_unconscious() -> None:
    scene = Scene(team="medic, climber lost, leader health 0, engineer").end_turns().card("flood")
    assert (scene.first, scene.at) == ("leader", "engineer turn")
    assert scene.do("end turn").at == "medic turn"
    scene.do("end turn").card("flood")
    assert (scene.first, scene.at) == ("engineer", "engineer turn")
    scene.end_turns().card("flood")
    assert (scene.first, scene.at) == ("medic", "medic turn")


@rule("3.1", "7.6")
def test_the_marker_of_a_lost_starting_caver_passes_at_once_and_not_again_in_that_round() -> None:
    scene = Scene(cards=0).end_turns()
    assert scene.roll(1).first == "climber"
    assert scene.at == "climber rolls out of time"
    scene.roll(6, 6, 6)
    assert (scene.first, scene.at) == ("climber", "climber turn")
    scene.end_turns().roll(6, 6, 6)
    assert scene.first == "leader"


@rule("3.1", "7.6")
def test_the_marker_passes_on_as_often_as_its_holder_is_lost() -> None:
    scene = Scene(team="medic, climber, leader, engineer, scout", cards=0).end_turns().roll(1, 1)
    assert scene.first == "leader"
    scene.roll(6, 6, 6)
    assert (scene.first, scene.at) == ("leader", "leader turn")


@rule("3.1", "6.5")
@pytest.mark.parametrize("holder", ["medic health 0", "medic on E"])
def test_the_marker_holder_chooses_whatever_its_state(holder: str) -> None:
    scene = Scene(
        """
           b--a--c-
              |
              S
              |
              E
        """,
        f"{holder}, climber on a, scout, engineer",
        a="ordinary",
        b="ordinary",
        c="ordinary",
        horrors="bc",
    )
    assert scene.end_turns().at == "medic horror order"


@rule("3.1", "6.5", "8.1")
def test_a_submerged_holder_chooses_too() -> None:
    scene = Scene(
        """
           b--a--c-
              |
              S--w-
        """,
        "diver on w, climber on a, scout, engineer",
        a="ordinary",
        b="ordinary",
        c="ordinary",
        horrors="bc",
    )
    scene.do("dive").end_turns()
    assert scene.place("diver") == "submerged"
    assert scene.at == "diver horror order"


@rule("3.2")
def test_clockwise_from_the_starting_caver_each_conscious_one_with_two_points() -> None:
    scene = Scene(team="medic, climber health 0, leader, engineer lost, scout", first="leader")
    for name in ("leader", "scout", "medic"):
        assert (scene.at, scene.points) == (f"{name} turn", 2)
        scene.do("end turn")
    assert scene.at == "hazard"


@rule("3.2", "4.11")
def test_a_caver_may_stop_at_any_time() -> None:
    for answers in ([], ["explore north"], ["explore north", "move south"]):
        scene = Scene()
        for answer in answers:
            scene.do(answer)
            if scene.at == "tile":
                scene.tile("ordinary straight")
        assert scene.do("end turn").at == "climber turn"


@rule("3.3")
def test_exertion_is_one_more_point_once_a_turn() -> None:
    scene = Scene().do("exert")
    assert scene.points == 3
    assert "exert" not in scene.legal


@rule("3.3")
def test_exertion_also_with_no_point_left_and_for_an_action_of_two() -> None:
    scene = Scene(points=0)
    assert scene.legal == {"exert", "end turn"}
    assert scene.do("exert").points == 1
    assert "hide" in Scene(points=1).do("exert").legal


@rule("3.3", "3.4")
@pytest.mark.parametrize(("number", "health"), [(1, 1), (3, 1), (4, 2), (6, 2)])
def test_the_exertion_check_at_the_end_of_the_turn(number: int, health: int) -> None:
    scene = Scene(team="medic health 2").do("exert", "end turn")
    assert scene.at == "medic rolls exert"
    assert scene.roll(number).health("medic") == health
    assert scene.at == "climber turn"


@rule("3.3")
def test_no_exertion_no_check() -> None:
    assert Scene().do("end turn").at == "climber turn"


@rule("3.4", "8.8")
@pytest.mark.parametrize(
    ("name", "number", "succeeds"), [("medic", 3, False), ("medic", 4, True), ("leader", 2, False)]
)
def test_four_or_more_succeeds(name: str, number: int, succeeds: bool) -> None:
    assert Scene(team=name).do("hide").roll(number).hidden(name) is succeeds


@rule("3.4", "8.8")
def test_a_conscious_leader_needs_one_less() -> None:
    assert Scene(team="leader").do("hide").roll(3).hidden("leader")
    awake = Scene(team="medic, leader", cards=0).end_turns().roll(6, 3)
    assert awake.place("leader") == "S"
    unconscious = Scene(team="medic, leader health 0", cards=0).end_turns().roll(6, 3)
    assert unconscious.place("leader") == "lost"


@rule("3.4")
def test_each_check_is_one_chance_event() -> None:
    scene = Scene().do("hide").roll(1).do("exert", "end turn")
    assert scene.odds == pytest.approx(dict.fromkeys(range(1, 7), 1 / 6))
    assert scene.roll(1).at == "climber turn"


@rule("3.4", "5.7")
def test_no_exertion_tremor_or_out_of_time_check_on_the_exit() -> None:
    cave = "S--E"
    assert Scene(cave, "medic on E, climber").do("exert", "end turn").at == "climber turn"
    tremor = Scene(cave, "medic on E, climber").end_turns().card("tremor")
    assert tremor.at == "climber rolls tremor"
    out_of_time = Scene(cave, "medic on E, climber", cards=0).end_turns()
    assert out_of_time.at == "climber rolls out of time"


@rule("3.4", "8.7")
def test_no_tremor_check_for_the_protected() -> None:
    scene = Scene("S--o-", "medic on o, bodyguard on o, climber, leader").end_turns().card("tremor")
    assert scene.at == "bodyguard rolls tremor"
    assert scene.roll(6).at == "climber rolls tremor"


@rule("3.4")
def test_every_other_check_of_the_protected_is_rolled() -> None:
    team = "medic, bodyguard, climber, leader"
    assert Scene(team=team).do("exert", "end turn").at == "medic rolls exert"
    assert Scene(team=team, cards=0).end_turns().at == "medic rolls out of time"
    rough = Scene("S--r", team.replace("bodyguard", "bodyguard on r")).do("move east")
    assert rough.at == "medic rolls rough"


@rule("3.4", "7.4")
def test_the_cave_in_die_is_rolled_even_if_no_tile_can_be_hit() -> None:
    assert Scene().end_turns().card("cave-in").at == "cave-in die"


@rule("3.5", "4.5")
def test_nothing_raises_health_above_its_start() -> None:
    scene = Scene(team="medic, climber health 2").do("heal climber")
    assert scene.health("climber") == 3
    assert not {answer for answer in scene.legal if answer.startswith("heal")}


@rule("3.5")
def test_unconscious_in_the_own_turn_ends_it_without_an_exertion_check() -> None:
    scene = Scene("S--r", "medic health 1, climber").do("exert", "move east")
    assert scene.at == "medic rolls rough"
    assert scene.roll(1).at == "climber turn"
    assert scene.health("medic") == 0


@rule("3.5")
def test_the_unconscious_do_not_act() -> None:
    scene = Scene(team="medic, climber health 0").do("end turn")
    assert scene.at == "leader turn"


@rule("3.5")
def test_who_regains_health_acts_if_the_turn_has_not_come_yet() -> None:
    scene = Scene(team="medic, climber health 0").do("heal climber", "end turn")
    assert (scene.health("climber"), scene.at, scene.points) == (1, "climber turn", 2)


@rule("3.5")
def test_who_regains_health_after_the_own_turn_was_passed_over_waits() -> None:
    scene = Scene(team="medic, climber health 0", first="climber", turn="medic").do("heal climber", "end turn")
    assert scene.at == "hazard"


@rule("3.5", "8.1")
def test_a_submerged_diver_who_falls_unconscious_drifts_back() -> None:
    scene = Scene("S--a-", "medic, diver on a health 1 dived, leader, climber", a="water", turn="leader")
    assert scene.place("diver") == "submerged"
    scene.end_turns().card("tremor").roll(6, 1)
    assert (scene.place("diver"), scene.health("diver")) == ("a", 0)


@rule("3.5", "5.7")
def test_no_health_is_lost_on_the_exit() -> None:
    scene = Scene("S--E", "medic, climber on E", horrors="E").do("move east")
    assert (scene.place("medic"), scene.health("medic"), scene.health("climber")) == ("E", 3, 3)
