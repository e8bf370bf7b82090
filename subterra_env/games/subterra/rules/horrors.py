"""Chapter 6: how horrors move and spawn."""

from subterra_env.games.subterra.box.cavers import HORROR_REACH, MOST_HORRORS, RANK
from subterra_env.games.subterra.rules.acting import remove_horror
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.health import contact, end_if_over, horror_on, is_conscious, is_on_exit
from subterra_env.games.subterra.rules.passages import is_connected, leads_to
from subterra_env.games.subterra.rules.reach import (
    NONE,
    contains,
    high_bit,
    low_bit,
    neighbours_high,
    neighbours_low,
    within,
)
from subterra_env.games.subterra.rules.sides import HOW_MANY, has, only
from subterra_env.games.subterra.state import NOBODY, NOWHERE
from subterra_env.games.subterra.terms import Caver, HorrorChoices, Node, Phase, Question, Side, Step
from subterra_env.jit import compiled

_SIDES = len(Side)
TOO_FAR = HORROR_REACH + 1


@rule("6.3")
def is_potential_victim(state, seat):
    """Conscious, on the board, not hidden, not on the exit, not the scout."""
    caver = state.cavers[seat]
    exposed = caver.slot != NOWHERE and not caver.hidden and caver.who != Caver.SCOUT
    return exposed and is_conscious(state, seat) and not is_on_exit(state, seat)


@rule("6.3")
def slots_of_victims(state):
    """The set of tiles on which a potential victim stands."""
    low, high = NONE, NONE
    for seat in range(state.caver_count):
        if is_potential_victim(state, seat):
            low |= low_bit(state.cavers[seat].slot)
            high |= high_bit(state.cavers[seat].slot)
    return low, high


@rule("6.2", "6.3")
def closest_victim(state, slot):
    """Steps to the closest potential victim within reach, and its seat; `TOO_FAR` and `NOBODY` if there is none."""
    wanted_low, wanted_high = slots_of_victims(state)
    low, high = low_bit(slot), high_bit(slot)
    for steps in range(TOO_FAR):
        if (low & wanted_low) | (high & wanted_high) != NONE:
            return steps, lowest_rank_among(state, low, high)
        more_low = neighbours_low(state, low, high)
        more_high = neighbours_high(state, low, high)
        low |= more_low
        high |= more_high
    return TOO_FAR, NOBODY


@rule("6.3", "10")
def lowest_rank_among(state, low, high):
    """Of the potential victims on a set of tiles the one of the lowest rank; of equal ranks the smaller seat."""
    chosen = NOBODY
    for seat in range(state.caver_count):
        stands_there = is_potential_victim(state, seat) and contains(low, high, state.cavers[seat].slot)
        if stands_there and (chosen == NOBODY or rank(state, seat) < rank(state, chosen)):
            chosen = seat
    return chosen


@rule("1.4", "10")
def rank(state, seat):
    return RANK[state.rules, state.cavers[seat].who]


@rule("6.4", "7.5")
def begin_horror_moves(state, times):
    """All horrors move, so many times."""
    state.repeats_left = times
    begin_row_of_moves(state)


@compiled
def begin_row_of_moves(state):
    state.repeats_left -= 1
    for i in range(state.horror_count):
        state.horrors[i].waiting = 1
    state.step = Step.HORRORS_MOVE


@rule("6.5")
def horrors_move(state):
    """The oldest that has yet to move; where the order can matter the starting caver chooses."""
    index = oldest_waiting(state)
    if index == state.horror_count:
        all_have_moved(state)
    elif state.horror_choices == HorrorChoices.PLAYERS and order_can_matter(state):
        state.node = Node.ASK
        state.question = Question.HORROR_ORDER
        state.asked = state.first
    else:
        send_horror(state, index)


@compiled
def oldest_waiting(state):
    """Index of the oldest horror that has yet to move; the number of horrors if none has."""
    for i in range(state.horror_count):
        if state.horrors[i].waiting:
            return i
    return state.horror_count


@rule("6.5")
def order_can_matter(state):
    """Two that have yet to move have the same closest victim in reach, and at least one is one step from it."""
    for i in range(state.horror_count):
        for j in range(i + 1, state.horror_count):
            if state.horrors[i].waiting and state.horrors[j].waiting and compete(state, i, j):
                return True
    return False


