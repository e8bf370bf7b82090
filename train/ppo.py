"""Trains a policy by PPO as a configuration says; see `ppo_learner` for the algorithm.

Beside TensorBoard's files a run's folder holds ``config.yaml`` (as it was run), ``best.safetensors`` and
``last.safetensors`` (checkpoints), and ``resume.safetensors``, from which the run goes on bit for bit.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from subterra_env.agents.checkpoint import Checkpoint, card_here, read_checkpoint, shapes_of
from subterra_env.agents.mlp import packed
from subterra_env.train.games import Games
from subterra_env.train.judging import Score, games_played, score_of
from subterra_env.train.network import precision, torch_threads
from subterra_env.train.ppo_learner import Learner, Update, summary
from subterra_env.train.ppo_settings import PpoConfig
from subterra_env.train.resuming import read_resume, write_resume
from subterra_env.train.settings import FIRST_EVALUATION_SEED, ConfigError, load_settings
from subterra_env.train.versions import provenance

from subterra_env.game import SUBTERRA, luck_key

BEST, LAST, RESUME = "best.safetensors", "last.safetensors", "resume.safetensors"


@dataclass(frozen=True)
class Progress:
    """How a run stands after a batch."""

    decisions: int
    total: int
    seconds: float
    stage: int
    update: Update
    of_late: dict[str, float]
    """Means over the last games, by name: `ppo_learner.summary`."""
    score: Score | None
    """The evaluation made after this batch, if one was."""


Watch = Callable[[Progress], None]


def load_config(path: Path, changes: Sequence[str] = ()) -> PpoConfig:
    """Reads a configuration. Raises `settings.ConfigError`."""
    return load_settings(path, PpoConfig, changes)


class Run:
    """A run under way: its learner, its clock, its best score."""

    def __init__(self, config: PpoConfig, folder: Path) -> None:
        """Begins anew. Raises `settings.ConfigError` if the checkpoint to start with does not fit."""
        self.config, self.folder = config, folder
        games = Games(
            config.games, config.curriculum, config.team, config.reward, config.gamma, config.kept,
            central=config.critic == "state", hint=config.architecture.hint,
        )  # fmt: skip
        games.begin(config.seed)
        self.learner = Learner(config, games)
        self.seconds, self.evaluated, self.best = 0.0, 0, -1.0
        if config.start is not None:
            self._start_from(read_checkpoint(Path(config.start)))

    def _start_from(self, checkpoint: Checkpoint) -> None:
        if checkpoint.card.architecture != self.config.architecture_kept:
            raise ConfigError(f"start: its architecture is {checkpoint.card.architecture}")
        self.learner.take(checkpoint.arrays)

    def go_on(self, watch: Watch) -> None:
        """Trains to the end; ``watch`` is told after every batch."""
        config, learner = self.config, self.learner
        with torch_threads(config.torch_threads), precision(config.precision):
            while not self._is_done():
                begun = time.perf_counter()
                learner.play()
                update = learner.learn()
                of_late = summary(learner.endings) if learner.endings else {}
                if len(learner.endings) == learner.endings.maxlen and learner.games.go_on(of_late["success"]):
                    learner.endings.clear()
                score = self._evaluate() if self._evaluation_is_due() else None
                self.seconds += time.perf_counter() - begun
                stage = learner.games.stage
                watch(Progress(learner.decisions, config.decisions, self.seconds, stage, update, of_late, score))
                if score is not None:
                    self._keep(score)

    def _is_done(self) -> bool:
        out_of_time = self.config.seconds is not None and self.seconds >= self.config.seconds
        return out_of_time or self.learner.decisions >= self.config.decisions

    def _evaluation_is_due(self) -> bool:
        due = self.learner.decisions >= self.evaluated + self.config.evaluate_every
        return due or self.learner.decisions >= self.config.decisions

    def _evaluate(self) -> Score:
        """Plays the evaluation games of the last stage, each team in turn."""
        self.evaluated = self.learner.decisions
        table, games = self.config.curriculum[-1].table, self.config.evaluation_games
        named = SUBTERRA.options(**table)
        teams = SUBTERRA.coats.teams(len(named.cavers)) if self.config.team == "random" else [named.cavers]
        rest = {name: value for name, value in table.items() if name != "cavers"}
        tables = [SUBTERRA.options(cavers=teams[i % len(teams)], **rest) for i in range(games)]
        keys = [luck_key(FIRST_EVALUATION_SEED + i) for i in range(games)]
        return score_of(games_played(packed(self._checkpoint(None)), tables, keys))

    def _checkpoint(self, score: Score | None) -> Checkpoint:
        trained = provenance(self.config.model_dump(mode="json"), self.learner.decisions, self.seconds)
        scores = {} if score is None else {"last stage, evaluation seeds": asdict(score)}
        architecture, arrays = self.config.architecture_kept, self.learner.arrays()
        kept = {name: arrays[name] for name in shapes_of(architecture)}
        unit = None if architecture.value is None else self.config.reward
        return Checkpoint(card_here(architecture, value_unit=unit, trained=trained, scores=scores), kept)

    def _keep(self, score: Score) -> None:
        checkpoint = self._checkpoint(score)
        checkpoint.write(self.folder / LAST)
        if score.success + score.saved > self.best:
            self.best = score.success + score.saved
            checkpoint.write(self.folder / BEST)
        write_resume(self, self.folder / RESUME)


def run(config: PpoConfig, folder: Path) -> None:
    """`train`, shown on the console and to TensorBoard."""
    from subterra_env.train.console import Log  # which knows this module

    under_way = begun(config, folder)
    with Log(config, folder) as log:
        under_way.go_on(log)


def train(config: PpoConfig, folder: Path, watch: Watch) -> Run:
    """Trains as a configuration says, from where the folder's last run broke off if there is one.

    Raises `settings.ConfigError` if that was of another configuration.
    """
    under_way = begun(config, folder)
    under_way.go_on(watch)
    return under_way


def begun(config: PpoConfig, folder: Path) -> Run:
    """A new run, or the one of that folder where it broke off. Raises `settings.ConfigError`."""
    folder.mkdir(parents=True, exist_ok=True)
    found = Run(config, folder)
    if (folder / RESUME).exists():
        read_resume(found, folder / RESUME)
    return found
