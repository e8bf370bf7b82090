"""Setting a game once more to what it stands at: the rules themselves find the question, its answers, or the check.

A position from outside is set back to just before what it is said to stand at, and the rules go on from there. Where
they come to anything else, the position cannot be.
"""

from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import collect_answers, forget_question, is_legal
from subterra_env.games.subterra.engine import apply_one, go_on_one
from subterra_env.games.subterra.prices import PRICE
from subterra_env.games.subterra.rules.checks import forget_die
from subterra_env.games.subterra.terms import Chance, Check, Node, Phase, Question, Step
from subterra_env.jit import compiled, entry


@entry
def stand_again(states):
    """Works out anew what the first game stands at; tile draws, rough terrain, demolition and the end stay as told."""
    state = states[0]
    if state.node == Node.ASK:
        ask_again(state)
    elif state.node == Node.CHANCE and state.chance == Chance.HAZARD:
        state.chance = Chance.NONE
        go_on_from(state, Step.HAZARD_BEGINS)
    elif state.node == Node.CHANCE and state.chance == Chance.DIE:
        roll_again(state)


@compiled
def go_on_from(state, step):
    state.node = Node.RUNNING
    state.step = step
    go_on_one(state)


@compiled
def ask_again(state):
    question = state.question
    forget_question(state)
    match question:
        case Question.TURN:
            go_on_from(state, Step.TURN)
        case Question.PLACE:
            go_on_from(state, Step.PLACE)
        case Question.RUN:
            go_on_from(state, Step.RUN)
        case Question.DIRECT:
            direct_again(state)
        case Question.SURFACE:
            state.turns_taken -= 1
            go_on_from(state, Step.NEXT_CAVER)
        case Question.HORROR_ORDER:
            go_on_from(state, Step.HORRORS_MOVE)
        case Question.HORROR_PATH:
            send_again(state)
        case Question.SPAWN:
            state.spawns_left += 1
            state.spawn_tiles = 0
            go_on_from(state, Step.SPAWN)


@compiled
def direct_again(state):
    """The leader's answer that led to the question."""
    who = state.cavers[state.actor].who
    state.actor = state.seat
    state.directed = 0
    answer_again(state, a.DIRECT + who)


@compiled
def answer_again(state, action):
    """Gives the points for an action back and takes it once more, if it may be taken."""
    own = state.actor == state.seat
    state.node = Node.ASK
    state.step = Step.TURN
    state.question = Question.TURN if own else Question.DIRECT
    state.asked = state.actor
    if own:
        state.points += PRICE[state.rules, state.cavers[state.seat].who, action]
    collect_answers(state)
    if is_legal(state, action):
        apply_one(state, action)


@compiled
def send_again(state):
    """The horror waits again and is sent: by the rules, or, where they ask for the order, by the answer to that."""
    index = state.moving
    state.horrors[index].waiting = 1
    state.moving = 0
    state.ways = 0
    go_on_from(state, Step.HORRORS_MOVE)
    if state.question == Question.HORROR_ORDER and is_legal(state, a.HORROR + index):
        apply_one(state, a.HORROR + index)


@compiled
def roll_again(state):
    check = state.check
    if check == Check.ROUGH or (check == Check.CAVE_IN and state.phase == Phase.ACTION):
        return
    state.chance = Chance.NONE
    forget_die(state)
    match check:
        case Check.EXERT:
            go_on_from(state, Step.TURN_ENDS)
        case Check.ROPE:
            answer_again(state, a.PLACE_ROPE)
        case Check.HIDE:
            answer_again(state, a.HIDE)
        case Check.TREMOR:
            state.checks_done -= 1
            go_on_from(state, Step.TREMOR_CHECKS)
        case Check.OUT_OF_TIME:
            state.checks_done -= 1
            go_on_from(state, Step.OUT_OF_TIME_CHECKS)
        case Check.CAVE_IN:
            state.repeats_left += 1
            go_on_from(state, Step.RESOLVE)
