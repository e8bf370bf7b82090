"""A search tree of answers and chance outcomes in arrays, grown by compiled simulations.

Where something is asked is a decision node; all of them maximise the same expected utility, as the team plays
together. Below the root an answer is chosen by PUCT (Rosin 2011; Silver et al. 2017): the rules bot's answer has a
prior of its own, the others share the rest. A chance node takes the outcome that is most behind its odds, so that
outcomes come up in proportion to them. Both kinds widen progressively (Coulom 2007; Couëtoux et al. 2011): what they
may have of children grows with the square root of their visits.

At the root the caller says which answers are tried. Simulations of one column start from the same luck key, so that
answers meet the same luck where they can (common random numbers).
"""

from typing import NamedTuple

import numpy as np
from subterra_env.agents.bot_weights import OWN_WEIGHTS
from subterra_env.agents.evaluation import SIGHT, expectation
from subterra_env.agents.rules_bot import answer_by, rules_action_one
from subterra_env.agents.situation import room_for

from subterra_env.games.subterra.answers import first_legal, how_many_legal, nth_legal
from subterra_env.games.subterra.engine import (
    OUTCOMES,
    follow,
    next_word,
    settle_chance_one,
    step_one,
    weights_one,
)
from subterra_env.games.subterra.luck import DIE_SIDES, lucky_outcome, mixed
from subterra_env.games.subterra.rules.health import is_over
from subterra_env.games.subterra.state import STATE
from subterra_env.games.subterra.terms import Chance, Node
from subterra_env.jit import compiled, entry, gate, wrapping

NODE = np.dtype((np.record, np.dtype([
    ("total", "f8"),  # sum of the values of simulations
    ("odds", "f8"),  # of the outcome that leads here, if one does
    ("opened_odds", "f8"),  # sum of the children's odds
    ("visits", "i4"),
    ("child", "i4"),  # the one opened last; NONE if there is none
    ("sibling", "i4"),  # the one opened before
    ("opened", "i4"),  # how many children there are
    ("edge", "i2"),  # the answer or outcome that leads here
    ("legal", "i2"),  # how many answers are legal
    ("faces", "i2"),  # numbers of a die that lead here, as bits
], align=True)))  # fmt: skip
"""A node beside its state. Nodes are numbered as they are opened: the root, its children, the others."""
SETTINGS = np.dtype((np.record, np.dtype([
    ("explore", "f8"),  # PUCT's constant
    ("prior", "f8"),  # of the rules bot's answer
    ("caution", "f8"),  # an answer not tried is worth the mean of its node less so much
    ("widen", "f8"),  # answers beyond the first, and
    ("chance_widen", "f8"),  # outcomes beyond the first, for the square root of the visits
    ("last_turn", "i8"),  # playouts are broken off after it
    ("plays_on", "i8"),  # whether a leaf is worth what a playout from it comes to
], align=True)))  # fmt: skip
ROOT = 0
NONE = 0
"""No node: the root is nobody's child."""
COUNTER, KEY, LUCK = range(3)
"""Words of a tree: what answers not tried are drawn with, the key of the search, and that of the present column."""
DEEPEST = 512
"""Edges at which a simulation ends."""
NODE_BYTES = NODE.itemsize + STATE.itemsize
_UNIT, _SHIFT = 2.0**-53, np.uint64(11)
_STRIDE = np.uint64(0xD1342543DE82EF95)


class Tree(NamedTuple):
    """The arrays of a tree; what has length 1 is a record or number that compiled code changes."""

    nodes: np.ndarray
    """NODE[n]."""
    states: np.ndarray
    """STATE[n]: where the game stands at each node."""
    state_words: np.ndarray
    """uint64[n, words]: the memory of the states."""
    path: np.ndarray
    """int64[DEEPEST + 1]: the nodes of the simulation under way."""
    size: np.ndarray
    """int64[1]: nodes there are."""
    words: np.ndarray
    """uint64[3]: `COUNTER`, `KEY` and `LUCK`."""
    settings: np.ndarray
    """SETTINGS[1]."""
    weights: np.ndarray
    """Those of `evaluation`."""
    odds: np.ndarray
    """float64[OUTCOMES]: room for the odds of one chance event."""
    scratch: np.ndarray
    """STATE[1]: room to play on in."""
    sight: np.ndarray
    """SIGHT[1]."""


def empty_tree(nodes: int, weights: np.ndarray) -> Tree:
    """Room for a tree of so many nodes; the system gives the memory as the tree grows."""
    states = np.empty(nodes, STATE)
    return Tree(
        nodes=np.empty(nodes, NODE),
        states=states,
        state_words=states.view(np.uint64).reshape(nodes, -1),
        path=np.zeros(DEEPEST + 1, np.int64),
        size=np.zeros(1, np.int64),
        words=np.zeros(3, np.uint64),
        settings=np.zeros(1, SETTINGS),
        weights=weights,
        odds=np.zeros(OUTCOMES),
        scratch=np.zeros(1, STATE),
        sight=np.zeros(1, SIGHT),
    )


