"""Expert iteration: search guided by the network makes games, the network learns from them, and so on.

Anthony, Tian and Barber 2017. Each round leaves ``games-N.parquet`` and a folder ``round-N`` of `imitate` in the run's
folder; a run that was broken off goes on where it was. ``best.safetensors`` is the network that plays best without
search, ``last.safetensors`` that of the last round.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from rich.console import Console
from rich.progress import track
from subterra_env.agents.checkpoint import Checkpoint, read_checkpoint
from subterra_env.agents.mlp import packed
from subterra_env.train import imitate
from subterra_env.train.dataset import Task, played, write_dataset
from subterra_env.train.judging import Score, games_played, greedy, score_of
from subterra_env.train.running import BEST, LAST
from subterra_env.train.settings import FIRST_EVALUATION_SEED, Agreed, Settings, load_settings

from subterra_env.game import SUBTERRA, luck_key

_Count = Annotated[int, Field(ge=1)]


class LearningSettings(Settings):
    """How each round learns; as in `imitate.ImitateConfig`."""

    epochs: _Count = 4
    minibatch: _Count = 1024
    learning_rate: Annotated[float, Field(gt=0)] = 5e-4
    value_weight: Annotated[float, Field(ge=0)] = 0.5
    symmetries: bool = True


class ExpertConfig(Settings):
    """One run."""

    trainer: Literal["expert_iteration"]
    start: str
    """The checkpoint to begin with; its values must be of utility."""
    agent: str = "net-search"
    """Who makes the games, with parameters; the round's network is added to them."""
    sims: _Count = 200
    """Simulations a question."""
    rounds: _Count = 3
    games: Annotated[int, Field(ge=2)] = 200
    """Games a round."""
    window: _Count = 3
    """Rounds whose games are learned from."""
    tables: Annotated[tuple[Agreed, ...], Field(min_length=1, strict=False)] = ({},)
    """What is agreed, in turn; every team of the size in turn unless ``cavers`` says who goes."""
    seed: Annotated[int, Field(ge=0, lt=FIRST_EVALUATION_SEED)] = 0
    jobs: _Count = 1
    evaluation_games: _Count = 280
    learning: LearningSettings = LearningSettings()


def load_config(path: Path, changes: Sequence[str] = ()) -> ExpertConfig:
    """Reads a configuration. Raises `settings.ConfigError`."""
    return load_settings(path, ExpertConfig, changes)


def run(config: ExpertConfig, folder: Path) -> None:
    """Goes through the rounds, told of on the console."""
    console = Console(highlight=False)
    newest, best = Path(config.start), -1.0
    for number in range(config.rounds):
        games, learned = folder / f"games-{number}.parquet", folder / f"round-{number}"
        if not games.exists():
            _make_games(config, number, newest, games)
        imitate.run(_learning(config, number, newest, folder), learned)
        newest = learned / LAST
        score = judged(config, read_checkpoint(newest))
        console.print(f"round {number + 1}: not defeated {score.success:.1%} ({score.low:.1%} to {score.high:.1%})")
        _keep(newest, score, folder / LAST)
        if score.success + score.saved > best:
            best = score.success + score.saved
            _keep(newest, score, folder / BEST)


def _keep(newest: Path, score: Score, path: Path) -> None:
    checkpoint = read_checkpoint(newest)
    card = checkpoint.card.model_copy(update={"scores": {"evaluation seeds": asdict(score)}})
    Checkpoint(card, checkpoint.arrays).write(path)


def _make_games(config: ExpertConfig, number: int, newest: Path, path: Path) -> None:
    agent = f"{config.agent}{',' if '=' in config.agent else ':'}checkpoint={newest.resolve()},sims={config.sims}"
    first = config.seed + number * config.games
    tasks = [Task(agent, table_of(config, first + game), first + game, game) for game in range(config.games)]
    write_dataset(track(played(tasks, config.jobs), f"games of round {number + 1}", total=len(tasks)), path)


def table_of(config: ExpertConfig, game: int) -> Any:
    """What is agreed in a game: tables and teams in turn."""
    table = config.tables[game % len(config.tables)]
    if "cavers" in table:
        return SUBTERRA.options(**table)
    teams = SUBTERRA.coats.teams(len(SUBTERRA.options().cavers))
    return SUBTERRA.options(cavers=teams[game // len(config.tables) % len(teams)], **table)


def _learning(config: ExpertConfig, number: int, newest: Path, folder: Path) -> imitate.ImitateConfig:
    datasets = [str(folder / f"games-{n}.parquet") for n in range(max(0, number + 1 - config.window), number + 1)]
    return imitate.ImitateConfig(
        trainer="imitate", datasets=tuple(datasets), start=str(newest), seed=config.seed + number,
        architecture=read_checkpoint(newest).card.architecture, table=config.tables[0],
        evaluation_games=config.evaluation_games, **config.learning.model_dump(),
    )  # fmt: skip


def judged(config: ExpertConfig, checkpoint: Checkpoint) -> Score:
    """How the network plays the evaluation games without search."""
    games = range(config.evaluation_games)
    keys = [luck_key(FIRST_EVALUATION_SEED + game) for game in games]
    return score_of(games_played(greedy(packed(checkpoint)), [table_of(config, game) for game in games], keys))
