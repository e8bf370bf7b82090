"""Dice and skill checks (rulebook 3.4)."""

from subterra_env.games.subterra.box.cavers import CHECK_SUCCEEDS_ON
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.health import is_conscious
from subterra_env.games.subterra.state import NOBODY
from subterra_env.games.subterra.terms import Caver, Chance, Check, Node
from subterra_env.jit import compiled


@rule("3.4")
def ask_for_check(state, seat, check):
    """The caver rolls the die."""
    state.node = Node.CHANCE
    state.chance = Chance.DIE
    state.check = check
    state.checker = seat


@compiled
def forget_die(state):
    """Between two dice none is rolled for anything."""
    state.check = 0
    state.checker = NOBODY


@rule("7.4")
def ask_for_cave_in_die(state):
    """One die for all cave-in tiles."""
    ask_for_check(state, NOBODY, Check.CAVE_IN)


@rule("3.4", "8.8", "10")
def check_succeeds(state, seat, number):
    """The number rolled, plus one for a conscious leader, against what the rule set asks for."""
    experienced = state.cavers[seat].who == Caver.LEADER and is_conscious(state, seat)
    return number + experienced >= CHECK_SUCCEEDS_ON[state.rules]
