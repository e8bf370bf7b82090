"""The rules' own compiled functions, called over arrays of games just as `c_twin.c` does with its twins of them."""

from subterra_env.games.subterra.answers import collect_answers
from subterra_env.games.subterra.engine import mask_one, random_action_one
from subterra_env.games.subterra.rules.horrors import (
    begin_horror_moves,
    closest_victim,
    horror_steps,
    horrors_move,
)
from subterra_env.games.subterra.rules.reach import within
from subterra_env.games.subterra.terms import Node, Step
from subterra_env.jit import compiled, entry


@entry
def flood(states, slots, steps, sets):
    """The slots within so many steps of a slot, uint64 of shape (games, 2)."""
    for i in range(len(states)):
        sets[i, 0], sets[i, 1] = within(states[i], slots[i], steps[i])


@entry
def victim(states, slots, victims):
    """Steps to the potential victim closest to a slot, and its seat, int64 of shape (games, 2)."""
    for i in range(len(states)):
        victims[i, 0], victims[i, 1] = closest_victim(states[i], slots[i])


@entry
def mask(states, masks):
    """The legal answers, written into the states and as int8 of shape (games, ACTIONS)."""
    for i in range(len(states)):
        collect_answers(states[i])
        mask_one(states[i], masks[i])


@entry
def pick(states, words, actions):
    """Random legal answers of each game, int64 of shape (picks, games); ``words`` is the generator's counter."""
    for row in range(len(actions)):
        for i in range(len(states)):
            actions[row, i] = random_action_one(states[i], words)


@compiled
def row_of_moves(state):
    begin_horror_moves(state, 1)
    while state.node == Node.RUNNING and state.step != Step.HAZARD_BEGINS:
        if state.step == Step.HORRORS_MOVE:
            horrors_move(state)
        else:
            horror_steps(state)


@entry
def horrors(states):
    """All horrors of each game move once, as in the Horror phase."""
    for i in range(len(states)):
        row_of_moves(states[i])
