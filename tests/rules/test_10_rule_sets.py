"""Chapter 10: what the three rule sets change."""

import pytest

from .scene import Scene, rule

TEAM = "engineer, climber, bodyguard, medic"


@rule("10")
@pytest.mark.parametrize(("rules", "price"), [("official", 2), ("guide", 1), ("summary", 2)])
def test_prices_of_run_heal_and_hide(rules: str, price: int) -> None:
    hurt = "engineer health 2, climber, bodyguard, medic"
    assert Scene("S--o--o", TEAM, rules=rules).do("run east", "stop").points == 2 - price
    assert Scene(team=hurt, rules=rules).do("heal engineer").points == 2 - price
    assert Scene(team=TEAM, rules=rules).do("hide").roll(6).points == 2 - price


@rule("10", "4.9")
@pytest.mark.parametrize(("rules", "price"), [("official", 2), ("guide", 1), ("summary", 2)])
def test_price_of_a_rope(rules: str, price: int) -> None:
    team = "engineer on a, climber, bodyguard, medic"
    assert Scene("S--a-", team, a="ledge east", rules=rules).do("place rope").roll(6).points == 2 - price


@rule("10", "3.4")
@pytest.mark.parametrize(("rules", "lowest"), [("official", 4), ("guide", 4), ("summary", 5)])
def test_what_a_check_succeeds_on(rules: str, lowest: int) -> None:
    for number in (lowest - 1, lowest):
        scene = Scene(team=TEAM, rules=rules).do("exert", "end turn").roll(number)
        assert scene.health("engineer") == (3 if number == lowest else 2)


@rule("10", "7.6")
def test_in_the_summary_time_is_checked_before_the_action_phase() -> None:
    scene = Scene(team=TEAM, rules="summary", cards=1).end_turns().card("flood")
    assert scene.at == "climber rolls out of time"
    scene.roll(6, 6, 6, 6)
    assert scene.at == "climber turn"
    assert scene.end_turns().at == "bodyguard rolls out of time"


@rule("10", "1.1")
def test_in_the_guide_a_cave_in_tile_has_one_number() -> None:
    scene = Scene(team=TEAM, rules="guide").do("reveal north")
    assert "cave-in tee 5" in scene.odds
    assert "cave-in tee 4-5" not in scene.odds


@rule("10", "6.3")
def test_in_the_guide_climber_and_medic_share_a_rank() -> None:
    for first, second in (("medic", "climber"), ("climber", "medic")):
        team = f"{first} on a, {second} on b, scout, leader"
        scene = Scene(
            "a--c--b\n   |\n   S", team, a="ordinary", b="ordinary", c="ordinary", rules="guide", horrors="c"
        ).end_turns()
        assert scene.health(first) == 0
        assert scene.health(second) == 3
