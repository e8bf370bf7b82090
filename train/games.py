"""The games a run learns from: a vector environment, played through the stages of a curriculum."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from subterra_env.agents.checkpoint import Architecture
from subterra_env.agents.mlp import write_hints
from subterra_env.train.ppo_settings import Stage

from subterra_env.envs.expedition import agreed_tables
from subterra_env.envs.rewards import MEDALS
from subterra_env.envs.vector import SubTerraVectorEnv
from subterra_env.game import SUBTERRA

FLAT_SIZE = SUBTERRA.observation.FLAT_SIZE

_CENTRAL = "entities"
REMEMBERED = 1000
"""Finished games that what is shown during training is the mean of."""


class Ended(NamedTuple):
    """How a game ended."""

    outcome: float
    saved: float
    rounds: int
    ending: str


def summary(endings: Collection[Ended]) -> dict[str, float]:
    """Means over games that ended, by name; nothing without any."""
    if not endings:
        return {}
    outcomes, saved, rounds, names = zip(*endings, strict=True)
    medals = {medal: names.count(medal) / len(names) for medal in MEDALS}
    means = {"return": float(np.mean(outcomes)), "saved": float(np.mean(saved)), "rounds": float(np.mean(rounds))}
    return means | medals | {"success": sum(medals.values())}


class Games:
    """Many games side by side, stepped in place; those that end begin anew at a table of the present stage.

    ``seen``: float32[n, inputs], flat observations and hints if the network takes them, and ``masks``: int8[n, ACTIONS]
    are what the next step writes into.
    """

    def __init__(
        self,
        count: int,
        stages: Sequence[Stage],
        team: str,
        reward: str,
        gamma: float,
        kept: float,
        central: bool,
        hint: bool = False,
    ) -> None:
        self._stages, self._team, self._kept = stages, team, kept
        cavers = SUBTERRA.options(**stages[0].table).cavers
        options = {name: value for name, value in stages[0].table.items() if name != "cavers"}
        self.env = SubTerraVectorEnv(
            count, cavers=cavers, team=team, reward=reward, gamma=gamma, copy=False, illegal="error", **options
        )
        self._room = SUBTERRA.observation.Room(_CENTRAL, count) if central else None
        self.central_size = sum(part[0].size for part in self._room.seen.values()) if self._room else 0
        self.stage = 0
        self.seen, self.masks = np.zeros((count, Architecture(hint=hint).inputs), np.float32), np.empty(0)
        self._flat, self._all = np.empty(0), np.arange(count)

    def begin(self, seed: int) -> None:
        """All games begin, with the luck of a seed."""
        self._look(*self.env.reset(seed=seed))

    def restore(self, stage: int, snapshot: dict[str, np.ndarray]) -> None:
        """Goes on from the environment's ``snapshot`` in a stage."""
        self.enter(stage)
        self._look(*self.env.restore(snapshot))

    def _look(self, seen: np.ndarray, info: dict[str, np.ndarray]) -> None:
        self._flat, self.masks = seen, info["action_mask"]
        self._add_hints()

    def _add_hints(self) -> None:
        self.seen[:, :FLAT_SIZE] = self._flat
        if self.seen.shape[1] > FLAT_SIZE:
            write_hints(self.env.states, self._all, self.seen[:, FLAT_SIZE:])

    def central(self) -> np.ndarray | None:
        """What a central critic sees, float32[n, central_size]."""
        if self._room is None:
            return None
        self._room.observe_all(self.env.states)
        return np.concatenate([part.reshape(len(part), -1) for part in self._room.seen.values()], axis=1)

    def step(self, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[Ended]]:
        """Rewards, which games are over, and how these ended.

        A game cut short by the limit of rounds counts as lost: a team that plays on for ever has not got out.
        """
        _, rewards, terminated, truncated, info = self.env.step(answers)
        self._add_hints()
        overs = terminated | truncated
        if not overs.any():
            return rewards, overs, []
        last = info["final_info"]
        columns = (last[name][overs].tolist() for name in ("outcome", "saved", "rounds", "medal"))
        return rewards, overs, [Ended(*end) for end in zip(*columns, strict=True)]

    def go_on(self, success: float) -> bool:
        """Goes on to the next stage if the success of late is enough; whether it does."""
        if self.stage + 1 == len(self._stages) or success < self._stages[self.stage].success:
            return False
        self.enter(self.stage + 1)
        return True

    def enter(self, stage: int) -> None:
        """Episodes from now on are of a stage, and some of those before it."""
        self.stage = stage
        tables = [self._tables(number) for number in range(stage + 1)]
        if stage and self._kept:
            tables[-1] *= max(1, round(stage * (1 - self._kept) / self._kept))
        elif stage:
            tables = tables[-1:]
        self.env.agree_on(np.array([table for group in tables for table in group], SUBTERRA.dtype))

    def _tables(self, stage: int) -> list[np.void]:
        table = self._stages[stage].table
        options = {name: value for name, value in table.items() if name != "cavers"}
        return list(agreed_tables(SUBTERRA, SUBTERRA.options(**table).cavers, self._team, options))
