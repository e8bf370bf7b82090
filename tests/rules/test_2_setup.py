"""Chapter 2: setup, and what may be drawn."""

import numpy as np
import pytest

from subterra_env.envs.seating import seating
from subterra_env.games.subterra import engine
from subterra_env.games.subterra.box.tiles import TILE_TYPES
from subterra_env.games.subterra.options import OptionsError, agreed_state, options

from .scene import Scene, rule

FOUR = ("medic", "climber", "leader", "engineer")
DEEP = """
    o--S--w-
       |
       E
"""


@rule("2.1")
@pytest.mark.parametrize("count", [4, 5, 6])
def test_all_stand_on_the_start_at_full_health_in_seat_order(count: int) -> None:
    team = ("bodyguard", "medic", "diver", "leader", "scout", "climber")[:count]
    scene = Scene.at_setup(cavers=team)
    for name in team:
        assert scene.place(name) == "S"
        assert scene.health(name) == (5 if name == "bodyguard" else 3)
        assert scene.at == f"{name} turn"
        scene.do("end turn")


@rule("2.1")
@pytest.mark.parametrize("team", [FOUR[:3], (*FOUR, "scout", "diver", "bodyguard"), (*FOUR, "medic"), (*FOUR, "bard")])
def test_four_to_six_different_cavers(team: tuple[str, ...]) -> None:
    with pytest.raises(OptionsError, match="cavers"):
        options(cavers=team)


@rule("2.2")
@pytest.mark.parametrize(("cavers", "players"), [(4, 2), (5, 5), (6, 3)])
def test_two_and_three_players_have_two_cavers_each_side_by_side(cavers: int, players: int) -> None:
    each = cavers // players
    shared = seating("player", cavers)
    assert list(shared.seats_of.values()) == [tuple(range(s, s + each)) for s in range(0, cavers, each)]


@rule("2.2")
@pytest.mark.parametrize("cavers", [4, 5, 6])
def test_otherwise_one_each_or_one_player_commands_all(cavers: int) -> None:
    assert list(seating("caver", cavers).seats_of.values()) == [(seat,) for seat in range(cavers)]
    assert list(seating("team", cavers).seats_of.values()) == [tuple(range(cavers))]


@rule("2.3")
def test_64_tiles_and_the_exit_not_among_the_first_59() -> None:
    scene = Scene.at_setup(cavers=FOUR)
    assert scene.state["places_left"] == 65
    scene.do("reveal north")
    assert "exit dead end" not in scene.odds
    assert scene.odds["gas corner"] == pytest.approx(6 / 64)
    assert scene.odds["rough terrain crossroads"] == pytest.approx(3 / 64)
    assert sum(scene.odds.values()) == pytest.approx(1)


@rule("2.3")
@pytest.mark.parametrize(("left", "chance"), [(8, 0), (7, 0), (6, 1 / 6), (5, 1 / 5), (4, 1 / 4), (2, 1 / 2), (1, 1)])
def test_the_exit_is_uniformly_one_of_the_last_six(left: int, chance: float) -> None:
    scene = Scene(left=left).do("reveal north")
    assert scene.odds.get("exit dead end", 0) == pytest.approx(chance)
    assert sum(scene.odds.values()) == pytest.approx(1)


@rule("2.3")
def test_a_tile_is_uniform_over_the_unseen_ones_without_replacement() -> None:
    scene = Scene().do("reveal north").tile("rough terrain crossroads").do("reveal east")
    assert scene.odds["rough terrain crossroads"] == pytest.approx(2 / 63)
    assert scene.odds["gas corner"] == pytest.approx(6 / 63)


@rule("2.3")
def test_what_is_not_the_exit_is_uniform_over_the_unseen_ones() -> None:
    scene = Scene(left=6).do("reveal north")
    unseen = scene.state["unseen"]
    wanted = {TILE_TYPES[number].name: 5 / 6 * unseen[number] / unseen.sum() for number in np.flatnonzero(unseen)}
    assert scene.odds == pytest.approx(wanted | {"exit dead end": 1 / 6})


@rule("2.3")
def test_once_drawn_the_exit_does_not_come_again() -> None:
    scene = Scene(DEEP, left=4).do("reveal north")
    assert "exit dead end" not in scene.odds


@rule("2.4")
def test_a_hazard_card_is_uniform_over_the_unseen_ones_of_the_pool() -> None:
    scene = Scene(difficulty="advanced").end_turns().card("flood x2").end_turns()
    assert "flood x2" not in scene.odds
    assert scene.odds["flood"] == pytest.approx(4 / 24)
    scene.card("flood").end_turns()
    assert scene.odds["flood"] == pytest.approx(3 / 23)


@rule("2.4", "7.6")
def test_out_of_time_lies_under_the_cards_dealt() -> None:
    scene = Scene(cards=1).end_turns()
    assert scene.at == "hazard"
    assert scene.card("flood").end_turns().at == "climber rolls out of time"


@rule("2.5", "8.3")
def test_a_geologist_takes_the_first_tile_of_the_stack_face_up() -> None:
    scene = Scene.at_setup(cavers=("medic", "geologist", "leader", "scout"))
    assert scene.at == "reserve tile"
    assert scene.odds["gas corner"] == pytest.approx(6 / 64)
    scene.tile("gas corner")
    assert (scene.at, scene.reserve, scene.state["places_left"]) == ("medic turn", "gas corner", 64)
    assert scene.do("reveal north").odds["gas corner"] == pytest.approx(5 / 63)


@rule("2.5")
def test_without_a_geologist_nothing_is_drawn_at_setup() -> None:
    scene = Scene.at_setup(cavers=FOUR)
    assert (scene.at, scene.reserve) == ("medic turn", None)


@rule("2.6")
def test_the_starting_caver_is_seat_0_or_the_one_agreed() -> None:
    assert Scene.at_setup(cavers=FOUR).at == "medic turn"
    assert Scene.at_setup(cavers=FOUR, first=2).at == "leader turn"


@rule("2.6")
def test_the_starting_caver_may_be_drawn() -> None:
    found = set()
    for key in range(100):
        states = agreed_state(options(cavers=FOUR, first="random"))
        states["luck"] = np.uint64(key)
        engine.begin(states)
        found.add(int(states[0]["first"]))
        assert states[0]["asked"] == states[0]["first"]
    assert found == {0, 1, 2, 3}


@rule("2.7")
def test_a_smaller_stack_is_drawn_from_all_64() -> None:
    scene = Scene.at_setup(cavers=FOUR, stack_tiles=6).do("reveal north")
    assert scene.odds["gas corner"] == pytest.approx(6 / 64)
    assert "exit dead end" not in scene.odds
    scene.tile("ordinary crossroads").do("reveal east")
    assert scene.odds["exit dead end"] == pytest.approx(1 / 6)
    assert scene.odds["gas corner"] == pytest.approx(5 / 6 * 6 / 63)


@rule("2.7")
@pytest.mark.parametrize("stack_tiles", [5, 65])
def test_the_stack_has_6_to_64_tiles(stack_tiles: int) -> None:
    with pytest.raises(OptionsError, match="stack_tiles"):
        options(cavers=FOUR, stack_tiles=stack_tiles)
