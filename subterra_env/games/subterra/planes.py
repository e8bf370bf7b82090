"""The ``planes`` observation: the cave around one caver as a picture of channels.

The middle cell is the tile of the caver, or the one it dived from, or the start if it is lost. Rows go from north to
south and columns from west to east; tiles farther off are left out. A tile that is drawn and not yet laid shows its
kind where it will lie. Channels of the section `everywhere` have one value in all cells.
"""

from subterra_env.games.subterra.box.cavers import (
    HEALTH,
    HORROR_REACH,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.tiles import STACK_TILES
from subterra_env.games.subterra.flat import MOST_HURT, NEAR, NEAR_HORROR
from subterra_env.games.subterra.layout import Feature, Layout, Section, flag, one_of, share, sides
from subterra_env.games.subterra.terms import Kind, Question

RADIUS = HORROR_REACH
"""Cells on each side of the middle one: as far as a horror smells."""
WIDTH = 2 * RADIUS + 1
MOST_CARDS = 25
STACK_PLACES = STACK_TILES + 1
MOST_POINTS = TURN_POINTS + 1
MOST_HEALTH = int(HEALTH.max())

_TILE = Section(
    "tile",
    "what lies there",
    (
        flag("lies", "a tile lies there"),
        flag("being laid", "the drawn tile is being laid there"),
        one_of("kind", "the kind of the tile", Kind, first=Kind.START),
        sides("open", "that side is open"),
        sides("connected", "the next tile on that side is connected"),
        sides("unexplored", "that side is open to an empty place"),
        sides("barred", "no caver can leave by that side: a ledge or slide without rope"),
        flag("flooded", "it has a flood marker"),
        flag("rubble", "it has a rubble marker"),
        flag("rope", "it has a rope"),
        Feature("cave-in", "chance that a cave-in hits it"),
    ),
)
_BEINGS = Section(
    "beings",
    "who is there",
    (
        flag("me", "the caver whose eyes these are is there"),
        share("cavers", "cavers there", MOST_CAVERS),
        share("conscious", "conscious cavers there", MOST_CAVERS),
        share("hurt", f"health that they have lost, {MOST_HURT} at most", MOST_HURT),
        share("horrors", "horrors there", MOST_HORRORS),
    ),
)
_STEPS = Section(
    "steps",
    "how far it is from there",
    (
        Feature("near me", f"nearness to me (0 from {NEAR} steps on)"),
        Feature("exit near", f"nearness to the exit (0 from {NEAR} steps on)"),
        Feature("frontier near", f"nearness to the next open side to an empty place (0 from {NEAR} steps on)"),
        Feature("horror near", f"nearness to the next horror (0 from {NEAR_HORROR} steps on)"),
    ),
)
_EVERYWHERE = Section(
    "everywhere",
    "the same in all cells",
    (
        one_of("question", "the question asked", Question, first=Question.TURN),
        flag("asked", "the caver whose eyes these are is asked"),
        share("health", "health left to it", MOST_HEALTH),
        share("points", "action points left", MOST_POINTS),
        flag("exerted", "the caver in turn has exerted"),
        share("moves left", "moves left of a run or sprint", RUN_MOVES),
        flag("gas out", "gas is out"),
        share("cards left", "hazard cards left", MOST_CARDS),
        share("places left", "places left in the stack", STACK_PLACES),
        flag("exit in stack", "the exit has not been drawn"),
    ),
)
PLANES = Layout((_TILE, _BEINGS, _STEPS, _EVERYWHERE))
"""A number of this layout is a channel."""
