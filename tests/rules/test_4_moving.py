"""Chapter 4: revealing, moving, and what happens on entering a tile."""

from typing import Any

import pytest

from .drawn import EAST, NORTH, SOUTH, WEST
from .scene import Scene, rule

AROUND = """
        |
        a
        |
    -b--S--c-
        |
        d-
    """
KINDS_AROUND = {"a": "ordinary", "b": "water flooded", "c": "squeeze", "d": "cave-in 1-4 rubble"}


def around(team: str, **words: Any) -> Scene:
    """A caver on the start: a plain tile north, a flood west, a squeeze east and rubble south."""
    return Scene(AROUND, team, **KINDS_AROUND, **words)


@rule("4.1")
def test_reveal_lays_a_tile_and_the_caver_stays() -> None:
    scene = Scene().do("reveal east").tile("gas corner").do("place drawn 2")
    assert scene.cave["1,0"] == "gas corner 2"
    assert (scene.place("medic"), scene.points) == ("S", 1)


@rule("4.1", "4.3")
def test_reveal_and_explore_lead_through_an_open_side_to_an_empty_place() -> None:
    scene = Scene("S--a\n   |", "medic on a", a="gas")
    assert scene.sides("reveal") == scene.sides("explore") == {SOUTH}


@rule("4.2")
def test_move_goes_to_the_connected_tile_for_one_point() -> None:
    scene = Scene("S--o-").do("move east")
    assert (scene.place("medic"), scene.points) == ("o", 1)
    assert scene.do("move west").place("medic") == "S"


@rule("4.2", "5.1")
def test_move_does_not_go_through_walls() -> None:
    scene = Scene(
        """
        |
        a--b
        |
        S- c
        |  |
        d--e
        """,
        "medic",
        a="ordinary",
        b="horror",
        c="horror",
        d="ordinary",
        e="ordinary",
    )
    assert scene.sides("move") == {NORTH, SOUTH}


@rule("4.2", "4.6", "4.7", "4.8")
def test_move_does_not_enter_flooded_rubble_or_squeeze_tiles() -> None:
    scene = around("scout")
    assert scene.sides("move") == scene.sides("run") == {NORTH}


@rule("4.3")
def test_explore_reveals_and_moves_for_one_point() -> None:
    scene = Scene().do("explore east").tile("ordinary tee").do("place drawn 2")
    assert (scene.place("medic"), scene.points) == ("1,0", 1)


@rule("4.3")
def test_explore_enters_a_squeeze_too() -> None:
    scene = Scene(points=1).do("explore east").tile("squeeze straight")
    assert scene.place("medic") == "1,0"


@rule("4.3", "4.13")
def test_explore_enters_with_all_that_follows() -> None:
    scene = Scene().do("explore east").tile("rough terrain crossroads")
    assert scene.at == "medic rolls rough"
    assert scene.roll(2).health("medic") == 2
    assert Scene(gas=True).do("explore east").tile("gas corner").do("place drawn 2").health("medic") == 1


@rule("4.4")
def test_run_is_up_to_three_moves_for_two_points() -> None:
    scene = Scene("S--a--b--c--d-", "scout", a="ordinary", b="ordinary", c="ordinary", d="ordinary")
    scene.do("run east")
    assert (scene.at, scene.points) == ("scout run", 0)
    assert scene.legal == {"move east", "move west", "stop"}
    scene.do("move east")
    assert scene.place("scout") == "b"
    scene.do("move east")
    assert (scene.place("scout"), scene.at) == ("c", "scout turn")


@rule("4.4")
def test_a_run_may_stop_early() -> None:
    scene = Scene("S--a--b-", "scout", a="ordinary", b="ordinary").do("run east", "stop")
    assert (scene.place("scout"), scene.at, scene.points) == ("a", "scout turn", 0)


@rule("4.4")
def test_run_needs_two_points() -> None:
    assert not Scene("S--o-", "scout", points=1).sides("run")


@rule("4.4")
def test_each_move_of_a_run_is_a_legal_move() -> None:
    scene = Scene("-w--a--S", "scout", a="ordinary", w="water flooded").do("run west")
    assert scene.legal == {"move east", "stop"}


@rule("4.4", "4.13")
def test_each_move_of_a_run_has_all_its_effects_and_the_next_is_chosen_after_it() -> None:
    scene = Scene("S--r--o-", "scout health 2").do("run east")
    assert scene.at == "scout rolls rough"
    scene.roll(1)
    assert (scene.health("scout"), scene.at) == (1, "scout run")
    assert "move east" in scene.legal


@rule("4.4", "4.13")
def test_a_run_stops_when_the_caver_falls_unconscious() -> None:
    scene = Scene("S--r--o-", "scout health 1, medic").do("run east").roll(1)
    assert (scene.place("scout"), scene.at) == ("r", "medic turn")


