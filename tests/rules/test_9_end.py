"""Chapter 9: when the game ends, and how."""

import pytest

from .scene import Scene, rule


def out(*names: str) -> str:
    """The engineer beside the exit, the named cavers on it, the others unconscious at the start."""
    team = ["engineer on S"]
    for name in ("climber", "bodyguard", "medic"):
        team.append(f"{name} on E" if name in names else f"{name} health 0")
    return ", ".join(team)


@rule("9.1", "9.2")
def test_all_on_the_exit_is_gold_at_once() -> None:
    scene = Scene("S--E", out("climber", "bodyguard", "medic")).do("exert", "move east")
    assert (scene.at, scene.left_behind) == ("gold", ())


@rule("9.1", "9.2")
@pytest.mark.parametrize(
    ("saved", "ending"), [(("climber", "medic"), "silver"), (("climber",), "bronze"), ((), "defeat")]
)
def test_left_behind_decides_the_medal(saved: tuple[str, ...], ending: str) -> None:
    scene = Scene("S--E", out(*saved)).do("move east")
    assert scene.at == "engineer turn"
    assert scene.do("leave").at == ending


@rule("9.1")
def test_lost_cavers_do_not_hold_up_the_end() -> None:
    scene = Scene("S--E", "engineer, climber on E, bodyguard lost, medic on E").do("move east")
    assert (scene.at, scene.left_behind) == ("silver", ("bodyguard",))


@rule("9.1")
def test_nobody_conscious_ends_the_game_in_the_middle_of_a_card() -> None:
    team = "engineer health 1, climber health 0, bodyguard health 0, medic health 0"
    scene = Scene(team=team, difficulty="expert").end_turns().card("tremor x2").roll(1)
    assert scene.at == "defeat"


@rule("9.1")
def test_conscious_cavers_on_the_exit_go_on_while_others_lie_elsewhere() -> None:
    scene = Scene("S--E", "engineer on E, climber health 0, bodyguard on E, medic on E").end_turns()
    assert scene.at == "hazard"


@rule("9.1", "8.1")
def test_a_submerged_diver_is_conscious() -> None:
    team = "engineer health 1, diver on w dived, bodyguard health 0, medic health 0"
    scene = Scene("   .\nS--r-\n|  '\nw\n'", team).do("move east").roll(1)
    assert scene.at.startswith("diver") or scene.at == "hazard"


@rule("9.1")
def test_a_table_may_stop_when_all_who_are_conscious_are_out() -> None:
    scene = Scene("S--E", out("climber", "medic"), stop_when_conscious_are_out=True).do("move east")
    assert scene.at == "silver"


@rule("9.3")
def test_the_limit_of_rounds_cuts_the_game_short() -> None:
    scene = Scene(team="engineer, climber, bodyguard, medic", max_rounds=1).end_turns().card("flood")
    assert scene.at == "truncated"
