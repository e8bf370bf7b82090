"""The scene language itself."""

from .scene import Scene


def test_a_scene_reads_as_it_is_drawn() -> None:
    scene = Scene(
        """
            g-
            |
        -q--S--a-
        """,
        "medic on a health 1, scout on g, leader hides 2, climber on q hidden",
        a="water flooded",
        points=1,
        horrors="gq",
    )
    assert scene.cave == {
        "S": "start crossroads 0",
        "g": "gas corner 1",
        "a": "water straight 1",
        "q": "squeeze straight 1",
    }
    assert scene.markers("a") == {"flooded"}
    assert scene.at == "medic turn"
    assert scene.legal == {"move west", "sprint west", "reveal east", "explore east", "exert", "end turn"}
    assert (scene.place("scout"), scene.health("medic"), scene.hidden("climber")) == ("g", 1, True)
    assert scene.horrors == ["g", "q"]
