"""The only door to the rules: plays games that are records of `state.STATE`.

A game stands at a question (``node`` is `Node.ASK`), at a chance event (`Node.CHANCE`) or at its end (`Node.END`).
``apply`` answers questions, ``apply_chance`` states outcomes, ``step`` answers and lets the luck key choose until the
next question. Functions here take arrays of states (length 1 for one game) and change them in place; those whose name
ends in ``_one`` take one record and are for compiled callers.
"""

import numpy as np

from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.games.subterra.answers import (
    carry_out,
    collect_answers,
    first_legal,
    how_many_legal,
    is_legal,
    nth_legal,
)
from subterra_env.games.subterra.box.hazards import CARDS, FAILED_EFFORT_COSTS
from subterra_env.games.subterra.box.tiles import EXIT_TILE, TILE_TYPES
from subterra_env.games.subterra.luck import DIE_SIDES, exit_is_due, lucky_outcome, mixed
from subterra_env.games.subterra.rules.acting import rope_holds
from subterra_env.games.subterra.rules.checks import check_succeeds, forget_die
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.hazards import card_is_drawn, cave_in, lamps_go_out, tremor_strikes
from subterra_env.games.subterra.rules.health import end_if_over, is_over, lose_health
from subterra_env.games.subterra.rules.placing import tile_is_drawn
from subterra_env.games.subterra.rules.rounds import go_on
from subterra_env.games.subterra.rules.setup import set_the_table
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Chance, Check, Node, Phase, Question, Step
from subterra_env.jit import SPREAD, compiled, entry, gate, spread_bits, wrapping

RULES_VERSION = 1
"""Rises whenever play changes."""

OUTCOMES = len(TILE_TYPES)
"""Length of a row of chance weights: outcomes are tile types, card numbers, or the die's 1 to 6."""

_WORD = 64
_ONE_ID = np.uint64(1)
_NEXT_KEY = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@compiled
def share_out(counts, kinds, share, weights):
    """Adds to each kind its part of a share, by its count."""
    total = 0
    for kind in range(kinds):
        total += counts[kind]
    for kind in range(kinds):
        weights[kind] += share * counts[kind] / total if total > 0 else 0.0


@compiled
def weights_one(state, weights):
    """Probabilities of the outcomes of the chance event, all zero if there is none."""
    weights[:] = 0.0
    if state.node != Node.CHANCE:
        return
    if state.chance == Chance.DIE:
        for number in range(1, DIE_SIDES + 1):
            weights[number] = 1 / DIE_SIDES
    elif state.chance == Chance.HAZARD:
        share_out(state.unseen_cards, CARDS, 1.0, weights)
    elif exit_is_due(state):
        weights[EXIT_TILE] = 1 / state.places_left
        share_out(state.unseen, OUTCOMES, 1 - 1 / state.places_left, weights)
    else:
        share_out(state.unseen, OUTCOMES, 1.0, weights)


@compiled
def mask_one(state, mask):
    low, high = state.legal[0], state.legal[1]
    spread_bits(low, mask, 0)
    spread_bits(low >> _HALF, mask, SPREAD)
    spread_bits(high, mask, _WORD)
    for action in range(_WORD + SPREAD, ACTIONS):
        mask[action] = (high >> np.uint64(action - _WORD)) & _ONE_ID


@wrapping
def next_word(words):
    """The next word of a small counter-based generator: ``words`` holds its counter."""
    words[0] += _NEXT_KEY
    return mixed(words[0])


@compiled
def random_action_one(state, words):
    """A legal answer, each as likely as the others."""
    count = how_many_legal(state)
    n = ((next_word(words) >> _HALF) * np.uint64(count)) >> _HALF
    return nth_legal(state, np.int64(n))


@rule("11", by=gate(STATE))
def go_on_one(state):
    """Plays on to the next question with a choice, chance event or end; a single answer is given at once."""
    go_on(state)
    while state.node == Node.ASK:
        collect_answers(state)
        if state.question == Question.TURN or how_many_legal(state) > 1:
            return
        carry_out(state, first_legal(state))
        go_on(state)


@gate(STATE)
def begin_one(state):
    """Sets the table from what was agreed (`options.agreed_state`) and plays on to the first question or chance."""
    set_the_table(state)
    go_on_one(state)


@gate(STATE, numbers=1)
def apply_one(state, action):
    """Gives a legal answer."""
    carry_out(state, action)
    go_on_one(state)


@rule("3.4")
def die_is_rolled(state, number):
    """The die means what it was rolled for."""
    check, seat = state.check, state.checker
    forget_die(state)
    state.rolls[check, seat] += 1
    if check == Check.CAVE_IN:
        if state.phase == Phase.HAZARD:
            state.step = Step.RESOLVE
        cave_in(state, number)
        return
    success = check_succeeds(state, seat, number)
    match check:
        case Check.ROPE:
            if success:
                rope_holds(state)
        case Check.HIDE:
            if success:
                state.cavers[seat].hidden = 1
        case Check.EXERT | Check.ROUGH:
            if not success:
                lose_health(state, seat, FAILED_EFFORT_COSTS)
                end_if_over(state)
        case Check.TREMOR:
            if not success:
                tremor_strikes(state, seat)
        case Check.OUT_OF_TIME:
            if not success:
                lamps_go_out(state, seat)


