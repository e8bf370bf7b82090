"""Chapter 6: horrors, their victims and their ways."""

from itertools import pairwise

import pytest

from .scene import Scene, rule

CORRIDOR = "S--o--o--o--o--w--w--w--x"
"""x is eight steps from the start."""
SHORTER = "S--o--o--o--o--w--w--x"
"""x is seven steps from the start."""
SQUARE = """
    x--a
    |  |
    b--S
"""
AROUND = """
    x--y
       |
    S--z
"""
"""x lies beside the start, behind a wall."""
FORK = """
    a--x--b
       |
       S
"""
BETWEEN = "x--S--y--b--c"
ORDINARY = {"x": "ordinary", "y": "ordinary", "z": "ordinary", "a": "ordinary", "b": "ordinary", "c": "ordinary"}
VICTIMS = ("diver", "geologist", "engineer", "climber", "medic", "bodyguard", "leader")
"""By rank; the scout is nobody's victim."""


def legend(letters: str) -> dict[str, str]:
    return {letter: ORDINARY[letter] for letter in letters}


def all_on(letter: str, more: str = "") -> str:
    return ", ".join(f"{name} on {letter}{more}" for name in ("climber", "medic", "leader", "engineer"))


@rule("6.1", "7.5")
@pytest.mark.parametrize(("before", "after"), [("h", ["5,0", "h"]), ("hh", ["5,0"] * 2 + ["h"]), ("hhh", ["5,0"] * 3)])
def test_at_most_three_horrors_and_several_may_share_a_tile(before: str, after: list[str]) -> None:
    scene = Scene("S--o--o--o--o--w--w--h", horrors=before).end_turns()
    assert scene.horrors == ["6,0"] * len(before)
    assert scene.card("horror").horrors == after


@rule("6.2")
def test_walls_block_and_so_lengthen_the_way() -> None:
    assert Scene(AROUND, horrors="x", **legend("xyz")).end_turns().horrors == ["y"]


@rule("6.2", "8.4")
def test_explosives_open_walls_for_horrors_too() -> None:
    cave = "   x--y\n      |\nk--S--z"
    team = "engineer, medic on k, climber on k, leader on k"
    scene = Scene(cave, team, horrors="x", k="ordinary", **legend("xyz")).do("demolish north").roll(1).end_turns()
    assert (scene.horrors, scene.health("engineer")) == (["S"], 0)


@rule("6.2", "5.6")
@pytest.mark.parametrize(
    "meaning",
    ["water flooded", "squeeze", "ledge east", "ledge west", "slide east", "slide west", "cave-in 2-5 rubble"],
)
def test_nothing_but_walls_blocks_a_horror(meaning: str) -> None:
    cave = "k--S--a--x" + ("\n      |" if "cave-in" in meaning else "")
    scene = Scene(cave, all_on("k"), a=meaning, x="ordinary", k="ordinary", horrors="x").end_turns()
    assert scene.horrors == ["a"]
    assert scene.card("gas").end_turns().horrors == ["S"]


@rule("6.3")
@pytest.mark.parametrize(
    ("near", "after"),
    [("medic on n", "n"), ("medic on n health 0", "b"), ("medic on n hidden", "b"), ("scout on n", "b")],
)
def test_a_potential_victim_is_conscious_and_not_hidden_and_not_the_scout(near: str, after: str) -> None:
    team = f"climber on m, leader on m, engineer on m, {near}"
    scene = Scene("S--n--x--b--m", team, n="ordinary", m="ordinary", horrors="x", **legend("xb")).end_turns()
    assert scene.horrors == [after]


@rule("6.3", "8.1")
def test_a_submerged_diver_is_no_potential_victim() -> None:
    team = "diver on n, climber on m, leader on m, engineer on m"
    words = {"n": "water", "m": "ordinary", "horrors": "x", **legend("xb")}
    assert Scene("S--n--x--b--m", team, **words).end_turns().horrors == ["n"]
    assert Scene("S--n--x--b--m", team, **words).do("dive").end_turns().horrors == ["b"]


