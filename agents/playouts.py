"""Games played on by the rules bot with imagined luck: what planners compare their choices by.

The luck of a playout is a key of its own, never the game's. Choices that are compared are given the same keys (common
random numbers): they meet the same tiles, cards and dice wherever they can. A playout that is broken off at the end of
a round is worth what `evaluation` makes of the position.
"""

import numpy as np
from subterra_env.agents.bot_weights import OWN_WEIGHTS
from subterra_env.agents.evaluation import SIGHT, expectation
from subterra_env.agents.rules_bot import answer_by
from subterra_env.agents.situation import room_for

from subterra_env.games.subterra.engine import apply_one, settle_chance_one, step_one
from subterra_env.games.subterra.rules.health import is_over
from subterra_env.games.subterra.state import STATE
from subterra_env.jit import entry, gate

TO_THE_END = 1 << 20
"""As a number of rounds: playouts are not broken off."""


@gate(STATE, numbers=1)
def play_on_one(state, last_round):
    """The rules bot plays on, from a chance event if need be, to the end of a round or of the game."""
    settle_chance_one(state)
    room = room_for(OWN_WEIGHTS[0])
    while not is_over(state) and state.round_number <= last_round:
        step_one(state, answer_by(state, room[0]))


@entry
def sample(starts, choices, keys, last_round, weights, utilities):
    """Plays on from some positions with every key.

    ``starts``: STATE[p]; ``choices``: int64[n], numbers of positions; ``keys``: uint64[m]; ``last_round``: after it
    playouts are broken off; ``weights``: of `evaluation`; ``utilities``: float64[m, n], written.
    """
    scratch, sight = np.zeros(1, STATE), np.zeros(1, SIGHT)
    for k in range(len(keys)):
        for i in range(len(choices)):
            scratch[0] = starts[choices[i]]
            scratch[0].luck = keys[k]
            play_on_one(scratch[0], last_round)
            utilities[k, i] = expectation(scratch[0], weights, sight[0])


@entry
def play_out(starts, choices, keys, last_round, finals):
    """As `sample`, without an evaluation; ``finals``: STATE[m, n], written: where the playouts came to."""
    for k in range(len(keys)):
        for i in range(len(choices)):
            finals[k, i] = starts[choices[i]]
            finals[k, i].luck = keys[k]
            play_on_one(finals[k, i], last_round)


@entry
def best_answers(logits, masks, answers):
    """The legal answer with the highest logit in every game.

    ``logits``: float32[n, ACTIONS]; ``masks``: int8[n, ACTIONS]; ``answers``: int64[n], written where one is legal.
    """
    for i in range(len(logits)):
        most = -np.inf
        for k in range(logits.shape[1]):
            if masks[i, k] and logits[i, k] > most:
                most, answers[i] = logits[i, k], k


@entry
def step_together(states, answers, last_round):
    """Games that are not over, nor past a round, take their answers; how many of them go on. ``states``: STATE[n]."""
    going_on = 0
    for i in range(len(states)):
        if not is_over(states[i]) and states[i].round_number <= last_round:
            step_one(states[i], answers[i])
            going_on += not is_over(states[i]) and states[i].round_number <= last_round
    return going_on


@entry
def play_games(starts, keys, last_round):
    """Plays on from position i with key i, for each in place."""
    for i in range(len(starts)):
        starts[i].luck = keys[i]
        play_on_one(starts[i], last_round)


@entry
def after_each(state, answers, starts):
    """The positions that answers lead to, chance undecided; ``answers``: int64[n]; ``starts``: STATE[n], written."""
    for i in range(len(answers)):
        starts[i] = state[0]
        apply_one(starts[i], answers[i])
