"""Health, contact with horrors, and the end of the game (rulebook 3.5, 6.6, 8.7, chapter 9)."""

from subterra_env.games.subterra.box.cavers import MOST_HORRORS
from subterra_env.games.subterra.box.hazards import NO_CARD
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.passages import is_exit
from subterra_env.games.subterra.state import NOWHERE, STATE
from subterra_env.games.subterra.terms import Caver, Ending, Node, Step
from subterra_env.jit import compiled, gate

SILVER_LEFT_BEHIND, BRONZE_LEFT_BEHIND = 1, 2


@rule("3.5")
def is_conscious(state, seat):
    caver = state.cavers[seat]
    return caver.health > 0 and not caver.lost


@rule("8.1")
def is_submerged(state, seat):
    return state.cavers[seat].dived_from != NOWHERE


@rule("5.7")
def is_on_exit(state, seat):
    return is_exit(state, state.cavers[seat].slot)


@rule("3.5")
def lose_health(state, seat, amount):
    """Never on the exit; a submerged diver who falls unconscious drifts back onto the tile it dived from."""
    caver = state.cavers[seat]
    if caver.lost or is_on_exit(state, seat):
        return
    caver.health = max(0, caver.health - amount)
    if caver.health == 0 and is_submerged(state, seat):
        caver.slot = caver.dived_from
        caver.dived_from = NOWHERE


@rule("3.5")
def lose_all_health(state, seat):
    lose_health(state, seat, state.cavers[seat].health)


@rule("8.7")
def is_protected(state, seat):
    """Another caver, a conscious bodyguard, stands on the same tile."""
    slot = state.cavers[seat].slot
    if slot == NOWHERE:
        return False
    for other in range(state.caver_count):
        guard = state.cavers[other]
        if guard.who == Caver.BODYGUARD and other != seat and guard.slot == slot and is_conscious(state, other):
            return True
    return False


@rule("6.6")
def horror_on(state, slot):
    """Whether a horror stands on the tile."""
    for i in range(state.horror_count):
        if state.horrors[i].slot == slot:
            return True
    return False


@rule("6.6", "8.2")
def is_spared_by_horrors(state, seat):
    """The scout, everybody on the exit, and with the option also who hides."""
    caver = state.cavers[seat]
    passed_by = state.hidden_cavers_are_passed_by and caver.hidden
    return caver.who == Caver.SCOUT or is_on_exit(state, seat) or passed_by


@rule("6.6")
def contact(state):
    """Conscious cavers on a tile with a horror lose all health."""
    if state.horror_count == 0:
        return
    for seat in range(state.caver_count):
        slot = state.cavers[seat].slot
        meets = slot != NOWHERE and is_conscious(state, seat) and horror_on(state, slot)
        if meets and not is_spared_by_horrors(state, seat):
            lose_all_health(state, seat)


@compiled
def is_over(state):
    return state.node == Node.END


@rule("9.1")
def end_if_over(state):
    """Every caver not lost is on the exit, or no conscious caver is left."""
    if (
        everyone_is_out(state)
        or not anyone_is_conscious(state)
        or (state.stop_when_conscious_are_out and conscious_are_out(state))
    ):
        end(state)


@rule("9.1")
def everyone_is_out(state):
    for seat in range(state.caver_count):
        if not state.cavers[seat].lost and not is_on_exit(state, seat):
            return False
    return True


@rule("9.1")
def anyone_is_conscious(state):
    for seat in range(state.caver_count):
        if is_conscious(state, seat):
            return True
    return False


@rule("4.12", "9.1")
def conscious_are_out(state):
    """Every conscious caver is on the exit."""
    for seat in range(state.caver_count):
        if is_conscious(state, seat) and not is_on_exit(state, seat):
            return False
    return True


@rule("9.2")
def left_behind(state):
    """How many cavers are not on the exit."""
    count = 0
    for seat in range(state.caver_count):
        if not is_on_exit(state, seat):
            count += 1
    return count


@rule("9.1")
def break_off(state):
    """The game is over: nothing that was under way goes on."""
    state.node = Node.END
    state.step = Step.ROUND_BEGINS
    state.actor = state.seat
    state.moves_left = 0
    state.card = NO_CARD
    state.repeats_left = 0
    state.spawns_left = 0
    forget_row_of_checks(state)
    for i in range(MOST_HORRORS):
        state.horrors[i].waiting = 0


@compiled
def forget_row_of_checks(state):
    state.checks_first = 0
    state.checks_done = 0


@rule("9.2", by=gate(STATE))
def end(state):
    """The game is over, with a medal or without."""
    left = left_behind(state)
    break_off(state)
    if left == 0:
        state.ending = Ending.GOLD
    elif left == SILVER_LEFT_BEHIND:
        state.ending = Ending.SILVER
    elif left == BRONZE_LEFT_BEHIND:
        state.ending = Ending.BRONZE
    else:
        state.ending = Ending.DEFEAT


@rule("9.3")
def truncate(state):
    """The safety limit of rounds is reached."""
    break_off(state)
    state.ending = Ending.TRUNCATED
