"""Chapter 7: hazards, single and doubled, and running out of time."""

import pytest

from .scene import Scene, rule

TEAM = "engineer, climber, bodyguard, medic"
FOUR = ("engineer", "climber", "leader", "medic")
GAS = """
    S--g
       |
       o
"""
CAVE_IN = """
    S--a--o
       |
       o
"""
TIME = "rolls out of time"


def after(card: str, cave: str, team: str, **words: object) -> Scene:
    """A scene of a difficulty with all cards, and this one drawn in its first hazard phase."""
    return Scene(cave, team, difficulty="advanced", **words).end_turns().card(card)


def late(cave: str = "S", team: str = ", ".join(FOUR), **words: object) -> Scene:
    """A scene in which the dealt cards are used up, in its first hazard phase."""
    return Scene(cave, team, cards=0, **words).end_turns()


def survive(scene: Scene) -> Scene:
    """Whoever must check in time succeeds."""
    while scene.at.endswith(TIME):
        scene.roll(6)
    return scene


@rule("7")
def test_one_card_a_round() -> None:
    assert after("flood", "S", TEAM).at == "climber turn"
    assert after("flood", "S", TEAM).end_turns().at == "hazard"


@rule("7", "8.7")
def test_who_is_protected_is_settled_before_anybody_loses_health() -> None:
    others = "medic on {0}, leader, climber"
    flooded = after("flood", "S--w-", "bodyguard on w health 1, " + others.format("w"))
    assert (flooded.health("bodyguard"), flooded.health("medic")) == (0, 3)
    gassed = after("gas", GAS, "bodyguard on g health 2, " + others.format("g"))
    assert (gassed.health("bodyguard"), gassed.health("medic")) == (0, 3)
    buried = after("cave-in", CAVE_IN, "bodyguard on a health 3, " + others.format("a"), a="cave-in 2-5").roll(2)
    assert (buried.health("bodyguard"), buried.health("medic")) == (0, 3)


@rule("7", "8.7")
def test_a_doubled_card_is_resolved_twice_running_each_time_in_full() -> None:
    """The bodyguard falls to the first flood and protects nobody from the second."""
    scene = after("flood x2", "S--w-", "bodyguard on w health 1, medic on w, leader, climber")
    assert (scene.health("bodyguard"), scene.health("medic")) == (0, 2)


@rule("7", "7.2", "7.3")
@pytest.mark.parametrize(("card", "health"), [("flood", 4), ("flood x2", 3), ("gas", 3), ("gas x2", 1)])
def test_flood_and_gas_single_and_doubled(card: str, health: int) -> None:
    cave, where = (GAS, "g") if "gas" in card else ("S--w-", "w")
    assert after(card, cave, f"bodyguard on {where}, medic, leader, climber").health("bodyguard") == health


@rule("7", "7.1")
def test_a_doubled_tremor_goes_round_twice() -> None:
    scene = after("tremor x2", "S", ", ".join(FOUR))
    for number in (1, 6):
        for name in FOUR:
            assert scene.at == f"{name} rolls tremor"
            scene.roll(number)
    assert ([scene.health(name) for name in FOUR], scene.at) == ([2, 2, 2, 2], "climber turn")


@rule("7", "7.4")
@pytest.mark.parametrize(("second", "health"), [(5, 5), (3, 2)])
def test_a_doubled_cave_in_rolls_twice_and_buries_no_tile_twice(second: int, health: int) -> None:
    """The second number is again on a, or on b, where the bodyguard stands."""
    cave = "b--S--a-\n|     |"
    team = "climber, bodyguard on b, leader, medic on a"
    scene = after("cave-in x2", cave, team, a="cave-in 2-5", b="cave-in 3-6").roll(2)
    assert (scene.markers("a"), scene.health("medic"), scene.at) == ({"rubble"}, 0, "cave-in die")
    scene.roll(second)
    assert (scene.health("bodyguard"), scene.at) == (health, "bodyguard turn")


@rule("7", "7.1", "8.7")
def test_tremor_goes_caver_by_caver_so_who_fell_protects_nobody_any_more() -> None:
    scene = after("tremor", "S", "bodyguard health 1, climber, leader, medic")
    assert scene.at == "bodyguard rolls tremor"
    assert scene.roll(1).at == "climber rolls tremor"


