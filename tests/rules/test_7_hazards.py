"""Chapter 7: hazards and the end of time."""

import pytest

from .scene import Scene, rule

TEAM = "medic, climber, engineer, leader"


@rule("7.1")
def test_a_tremor_asks_every_conscious_caver_in_turn_order() -> None:
    scene = Scene(team="medic, climber health 0, engineer, leader").end_turns().card("tremor")
    for name, number in (("medic", 3), ("engineer", 4), ("leader", 2)):
        assert scene.at == f"{name} rolls tremor"
        scene.roll(number)
    assert [scene.health(name) for name in ("medic", "engineer", "leader")] == [2, 3, 2]


@rule("7.1", "7")
def test_a_doubled_tremor_comes_twice() -> None:
    scene = Scene(team=TEAM, difficulty="advanced").end_turns().card("tremor x2").roll(1, 1, 1, 1, 1, 1, 1, 1)
    assert [scene.health(name) for name in ("medic", "climber", "engineer", "leader")] == [1, 1, 1, 1]


@rule("7.2")
def test_a_flood_marks_all_water_and_costs_one_there() -> None:
    scene = Scene("-w--S--v-", "medic on w, climber, engineer, leader", w="water", v="water flooded")
    scene.end_turns().card("flood")
    assert scene.markers("w") == scene.markers("v") == {"flooded"}
    assert (scene.health("medic"), scene.health("climber")) == (2, 3)


@rule("7.2")
def test_a_doubled_flood_costs_one_twice_and_later_tiles_are_dry() -> None:
    scene = Scene("-w--S", "medic on w, climber, engineer, leader", difficulty="expert").end_turns().card("flood x2")
    assert scene.health("medic") == 1
    assert scene.do("reveal north").tile("water crossroads").markers("0,1") == set()


@rule("7.3")
def test_gas_costs_two_and_is_out_until_the_next_hazard_phase() -> None:
    scene = Scene("S--g\n   |\n   o", "medic on g, climber, engineer, leader").end_turns().card("gas")
    assert (scene.health("medic"), bool(scene.state["gas_out"])) == (1, True)
    scene.do("move east")
    assert scene.health("climber") == 1
    assert not scene.end_turns().card("flood").state["gas_out"]


@rule("7.4")
@pytest.mark.parametrize(("number", "health", "markers"), [(2, 0, {"rubble"}), (1, 3, set())])
def test_a_cave_in_hits_the_tiles_with_the_number(number: int, health: int, markers: set[str]) -> None:
    cave = "S--a--o\n   |\n   o"
    scene = Scene(cave, "medic on a, climber, engineer, leader", a="cave-in 2-5").end_turns().card("cave-in")
    scene.roll(number)
    assert (scene.health("medic"), scene.markers("a")) == (health, markers)


@rule("7.4")
def test_a_tile_with_rubble_is_not_hit_again() -> None:
    cave = "S--a--o\n   |\n   o"
    scene = Scene(cave, "medic on a, climber, engineer, leader", a="cave-in 2-5 rubble").end_turns().card("cave-in")
    assert scene.roll(2).health("medic") == 3


@rule("7.5")
def test_a_horror_card_moves_all_and_then_one_appears() -> None:
    scene = Scene("h--S--a--o", "medic on S, climber, engineer, leader", h="horror", a="ordinary")
    scene.end_turns().card("horror")
    assert scene.horrors == ["h"]
    scene.end_turns()
    assert scene.horrors == ["S"]


@rule("7.5")
def test_a_doubled_horror_card_lets_two_appear() -> None:
    team = "medic on S, climber, engineer, leader"
    scene = Scene("h--S--i", team, h="horror", i="horror", difficulty="expert", horror_choices="automatic")
    assert len(scene.end_turns().card("horror x2").horrors) == 2


@rule("7.6")
def test_out_of_time_by_the_rulebook_loses_who_fails() -> None:
    scene = Scene(team="medic, climber health 0, engineer, leader", cards=0).end_turns()
    scene.roll(4, 1, 4, 4)
    assert (scene.place("climber"), scene.place("medic")) == ("lost", "S")


@rule("7.6")
def test_out_of_time_by_the_card_fells_first_and_removes_after_the_last_check() -> None:
    scene = Scene(team="medic, climber health 0, engineer, leader", cards=0, out_of_time="card").end_turns()
    assert scene.at == "medic rolls out of time"
    scene.roll(1)
    assert (scene.health("medic"), scene.place("medic"), scene.at) == (0, "S", "engineer rolls out of time")
    scene.roll(4, 4)
    assert (scene.place("medic"), scene.place("climber")) == ("lost", "lost")