@compiled
def uniform(words):
    """A number from 0 to 1, 1 excluded."""
    return (next_word(words) >> _SHIFT) * _UNIT


@compiled
def mean(node):
    return node.total / node.visits


@compiled
def write_node(tree, number, edge, odds):
    """A node without visits and children, for the state that is there already."""
    node, state = tree.nodes[number], tree.states[number]
    node.total = 0.0
    node.odds = odds
    node.opened_odds = 0.0
    node.visits = 0
    node.child = NONE
    node.sibling = NONE
    node.opened = 0
    node.edge = edge
    node.faces = 0
    node.legal = how_many_legal(state) if state.node == Node.ASK else 0


@compiled
def has_room(tree):
    return tree.size[0] < len(tree.nodes)


@compiled
def may_widen(tree, number, factor):
    node = tree.nodes[number]
    return has_room(tree) and node.opened < 1 + factor * np.sqrt(node.visits)


@compiled
def open_child(tree, number, edge, odds):
    """Adds the child at an answer or outcome, for which there must be room; its number."""
    child, parent = tree.size[0], tree.nodes[number]
    tree.size[0] += 1
    tree.states[child] = tree.states[number]
    follow(tree.states[child], edge)
    write_node(tree, child, edge, odds)
    tree.nodes[child].sibling = parent.child
    parent.child = child
    parent.opened += 1
    parent.opened_odds += odds
    return child


# decisions


@compiled
def is_opened(tree, number, edge):
    child = tree.nodes[number].child
    while child != NONE:
        if tree.nodes[child].edge == edge:
            return True
        child = tree.nodes[child].sibling
    return False


@compiled
def unopened_answer(tree, number):
    """The rules bot's answer first, then the one that the evaluation likes best, luck settled as in this column."""
    state, scratch = tree.states[number], tree.scratch[0]
    if tree.nodes[number].opened == 0:
        return rules_action_one(state)
    best, chosen = -np.inf, first_legal(state)
    for nth in range(tree.nodes[number].legal):
        answer = nth_legal(state, nth)
        if not is_opened(tree, number, answer):
            tree.scratch[0] = state
            scratch.luck = tree.words[LUCK]
            step_one(scratch, answer)
            worth = expectation(scratch, tree.weights, tree.sight[0])
            if worth > best:
                best, chosen = worth, answer
    return chosen


@compiled
def choose_answer(tree, number):
    """The child that PUCT follows; NONE if there is no child and no room for one."""
    node, settings = tree.nodes[number], tree.settings[0]
    if node.opened == 0:
        return open_child(tree, number, unopened_answer(tree, number), 0.0) if has_room(tree) else NONE
    reach = settings.explore * np.sqrt(node.visits)
    rest = (1 - settings.prior) / max(1, node.legal - 1)
    best, chosen = -np.inf, NONE
    child = node.child
    while child != NONE:
        other = tree.nodes[child]
        # The rules bot's answer was opened first and has no sibling before it.
        prior = settings.prior if other.sibling == NONE else rest
        worth = mean(other) + reach * prior / (1 + other.visits)
        if worth > best:
            best, chosen = worth, child
        child = other.sibling
    untried = mean(node) - settings.caution + reach * rest
    if untried > best and node.opened < node.legal and may_widen(tree, number, settings.widen):
        return open_child(tree, number, unopened_answer(tree, number), 0.0)
    return chosen


# chance


@compiled
def is_same(tree, one, other):
    """Whether the game stands alike at two nodes."""
    for k in range(tree.state_words.shape[1]):
        if tree.state_words[one, k] != tree.state_words[other, k]:
            return False
    return True


@compiled
def open_die(tree, number):
    """Opens what the numbers of a die come to; those that come to the same are one child."""
    for outcome in range(1, DIE_SIDES + 1):
        if not has_room(tree):
            return
        child = open_child(tree, number, outcome, 1 / DIE_SIDES)
        twin = tree.nodes[child].sibling
        while twin != NONE and not is_same(tree, twin, child):
            twin = tree.nodes[twin].sibling
        tree.nodes[child if twin == NONE else twin].faces |= 1 << outcome
        if twin != NONE:
            tree.nodes[twin].odds += 1 / DIE_SIDES
            tree.nodes[number].child = tree.nodes[child].sibling
            tree.nodes[number].opened -= 1
            tree.size[0] -= 1


@compiled
def comes_of(node, outcome, is_die):
    return (node.faces >> outcome) & 1 != 0 if is_die else node.edge == outcome


