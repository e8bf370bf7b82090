"""Chapter 5: connection, placing, sealing, barred sides, the exit."""

import pytest

from .drawn import EAST, NORTH, SIDES, SOUTH, WEST
from .scene import Scene, rule

ONE_WAY_ON = """
        d
        |
     d--S--d
        |
        a-
    """
"""The cave's only open side that faces an empty place is a's, to the east."""
KINDS = {"d": "horror", "a": "ordinary"}


def one_way_on(team: str = "engineer on a", cave: str = ONE_WAY_ON, **words: int | str) -> Scene:
    """Somebody stands where the cave can go on."""
    return Scene(cave, team, **{**KINDS, **words})


def turnings(scene: Scene, of: str = "drawn") -> set[int]:
    """The quarter turns in which a tile may be placed."""
    return {int(answer.split()[2]) for answer in scene.legal if answer.startswith(f"place {of}")}


@rule("5.1")
def test_connected_is_an_edge_open_on_both_sides() -> None:
    """The start is open toward a, which is closed toward the start."""
    cave = "S  a\n|  |\nb--c"
    assert Scene(cave, "engineer", a="horror", b="gas", c="gas").sides("move") == {SOUTH}
    assert Scene(cave, "engineer on a", a="horror", b="gas", c="gas").sides("move") == {SOUTH}


@rule("5.1")
def test_tiles_that_touch_at_a_corner_are_not_connected() -> None:
    scene = Scene("   |\n   b-\n   |\na--S", "climber on a, medic on b", a="horror", b="ordinary")
    assert scene.sides("move") == {EAST}


@rule("5.2")
@pytest.mark.parametrize(("tile", "wanted"), [("ordinary corner", {1, 2}), ("ordinary tee", {1, 2, 3})])
def test_a_tile_may_be_turned_as_long_as_it_connects_to_the_drawing_caver(tile: str, wanted: set[int]) -> None:
    """Laid to the north, it must be open to the south."""
    assert turnings(Scene().do("reveal north").tile(tile)) == wanted


@rule("5.2")
@pytest.mark.parametrize(
    ("tile", "turns"), [("ordinary dead end", 2), ("ordinary straight", 0), ("ordinary crossroads", 0)]
)
def test_of_turnings_with_the_same_open_sides_only_the_smallest_counts(tile: str, turns: int) -> None:
    assert Scene().do("reveal north").tile(tile).cave["0,1"] == f"{tile} {turns}"


@rule("5.2")
def test_it_need_not_match_other_neighbours() -> None:
    cave = """
        a--b--c-
        |
        S
        """
    scene = Scene(cave, "medic", a="gas", b="ordinary", c="ordinary").do("explore east").tile("ordinary tee")
    assert turnings(scene) == {0, 2, 3}
    scene.do("place drawn 0")
    assert NORTH not in scene.sides("move")
    assert NORTH not in scene.sides("reveal")


@rule("5.2", "5.5", "5.6")
@pytest.mark.parametrize("kind", ["ledge", "slide"])
@pytest.mark.parametrize(("side", "turns"), list(zip(SIDES, range(4), strict=True)))
def test_the_arrow_points_away_from_the_drawing_caver(kind: str, side: str, turns: int) -> None:
    place = {NORTH: "0,1", EAST: "1,0", SOUTH: "0,-1", WEST: "-1,0"}[side]
    assert Scene().do(f"reveal {side}").tile(f"{kind} straight").cave[place] == f"{kind} straight {turns}"


@rule("5.3")
def test_a_tile_that_would_seal_the_cave_is_discarded_and_the_next_drawn_until_one_fits() -> None:
    scene = one_way_on().do("explore east")
    for _ in range(2):
        scene.tile("ordinary dead end")
        assert (scene.at, scene.place("engineer")) == ("tile", "a")
    scene.tile("ordinary straight")
    assert (scene.place("engineer"), scene.points, scene.at) == ("1,-1", 1, "engineer turn")
    assert "ordinary dead end" not in scene.do("reveal east").odds


@rule("5.3")
def test_turnings_that_would_seal_are_not_allowed() -> None:
    """Open to the west and the north, a corner would lead to the wall of d only."""
    assert one_way_on().do("reveal east").tile("ordinary corner").cave["1,-1"] == "ordinary corner 2"


@rule("5.3", "5.4")
def test_with_the_stack_empty_nothing_is_placed_the_explorer_stays_and_the_point_is_spent() -> None:
    scene = one_way_on(cave=ONE_WAY_ON.replace("S--d", "S--E"), left=2).do("explore east")
    scene.tile("ordinary dead end", "ordinary dead end")
    assert (scene.place("engineer"), scene.points, scene.at) == ("a", 1, "engineer turn")
    assert "1,-1" not in scene.cave


