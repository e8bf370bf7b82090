"""Chapter 7: what the hazard cards do, and the time running out."""

from subterra_env.games.subterra.box.cavers import OUT_OF_TIME_AT_ROUND_START
from subterra_env.games.subterra.box.hazards import (
    CAVE_IN_COSTS,
    CAVE_IN_COSTS_CAREFUL,
    FLOOD_COSTS,
    GAS_COSTS,
    TREMOR_COSTS,
)
from subterra_env.games.subterra.box.tiles import TILE_ROLLS
from subterra_env.games.subterra.rules.checks import ask_for_cave_in_die, ask_for_check
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.health import (
    end_if_over,
    forget_row_of_checks,
    is_conscious,
    is_on_exit,
    is_over,
    is_protected,
    lose_all_health,
    lose_health,
)
from subterra_env.games.subterra.rules.horrors import begin_horror_moves
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, Chance, Check, Hazard, Kind, Node, OutOfTime, Phase, Step
from subterra_env.jit import compiled


@rule("7", "7.6")
def hazard_begins(state):
    """A card, or, once they are used up, the out-of-time checks."""
    state.phase = Phase.HAZARD
    state.gas_out = 0
    if state.cards_left > 0:
        state.node = Node.CHANCE
        state.chance = Chance.HAZARD
    elif OUT_OF_TIME_AT_ROUND_START[state.rules]:
        state.step = Step.ROUND_ENDS
    else:
        begin_out_of_time(state)


@rule("2.4", "7")
def card_is_drawn(state, card):
    """A doubled card is resolved twice running."""
    state.unseen_cards[card] -= 1
    state.cards_left -= 1
    state.cards_used += 1
    state.card = card
    times = 1 + card % 2
    if card // 2 == Hazard.HORROR:
        state.spawns_left = times
        begin_horror_moves(state, times)
    else:
        state.repeats_left = times
        state.step = Step.RESOLVE


@rule("7")
def resolve(state):
    """The card once more, until it has been resolved often enough."""
    if state.repeats_left == 0:
        state.step = Step.ROUND_ENDS
        return
    state.repeats_left -= 1
    match state.card // 2:
        case Hazard.TREMOR:
            begin_tremor(state)
        case Hazard.FLOOD:
            flood(state)
        case Hazard.GAS:
            gas(state)
        case Hazard.CAVE_IN:
            ask_for_cave_in_die(state)


@compiled
def begin_row_of_checks(state):
    """Caver by caver from the starting one, in an order fixed now."""
    state.checks_first = state.first
    state.checks_done = 0


@compiled
def next_in_row(state):
    """The seat whose check comes next; `NOBODY` when the row is through."""
    if state.checks_done == state.caver_count:
        forget_row_of_checks(state)
        return NOBODY
    seat = (state.checks_first + state.checks_done) % state.caver_count
    state.checks_done += 1
    return seat


@rule("7.1")
def begin_tremor(state):
    begin_row_of_checks(state)
    state.step = Step.TREMOR_CHECKS


@rule("7.1", "3.4", "8.7")
def tremor_checks(state):
    """Every conscious caver who is neither on the exit nor protected."""
    seat = next_in_row(state)
    if seat == NOBODY:
        state.step = Step.RESOLVE
    elif is_conscious(state, seat) and not is_on_exit(state, seat) and not is_protected(state, seat):
        ask_for_check(state, seat, Check.TREMOR)


@rule("7.1")
def tremor_strikes(state, seat):
    lose_health(state, seat, TREMOR_COSTS)
    end_if_over(state)


@rule("7.2", "8.1")
def flood(state):
    """Every dry water tile gets a marker; then everybody on one loses health, a conscious diver apart."""
    for k in range(state.water_count):
        state.tiles[state.water[k]].flooded = 1
    struck = 0
    for seat in range(state.caver_count):
        caver = state.cavers[seat]
        amphibious = caver.who == Caver.DIVER and is_conscious(state, seat)
        if state.tiles[caver.slot].flooded and not amphibious and not is_protected(state, seat):
            struck |= 1 << seat
    strike(state, struck, FLOOD_COSTS)


