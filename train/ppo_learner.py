"""Proximal policy optimisation for a team with one policy, stepping many games at once.

One network answers for every caver asked; the reward is the team's. The critic sees what the policy sees (IPPO) or the
complete state (MAPPO, Yu et al. 2022). PPO: Schulman et al. 2017; invalid action masking: Huang and Ontañón 2022;
advantages: Schulman et al. 2016.
"""

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from subterra_env.train.games import REMEMBERED, Ended, Games
from subterra_env.train.kernels import draw_answers, write_advantages, write_gradients
from subterra_env.train.network import Network, device_of, number_type, precision
from subterra_env.train.ppo_settings import PpoConfig
from subterra_env.train.symmetries import Symmetries

from subterra_env.game import SUBTERRA

_SCALED_LEAST = 1e-4
_LEARNED_FROM = ("masks", "answers", "log_chances", "advantages", "returns")


class Scale:
    """Mean and spread of returns, which values are learned in units of; moves on with every batch."""

    def __init__(self, memory: float = 0.99) -> None:
        self._memory = memory
        self.moments = np.zeros(3)
        """Weight so far, and weighted sums of returns and of their squares."""

    def take(self, returns: np.ndarray) -> None:
        """Returns of one more batch."""
        new = np.array([1.0, returns.mean(), np.square(returns).mean()])
        self.moments = self._memory * self.moments + (1 - self._memory) * new

    @property
    def mean(self) -> float:
        return float(self.moments[1] / self.moments[0]) if self.moments[0] else 0.0

    @property
    def spread(self) -> float:
        if not self.moments[0]:
            return 1.0
        return float(np.sqrt(max(self.moments[2] / self.moments[0] - self.mean**2, _SCALED_LEAST)))


class Update(NamedTuple):
    """What an update did: means over its minibatches, and how well values foretold returns before it."""

    approx_kl: float
    clip_fraction: float
    entropy: float
    policy_loss: float
    value_loss: float
    explained_variance: float


class Batch:
    """What was played between two updates; every array begins with steps and games."""

    def __init__(self, steps: int, games: int, inputs: int, central: int) -> None:
        shape = (steps, games)
        self.seen = np.zeros((*shape, inputs), np.float32)
        self.central = np.zeros((*shape, central), np.float32)
        self.masks = np.zeros((*shape, SUBTERRA.actions.ACTIONS), np.int8)
        self.answers, self.log_chances = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
        self.rewards, self.overs = np.zeros(shape, np.float32), np.zeros(shape, np.bool_)
        self.values = np.zeros((steps + 1, games), np.float32)
        self.advantages = np.zeros(shape, np.float32)

    @property
    def returns(self) -> np.ndarray:
        """What the values should have been."""
        returns: np.ndarray = self.advantages + self.values[:-1]
        return returns

    def flat(self) -> dict[str, torch.Tensor]:
        """What is learned from, steps and games in one row."""
        arrays = {
            "seen": self.seen, "central": self.central, "masks": self.masks, "answers": self.answers,
            "log_chances": self.log_chances, "advantages": self.advantages, "returns": self.returns,
        }  # fmt: skip
        return {
            name: torch.from_numpy(array.reshape(array.shape[0] * array.shape[1], *array.shape[2:]))
            for name, array in arrays.items()
        }