@rule("4.6")
def test_swim_goes_onto_a_connected_flooded_tile_for_two_points() -> None:
    scene = around("scout")
    assert scene.sides("swim") == {WEST}
    scene.do("swim west")
    assert (scene.place("scout"), scene.points, scene.health("scout")) == ("b", 0, 3)
    assert not around("scout", points=1).sides("swim")


@rule("4.6")
def test_a_dry_water_tile_is_walked_onto() -> None:
    scene = Scene("S--w-", "scout")
    assert scene.sides("swim") == set()
    assert EAST in scene.sides("move")


@rule("4.7")
def test_squeeze_goes_onto_a_connected_squeeze_for_two_points() -> None:
    scene = around("scout")
    assert scene.sides("squeeze") == {EAST}
    scene.do("squeeze east")
    assert (scene.place("scout"), scene.points) == ("c", 0)
    assert not around("scout", points=1).sides("squeeze")


@rule("4", "8.1", "8.5")
def test_swim_and_squeeze_are_not_offered_where_a_plain_move_leads() -> None:
    diver = around("diver")
    assert (diver.sides("move"), diver.sides("swim"), diver.sides("squeeze")) == ({NORTH, WEST}, set(), {EAST})
    climber = around("climber")
    assert (climber.sides("move"), climber.sides("swim")) == ({NORTH, EAST, SOUTH}, {WEST})
    assert climber.sides("squeeze") == set()


@rule("4")
@pytest.mark.parametrize("kind", ["water flooded", "squeeze"])
def test_leaving_is_free(kind: str) -> None:
    assert Scene("S--a--o-", "scout on a", a=kind, points=1).sides("move") == {WEST, EAST}


@rule("4")
def test_leaving_rubble_is_free() -> None:
    assert WEST in Scene("S--a\n   |", "scout on a", a="cave-in 1-4 rubble", points=1).sides("move")


@rule("4")
def test_an_action_may_be_repeated_while_points_last() -> None:
    scene = Scene()
    for side in (NORTH, EAST):
        scene.do(f"reveal {side}").tile("ordinary straight")
    assert scene.legal == {"exert", "end turn"}
    scene.do("exert", "reveal south").tile("ordinary straight")
    assert scene.at == "medic rolls exert"


@rule("4")
def test_the_points_are_paid_first_whatever_comes_of_it() -> None:
    scene = Scene("S--a-", "scout on a", a="ledge east").do("place rope")
    assert scene.points == 0
    scene.roll(3)
    assert (scene.points, scene.markers("a")) == (0, set())


@rule("4.13", "6.6")
def test_a_horror_on_the_tile_entered_takes_all_health_and_nothing_more_follows() -> None:
    gas = Scene("S--a\n   |", "medic, climber", a="gas", horrors="a", gas=True).do("move east")
    assert (gas.health("medic"), gas.at) == (0, "climber turn")
    rough = Scene("S--r", "bodyguard, climber", horrors="r").do("move east")
    assert (rough.health("bodyguard"), rough.at) == (0, "climber turn")


@rule("4.13", "8.2")
def test_the_scout_meets_horrors_unharmed_and_what_follows_comes() -> None:
    gas = Scene("S--a\n   |", "scout", a="gas", horrors="a", gas=True).do("move east")
    assert gas.health("scout") == 1
    rough = Scene("S--r", "scout", horrors="r").do("move east")
    assert rough.at == "scout rolls rough"


@rule("4.13", "7.3")
@pytest.mark.parametrize(("gas", "health"), [(True, 1), (False, 3)])
def test_entering_a_gas_tile_costs_two_while_gas_is_out(gas: bool, health: int) -> None:
    scene = Scene("S--a\n   |", "medic", a="gas", gas=gas).do("move east")
    assert (scene.health("medic"), scene.at) == (health, "medic turn")


@rule("4.13")
@pytest.mark.parametrize(("number", "health"), [(3, 2), (4, 3)])
def test_rough_terrain_asks_for_a_check_on_entering(number: int, health: int) -> None:
    scene = Scene("S--r", "medic").do("move east")
    assert scene.at == "medic rolls rough"
    assert scene.roll(number).health("medic") == health
    assert scene.do("end turn").at == "climber turn"


@rule("4.13")
@pytest.mark.parametrize(
    ("kind", "answer"), [("water flooded", "swim east"), ("squeeze", "squeeze east"), ("ordinary", "move east")]
)
def test_however_a_caver_gets_there_it_is_entering(kind: str, answer: str) -> None:
    scene = Scene("S--a-", "medic, climber", a=kind, horrors="a").do(answer)
    assert scene.health("medic") == 0


@rule("4.13", "8.1")
def test_surfacing_is_entering() -> None:
    scene = Scene("S--w-", "medic, diver on w dived, climber, leader", horrors="w").do("end turn")
    assert (scene.place("diver"), scene.health("diver")) == ("w", 0)