@rule("6.3", "5.7")
def test_nobody_on_the_exit_is_a_potential_victim() -> None:
    cave = "   E\n   |\nS--x--b--m"
    team = "climber on m, leader on m, engineer on m, medic on E"
    assert Scene(cave, team, m="ordinary", horrors="x", **legend("xb")).end_turns().horrors == ["b"]


@rule("6.3")
def test_the_closest_is_the_victim_whatever_the_ranks() -> None:
    scene = Scene(
        "S--n--x--b--m",
        "leader on n, engineer on m, climber on m, medic on m",
        n="ordinary",
        m="ordinary",
        horrors="x",
        **legend("xb"),
    ).end_turns()
    assert (scene.horrors, scene.health("leader"), scene.health("engineer")) == (["n"], 0, 3)


@rule("6.3", "1.4")
@pytest.mark.parametrize(("low", "high"), list(pairwise(VICTIMS)))
@pytest.mark.parametrize("order", ["low first", "high first"])
def test_of_the_closest_the_lowest_rank_is_the_victim(low: str, high: str, order: str) -> None:
    spare = next(name for name in VICTIMS if name not in (low, high))
    pair = (low, high) if order == "low first" else (high, low)
    team = f"{pair[0]} on a, {pair[1]} on b, scout, {spare} health 0"
    scene = Scene(FORK, team, horrors="x", **legend("xab")).end_turns()
    assert (scene.health(low), scene.health(high) > 0) == (0, True)
    assert scene.horrors == ["ab"[pair.index(low)]]


@rule("6.3", "10")
@pytest.mark.parametrize("seats", [("climber", "medic"), ("medic", "climber")])
@pytest.mark.parametrize(("rules", "by_seat"), [("official", False), ("guide", True), ("summary", False)])
def test_in_the_guide_the_tie_of_climber_and_medic_is_by_seat(
    seats: tuple[str, str], rules: str, by_seat: bool
) -> None:
    team = f"{seats[0]} on a, {seats[1]} on b, scout, leader health 0"
    scene = Scene(FORK, team, horrors="x", rules=rules, **legend("xab")).end_turns()
    victim = seats[0] if by_seat else "climber"
    assert {name: scene.health(name) for name in seats} == {name: 0 if name == victim else 3 for name in seats}


@rule("6.4")
def test_a_horror_more_than_seven_steps_from_everybody_is_removed() -> None:
    assert Scene(CORRIDOR, x="ordinary", horrors="x").end_turns().horrors == []


@rule("6.4")
def test_a_horror_seven_steps_away_comes_one_step_nearer() -> None:
    assert Scene(SHORTER, x="ordinary", horrors="x").end_turns().horrors == ["6,0"]


@rule("6.4")
def test_without_any_potential_victim_a_horror_is_removed() -> None:
    assert Scene("S--o--x", all_on("S", " hidden"), x="ordinary", horrors="x").end_turns().horrors == []


@rule("6.4", "11")
@pytest.mark.parametrize(("answer", "after"), [("path east", "a"), ("path south", "b")])
def test_the_victim_chooses_between_shortest_paths(answer: str, after: str) -> None:
    scene = Scene(SQUARE, "leader, medic, engineer, climber", horrors="x", **legend("xab")).end_turns()
    assert (scene.at, scene.legal) == ("engineer horror path", {"path east", "path south"})
    assert scene.do(answer).horrors == [after]


@rule("6.5")
@pytest.mark.parametrize(("age", "asked_first"), [("xy", "path east"), ("yx", "path west")])
def test_the_oldest_moves_first_while_the_order_cannot_matter(age: str, asked_first: str) -> None:
    cave = "x--a--y\n|  |  |\nb--S--c"
    scene = Scene(cave, horrors=age, **legend("xyabc")).end_turns()
    assert scene.at == "engineer horror path"
    assert scene.legal == {asked_first, "path south"}
    scene.do("path south")
    assert scene.legal == {"path east", "path south", "path west"} - {asked_first}


