"""Chapter 3: rounds, turns, exertion, checks and health."""

import pytest

from .scene import Scene, rule

TEAM = "medic, climber, bodyguard, engineer"
NEAR_EXIT = """
    S--E
"""


@rule("3.1")
def test_a_round_is_action_horror_hazard_end_and_the_marker_passes_clockwise() -> None:
    scene = Scene(team=TEAM)
    assert scene.first == "medic"
    for name in ("medic", "climber", "bodyguard", "engineer"):
        assert scene.at == f"{name} turn"
        scene.do("end turn")
    assert scene.at == "hazard"
    scene.card("flood")
    assert (scene.first, scene.at) == ("climber", "climber turn")
    assert scene.end_turns().card("gas").first == "bodyguard"


@rule("3.1")
def test_the_marker_passes_to_unconscious_cavers_but_not_to_lost_ones() -> None:
    asleep = Scene(team="medic, climber health 0, bodyguard, engineer")
    assert asleep.end_turns().card("flood").first == "climber"
    assert asleep.at == "bodyguard turn"
    lost = Scene(team="medic, climber lost, bodyguard, engineer")
    assert lost.end_turns().card("flood").first == "bodyguard"


@rule("3.1")
def test_a_lost_starting_caver_passes_the_marker_at_once_and_it_stays_until_the_next_round() -> None:
    scene = Scene(team=TEAM, cards=0).end_turns()
    assert scene.at == "medic rolls out of time"
    scene.roll(1)
    assert (scene.place("medic"), scene.first, scene.at) == ("lost", "climber", "climber rolls out of time")
    scene.roll(4, 4, 4)
    assert (scene.first, scene.at) == ("climber", "climber turn")


@rule("3.1", "4.10")
def test_hiding_ends_with_the_round() -> None:
    scene = Scene(team=TEAM).do("hide").roll(4).end_turns()
    assert scene.hidden("medic")
    assert not scene.card("flood").hidden("medic")


@rule("3.2")
def test_two_points_and_stopping_at_any_time() -> None:
    scene = Scene("S--o--o", "medic, climber, bodyguard, engineer")
    assert scene.points == 2
    scene.do("move east")
    assert (scene.points, scene.at) == (1, "medic turn")
    assert scene.do("end turn").at == "climber turn"


@rule("3.2")
def test_unconscious_and_lost_cavers_are_passed_over() -> None:
    scene = Scene(team="medic, climber health 0, bodyguard lost, engineer")
    assert scene.do("end turn").at == "engineer turn"


@rule("3.3", "11")
def test_exerting_gives_one_more_point_once_even_with_none_left() -> None:
    scene = Scene("S--o--o--o", TEAM).do("move east", "move east")
    assert (scene.points, scene.legal) == (0, {"exert", "end turn"})
    scene.do("exert")
    assert (scene.points, "exert" in scene.legal) == (1, False)
    assert scene.do("move east").at == "medic rolls exert"


@rule("3.3")
@pytest.mark.parametrize(("number", "health"), [(3, 2), (4, 3)])
def test_a_failed_check_after_exerting_costs_one(number: int, health: int) -> None:
    scene = Scene(team=TEAM).do("exert", "end turn").roll(number)
    assert (scene.health("medic"), scene.at) == (health, "climber turn")


@rule("3.3")
def test_exerting_early_gives_three_points_at_once() -> None:
    scene = Scene("S--w-", TEAM, w="water flooded").do("exert")
    assert scene.points == 3
    assert scene.do("swim east", "end turn").at == "medic rolls exert"


@rule("3.4", "8.8")
@pytest.mark.parametrize(
    ("name", "number", "health"), [("medic", 3, 2), ("medic", 4, 3), ("leader", 3, 3), ("leader", 2, 2)]
)
def test_four_or_more_succeeds_and_the_leader_adds_one(name: str, number: int, health: int) -> None:
    scene = Scene(team=f"{name}, climber, bodyguard, engineer").do("exert", "end turn").roll(number)
    assert scene.health(name) == health


@rule("3.4")
def test_on_the_exit_no_check_for_exertion_tremor_or_time() -> None:
    scene = Scene(NEAR_EXIT, "medic on E, climber, bodyguard, engineer").do("exert", "end turn")
    assert scene.at == "climber turn"
    assert scene.end_turns().card("tremor").at == "bodyguard rolls tremor"
    late = Scene(NEAR_EXIT, "medic on E, climber, bodyguard, engineer", cards=0).end_turns()
    assert late.at == "climber rolls out of time"


@rule("3.4", "8.7")
def test_a_protected_caver_makes_no_tremor_check() -> None:
    scene = Scene("S--o", "medic, climber on o, bodyguard, engineer on o").end_turns().card("tremor")
    assert scene.at == "climber rolls tremor"
    assert scene.roll(4).at == "bodyguard rolls tremor"
    assert scene.roll(4).at == "engineer rolls tremor"


@rule("3.5")
def test_health_never_rises_above_its_start() -> None:
    scene = Scene(team="medic health 2, climber, bodyguard, engineer")
    assert "heal medic" in scene.legal
    scene.do("heal medic")
    assert scene.health("medic") == 3
    assert not any(word.startswith("heal") for word in Scene(team=TEAM).legal)


@rule("3.5")
def test_who_falls_in_its_own_turn_has_no_exertion_check() -> None:
    scene = Scene("   .\nS--r-\n   '", "medic health 1, climber, bodyguard, engineer").do("exert", "move east").roll(1)
    assert (scene.health("medic"), scene.at) == (0, "climber turn")


@rule("3.5")
def test_who_is_healed_before_its_turn_has_it() -> None:
    scene = Scene(team="medic, climber health 0, bodyguard, engineer").do("heal climber", "end turn")
    assert (scene.health("climber"), scene.at) == (1, "climber turn")


@rule("3.5")
def test_who_is_healed_after_its_turn_came_waits_for_the_next_round() -> None:
    scene = Scene(team="climber health 0, medic, bodyguard, engineer", turn="medic", first="climber")
    assert scene.do("heal climber", "end turn", "end turn", "end turn").at == "hazard"


@rule("3.5", "5.7")
def test_on_the_exit_nobody_loses_health() -> None:
    scene = Scene(NEAR_EXIT, "medic on E health 1, climber, bodyguard, engineer", horrors="S", turn="medic")
    assert scene.health("medic") == 1
    assert scene.do("exert", "end turn").health("medic") == 1


@rule("3.5", "8.1")
def test_a_submerged_diver_who_falls_lies_where_it_dived() -> None:
    scene = Scene("S--w-", "medic, diver on w health 1 dived, bodyguard, engineer", turn="engineer")
    scene.do("end turn").card("tremor")
    while not scene.at.startswith("diver"):
        scene.roll(6)
    assert scene.at == "diver rolls tremor"
    scene.roll(1)
    assert (scene.health("diver"), scene.place("diver")) == (0, "w")
