"""Chapter 9: when the game ends, and how."""

import pytest

from .scene import Scene, rule

OUT = "o--S--E"


@rule("9.1")
def test_it_ends_as_soon_as_everybody_is_on_the_exit_without_an_exertion_check() -> None:
    scene = Scene(OUT, "medic, climber on E, leader on E, engineer on E").do("exert", "move east")
    assert (scene.at, scene.left_behind) == ("gold", ())


@rule("9.1")
def test_it_ends_in_the_middle_of_a_run() -> None:
    team = "medic on o, climber on E, leader on E, engineer on E"
    assert Scene(OUT, team, o="horror").do("run east", "move east").at == "gold"


@rule("9.1")
def test_it_ends_with_the_exit_explored_into() -> None:
    scene = Scene(team="medic, climber lost, leader lost, engineer lost", left=1).do("explore north")
    assert scene.tile("exit dead end").at == "defeat"


@rule("9.1", "8.8")
def test_it_ends_in_the_middle_of_a_directed_action() -> None:
    scene = Scene(OUT, "leader on E, medic, climber on E, engineer on E").do("direct medic", "move east")
    assert scene.at == "gold"


@rule("9.1", "7.6")
def test_the_lost_do_not_count_for_everybody() -> None:
    scene = Scene(OUT, "medic, climber on E, leader lost, engineer on E").do("move east")
    assert (scene.at, scene.left_behind) == ("silver", ("leader",))


@rule("9.1")
def test_the_unconscious_elsewhere_do() -> None:
    assert Scene(OUT, "medic, climber on E, leader health 0, engineer on E").do("move east").at == "medic turn"


@rule("9.1", "7.6")
def test_it_ends_when_the_last_who_is_not_out_is_lost() -> None:
    team = "medic, climber on E, leader, engineer on E"
    assert Scene("S--E", team, cards=0).end_turns().roll(1, 1).at == "bronze"


@rule("9.1", "4.13")
def test_it_ends_as_soon_as_nobody_is_conscious_in_the_middle_of_an_action() -> None:
    scene = Scene("S--r", "medic, climber health 0, leader health 0, engineer lost", horrors="r").do("move east")
    assert scene.at == "defeat"


@rule("9.1", "7")
def test_it_ends_in_the_middle_of_a_card() -> None:
    team = "medic health 1, climber health 0, leader health 0, engineer health 0"
    scene = Scene(team=team, difficulty="expert").end_turns().card("tremor x2").roll(1)
    assert scene.at == "defeat"


@rule("9.1", "7.5")
def test_it_ends_before_a_horror_spawns() -> None:
    team = "medic on a, climber health 0, leader health 0, engineer health 0"
    scene = Scene("h--S--a-", team, a="water", horrors="h").end_turns().card("horror")
    assert (scene.at, scene.horrors) == ("defeat", ["a"])


@rule("9.1", "7.6")
def test_it_ends_in_the_middle_of_a_row_of_checks() -> None:
    """The unconscious climber is not asked for a check any more."""
    scene = Scene(team="medic, climber health 0, leader lost, engineer lost", cards=0).end_turns().roll(1)
    assert (scene.at, scene.place("climber")) == ("defeat", "S")


@rule("9.1", "8.1")
def test_a_submerged_diver_is_conscious() -> None:
    team = "medic on a, diver on w dived, leader health 0, engineer lost"
    scene = Scene("-w--S--a--b-", team, a="ordinary", b="ordinary", horrors="b").do("move east")
    assert scene.health("medic") == 0
    assert (scene.at, scene.place("diver")) == ("hazard", "w")


@rule("9.1", "4.12")
def test_leaving_ends_it() -> None:
    assert Scene(OUT, "medic on E, climber on E, leader health 0, engineer on E").do("leave").at == "silver"


@rule("9.1")
@pytest.mark.parametrize(("agreed", "at"), [(False, "medic turn"), (True, "silver")])
def test_option_it_ends_as_soon_as_everybody_conscious_is_out(agreed: bool, at: str) -> None:
    team = "medic, climber on E, leader health 0, engineer on E"
    assert Scene(OUT, team, stop_when_conscious_are_out=agreed).do("move east").at == at


@rule("9.1")
def test_option_also_when_the_last_one_elsewhere_falls() -> None:
    team = "medic on E, climber on E, leader health 1, engineer on E"
    scene = Scene(OUT, team, stop_when_conscious_are_out=True, turn="leader").do("exert", "end turn").roll(1)
    assert scene.at == "silver"


@rule("9.2")
@pytest.mark.parametrize(
    ("leader", "engineer", "climber", "ending"),
    [
        ("on E", "on E", "on E", "gold"),
        ("on E", "on E", "health 0", "silver"),
        ("on E", "lost", "on o health 0", "bronze"),
        ("lost", "lost", "on E", "bronze"),
        ("lost", "health 0", "health 0", "defeat"),
        ("lost", "lost", "lost", "defeat"),
    ],
)
def test_all_cavers_not_on_the_exit_are_left_behind(leader: str, engineer: str, climber: str, ending: str) -> None:
    scene = Scene(OUT, f"medic, leader {leader}, engineer {engineer}, climber {climber}").do("move east")
    if scene.at == "medic turn":
        scene.do("leave")
    assert scene.at == ending


@rule("9.2")
def test_left_behind_counts_six_cavers_too() -> None:
    team = "medic, climber on E, leader on E, engineer on E, scout lost, diver health 0"
    assert Scene(OUT, team).do("move east", "leave").left_behind == ("scout", "diver")


@rule("9.3")
def test_the_game_is_truncated_after_the_end_phase_of_the_last_round() -> None:
    scene = Scene(max_rounds=2).end_turns().card("flood")
    assert scene.at == "climber turn"
    assert scene.end_turns().at == "hazard"
    assert scene.card("flood").at == "truncated"


@rule("9.3")
def test_an_ending_in_the_last_round_is_an_ending() -> None:
    team = "medic health 1, climber health 0, leader health 0, engineer health 0"
    assert Scene(team=team, max_rounds=1).end_turns().card("tremor").roll(1).at == "defeat"
