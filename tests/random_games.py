"""Games played with random answers, for tests: every rule set, team size and option comes up."""

from collections.abc import Iterator

import numpy as np

from subterra_env.games.subterra import engine
from subterra_env.games.subterra.actions import ACTIONS
from subterra_env.games.subterra.box.hazards import most_extra_cards
from subterra_env.games.subterra.options import CAVER_NAMES, Options, agreed_state, options
from subterra_env.games.subterra.terms import Difficulty, Node

RULES, DIFFICULTIES = ("official", "guide", "summary"), ("normal", "advanced", "expert")


def varied_options(number: int) -> Options:
    """Options that differ with the number; numbers in a row run through rule sets, difficulties and team sizes."""
    rng = np.random.default_rng(number)
    difficulty = DIFFICULTIES[number // 3 % 3]
    size = 4 + number % 3
    return options(
        cavers=tuple(map(str, rng.permutation(CAVER_NAMES)[:size])),
        rules=RULES[number // 9 % 3],
        difficulty=difficulty,
        extra_hazard_cards=int(rng.integers(most_extra_cards(size, Difficulty[difficulty.upper()]) + 1)),
        stack_tiles=int(rng.choice([6, 10, 20, 64])),
        hidden_cavers_are_passed_by=bool(rng.integers(2)),
        horror_choices=str(rng.choice(["players", "automatic"])),
        out_of_time=str(rng.choice(["rulebook", "card"])),
        stop_when_conscious_are_out=bool(rng.integers(2)),
        max_rounds=int(rng.choice([3, 100])),
        first="random",
    )


def new_game(agreed: Options, key: int) -> np.ndarray:
    """A game with a luck key, at its first question or chance event."""
    states = agreed_state(agreed)
    states["luck"] = key
    engine.begin(states)
    return states


def random_answer(states: np.ndarray, rng: np.random.Generator) -> int:
    mask = np.zeros((1, ACTIONS), np.int8)
    engine.legal_masks(states, mask)
    return int(rng.choice(np.flatnonzero(mask[0])))


def likely_answer(states: np.ndarray, rng: np.random.Generator) -> int:
    """As random, but explores when it can: such games lay many tiles."""
    from subterra_env.games.subterra.actions import EXPLORE, MOVE

    exploring = [action for action in range(EXPLORE, MOVE) if engine.legal(states, action)]
    if exploring and rng.random() < 0.7:
        return int(rng.choice(exploring))
    return random_answer(states, rng)


def play(agreed: Options, key: int, seed: int) -> Iterator[np.ndarray]:
    """The game after every event, questions, chance events and the end alike; always the same array."""
    states, rng = new_game(agreed, key), np.random.default_rng(seed)
    answer = likely_answer if seed % 2 else random_answer
    yield states
    while states["node"][0] != Node.END:
        if states["node"][0] == Node.CHANCE:
            engine.apply_chance(states, engine.lucky(states))
        else:
            engine.apply(states, answer(states, rng))
        yield states
