"""A bot of priorities that uses every ability: plays at once, and is what planners play games out with."""

import numpy as np
from subterra_env.agents.base import Agent, Budget
from subterra_env.agents.bot_laying import lay
from subterra_env.agents.bot_turn import directed, run, surface, turn
from subterra_env.agents.bot_walking import NO_ACTION
from subterra_env.agents.bot_weights import OWN_WEIGHTS
from subterra_env.agents.situation import SITUATION, room_for

from subterra_env.games.subterra.answers import first_legal, is_legal
from subterra_env.games.subterra.engine import next_word, settle_chance_one, step_one
from subterra_env.games.subterra.rules.health import is_over
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Node, Question
from subterra_env.jit import compiled, entry, gate


class RulesAgent(Agent):
    """Fixed priorities, no search: explores in parallel, keeps together for the last tiles, and runs for the exit."""

    def act(self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The same action for the same view, whatever ``rng`` and ``budget`` are."""
        return int(rules_action(view))


@compiled
def answer(state, now):
    """The answer to whatever is asked."""
    match state.question:
        case Question.TURN:
            return turn(state, now)
        case Question.PLACE:
            return lay(state, now)
        case Question.RUN:
            return run(state, now)
        case Question.DIRECT:
            return directed(state, now)
        case Question.SURFACE:
            return surface(state, now)
    return first_legal(state)


@gate(STATE, SITUATION, result=True)
def answer_by(state, now):
    """The bot's answer by the weights in ``now``, which is scratch space beside; `actions.WAIT` if nothing is asked."""
    if state.node != Node.ASK:
        return NO_ACTION
    chosen = answer(state, now)
    return chosen if is_legal(state, chosen) else first_legal(state)


@compiled
def answer_in(state, room):
    """The room belongs to the caller, who keeps it alive: a record does not keep its array."""
    return answer_by(state, room[0])


@gate(STATE, result=True)
def rules_action_one(state):
    """The bot's answer by its own weights."""
    return answer_in(state, room_for(OWN_WEIGHTS[0]))


@entry
def rules_action(states):
    """The bot's answer to the question of the first game."""
    return rules_action_one(states[0])


@entry
def rules_playouts(states, seed, games):
    """Plays copies of the first game to their end with the bot and fresh luck; the number of decisions."""
    words = np.full(1, np.uint64(seed), np.uint64)
    scratch = states[:1].copy()
    decisions = 0
    for _ in range(games):
        scratch[0] = states[0]
        scratch[0].luck = next_word(words)
        settle_chance_one(scratch[0])
        decisions += play_out_by_rules_one(scratch[0])
    return decisions


@compiled
def play_out_by_rules_one(state):
    """Plays a game to its end; the number of decisions."""
    decisions, room = 0, room_for(OWN_WEIGHTS[0])
    while not is_over(state):
        step_one(state, answer_by(state, room[0]))
        decisions += 1
    return decisions