@rule("6.5")
@pytest.mark.parametrize(("answer", "after"), [("horror -1,0", ["S", "b"]), ("horror 1,0", ["S", "S"])])
def test_the_starting_caver_chooses_the_order_when_it_can_matter(answer: str, after: list[str]) -> None:
    team = "medic, climber on c, leader on c, engineer on c"
    scene = Scene(BETWEEN, team, first="leader", horrors="xy", **legend("xybc")).end_turns()
    assert (scene.at, scene.legal) == ("leader horror order", {"horror -1,0", "horror 1,0"})
    assert scene.do(answer).horrors == after


@rule("6.5", "3.1")
def test_an_unconscious_starting_caver_chooses_too() -> None:
    team = "medic, climber on c, leader on c health 0, engineer on c"
    scene = Scene(BETWEEN, team, first="leader", turn="engineer", horrors="xy", **legend("xybc"))
    assert scene.end_turns().at == "leader horror order"


@rule("6.5")
@pytest.mark.parametrize(
    ("cave", "team"),
    [
        ("x--a--S--b--y", "medic, climber, leader, engineer"),
        ("x--a--S--b--y", "medic on a, climber on b, scout, leader health 0"),
    ],
)
def test_not_asked_at_two_steps_nor_with_two_victims(cave: str, team: str) -> None:
    scene = Scene(cave, team, horrors="xy", **legend("xyab")).end_turns()
    assert (scene.at, scene.horrors) == ("hazard", ["a", "b"])


@rule("6.5")
def test_not_asked_about_a_horror_more_than_seven_steps_away() -> None:
    team = "medic, scout, climber health 0, leader health 0"
    cave = "y--S--o--o--o--o--w--w--w--x"
    scene = Scene(cave, team, horrors="xy", x="ordinary", y="horror").end_turns()
    assert (scene.at, scene.horrors, scene.health("medic")) == ("hazard", ["S"], 0)


@rule("6.5")
def test_one_step_and_seven_steps_is_near_enough_to_ask() -> None:
    cave = "y--S--o--o--o--o--w--w--x"
    scene = Scene(cave, "medic, scout, climber health 0, leader health 0", horrors="xy", x="ordinary", y="horror")
    assert scene.end_turns().legal == {"horror -1,0", "horror 7,0"}


@rule("6.5")
def test_the_answers_are_the_places_of_all_horrors_yet_to_move() -> None:
    """The horror on d has another victim."""
    cave = "   d\n   |\n   c\n   |\n   a\n   |\nx--S--y"
    team = "medic, engineer on c, scout, leader health 0"
    scene = Scene(cave, team, horrors="xyd", d="horror", **legend("xyac")).end_turns()
    assert scene.legal == {"horror -1,0", "horror 1,0", "horror 0,3"}


@rule("6.5")
def test_of_several_on_one_place_the_oldest_moves_and_the_order_is_looked_at_again() -> None:
    scene = Scene("x--a--S--y", horrors="xxy", **legend("xya")).end_turns()
    assert scene.legal == {"horror -2,0", "horror 1,0"}
    scene.do("horror -2,0")
    assert (scene.horrors, scene.at) == (["a", "x", "y"], "medic horror order")
    assert scene.legal == {"horror -2,0", "horror 1,0"}


@rule("6.5")
def test_after_a_move_the_order_may_matter_no_more() -> None:
    team = "medic, climber on c, leader on c, engineer on c"
    scene = Scene(BETWEEN, team, horrors="xxy", **legend("xybc")).end_turns().do("horror -1,0")
    assert (scene.at, scene.horrors) == ("hazard", ["S", "S", "b"])


@rule("6.6")
def test_a_horror_moving_in_takes_all_health_of_everybody_there_but_the_scout() -> None:
    scene = Scene("x--S--o", "medic, bodyguard, scout, leader on o", horrors="x", x="horror").end_turns()
    assert scene.horrors == ["S"]
    assert [scene.health(name) for name in ("medic", "bodyguard", "scout", "leader")] == [0, 0, 3, 3]


