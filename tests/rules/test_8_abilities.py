"""Chapter 8: the abilities of diver, scout, geologist and engineer."""

import pytest

from .scene import Scene, rule

POOLS = "-w--S--v-"
RUBBLE = """
    S--a--o
       |
       o
"""
CLOSED = """
       d
       |
    d--S--d
       |
       a-
"""
"""The only open side toward an empty place is the east of a."""
WALLS = """
    x--y
    |
    S--z
"""
"""y and z lie side by side, each closed toward the other."""
OPEN = "ordinary crossroads"


def closed(name: str, **words: object) -> Scene:
    return Scene(CLOSED, f"{name} on a, climber, bodyguard, medic", a="ordinary", d="horror", **words)


def walls(where: str) -> Scene:
    team = f"engineer on {where}, climber, bodyguard, medic"
    return Scene(WALLS, team, x="ordinary", y="ordinary", z="ordinary")


@rule("8.1")
@pytest.mark.parametrize("meaning", ["water", "water flooded"])
def test_dive_on_water_leaves_the_board_and_ends_the_turn(meaning: str) -> None:
    scene = Scene("S--w-", "diver on w, climber, engineer, medic", w=meaning).do("dive")
    assert (scene.place("diver"), scene.at) == ("submerged", "climber turn")


@rule("8.1")
def test_dive_costs_two_and_needs_water() -> None:
    assert "dive" not in Scene("S--w-", "diver on w, climber", points=1).legal
    assert "dive" not in Scene("S--w-", "diver, climber").legal


@rule("8.1", "3.3", "3.5")
@pytest.mark.parametrize(("number", "place", "health"), [(4, "submerged", 1), (3, "w", 0)])
def test_dive_ends_the_turn_with_the_exertion_check_if_due(number: int, place: str, health: int) -> None:
    scene = Scene("S--w-", "diver on w health 1, climber").do("exert", "dive")
    assert scene.at == "diver rolls exert"
    scene.roll(number)
    assert (scene.place("diver"), scene.health("diver"), scene.at) == (place, health, "climber turn")


@rule("8.1")
@pytest.mark.parametrize(("answer", "place"), [("surface -1,0", "w"), ("surface 1,0", "v")])
def test_next_turn_is_only_surfacing_on_any_water(answer: str, place: str) -> None:
    scene = Scene(POOLS, "climber, diver on w dived, engineer, medic", v="water flooded").do("end turn")
    assert (scene.at, scene.legal) == ("diver surface", {"surface -1,0", "surface 1,0"})
    scene.do(answer)
    assert (scene.place("diver"), scene.at) == (place, "engineer turn")


@rule("8.1", "11")
def test_with_one_water_tile_the_diver_surfaces_there_at_once() -> None:
    scene = Scene("S--w-", "climber, diver on w dived, engineer, medic").do("end turn")
    assert (scene.place("diver"), scene.at) == ("w", "engineer turn")


@rule("8.1", "4.13")
def test_surfacing_is_entering() -> None:
    scene = Scene(POOLS, "climber, diver on w dived, engineer, medic", v="water", horrors="v").do("end turn")
    assert scene.do("surface 1,0").health("diver") == 0


@rule("8.1", "6.6")
def test_horrors_do_not_touch_a_submerged_diver() -> None:
    scene = Scene("x--w--S", "diver on w, climber, engineer, medic", x="ordinary", horrors="x").do("dive").end_turns()
    assert (scene.horrors, scene.health("diver"), scene.place("diver")) == (["w"], 3, "submerged")


@rule("8.1")
def test_a_submerged_diver_is_not_healed_or_directed() -> None:
    assert "heal diver" not in Scene("S--w-", "medic on w, diver on w health 1 dived").legal
    assert "heal diver" in Scene("S--w-", "medic on w, diver on w health 1").legal
    assert "direct diver" not in Scene("S--w-", "leader, diver on w dived").legal
    assert "direct diver" in Scene("S--w-", "leader, diver on w").legal


