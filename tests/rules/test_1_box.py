"""Chapter 1: what is in the box."""

import pytest

from subterra_env.games.subterra.box.cavers import RANK
from subterra_env.games.subterra.box.tiles import TILE_COUNT, TILE_TYPES
from subterra_env.games.subterra.options import CAVER_NAMES, OptionsError, options
from subterra_env.games.subterra.terms import RuleSet

from .drawn import EAST, NORTH, SIDES, SOUTH, WEST
from .scene import Scene, rule

# kind: dead ends, straights, corners, tees, crossroads
SHAPES = ("dead end", "straight", "corner", "tee", "crossroads")
PRINTED = {
    "ordinary": (2, 4, 4, 3, 3),
    "water": (0, 4, 0, 2, 2),
    "gas": (0, 0, 6, 2, 0),
    "cave-in": (0, 0, 4, 8, 0),
    "horror": (6, 0, 2, 0, 0),
    "squeeze": (0, 3, 0, 0, 0),
    "ledge": (0, 3, 0, 0, 0),
    "slide": (0, 3, 0, 0, 0),
    "rough terrain": (0, 0, 0, 0, 3),
}
TWO_NUMBERS = {
    "tee": ["1-3", "1-6", "2-3", "2-4", "2-5", "3-5", "4-5", "4-6"],
    "corner": ["1-4", "1-5", "2-6", "3-6"],
}
ONE_NUMBER = {"tee": ["1", "2", "3", "4", "5", "5", "6", "6"], "corner": ["1", "2", "3", "4"]}
TEAM = ("medic", "climber", "leader", "engineer", "scout", "bodyguard")


def tiles_of(rules: RuleSet) -> list[str]:
    """The names of the 64, each as often as it is there."""
    return [tile.name for tile, count in zip(TILE_TYPES, TILE_COUNT[rules], strict=True) for _ in range(count)]


@rule("1.1")
@pytest.mark.parametrize("rules", list(RuleSet))
def test_the_64_tiles_by_kind_and_shape(rules: RuleSet) -> None:
    for kind, counts in PRINTED.items():
        for shape, count in zip(SHAPES, counts, strict=True):
            found = [name for name in tiles_of(rules) if name.startswith(f"{kind} {shape}")]
            assert len(found) == count, (kind, shape)
    assert len(tiles_of(rules)) == 64


@rule("1.1")
def test_start_and_exit_are_apart_from_the_64() -> None:
    assert not {"start crossroads", "exit dead end"} & set(tiles_of(RuleSet.OFFICIAL))
    assert Scene().cave == {"S": "start crossroads 0"}


@rule("1.1", "10")
@pytest.mark.parametrize(
    ("rules", "labels"),
    [(RuleSet.OFFICIAL, TWO_NUMBERS), (RuleSet.SUMMARY, TWO_NUMBERS), (RuleSet.GUIDE, ONE_NUMBER)],
)
def test_numbers_of_the_cave_in_tiles(rules: RuleSet, labels: dict[str, list[str]]) -> None:
    wanted = sorted(f"cave-in {shape} {label}" for shape, of_shape in labels.items() for label in of_shape)
    assert sorted(name for name in tiles_of(rules) if name.startswith("cave-in")) == wanted


@rule("1.1")
@pytest.mark.parametrize("number", range(1, 7))
def test_a_roll_hits_a_third_of_the_cave_in_tiles_and_in_the_guide_two_of_them(number: int) -> None:
    def hit(rules: RuleSet) -> int:
        return sum(str(number) in name.split()[-1].split("-") for name in tiles_of(rules) if "cave-in" in name)

    assert hit(RuleSet.OFFICIAL) == 4
    assert hit(RuleSet.GUIDE) == 2


@rule("1.1")
@pytest.mark.parametrize(
    ("name", "side", "turns", "open_sides"),
    [
        ("horror dead end", SOUTH, 0, {NORTH}),
        ("ordinary straight", SOUTH, 0, {NORTH, SOUTH}),
        ("gas corner", SOUTH, 0, {NORTH, EAST}),
        ("gas corner", WEST, 1, {EAST, SOUTH}),
        ("gas corner", NORTH, 2, {SOUTH, WEST}),
        ("gas corner", EAST, 3, {WEST, NORTH}),
        ("ordinary tee", SOUTH, 0, {NORTH, EAST, WEST}),
        ("ordinary tee", SOUTH, 1, {NORTH, EAST, SOUTH}),
        ("rough terrain crossroads", SOUTH, 0, {NORTH, EAST, SOUTH, WEST}),
    ],
)
def test_shapes_and_clockwise_quarter_turns(name: str, side: str, turns: int, open_sides: set[str]) -> None:
    scene = Scene().do(f"explore {side}").tile(name)
    if scene.at == "medic place":
        scene.do(f"place drawn {turns}")
    tile = scene.state["tiles"][1]
    assert {open_side for bit, open_side in enumerate(SIDES) if tile["open"] >> bit & 1} == open_sides
    assert tile["turns"] == turns


