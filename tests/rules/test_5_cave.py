"""Chapter 5: connection, laying, sealing, ledges, slides and the exit."""

import pytest

from .scene import Scene, rule

TEAM = "engineer, climber, bodyguard, medic"
CLOSED = """
       d
       |
    d--S--d
       |
       a-
"""
"""The only open side toward an empty place is the east of a."""


def on(letter: str) -> str:
    return f"engineer on {letter}, climber, bodyguard, medic"


@rule("5.1")
def test_tiles_are_connected_where_both_are_open_never_diagonally() -> None:
    scene = Scene("o--o\n|\nS--o", TEAM)
    assert scene.sides("move") == {"north", "east"}
    walled = Scene("S--a\n|\no--o", on("a"), a="ordinary")
    assert walled.sides("move") == {"west"}


@rule("5.2")
def test_a_tile_may_be_turned_freely_as_long_as_it_connects() -> None:
    scene = Scene(team=TEAM).do("reveal north").tile("gas corner")
    assert scene.legal == {"place drawn 1", "place drawn 2"}
    tee = Scene(team=TEAM).do("reveal north").tile("ordinary tee")
    assert tee.legal == {"place drawn 1", "place drawn 2", "place drawn 3"}


@rule("5.2")
def test_equal_open_sides_count_once_with_the_smallest_turn() -> None:
    scene = Scene(team=TEAM).do("reveal east").tile("ordinary straight")
    assert scene.cave["1,0"] == "ordinary straight 1"
    cross = Scene(team=TEAM).do("reveal east").tile("ordinary crossroads")
    assert cross.cave["1,0"] == "ordinary crossroads 0"


@rule("5.2")
def test_other_neighbours_need_not_match() -> None:
    scene = Scene("o--o\n|\nS", TEAM).do("reveal east").tile("ordinary crossroads")
    assert scene.cave["1,0"] == "ordinary crossroads 0"


@rule("5.2")
@pytest.mark.parametrize(("side", "turns"), [("north", 0), ("east", 1), ("south", 2), ("west", 3)])
@pytest.mark.parametrize("kind", ["ledge", "slide"])
def test_ledges_and_slides_point_away_from_who_draws(kind: str, side: str, turns: int) -> None:
    scene = Scene(team=TEAM).do(f"reveal {side}").tile(f"{kind} straight")
    assert f"{kind} straight {turns}" in scene.cave.values()


@rule("5.3")
def test_a_tile_that_would_seal_the_cave_is_discarded_for_the_next() -> None:
    scene = Scene(CLOSED, on("a"), a="ordinary", d="horror").do("explore east").tile("ordinary dead end")
    assert scene.at == "tile"
    scene.tile("ordinary crossroads")
    assert (scene.place("engineer"), scene.points) == ("1,-1", 1)


@rule("5.3")
def test_turnings_that_seal_are_not_offered() -> None:
    """A corner east of a leads north to the closed side of d, which seals, or south."""
    scene = Scene(CLOSED, on("a"), a="ordinary", d="horror").do("reveal east").tile("ordinary corner")
    assert scene.cave["1,-1"] == "ordinary corner 2"


@rule("5.3", "5.4")
def test_with_an_empty_stack_nothing_is_placed_and_an_explorer_stays() -> None:
    cave = CLOSED.replace("d--S--d", "d--S--E")
    scene = Scene(cave, on("a"), a="ordinary", d="horror", left=1).do("explore east").tile("ordinary dead end")
    assert (scene.place("engineer"), scene.points, scene.at) == ("a", 1, "engineer turn")


@rule("5.3")
def test_the_exit_may_seal_the_cave() -> None:
    scene = Scene(CLOSED, on("a"), a="ordinary", d="horror", left=1).do("reveal east").tile("exit dead end")
    assert (scene.cave["1,-1"], scene.state["frontier"]) == ("exit dead end 3", 0)


@rule("5.4")
def test_no_revealing_from_an_empty_stack() -> None:
    scene = Scene("S--E", TEAM, left=0)
    assert scene.sides("reveal") == scene.sides("explore") == set()


@rule("5.4", "8.3")
def test_a_geologist_lays_the_reserve_from_an_empty_stack_once() -> None:
    scene = Scene("S--E", "geologist, climber, bodyguard, medic", left=0, reserve="ordinary crossroads")
    scene.do("reveal north")
    assert (scene.cave["0,1"], scene.reserve, scene.points) == ("ordinary crossroads 0", None, 1)
    assert scene.sides("reveal") == set()


@rule("5.5")
def test_a_ledge_bars_its_far_side_without_a_rope() -> None:
    bare = Scene("S--a--o", on("a"), a="ledge east")
    assert (bare.sides("move"), bare.sides("run")) == ({"west"}, {"west"})
    assert Scene("S--a-", on("a"), a="ledge east").sides("reveal") == set()
    assert Scene("S--a--o", on("a"), a="ledge east rope").sides("move") == {"west", "east"}
    assert Scene("S--a-", on("a"), a="ledge east rope").sides("explore") == {"east"}


@rule("5.5")
def test_a_ledge_is_entered_from_either_side_freely() -> None:
    assert "move west" in Scene("S--a--b", on("b"), a="ledge east", b="ordinary").legal
    assert "move east" in Scene("S--a--b", TEAM, a="ledge east", b="ordinary").legal


@rule("5.6")
def test_a_slide_bars_the_way_back_without_a_rope() -> None:
    assert Scene("S--a--o", on("a"), a="slide east").sides("move") == {"east"}
    assert Scene("S--a-", on("a"), a="slide east").sides("reveal") == {"east"}
    assert Scene("S--a--o", on("a"), a="slide east rope").sides("move") == {"west", "east"}


@rule("5.6")
@pytest.mark.parametrize(
    ("meaning", "verb"), [("water flooded", "swim"), ("squeeze", "squeeze"), ("cave-in 2-5 rubble", "dig")]
)
def test_bars_stop_swimming_squeezing_and_digging(meaning: str, verb: str) -> None:
    cave = "S--a--b-\n      |\n      o" if "cave-in" in meaning else "S--a--b--o"
    assert verb not in {word.split()[0] for word in Scene(cave, on("a"), a="ledge east", b=meaning).legal}
    assert f"{verb} east" in Scene(cave, on("a"), a="ledge east rope", b=meaning).legal


@rule("5.6", "8.7")
def test_repelling_knows_no_bars_and_horrors_neither() -> None:
    scene = Scene("S--a--b--o", "bodyguard on a, climber, engineer, medic", a="ledge east", b="ordinary", horrors="b")
    assert "repel east" in scene.legal
    scene.end_turns()
    assert scene.horrors == ["a"]


@rule("5.7")
def test_the_exit_may_be_explored_into_and_left_again() -> None:
    scene = Scene(team=TEAM, left=1).do("explore north").tile("exit dead end")
    assert scene.place("engineer") == "0,1"
    assert "move south" in scene.legal