@rule("8.1", "7.1", "8.7")
@pytest.mark.parametrize(("answer", "asked"), [("dive", "diver"), ("end turn", "bodyguard")])
def test_a_submerged_diver_checks_at_a_tremor_and_is_not_protected(answer: str, asked: str) -> None:
    scene = Scene("S--w-", "diver on w, bodyguard on w, climber, medic").do(answer).end_turns().card("tremor")
    assert scene.at == f"{asked} rolls tremor"


@rule("8.1", "3.5")
def test_a_submerged_diver_who_falls_drifts_back() -> None:
    scene = Scene(POOLS, "diver on w health 1, climber", v="water").do("dive").end_turns().card("tremor").roll(1)
    assert (scene.place("diver"), scene.health("diver")) == ("w", 0)


@rule("8.1")
def test_amphibious_makes_floods_free_and_flooded_tiles_open_to_moves() -> None:
    scene = Scene("S--w-", "diver, climber on w", w="water flooded")
    assert ("east" in scene.sides("move"), "east" in scene.sides("run")) == (True, True)
    scene.do("move east").end_turns().card("flood")
    assert (scene.points, scene.health("diver"), scene.health("climber")) == (2, 3, 2)


@rule("8.2")
def test_guide_discards_the_drawn_tile_and_takes_the_next() -> None:
    scene = Scene(team="scout, climber").do("explore north").tile(OPEN)
    assert (scene.at, scene.legal) == ("scout place", {"place drawn 0", "discard"})
    assert scene.do("discard").at == "tile"
    assert scene.odds[OPEN] == pytest.approx(2 / 63)
    scene.tile("gas corner")
    assert scene.legal == {"place drawn 1", "place drawn 2"}
    assert (scene.do("place drawn 1").place("scout"), scene.points) == ("0,1", 1)


@rule("8.2")
def test_guide_works_three_times_a_game() -> None:
    scene = Scene(team="scout, climber", points=4)
    for side in ("north", "east", "south"):
        scene.do(f"reveal {side}").tile("gas corner").do("discard").tile("ledge straight")
    assert scene.do("reveal west").tile(OPEN).at == "scout turn"


@rule("8.2")
def test_accepting_a_tile_uses_nothing_up() -> None:
    scene = Scene(team="scout, climber", guides=1).do("reveal north").tile(OPEN).do("place drawn 0")
    assert "discard" in scene.do("reveal east").tile(OPEN).legal


@rule("8.2")
def test_nobody_else_guides() -> None:
    scene = Scene(team="climber, scout").do("reveal north").tile("gas corner")
    assert "discard" not in scene.legal


@rule("8.2", "5.3")
def test_tiles_discarded_by_sealing_do_not_count() -> None:
    scene = closed("scout").do("reveal east").tile("horror dead end")
    assert scene.at == "tile"
    assert scene.tile(OPEN).legal == {"place drawn 0", "discard"}
    assert scene.do("discard").tile("ordinary dead end").at == "tile"
    assert scene.tile(OPEN).cave["1,-1"] == f"{OPEN} 0"


@rule("8.2")
def test_the_exit_is_not_discarded() -> None:
    scene = Scene(team="scout, climber", left=4).do("reveal north").tile("exit dead end")
    assert (scene.cave["0,1"], scene.at) == ("exit dead end 2", "scout turn")


@rule("8.2")
def test_no_guide_when_the_stack_is_empty() -> None:
    scene = Scene("S--E", "scout, climber", left=1).do("reveal north")
    name = next(iter(name for name in scene.odds if str(name).endswith(("corner", "tee"))))
    assert "discard" not in scene.tile(str(name)).legal


@rule("8.2", "6.6")
def test_stealth_walks_through_horrors() -> None:
    scene = Scene("S--x--o", "scout, climber", x="ordinary", horrors="x").do("move east", "move east")
    assert (scene.place("scout"), scene.health("scout")) == ("o", 3)


@rule("8.2", "6.3")
def test_stealth_is_never_a_potential_victim() -> None:
    team = "scout on x, climber hidden, leader hidden, medic hidden"
    scene = Scene("S--x--o", team, x="ordinary", horrors="x").end_turns()
    assert (scene.horrors, scene.health("scout")) == ([], 3)


