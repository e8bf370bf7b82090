"""How the rules bot answers `turn`, `run` and `direct`: side actions that pay, then the next action of the plan."""

import numpy as np
from subterra_env.agents.bot_danger import check_fails, danger, danger_of_horrors, danger_of_tremor, drop
from subterra_env.agents.bot_planning import NOTHING, PRESSING, may_draw_at, plan, quality, worth_of_standing
from subterra_env.agents.bot_walking import NO_ACTION, walk_towards
from subterra_env.agents.distances import FAR, is_in
from subterra_env.agents.situation import SITUATION, apart, look_ahead, look_around, look_at_ways

from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.box.cavers import TURN_POINTS
from subterra_env.games.subterra.prices import PRICE
from subterra_env.games.subterra.rules.passages import tile_at
from subterra_env.games.subterra.rules.sides import EAST_OF, HOW_MANY, NORTH_OF, has
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Side
from subterra_env.jit import compiled

_SIDES = len(Side)


@compiled
def turn(state, now):
    """The answer to `turn`."""
    if is_spent(state):
        return a.END_TURN
    look_around(state, now, state.seat, state.points, 0)
    if now.place == state.exit_slot:
        return on_the_exit(state, now)
    plan(state, now)
    action = repel(state, now)
    if action == NO_ACTION:
        action = best_aside(state, now)
    if action == NO_ACTION:
        action = follow_plan(state, now)
    if action == NO_ACTION:
        action = exert(state, now)
    return action if action != NO_ACTION else a.END_TURN


@compiled
def is_spent(state):
    """No points left, and too weak to risk another one unless the exit is known."""
    return state.points == 0 and state.cavers[state.seat].health <= 1 and state.exit_slot == NOWHERE


@compiled
def best_aside(state, now):
    """What is worth more than the points it takes from the plan: healing, directing, taking cover."""
    now.gain, now.aside = 0.0, NO_ACTION
    heal(state, now)
    direct(state, now)
    take_cover(state, now)
    clear_the_way(state, now)
    return now.aside


@compiled
def offer(now, action, price, worth):
    """An action beside the plan is taken if it is the one that gains most."""
    gain = worth + now.best[now.points - price] - now.best[now.points]
    if gain > now.gain:
        now.gain, now.aside = gain, action


@compiled
def run(state, now):
    """The answer to `run`: goes on if the plan is a plain move."""
    look_around(state, now, state.actor, state.points, state.moves_left)
    plan(state, now)
    action = follow_plan(state, now)
    for block in (a.RUN, a.SPRINT):
        if block <= action < block + _SIDES:
            action = a.MOVE + action - block
    return action if a.MOVE <= action < a.RUN else a.STOP


@compiled
def directed(state, now):
    """The answer to `direct`."""
    look_around(state, now, state.actor, 1, 0)
    plan(state, now)
    action = repel(state, now)
    if action == NO_ACTION:
        action = best_aside(state, now)
    if action == NO_ACTION:
        action = follow_plan(state, now)
    return action if action != NO_ACTION and is_legal(state, action) else a.PASS


@compiled
def on_the_exit(state, now):
    """Waits for the others; leaves when nobody can come any more."""
    plan(state, now)
    if now.target != state.exit_slot:
        action = follow_plan(state, now)
        if action != NO_ACTION:
            return action
    if is_legal(state, a.LEAVE):
        return a.LEAVE
    action = best_aside(state, now)
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
def heal(state, now):
    """Whoever stands or lies here."""
    for seat in range(state.caver_count):
        action = a.HEAL + state.cavers[seat].who
        if is_legal(state, action):
            offer(now, action, PRICE[state.rules, now.who, action], worth_of_healing(state, now, seat))


@compiled
def worth_of_healing(state, now, seat):
    health = state.cavers[seat].health
    if health == 0 and state.exit_slot != NOWHERE:
        in_time = (now.out[now.place] + 1) // 2 <= now.rounds_left
        return now.weights.rescue_out if in_time else 0.0
    return now.weights.health[health + 1] - now.weights.health[health]


@compiled
def direct(state, now):
    """The leader's point, where somebody else makes more of it; it looks around only if its own is worth little."""
    if now.who != Caver.LEADER or now.points == 0:
        return
    if now.best[now.points] - now.best[now.points - 1] > now.weights.spare_point:
        return
    for seat in range(state.caver_count):
        action = a.DIRECT + state.cavers[seat].who
        if is_legal(state, action):
            offer(now, action, 1, now.weights.direct * gain_of_a_point(state, now, seat))


@compiled
def gain_of_a_point(state, now, seat):
    """How much better another caver's plan gets by one point more, beside those of a turn still to come."""
    if state.cavers[seat].slot == state.exit_slot:
        return 0.0
    return gain_looked_up(state, now, seat, np.empty(1, SITUATION))


@compiled
def gain_looked_up(state, now, seat, scratch):
    scratch[0] = now
    other = scratch[0]
    points = TURN_POINTS if turn_is_to_come(state, seat) else 0
    if walks_alike(now.who, state.cavers[seat].who):
        other.seat, other.points, other.moves = seat, points, 0
        other.who, other.place = state.cavers[seat].who, state.cavers[seat].slot
    else:
        look_ahead(state, other, seat, points, 0)
    look_at_ways(state, other)
    plan(state, other)
    return other.best[points + 1] - other.best[points]


