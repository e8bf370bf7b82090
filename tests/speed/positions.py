"""Different games in their middle, from random play: what the kernels are compared and timed on."""

from collections.abc import Callable, Iterator

import numpy as np

from subterra_env.games.subterra import actions, engine
from subterra_env.games.subterra.box.cavers import HEALTH
from subterra_env.games.subterra.options import agreed_state, options
from subterra_env.games.subterra.rules.reach import LOW_SLOTS
from subterra_env.games.subterra.terms import Caver, Node, Phase, Question, RuleSet, words

from .kernels import mask

_LAYS_TILES = range(actions.REVEAL, actions.MOVE)
_FIRST_ROUND = 2
_BETWEEN_KEPT = 9
"""Decisions from one position kept to the next of the same game."""


def usual(count: int, seed: int, fewest_horrors: int = 0) -> np.ndarray:
    """So many different positions of random games at a `turn` question, no two alike."""
    return _collect(_random_game, count, seed, fewest_horrors)


def crowded(count: int, seed: int, fewest_horrors: int = 0) -> np.ndarray:
    """The same with caves of more than 64 tiles, which random games never come to see."""
    return _collect(_crowded_game, count, seed, fewest_horrors)


def horrors_to_move(states: np.ndarray) -> np.ndarray:
    """The same positions where the Horror phase begins."""
    states = states.copy()
    states["node"] = Node.RUNNING
    states["question"] = Question.NONE
    states["phase"] = Phase.HORROR
    return states


_Game = Callable[[np.random.Generator], Iterator[np.ndarray]]


def _collect(game: _Game, count: int, seed: int, fewest_horrors: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    kept: dict[bytes, np.ndarray] = {}
    while len(kept) < count:
        for decision, states in enumerate(game(generator)):
            state = states[0]
            asked = state["question"] == Question.TURN and state["horror_count"] >= fewest_horrors
            if asked and state["round_number"] >= _FIRST_ROUND and decision % _BETWEEN_KEPT == 0:
                kept[states.tobytes()] = states.copy()
    return np.concatenate(list(kept.values())[:count])


def _random_game(generator: np.random.Generator) -> Iterator[np.ndarray]:
    """How fond of new tiles the players are differs from game to game, so that caves of many sizes occur."""
    states, fondness = _setup(generator), generator.random()
    while states["node"][0] != Node.END:
        yield states
        engine.step(states, _choice(states, generator, fondness))


def _crowded_game(generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Cavers who hardly tire are carried to where something is left to explore, until slot 64 is taken."""
    states = _setup(generator)
    while states["node"][0] != Node.END:
        if states["tile_count"][0] > LOW_SLOTS:
            yield states
        elif states["question"][0] == Question.TURN:
            _carry(states[0], generator)
            mask(states, _mask_of(states))
        _restore(states[0])
        engine.step(states, _choice(states, generator, fondness=1.0))


def _carry(state: np.void, generator: np.random.Generator) -> None:
    unexplored = np.flatnonzero(state["tiles"]["open"] & state["tiles"]["empty"])
    safe = np.setdiff1d(unexplored, _horror_slots(state))
    if safe.size:
        state["cavers"]["slot"][state["asked"]] = generator.choice(safe)


def _restore(state: np.void) -> None:
    """Full health for everybody; not beside a horror, where the rules know of no conscious caver."""
    cavers = state["cavers"]
    safe = ~np.isin(cavers["slot"], _horror_slots(state))
    cavers["health"][safe] = HEALTH[cavers["who"][safe]]


def _horror_slots(state: np.void) -> np.ndarray:
    return state["horrors"]["slot"][: state["horror_count"]]


def _setup(generator: np.random.Generator) -> np.ndarray:
    team = generator.permutation(words(Caver))[: generator.integers(4, 7)]
    agreed = options(
        cavers=tuple(map(str, team)),
        rules=generator.choice(words(RuleSet)),
        horror_choices="automatic",
        hidden_cavers_are_passed_by=bool(generator.integers(2)),
    )
    states = agreed_state(agreed)
    states["luck"] = generator.integers(1 << 63)
    engine.begin(states)
    engine.settle_chance(states)
    return states


def _mask_of(states: np.ndarray) -> np.ndarray:
    masks = np.zeros((1, actions.ACTIONS), np.int8)
    engine.legal_masks(states, masks)
    return masks


def _choice(states: np.ndarray, generator: np.random.Generator, fondness: float) -> int:
    legal = np.flatnonzero(_mask_of(states)[0])
    laying = [action for action in legal if action in _LAYS_TILES]
    fond = laying and generator.random() < fondness
    return int(generator.choice(laying if fond else legal))
