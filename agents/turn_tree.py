"""All ends of a caver's turn that its answers alone lead to, compiled.

An end is a position where chance is to decide, somebody else is asked or the game is over. Ways that lead to the same
position are one.
"""

import numpy as np
from subterra_env.agents.rules_bot import rules_action_one

from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.engine import apply_one
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Node
from subterra_env.jit import compiled, entry, wrapping

DEEPEST = 16
"""Answers of a turn that are looked ahead: two points, one more by exerting, and a run of three moves each."""
MOST_ENDS = 512
SEEN_PLACES = 4096
"""Room to remember positions by their hashes, a power of two and several times what is ever filled."""
MOST_SEEN = SEEN_PLACES // 2
STATE_WORDS = STATE.itemsize // 8
_SHIFT, _FACTOR, _EMPTY = np.uint64(29), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0)


@wrapping
def hashed(words):
    """A hash of a position's words that is never 0."""
    found = np.uint64(1)
    for k in range(STATE_WORDS):
        found = (found ^ words[k]) * _FACTOR
        found ^= found >> _SHIFT
    return found | np.uint64(1)


@compiled
def is_new(seen, words):
    """Whether a position has not been met yet; from now on it has."""
    code = hashed(words)
    place = np.int64(code & np.uint64(SEEN_PLACES - 1))
    while seen[place] != _EMPTY:
        if seen[place] == code:
            return False
        place = (place + 1) % SEEN_PLACES
    seen[place] = code
    return True


@compiled
def goes_on(root, state):
    """Whether the turn that the root stands in is still the caver's to decide."""
    return state.node == Node.ASK and state.seat == root.seat and state.round_number == root.round_number


@entry
def ends_of_turn(root, path, path_words, seen, ends, end_words, answers):
    """Writes the ends of the turn; how many there are.

    ``root``: STATE[1], standing at a question; ``path``: STATE[DEEPEST + 1] and ``seen``: uint64[SEEN_PLACES], zero,
    are room to work in; ``ends``: STATE[MOST_ENDS] and ``answers``: int64[MOST_ENDS], the first answer of the way to
    each, are written, but for the first end, which is known already. ``…_words``: the same memory as words.
    """
    count = 1
    is_new(seen, end_words[0])
    edge = np.zeros(DEEPEST + 1, np.int64)
    path[0] = root[0]
    level, met = 0, 0
    while level >= 0 and count < len(ends) and met < MOST_SEEN:
        if level == DEEPEST or not next_answer(path[level], edge, level):
            level -= 1
            continue
        path[level + 1] = path[level]
        apply_one(path[level + 1], edge[level])
        edge[level] += 1
        if not is_new(seen, path_words[level + 1]):
            continue
        met += 1
        if goes_on(root[0], path[level + 1]):
            level += 1
            edge[level] = 0
        else:
            ends[count] = path[level + 1]
            answers[count] = edge[0] - 1
            count += 1
    return count


@entry
def end_by_rules(root, end):
    """The first answer of the rules bot; ``end``: STATE[1], written: the end of the turn it comes to."""
    end[0] = root[0]
    first = rules_action_one(root[0])
    for _ in range(DEEPEST):
        if not answer_on(root, end, rules_action_one(end[0])):
            break
    return first


@entry
def answer_on(root, state, answer):
    """Gives an answer; whether the turn goes on. ``root``, ``state``: STATE[1]."""
    apply_one(state[0], answer)
    return goes_on(root[0], state[0])


@compiled
def next_answer(state, edge, level):
    """Moves ``edge`` on to the next legal answer; whether there is one."""
    while edge[level] < ACTIONS:
        if is_legal(state, edge[level]):
            return True
        edge[level] += 1
    return False