@rule("7.1", "8.7")
def test_a_bodyguard_who_falls_later_has_protected_those_before_it() -> None:
    scene = after("tremor", "S", "climber, bodyguard health 1, leader, medic")
    assert scene.at == "bodyguard rolls tremor"
    assert scene.roll(1).at == "leader rolls tremor"


@rule("7.1")
def test_tremor_asks_the_conscious_in_turn_order_from_the_starting_caver() -> None:
    scene = after("tremor", "S", "engineer, climber, leader health 0, medic", first="medic")
    for name in ("medic", "engineer", "climber"):
        assert scene.at == f"{name} rolls tremor"
        scene.roll(6)
    assert scene.at == "engineer turn"


@rule("7.1")
@pytest.mark.parametrize(("number", "health"), [(3, 2), (4, 3)])
def test_a_failed_tremor_check_costs_one(number: int, health: int) -> None:
    assert after("tremor", "S", ", ".join(FOUR)).roll(number).health("engineer") == health


@rule("7.2")
def test_flood_marks_every_water_tile_and_costs_everybody_there_one() -> None:
    scene = after("flood", "-w--S--v-", "medic on w, climber on v, leader, engineer", v="water flooded")
    assert (scene.markers("w"), scene.markers("v")) == ({"flooded"}, {"flooded"})
    assert [scene.health(name) for name in ("medic", "climber", "leader")] == [2, 2, 3]


@rule("7.2")
def test_flood_markers_stay() -> None:
    scene = after("flood", "S--w-", TEAM).end_turns().card("gas").end_turns()
    assert scene.markers("w") == {"flooded"}


@rule("7.2")
def test_a_water_tile_placed_later_is_dry_until_the_next_flood() -> None:
    scene = after("flood", "S", TEAM).do("explore north").tile("water crossroads").end_turns()
    assert (scene.markers("0,1"), scene.health("climber")) == (set(), 3)
    scene.card("flood")
    assert (scene.markers("0,1"), scene.health("climber")) == ({"flooded"}, 2)


@rule("7.3")
def test_gas_costs_everybody_on_gas_tiles_two() -> None:
    scene = after("gas", GAS, "leader on g, medic on g health 1, climber, engineer")
    assert [scene.health(name) for name in ("leader", "medic", "climber")] == [1, 0, 3]


@rule("7.3")
def test_gas_is_out_until_the_next_hazard_phase_starts() -> None:
    scene = after("gas", GAS, TEAM).do("move east")
    assert scene.health("climber") == 1
    scene.end_turns().card("flood").do("move east")
    assert (scene.place("bodyguard"), scene.health("bodyguard")) == ("g", 5)


@rule("7.3")
def test_gas_is_out_on_tiles_placed_meanwhile_too() -> None:
    scene = after("gas", "S", TEAM).do("explore north").tile("gas corner").do("place drawn 1")
    assert (scene.place("climber"), scene.health("climber")) == ("0,1", 1)


@rule("7.3", "7.6")
@pytest.mark.parametrize("rules", ["official", "guide", "summary"])
def test_a_hazard_phase_without_a_card_ends_the_gas_too(rules: str) -> None:
    scene = Scene(GAS, TEAM, rules=rules, cards=1).end_turns().card("gas")
    survive(scene).do("move east")
    assert scene.health("climber") == 1
    survive(scene.end_turns()).do("move east")
    assert (scene.place("bodyguard"), scene.health("bodyguard")) == ("g", 5)


@rule("7.4")
@pytest.mark.parametrize(("number", "hit"), [(1, ""), (2, "a"), (3, "b"), (4, ""), (5, "a"), (6, "b")])
def test_the_die_buries_every_cave_in_tile_with_that_number(number: int, hit: str) -> None:
    cave = "b--S--a-\n|     |"
    scene = after("cave-in", cave, "medic on a, bodyguard on b, leader, climber", a="cave-in 2-5", b="cave-in 3-6")
    assert scene.at == "cave-in die"
    scene.roll(number)
    assert {letter for letter in "ab" if scene.markers(letter)} == set(hit)
    assert (scene.health("medic"), scene.health("bodyguard")) == (0 if hit == "a" else 3, 2 if hit == "b" else 5)
    assert (scene.health("leader"), scene.at.endswith("turn")) == (3, True)


