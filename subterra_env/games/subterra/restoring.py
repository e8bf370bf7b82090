"""Setting a game to a position from outside: the few rules that this needs, callable from Python."""

from subterra_env.games.subterra.answers import collect_answers
from subterra_env.games.subterra.rules.acting import blast
from subterra_env.games.subterra.rules.passages import is_connected, leads_to
from subterra_env.games.subterra.rules.placing import connect, fitting_turnings, keeps_a_tile, lay
from subterra_env.games.subterra.rules.sides import has, opposite
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Question
from subterra_env.jit import entry


@entry
def lay_at(states, tile, turns, x, y):
    """Lays a tile on an empty place of the first game."""
    lay(states[0], tile, turns, x, y)


@entry
def open_wall(states, slot, side):
    """Opens a tile's wall as explosives do (8.4)."""
    state = states[0]
    blast(state, slot, side)
    beyond = leads_to(state, slot, side)
    if beyond != NOWHERE and has(state.tiles[beyond].open, opposite(side)) and not is_connected(state, slot, side):
        connect(state, slot, side, beyond)


@entry
def ask_again(states):
    """Works out anew what the question of the first game may be answered with."""
    state = states[0]
    if state.question == Question.PLACE:
        state.turnings_drawn = fitting_turnings(state, state.drawn)
        state.turnings_reserve = 0
        if keeps_a_tile(state, state.actor):
            state.turnings_reserve = fitting_turnings(state, state.reserve)
    collect_answers(state)
