"""Datasets, learning from a planner's games, and expert iteration."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402
from subterra_env.agents.base import load  # noqa: E402
from subterra_env.agents.checkpoint import read_checkpoint  # noqa: E402
from subterra_env.agents.mlp import packed  # noqa: E402
from subterra_env.agents.suites import team_of  # noqa: E402
from subterra_env.agents.tournament import Fixture, play  # noqa: E402
from subterra_env.train import expert_iteration  # noqa: E402
from subterra_env.train.command import run  # noqa: E402
from subterra_env.train.dataset import (  # noqa: E402
    Dataset,
    DatasetError,
    Task,
    joined,
    played,
    questions_of,
    questions_played,
    read_dataset,
    write_dataset,
)
from subterra_env.train.imitate import ImitateConfig, Run, train  # noqa: E402
from subterra_env.train.judging import games_played, greedy  # noqa: E402
from subterra_env.train.running import AGREEMENT, BEST, LAST, RESUME, Progress  # noqa: E402
from subterra_env.train.settings import ConfigError, settings_from  # noqa: E402

from subterra_env.envs.rewards import MEDALS  # noqa: E402
from subterra_env.game import SUBTERRA, luck_key  # noqa: E402

SMALL = SUBTERRA.options(stack_tiles=6)
ARCHITECTURE = {"trunk": [32], "policy": [32], "value": [32]}


def tasks(games: int, agent: str = "rules") -> list[Task]:
    return [Task(agent, SMALL, seed, seed) for seed in range(games)]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("data") / "games.parquet"
    write_dataset(played(tasks(120), 1), path)
    return path


def same(one: Dataset, other: Dataset) -> bool:
    return all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in zip(one, other, strict=True))


def test_a_record_and_the_game_played_give_the_same_questions() -> None:
    agent = load("rules")
    record = SUBTERRA.record.read_one(list(SUBTERRA.record.play_record(SMALL, 5, agent.act)))
    assert same(questions_of(record, 3), questions_played(agent, SMALL, 5, 3))


def test_questions_are_what_the_caver_asked_saw(file: Path) -> None:
    data = read_dataset(file)
    states = SUBTERRA.record.begun(SMALL, luck_key(0))
    SUBTERRA.engine.settle_chance(states)
    assert np.array_equal(data.seen[0], SUBTERRA.observation.observe(states, 0, None, "flat"))
    assert (data.answer == data.hint).all(), "the rules bot gave the answers"
    assert (data.legal.sum(axis=1) > 1).all()
    games = data.game.max() + 1
    assert games == 120
    for game in (0, 7):
        assert len(np.unique(data.utility[data.game == game])) == 1
    assert np.allclose(np.where(data.utility >= 1, data.utility - 1, data.utility), data.saved)


def test_a_dataset_is_read_as_it_was_written(file: Path) -> None:
    data, again = read_dataset(file), joined(played([task._replace(game=0) for task in tasks(120)], 1))
    assert same(data, again)
    assert {field.name for field in pq.read_schema(file)} == set(Dataset._fields)


def test_processes_change_nothing(tmp_path: Path) -> None:
    assert same(joined(played(tasks(4), 1)), joined(played(tasks(4), 2)))


def test_a_game_in_progress_is_refused() -> None:
    lines = list(SUBTERRA.record.play_record(SMALL, 5, load("rules").act))[:-3]
    with pytest.raises(DatasetError, match="record 1 is of a game that is not over"):
        questions_of(SUBTERRA.record.read_one(lines), 0)


def changed(file: Path, path: Path, **columns: Any) -> Path:
    table = pq.read_table(file)
    for name, change in columns.items():
        array = table.column(name).combine_chunks().to_numpy(zero_copy_only=False).copy()
        change(array)
        at = table.schema.get_field_index(name)
        table = table.set_column(at, table.schema.field(name), pa.array(array, table.schema.field(name).type))
    pq.write_table(table, path)
    return path


def _illegal(answers: np.ndarray) -> None:
    answers[3] = 97


def _too_much(utilities: np.ndarray) -> None:
    utilities[3] = 9.0


@pytest.mark.parametrize(
    ("columns", "fault"),
    [({"answer": _illegal}, "an answer is not legal"), ({"utility": _too_much}, r"utility is not between 0 and 2\.0")],
)
def test_wrong_values_are_refused(file: Path, tmp_path: Path, columns: dict[str, Any], fault: str) -> None:
    with pytest.raises(DatasetError, match=fault):
        read_dataset(changed(file, tmp_path / "wrong.parquet", **columns))


def test_other_files_are_refused(file: Path, tmp_path: Path) -> None:
    table = pq.read_table(file)
    pq.write_table(table.drop_columns(["saved"]), tmp_path / "columns.parquet")
    pq.write_table(table.replace_schema_metadata({}), tmp_path / "nothing.parquet")
    (tmp_path / "text.parquet").write_text("no Parquet")
    for name, fault in (
        ("columns", "its columns are not"), ("nothing", "made for game None; here it is"), ("text", "no Parquet file"),
        ("missing", "No such file"),
    ):  # fmt: skip
        with pytest.raises(DatasetError, match=fault):
            read_dataset(tmp_path / f"{name}.parquet")


def config(file: Path, **changes: Any) -> ImitateConfig:
    given = {
        "trainer": "imitate", "datasets": [str(file)], "epochs": 6, "minibatch": 256, "architecture": ARCHITECTURE,
        "table": {"stack_tiles": 6}, "evaluation_games": 8,
    }  # fmt: skip
    return settings_from({**given, **changes}, ImitateConfig, "test")


def untold(at: Progress) -> None:
    """Somebody who does not listen."""


def told_of(settings: ImitateConfig) -> list[Progress]:
    progress: list[Progress] = []
    train(settings, None, progress.append)
    return progress


def test_it_learns_what_the_planner_answers_and_how_games_end(file: Path) -> None:
    told = told_of(config(file, symmetries=False))
    assert told[-1].numbers[AGREEMENT] > told[0].numbers[AGREEMENT]
    assert told[-1].numbers[AGREEMENT] > 0.5
    assert told[-1].numbers["held_out/cross_entropy"] < told[0].numbers["held_out/cross_entropy"]
    assert all(at.score is not None for at in told)


def test_with_hints_the_rules_bot_is_foretold_at_once(file: Path) -> None:
    told = told_of(config(file, epochs=1, symmetries=False, architecture={"hint": True, **ARCHITECTURE}))
    assert told[0].numbers[AGREEMENT] > 0.99


def test_it_starts_from_a_checkpoint(file: Path, tmp_path: Path) -> None:
    progress: list[Progress] = []
    train(config(file), tmp_path, progress.append)
    first = str(tmp_path / LAST)
    told = told_of(config(file, epochs=1, learning_rate=1e-9, start=first))
    assert told[0].numbers[AGREEMENT] == pytest.approx(progress[-1].numbers[AGREEMENT], abs=0.02)
    with pytest.raises(ConfigError, match="architecture"):
        Run(config(file, start=first, architecture={"policy": [4]}), None)


def weights(run: Run) -> bytes:
    return b"".join(array.tobytes() for array in run.network.arrays().values())


def test_it_goes_on_bit_for_bit(file: Path, tmp_path: Path) -> None:
    """Broken off in an epoch that was not judged, it goes on from the last one that was."""
    epoch = Run(config(file), None).total // 6
    settings = config(file, epochs=4, evaluate_every=2 * epoch)
    whole = train(settings, tmp_path / "whole", untold)

    def stop(at: Progress) -> None:
        if at.decisions > 2 * epoch:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(settings, tmp_path / "parts", stop)
    rest: list[Progress] = []
    parts = train(settings, tmp_path / "parts", rest.append)
    assert [at.decisions for at in rest] == [3 * epoch, 4 * epoch]
    assert weights(parts) == weights(whole)
    assert {path.name for path in (tmp_path / "parts").iterdir()} == {BEST, LAST, RESUME}


def test_the_benchmark_and_games_side_by_side_end_the_same(file: Path, tmp_path: Path) -> None:
    """In-process evaluation, the benchmark and the adviser ask the same network."""
    train(config(file), tmp_path, untold)
    path = tmp_path / LAST
    rows = [
        play(Fixture(agent=f"policy:checkpoint={path}", budget=None, suite="dev", cell="normal-4", game=game))
        for game in range(12)
    ]
    tables = [SUBTERRA.options(cavers=team_of("normal-4", game)) for game in range(12)]
    ends = games_played(greedy(packed(read_checkpoint(path))), tables, [luck_key(row.seed) for row in rows])
    assert [(end.ending, end.saved * 4, end.rounds) for end in ends] == [
        (row.ending, row.saved, row.rounds) for row in rows
    ]
    view = SUBTERRA.view(SUBTERRA.record.begun(SMALL))
    SUBTERRA.engine.settle_chance(view)
    advice = load(f"policy:checkpoint={path}").advise(view, 1)
    mask = np.zeros((1, SUBTERRA.actions.ACTIONS), np.int8)
    SUBTERRA.engine.legal_masks(view, mask)
    chosen = load(f"policy:checkpoint={path}").act(view, mask[0], np.random.default_rng(0))
    assert advice[0].action == chosen


def test_expert_iteration_goes_round_and_goes_on(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = tmp_path / "start" / LAST
    train(config(file), start.parent, untold)
    (tmp_path / "run.yaml").write_text(
        f"trainer: expert_iteration\nstart: {start}\nsims: 20\nrounds: 1\ngames: 4\n"
        "tables: [{stack_tiles: 6}]\nevaluation_games: 8\nlearning: {epochs: 1}\n"
    )
    folder = run(tmp_path / "run.yaml", [], tmp_path / "out")
    names = {"games-0.parquet", "round-0", BEST, LAST, "config.yaml"}
    assert {path.name for path in folder.iterdir()} == names
    before = (folder / "games-0.parquet").stat().st_mtime_ns
    run(tmp_path / "run.yaml", ["rounds=2"], folder)
    assert (folder / "games-0.parquet").stat().st_mtime_ns == before, "what is there is not made again"
    assert (folder / "round-1" / LAST).exists()
    scores = read_checkpoint(folder / BEST).card.scores["evaluation seeds"]
    assert scores["games"] == 8
    assert scores["success"] == pytest.approx(sum(scores[medal] for medal in MEDALS))
    assert expert_iteration.load_config(tmp_path / "run.yaml").games == 4
