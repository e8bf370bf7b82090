"""Chapter 4: the actions everybody has, and entering."""

import pytest

from .scene import Scene, rule

TEAM = "engineer, climber, bodyguard, medic"
ROW = "S--a--o--c"


def on(letter: str, more: str = "") -> str:
    """The engineer on a tile of the drawing; the others wait at the start."""
    return f"engineer on {letter}{more}, climber, bodyguard, medic"


@rule("4.1")
def test_reveal_lays_a_tile_and_moves_nobody() -> None:
    scene = Scene(team=TEAM).do("reveal north").tile("rough terrain crossroads")
    assert (scene.place("engineer"), scene.points, scene.cave["0,1"]) == ("S", 1, "rough terrain crossroads 0")


@rule("4.1")
def test_reveal_and_explore_need_an_open_side_to_an_empty_place() -> None:
    scene = Scene("-a--S", on("a"), a="ordinary")
    assert scene.sides("reveal") == scene.sides("explore") == {"west"}


@rule("4.2")
def test_move_leads_to_connected_tiles_only() -> None:
    scene = Scene("S--a--o", on("a"), a="ordinary")
    assert scene.sides("move") == {"west", "east"}
    assert scene.do("move east").place("engineer") == "o"


@rule("4.2", "4.6", "4.7", "4.8")
@pytest.mark.parametrize(
    ("meaning", "verb"), [("water flooded", "swim"), ("cave-in 2-5 rubble", "dig"), ("squeeze", "squeeze")]
)
def test_no_move_onto_flood_rubble_or_squeeze(meaning: str, verb: str) -> None:
    scene = Scene("S--a-" if "cave-in" not in meaning else "S--a--o\n   |\n   o", TEAM, a=meaning)
    assert "east" not in scene.sides("move")
    assert "east" not in scene.sides("run")
    assert "east" in scene.sides(verb)


@rule("4.3")
def test_explore_reveals_and_moves_even_onto_a_squeeze() -> None:
    scene = Scene(team=TEAM).do("explore north").tile("squeeze straight")
    assert (scene.place("engineer"), scene.points) == ("0,1", 1)


@rule("4.4")
def test_run_is_up_to_three_moves_for_two_points() -> None:
    scene = Scene("S--o--o--o--o", "engineer, climber, bodyguard, medic").do("run east")
    assert (scene.at, scene.points, scene.place("engineer")) == ("engineer run", 0, "1,0")
    assert scene.legal == {"move west", "move east", "stop"}
    scene.do("move east", "move east")
    assert (scene.place("engineer"), scene.at) == ("3,0", "engineer turn")


@rule("4.4")
def test_a_run_may_stop_early() -> None:
    scene = Scene("S--o--o", TEAM).do("run east", "stop")
    assert (scene.place("engineer"), scene.at, scene.points) == ("1,0", "engineer turn", 0)


@rule("4.4", "4.13")
def test_every_move_of_a_run_has_its_effects_and_falling_stops_it() -> None:
    scene = Scene("   .\nS--r--o\n   '", "engineer health 1, climber, bodyguard, medic").do("run east")
    assert scene.at == "engineer rolls rough"
    assert scene.roll(1).at == "climber turn"


@rule("4.4", "11")
def test_a_run_into_a_dead_end_behind_a_slide_stops_by_itself() -> None:
    scene = Scene("S--a--d", TEAM, a="slide east", d="horror").do("run east")
    assert (scene.at, scene.legal) == ("engineer run", {"move east", "stop"})


@rule("4.5")
def test_heal_yourself_or_somebody_here_who_lacks_health() -> None:
    team = "engineer health 2, climber health 0, bodyguard, medic on o health 1"
    scene = Scene("S--o", team)
    assert {word for word in scene.legal if word.startswith("heal")} == {"heal engineer", "heal climber"}
    assert scene.do("heal climber").health("climber") == 1
    assert scene.points == 0


@rule("4.5")
def test_heal_costs_two() -> None:
    assert "heal climber" not in Scene(team="engineer, climber health 1, bodyguard, medic", points=1).legal


@rule("4.6")
def test_swim_onto_a_flooded_tile_for_two() -> None:
    scene = Scene("S--w-", TEAM, w="water flooded").do("swim east")
    assert (scene.place("engineer"), scene.points) == ("w", 0)
    assert "swim east" not in Scene("S--w-", TEAM, w="water flooded", points=1).legal


@rule("4.7")
def test_squeeze_for_two() -> None:
    scene = Scene("S--q-", TEAM).do("squeeze east")
    assert (scene.place("engineer"), scene.points) == ("q", 0)


@rule("4.6", "4.7", "8.1", "8.5")
def test_swim_and_squeeze_are_not_offered_where_a_plain_move_leads() -> None:
    diver = Scene("S--w-", "diver, climber, bodyguard, medic", w="water flooded")
    assert ("east" in diver.sides("move"), "east" in diver.sides("swim")) == (True, False)
    climber = Scene("S--q-", "climber, diver, bodyguard, medic")
    assert ("east" in climber.sides("move"), "east" in climber.sides("squeeze")) == (True, False)


@rule("4.8")
def test_dig_here_or_beside() -> None:
    cave = "S--a--b\n   |  |\n   o  o"
    meaning = {"a": "cave-in 1-3 rubble", "b": "cave-in 1-4 rubble"}
    scene = Scene(cave, on("a"), **meaning)
    assert {word for word in scene.legal if word.startswith("dig")} == {"dig here", "dig east"}
    scene.do("dig here")
    assert (scene.markers("a"), scene.markers("b"), scene.points) == (set(), {"rubble"}, 0)
    assert Scene(cave, on("a"), **meaning).do("dig east").markers("b") == set()


