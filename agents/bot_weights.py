"""What the rules bot thinks things are worth, in action points: every number it uses that is no rule of the game."""

from typing import Any

import numpy as np

_KINDS = 12
_TABLE: list[tuple[str, Any, str]] = [
    ("health", (0, 5.1, 9.5, 11, 12, 12), "a caver with so much health, against one who lies unconscious"),
    ("tile", 1.25, "a tile laid in this turn"),
    ("points_per_tile", 1.26, "points that it takes to lay a tile, walking included"),
    ("points_to_gather", 4.08, "points that each caver needs for the way to the exit"),
    ("step", 0.982, "a point of walking to a place of work"),
    ("clear", 0.8, "a point spent on a rope or on rubble on the way"),
    ("work", 3.63, "a place of work, before what speaks for and against it"),
    ("side", 0.4, "each further side to explore through at a place of work: less walking afterwards"),
    ("crowded", 1.5, "each other caver at a place of work beyond the sides it has"),
    ("apart", 0.1, "each point that the team has to walk to a place of work"),
    ("apart_late", 0.2, "how much that rises, with the square of the part drawn, until the stack is empty"),
    ("spread", 0.1, "each tile between a place of work and the middle of the team"),
    ("outside", 0.2, "each tile that a side to explore lies away from the middle of the team"),
    ("near_enough", 4, "the last tiles are laid where the team walks at most so much more than to the best place"),
    ("team_reach", 30.0, "points of walking from which on a caver is simply too far away from the team"),
    (
        "rescue",
        (40.0, 12.0, 6.0, 6.0),
        "going to an unconscious caver: too few conscious for a medal, just enough, more",
    ),
    ("rescue_out", 11.8, "going to an unconscious caver when the exit lies, before what it costs"),
    ("rescue_margin", 1, "rounds to spare when going back for somebody"),
    ("horror_beside", 1.1, "how often a horror one step away strikes"),
    ("horror_near", 0.219, "how often a horror two steps away strikes, beyond the next card"),
    ("horror_three", 0.05, "how often a horror three steps away strikes"),
    ("trapped", 1.5, "a dead end with a horror about"),
    ("together", 0, "standing on the bodyguard's tile beyond what it spares now"),
    ("unknown", -0.0543, "stepping onto a tile never seen before, at the end of a turn"),
    ("exit", 12, "standing on the exit"),
    ("way_out", 1.2, "a point of walking to the exit"),
    ("too_late", 3, "each round that a caver would come too late"),
    ("repel", 1.54, "a horror gone"),
    ("dive", 5, "the turns that a dive takes"),
    ("patient_out", 1, "how surely a caver brought round late gets out"),
    ("spare_point", 0.2, "an own point of the leader from which on it does not ask who could use it better"),
    ("direct", 0.8, "a point given to somebody else, against an own one"),
    ("opening", 1, "an open side towards an empty place, when laying a tile"),
    ("scarce", 4.33, "how much more that is worth, divided by the open sides there are"),
    ("link", 0.3, "a further neighbour that a tile is connected to"),
    ("walled_off", 1, "an open side of a neighbour that is walled off"),
    ("outwards", 0.05, "an open side, for each tile it leads away from the middle of the team"),
    ("room", 0.5, "an empty place around the place to explore"),
    ("trouble", (0, 0, 0, 0, 0.59, 1.2, 1.2, 3.4, 1, 1.2, 0.92, 0.8), "by kind: how little a tile is wanted"),
    ("refuse", -0.5, "the scout refuses tiles that are worth less than this"),
]


def _field(name: str, value: Any) -> tuple[Any, ...]:
    return (name, "f8", (len(value),)) if isinstance(value, tuple) else (name, "f8")


WEIGHTS = np.dtype((np.record, np.dtype([_field(name, value) for name, value, _ in _TABLE], align=True)))
"""One number, or a row of them, a name."""


def weights() -> np.ndarray:
    """The bot's own weights: an array of one `WEIGHTS`."""
    row = np.zeros(1, WEIGHTS)
    for name, value, _ in _TABLE:
        row[name] = value
    return row


MEANINGS: dict[str, str] = {name: sentence for name, _, sentence in _TABLE}
"""What each weight is worth, by name."""
OWN_WEIGHTS = weights()