@rule("6.6")
def test_walking_in_takes_all_health_but_not_the_scouts() -> None:
    for name, health in (("bodyguard", 0), ("scout", 3)):
        scene = Scene("S--x", f"{name}, medic", horrors="x", x="horror").do("move east")
        assert (scene.place(name), scene.health(name)) == ("x", health)


@rule("6.6", "6.7")
def test_a_spawning_horror_takes_all_health() -> None:
    scene = Scene("S--h", "medic on h, scout on h").end_turns().card("horror")
    assert (scene.horrors, scene.health("medic"), scene.health("scout")) == (["h"], 0, 3)


@rule("6.6", "8.2")
@pytest.mark.parametrize(("name", "health"), [("climber", 0), ("scout", 1)])
def test_who_is_healed_beside_a_horror_meets_it(name: str, health: int) -> None:
    """Who heals there is the scout, or a hidden caver horrors pass by."""
    healer = "scout" if name != "scout" else "climber hidden"
    team = f"{healer}, {name} health 0, medic on o, leader on o"
    scene = Scene("S--o", team, horrors="S", hidden_cavers_are_passed_by=True).do(f"heal {name}")
    assert scene.health(name) == health


@rule("6.6", "5.7")
def test_nobody_on_the_exit_is_harmed() -> None:
    scene = Scene("S--E", "medic, climber", horrors="E").do("move east")
    assert (scene.place("medic"), scene.health("medic")) == ("E", 3)


@rule("6.6")
def test_contact_is_settled_after_each_horrors_step() -> None:
    """The medic has fallen to the first when the second looks for its victim."""
    team = "medic, climber on c, leader on c, engineer on c"
    scene = Scene(BETWEEN, team, horrors="xy", **legend("xybc")).end_turns().do("horror -1,0")
    assert (scene.health("medic"), scene.horrors) == (0, ["S", "b"])


@rule("6.6")
def test_hidden_cavers_are_not_spared() -> None:
    scene = Scene("x--S", "medic, climber hidden, scout", horrors="x", x="horror").end_turns()
    assert scene.health("climber") == 0
    scene = Scene("S--x", "medic hidden, climber", horrors="x", x="horror").do("move east")
    assert scene.health("medic") == 0


@rule("6.6")
def test_hidden_cavers_may_be_passed_by_until_hiding_ends() -> None:
    scene = Scene(
        "x--S", "medic, climber hidden, scout", horrors="x", x="horror", hidden_cavers_are_passed_by=True
    ).end_turns()
    assert (scene.health("medic"), scene.health("climber")) == (0, 3)
    assert scene.card("flood").health("climber") == 0


@rule("6.6")
def test_hidden_cavers_may_be_passed_by_walking_in_being_healed_and_at_spawning() -> None:
    passed = {"hidden_cavers_are_passed_by": True}
    assert (
        Scene("S--x", "medic hidden, climber", horrors="x", x="horror", **passed).do("move east").health("medic") == 3
    )
    healed = Scene(team="scout, climber health 0 hidden, medic lost, leader lost", horrors="S", **passed)
    assert healed.do("heal climber").health("climber") == 1
    spawned = Scene("S--h", "medic on h, climber on h hidden", **passed).end_turns().card("horror")
    assert spawned.horrors == ["h"]
    assert spawned.health("medic") == 0


@rule("6.7")
def test_a_horror_spawns_on_the_horror_tile_nearest_to_its_victim() -> None:
    scene = Scene("h--S--o--k", k="horror").end_turns().card("horror")
    assert scene.horrors == ["h"]


@rule("6.7")
def test_each_horror_tile_has_a_victim_of_its_own() -> None:
    """h is two steps from the climber, k one from the leader; the climber is nearer to the start and of lower rank."""
    team = "leader on b, climber, scout, medic health 0"
    scene = Scene("h--a--S--c--o--b--k", team, k="horror", **legend("abc")).end_turns().card("horror")
    assert scene.horrors == ["k"]


