"""Many games as one Gymnasium vector environment, stepped together in compiled code."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from subterra_env.envs.expedition import END, FIXED, RAISE, OrderError, agreed_tables, game_states
from subterra_env.envs.render import FRAMES_PER_SECOND, MODES, Renderer
from subterra_env.envs.rewards import FINAL_INFO, ILLEGAL, MEDALS, Outcome, reward_named
from subterra_env.envs.rows import as_rows, space_of_rows
from subterra_env.game import SUBTERRA, Game, luck_key
from subterra_env.threads import share_out

_NO_OBSERVATION = spaces.Box(0.0, 0.0, (0,), np.float32)


class SubTerraVectorEnv(VectorEnv[Any, Any, Any]):
    """As many games as `single.SubTerraEnv` plays one, with the same options, observations, rewards and infos.

    Observations are batches of what the cavers asked see, masks are in ``info["action_mask"]``, int8[n, actions]. A
    game that ends begins anew in the same step: its last observation and info are in ``final_obs`` and ``final_info``,
    as Gymnasium's `AutoresetMode.SAME_STEP` has it. ``observation=None`` observes nothing but the masks. ``threads``
    beyond one share the games out; the results are the same. With ``copy=False`` the arrays handed out are those that
    the next step writes into. Raises ValueError for what cannot be agreed.
    """

    metadata = {
        "render_modes": list(MODES),
        "render_fps": FRAMES_PER_SECOND,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        cavers: Sequence[str] = ("scout", "medic", "leader", "diver"),
        team: str = FIXED,
        observation: str | None = "flat",
        reward: str = "saved",
        gamma: float = 1.0,
        illegal: str = END,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        game: Game = SUBTERRA,
        **options: Any,
    ) -> None:
        if num_envs < 1 or threads < 1:
            raise ValueError(f"num_envs: {num_envs}, threads: {threads}; both are at least 1")
        if illegal not in (RAISE, END):
            raise ValueError(f"illegal: {illegal!r}; there are {RAISE!r} and {END!r}")
        self.num_envs, self.render_mode, self.game = num_envs, render_mode, game
        self.kind, self.gamma, self.illegal, self.threads, self.copy = observation, gamma, illegal, threads, copy
        self._reward = reward_named(reward)
        self._tables = agreed_tables(game, cavers, team, options)
        self._renderer = Renderer(game, render_mode)
        self._make_spaces()
        self._make_buffers()

    def _make_spaces(self) -> None:
        kind = self.kind
        self.single_observation_space = (
            _NO_OBSERVATION if kind is None else space_of_rows(self.game.observation.space(kind))
        )
        self.single_action_space = spaces.Discrete(self.game.actions.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def _make_buffers(self) -> None:
        n = self.num_envs
        self._states, self._finals = (np.zeros(n, self.game.dtype) for _ in range(2))
        self._seed_keys, self._episodes = np.zeros(n, np.uint64), np.zeros(n, np.int64)
        self._masks, self._ended = np.zeros((n, self.game.actions.ACTIONS), np.int8), np.zeros(n, np.uint8)
        self._actions, self._asked = np.zeros(n, np.int64), np.zeros(n, np.int8)
        self._potentials = np.zeros(n)
        self._room = self._final_room = None
        self._nothing = np.zeros((n, 0), np.float32)
        if self.kind is not None:
            self._room = self.game.observation.Room(self.kind, n, self.threads)
            self._final_room = self.game.observation.Room(self.kind, n)
        self._begun = False
        endings = [*self.game.notation.ENDINGS, ILLEGAL]
        self._wins = np.array([ending in MEDALS for ending in endings])
        self._medals, self._none = np.array(endings, object), np.full(n, None, object)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode in every game, or in those of ``options["reset_mask"]``, bool[n].

        ``seed``: game i has the luck of seed + i, or of its own of a list; without one its stream of episodes goes on.
        """
        chosen = np.ones(self.num_envs, np.uint8)
        if options and "reset_mask" in options:
            chosen[:] = _checked_mask(options["reset_mask"], self.num_envs)
        self._seed(seed, chosen)
        self.game.batch.begin_all(self._states, chosen, self._tables, self._seed_keys, self._episodes, self._masks)
        return self._opened()

    def _opened(self) -> tuple[Any, dict[str, Any]]:
        """The games stand at questions that no step has led to."""
        if self._reward.shaped:
            self.game.potential.potentials(self._states, self._potentials)
        self._begun = True
        if self._room is not None:
            self._room.observe_all(self._states)
        return self._seen(), {"action_mask": self._handed_out(self._masks)}

    def snapshot(self) -> dict[str, np.ndarray]:
        """Where all games stand and what episodes come next, as new arrays of bytes and whole numbers."""
        states = np.frombuffer(self._states.tobytes(), np.uint8).reshape(self.num_envs, -1)
        return {"states": states, "seed_keys": self._seed_keys.copy(), "episodes": self._episodes.copy()}

    def restore(self, snapshot: dict[str, np.ndarray]) -> tuple[Any, dict[str, Any]]:
        """Goes on from a snapshot of an environment of the same options; returns what ``reset`` would.

        Raises ValueError for one of another number of games or another version of the state.
        """
        wanted = (self.num_envs, self.game.dtype.itemsize)
        if snapshot["states"].shape != wanted:
            raise ValueError(f"snapshot: states of shape {snapshot['states'].shape}; here it is {wanted}")
        self._states[:] = np.frombuffer(snapshot["states"].tobytes(), self.game.dtype)
        self._seed_keys[:], self._episodes[:] = snapshot["seed_keys"], snapshot["episodes"]
        self.game.engine.legal_masks(self._states, self._masks)
        return self._opened()

    def agree_on(self, tables: np.ndarray) -> None:
        """Episodes that begin from now on are played at one of these tables, each as likely as the others.

        ``tables``: states[m] as ``game.agreed_state`` makes them; one that stands there twice is drawn twice as often.
        """
        self._tables = game_states(self.game, tables)

    def _seed(self, seed: int | list[int | None] | None, chosen: np.ndarray) -> None:
        """New streams of episodes for the chosen games that are given a seed, or never had one."""
        seeds: list[int | None] = [None] * self.num_envs
        if isinstance(seed, int | np.integer):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: a list of {len(seeds)}; there are {self.num_envs} games")
        if not self._begun and None in seeds:
            self._seed_keys[:] = np.random.SeedSequence().generate_state(self.num_envs, np.uint64)
        for i, own in enumerate(seeds):
            if own is not None and chosen[i]:
                self._seed_keys[i] = luck_key(own)
                self._episodes[i] = 0

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Gives every game its answer; ``actions``: whole numbers[n].

        Raises ``notation.IllegalAnswer`` for the first answer that is not legal, where that was agreed (no game has
        then changed), `OrderError` before the first reset, ValueError for another number of actions.
        """
        self._take(actions)
        self._step_and_observe()
        rewards = self._progress()
        info: dict[str, Any] = {"action_mask": self._handed_out(self._masks)}
        terminated, truncated = np.zeros((2, self.num_envs), np.bool_)
        games = np.flatnonzero(self._ended)
        if len(games):
            over, last, truncated = self._how_they_ended(games)
            terminated = over ^ truncated
            rewards += last["outcome"]
            info |= self._in_gymnasiums_form(last, over, games)
        return self._seen(), rewards, terminated, truncated, info

    def _take(self, actions: Any) -> None:
        if not self._begun:
            raise OrderError("there are no games under way; call reset() first")
        self._actions[:] = _whole_numbers(actions, self.num_envs)
        if self.illegal == RAISE:
            i = self.game.batch.first_illegal(self._states, self._actions)
            if i != self.game.batch.ALL_LEGAL:
                possible = self.game.notation.possible_now(self._states[i])
                raise self.game.notation.IllegalAnswer(f"action {self._actions[i]} of game {i}; {possible}")

    def _step_and_observe(self) -> None:
        before, after = (self._seed_keys, self._episodes), (self._asked, self._ended, self._finals, self._masks)

        def step(thread: int, part: slice) -> None:
            own = [array[part] for array in before + after]
            self.game.batch.step_all(self._states[part], self._actions[part], self._tables, *own)
            if self._room is not None:
                self._room.observe_part(self._states, thread, part)

        share_out(step, self.num_envs, self.threads)

    def _progress(self) -> np.ndarray:
        """What shaping adds: the gain in potential, which is nothing once a game is over."""
        if not self._reward.shaped:
            return np.zeros(self.num_envs)
        before = self._potentials.copy()
        self.game.potential.potentials(self._states, self._potentials)
        gains: np.ndarray = np.where(self._ended, 0.0, self.gamma * self._potentials) - before
        return gains

    def _how_they_ended(self, games: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray]:
        """Which games are over, what `rewards.final_info` says of them, and which of them were cut short."""
        m = len(games)
        endings, saved, rounds = np.empty(m, np.int64), np.empty(m), np.empty(m, np.int64)
        self.game.batch.outcomes(self._finals, self._ended, games, endings, saved, rounds)
        ends = [Outcome(*end) for end in zip(self._medals[endings], saved.tolist(), rounds.tolist(), strict=True)]
        outcomes = np.array([self._reward.of(end) for end in ends])
        columns = (outcomes, self._medals[endings], saved, rounds, self._wins[endings])
        infos = {name: self._spread(column, games) for name, column in zip(FINAL_INFO, columns, strict=True)}
        return self._ended != 0, infos, self._spread(endings == self.game.batch.TRUNCATED, games)

    def _spread(self, column: np.ndarray, games: np.ndarray) -> np.ndarray:
        """What some games have, as an array of all of them: None or 0 for the others."""
        spread: np.ndarray = np.zeros(self.num_envs, column.dtype) if column.dtype != object else self._none.copy()
        spread[games] = column
        return spread

    def _in_gymnasiums_form(self, last: dict[str, np.ndarray], over: np.ndarray, games: np.ndarray) -> dict[str, Any]:
        """Last infos and observations as Gymnasium's own vector environments give them."""
        last["action_mask"] = self._final_masks(games)
        found = {"final_info": last | {f"_{name}": over for name in last}, "_final_info": over}
        if self._final_room is not None:
            found |= {"final_obs": self._final_observations(self._final_room, games), "_final_obs": over}
        return found

    def _final_observations(self, room: Any, games: np.ndarray) -> np.ndarray:
        """What those who gave the last answers see of the games that are over; None for the others."""
        room.observe_some(self._finals, games, self._asked[games])
        found = self._none.copy()
        seen = as_rows(room.seen)
        if isinstance(seen, dict):
            for k, i in enumerate(games.tolist()):
                found[i] = {name: part[k].copy() for name, part in seen.items()}
        else:
            for i, row in zip(games.tolist(), seen[: len(games)].copy(), strict=True):
                found[i] = row
        return found

    def _final_masks(self, games: np.ndarray) -> np.ndarray:
        """Nobody is asked any more: only ``wait``."""
        masks = np.zeros(self._masks.shape, self._masks.dtype)
        masks[games, self.game.actions.WAIT] = 1
        return masks

    def _seen(self) -> Any:
        """What the cavers asked see, as it is handed out."""
        return self._handed_out(self._nothing if self._room is None else as_rows(self._room.seen))

    def _handed_out(self, arrays: Any) -> Any:
        if not self.copy:
            return arrays
        return {name: array.copy() for name, array in arrays.items()} if isinstance(arrays, dict) else arrays.copy()

    @property
    def states(self) -> np.ndarray:
        """The games as they stand, an array of n states that the next step writes into."""
        return self._states

    def action_masks(self) -> np.ndarray:
        """The legal answers in every game, int8[n, actions]; no row is all zero."""
        masks: np.ndarray = self._handed_out(self._masks)
        return masks

    def render(self) -> tuple[Any, ...]:
        """Every game as the render mode shows it; see `render.Renderer.show`."""
        return tuple(self._renderer.show(self._states[i : i + 1]) for i in range(self.num_envs))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in ("_states", "_finals", "_tables"):
            setattr(self, name, game_states(self.game, getattr(self, name)))

    def close_extras(self, **_: Any) -> None:
        """Closes the window, if one is open."""
        self._renderer.close()


def _whole_numbers(actions: Any, count: int) -> np.ndarray:
    given = np.asarray(actions)
    if given.shape != (count,) or not np.issubdtype(given.dtype, np.integer):
        raise ValueError(
            f"actions: {given.dtype}{list(given.shape)}; they are whole numbers, one for each of {count} games"
        )
    return given


def _checked_mask(mask: Any, count: int) -> np.ndarray:
    given = np.asarray(mask)
    if given.shape != (count,) or given.dtype != np.bool_ or not given.any():
        raise ValueError(f"reset_mask: {given.dtype}{list(given.shape)}; it is bool[{count}] with at least one game")
    return given