@rule("5.3")
def test_barred_open_sides_count() -> None:
    scene = one_way_on(cave=ONE_WAY_ON.replace(" d--S", "-b--S"), b="ledge west").do("explore east")
    assert scene.tile("ordinary dead end").place("engineer") == "1,-1"


@rule("5.3", "8.4")
def test_blasted_open_sides_count() -> None:
    scene = one_way_on(points=3).do("demolish west").roll(1).do("explore east")
    assert scene.tile("ordinary dead end").place("engineer") == "1,-1"


@rule("5.3")
def test_the_rule_goes_on_after_the_exit_lies() -> None:
    scene = one_way_on(cave=ONE_WAY_ON.replace("S--d", "S--E")).do("explore east")
    assert scene.tile("ordinary dead end").at == "tile"


@rule("5.3", "5.7")
def test_the_exits_own_placement_is_exempt() -> None:
    scene = one_way_on(left=3).do("explore east").tile("exit dead end")
    assert scene.place("engineer") == "1,-1"


@rule("5.3", "8.2")
def test_after_guide_a_sealing_tile_is_discarded_too_and_the_one_after_it_must_be_accepted() -> None:
    scene = one_way_on("scout on a").do("explore east").tile("ordinary tee").do("discard").tile("ordinary dead end")
    assert (scene.at, scene.state["guides_left"]) == ("tile", 2)
    assert scene.tile("ordinary tee").legal == {"place drawn 0", "place drawn 2", "place drawn 3"}


@rule("5.3", "5.4", "8.2")
def test_after_guide_the_stack_may_be_empty_with_nothing_placed() -> None:
    cave = ONE_WAY_ON.replace("S--d", "S--E")
    scene = one_way_on("scout on a", cave, left=2).do("explore east").tile("ordinary tee").do("discard")
    scene.tile("ordinary dead end")
    assert (scene.at, scene.place("scout"), scene.points) == ("scout turn", "a", 1)


@rule("5.4")
@pytest.mark.parametrize("name", ["engineer", "scout"])
def test_with_an_empty_stack_nobody_reveals_or_explores(name: str) -> None:
    scene = Scene("S--E", f"{name}, geologist", left=0, reserve="ordinary tee")
    assert scene.sides("reveal") == scene.sides("explore") == set()


@rule("5.4", "8.3")
def test_a_geologist_places_the_reserve_from_an_empty_stack_and_has_none_then() -> None:
    scene = Scene("S--E", "geologist", left=0, reserve="ordinary tee").do("explore north")
    assert (scene.at, turnings(scene, "reserve"), turnings(scene)) == ("geologist place", {1, 2, 3}, set())
    scene.do("place reserve 2")
    assert (scene.place("geologist"), scene.reserve, scene.points) == ("0,1", None, 1)
    assert scene.sides("reveal") == set()


@rule("5.4", "5.3", "8.3")
def test_a_reserve_that_does_not_fit_an_empty_stack_stays_and_the_point_is_spent() -> None:
    cave = ONE_WAY_ON.replace("S--d", "S--E")
    scene = one_way_on("geologist on a", cave, left=0, reserve="ordinary dead end").do("explore east")
    assert (scene.place("geologist"), scene.points, scene.reserve) == ("a", 1, "ordinary dead end")
    assert scene.sides("explore") == {EAST}


@rule("5.5")
def test_without_a_rope_nobody_on_a_ledge_reveals_moves_or_explores_through_its_far_side() -> None:
    edge = Scene("S--a-", "medic on a", a="ledge east")
    assert edge.sides("reveal") == edge.sides("explore") == set()
    onward = Scene("S--a--o-", "medic on a", a="ledge east")
    assert onward.sides("move") == onward.sides("run") == onward.sides("sprint") == {WEST}


@rule("5.5")
def test_a_ledge_is_entered_from_either_side_and_left_through_the_near_one() -> None:
    assert EAST in Scene("S--a-", "medic", a="ledge east").sides("move")
    scene = Scene("S--a--o-", "medic on o", a="ledge east").do("move west", "move west")
    assert scene.place("medic") == "S"


@rule("5.5")
def test_with_a_rope_a_ledge_is_free() -> None:
    assert Scene("S--a--o-", "medic on a", a="ledge east rope").sides("move") == {WEST, EAST}
    edge = Scene("S--a-", "medic on a", a="ledge east rope")
    assert edge.sides("reveal") == edge.sides("explore") == {EAST}