@rule("6.7")
def test_a_victim_on_a_horror_tile_is_nearest_of_all() -> None:
    scene = Scene("h--S--k", "climber, medic on k, leader, engineer", k="horror").end_turns().card("horror")
    assert (scene.horrors, scene.health("medic")) == (["k"], 0)


@rule("6.7", "6.3")
@pytest.mark.parametrize("waiting", ["scout on k", "medic on k health 0", "medic on k hidden"])
def test_only_potential_victims_draw_a_spawning_horror(waiting: str) -> None:
    scene = Scene("h--S--o--k", f"climber, leader, engineer, {waiting}", k="horror").end_turns().card("horror")
    assert scene.horrors == ["h"]


@rule("6.7")
@pytest.mark.parametrize(("cave", "after"), [("S--o--o--o--o--w--w--h", ["h"]), ("S--o--o--o--o--w--w--w--h", [])])
def test_no_horror_spawns_more_than_seven_steps_from_everybody(cave: str, after: list[str]) -> None:
    assert Scene(cave).end_turns().card("horror").horrors == after


@rule("6.7")
def test_no_horror_spawns_without_victim_or_horror_tile() -> None:
    assert Scene("S--h", all_on("S", " hidden")).end_turns().card("horror").horrors == []
    assert Scene("S--o").end_turns().card("horror").horrors == []


@rule("6.7", "7.5")
def test_no_horror_spawns_where_one_stands() -> None:
    """The first of the two takes the nearer tile."""
    scene = Scene("h--S--o--k", k="horror", difficulty="expert").end_turns().card("horror x2")
    assert scene.horrors == ["h", "k"]
    assert Scene("S--h", difficulty="expert").end_turns().card("horror x2").horrors == ["h"]


@rule("6.7", "11")
def test_the_starting_caver_chooses_among_the_nearest_horror_tiles() -> None:
    scene = Scene("h--S--k", k="horror", first="leader").end_turns().card("horror")
    assert (scene.at, scene.legal) == ("leader spawn", {"spawn -1,0", "spawn 1,0"})
    assert scene.do("spawn -1,0").horrors == ["h"]


@rule("6.8")
@pytest.mark.parametrize(
    ("cave", "after"),
    [
        ("x--a\n|  |\nb--S", "a"),  # east before south
        ("a--x\n|  |\nS--b", "b"),  # south before west
        ("b--S\n|  |\nx--a", "b"),  # north before east
        ("S--b\n|  |\na--x", "b"),  # north before west
    ],
)
def test_automatic_paths_are_the_first_of_north_east_south_west(cave: str, after: str) -> None:
    scene = Scene(cave, horrors="x", horror_choices="automatic", **legend("xab")).end_turns()
    assert (scene.at, scene.horrors) == ("hazard", [after])


@rule("6.8")
@pytest.mark.parametrize(("age", "after"), [("xy", ["S", "b"]), ("yx", ["S", "S"])])
def test_automatic_order_is_by_age(age: str, after: list[str]) -> None:
    team = "medic, climber on c, leader on c, engineer on c"
    scene = Scene(BETWEEN, team, horrors=age, horror_choices="automatic", **legend("xybc")).end_turns()
    assert (scene.at, scene.horrors) == ("hazard", after)


@rule("6.8")
def test_automatic_spawning_takes_the_oldest_tile() -> None:
    """Both are two steps from v; k was placed last."""
    cave = "h--S--v--o--k"
    scene = Scene(cave, all_on("v"), v="ordinary", k="horror", horror_choices="automatic").end_turns().card("horror")
    assert scene.horrors == ["h"]


@rule("6.8")
def test_without_automatic_choices_the_players_are_asked() -> None:
    assert Scene(SQUARE, horrors="x", horror_choices="players", **legend("xab")).end_turns().at.endswith("horror path")