@rule("6.5")
def compete(state, i, j):
    steps_i, victim_i = closest_victim(state, state.horrors[i].slot)
    steps_j, victim_j = closest_victim(state, state.horrors[j].slot)
    return victim_i != NOBODY and victim_i == victim_j and (steps_i == 1 or steps_j == 1)


@rule("6.5")
def may_move_next(state, index):
    """Horrors on one place are one answer: the oldest of them that waits."""
    if index >= state.horror_count or not state.horrors[index].waiting:
        return False
    for older in range(index):
        if state.horrors[older].waiting and state.horrors[older].slot == state.horrors[index].slot:
            return False
    return True


@rule("6.4")
def send_horror(state, index):
    """Without a victim in reach it is removed; else it steps, on a way that the victim chooses if there are several."""
    steps, victim = closest_victim(state, state.horrors[index].slot)
    state.horrors[index].waiting = 0
    if victim == NOBODY:
        remove_horror(state, index)
        state.step = Step.HORRORS_MOVE
        return
    state.moving = index
    state.ways = shortest_ways(state, state.horrors[index].slot, state.cavers[victim].slot, steps)
    state.step = Step.HORROR_STEPS
    if state.horror_choices == HorrorChoices.PLAYERS and HOW_MANY[state.ways] > 1:
        state.node = Node.ASK
        state.question = Question.HORROR_PATH
        state.asked = victim


@rule("6.4")
def shortest_ways(state, slot, goal, steps):
    """The sides from which the goal is one step nearer."""
    low, high = within(state, goal, steps - 1)
    ways = 0
    for side in range(_SIDES):
        if is_connected(state, slot, side) and contains(low, high, leads_to(state, slot, side)):
            ways |= only(side)
    return ways


@rule("6.4", "6.8")
def horror_steps(state):
    """The first way north, east, south, west, where nobody chose."""
    for side in range(_SIDES):
        if has(state.ways, side):
            horror_goes(state, side)
            return


@rule("6.4", "6.6")
def horror_goes(state, side):
    horror = state.horrors[state.moving]
    horror.slot = leads_to(state, horror.slot, side)
    state.moving = 0
    state.ways = 0
    state.step = Step.HORRORS_MOVE
    contact(state)
    end_if_over(state)


@rule("7.5")
def all_have_moved(state):
    """Another row of moves for a doubled card; then the Hazard phase, or the spawning of the card."""
    if state.repeats_left > 0:
        begin_row_of_moves(state)
    elif state.phase == Phase.HORROR:
        state.step = Step.HAZARD_BEGINS
    else:
        state.step = Step.SPAWN


@rule("6.1", "6.7", "7.5")
def spawn_next(state):
    """The next horror of the card, if fewer than three are about and a horror tile is near enough to a victim."""
    if state.spawns_left == 0:
        state.step = Step.ROUND_ENDS
        return
    state.spawns_left -= 1
    state.spawn_tiles = nearest_horror_tiles(state) if state.horror_count < MOST_HORRORS else 0
    if state.spawn_tiles == 0:
        return
    first = first_of(state.spawn_tiles)
    several = state.spawn_tiles != 1 << first
    if state.horror_choices == HorrorChoices.PLAYERS and several:
        state.node = Node.ASK
        state.question = Question.SPAWN
        state.asked = state.first
    else:
        spawn_on(state, first)


@compiled
def first_of(tiles):
    """The number of the lowest bit."""
    k = 0
    while not (tiles >> k) & 1:
        k += 1
    return k


@rule("6.7")
def nearest_horror_tiles(state):
    """The horror tiles without a horror that are nearest to their own closest victim, bit k for the k-th laid."""
    nearest, found = TOO_FAR, 0
    for k in range(state.horror_tile_count):
        slot = state.horror_tiles[k]
        if not horror_on(state, slot):
            steps, _ = closest_victim(state, slot)
            if steps < nearest:
                nearest, found = steps, 0
            if steps == nearest and steps < TOO_FAR:
                found |= 1 << k
    return found


@rule("6.7", "6.6")
def spawn_on(state, k):
    """A horror appears on the k-th horror tile."""
    state.horrors[state.horror_count].slot = state.horror_tiles[k]
    state.horrors[state.horror_count].waiting = 0
    state.horror_count += 1
    state.spawn_tiles = 0
    state.step = Step.SPAWN
    contact(state)
    end_if_over(state)
