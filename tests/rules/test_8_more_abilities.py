"""Chapter 8: the abilities of climber, medic, bodyguard and leader."""

import pytest

from .scene import Scene, rule

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
SLIT = "S--q--d"
"""Behind the squeeze, d is a dead end: nothing to do there for one point."""


def words(scene: Scene, verb: str) -> set[str]:
    return {word for word in scene.legal if word.split()[0] == verb}


@rule("8.5")
@pytest.mark.parametrize("meaning", ["ledge east", "slide east"])
def test_belay_places_a_rope_for_one_without_a_check(meaning: str) -> None:
    scene = Scene("S--a-", "climber on a", a=meaning, points=1).do("place rope")
    assert (scene.markers("a"), scene.points, scene.at) == ({"rope"}, 0, "climber turn")


@rule("8.5")
@pytest.mark.parametrize(("cave", "place"), [("S--q--o", "q"), (CAVE_IN, "a")])
def test_agile_moves_and_runs_onto_squeeze_and_rubble(cave: str, place: str) -> None:
    legend = {"a": "cave-in 2-5 rubble"} if place == "a" else {}
    scene = Scene(cave, "climber, medic", **legend)
    assert ("east" in scene.sides("move"), "east" in scene.sides("run")) == (True, True)
    assert "east" not in scene.sides("squeeze")
    scene.do("move east")
    assert (scene.place("climber"), scene.points) == (place, 1)


@rule("8.5")
def test_agile_does_not_swim() -> None:
    scene = Scene("S--w-", "climber", w="water flooded")
    assert ("east" in scene.sides("move"), "east" in scene.sides("swim")) == (False, True)


@rule("8.6")
@pytest.mark.parametrize(("rules", "own"), [("official", 2), ("guide", 1), ("summary", 2)])
def test_first_aid_costs_one_for_others_and_the_base_price_for_oneself(rules: str, own: int) -> None:
    team = "medic health 1, climber health 0, leader, engineer"
    assert Scene(team=team, rules=rules).do("heal climber").points == 1
    assert Scene(team=team, rules=rules).do("heal medic").points == 2 - own
    tired = Scene(team=team, rules=rules, points=1)
    assert words(tired, "heal") == {"heal climber"} | ({"heal medic"} if own == 1 else set())


@rule("8.6")
def test_first_aid_needs_the_same_tile() -> None:
    assert words(Scene("S--o", "medic, climber on o health 1"), "heal") == set()


@rule("8.6")
def test_sprint_is_up_to_two_moves_for_one() -> None:
    scene = Scene("S--o--o--o", "medic", points=1).do("sprint east")
    assert (scene.at, scene.points, scene.legal) == ("medic run", 0, {"move west", "move east", "stop"})
    assert Scene("S--o--o--o", "medic").do("sprint east", "stop").place("medic") == "1,0"
    scene.do("move east")
    assert (scene.place("medic"), scene.at) == ("2,0", "medic turn")


@rule("8.6")
def test_the_medic_runs_three_moves_too() -> None:
    scene = Scene("S--o--o--o", "medic").do("run east", "move east", "move east")
    assert (scene.place("medic"), scene.points) == ("3,0", 0)


@rule("8.6")
def test_sprint_is_the_medics_and_leads_where_moves_lead() -> None:
    assert Scene("S--o", "climber, medic").sides("sprint") == set()
    assert Scene("S--w-", "medic", w="water flooded").sides("sprint") == set()


@rule("8.7")
def test_repel_removes_one_horror_the_oldest_for_one() -> None:
    scene = Scene("S--x--y", "bodyguard", x="ordinary", y="ordinary", horrors="xyx", points=1).do("repel east")
    assert (scene.horrors, scene.points) == (["y", "x"], 0)


@rule("8.7")
def test_repel_reaches_the_next_tile_not_farther_and_not_through_walls() -> None:
    words_ = {"x": "ordinary", "y": "ordinary", "z": "ordinary"}
    assert Scene("S--x--y", "bodyguard", x="ordinary", y="ordinary", horrors="y").sides("repel") == set()
    assert Scene("x--y\n   |\nS--z", "bodyguard", horrors="x", **words_).sides("repel") == set()
    assert Scene("x--y\n   |\nS--z", "bodyguard on y", horrors="x", **words_).sides("repel") == {"west"}


@rule("8.7")
def test_nobody_else_repels() -> None:
    assert Scene("S--x", "climber, bodyguard", x="ordinary", horrors="x").sides("repel") == set()


