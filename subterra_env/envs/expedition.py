"""One game after another, as every environment of one game plays them: answers, rewards, observations, pictures."""

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces

from subterra_env.envs.render import Renderer
from subterra_env.envs.rewards import ILLEGAL, Outcome, final_info, outcome_of, reward_named
from subterra_env.game import SUBTERRA, Game, luck_key

RAISE, END = "error", "end"
"""What an illegal action leads to: an error that names it, or the end of the game with a penalty for all."""
FIXED, DRAWN = "fixed", "random"
"""Who goes: the cavers named, or as many drawn for each episode."""
STATE_KIND = "entities"
"""The complete observation, which ``state`` is made of."""


class OrderError(RuntimeError):
    """An environment was stepped before its reset or after its end."""


def next_key(seed: int | None, rng: np.random.Generator) -> np.uint64:
    """The luck key of the next episode: that of the seed, or else the next one of the environment's own stream."""
    return luck_key(seed) if seed is not None else rng.integers(2**64, dtype=np.uint64)


def agreed_tables(game: Game, cavers: Sequence[str], team: str, options: dict[str, Any]) -> np.ndarray:
    """The tables an episode may be played at: one, or one for every team of that size."""
    if team not in (FIXED, DRAWN):
        raise ValueError(f"team: {team!r}; there are {FIXED!r} and {DRAWN!r}")
    named = game.options(cavers=tuple(cavers), **options)
    teams = [named.cavers] if team == FIXED else game.coats.teams(len(named.cavers))
    return game_states(game, [game.agreed_state(game.options(cavers=names, **options))[0] for names in teams])


def game_states(game: Game, records: Sequence[np.void] | np.ndarray) -> np.ndarray:
    """A new array of states.

    Its dtype is the game's very object: Numba takes twenty times longer to recognise one that is merely equal, such as
    concatenated or unpickled arrays have.
    """
    states = np.empty(len(records), game.dtype)
    for i, record in enumerate(records):
        states[i] = record
    return states


class Expedition:
    """The game an environment is at.

    ``asked`` is the seat asked, ``mask`` its legal answers (int8, one an action id; a new array for every question),
    ``over`` whether the episode has ended and ``truncated`` whether the safety limit of rounds ended it. Raises
    ValueError for what cannot be agreed.
    """

    def __init__(
        self,
        game: Game = SUBTERRA,
        cavers: Sequence[str] = ("scout", "medic", "leader", "diver"),
        team: str = FIXED,
        observation: str = "flat",
        reward: str = "saved",
        gamma: float = 1.0,
        illegal: str = RAISE,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if illegal not in (RAISE, END):
            raise ValueError(f"illegal: {illegal!r}; there are {RAISE!r} and {END!r}")
        if not 0 <= gamma <= 1:
            raise ValueError(f"gamma: {gamma!r}; a discount is from 0 to 1")
        self.game = game
        self.observation_space: spaces.Space[Any] = game.observation.space(observation)
        self.action_space_size: int = game.actions.ACTIONS
        self.wait: int = game.actions.WAIT
        self.reward = reward_named(reward)
        self.gamma = gamma
        self.illegal = illegal
        self.tables = agreed_tables(game, cavers, team, options)
        self.seats = int(self.tables["caver_count"][0])
        self.states = game_states(game, self.tables[:1])
        self.mask = self.waiting_mask()
        self.asked = 0
        self.over, self.truncated = True, False
        self._eyes = game.coats.Eyes(observation)
        self._potential = np.zeros(1)
        self._renderer = Renderer(game, render_mode)

    def begin(self, key: np.uint64) -> None:
        """Starts the next episode, with the luck of a key."""
        self.mask = np.empty(self.action_space_size, np.int8)
        self.asked = self.game.coats.begin(self.states, self.tables, key, self.mask)
        self.over, self.truncated = False, False
        if self.reward.shaped:
            self.game.potential.potentials(self.states, self._potential)
        self._show()

    def answer(self, action: Any) -> float:
        """Gives an answer for the seat asked; what the team is paid for it.

        Raises ``notation.IllegalAnswer`` for an answer that is not legal, unless it was agreed that it ends the game;
        `OrderError` if there is no game; TypeError for what is no whole number. The game then is as it was.
        """
        if self.over:
            raise OrderError("there is no game under way; call reset() first")
        mask = np.empty(self.action_space_size, np.int8)
        number = index(action)
        asked = self.game.coats.answer(self.states, number, mask)
        if asked == self.game.coats.ILLEGAL:
            return self.refuse(number)
        self.mask = mask
        if asked == self.game.coats.OVER:
            return self._end(outcome_of(self.game, self.states))
        self.asked = asked
        if self.reward.shaped:
            return self._progress()
        if self._renderer.mode == "human":
            self._show()
        return 0.0

    def refuse(self, action: int, why: str = "is not legal now") -> float:
        """What follows an illegal action, as agreed; the game itself stays as it was."""
        words = self.game.actions.SPELLINGS
        word = f"{action} ({words[action]})" if 0 <= action < len(words) else str(action)
        complaint = f"action {word} {why}; {self.game.notation.possible_now(self.states[0])}"
        if self.illegal == RAISE:
            raise self.game.notation.IllegalAnswer(complaint)
        self.mask = self.waiting_mask()
        standing = outcome_of(self.game, self.states)
        return self._end(Outcome(ILLEGAL, standing.saved, standing.rounds))

    def _end(self, outcome: Outcome) -> float:
        self.over = True
        self.truncated = outcome.ending == "truncated"
        self.outcome = outcome
        self._show()
        return self.reward.of(outcome) - (float(self._potential[0]) if self.reward.shaped else 0.0)

    def _progress(self) -> float:
        before = float(self._potential[0])
        self.game.potential.potentials(self.states, self._potential)
        return self.gamma * float(self._potential[0]) - before

    def waiting_mask(self) -> np.ndarray:
        """The mask of whoever is not asked: ``wait`` and nothing else."""
        mask = np.zeros(self.action_space_size, np.int8)
        mask[self.wait] = 1
        return mask

    def observe(self, seat: int) -> Any:
        """What a seat sees: new arrays of the observation kind agreed."""
        return self._eyes.see(self.states, seat)

    def final_info(self) -> dict[str, Any]:
        """What the last info of the episode holds beside the mask; see `rewards.final_info`."""
        return final_info(self.outcome, self.reward)

    @property
    def state_space(self) -> spaces.Space[Any]:
        """The space of `state`."""
        return spaces.flatten_space(self.game.observation.space(STATE_KIND))

    def state(self) -> np.ndarray:
        """All that the table can see, as one row of float32, through the eyes of the seat asked last."""
        seen = self.game.observation.observe(self.states, 0, self.asked, STATE_KIND)
        return spaces.flatten(self.game.observation.space(STATE_KIND), seen)  # type: ignore[return-value]

    def render(self) -> str | np.ndarray | None:
        """The game as the render mode shows it; see `render.Renderer.show`."""
        return self._renderer.show(self.states)

    def close(self) -> None:
        """Closes the window, if one is open."""
        self._renderer.close()

    def _show(self) -> None:
        """A window follows the game by itself."""
        if self._renderer.mode == "human":
            self._renderer.show(self.states)

    def __getstate__(self) -> dict[str, Any]:
        """Copies have no window of their own until they show something."""
        return {**self.__dict__, "_renderer": self._renderer.mode}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.states, self.tables = (game_states(self.game, array) for array in (self.states, self.tables))
        self._renderer = Renderer(self.game, state["_renderer"])
