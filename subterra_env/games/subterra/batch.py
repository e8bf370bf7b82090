"""Many games at once: compiled loops over an array of states for the vector environments.

An environment's first episode has the luck key that its seed stands for, every further one a hash of that key and the
number of the episode: a stream of episodes is the same however the other environments go. Which of the agreed tables an
episode is played at (one, or one for every team) is drawn from its key.
"""

import numpy as np

from subterra_env.games.subterra.answers import is_legal
from subterra_env.games.subterra.engine import begin_one, mask_one, random_action_one, settle_chance_one, step_one
from subterra_env.games.subterra.luck import mixed, pick
from subterra_env.games.subterra.rules.health import is_over, left_behind
from subterra_env.games.subterra.terms import Ending
from subterra_env.jit import compiled, entry, wrapping

_NEXT_EPISODE = np.uint64(0x9E3779B97F4A7C15)
_TABLE_EVENT = 6
GOES_ON, ENDED, ILLEGAL = 0, 1, 2
"""What `step_all` writes for a game: it goes on, the rules ended it, or its action was not legal."""
ILLEGAL_END = len(Ending)
"""What `outcomes` writes as the ending of a game that an illegal action ended: one past the endings of the rules."""
TRUNCATED = int(Ending.TRUNCATED)
"""What `outcomes` writes for a game cut short (rulebook 9.3)."""
ALL_LEGAL = -1
"""What `first_illegal` answers when every action is legal."""


@wrapping
def episode_key(seed_key, episode):
    """The luck key of an environment's episode, counted from 0."""
    if episode == 0:
        return seed_key
    return mixed(seed_key + np.uint64(episode) * _NEXT_EPISODE)


@compiled
def drawn_table(key, tables):
    """Which of so many agreed tables a luck key stands for."""
    return pick(key, _TABLE_EVENT, 0, 0, tables)


@compiled
def begin_episode(states, i, agreed, seed_keys, episodes):
    """Game ``i`` begins its next episode and stands at its first question."""
    key = episode_key(seed_keys[i], episodes[i])
    episodes[i] += 1
    states[i] = agreed[drawn_table(key, len(agreed))]
    states[i].luck = key
    begin_one(states[i])
    settle_chance_one(states[i])


@compiled
def step_game(states, i, actions, agreed, seed_keys, episodes, asked, ended, finals, masks):
    """Game ``i`` takes its action; one that is over leaves its last state in ``finals`` and begins anew."""
    asked[i] = states[i].asked
    ended[i] = GOES_ON
    if not is_legal(states[i], actions[i]):
        ended[i] = ILLEGAL
    else:
        step_one(states[i], actions[i])
        if is_over(states[i]):
            ended[i] = ENDED
    if ended[i]:
        finals[i] = states[i]
        begin_episode(states, i, agreed, seed_keys, episodes)
    mask_one(states[i], masks[i])


@entry
def begin_all(states, chosen, agreed, seed_keys, episodes, masks):
    """The chosen games begin their next episode.

    ``states``: STATE[n]; ``chosen``: uint8[n]; ``agreed``: STATE[m], tables to draw from; ``seed_keys``: uint64[n];
    ``episodes``: int64[n], counted up; ``masks``: int8[n, ACTIONS], written.
    """
    for i in range(len(states)):
        if chosen[i]:
            begin_episode(states, i, agreed, seed_keys, episodes)
        mask_one(states[i], masks[i])


@entry
def first_illegal(states, actions):
    """The number of the first game whose action is not legal, `ALL_LEGAL` if all are."""
    for i in range(len(states)):
        if not is_legal(states[i], actions[i]):
            return i
    return ALL_LEGAL


@entry
def step_all(states, actions, agreed, seed_keys, episodes, asked, ended, finals, masks):
    """Every game takes its action and begins anew if that ends it.

    ``actions``: int64[n]; ``asked``: int8[n], written: the seat that gave the action; ``ended``: uint8[n], written;
    ``finals``: STATE[n], the last states of the games that ended are written, and of those whose action was not legal
    the state it was given in; ``masks``: int8[n, ACTIONS], written.
    """
    for i in range(len(states)):
        step_game(states, i, actions, agreed, seed_keys, episodes, asked, ended, finals, masks)


@entry
def random_actions(states, words, actions):
    """A random legal action for every game; ``words``: uint64[1], the generator's counter; ``actions``: int64[n]."""
    for i in range(len(states)):
        actions[i] = random_action_one(states[i], words)


@entry
def outcomes(finals, ended, games, endings, saved, rounds):
    """How games ended; ``ended`` as `step_all` writes it, ``games`` int64[m], the numbers of games that are over.

    Written: ``endings`` int64[m], `Ending`, or `ILLEGAL_END` after an action that was not legal; ``saved`` float64[m],
    the share of the team on the exit; ``rounds`` int64[m], rounds begun.
    """
    for k in range(len(games)):
        state = finals[games[k]]
        endings[k] = state.ending if ended[games[k]] == ENDED else ILLEGAL_END
        saved[k] = (state.caver_count - left_behind(state)) / state.caver_count
        rounds[k] = state.round_number
