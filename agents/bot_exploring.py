"""What the rules bot does while the exit has not been found."""

from subterra_env.agents import bot_weights as weights
from subterra_env.agents.bot_walking import NO_ACTION, walk_towards
from subterra_env.agents.distances import FAR, is_in
from subterra_env.agents.situation import apart, danger, is_active, lies_unconscious
from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.box.cavers import HEALTH
from subterra_env.games.subterra.rules.passages import leads_to
from subterra_env.games.subterra.rules.sides import HOW_MANY, has
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Kind, Side
from subterra_env.jit import compiled

_SIDES = len(Side)
_WORST = -1e9
UNKNOWN_DANGER = 0.5


@compiled
def explore_turn(state, now):
    """The answer to a `turn` question: the first priority that has something to say."""
    action = repel(state, now)
    if action == NO_ACTION:
        action = tend(state, now)
    if action == NO_ACTION and now.points > 0:
        action = go_and_explore(state, now)
    return action if action != NO_ACTION else a.END_TURN


@compiled
def repel(state, now):
    """A horror beside the bodyguard is gone for one point."""
    if now.who == Caver.BODYGUARD:
        for side in range(_SIDES):
            if is_legal(state, a.REPEL + side):
                return a.REPEL + side
    return NO_ACTION


@compiled
def tend(state, now):
    """Heals who lies here, then, if it is cheap, who is weak."""
    for other in range(state.caver_count):
        action = a.HEAL + state.cavers[other].who
        if state.cavers[other].health == 0 and is_legal(state, action):
            return action
    if now.who == Caver.MEDIC:
        for other in range(state.caver_count):
            action = a.HEAL + state.cavers[other].who
            if other != now.seat and state.cavers[other].health <= 2 and is_legal(state, action):
                return action
    if state.cavers[now.seat].health == 1 and is_legal(state, a.HEAL + now.who):
        return a.HEAL + now.who
    return NO_ACTION


@compiled
def go_and_explore(state, now):
    best, goal = -danger(state, now, now.seat, now.place), now.place
    for slot in range(state.tile_count):
        walk = now.walk[slot]
        if walk < FAR:
            worth = worth_of_place(state, now, slot, walk)
            if worth > best:
                best, goal = worth, slot
    if goal != now.place:
        return walk_towards(state, now, goal)
    if now.unexplored[goal]:
        return explore_here(state, now)
    return NO_ACTION


@compiled
def worth_of_place(state, now, slot, walk):
    sides = now.unexplored[slot]
    rest = now.points - walk
    worth = -weights.STEP * walk
    if rest >= 0:
        worth -= danger(state, now, now.seat, slot)
    else:
        worth -= 0.5
    if sides:
        late = state.places_left <= weights.LATE_PLACES
        worth += weights.TILE * max(1, rest) + weights.SIDE * HOW_MANY[sides]
        worth -= (weights.APART_LATE if late else weights.APART) * apart(state, now, slot)
        worth -= weights.CROWDED * max(0, others_on(state, now, slot) + 1 - HOW_MANY[sides])
    for other in range(state.caver_count):
        if lies_unconscious(state, other) and state.cavers[other].slot == slot and walk <= weights.RESCUE_WALK:
            worth += weights.RESCUE
    return worth


@compiled
def others_on(state, now, slot):
    count = 0
    for other in range(state.caver_count):
        if other != now.seat and state.cavers[other].slot == slot and is_active(state, other):
            count += 1
    return count


@compiled
def explore_here(state, now):
    """Reveals from a tile with several sides, and goes on through the last one."""
    sides = now.unexplored[now.place]
    best, chosen = _WORST, 0
    for side in range(_SIDES):
        if has(sides, side):
            worth = worth_of_side(state, now, side)
            if worth > best:
                best, chosen = worth, side
    stay = HOW_MANY[sides] > 1
    if now.points == 1:
        stay = danger(state, now, now.seat, now.place) < UNKNOWN_DANGER
    if stay:
        return a.REVEAL + chosen
    return a.EXPLORE + chosen


@compiled
def worth_of_side(state, now, side):
    """Towards the middle of the team first."""
    tile = state.tiles[now.place]
    x = tile.x + (side == Side.EAST) - (side == Side.WEST)
    y = tile.y + (side == Side.NORTH) - (side == Side.SOUTH)
    return -abs(x - now.middle_x) - abs(y - now.middle_y)