@rule("7.4")
def test_one_roll_may_bury_several_tiles_at_once() -> None:
    cave = "b--S--a-\n|     |"
    scene = after("cave-in", cave, "medic on a, bodyguard on b, leader, climber", a="cave-in 2-5", b="cave-in 2-6")
    scene.roll(2)
    assert (scene.markers("a"), scene.markers("b")) == ({"rubble"}, {"rubble"})
    assert (scene.health("medic"), scene.health("bodyguard")) == (0, 2)


@rule("7.4")
def test_rubble_is_not_hit_again() -> None:
    scene = after("cave-in", CAVE_IN, "bodyguard on a, medic, leader, climber", a="cave-in 2-5 rubble").roll(2)
    assert scene.health("bodyguard") == 5


@rule("7.4", "10")
def test_in_the_guide_only_the_one_number_buries() -> None:
    for number, health in ((5, 2), (2, 5)):
        team = "bodyguard on a, medic, leader, climber"
        scene = after("cave-in", CAVE_IN, team, a="cave-in 5", rules="guide").roll(number)
        assert scene.health("bodyguard") == health


@rule("7.5")
@pytest.mark.parametrize(
    ("card", "before", "result"),
    [
        ("horror", "", ["h"]),
        ("horror", "x", ["4,0", "h"]),
        ("horror", "xxx", ["4,0"] * 3),
        ("horror x2", "", ["h", "k"]),
        ("horror x2", "x", ["3,0", "h", "k"]),
        ("horror x2", "xx", ["3,0", "3,0", "h"]),
        ("horror x2", "xxx", ["3,0"] * 3),
    ],
)
def test_all_horrors_move_and_then_one_or_two_spawn(card: str, before: str, result: list[str]) -> None:
    """x is six steps away, a step of the horror phase comes first; what spawns does not move."""
    cave = "h--S--o--o--o--o--w--x\n   |\n   a\n   |\n   k"
    scene = after(card, cave, ", ".join(FOUR), a="water", k="horror", x="ordinary", horrors=before)
    assert scene.horrors == result


@rule("7.6")
def test_when_the_dealt_cards_are_used_up_all_later_hazard_phases_have_none() -> None:
    scene = Scene(team=TEAM, cards=1).end_turns()
    assert scene.at == "hazard"
    scene.card("flood").end_turns()
    for _ in range(3):
        assert scene.at.endswith(TIME)
        assert survive(scene).at.endswith("turn")
        scene.end_turns()


@rule("7.6")
def test_everybody_not_on_the_exit_checks_in_turn_order_conscious_or_not() -> None:
    scene = late("S--E", "engineer, climber on E, leader health 0, medic", first="medic")
    for name in ("medic", "engineer", "leader"):
        assert scene.at == f"{name} {TIME}"
        scene.roll(6)
    assert scene.at == "engineer turn"


@rule("7.6", "8.1")
def test_a_submerged_diver_checks_and_may_be_lost() -> None:
    team = "diver on w, climber, leader, medic"
    for number, place in ((3, "lost"), (4, "submerged")):
        scene = Scene("S--w-", team, cards=0).do("dive").end_turns()
        assert scene.at == f"diver {TIME}"
        assert scene.roll(number).place("diver") == place


@rule("7.6")
@pytest.mark.parametrize(("number", "place"), [(3, "lost"), (4, "S")])
def test_who_fails_is_lost(number: int, place: str) -> None:
    assert late().roll(number).place("engineer") == place


@rule("7.6", "9.1")
def test_no_more_checks_once_no_conscious_caver_is_left() -> None:
    scene = late(team="engineer, climber health 0, leader health 0, medic health 0").roll(1)
    assert (scene.at, scene.left_behind) == ("defeat", ("engineer", "climber", "leader", "medic"))


@rule("7.6", "3.1")
def test_the_order_of_checks_is_fixed_though_the_marker_passes_from_the_lost() -> None:
    scene = late(first="climber").roll(1)
    assert (scene.first, scene.at) == ("leader", f"leader {TIME}")
    scene.roll(1)
    assert (scene.first, scene.at) == ("medic", f"medic {TIME}")
    assert scene.roll(6).at == f"engineer {TIME}"
    scene.roll(6)
    assert (scene.first, scene.at) == ("medic", "medic turn")


@rule("7.6", "3.1")
def test_a_lost_caver_who_did_not_start_moves_no_marker() -> None:
    scene = late().roll(6, 1, 6, 6)
    assert (scene.place("climber"), scene.first, scene.at) == ("lost", "leader", "leader turn")