@gate(STATE, numbers=1)
def apply_chance_one(state, outcome):
    """States a possible outcome."""
    chance = state.chance
    state.node = Node.RUNNING
    state.chance = Chance.NONE
    if chance == Chance.TILE:
        tile_is_drawn(state, outcome)
    elif chance == Chance.HAZARD:
        card_is_drawn(state, outcome)
    else:
        die_is_rolled(state, outcome)
    go_on_one(state)


@gate(STATE)
def settle_chance_one(state):
    """Lets the luck key choose until something is asked or the game is over."""
    while state.node == Node.CHANCE:
        apply_chance_one(state, lucky_outcome(state))


@gate(STATE, numbers=1)
def step_one(state, action):
    """Gives a legal answer and lets the luck key choose up to the next question."""
    apply_one(state, action)
    settle_chance_one(state)


@compiled
def play_out_one(state, words):
    """Random legal answers to the end of the game; the number of them."""
    decisions = 0
    while not is_over(state):
        step_one(state, random_action_one(state, words))
        decisions += 1
    return decisions


@compiled
def next_edge(state, edge, level, weights):
    """Moves ``edge`` on to the next legal answer or possible outcome; whether there is one."""
    at_chance = state.node == Node.CHANCE
    if at_chance:
        weights_one(state, weights)
    limit = OUTCOMES if at_chance else ACTIONS
    while edge[level] < limit:
        if weights[edge[level]] > 0 if at_chance else is_legal(state, edge[level]):
            return True
        edge[level] += 1
    return False


@compiled
def follow(state, edge):
    if state.node == Node.CHANCE:
        apply_chance_one(state, edge)
    else:
        apply_one(state, edge)


@entry
def begin(states):
    """Sets the table of every game and plays on to its first question or chance event."""
    for i in range(len(states)):
        begin_one(states[i])


@entry
def apply(states, action):
    """Answers the question of the first game; the game then stands at whatever comes next."""
    apply_one(states[0], action)


@entry
def apply_chance(states, outcome):
    """States the outcome of the chance event of the first game."""
    apply_chance_one(states[0], outcome)


@entry
def settle_chance(states):
    """Lets the luck key choose, in every game, up to the next question."""
    for i in range(len(states)):
        settle_chance_one(states[i])


@entry
def step(states, action):
    """Answers the question of the first game and lets the luck key choose up to the next question."""
    step_one(states[0], action)


@entry
def lucky(states):
    """The outcome that the luck key of the first game chooses at its chance event."""
    return lucky_outcome(states[0])


@entry
def legal(states, action):
    """Whether the answer is legal in the first game."""
    return is_legal(states[0], action)


@entry
def legal_masks(states, masks):
    """Writes the legal answers of every game into ``masks``, int8 of shape (games, ACTIONS)."""
    for i in range(len(states)):
        mask_one(states[i], masks[i])


@entry
def copy_into(states, copies):
    """Copies the first game over the first of ``copies``: the quickest copy there is from Python."""
    copies[0] = states[0]


@entry
def copies_in_a_row(states, copies, times):
    """Copies the games of ``states``, one after the other, over those of ``copies``, so many times in all."""
    for k in range(times):
        copies[k % len(copies)] = states[k % len(states)]


@entry
def chance_weights(states, weights):
    """Writes the odds of the first game's chance event into ``weights``, float64 of length `OUTCOMES`."""
    weights_one(states[0], weights)


@entry
def random_playouts(states, seed, games):
    """Plays copies of the first game to their end with random answers and fresh luck; the number of decisions."""
    words = np.full(1, np.uint64(seed), np.uint64)
    scratch = states[:1].copy()
    decisions = 0
    for _ in range(games):
        scratch[0] = states[0]
        scratch[0].luck = next_word(words)
        settle_chance_one(scratch[0])
        decisions += play_out_one(scratch[0], words)
    return decisions


@entry
def perft(states, depth):
    """Leaves of the tree of answers and outcomes ``depth`` edges below the first game; a game over is one leaf."""
    stack = np.zeros(depth + 1, states.dtype)
    edge = np.zeros(depth + 1, np.int64)
    weights = np.zeros(OUTCOMES)
    stack[0] = states[0]
    level, leaves = 0, 0
    while level >= 0:
        if level == depth or is_over(stack[level]):
            leaves += 1
            level -= 1
        elif next_edge(stack[level], edge, level, weights):
            stack[level + 1] = stack[level]
            follow(stack[level + 1], edge[level])
            edge[level] += 1
            edge[level + 1] = 0
            level += 1
        else:
            level -= 1
    return leaves