@compiled
def walks_alike(who, other):
    """Whether the same ways cost two cavers the same."""
    return not walks_in_own_way(who) and not walks_in_own_way(other)


@compiled
def walks_in_own_way(who):
    return who == Caver.DIVER or who == Caver.CLIMBER or who == Caver.GEOLOGIST or who == Caver.SCOUT


@compiled
def turn_is_to_come(state, seat):
    """Whether a caver's turn of this round has not come yet."""
    return (seat - state.first) % state.caver_count >= state.turns_taken


@compiled
def take_cover(state, now):
    """Hides or dives where every plan ends in danger."""
    if is_legal(state, a.DIVE):
        offer(now, a.DIVE, now.points, worth_of_diving(state, now) - now.best[0])
    if is_legal(state, a.HIDE) and now.points >= PRICE[state.rules, now.who, a.HIDE]:
        fear = danger_of_horrors(state, now, state.cavers[now.seat].health, now.place)
        offer(now, a.HIDE, PRICE[state.rules, now.who, a.HIDE], fear * (1 - check_fails(state, now.seat)))


@compiled
def clear_the_way(state, now):
    """A rope placed or rubble dug away, also when no point is left then to go on."""
    if now.stop[now.points] != now.place or now.target == NOWHERE or now.walk[now.target] >= FAR:
        return
    action = walk_towards(state, now, now.target)
    if now.target == now.place and is_in(now.rope_first, now.place) and is_legal(state, a.PLACE_ROPE):
        action = a.PLACE_ROPE
    if action == a.PLACE_ROPE or a.DIG <= action < a.DIG + _SIDES:
        price = PRICE[state.rules, now.who, action]
        offer(now, action, price, now.weights.clear * price)


@compiled
def worth_of_diving(state, now):
    """Out of reach of everything but tremors, at the price of the next turn."""
    worth = -now.weights.dive - danger_of_tremor(state, now, state.cavers[now.seat].health)
    if state.exit_slot != NOWHERE:
        return worth + best_surfacing(state, now)
    return worth + now.target_worth


@compiled
def best_surfacing(state, now):
    best = NOTHING
    for k in range(state.water_count):
        slot = state.water[k]
        best = max(best, worth_of_standing(state, now, slot) - danger(state, now, slot))
    return best


@compiled
def surface(state, now):
    """The answer to `surface`: the safest water tile near the exit, or near the team and the unexplored."""
    look_around(state, now, state.seat, 0, 0)
    plan(state, now)
    best, chosen = NOTHING, a.SURFACE
    for k in range(state.water_count):
        slot = state.water[k]
        worth = -danger(state, now, slot)
        if state.exit_slot != NOWHERE:
            worth += worth_of_standing(state, now, slot)
        elif now.unexplored[slot]:
            worth += quality(state, now, slot)
        else:
            worth -= now.weights.outside * apart(state, now, slot)
        if worth > best:
            best, chosen = worth, a.SURFACE + k
    return chosen


@compiled
def exert(state, now):
    """One more point, if the plan gains more by it than the check costs."""
    if not is_legal(state, a.EXERT):
        return NO_ACTION
    gain = now.best[now.points + 1] - now.best[now.points]
    fear = check_fails(state, now.seat) * drop(now, state.cavers[now.seat].health, 1)
    if now.stop[now.points + 1] == state.exit_slot:
        fear = 0.0
    return a.EXERT if gain > fear else NO_ACTION


@compiled
def follow_plan(state, now):
    """The next action of the best plan."""
    if now.points + now.moves == 0 or now.best[now.points] == NOTHING:
        return NO_ACTION
    stop = now.stop[now.points]
    if stop != now.place:
        return walk_towards(state, now, stop)
    if now.points > 0 and may_draw_at(state, now, now.place):
        return draw_here(state, now)
    return NO_ACTION


@compiled
def draw_here(state, now):
    """Reveals from a tile with several sides, and goes on through the last one."""
    if is_in(now.rope_first, now.place):
        return NO_ACTION
    sides = now.unexplored[now.place]
    stay = now.staying[now.points] or (now.points > 1 and HOW_MANY[sides] > 1 and now.horror[now.place] > PRESSING)
    chosen = best_side(state, now, sides)
    action = (a.REVEAL if stay else a.EXPLORE) + chosen
    return action if is_legal(state, action) else NO_ACTION


@compiled
def best_side(state, now, sides):
    best, chosen = NOTHING, 0
    for side in range(_SIDES):
        if has(sides, side):
            worth = worth_of_side(state, now, side)
            if worth > best:
                best, chosen = worth, side
    return chosen


@compiled
def worth_of_side(state, now, side):
    """Room to go on, near the team."""
    tile = state.tiles[now.place]
    x, y = tile.x + EAST_OF[side], tile.y + NORTH_OF[side]
    worth = -now.weights.outside * (abs(x - now.middle_x) + abs(y - now.middle_y))
    for beyond in range(_SIDES):
        if tile_at(state, x + EAST_OF[beyond], y + NORTH_OF[beyond]) == NOWHERE:
            worth += now.weights.room
    return worth
