"""Chapter 3: rounds, turns, and how the game goes from one thing to the next."""

from subterra_env.games.subterra.box.cavers import (
    HIDES_BEFORE_SURE,
    MOST_CAVERS,
    OUT_OF_TIME_AT_ROUND_START,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.hazards import NO_CARD
from subterra_env.games.subterra.rules.acting import action_done, next_move
from subterra_env.games.subterra.rules.checks import ask_for_check
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.hazards import (
    begin_out_of_time,
    hazard_begins,
    out_of_time_checks,
    pass_marker,
    resolve,
    tremor_checks,
)
from subterra_env.games.subterra.rules.health import (
    contact,
    end_if_over,
    is_conscious,
    is_on_exit,
    is_over,
    is_submerged,
    truncate,
)
from subterra_env.games.subterra.rules.horrors import begin_horror_moves, horror_steps, horrors_move, spawn_next
from subterra_env.games.subterra.rules.placing import place
from subterra_env.games.subterra.state import NOBODY, STATE
from subterra_env.games.subterra.terms import Check, Node, Phase, Question, Step
from subterra_env.jit import compiled, gate

_CHECKS = len(Check)


@rule("3.1", "10")
def round_begins(state):
    """In the summary rules the out-of-time checks come here."""
    state.round_number += 1
    state.phase = Phase.ROUND_START
    state.turns_taken = 0
    forget_rolls(state)
    if OUT_OF_TIME_AT_ROUND_START[state.rules] and state.cards_left == 0:
        begin_out_of_time(state)
    else:
        state.step = Step.NEXT_CAVER


@compiled
def forget_rolls(state):
    """Dice are counted within a round."""
    for check in range(_CHECKS):
        for seat in range(MOST_CAVERS + 1):
            state.rolls[check, seat] = 0


@rule("3.2")
def next_caver(state):
    """The next conscious caver clockwise has its turn; after the last one the horrors move."""
    state.phase = Phase.ACTION
    while state.turns_taken < state.caver_count:
        seat = (state.first + state.turns_taken) % state.caver_count
        state.turns_taken += 1
        if is_conscious(state, seat):
            turn_begins(state, seat)
            return
    state.phase = Phase.HORROR
    begin_horror_moves(state, 1)


@rule("3.2", "8.1")
def turn_begins(state, seat):
    """A submerged diver does nothing but surface."""
    state.seat = seat
    state.actor = seat
    state.points = TURN_POINTS
    state.step = Step.TURN
    if is_submerged(state, seat):
        state.points = 0
        state.surfaced = 1
        state.node = Node.ASK
        state.question = Question.SURFACE
        state.asked = seat


@rule("3.2", "11")
def turn(state):
    """Asks for the next action as long as a point is left or the caver has not exerted."""
    if state.points == 0 and state.exerted:
        state.step = Step.TURN_ENDS
    else:
        state.node = Node.ASK
        state.question = Question.TURN
        state.asked = state.seat


@rule("3.3", "3.4")
def turn_ends(state):
    """The exertion check, not made on the exit."""
    state.step = Step.TURN_OVER
    if state.exerted and not is_on_exit(state, state.seat):
        ask_for_check(state, state.seat, Check.EXERT)


@rule("4.10")
def turn_over(state):
    """A turn without a hide breaks the run of hides, which is counted as far as it matters."""
    caver = state.cavers[state.seat]
    caver.hides_running = min(caver.hides_running + 1, HIDES_BEFORE_SURE) if state.hid else 0
    state.seat = NOBODY
    state.actor = NOBODY
    state.points = 0
    state.exerted = 0
    state.directed = 0
    state.hid = 0
    state.surfaced = 0
    state.step = Step.NEXT_CAVER


@rule("3.1", "6.6", "9.3")
def round_ends(state):
    """Hiding ends and the marker passes."""
    state.phase = Phase.END
    state.card = NO_CARD
    for seat in range(state.caver_count):
        state.cavers[seat].hidden = 0
    contact(state)
    end_if_over(state)
    if is_over(state):
        return
    if not state.marker_passed:
        pass_marker(state)
    state.marker_passed = 0
    state.step = Step.ROUND_BEGINS
    if state.round_number >= state.max_rounds:
        truncate(state)


@rule("3.1", by=gate(STATE))
def go_on(state):
    """From one step to the next, until something is asked, chance has to decide, or the game is over."""
    while state.node == Node.RUNNING:
        match state.step:
            case Step.ROUND_BEGINS:
                round_begins(state)
            case Step.OUT_OF_TIME_CHECKS:
                out_of_time_checks(state)
            case Step.NEXT_CAVER:
                next_caver(state)
            case Step.TURN:
                turn(state)
            case Step.PLACE:
                place(state)
            case Step.RUN:
                next_move(state)
            case Step.ACTION_DONE:
                action_done(state)
            case Step.TURN_ENDS:
                turn_ends(state)
            case Step.TURN_OVER:
                turn_over(state)
            case Step.HORRORS_MOVE:
                horrors_move(state)
            case Step.HORROR_STEPS:
                horror_steps(state)
            case Step.SPAWN:
                spawn_next(state)
            case Step.HAZARD_BEGINS:
                hazard_begins(state)
            case Step.RESOLVE:
                resolve(state)
            case Step.TREMOR_CHECKS:
                tremor_checks(state)
            case Step.ROUND_ENDS:
                round_ends(state)
