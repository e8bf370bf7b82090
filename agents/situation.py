"""What a caver about to decide looks at first: the cave, the odds of the next hazard, the time left, the team."""

from typing import Any

import numpy as np

from subterra_env.agents.bot_weights import HEALTH_WORTH
from subterra_env.agents.distances import (
    FAR,
    GROUND_FIELDS,
    price_entering,
    steps_from_horrors,
    survey,
    walk_from,
)
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.box.cavers import MOST_HORRORS, RUN_MOVES
from subterra_env.games.subterra.rules.health import is_conscious
from subterra_env.games.subterra.state import NOWHERE, SLOTS
from subterra_env.games.subterra.terms import Caver, Hazard, Kind
from subterra_env.jit import compiled

WARY_STEPS = 6
"""Horrors farther away than this are no worry."""
FARTHEST_WALK = 60
_HAZARDS = len(Hazard)

_FIELDS: list[tuple[Any, ...]] = [
    ("seat", "i8"),  # who decides
    ("who", "i8"),
    ("place", "i8"),  # slot it is on
    ("points", "i8"),  # points left to it
    ("rounds_left", "i8"),  # action phases up to the first out-of-time check, this one included
    ("odds", "f8", (len(Hazard),)),  # of the next card, a doubled one counted twice
    ("middle_x", "f8"),  # where the conscious cavers are, on average
    ("middle_y", "f8"),
    ("path", "i1", (SLOTS,)),  # slots of the way last looked for
]
SITUATION = np.dtype((np.record, np.dtype(GROUND_FIELDS + _FIELDS, align=True)))


@compiled
def look_around(state, now, seat, points):
    now.seat = seat
    now.who = state.cavers[seat].who
    now.place = state.cavers[seat].slot
    now.points = points
    now.rounds_left = state.cards_left + 1
    weigh_hazards(state, now)
    find_middle(state, now)
    survey(state, now)
    price_entering(state, now, seat)
    walk_from(state, now, now.place, now.walk, FARTHEST_WALK)
    steps_from_horrors(state, now, WARY_STEPS)


@compiled
def weigh_hazards(state, now):
    """How often each hazard will strike in the next hazard phase."""
    total = 0
    for card in range(2 * _HAZARDS):
        total += state.unseen_cards[card]
    if total == 0 or state.cards_left == 0:
        return
    for hazard in range(_HAZARDS):
        now.odds[hazard] = (state.unseen_cards[2 * hazard] + 2 * state.unseen_cards[2 * hazard + 1]) / total





@compiled
def find_middle(state, now):
    x, y, count = 0, 0, 0
    for seat in range(state.caver_count):
        if is_active(state, seat):
            tile = state.tiles[state.cavers[seat].slot]
            x += tile.x
            y += tile.y
            count += 1
    if count > 0:
        now.middle_x = x / count
        now.middle_y = y / count


@compiled
def is_active(state, seat):
    """Conscious and on the board."""
    return is_conscious(state, seat) and state.cavers[seat].slot != NOWHERE


@compiled
def lies_unconscious(state, seat):
    return state.cavers[seat].health == 0 and not state.cavers[seat].lost


@compiled
def apart(state, now, slot):
    """Tiles between a slot and the middle of the team, as the crow flies."""
    return abs(state.tiles[slot].x - now.middle_x) + abs(state.tiles[slot].y - now.middle_y)


@compiled
def drop(health, loss):
    """What losing so much health costs."""
    return HEALTH_WORTH[health] - HEALTH_WORTH[max(0, health - loss)]


@compiled
def guarded(state, seat, slot):
    """Another caver, a conscious bodyguard, stands there."""
    for other in range(state.caver_count):
        if other != seat and state.cavers[other].who == Caver.BODYGUARD:
            return state.cavers[other].slot == slot and is_conscious(state, other)
    return False


@compiled
def danger(state, now, seat, slot):
    """Expected loss from ending the turn on a tile."""
    caver = state.cavers[seat]
    health = caver.health
    found = 0.0
    if not guarded(state, seat, slot):
        found = danger_of_tile(state, now, caver.who, health, slot)
        found += now.odds[Hazard.TREMOR] * 0.5 * drop(health, 1)
    if caver.who != Caver.SCOUT and not caver.hidden:
        found += danger_of_horrors(state, now, health, slot)
    return found


@compiled
def danger_of_tile(state, now, who, health, slot):
    tile = state.tiles[slot]
    kind = tile.kind
    if kind == Kind.WATER:
        return 0.0 if who == Caver.DIVER else now.odds[Hazard.FLOOD] * drop(health, 1)
    if kind == Kind.GAS:
        return now.odds[Hazard.GAS] * drop(health, 2)
    if kind == Kind.CAVE_IN and not tile.rubble:
        return now.odds[Hazard.CAVE_IN] / 3 * drop(health, 1 if who == Caver.ENGINEER else 3)
    return 0.0


@compiled
def danger_of_horrors(state, now, health, slot):
    steps = now.horror[slot]
    if steps <= 1:
        return drop(health, health)
    spawn = 0.0
    if state.tiles[slot].kind == Kind.HORROR and state.horror_count < MOST_HORRORS:
        spawn = now.odds[Hazard.HORROR] * drop(health, health)
    if steps == 2:
        return max(spawn, now.odds[Hazard.HORROR] * drop(health, health))
    if steps == 3:
        return spawn + 0.3
    return spawn


@compiled
def may(state, action):
    return is_legal(state, action)