@rule("7.6", "6.4")
@pytest.mark.parametrize("rules", ["official", "summary"])
def test_horrors_keep_moving_when_time_is_out(rules: str) -> None:
    scene = Scene("S--o--o--o--x", TEAM, rules=rules, cards=0, x="ordinary", horrors="x")
    scene.end_turns()
    assert scene.horrors == ["3,0"]
    survive(scene).end_turns()
    assert scene.horrors == ["2,0"]


@rule("7.6")
def test_by_the_card_only_the_conscious_check_and_who_fails_falls_and_is_removed_after_the_last() -> None:
    scene = late("S--E", "engineer, climber on E, leader health 0, medic", out_of_time="card")
    scene.roll(1)
    assert (scene.health("engineer"), scene.place("engineer"), scene.at) == (0, "S", f"medic {TIME}")
    scene.roll(4)
    assert [scene.place(name) for name in ("engineer", "climber", "leader", "medic")] == ["lost", "E", "lost", "S"]


@rule("7.6")
def test_by_the_card_who_lies_on_the_exit_stays() -> None:
    scene = late("S--E", "engineer, climber on E health 0, leader, medic", out_of_time="card")
    assert survive(scene).place("climber") == "E"


@rule("7.6", "8.1", "3.5")
def test_by_the_card_a_submerged_diver_checks_too_and_lies_where_it_dived() -> None:
    scene = Scene("S--w-", "diver on w, climber, leader, medic", cards=0, out_of_time="card").do("dive").end_turns()
    assert scene.at == f"diver {TIME}"
    scene.roll(1)
    assert (scene.place("diver"), scene.health("diver")) == ("w", 0)
    assert survive(scene).place("diver") == "lost"


@rule("7.6", "9.1")
def test_by_the_card_too_nothing_is_rolled_once_nobody_is_conscious() -> None:
    scene = late(team="engineer, climber, leader health 0, medic health 0", out_of_time="card").roll(1, 1)
    assert scene.at == "defeat"


@rule("7.6", "3.1")
def test_by_the_card_the_marker_passes_from_a_removed_starting_caver() -> None:
    scene = late(out_of_time="card").roll(1, 6, 6, 6)
    assert (scene.place("engineer"), scene.first, scene.at) == ("lost", "climber", "climber turn")


@rule("7.6", "10")
def test_in_the_summary_each_round_after_the_last_card_starts_with_the_checks() -> None:
    scene = Scene(team=", ".join(FOUR), rules="summary", cards=1).end_turns().card("flood")
    for starter in ("climber", "leader", "medic"):
        assert (scene.first, scene.at) == (starter, f"{starter} {TIME}")
        assert survive(scene).at == f"{starter} turn"
        scene.end_turns()


@rule("7.6", "10")
@pytest.mark.parametrize(("number", "place"), [(4, "lost"), (5, "S")])
def test_in_the_summary_the_check_takes_a_five(number: int, place: str) -> None:
    scene = Scene(team=", ".join(FOUR), rules="summary", cards=1).end_turns().card("flood").roll(number)
    assert scene.place("climber") == place


@rule("7.6", "3.1", "10")
def test_in_the_summary_the_marker_of_a_lost_starter_passes_once_that_round() -> None:
    scene = Scene(team=", ".join(FOUR), rules="summary", cards=1).end_turns().card("flood").roll(1)
    assert (scene.first, scene.at) == ("leader", f"leader {TIME}")
    assert survive(scene).at == "leader turn"
    scene.end_turns()
    assert (scene.first, scene.at) == ("leader", f"leader {TIME}")
    assert survive(scene).end_turns().first == "medic"


@rule("7.6", "10")
def test_in_the_summary_by_the_card() -> None:
    words = {"rules": "summary", "cards": 1, "out_of_time": "card"}
    scene = Scene(team="engineer, climber, leader health 0, medic", **words).end_turns().card("flood")
    assert scene.at == f"climber {TIME}"
    scene.roll(1, 6)
    assert (scene.place("climber"), scene.health("climber"), scene.at) == ("S", 0, f"engineer {TIME}")
    scene.roll(6)
    assert [scene.place(name) for name in FOUR] == ["S", "lost", "lost", "S"]
    assert (scene.first, scene.at) == ("medic", "medic turn")
