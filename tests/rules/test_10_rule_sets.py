"""Chapter 10: what the three rule sets change (numbers on tiles and ranks: also chapter 1)."""

import pytest

from .scene import Scene, rule

PRICES = [("official", 2), ("guide", 1), ("summary", 2)]


@rule("10", "4.4", "4.5", "4.9", "4.10")
@pytest.mark.parametrize(("rules", "price"), PRICES)
def test_prices_of_run_heal_rope_and_hide(rules: str, price: int) -> None:
    run = Scene("S--o-", "scout", rules=rules).do("run east", "stop")
    heal = Scene(team="scout, climber health 1", rules=rules).do("heal climber")
    rope = Scene("S--a-", "scout on a", a="ledge east", rules=rules).do("place rope").roll(6)
    hide = Scene(team="scout", rules=rules).do("hide").roll(6)
    assert [scene.points for scene in (run, heal, rope, hide)] == [2 - price] * 4


@rule("10", "4")
@pytest.mark.parametrize("rules", ["official", "guide", "summary"])
def test_other_prices_are_the_same(rules: str) -> None:
    swim = Scene("S--w-", "scout", w="water flooded", rules=rules).do("swim east")
    squeeze = Scene("S--q-", "scout", rules=rules).do("squeeze east")
    dig = Scene("S--a\n   |", "scout", a="cave-in 1" if rules == "guide" else "cave-in 1-4", rules=rules)
    assert (swim.points, squeeze.points, dig.do("move east").points) == (0, 0, 1)
    aid = Scene(team="medic, climber health 1", rules=rules).do("heal climber")
    belay = Scene("S--a-", "climber on a", a="ledge east", rules=rules).do("place rope")
    assert (aid.points, belay.points, belay.at) == (1, 1, "climber turn")


@rule("10", "4.9", "4.10")
def test_rope_and_hide_need_their_check_in_the_guide_too() -> None:
    assert Scene(team="scout", rules="guide").do("hide").at == "scout rolls hide"
    assert Scene("S--a-", "scout on a", a="ledge east", rules="guide").do("place rope").at == "scout rolls rope"


@rule("10", "8.6")
def test_in_the_guide_a_medic_heals_itself_for_one() -> None:
    assert Scene(team="medic health 1", rules="guide").do("heal medic").points == 1


@rule("10", "3.4", "8.8")
@pytest.mark.parametrize(("rules", "least"), [("official", 4), ("guide", 4), ("summary", 5)])
@pytest.mark.parametrize(("name", "bonus"), [("medic", 0), ("leader", 1)])
def test_what_a_check_succeeds_on(rules: str, least: int, name: str, bonus: int) -> None:
    assert Scene(team=name, rules=rules).do("hide").roll(least - bonus).hidden(name)
    assert not Scene(team=name, rules=rules).do("hide").roll(least - bonus - 1).hidden(name)


@rule("10", "7.6")
@pytest.mark.parametrize("rules", ["official", "guide"])
def test_out_of_time_checks_are_made_in_the_hazard_phase(rules: str) -> None:
    scene = Scene(rules=rules, cards=1).end_turns().card("flood")
    assert scene.at == "climber turn"
    assert scene.end_turns().at == "climber rolls out of time"


@rule("10", "7.6")
def test_in_the_summary_they_are_made_at_the_start_of_each_round_after_the_last_card() -> None:
    scene = Scene(rules="summary", cards=2).end_turns().card("flood")
    assert scene.at == "climber turn"
    scene.end_turns().card("gas")
    for starting in ("leader", "engineer"):
        assert scene.at == f"{starting} rolls out of time"
        assert scene.roll(6, 6, 6, 6).at == f"{starting} turn"
        scene.end_turns()


@rule("10", "7.6", "3.1")
def test_in_the_summary_a_starting_caver_lost_at_the_start_passes_the_marker_once() -> None:
    scene = Scene(rules="summary", cards=1).end_turns().card("flood").roll(1, 6, 6, 6)
    assert (scene.place("climber"), scene.first, scene.at) == ("lost", "leader", "leader turn")
    scene.end_turns()
    assert (scene.first, scene.at) == ("leader", "leader rolls out of time")


@rule("10", "7.6")
def test_in_the_summary_the_printed_card_is_possible_too() -> None:
    scene = Scene(rules="summary", cards=1, out_of_time="card").end_turns().card("flood").roll(1)
    assert (scene.health("climber"), scene.place("climber")) == (0, "S")
    scene.roll(6, 6, 6)
    assert (scene.place("climber"), scene.at) == ("lost", "leader turn")


@rule("10", "7.3")
def test_in_the_summary_an_empty_hazard_phase_ends_the_gas() -> None:
    scene = Scene("S--g\n   |", "scout, medic, climber, leader", rules="summary", cards=1).end_turns().card("gas")
    scene.roll(6, 6, 6, 6)
    assert scene.do("move east").health("medic") == 1
    scene.end_turns().roll(6, 6, 6, 6)
    assert scene.do("move east").health("climber") == 3


@rule("10", "1.1", "7.4")
@pytest.mark.parametrize(("number", "rubble"), [(1, True), (4, False)])
def test_in_the_guide_a_cave_in_tile_has_one_number(number: int, rubble: bool) -> None:
    scene = Scene("S--a\n   |", rules="guide", a="cave-in 1").end_turns().card("cave-in").roll(number)
    assert bool(scene.markers("a")) is rubble


@rule("10", "6.3")
@pytest.mark.parametrize(("first", "second"), [("climber", "medic"), ("medic", "climber")])
def test_in_the_guide_climber_and_medic_tie_and_the_smaller_seat_is_the_victim(first: str, second: str) -> None:
    team = f"{first} on a, {second} on b, scout, engineer lost"
    scene = Scene("a--S--b", team, a="horror", b="horror", rules="guide", horrors="S").end_turns()
    assert scene.horrors == ["a"]


@rule("10", "1.4")
@pytest.mark.parametrize("rules", ["official", "guide", "summary"])
def test_all_three_know_all_eight_cavers(rules: str) -> None:
    for team in ("diver, scout, geologist, engineer", "climber, medic, bodyguard, leader"):
        assert Scene(team=team, rules=rules).at.endswith(" turn")
