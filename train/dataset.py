"""Games as data to learn from: one Parquet row a question, with what the caver asked saw and how the game ended.

Columns: ``game`` int32, counted from 0 through the file; ``seen`` 448 x float32, the flat observation; ``legal`` 98 x
bool; ``hint`` uint8, the action id the rules bot would give; ``answer`` uint8, the one given; ``utility`` float32, the
share of the team saved and one more for a medal; ``saved`` float32, that share. Questions with a single legal answer
are left out. The file's metadata names the game, its rules version and the fingerprints of actions and observations; a
file that differs is refused.
"""

import json
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from subterra_env.agents.base import Agent, load
from subterra_env.agents.evaluation import MOST_UTILITY, utilities_of
from subterra_env.agents.rules_bot import rules_action

from subterra_env.envs.expedition import game_states
from subterra_env.envs.rewards import outcome_of
from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra.terms import Node
from subterra_env.seeds import choices_generator

METADATA = b"subterra"
MOST_ROWS = 20_000_000
_SEEN, _LEGAL = SUBTERRA.observation.FLAT_SIZE, SUBTERRA.actions.ACTIONS


class DatasetError(ValueError):
    """A file that is no dataset for this program; the message says what differs."""


class Dataset(NamedTuple):
    """Questions, all arrays of the same length; types as in the file."""

    game: np.ndarray
    seen: np.ndarray
    legal: np.ndarray
    hint: np.ndarray
    answer: np.ndarray
    utility: np.ndarray
    saved: np.ndarray


def schema() -> pa.Schema:
    """The schema, with the metadata that this program writes."""
    fields = {
        "game": pa.int32(), "seen": pa.list_(pa.float32(), _SEEN), "legal": pa.list_(pa.bool_(), _LEGAL),
        "hint": pa.uint8(), "answer": pa.uint8(), "utility": pa.float32(), "saved": pa.float32(),
    }  # fmt: skip
    return pa.schema(list(fields.items()), {METADATA: json.dumps(_made_for()).encode()})


def _made_for() -> dict[str, Any]:
    return {
        "game": SUBTERRA.name, "rules_version": SUBTERRA.rules_version, "actions": SUBTERRA.actions.fingerprint(),
        "observations": SUBTERRA.observation.fingerprint(),
    }  # fmt: skip


def questions_of(record: Any, game: int) -> Dataset:
    """The questions of one record (`record.Record`) that left a choice. Raises `DatasetError` if it has no end."""
    if not record.finished:
        raise DatasetError(f"record {game + 1} is of a game that is not over; its end is what is learned")
    replay = SUBTERRA.record.Replay(record)
    states = np.concatenate([replay.to(at) for at in range(len(replay))])
    return _questions(states, np.array(record.choices), replay.to(len(replay)), game)


def questions_played(agent: Agent, agreed: Any, seed: int, game: int) -> Dataset:
    """The questions of a game that an agent plays with the luck of a seed; what it is shown is without the luck key."""
    states, rng = SUBTERRA.record.begun(agreed, luck_key(seed)), choices_generator(seed)
    masks = np.zeros((1, _LEGAL), np.int8)
    stood, given = list[np.ndarray](), list[int]()
    SUBTERRA.engine.settle_chance(states)
    while states["node"][0] == Node.ASK:
        SUBTERRA.engine.legal_masks(states, masks)
        stood.append(states.copy())
        given.append(agent.act(SUBTERRA.view(states), masks[0], rng))
        SUBTERRA.engine.step(states, given[-1])
    return _questions(np.concatenate(stood), np.array(given), states, game)


def _questions(states: np.ndarray, choices: np.ndarray, last: np.ndarray, game: int) -> Dataset:
    own = game_states(SUBTERRA, states)
    legal = np.zeros((len(own), _LEGAL), np.int8)
    SUBTERRA.engine.legal_masks(own, legal)
    asked = np.flatnonzero(legal.sum(axis=1) > 1)
    seen = SUBTERRA.observation.observe_each(own, asked, own["asked"][asked], "flat")
    n = len(asked)
    ends = [np.full(n, end, np.float32) for end in (utilities_of(last)[0], outcome_of(SUBTERRA, last).saved)]
    hints = np.array([rules_action(own[i : i + 1]) for i in asked], np.uint8)
    answers = choices[asked].astype(np.uint8)
    return Dataset(np.full(n, game, np.int32), seen, legal[asked].astype(np.bool_), hints, answers, *ends)


