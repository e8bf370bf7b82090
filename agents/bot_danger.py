"""What the rules bot fears: the expected loss from ending a turn somewhere."""

from subterra_env.agents.situation import SAFE_STEPS

from subterra_env.games.subterra.box.cavers import MOST_HORRORS
from subterra_env.games.subterra.rules.health import is_conscious
from subterra_env.games.subterra.terms import Caver, Hazard, Kind
from subterra_env.jit import compiled

CHECK_FAILS = 0.5
LEADER_FAILS = 1 / 3
HIT_BY_ROLL = 1 / 3
"""A cave-in tile carries two of the six numbers."""
OF_THE_STACK = 1 / 8
"""Share of water, of gas and of horror tiles in the stack; cave-in tiles are half as many again."""


@compiled
def drop(now, health, loss):
    """What losing so much health costs."""
    return now.weights.health[health] - now.weights.health[max(0, health - loss)]


@compiled
def check_fails(state, seat):
    return LEADER_FAILS if state.cavers[seat].who == Caver.LEADER else CHECK_FAILS


@compiled
def guarded(state, seat, slot):
    """Another caver, a conscious bodyguard, stands there."""
    for other in range(state.caver_count):
        if other != seat and state.cavers[other].who == Caver.BODYGUARD:
            return state.cavers[other].slot == slot and is_conscious(state, other)
    return False


@compiled
def danger(state, now, slot):
    """Expected loss of the caver who decides, if its turn ends on a tile of the table."""
    if slot == state.exit_slot:
        return 0.0
    caver = state.cavers[now.seat]
    found = 0.0
    if not guarded(state, now.seat, slot):
        found = danger_of_kind(state, now, caver.health, slot) + danger_of_tremor(state, now, caver.health)
    if caver.who != Caver.SCOUT and not caver.hidden:
        found += danger_of_horrors(state, now, caver.health, slot)
    return found


@compiled
def danger_of_tremor(state, now, health):
    return now.odds[Hazard.TREMOR] * check_fails(state, now.seat) * drop(now, health, 1)


@compiled
def danger_of_kind(state, now, health, slot):
    tile = state.tiles[slot]
    kind = tile.kind
    if kind == Kind.WATER:
        return 0.0 if now.who == Caver.DIVER else now.odds[Hazard.FLOOD] * drop(now, health, 1)
    if kind == Kind.GAS:
        return now.odds[Hazard.GAS] * drop(now, health, 2)
    if kind == Kind.CAVE_IN and not tile.rubble:
        return now.odds[Hazard.CAVE_IN] * HIT_BY_ROLL * drop(now, health, rocks_cost(now))
    return 0.0


@compiled
def rocks_cost(now):
    return 1 if now.who == Caver.ENGINEER else 3


@compiled
def danger_of_horrors(state, now, health, slot):
    """A horror steps once in the horror phase, once more with its card, and may appear on its own tile."""
    all_of_it = drop(now, health, health)
    strike = chance_of_horror_at(now, now.horror[slot])
    if state.tiles[slot].kind == Kind.HORROR and state.horror_count < MOST_HORRORS:
        strike = max(strike, now.odds[Hazard.HORROR])
    if now.horror[slot] <= SAFE_STEPS and now.refuge[slot] >= now.horror[slot]:
        return strike * all_of_it + now.weights.trapped
    return strike * all_of_it


@compiled
def chance_of_horror_at(now, steps):
    if steps <= 1:
        return now.weights.horror_beside
    if steps == 2:
        return min(1.0, now.odds[Hazard.HORROR] + now.weights.horror_near)
    if steps == 3:
        return now.weights.horror_three
    return 0.0


@compiled
def danger_of_the_unknown(state, now):
    """Expected loss if the turn ends on a tile not yet drawn, horrors apart."""
    health = state.cavers[now.seat].health
    found = danger_of_tremor(state, now, health) + now.weights.unknown
    found += OF_THE_STACK * now.odds[Hazard.GAS] * drop(now, health, 2)
    found += OF_THE_STACK * now.odds[Hazard.FLOOD] * drop(now, health, 1)
    found += 1.5 * OF_THE_STACK * now.odds[Hazard.CAVE_IN] * HIT_BY_ROLL * drop(now, health, rocks_cost(now))
    if state.gas_out:
        found += OF_THE_STACK * drop(now, health, 2)
    return found


@compiled
def danger_beyond(state, now, horror_steps):
    """Expected loss to horrors on a tile not yet drawn, so many steps from the nearest of them."""
    if now.who == Caver.SCOUT:
        return 0.0
    health = state.cavers[now.seat].health
    strike = chance_of_horror_at(now, horror_steps) + OF_THE_STACK * now.odds[Hazard.HORROR]
    return strike * drop(now, health, health)