@rule("5.6")
def test_without_a_rope_nobody_on_a_slide_moves_back_through_its_near_side() -> None:
    scene = Scene("S--a--o-", "medic on a", a="slide east")
    assert scene.sides("move") == scene.sides("run") == scene.sides("sprint") == {EAST}


@rule("5.6")
def test_all_else_on_a_slide_is_free() -> None:
    edge = Scene("S--a-", "medic on a", a="slide east")
    assert edge.sides("reveal") == edge.sides("explore") == {EAST}
    assert Scene("S--a--o-", "medic on o", a="slide east").sides("move") == {WEST}
    scene = Scene("S--a--o-", "medic", a="slide east").do("move east", "move east")
    assert scene.place("medic") == "o"


@rule("5.6")
def test_with_a_rope_a_slide_is_free() -> None:
    assert Scene("S--a--o-", "medic on a", a="slide east rope").sides("move") == {WEST, EAST}


@rule("5.5", "5.6", "4.4")
def test_a_run_or_sprint_meets_the_bars_on_its_way() -> None:
    ledge = Scene("S--a--o-", "medic", a="ledge east").do("run east")
    assert ledge.legal == {"move west", "stop"}
    slide = Scene("S--a--o-", "medic", a="slide east").do("sprint east")
    assert slide.legal == {"move east", "stop"}


@rule("5.6")
@pytest.mark.parametrize(
    ("cave", "kind", "verb"),
    [
        ("S--a--b-", "water flooded", "swim"),
        ("S--a--b-", "squeeze", "squeeze"),
        ("S--a--b\n      |", "cave-in 1-4 rubble", "dig"),
    ],
)
def test_swim_squeeze_and_dig_are_barred_too(cave: str, kind: str, verb: str) -> None:
    assert Scene(cave, "medic on a", a="ledge east", b=kind).sides(verb) == set()
    assert Scene(cave, "medic on a", a="slide west", b=kind).sides(verb) == set()
    assert Scene(cave, "medic on a", a="ledge east rope", b=kind).sides(verb) == {EAST}


@rule("5.6", "8.7")
@pytest.mark.parametrize("kind", ["ledge east", "slide west"])
def test_repel_knows_no_bars(kind: str) -> None:
    scene = Scene("S--a--o-", "bodyguard on a", a=kind, horrors="o")
    assert scene.sides("move") == {WEST}
    assert scene.do("repel east").horrors == []


@rule("5.6", "8.4")
def test_demolish_knows_no_bars_and_the_side_stays_barred() -> None:
    """Beyond the ledge lies the wall of b."""
    scene = Scene(
        """
        c--d--e
        |     |
        S--a- b-
        """,
        "engineer on a",
        a="ledge east",
        b="gas",
        c="gas",
        d="ordinary",
        e="gas",
    )
    assert EAST in scene.sides("demolish")
    scene.do("demolish east").roll(1).do("exert")
    assert scene.sides("move") == {WEST}


@rule("5.6", "8.8")
def test_direct_knows_no_bars() -> None:
    scene = Scene("S--a--o-", "leader on a, medic on o", a="ledge east")
    assert "direct medic" in scene.legal


@rule("5.6", "8.4")
def test_other_sides_opened_by_explosives_are_free() -> None:
    scene = Scene("S--a--o-", "engineer on a", a="ledge east").do("demolish north").roll(1).do("exert")
    assert scene.sides("explore") == {NORTH}


@rule("5.6", "6.2")
@pytest.mark.parametrize("kind", ["ledge east", "slide west"])
def test_horrors_ignore_ledges_and_slides(kind: str) -> None:
    scene = Scene("S--a--o-", "scout, medic on o, climber lost, leader lost", a=kind, horrors="a").end_turns()
    assert scene.horrors == ["o"]


@rule("5.7")
def test_the_exit_is_drawn_and_placed_like_any_tile_and_may_be_explored_into() -> None:
    scene = Scene(left=1).do("explore north").tile("exit dead end")
    assert (scene.cave["0,1"], scene.place("medic"), scene.at) == ("exit dead end 2", "0,1", "medic turn")


@rule("5.7")
def test_cavers_on_the_exit_stay_in_play_and_may_walk_out() -> None:
    scene = Scene("S--E", "medic on E, climber").do("move west")
    assert scene.place("medic") == "S"
    acting = Scene("S--E", "leader on E, medic").do("direct medic")
    assert acting.at == "medic direct"


@rule("5.7", "6.3")
def test_cavers_on_the_exit_are_never_potential_victims() -> None:
    scene = Scene("a--S--E", "medic on E, scout, climber lost, leader lost", a="horror", horrors="a")
    assert scene.end_turns().horrors == []