@rule("7.3")
def gas(state):
    """Everybody on a gas tile loses health; gas is out until the next hazard phase."""
    state.gas_out = 1
    struck = 0
    for seat in range(state.caver_count):
        if state.tiles[state.cavers[seat].slot].kind == Kind.GAS and not is_protected(state, seat):
            struck |= 1 << seat
    strike(state, struck, GAS_COSTS)


@rule("7.4")
def cave_in(state, number):
    """Rubble falls on every cave-in tile with the number rolled that has none; it strikes who stands there."""
    struck = 0
    for k in range(state.cave_in_count):
        slot = state.cave_ins[k]
        if is_hit(state, slot, number):
            state.tiles[slot].rubble = 1
            struck |= unprotected_on(state, slot)
    strike_with_rocks(state, struck)


@rule("7.4", "1.1")
def is_hit(state, slot, number):
    tile = state.tiles[slot]
    return not tile.rubble and (TILE_ROLLS[tile.type] >> number) & 1 == 1


@compiled
def unprotected_on(state, slot):
    """The seats, as bits, of the cavers on a tile whom nobody protects."""
    found = 0
    for seat in range(state.caver_count):
        if state.cavers[seat].slot == slot and not is_protected(state, seat):
            found |= 1 << seat
    return found


@rule("7")
def strike(state, struck, amount):
    """A blow falls on everybody at the same moment."""
    for seat in range(state.caver_count):
        if (struck >> seat) & 1:
            lose_health(state, seat, amount)
    end_if_over(state)


@rule("7.4", "8.4")
def strike_with_rocks(state, struck):
    """A conscious engineer is careful."""
    for seat in range(state.caver_count):
        if (struck >> seat) & 1:
            careful = state.cavers[seat].who == Caver.ENGINEER and is_conscious(state, seat)
            lose_health(state, seat, CAVE_IN_COSTS_CAREFUL if careful else CAVE_IN_COSTS)
    end_if_over(state)


@rule("7.6")
def begin_out_of_time(state):
    begin_row_of_checks(state)
    state.step = Step.OUT_OF_TIME_CHECKS


@rule("7.6", "10")
def out_of_time_checks(state):
    """Everybody who is not on the exit; by the printed card only who is conscious."""
    seat = next_in_row(state)
    if seat == NOBODY:
        out_of_time_is_over(state)
        return
    by_card = state.out_of_time == OutOfTime.CARD
    excused = state.cavers[seat].lost or is_on_exit(state, seat) or (by_card and not is_conscious(state, seat))
    if not excused:
        ask_for_check(state, seat, Check.OUT_OF_TIME)


@rule("7.6")
def lamps_go_out(state, seat):
    """Who fails is lost; by the printed card unconscious for now."""
    if state.out_of_time == OutOfTime.CARD:
        lose_all_health(state, seat)
    else:
        lose_caver(state, seat)
    end_if_over(state)


@rule("7.6", "10")
def out_of_time_is_over(state):
    """By the printed card every unconscious caver who is not on the exit is removed now."""
    if state.out_of_time == OutOfTime.CARD:
        for seat in range(state.caver_count):
            if not state.cavers[seat].lost and not is_conscious(state, seat) and not is_on_exit(state, seat):
                lose_caver(state, seat)
        end_if_over(state)
    if not is_over(state):
        state.step = Step.NEXT_CAVER if state.phase == Phase.ROUND_START else Step.ROUND_ENDS


@rule("7.6", "3.1")
def lose_caver(state, seat):
    """Removed from the game; the starting marker, if it was there, passes at once."""
    caver = state.cavers[seat]
    caver.lost = 1
    caver.slot = NOWHERE
    caver.dived_from = NOWHERE
    caver.hidden = 0
    if seat == state.first:
        pass_marker(state)
        state.marker_passed = 1


@rule("3.1")
def pass_marker(state):
    """Clockwise to the next caver who has not been lost."""
    for places in range(1, state.caver_count + 1):
        seat = (state.first + places) % state.caver_count
        if not state.cavers[seat].lost:
            state.first = seat
            return