@rule("4.9")
@pytest.mark.parametrize(("number", "markers"), [(3, set()), (4, {"rope"})])
def test_a_rope_for_two_and_a_check(number: int, markers: set[str]) -> None:
    scene = Scene("S--a-", on("a"), a="ledge east").do("place rope")
    assert scene.at == "engineer rolls rope"
    scene.roll(number)
    assert (scene.markers("a"), scene.points) == (markers, 0)


@rule("4.9")
def test_one_rope_is_enough_and_only_on_ledges_and_slides() -> None:
    assert "place rope" not in Scene("S--a-", on("a"), a="ledge east rope").legal
    assert "place rope" in Scene("S--a-", on("a"), a="slide east").legal
    assert "place rope" not in Scene(team=TEAM).legal


@rule("4.10")
@pytest.mark.parametrize(("number", "hidden"), [(3, False), (4, True)])
def test_hide_for_two_and_a_check(number: int, hidden: bool) -> None:
    scene = Scene(team=TEAM).do("hide").roll(number)
    assert (scene.hidden("engineer"), scene.points) == (hidden, 0)


@rule("4.10")
def test_the_third_turn_running_needs_no_check() -> None:
    assert Scene(team="engineer hides 1, climber, bodyguard, medic").do("hide").at == "engineer rolls hide"
    scene = Scene(team="engineer hides 2, climber, bodyguard, medic").do("hide")
    assert scene.hidden("engineer")


@rule("4.10")
def test_using_counts_not_success_and_a_turn_without_breaks_the_row() -> None:
    tried = Scene(team=TEAM).do("hide").roll(1).do("end turn")
    assert tried.caver("engineer")["hides_running"] == 1
    broken = Scene(team="engineer hides 2, climber, bodyguard, medic").do("end turn")
    assert broken.caver("engineer")["hides_running"] == 0


@rule("4.10")
def test_several_hides_in_a_turn_count_once() -> None:
    scene = Scene(team=TEAM, rules="guide").do("hide").roll(1).do("hide").roll(1).do("end turn")
    assert scene.caver("engineer")["hides_running"] == 1


@rule("4.10")
def test_a_turn_passed_over_neither_counts_nor_breaks() -> None:
    scene = Scene(team="medic, engineer health 0 hides 1, climber, bodyguard").end_turns().card("flood")
    assert scene.caver("engineer")["hides_running"] == 1


@rule("4.10")
def test_no_hiding_while_hidden_or_on_the_exit() -> None:
    assert "hide" not in Scene(team="engineer hidden, climber, bodyguard, medic").legal
    assert "hide" not in Scene("S--E", on("E")).legal
    assert "hide" in Scene(team=TEAM).legal


@rule("4.10")
def test_neither_moving_nor_falling_ends_hiding() -> None:
    scene = Scene("   .\nS--r-\n   '", "engineer health 1 hidden, climber, bodyguard, medic").do("move east")
    assert scene.roll(1).hidden("engineer")


@rule("4.11")
def test_end_turn_is_always_there() -> None:
    assert "end turn" in Scene(team=TEAM).legal
    assert "end turn" in Scene(team=TEAM, points=0).legal


@rule("4.12")
def test_leave_when_all_who_are_conscious_are_out_and_others_are_not() -> None:
    team = "engineer on E, climber on E, bodyguard health 0, medic on E"
    scene = Scene("S--E", team)
    assert "leave" in scene.legal
    scene.do("exert", "leave")
    assert (scene.at, scene.left_behind) == ("silver", ("bodyguard",))
    assert "leave" not in Scene("S--E", "engineer on E, climber on E, bodyguard, medic on E").legal


@rule("4.13", "6.6")
def test_entering_a_horrors_tile_costs_all_health() -> None:
    scene = Scene("S--o", TEAM, horrors="o").do("move east")
    assert (scene.health("engineer"), scene.at) == (0, "climber turn")


@rule("4.13", "7.3")
def test_entering_gas_while_it_is_out_costs_two_also_by_exploring() -> None:
    scene = Scene("S--g\n   |\n   o", TEAM, gas=True).do("move east")
    assert scene.health("engineer") == 1
    new = Scene(team=TEAM, gas=True).do("explore north").tile("gas tee").do("place drawn 2")
    assert new.health("engineer") == 1
    assert Scene("S--g\n   |\n   o", TEAM).do("move east").health("engineer") == 3


@rule("4.13")
@pytest.mark.parametrize(("number", "health"), [(3, 2), (4, 3)])
def test_rough_terrain_asks_for_a_check(number: int, health: int) -> None:
    scene = Scene("   .\nS--r-\n   '", TEAM).do("move east").roll(number)
    assert scene.health("engineer") == health


@rule("4")
def test_the_points_are_paid_whatever_comes_of_it() -> None:
    scene = Scene("S--a-", on("a"), a="ledge east").do("place rope").roll(1)
    assert (scene.points, scene.markers("a")) == (0, set())


@rule("4")
def test_leaving_flood_rubble_and_squeeze_is_free() -> None:
    assert "move west" in Scene("S--w-", on("w"), w="water flooded").legal
    assert "move west" in Scene("S--q-", on("q")).legal
    assert "move west" in Scene("S--a\n   |\n   o", on("a"), a="cave-in 1-4 rubble").legal