@rule("8.3")
@pytest.mark.parametrize("name", ["geologist", "climber"])
def test_excavate_digs_for_one(name: str) -> None:
    here = Scene(RUBBLE, f"{name} on a", a="cave-in 2-5 rubble", points=1)
    beside = Scene(RUBBLE, f"{name}, bodyguard", a="cave-in 2-5 rubble", points=1)
    assert ("dig here" in here.legal, "dig east" in beside.legal) == (name == "geologist",) * 2
    if name == "geologist":
        assert here.do("dig here").markers("a") == beside.do("dig east").markers("a") == set()
        assert here.points == beside.points == 0


@rule("8.3", "11")
@pytest.mark.parametrize(
    ("answer", "placed", "kept"),
    [("place drawn 2", "gas corner 2", OPEN), ("place reserve 0", f"{OPEN} 0", "gas corner")],
)
def test_intuition_places_one_of_two_and_keeps_the_other(answer: str, placed: str, kept: str) -> None:
    scene = Scene(team="geologist, climber", reserve=OPEN).do("reveal north").tile("gas corner")
    assert (scene.at, scene.legal) == ("geologist place", {"place drawn 1", "place drawn 2", "place reserve 0"})
    scene.do(answer)
    assert (scene.cave["0,1"], scene.reserve) == (placed, kept)


@rule("8.3")
def test_intuition_is_for_own_draws() -> None:
    scene = Scene(team="climber, geologist", reserve=OPEN).do("reveal north").tile("gas corner")
    assert scene.legal == {"place drawn 1", "place drawn 2"}


@rule("8.3", "5.3")
@pytest.mark.parametrize(("reserve", "drawn"), [(OPEN, "ordinary dead end"), ("ordinary dead end", OPEN)])
def test_intuition_takes_the_only_one_that_can_be_placed(reserve: str, drawn: str) -> None:
    scene = closed("geologist", reserve=reserve).do("reveal east").tile(drawn)
    assert (scene.at, scene.cave["1,-1"], scene.reserve) == ("geologist turn", f"{OPEN} 0", "ordinary dead end")


@rule("8.3", "5.3")
def test_if_neither_can_be_placed_the_drawn_one_goes_and_the_next_comes_with_the_same_choice() -> None:
    scene = closed("geologist", reserve="ordinary dead end").do("reveal east").tile("horror dead end")
    assert (scene.at, scene.reserve) == ("tile", "ordinary dead end")
    scene.tile(OPEN)
    assert (scene.cave["1,-1"], scene.reserve) == (f"{OPEN} 0", "ordinary dead end")


@rule("8.3", "5.4")
def test_the_exit_may_be_kept_and_comes_from_an_empty_stack() -> None:
    scene = Scene(team="geologist, climber", reserve=OPEN, left=1).do("reveal north").tile("exit dead end")
    assert scene.legal == {"place drawn 2", "place reserve 0"}
    assert scene.do("place reserve 0").reserve == "exit dead end"
    scene.do("explore east")
    assert (scene.place("geologist"), scene.cave["1,0"], scene.reserve) == ("1,0", "exit dead end 3", None)


@rule("8.3", "5.4")
def test_a_reserve_that_does_not_fit_stays_and_the_point_is_spent() -> None:
    cave = CLOSED.replace("d--S--d", "d--S--E")
    team = "geologist on a, climber, bodyguard, medic"
    scene = Scene(cave, team, a="ordinary", d="horror", left=0, reserve="ordinary dead end").do("explore east")
    assert (scene.place("geologist"), scene.points, scene.reserve) == ("a", 1, "ordinary dead end")


@rule("8.4")
def test_demolish_costs_two_and_brings_a_cave_in_at_once() -> None:
    cave = "   x\n   |\na--S--y\n|"
    team = "engineer on x, bodyguard on a, climber, medic"
    words = {"x": "ordinary", "y": "ordinary", "a": "cave-in 2-6"}
    assert Scene(cave, team, points=1, **words).sides("demolish") == set()
    scene = Scene(cave, team, **words).do("demolish north")
    assert (scene.at, scene.points) == ("cave-in die", 0)
    scene.roll(6)
    assert (scene.markers("a"), scene.health("bodyguard"), scene.at) == ({"rubble"}, 2, "engineer turn")


