"""The table: one game in words, with luck or with chance stated; whatever goes wrong leaves it as it was."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import subterra_env
from subterra_env.game import (
    SUBTERRA,
    Asked,
    Awaited,
    Game,
    IllegalAnswer,
    ImpossibleOutcome,
    OptionsError,
    RecordError,
    Table,
    WordError,
    luck_key,
)

GEOLOGIST_FIRST = ("geologist", "scout", "medic", "leader")


def snapshot(table: Table) -> tuple[bytes, list[str], str]:
    return table.view().tobytes(), table.record(), repr(table)


def played_out(table: Table) -> Table:
    """Every caver does the first thing that is legal, until the game is over."""
    while table.question:
        table.play(table.legal()[0])
    return table


def over() -> Table:
    return played_out(Table(max_rounds=1))


# what is asked


def test_the_first_question() -> None:
    table = Table(cavers=("scout", "medic", "leader", "diver"), difficulty="normal", rules="official", seed=7)
    assert table.question == Asked("turn", "scout")
    assert str(table.question) == "the scout is asked: turn"
    assert "explore east" in table.legal()
    assert table.result is None
    with pytest.raises(FrozenInstanceError):
        table.question.word = "run"  # type: ignore[misc]


def test_the_defaults_are_those_of_the_options() -> None:
    assert Table().agreed == subterra_env.options()


def test_an_answer_leads_to_the_next_question() -> None:
    table = Table()
    table.play("explore east", outcomes=["gas corner"])
    assert table.question == Asked("place", "scout")
    assert table.legal() == ["place drawn 2", "place drawn 3", "discard"]


def test_the_end_of_the_game() -> None:
    table = over()
    assert table.question is None
    assert table.legal() == []
    assert table.result
    assert (table.result.end, table.result.rounds, len(table.result.left_behind)) == ("truncated", 1, 4)
    assert str(table.result) == "truncated after 1 round; left behind: scout, medic, leader, diver"
    with pytest.raises(IllegalAnswer, match="the game is over: truncated after 1 round"):
        table.play("end turn")


# luck and stated chance


def test_the_same_seed_is_the_same_game() -> None:
    assert snapshot(played_out(Table(seed=3, max_rounds=3))) == snapshot(played_out(Table(seed=3, max_rounds=3)))
    assert played_out(Table(seed=3, max_rounds=3)).record() != played_out(Table(seed=4, max_rounds=3)).record()


def test_with_luck_the_table_never_waits_for_chance() -> None:
    assert isinstance(Table(cavers=GEOLOGIST_FIRST).question, Asked)


def test_without_luck_chance_is_awaited() -> None:
    table = Table(seed=None, cavers=GEOLOGIST_FIRST)
    assert isinstance(table.question, Awaited)
    assert (table.question.word, table.question.purpose, table.question.caver) == ("tile", "reserve", None)
    assert table.question.odds()["gas corner"] == pytest.approx(6 / 64)
    assert sum(table.question.odds().values()) == pytest.approx(1)
    assert table.legal() == []
    table.chance("gas corner")
    assert str(table.question) == "the geologist is asked: turn"
    assert "in reserve: gas corner" in str(table)


def test_a_die_is_awaited_for_somebody_and_something() -> None:
    table = Table(seed=None)
    table.play("hide")
    assert str(table.question) == "chance decides: die for hide, the scout's"
    assert isinstance(table.question, Awaited)
    assert table.question.odds() == {number: pytest.approx(1 / 6) for number in range(1, 7)}


def test_stated_outcomes_come_before_luck() -> None:
    table = Table(seed=7)
    for _ in range(3):
        table.play("end turn")
    table.play("end turn", outcomes=["tremor", 6, 6])
    dice = [line for line in table.record() if '"for": "tremor"' in line]
    assert len(dice) == 4
    assert [line.endswith('"outcome": 6}') for line in dice[:2]] == [True, True]
    assert table.question == Asked("turn", "medic")


def test_without_luck_events_that_nobody_stated_are_awaited() -> None:
    table = Table(seed=None)
    for _ in range(3):
        table.play("end turn")
    table.play("end turn", outcomes=["tremor", 6, 6])
    assert isinstance(table.question, Awaited)
    assert (table.question.purpose, table.question.caver) == ("tremor", "leader")


def test_luck_key_zero_is_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subterra_env.game.luck_key", lambda seed: np.uint64(0))
    table = Table()
    table.play("hide")
    assert isinstance(table.question, Asked)


# errors


def at_chance() -> Table:
    table = Table(seed=None)
    table.play("explore east")
    return table


WRONG: dict[str, tuple[Callable[[], Table], Callable[[Table], None], type[ValueError], str]] = {
    "unreadable": (Table, lambda table: table.play("go east"), WordError, "explore east"),
    "illegal": (Table, lambda table: table.play("swim east"), IllegalAnswer, "explore east"),
    "answer to chance": (at_chance, lambda table: table.play("move east"), IllegalAnswer, "gas corner"),
    "unreadable at chance": (at_chance, lambda table: table.play("gas corner"), WordError, "gas corner"),
    "impossible": (at_chance, lambda table: table.chance("flood"), ImpossibleOutcome, "gas corner"),
    "chance at a question": (Table, lambda table: table.chance(4), ImpossibleOutcome, "explore east"),
    "wrong first outcome": (Table, lambda table: table.play("hide", [7]), ImpossibleOutcome, "1, 2, 3, 4, 5, 6"),
    "wrong later outcome": (
        Table,
        lambda table: table.play("explore east", ["gas corner", "tremor"]),
        ImpossibleOutcome,
        "place drawn 2, place drawn 3, discard",
    ),
    "outcome without event": (Table, lambda table: table.play("end turn", [4]), ImpossibleOutcome, "explore east"),
    "answer after the end": (over, lambda table: table.play("end turn"), IllegalAnswer, "the game is over"),
    "chance after the end": (over, lambda table: table.chance(4), ImpossibleOutcome, "the game is over"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_say_what_was_possible_and_change_nothing(name: str) -> None:
    set_up, go_wrong, error, possible = WRONG[name]
    table = set_up()
    before = snapshot(table)
    with pytest.raises(error) as raised:
        go_wrong(table)
    assert type(raised.value) is error
    assert possible in str(raised.value)
    assert "\n" not in str(raised.value)
    assert snapshot(table) == before


def test_an_outcome_alone_is_not_a_list_of_outcomes() -> None:
    table = Table()
    with pytest.raises(TypeError, match=r"a list such as \['gas corner'\]"):
        table.play("explore east", outcomes="gas corner")
    assert snapshot(table) == snapshot(Table())


@pytest.mark.parametrize(
    ("agreed", "fault"),
    [
        ({"cavers": ("scout", "medic", "leader", "wizard")}, "no such caver: wizard"),
        ({"cavers": ("scout", "medic", "leader")}, "takes 4 to 6"),
        ({"extra_hazard_cards": 4}, "room for 0 to 3"),
        ({"colour": "red"}, "no such option"),
        ({"first": "random", "seed": None}, "needs a seed"),
    ],
)
def test_what_cannot_be_agreed_is_refused(agreed: dict[str, object], fault: str) -> None:
    with pytest.raises(OptionsError, match=fault):
        Table(**agreed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_seeds_are_whole_numbers(seed: object) -> None:
    with pytest.raises(ValueError, match="seed: a whole number from 0 on"):
        Table(seed=seed)  # type: ignore[arg-type]


# copies, records, positions


def test_copies_go_their_own_ways() -> None:
    table = Table()
    before = snapshot(table)
    other = table.copy()
    other.play("explore east", ["gas corner"])
    assert snapshot(table) == before
    assert snapshot(other) != before
    table.play("explore east", ["gas corner"])
    assert snapshot(table) == snapshot(other)


def test_nobody_is_shown_the_luck_key() -> None:
    assert Table(seed=7).view()["luck"] == 0
    assert Table(seed=7).view().tobytes() == Table(seed=8).view().tobytes()


def test_a_record_is_the_game_again() -> None:
    table = played_out(Table(seed=5, cavers=GEOLOGIST_FIRST, max_rounds=4, first="random"))
    assert snapshot(Table.from_record(table.record())) == snapshot(table)
    assert snapshot(Table.from_record("\n".join(table.record()))) == snapshot(table)


def test_from_any_event_of_a_record_the_same_luck_goes_on() -> None:
    table = played_out(Table(seed=5, max_rounds=2))
    lines = table.record()
    for events in range(len(lines) - 2):
        again = Table.from_record(lines, seed=5, events=events)
        answers = [line.partition('"do": "')[2].removesuffix('"}') for line in lines[1:-1] if line.startswith('{"ask"')]
        done = sum(line.startswith('{"ask"') for line in again.record())
        for answer in answers[done:]:
            again.play(answer)
        assert snapshot(again) == snapshot(table)


def test_without_a_seed_a_record_goes_on_with_chance_stated() -> None:
    table = Table.from_record(Table(seed=5).record())
    table.play("explore east")
    assert isinstance(table.question, Awaited)


def test_a_wrong_record_is_refused() -> None:
    with pytest.raises(RecordError, match="line 2"):
        Table.from_record([*Table().record(), "{}"])
    with pytest.raises(IndexError, match="0 to 0"):
        Table.from_record(Table().record(), events=1)


def test_a_position_goes_there_and_back() -> None:
    table = Table(seed=7)
    table.play("explore east", ["gas corner"])
    table.play("place drawn 2")
    again = Table.from_json(table.to_json(), seed=7)
    assert again.view().tobytes() == table.view().tobytes()
    assert again.to_json() == table.to_json()
    again.play("explore south")
    table.play("explore south")
    assert again.view().tobytes() == table.view().tobytes()
    with pytest.raises(ValueError, match="set from a position"):
        again.record()


def test_a_position_without_a_seed_has_no_luck() -> None:
    table = Table.from_json(Table(seed=7).to_json())
    table.play("hide")
    assert isinstance(table.question, Awaited)


# the game as one object


def test_copies_and_pickles_of_the_game_are_the_game() -> None:
    assert SUBTERRA.engine is SUBTERRA.engine
    assert copy.deepcopy(SUBTERRA) is SUBTERRA
    assert pickle.loads(pickle.dumps(SUBTERRA)) is SUBTERRA


def test_the_way_in_names_what_it_exports() -> None:
    assert subterra_env.Table is Table
    assert subterra_env.Game is Game
    assert set(subterra_env.__all__) <= set(dir(subterra_env))
    with pytest.raises(AttributeError, match="no attribute 'Chair'"):
        _ = subterra_env.Chair


def test_seeds_stand_for_keys() -> None:
    keys = [luck_key(seed) for seed in range(1000)]
    assert len(set(keys)) == len(keys)
    assert luck_key(7) == np.random.SeedSequence(7).generate_state(1, np.uint64)[0]
    assert keys[0].dtype == np.uint64
