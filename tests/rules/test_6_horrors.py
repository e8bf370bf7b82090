"""Chapter 6: horrors."""

import pytest

from .scene import Scene, rule

ROW = {"a": "ordinary", "b": "ordinary", "c": "ordinary", "d": "ordinary", "f": "ordinary"}


def cave(drawing: str, team: str, **words: object) -> Scene:
    """A drawing in which a to f are ordinary tiles."""
    used = {letter: kind for letter, kind in ROW.items() if letter in drawing}
    return Scene(drawing, team, **used, **words)


@rule("6.1")
def test_at_most_three_horrors_and_several_may_share_a_tile() -> None:
    team = "medic on h health 0, scout, climber health 0, engineer on h health 0"
    scene = Scene("a--S--h", team, a="ordinary", h="horror", horrors="aaa")
    scene.end_turns().card("horror")
    assert len(scene.horrors) <= 3


@rule("6.2", "6.4")
def test_a_horror_takes_one_step_toward_its_victim_through_everything_but_walls() -> None:
    scene = Scene(
        "a--q--b--S", "medic on a, scout on S, climber lost, engineer lost", a="ordinary", b="slide west", horrors="S"
    )
    assert scene.end_turns().horrors == ["b"]


@rule("6.3")
def test_the_closest_is_the_victim_and_of_equals_the_lowest_rank() -> None:
    scene = cave("a--S--b\n   |\n   c", "medic on a, climber on b, scout on c, leader lost", horrors="S")
    assert scene.end_turns().health("climber") == 0
    assert scene.health("medic") == 3


@rule("6.3")
@pytest.mark.parametrize("state", ["on a health 0", "on a hidden", "on E"])
def test_unconscious_hidden_and_safe_cavers_are_no_victims(state: str) -> None:
    scene = cave("a--S--E", f"medic {state}, scout, climber lost, engineer lost", horrors="S")
    scene.end_turns()
    assert scene.horrors == []


@rule("6.4")
def test_without_a_victim_in_reach_a_horror_is_removed() -> None:
    scene = cave("a--S", "scout on a, medic health 0, climber lost, engineer lost", horrors="S")
    assert scene.end_turns().horrors == []


@rule("6.4")
def test_the_victim_chooses_among_shortest_ways() -> None:
    scene = cave("a--b\n|  |\nS--c", "medic on b, scout on S, climber lost, engineer lost", horrors="S").end_turns()
    assert (scene.at, scene.legal) == ("medic horror path", {"path north", "path east"})
    assert scene.do("path east").horrors == ["c"]


@rule("6.5")
def test_the_starting_caver_orders_horrors_that_hunt_the_same_neighbour() -> None:
    scene = cave("b--a--S\n   |\n   c", "medic on a, scout on S, climber lost, engineer lost", horrors="bc").end_turns()
    assert scene.at == "medic horror order"
    assert scene.legal == {"horror -2,0", "horror -1,-1"}


@rule("6.6")
def test_contact_costs_all_health_but_not_the_scouts() -> None:
    scene = cave("a--S", "medic on a, scout on a, climber lost, engineer lost", horrors="S").end_turns()
    assert (scene.health("medic"), scene.health("scout")) == (0, 3)


@rule("6.6")
@pytest.mark.parametrize(("passed", "health"), [(False, 0), (True, 3)])
def test_hidden_cavers_are_not_spared_unless_agreed(passed: bool, health: int) -> None:
    team = "medic on b hidden, climber on a, scout, engineer lost"
    scene = cave("a--b--S", team, horrors="S", hidden_cavers_are_passed_by=passed).end_turns()
    assert scene.health("medic") == health


@rule("6.6")
def test_when_hiding_ends_they_meet_at_once() -> None:
    team = "medic on b hidden, climber on a, scout, engineer lost"
    scene = cave("a--b--S", team, horrors="S", hidden_cavers_are_passed_by=True).end_turns().card("gas")
    assert scene.health("medic") == 0


@rule("6.7")
def test_a_horror_appears_on_the_tile_nearest_to_its_victim() -> None:
    scene = Scene("h--S--a--i\n", "medic on S, scout, climber, engineer", h="horror", a="ordinary", i="horror")
    assert scene.end_turns().card("horror").horrors == ["h"]


@rule("6.7")
def test_the_starting_caver_chooses_between_equals() -> None:
    scene = Scene("h--S--i", "medic, scout, climber, engineer", h="horror", i="horror").end_turns().card("horror")
    assert (scene.at, scene.legal) == ("medic spawn", {"spawn -1,0", "spawn 1,0"})
    assert scene.do("spawn 1,0").horrors == ["i"]


@rule("6.7")
def test_none_appears_without_a_horror_tile_or_a_victim() -> None:
    assert Scene(team="medic, scout, climber, engineer").end_turns().card("horror").horrors == []


@rule("6.8")
def test_automatic_choices_go_north_first_and_oldest_first() -> None:
    team = "medic on b, scout on S, climber lost, engineer lost"
    scene = cave("a--b\n|  |\nS--c", team, horrors="S", horror_choices="automatic").end_turns()
    assert scene.horrors == ["a"]
    spawn = Scene("h--S--i", "medic, scout, climber, engineer", h="horror", i="horror", horror_choices="automatic")
    assert len(spawn.end_turns().card("horror").horrors) == 1
