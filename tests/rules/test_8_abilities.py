"""Chapter 8: what each caver can do."""

from .scene import Scene, rule


@rule("8.1")
def test_the_diver_dives_for_two_and_surfaces_on_any_water() -> None:
    scene = Scene("-w--S--v-", "diver on w, climber, engineer, medic", w="water", v="water flooded").do("dive")
    assert (scene.place("diver"), scene.at) == ("submerged", "climber turn")
    scene.end_turns().card("flood")
    assert scene.health("diver") == 3
    scene.end_turns()
    assert (scene.at, scene.legal) == ("diver surface", {"surface -1,0", "surface 1,0"})
    assert scene.do("surface 1,0").place("diver") == "v"


@rule("8.1")
def test_amphibious_floods_cost_nothing_and_moves_lead_into_them() -> None:
    scene = Scene("S--w-", "diver, climber, engineer, medic", w="water flooded").do("move east")
    assert scene.points == 1
    assert scene.end_turns().card("flood").health("diver") == 3


@rule("8.1", "3.5")
def test_an_unconscious_diver_is_not_amphibious() -> None:
    scene = Scene("S--w-", "diver on w health 0, climber on w, engineer, medic").end_turns().card("flood")
    assert scene.health("climber") == 2


@rule("8.2")
def test_guide_takes_the_next_tile_once_an_action_three_times() -> None:
    scene = Scene(team="scout, climber, engineer, medic").do("reveal north").tile("gas corner").do("discard")
    assert scene.at == "tile"
    scene.tile("gas corner")
    assert scene.legal == {"place drawn 1", "place drawn 2"}
    none_left = Scene(team="scout, climber, engineer, medic", guides=0).do("reveal north").tile("gas corner")
    assert "discard" not in none_left.legal


@rule("8.3")
def test_excavate_digs_for_one() -> None:
    scene = Scene("S--a--o\n   |\n   o", "geologist, climber, engineer, medic", a="cave-in 2-5 rubble").do("dig east")
    assert scene.points == 1


@rule("8.3")
def test_intuition_lays_either_tile_and_keeps_the_other() -> None:
    scene = Scene(team="geologist, climber, engineer, medic", reserve="ordinary tee").do("reveal north")
    scene.tile("gas corner")
    assert {"place drawn 1", "place reserve 1"} <= scene.legal
    assert scene.do("place reserve 1").reserve == "gas corner"


@rule("8.4")
def test_demolish_opens_walls_for_two_and_brings_a_cave_in() -> None:
    scene = Scene("a  b\n|  |\nS--o", "engineer on a, climber, bodyguard, medic", a="ordinary", b="ordinary")
    assert scene.sides("demolish") == {"north", "east", "west"}
    scene.do("demolish east").roll(6)
    assert (scene.points, "move east" in scene.do("exert").legal) == (0, True)
    assert scene.state["explosives_left"] == 2


@rule("8.4", "3.5")
def test_a_careful_engineer_loses_one_while_conscious() -> None:
    cave = "S--a--o\n   |\n   o"
    scene = Scene(cave, "engineer on a, climber, medic, leader", a="cave-in 2-5").end_turns().card("cave-in").roll(2)
    assert scene.health("engineer") == 2


@rule("8.5")
def test_belay_needs_no_check_and_costs_one() -> None:
    scene = Scene("S--a-", "climber on a, engineer, bodyguard, medic", a="ledge east").do("place rope")
    assert (scene.markers("a"), scene.points) == ({"rope"}, 1)


@rule("8.5")
def test_agile_moves_into_rubble_and_squeezes() -> None:
    assert "move east" in Scene("S--q-", "climber, engineer, bodyguard, medic").legal
    rubble = Scene("S--a--o\n   |\n   o", "climber, engineer, bodyguard, medic", a="cave-in 2-5 rubble")
    assert "move east" in rubble.legal


@rule("8.6")
def test_first_aid_costs_one_for_others_and_two_for_oneself() -> None:
    scene = Scene(team="medic health 2, climber health 1, engineer, leader", points=1)
    assert {word for word in scene.legal if word.startswith("heal")} == {"heal climber"}


@rule("8.6")
def test_sprint_is_up_to_two_moves_for_one() -> None:
    scene = Scene("S--o--o", "medic, climber, engineer, leader").do("sprint east", "move east")
    assert (scene.place("medic"), scene.points) == ("2,0", 1)


@rule("8.7")
def test_repel_removes_the_horror_next_door() -> None:
    scene = Scene("S--o", "bodyguard, climber, engineer, medic", horrors="o").do("repel east")
    assert (scene.horrors, scene.points) == ([], 1)


@rule("8.7")
def test_protect_spares_the_others_on_the_tile_while_conscious() -> None:
    cave = "S--g\n   |\n   o"
    awake = Scene(cave, "bodyguard on g, climber on g, engineer, medic").end_turns().card("gas")
    assert (awake.health("bodyguard"), awake.health("climber")) == (3, 3)
    asleep = Scene(cave, "bodyguard on g health 0, climber on g, engineer, medic").end_turns().card("gas")
    assert asleep.health("climber") == 1


@rule("8.8")
def test_direct_lets_another_do_one_thing_for_exactly_one_once_a_turn() -> None:
    scene = Scene("S--o--o", "leader, climber on S, engineer, medic").do("direct climber")
    assert (scene.at, scene.points) == ("climber direct", 1)
    assert "pass" in scene.legal
    assert not any(word.startswith("run") for word in scene.legal)
    scene.do("move east")
    assert (scene.place("climber"), scene.at) == ("1,0", "leader turn")
    assert not any(word.startswith("direct") for word in scene.legal)


@rule("8.8", "10")
def test_in_the_guide_a_run_costs_one_and_can_be_directed() -> None:
    scene = Scene("S--o--o", "leader, climber, engineer, medic", rules="guide").do("direct climber")
    assert "run east" in scene.legal


@rule("8.8", "3.4")
def test_experienced_adds_one_while_conscious() -> None:
    scene = Scene(team="leader, climber, engineer, medic").do("exert", "end turn").roll(3)
    assert scene.health("leader") == 3