@rule("8.7")
@pytest.mark.parametrize(("health", "others"), [(5, 3), (0, 0)])
@pytest.mark.parametrize(
    ("card", "cave", "place", "lost"), [("flood", "S--w-", "w", 1), ("gas", GAS, "g", 2), ("cave-in", CAVE_IN, "a", 3)]
)
def test_protect_while_conscious_from_flood_gas_and_cave_in(
    health: int, others: int, card: str, cave: str, place: str, lost: int
) -> None:
    legend = {"a": "cave-in 2-5"} if place == "a" else {}
    team = f"medic, climber on {place}, leader, bodyguard on {place} health {health}"
    scene = Scene(cave, team, **legend).end_turns().card(card)
    if card == "cave-in":
        scene.roll(2)
    assert scene.health("climber") == (3 if others else 3 - lost)
    assert scene.health("bodyguard") == max(0, health - lost)


@rule("8.7", "7.1")
@pytest.mark.parametrize(("health", "asked"), [(5, "bodyguard"), (0, "climber")])
def test_protect_while_conscious_from_tremor(health: int, asked: str) -> None:
    team = f"climber, bodyguard health {health}, leader, medic"
    assert Scene(team=team).end_turns().card("tremor").at == f"{asked} rolls tremor"


@rule("8.7", "7.3", "4.13")
@pytest.mark.parametrize(("health", "loss"), [(5, 0), (0, 2)])
def test_protect_while_conscious_from_gas_on_entering(health: int, loss: int) -> None:
    team = f"climber, bodyguard on g health {health}, leader, medic"
    assert Scene(GAS, team, gas=True).do("move east").health("climber") == 3 - loss


@rule("8.7")
def test_protect_reaches_no_other_tile_and_not_the_bodyguard() -> None:
    scene = Scene("-w--S--v-", "bodyguard on w, climber on v, leader, medic", v="water").end_turns().card("flood")
    assert (scene.health("bodyguard"), scene.health("climber")) == (4, 2)


@rule("8.7")
def test_protect_does_not_hold_against_horrors_or_rough_terrain() -> None:
    scene = Scene("x--S", "bodyguard, climber, scout, medic", x="ordinary", horrors="x").end_turns()
    assert scene.health("climber") == 0
    rough = Scene("   .\nS--r-\n   '", "climber, bodyguard on r, leader, medic").do("move east").roll(1)
    assert rough.health("climber") == 2


@rule("8.8")
def test_direct_costs_one_and_gives_another_one_action_and_the_turn_goes_on() -> None:
    scene = Scene("S--o--o", "leader, climber").do("direct climber")
    assert (scene.at, scene.points) == ("climber direct", 1)
    assert scene.legal == {"move east", "pass"} | {
        f"{verb} {side}" for verb in ("reveal", "explore") for side in ("north", "south", "west")
    }
    scene.do("move east")
    assert (scene.place("climber"), scene.at, scene.points) == ("1,0", "leader turn", 1)


@rule("8.8")
def test_direct_once_a_turn() -> None:
    scene = Scene("S--o--o", "leader, climber").do("direct climber", "move east")
    assert words(scene, "direct") == set()
    declined = Scene("S--o--o", "leader, climber").do("direct climber", "pass")
    assert (declined.at, declined.points, words(declined, "direct")) == ("leader turn", 1, set())
    scene.end_turns().card("flood")
    while scene.at != "leader turn":
        scene.do("end turn") if scene.at.endswith("turn") else scene.card("gas")
    assert "direct climber" in scene.legal


@rule("8.8")
@pytest.mark.parametrize(
    ("cave", "person", "verb", "legend"),
    [
        ("S--o", "medic", "sprint east", {}),
        (CAVE_IN, "geologist", "dig east", {"a": "cave-in 2-5 rubble"}),
        ("S--a-", "climber on a", "place rope", {"a": "ledge east"}),
        ("S--x", "bodyguard", "repel east", {"x": "horror", "horrors": "x"}),
        ("S--q-", "climber", "move east", {}),
        ("S--w-", "diver", "move east", {"w": "water flooded"}),
    ],
)
def test_direct_offers_what_costs_that_caver_one(cave: str, person: str, verb: str, legend: dict[str, str]) -> None:
    scene = Scene(cave, f"leader, {person}", **legend).do(f"direct {person.split()[0]}")
    assert verb in scene.legal
    assert {"exert", "end turn", "hide", "dive", "run east"} & scene.legal == set()


@rule("8.8", "8.6")
def test_a_directed_medic_heals_others_but_not_itself() -> None:
    scene = Scene(team="leader health 1, medic health 1").do("direct medic")
    assert words(scene, "heal") == {"heal leader"}
    assert scene.do("heal leader").health("leader") == 2