@compiled
def most_behind(tree, number):
    """The child with fewest visits for its odds, NONE if there is none."""
    due = (tree.nodes[number].visits + 1) / tree.nodes[number].opened_odds
    behind, chosen = -np.inf, NONE
    child = tree.nodes[number].child
    while child != NONE:
        other = tree.nodes[child]
        if other.odds * due - other.visits > behind:
            behind, chosen = other.odds * due - other.visits, child
        child = other.sibling
    return chosen


@compiled
def choose_outcome(tree, number):
    """The child that luck leads to; where there may be no more, that most behind its odds, NONE if there is none."""
    state = tree.states[number]
    is_die = state.chance == Chance.DIE
    if is_die and tree.nodes[number].opened == 0:
        open_die(tree, number)
    state.luck = tree.words[LUCK]
    outcome = lucky_outcome(state)
    state.luck = 0
    child = tree.nodes[number].child
    while child != NONE:
        if comes_of(tree.nodes[child], outcome, is_die):
            return child
        child = tree.nodes[child].sibling
    if is_die or not may_widen(tree, number, tree.settings[0].chance_widen):
        return most_behind(tree, number)
    weights_one(state, tree.odds)
    return open_child(tree, number, outcome, tree.odds[outcome])


# simulations


@compiled
def turn_of(state):
    """The number of a caver's turn, counted through the rounds."""
    return state.round_number * state.caver_count + state.turns_taken


@gate(STATE, numbers=1)
def play_turns_one(state, last_turn):
    """The rules bot plays on to the end of a turn, and of the round if it is the last one there, or of the game."""
    settle_chance_one(state)
    room = room_for(OWN_WEIGHTS[0])
    while not is_over(state) and turn_of(state) <= last_turn:
        step_one(state, answer_by(state, room[0]))


@compiled
def leaf_value(tree, number):
    """The utility of a finished game, else that to be expected here, or where a playout is broken off."""
    tree.scratch[0] = tree.states[number]
    state = tree.scratch[0]
    state.luck = tree.words[LUCK]
    if tree.settings[0].plays_on:
        play_turns_one(state, tree.settings[0].last_turn)
    else:
        settle_chance_one(state)
    return expectation(state, tree.weights, tree.sight[0])


@compiled
def is_leaf(tree, number):
    """Whether a simulation stops there: where the game is over, or at a question not met before."""
    state = tree.states[number]
    return is_over(state) or (state.node == Node.ASK and tree.nodes[number].visits == 0)


@compiled
def choose_child(tree, number):
    if tree.states[number].node == Node.CHANCE:
        return choose_outcome(tree, number)
    return choose_answer(tree, number)


@compiled
def descend(tree, start):
    """Writes the path from a node down to a leaf, or to where the tree is full; how many edges it has."""
    tree.path[0] = start
    depth, number = 0, start
    while depth < DEEPEST and not is_leaf(tree, number):
        number = choose_child(tree, number)
        if number == NONE:
            break
        depth += 1
        tree.path[depth] = number
    return depth


@compiled
def simulate(tree, start):
    """One simulation from a node on; its value."""
    depth = descend(tree, start)
    value = leaf_value(tree, tree.path[depth])
    for level in range(depth + 1):
        node = tree.nodes[tree.path[level]]
        node.visits += 1
        node.total += value
    return value


@wrapping
def set_luck(words, column):
    words[LUCK] = mixed(words[KEY] + np.uint64(column) * _STRIDE)


@entry
def plant(tree, states, answers, key):
    """A tree of the first game, whatever its luck, and of what some answers lead to: int64[k], less than the nodes."""
    tree.words[KEY] = key
    tree.words[COUNTER] = key
    tree.states[ROOT] = states[0]
    tree.states[ROOT].luck = 0
    tree.size[0] = 1
    write_node(tree, ROOT, 0, 1.0)
    for i in range(len(answers)):
        open_child(tree, ROOT, answers[i], 0.0)


@entry
def sample(tree, choices, values):
    """Simulations of some of the answers that a tree was planted with.

    ``choices``: int64[n], numbers of answers; ``values``: float64[m, n], written. The visits of the
    root count m.
    """
    root = tree.nodes[ROOT]
    for k in range(len(values)):
        for i in range(len(choices)):
            set_luck(tree.words, root.visits)
            values[k, i] = simulate(tree, ROOT + 1 + choices[i])
        root.visits += 1


def children(tree: Tree, number: int) -> list[int]:
    """The numbers of a node's children in the order they were opened."""
    found, child = list[int](), int(tree.nodes["child"][number])
    while child != NONE:
        found.append(child)
        child = int(tree.nodes["sibling"][child])
    return found[::-1]
