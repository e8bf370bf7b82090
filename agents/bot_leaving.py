"""What the rules bot does once the exit lies."""

from subterra_env.agents.bot_exploring import repel
from subterra_env.agents.bot_walking import NO_ACTION, walk_towards
from subterra_env.agents.distances import FAR
from subterra_env.games.subterra import actions as a
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.terms import Side
from subterra_env.jit import compiled

_SIDES = len(Side)


@compiled
def leave_turn(state, now):
    if now.place == state.exit_slot:
        return a.LEAVE if is_legal(state, a.LEAVE) else a.END_TURN
    action = repel(state, now)
    if action != NO_ACTION:
        return action
    if now.walk[state.exit_slot] < FAR:
        action = walk_towards(state, now, state.exit_slot)
        if action != NO_ACTION:
            return action
        if is_legal(state, a.EXERT):
            return a.EXERT
    return a.END_TURN