@rule("1.1", "5.2")
@pytest.mark.parametrize("kind", ["ledge", "slide"])
@pytest.mark.parametrize(("side", "turns"), list(zip(SIDES, range(4), strict=True)))
def test_the_arrow_points_north_at_no_turns(kind: str, side: str, turns: int) -> None:
    assert Scene().do(f"reveal {side}").tile(f"{kind} straight").cave[f"{_place(side)}"] == f"{kind} straight {turns}"


def _place(side: str) -> str:
    return {NORTH: "0,1", EAST: "1,0", SOUTH: "0,-1", WEST: "-1,0"}[side]


@rule("1.2")
@pytest.mark.parametrize(
    ("difficulty", "single", "doubled"),
    [("normal", 5 / 25, 0), ("advanced", 4 / 25, 1 / 25), ("expert", 3 / 20, 1 / 20)],
)
def test_the_pool_of_hazard_cards(difficulty: str, single: float, doubled: float) -> None:
    odds = Scene(difficulty=difficulty).end_turns().odds
    kinds = ("tremor", "flood", "gas", "cave-in", "horror")
    wanted = dict.fromkeys(kinds, single) | {f"{kind} x2": doubled for kind in kinds if doubled}
    assert odds == pytest.approx(wanted)


@rule("1.3")
@pytest.mark.parametrize(
    ("cavers", "difficulty", "dealt"),
    [
        (4, "normal", 22),
        (4, "advanced", 20),
        (4, "expert", 18),
        (5, "normal", 19),
        (5, "advanced", 17),
        (5, "expert", 15),
        (6, "normal", 17),
        (6, "advanced", 15),
        (6, "expert", 13),
    ],
)
def test_cards_dealt_are_rounds_before_time_runs_out(cavers: int, difficulty: str, dealt: int) -> None:
    scene = Scene(team=",".join(TEAM[:cavers]), difficulty=difficulty)
    for _ in range(dealt):
        scene.end_turns()
        assert scene.at == "hazard"
        scene.card("flood" if "flood" in scene.odds else str(next(iter(scene.odds))))
        while scene.at == "cave-in die" or "rolls" in scene.at:
            scene.roll(6)
    assert scene.end_turns().at.endswith("rolls out of time")


@rule("1.3")
@pytest.mark.parametrize(("difficulty", "room"), [("normal", 3), ("advanced", 5), ("expert", 2)])
def test_extra_hazard_cards_up_to_what_the_pool_allows(difficulty: str, room: int) -> None:
    usual = Scene(difficulty=difficulty).state["cards_left"]
    assert Scene(difficulty=difficulty, extra_hazard_cards=room).state["cards_left"] == usual + room
    with pytest.raises(OptionsError, match="extra_hazard_cards"):
        options(cavers=TEAM[:4], difficulty=difficulty, extra_hazard_cards=room + 1)


@rule("1.4")
@pytest.mark.parametrize("name", CAVER_NAMES)
def test_health_at_the_start(name: str) -> None:
    assert Scene(team=name, reserve="gas corner").health(name) == (5 if name == "bodyguard" else 3)


@rule("1.4", "10")
def test_ranks() -> None:
    printed = ["diver", "scout", "geologist", "engineer", "climber", "medic", "bodyguard", "leader"]
    for rules in (RuleSet.OFFICIAL, RuleSet.SUMMARY):
        assert dict(zip(CAVER_NAMES, RANK[rules], strict=True)) == {name: n + 1 for n, name in enumerate(printed)}
    guide = dict(zip(CAVER_NAMES, RANK[RuleSet.GUIDE], strict=True))
    assert guide == {name: n + 1 for n, name in enumerate(printed)} | {"climber": 6, "medic": 6}


@rule("1.4")
def test_markers_never_run_out() -> None:
    """There are as many rubble, flood and rope markers as tiles that can take one."""
    names = tiles_of(RuleSet.OFFICIAL)
    assert sum("cave-in" in name for name in names) == 12
    assert sum("water" in name for name in names) == 8
    assert sum("ledge" in name or "slide" in name for name in names) == 6
