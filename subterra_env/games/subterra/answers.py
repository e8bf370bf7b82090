"""Between action ids and rules: which ids answer the question asked, and what each of them does."""

import numpy as np

from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.box.cavers import MOST_HORRORS
from subterra_env.games.subterra.prices import FOR_ONE, FOR_TWO, PRICE
from subterra_env.games.subterra.rules import acting, allowed, horrors, placing
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.state import NOBODY, STATE
from subterra_env.games.subterra.terms import Caver, Node, Question
from subterra_env.jit import compiled, gate, lowest_bit, popcount

WORD = 64
NO_IDS = np.uint64(0)
_ONE = np.uint64(1)

_PLACE_DRAWN, _PLACE_RESERVE, _DISCARD = a.PLACE_DRAWN - WORD, a.PLACE_RESERVE - WORD, a.DISCARD - WORD
_STOP, _PASS, _PATH = a.STOP - WORD, a.PASS - WORD, a.PATH - WORD
_SURFACE, _HORROR, _SPAWN = a.SURFACE - WORD, a.HORROR - WORD, a.SPAWN - WORD


@compiled
def ids(block, members):
    """The ids of a block, as bits of a word, for a set of its members."""
    return np.uint64(members) << np.uint64(block)


@compiled
def id_if(block, condition):
    """The id of a block with one member, as a bit, if the condition holds."""
    return np.uint64(condition) << np.uint64(block)


@rule("4", "8")
def possible_actions(state, seat):
    """What the caver could do where it stands, whatever it costs; directing apart."""
    unexplored = allowed.may_reveal(state, seat)
    open_ways = allowed.may_move(state, seat)
    found = ids(a.REVEAL, unexplored) | ids(a.EXPLORE, unexplored) | ids(a.MOVE, open_ways) | ids(a.RUN, open_ways)
    found |= ids(a.SWIM, allowed.may_swim(state, seat)) | ids(a.SQUEEZE, allowed.may_squeeze(state, seat))
    found |= ids(a.DIG, allowed.may_dig(state, seat)) | id_if(a.DIG_HERE, allowed.may_dig_here(state, seat))
    found |= id_if(a.PLACE_ROPE, allowed.may_place_rope(state, seat)) | id_if(a.HIDE, allowed.may_hide(state, seat))
    found |= healing(state, seat)
    match state.cavers[seat].who:
        case Caver.DIVER:
            found |= id_if(a.DIVE, allowed.may_dive(state, seat))
        case Caver.ENGINEER:
            found |= ids(a.DEMOLISH, allowed.may_demolish(state, seat))
        case Caver.MEDIC:
            found |= ids(a.SPRINT, open_ways)
        case Caver.BODYGUARD:
            found |= ids(a.REPEL, allowed.may_repel(state, seat))
        case _:
            pass
    return found


@rule("4.5")
def healing(state, seat):
    found = NO_IDS
    for other in range(state.caver_count):
        if allowed.may_heal(state, seat, other):
            found |= ids(a.HEAL, 1 << int(state.cavers[other].who))
    return found


@rule("8.8")
def for_one_point(state, seat):
    """What the caver could do for exactly one point: what a directed caver may choose from."""
    return possible_actions(state, seat) & FOR_ONE[state.rules, state.cavers[seat].who]


@rule("8.8")
def directing(state):
    """Whom the leader may direct: once a turn, who has something to do for one point."""
    found = NO_IDS
    if state.directed:
        return found
    for other in range(state.caver_count):
        if allowed.may_be_directed(state, other) and for_one_point(state, other) != NO_IDS:
            found |= ids(a.DIRECT, 1 << int(state.cavers[other].who))
    return found


@rule("3.2", "3.3", "4", "11")
def turn_answers(state):
    seat = state.seat
    who = state.cavers[seat].who
    found = NO_IDS
    if state.points > 0:
        found = possible_actions(state, seat)
        if who == Caver.LEADER:
            found |= directing(state)
        found &= FOR_ONE[state.rules, who] | (FOR_TWO[state.rules, who] if state.points > 1 else NO_IDS)
    found |= ids(a.END_TURN, 1) | id_if(a.EXERT, not state.exerted) | id_if(a.LEAVE, allowed.may_leave(state))
    return found


@rule("5.2", "8.2", "8.3")
def place_answers(state):
    found = ids(_PLACE_DRAWN, state.turnings_drawn) | ids(_PLACE_RESERVE, state.turnings_reserve)
    return found | id_if(_DISCARD, placing.may_discard(state))


@rule("6.5")
def horror_order_answers(state):
    found = NO_IDS
    for index in range(MOST_HORRORS):
        found |= ids(_HORROR, horrors.may_move_next(state, index) << index)
    return found


@compiled
def how_many_legal(state):
    return popcount(state.legal[0]) + popcount(state.legal[1])


@compiled
def first_legal(state):
    """The legal answer with the smallest id."""
    if state.legal[0] != NO_IDS:
        return lowest_bit(state.legal[0])
    return WORD + lowest_bit(state.legal[1])


