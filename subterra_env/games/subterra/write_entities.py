"""Writes the ``entities`` observation. Rows are float32 and zero before they are written."""

import numpy as np

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    HIDES_BEFORE_SURE,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
)
from subterra_env.games.subterra.box.hazards import CARDS
from subterra_env.games.subterra.box.tiles import (
    MOST_HORROR_TILES,
    NO_TILE,
    QUARTER_TURNS,
    STACK_TILES,
    TILE_KIND,
    TILE_ROLLS,
    TILE_SHAPE,
    TILE_TYPES,
)
from subterra_env.games.subterra.entities import (
    CAVERS,
    FAR_AWAY,
    GLOBALS,
    HORRORS,
    MANY_DICE,
    MANY_ROUNDS,
    MOST_CARDS,
    MOST_HEALTH,
    MOST_OF_A_CARD,
    MOST_OF_A_TYPE,
    MOST_POINTS,
    REPEATS,
    STACK_PLACES,
    TILES,
)
from subterra_env.games.subterra.luck import DIE_SIDES
from subterra_env.games.subterra.rules.health import horror_on, is_submerged
from subterra_env.games.subterra.rules.passages import unexplored_and_barred
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Check, Kind, Side
from subterra_env.jit import compiled
