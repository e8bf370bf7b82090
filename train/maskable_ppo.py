"""Trains sb3-contrib's MaskablePPO on many games at once, and says how much better than chance it plays.

``subterra train configs/demo.yaml`` is a run worth repeating; `train` is the same from Python. PPO: Schulman et al.
2017; invalid action masking: Huang and Ontañón 2022.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import Field, field_validator, model_validator
from subterra_env.agents.checkpoint import Architecture, Checkpoint, card_here
from subterra_env.train.network import torch_threads
from subterra_env.train.settings import FIRST_EVALUATION_SEED, Settings, load_settings
from subterra_env.train.versions import provenance

from subterra_env.envs.rewards import MEDALS
from subterra_env.game import SUBTERRA

CHECKPOINT = "last.safetensors"
GAMES_REMEMBERED = 200
"""Finished games that the score shown during training is the mean of."""

Choose: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From observations and masks of many games to one action each."""


class Config(Settings):
    """One training run."""

    trainer: Literal["maskable_ppo"] = "maskable_ppo"
    table: dict[str, Any] = Field(default_factory=dict)
    """What the table agrees: options of the game, such as ``stack_tiles``."""
    team: Literal["fixed", "random"] = "fixed"
    reward: Literal["saved", "medal", "shaped"] = "shaped"
    """What is learned from; see `envs.rewards`. Scores are always shares of the team saved."""
    seed: Annotated[int, Field(ge=0, lt=FIRST_EVALUATION_SEED)] = 0
    decisions: Annotated[int, Field(ge=1)] = 300_000
    """Answers to learn from, at least; training ends with the batch that reaches them."""
    seconds: Annotated[float, Field(gt=0)] | None = None
    """Time after which no more are played, if that comes first."""
    games: Annotated[int, Field(ge=1)] = 64
    """Games played side by side."""
    steps: Annotated[int, Field(ge=1)] = 128
    """Answers of each game between two updates."""
    minibatch: Annotated[int, Field(ge=2)] = 2048
    epochs: Annotated[int, Field(ge=1)] = 4
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    gamma: Annotated[float, Field(gt=0, le=1)] = 0.995
    gae_lambda: Annotated[float, Field(ge=0, le=1)] = 0.95
    clip: Annotated[float, Field(gt=0)] = 0.2
    entropy: Annotated[float, Field(ge=0)] = 0.01
    layers: tuple[Annotated[int, Field(ge=1)], ...] = Field(default=(128, 128), strict=False)
    """Widths of the hidden layers, of the policy and of the value alike."""
    torch_threads: Annotated[int, Field(ge=1)] = 1
    evaluation_games: Annotated[int, Field(ge=1)] = 500

    @field_validator("table")
    @classmethod
    def _can_be_agreed(cls, table: dict[str, Any]) -> dict[str, Any]:
        SUBTERRA.options(**table)
        return table

    @model_validator(mode="after")
    def _minibatches_fit(self) -> "Config":
        batch = self.games * self.steps
        if batch % self.minibatch:
            raise ValueError(f"minibatch: {self.minibatch} does not divide games x steps, {batch}")
        return self


def load_config(path: Path, changes: Sequence[str] = ()) -> Config:
    """Reads a configuration from YAML. Raises `settings.ConfigError`; unknown keys are errors."""
    return load_settings(path, Config, changes)


@dataclass(frozen=True)
class Progress:
    """How far training is: answers so far and in all, seconds, mean share of the team saved of late."""

    decisions: int
    total: int
    seconds: float
    saved: float | None


@dataclass(frozen=True)
class Score:
    """How well games were played: mean share of the team on the exit with its standard error, share with a medal."""

    games: int
    saved: float
    error: float
    medals: float


@dataclass(frozen=True)
class Result:
    """A trained policy (an ``sb3_contrib.MaskablePPO``), its score beside that of random play on the same games."""

    model: Any
    trained: Score
    random: Score
    decisions: int
    seconds: float


def train(config: Config, progress: Callable[[Progress], None] | None = None, logger: Any = None) -> Result:
    """Trains and evaluates; ``progress`` is called after every batch, ``logger`` is one of Stable-Baselines3."""
    with torch_threads(config.torch_threads):
        start = perf_counter()
        model = new_model(config)
        if logger is not None:
            model.set_logger(logger)
        model.learn(config.decisions, callback=_watcher(config, progress, start))
        seconds = perf_counter() - start
        trained = evaluate(config, lambda seen, masks: model.predict(seen, action_masks=masks, deterministic=True)[0])
    model.env.close()
    return Result(model, trained, evaluate(config, random_choice(config.seed)), model.num_timesteps, seconds)