class Learner:
    """The network, its optimiser, the games it plays and all luck of a run."""

    def __init__(self, config: PpoConfig, games: Games) -> None:
        self.config, self.games = config, games
        torch.manual_seed(config.seed)
        self.device = device_of(config.device)
        self.network = Network(config.architecture, games.central_size or None).to(self.device)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.scale = Scale()
        self.rng = np.random.default_rng(config.seed)
        self.decisions = 0
        self.endings: deque[Ended] = deque(maxlen=REMEMBERED)
        self._symmetries = Symmetries() if config.symmetries else None
        self._batch = Batch(config.steps, config.games, config.architecture.inputs, games.central_size)

    def play(self) -> None:
        """Plays a batch with answers drawn by the policy."""
        batch = self._batch
        for step in range(self.config.steps):
            batch.seen[step], batch.masks[step] = self.games.seen, self.games.masks
            central = self.games.central()
            if central is not None:
                batch.central[step] = central
            logits, batch.values[step] = self._answer(batch.seen[step], central)
            chances = self.rng.random(self.config.games)
            draw_answers(logits, batch.masks[step], chances, batch.answers[step], batch.log_chances[step])
            batch.rewards[step], batch.overs[step], ended = self.games.step(batch.answers[step])
            self.endings.extend(ended)
        _, batch.values[-1] = self._answer(self.games.seen, self.games.central())
        advantages = (batch.rewards, batch.values, batch.overs, self.config.gamma, self.config.gae_lambda)
        write_advantages(*advantages, batch.advantages)
        self.decisions += self.config.batch

    def _answer(self, seen: np.ndarray, central: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Logits and values, in units of the reward."""
        with torch.inference_mode(), self._precision():
            logits, values = self.network(*(None if one is None else self._here(one) for one in (seen, central)))
        return logits.cpu().numpy(), values.cpu().numpy() * self.scale.spread + self.scale.mean

    def _here(self, numbers: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(numbers).to(self.device)

    def learn(self) -> Update:
        """Learns from the batch played last."""
        config, batch = self.config, self._batch
        told = _explained(batch.values[:-1], batch.returns)
        self._scale_to(batch.returns)
        data = batch.flat()
        data["returns"] = (data["returns"] - self.scale.mean) / self.scale.spread
        if self._symmetries is not None:
            self._symmetries.turn(data, self.rng)  # a turned answer keeps the chance that it was given with
        self._slow_down()
        data["seen"] = data["seen"].to(number_type(config.precision, self.device))
        reports = list[np.ndarray]()
        for _ in range(config.epochs):
            order = torch.from_numpy(self.rng.permutation(config.batch))
            reports.extend(self._descend(data, rows) for rows in torch.split(order, config.minibatch))
        kl, clipped, entropy, policy_loss, value_loss = np.mean(reports, axis=0).tolist()
        return Update(kl, clipped, entropy, policy_loss, value_loss, told)

    def _scale_to(self, returns: np.ndarray) -> None:
        """New units for values; the last layer changes with them, so that values stay as they are.

        van Hasselt et al. 2016.
        """
        mean, spread = self.scale.mean, self.scale.spread
        self.scale.take(returns)
        last = self.network.value[-1]
        assert isinstance(last, torch.nn.Linear)
        with torch.no_grad():
            last.weight.mul_(spread / self.scale.spread)
            last.bias.mul_(spread).add_(mean - self.scale.mean).div_(self.scale.spread)

    def _ask(self, data: Mapping[str, torch.Tensor], rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values, in units of the scale, for some rows of what was played."""
        names = ("seen", "central") if self.network.central else ("seen",)
        with self._precision():
            logits, values = self.network(*(data[name].index_select(0, rows).to(self.device) for name in names))
        return logits, values

    def _precision(self) -> torch.autocast:
        return precision(self.config.precision, self.device)

    def _slow_down(self) -> None:
        """The learning rate falls in a straight line to its last value."""
        config = self.config
        left = max(0.0, 1 - self.decisions / config.decisions)
        for group in self.optimiser.param_groups:
            group["lr"] = config.last_learning_rate + left * (config.learning_rate - config.last_learning_rate)

    def _descend(self, data: Mapping[str, torch.Tensor], rows: torch.Tensor) -> np.ndarray:
        """One step of the optimiser on a minibatch; what `write_gradients` reports of it."""
        config = self.config
        logits, values = self._ask(data, rows)
        masks, answers, log_chances, advantages, returns = (data[name].numpy() for name in _LEARNED_FROM)
        by_logits, by_values, report = np.zeros(logits.shape, np.float32), np.zeros(len(rows), np.float32), np.zeros(5)
        write_gradients(
            rows.numpy(), logits.detach().cpu().numpy(), values.detach().cpu().numpy(),
            masks, answers, log_chances, advantages, returns,
            config.clip, config.entropy, config.value_weight, by_logits, by_values, report,
        )  # fmt: skip
        if self.decisions <= config.critic_first:
            by_logits[:] = 0.0
        self.optimiser.zero_grad()
        torch.autograd.backward([logits, values], [self._here(by_logits), self._here(by_values)])
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.most_gradient)
        self.optimiser.step()
        return report

    def take(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Begins with a checkpoint's weights, whose values are in units of the reward."""
        self.network.take(arrays)

    def arrays(self) -> dict[str, np.ndarray]:
        """The network's weights, values in units of the reward."""
        arrays = self.network.arrays()
        last = len(self.network.value) - 1
        arrays[f"value.{last}.weight"] = arrays[f"value.{last}.weight"] * np.float32(self.scale.spread)
        bias = arrays[f"value.{last}.bias"] * np.float32(self.scale.spread) + np.float32(self.scale.mean)
        return {**arrays, f"value.{last}.bias": bias.astype(np.float32)}


def _explained(values: np.ndarray, returns: np.ndarray) -> float:
    """Share of the variance of the returns that the values foretold."""
    variance = float(returns.var())
    return 1 - float((returns - values).var()) / variance if variance > 0 else 0.0