@rule("8.8")
@pytest.mark.parametrize(
    ("cave", "person"), [("S", "climber health 0"), ("S--w-", "diver on w dived"), ("S", "climber lost")]
)
def test_only_conscious_cavers_on_the_board_are_directed(cave: str, person: str) -> None:
    scene = Scene(cave, f"leader, {person}, engineer, medic")
    assert words(scene, "direct") == {"direct engineer", "direct medic"}


@rule("8.8", "5.7")
def test_a_caver_on_the_exit_is_directed_too() -> None:
    scene = Scene("S--E", "leader, climber on E").do("direct climber")
    assert scene.legal == {"move west", "pass"}


@rule("8.8", "10")
@pytest.mark.parametrize(("rules", "offered"), [("official", False), ("guide", True), ("summary", False)])
def test_direct_is_offered_only_to_who_has_such_an_action(rules: str, offered: bool) -> None:
    """In the guide hiding costs one."""
    scene = Scene(SLIT, "leader, engineer on d", d="ordinary", rules=rules)
    assert ("direct engineer" in scene.legal) == offered


@rule("8.8", "10")
def test_in_the_guide_a_run_a_rope_and_healing_may_be_directed() -> None:
    scene = Scene("a--S--o--o", "leader, climber health 1, engineer, medic", a="ordinary", rules="guide")
    scene.do("direct climber")
    assert {"run east", "run west", "heal climber", "hide"} <= scene.legal
    scene.do("run east")
    assert (scene.at, scene.points) == ("climber run", 1)
    scene.do("move east", "stop")
    assert (scene.place("climber"), scene.at) == ("2,0", "leader turn")
    rope = Scene("S--a-", "leader, engineer on a", a="ledge east", rules="guide").do("direct engineer", "place rope")
    assert rope.at == "engineer rolls rope"


@rule("8.8", "4.10", "10")
@pytest.mark.parametrize(("number", "hidden"), [(3, False), (4, True)])
def test_a_directed_hide_needs_the_check_and_counts_for_nothing(number: int, hidden: bool) -> None:
    """The climber hid in two turns running; the leader's experience is not the climber's."""
    scene = Scene(team="leader, climber hides 2", rules="guide").do("direct climber", "hide")
    assert scene.at == "climber rolls hide"
    scene.roll(number)
    assert (scene.hidden("climber"), scene.caver("climber")["hides_running"]) == (hidden, 2)


@rule("8.8", "4.10", "10")
def test_directing_somebody_to_hide_is_no_hide_of_the_leader() -> None:
    scene = Scene(team="leader hides 1, climber", rules="guide").do("direct climber", "hide").roll(1).do("end turn")
    assert scene.caver("leader")["hides_running"] == 0


@rule("8.8")
def test_the_questions_and_checks_that_follow_are_that_cavers() -> None:
    drawing = Scene(team="leader, climber").do("direct climber", "explore north").tile("gas corner")
    assert drawing.at == "climber place"
    assert (drawing.do("place drawn 1").place("climber"), drawing.at) == ("0,1", "leader turn")
    rough = Scene("   .\nS--r-\n   '", "leader, climber health 1").do("direct climber", "move east")
    assert rough.at == "climber rolls rough"
    rough.roll(3)
    assert (rough.health("climber"), rough.at, rough.points) == (0, "leader turn", 1)


@rule("8.8", "8.2", "8.3")
def test_directed_cavers_draw_with_their_own_abilities() -> None:
    scout = Scene(team="leader, scout").do("direct scout", "reveal north").tile("gas corner")
    assert (scout.at, "discard" in scout.legal) == ("scout place", True)
    geologist = Scene(team="leader, geologist", reserve="ordinary crossroads").do("direct geologist", "reveal north")
    assert "place reserve 0" in geologist.tile("gas corner").legal


@rule("8.8")
def test_nobody_else_directs() -> None:
    assert words(Scene(team="climber, leader"), "direct") == set()


@rule("8.8", "3.4")
@pytest.mark.parametrize(("rules", "lowest"), [("official", 3), ("guide", 3), ("summary", 4)])
def test_experienced_adds_one_to_own_checks_while_conscious(rules: str, lowest: int) -> None:
    for number, health in ((lowest - 1, 2), (lowest, 3)):
        assert Scene(team="leader", rules=rules).do("exert", "end turn").roll(number).health("leader") == health
        hide = Scene(team="leader", rules=rules).do("hide").roll(number)
        assert hide.hidden("leader") == (number == lowest)


@rule("8.8", "3.5", "7.6")
@pytest.mark.parametrize(("number", "place"), [(3, "lost"), (4, "S")])
def test_an_unconscious_leader_has_no_such_luck(number: int, place: str) -> None:
    scene = Scene(team="climber, leader health 0, engineer, medic", cards=0).end_turns().roll(6, number)
    assert scene.place("leader") == place