def write_dataset(games: Iterable[Dataset], path: Path) -> int:
    """Writes the questions of games, a row group each, whole or not at all; how many questions."""
    rows, unfinished = 0, path.with_name(path.name + ".part")
    with pq.ParquetWriter(unfinished, schema(), compression="zstd") as writer:
        for questions in games:
            writer.write_table(_table(questions))
            rows += len(questions.answer)
    unfinished.replace(path)
    return rows


class Task(NamedTuple):
    """A game to be played: by whom (a name that `agents.base.load` knows), what is agreed, the luck."""

    agent: str
    agreed: Any
    seed: int
    game: int


def played(tasks: Sequence[Task], jobs: int) -> Iterator[Dataset]:
    """The questions of games, in order, played in so many processes."""
    if jobs == 1:
        yield from map(_play, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_play, tasks)


def _play(task: Task) -> Dataset:
    return questions_played(_agent(task.agent), task.agreed, task.seed, task.game)


@cache
def _agent(name: str) -> Agent:
    return load(name)


def _table(questions: Dataset) -> pa.Table:
    columns = []
    for field, array in zip(schema(), questions, strict=True):
        flat = pa.array(array.reshape(-1))
        columns.append(pa.FixedSizeListArray.from_arrays(flat, type=field.type) if array.ndim == 2 else flat)
    return pa.Table.from_arrays(columns, schema=schema())


def read_dataset(path: Path) -> Dataset:
    """Reads and checks a file. Raises `DatasetError`."""
    try:
        file = pq.ParquetFile(path)
        _check_made_for(file, path)
        table = file.read()
    except OSError as error:
        raise DatasetError(f"{path}: {error.strerror or error}") from None
    except (pa.ArrowException, ValueError) as error:
        raise error if isinstance(error, DatasetError) else DatasetError(f"{path}: no Parquet file: {error}") from None
    found = Dataset(*(_array(table.column(name), path) for name in Dataset._fields))
    _check(found, path)
    return found


def _check_made_for(file: pq.ParquetFile, path: Path) -> None:
    if not file.schema_arrow.equals(schema()):
        raise DatasetError(f"{path}: its columns are not those of a dataset")
    if file.metadata.num_rows > MOST_ROWS:
        raise DatasetError(f"{path}: {file.metadata.num_rows} rows; at most {MOST_ROWS}")
    made_for = json.loads((file.schema_arrow.metadata or {}).get(METADATA, b"{}"))
    for name, here in _made_for().items():
        if made_for.get(name) != here:
            raise DatasetError(f"{path}: made for {name} {made_for.get(name)}; here it is {here}")


def _array(column: pa.ChunkedArray, path: Path) -> np.ndarray:
    if column.null_count:
        raise DatasetError(f"{path}: a value is missing")
    whole = column.combine_chunks()
    if pa.types.is_fixed_size_list(whole.type):
        return whole.flatten().to_numpy(zero_copy_only=False).reshape(len(whole), whole.type.list_size)  # type: ignore[no-any-return]
    return whole.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _check(found: Dataset, path: Path) -> None:
    rows = np.arange(len(found.answer))
    if not len(rows):
        raise DatasetError(f"{path}: holds no questions")
    if not np.isfinite(found.seen).all():
        raise DatasetError(f"{path}: an observation holds numbers that are not finite")
    for answers in (found.hint, found.answer):
        if not (answers < _LEGAL).all() or not found.legal[rows, answers].all():
            raise DatasetError(f"{path}: an answer is not legal")
    if not ((found.utility >= 0) & (found.utility <= MOST_UTILITY)).all():
        raise DatasetError(f"{path}: a utility is not between 0 and {MOST_UTILITY}")


def joined(parts: Iterable[Dataset]) -> Dataset:
    """Datasets one after the other, games counted on."""
    parts = list(parts)
    counts = np.cumsum([0, *(int(part.game.max()) + 1 for part in parts[:-1])])
    games = [part.game + np.int32(first) for part, first in zip(parts, counts, strict=True)]
    rest = zip(*(part[1:] for part in parts), strict=True)
    return Dataset(np.concatenate(games), *(np.concatenate(columns) for columns in rest))


def recorded(paths: Iterable[Path]) -> Iterator[Dataset]:
    """The questions of games in files that ``subterra record`` has written.

    Raises `DatasetError`, ``record.RecordError``.
    """
    records = (record for path in paths for record in SUBTERRA.record.read(SUBTERRA.record.file_lines(path)))
    return (questions_of(record, game) for game, record in enumerate(records))