def new_model(config: Config) -> Any:
    """An untrained ``sb3_contrib.MaskablePPO`` at its games; it writes no files."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger
    from torch.nn import ReLU

    from subterra_env.envs.sb3 import SubTerraVecEnv

    env = SubTerraVecEnv(config.games, team=config.team, reward=config.reward, gamma=config.gamma, **config.table)
    layers = list(config.layers)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=config.learning_rate,
        n_steps=config.steps,
        batch_size=config.minibatch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        ent_coef=config.entropy,
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}, "activation_fn": ReLU},
        seed=config.seed,
        device="cpu",
    )
    model.set_logger(Logger(None, []))
    return model


def _watcher(config: Config, progress: Callable[[Progress], None] | None, start: float) -> Any:
    from stable_baselines3.common.callbacks import BaseCallback

    class Watcher(BaseCallback):
        """Tells how far training is, and stops it when its time is up."""

        def __init__(self) -> None:
            super().__init__()
            self.saved: deque[float] = deque(maxlen=GAMES_REMEMBERED)

        def _on_step(self) -> bool:
            self.saved.extend(info["saved"] for info in self.locals["infos"] if info)
            return config.seconds is None or perf_counter() - start < config.seconds

        def _on_rollout_end(self) -> None:
            if progress is not None:
                saved = float(np.mean(self.saved)) if self.saved else None
                progress(Progress(self.num_timesteps, config.decisions, perf_counter() - start, saved))

    return Watcher()


def random_choice(seed: int) -> Choose:
    """Any legal action, each as likely as the others."""
    rng = np.random.default_rng(seed)

    def choose(_: np.ndarray, masks: np.ndarray) -> np.ndarray:
        chosen: np.ndarray = (masks * rng.random(masks.shape)).argmax(axis=1)
        return chosen

    return choose


def evaluate(config: Config, choose: Choose) -> Score:
    """Plays the evaluation games, the same for whoever plays, to their end."""
    from subterra_env.envs.vector import SubTerraVectorEnv

    games = config.evaluation_games
    env = SubTerraVectorEnv(games, team=config.team, illegal="error", **config.table)
    seen, info = env.reset(seed=FIRST_EVALUATION_SEED)
    saved, medals, over = np.zeros(games), np.zeros(games, np.bool_), np.zeros(games, np.bool_)
    while not over.all():
        seen, _, terminated, truncated, info = env.step(choose(seen, info["action_mask"]))
        for i in np.flatnonzero((terminated | truncated) & ~over):
            saved[i] = info["final_info"]["saved"][i]
            medals[i] = info["final_info"]["medal"][i] in MEDALS
            over[i] = True
    env.close()
    return Score(games, float(saved.mean()), float(saved.std() / np.sqrt(games)), float(medals.mean()))


def run(config: Config, folder: Path) -> None:
    """Trains with Stable-Baselines3's own log in a folder, prints both scores, and leaves a checkpoint there."""
    from stable_baselines3.common.logger import configure

    result = train(config, _print_progress, configure(str(folder), ["tensorboard"]))
    for name, score in (("random", result.random), ("trained", result.trained)):
        print(f"{name:8} saved {score.saved:.3f} ± {score.error:.3f}, medals {score.medals:.1%} of {score.games} games")
    trained = provenance(config.model_dump(mode="json"), result.decisions, result.seconds)
    scores = {"evaluation seeds": asdict(result.trained)}
    converted(result.model, value_unit=config.reward, trained=trained, scores=scores).write(folder / CHECKPOINT)


def converted(model: Any, **card: Any) -> Checkpoint:
    """A ``MaskablePPO`` with ReLU as a checkpoint, so that nobody has to unpickle Stable-Baselines3's zip."""
    weights = model.policy.state_dict()
    ends = {"policy": ("mlp_extractor.policy_net", "action_net"), "value": ("mlp_extractor.value_net", "value_net")}
    arrays, widths = dict[str, np.ndarray](), dict[str, tuple[int, ...]]()
    for part, (hidden, last) in ends.items():
        layers = sorted({int(name.split(".")[2]) for name in weights if name.startswith(hidden)})
        names = [*(f"{hidden}.{layer}" for layer in layers), last]
        for number, name in enumerate(names):
            arrays[f"{part}.{number}.weight"] = weights[f"{name}.weight"].cpu().numpy().T
            arrays[f"{part}.{number}.bias"] = weights[f"{name}.bias"].cpu().numpy()
        widths[part] = tuple(arrays[f"{part}.{number}.bias"].size for number in range(len(layers)))
    return Checkpoint(card_here(Architecture(policy=widths["policy"], value=widths["value"]), **card), arrays)


def _print_progress(at: Progress) -> None:
    saved = "-" if at.saved is None else f"{at.saved:.3f}"
    print(f"{at.decisions:>9} of {at.total} decisions, {at.seconds:5.1f} s, saved {saved}", flush=True)
