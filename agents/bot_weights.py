"""What the rules bot thinks things are worth, in action points; every number it uses that is no rule of the game."""

import numpy as np

HEALTH_WORTH = np.array([0.0, 7.0, 9.5, 11.0, 12.0, 12.5], np.float64)
"""A caver with so much health, against one who lies unconscious."""
TILE = 2.0
"""A tile laid, as long as the exit has not been found."""
STEP = 1.0
"""A point of walking to a place of work."""
SIDE = 0.3
"""Each further side to explore through at a place of work: less walking afterwards."""
CROWDED = 1.5
"""Each other caver already at a place of work, beyond the sides it has."""
APART = 0.12
"""Each tile between a place of work and the middle of the team, early on."""
APART_LATE = 0.6
"""The same when the exit may be the next tile."""
LATE_PLACES = 14
"""From so many places left in the stack on the team draws together."""
LAST_PLACES = 6
RESCUE = 8.0
"""Bringing an unconscious caver round."""
RESCUE_WALK = 7
"""No rescue farther away than this while the exit is not found."""
MEND = np.array([0.0, 3.0, 1.2, 0.6, 0.4, 0.0], np.float64)
"""One health more for a conscious caver of so much health."""

OPENING = 1.0
"""An open side towards an empty place, when laying a tile."""
LINK = 0.8
"""A second neighbour that a tile is connected to."""
WALLED_OFF = 0.6
"""An open side of a neighbour that is walled off."""
OUTWARDS = 0.12
"""An open side, for each tile it leads away from the middle of the team."""
TILE_TROUBLE = np.array([0, 0, -9, 0, 0.8, 1.2, 1.2, 3.0, 1.0, 1.2, 1.0, 0.8], np.float64)
"""By kind: how little a tile is wanted."""
DISCARD_BELOW = -0.2
"""The scout refuses tiles that are worth less than this."""