@compiled
def is_legal(state, action):
    return 0 <= action < a.ACTIONS and (state.legal[action // WORD] >> np.uint64(action % WORD)) & _ONE != NO_IDS


@compiled
def nth_legal(state, n):
    """The legal answer with the n-th smallest id, counted from 0."""
    word, base = state.legal[0], 0
    below = popcount(word)
    if n >= below:
        word, base, n = state.legal[1], WORD, n - below
    for _ in range(n):
        word &= word - _ONE
    return base + lowest_bit(word)


@compiled
def forget_question(state):
    """Between two questions nothing is asked."""
    state.node = Node.RUNNING
    state.question = Question.NONE
    state.asked = NOBODY
    state.legal[0] = NO_IDS
    state.legal[1] = NO_IDS


@rule("4")
def pay(state, action):
    """The points are paid first; a directed action was paid for by the leader."""
    if action < WORD and state.question == Question.TURN:
        state.points -= PRICE[state.rules, state.cavers[state.seat].who, action]


@compiled
def seat_of(state, who):
    for seat in range(state.caver_count):
        if state.cavers[seat].who == who:
            return seat
    return NOBODY


@compiled
def answer_turn(state, action):
    """An action of a turn, the caver's own or a directed one."""
    if action < a.EXPLORE:
        acting.reveal(state, action - a.REVEAL)
    elif action < a.MOVE:
        acting.explore(state, action - a.EXPLORE)
    elif action < a.RUN:
        acting.move(state, action - a.MOVE)
    elif action < a.SPRINT:
        acting.run(state, action - a.RUN)
    elif action < a.SWIM:
        acting.sprint(state, action - a.SPRINT)
    elif action < a.SQUEEZE:
        acting.move(state, action - a.SWIM)
    elif action < a.DIG:
        acting.move(state, action - a.SQUEEZE)
    elif action < a.DEMOLISH:
        acting.dig(state, action - a.DIG)
    elif action < a.REPEL:
        acting.demolish(state, action - a.DEMOLISH)
    elif action < a.DIG_HERE:
        acting.repel(state, action - a.REPEL)
    elif action < a.HEAL:
        answer_without_object(state, action)
    elif action < a.DIRECT:
        acting.heal(state, seat_of(state, action - a.HEAL))
    else:
        acting.direct(state, seat_of(state, action - a.DIRECT))


@compiled
def answer_without_object(state, action):
    if action == a.DIG_HERE:
        acting.dig_here(state)
    elif action == a.PLACE_ROPE:
        acting.place_rope(state)
    elif action == a.HIDE:
        acting.hide(state)
    elif action == a.DIVE:
        acting.dive(state)
    elif action == a.EXERT:
        acting.exert(state)
    elif action == a.END_TURN:
        acting.end_turn(state)
    elif action == a.LEAVE:
        acting.leave(state)


@compiled
def answer_other(state, action):
    """The answers to all questions but `turn`."""
    if action < a.PLACE_RESERVE:
        acting.place_drawn(state, action - a.PLACE_DRAWN)
    elif action < a.DISCARD:
        acting.place_reserve(state, action - a.PLACE_RESERVE)
    elif action == a.DISCARD:
        placing.guide(state)
    elif action == a.STOP:
        acting.stop(state)
    elif action == a.PASS:
        acting.decline(state)
    elif action < a.SURFACE:
        horrors.horror_goes(state, action - a.PATH)
    elif action < a.HORROR:
        acting.surface(state, state.water[action - a.SURFACE])
    elif action < a.SPAWN:
        horrors.send_horror(state, action - a.HORROR)
    else:
        horrors.spawn_on(state, action - a.SPAWN)


@rule("11", by=gate(STATE))
def collect_answers(state):
    """Writes the legal answers to the question asked into the state."""
    low, high = NO_IDS, NO_IDS
    match state.question:
        case Question.TURN:
            low = turn_answers(state)
        case Question.PLACE:
            high = place_answers(state)
        case Question.RUN:
            low = ids(a.MOVE, allowed.may_move(state, state.actor))
            high = ids(_STOP, 1)
        case Question.DIRECT:
            low = for_one_point(state, state.actor)
            high = ids(_PASS, 1)
        case Question.SURFACE:
            high = ids(_SURFACE, (1 << int(state.water_count)) - 1)
        case Question.HORROR_ORDER:
            high = horror_order_answers(state)
        case Question.HORROR_PATH:
            high = ids(_PATH, state.ways)
        case Question.SPAWN:
            high = ids(_SPAWN, state.spawn_tiles)
    state.legal[0] = low
    state.legal[1] = high


@rule("11", by=gate(STATE, numbers=1))
def carry_out(state, action):
    """What an answer does. It must be legal."""
    pay(state, action)
    question = state.question
    forget_question(state)
    if action >= WORD:
        answer_other(state, action)
    elif question == Question.RUN:
        acting.move_on(state, action - a.MOVE)
    else:
        answer_turn(state, action)