@rule("8.4")
@pytest.mark.parametrize(("where", "sides"), [("z", {"north", "east", "south"}), ("y", {"north", "east", "south"})])
def test_demolish_wherever_a_wall_is_there_to_open(where: str, sides: set[str]) -> None:
    assert walls(where).sides("demolish") == sides


@rule("8.4")
def test_no_demolishing_where_connected_or_open_toward_an_empty_place() -> None:
    assert walls("S").sides("demolish") == set()
    assert walls("x").sides("demolish") == {"north", "west"}


@rule("8.4")
def test_demolish_opens_the_walls_of_both_tiles_for_good() -> None:
    team = "engineer on z, climber on z, bodyguard, medic"
    scene = Scene(WALLS, team, x="ordinary", y="ordinary", z="ordinary")
    assert "north" in scene.do("demolish north").roll(1).do("exert").sides("move")
    scene.do("end turn").roll(6).end_turns().card("flood")
    assert (scene.at, scene.sides("move")) == ("climber turn", {"north", "west"})
    assert scene.do("move north").place("climber") == "y"


@rule("8.4")
@pytest.mark.parametrize(("where", "side"), [("S", "north"), ("x", "south")])
def test_demolish_opens_the_wall_of_either_tile(where: str, side: str) -> None:
    """The start is open to the north, x is closed to the south."""
    cave = "x--y\n   |\nS--z"
    words = {"x": "ordinary", "y": "ordinary", "z": "ordinary"}
    scene = Scene(cave, f"engineer on {where}, bodyguard on z, climber on z, medic on z", **words)
    assert side not in scene.sides("move")
    assert side in scene.do(f"demolish {side}").roll(1).do("exert").sides("move")


@rule("8.4", "5.2")
def test_through_an_opening_toward_an_empty_place_tiles_are_explored_and_must_connect() -> None:
    scene = walls("y").do("demolish east").roll(1).do("exert")
    assert (scene.sides("reveal"), scene.sides("explore")) == ({"east"}, {"east"})
    scene.do("explore east").tile("gas corner")
    assert scene.legal == {"place drawn 2", "place drawn 3"}
    scene.do("place drawn 2").roll(6)
    assert scene.place("engineer") == "2,1"


@rule("8.4", "5.6")
def test_an_opening_in_the_side_of_a_ledge_is_no_barred_side() -> None:
    scene = Scene("S--a--o", "engineer on a", a="ledge east").do("demolish north").roll(1).do("exert")
    assert (scene.sides("reveal"), scene.sides("move")) == ({"north"}, {"west"})


@rule("8.4")
def test_demolish_works_three_times_a_game() -> None:
    scene = Scene("S--x", "engineer on x", x="ordinary", points=7)
    for side in ("north", "east", "south"):
        scene.do(f"demolish {side}").roll(1)
    assert scene.points == 1
    assert Scene("S--x", "engineer on x", x="ordinary", explosives=0).sides("demolish") == set()
    last = Scene("S--x", "engineer on x", x="ordinary", explosives=1, points=6).do("demolish north").roll(1)
    assert last.sides("demolish") == set()


@rule("8.4")
def test_nobody_else_demolishes() -> None:
    assert Scene("S--x", "climber on x, engineer on x", x="ordinary").sides("demolish") == set()


@rule("8.4", "7.4")
def test_careful_loses_one_to_a_cave_in() -> None:
    scene = Scene(RUBBLE, "engineer on a, climber on a, leader, medic", a="cave-in 2-5").end_turns().card("cave-in")
    scene.roll(5)
    assert (scene.health("engineer"), scene.health("climber")) == (2, 0)


@rule("8.4")
def test_careful_holds_against_the_cave_in_of_its_own_explosives() -> None:
    scene = Scene(RUBBLE, "engineer on a, climber", a="cave-in 2-5").do("demolish north").roll(2)
    assert (scene.health("engineer"), scene.markers("a")) == (2, {"rubble"})
