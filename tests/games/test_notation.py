"""Words both ways, errors that say what was possible, and the drawn cave."""

import numpy as np
import pytest

from subterra_env.game import Table
from subterra_env.games.subterra import actions, notation
from subterra_env.games.subterra.cave_text import cave_rows
from subterra_env.games.subterra.notation import IllegalAnswer, ImpossibleOutcome, WordError
from subterra_env.games.subterra.terms import Node, Side
from tests.random_games import new_game, play, varied_options

GAMES = 12
MARGIN, WIDE, HIGH = 4, 9, 3
"""How the cave is drawn: columns left of it, columns and rows from tile to tile."""


@pytest.mark.parametrize("number", range(GAMES))
def test_words_lead_back_to_answers_and_outcomes(number: int) -> None:
    for states in play(varied_options(number), number, number):
        state = states[0]
        if state["node"] == Node.ASK:
            ids, words = notation.legal_ids(state), notation.legal_words(state)
            assert len(set(words)) == len(words)
            assert [notation.action_of(state, word) for word in words] == ids
            assert all(map(notation.is_readable, words))
        elif state["node"] == Node.CHANCE:
            odds = notation.possible_outcomes(state)
            assert sum(odds.values()) == pytest.approx(1)
            assert [notation.outcome_of(state, notation.outcome_word(state, each)) for each in odds] == list(odds)
            awaited = notation.stands_at(state)
            assert isinstance(awaited, notation.Awaited)
            assert awaited.odds() == {notation.outcome_word(state, each): odds[each] for each in odds}


def test_every_answer_without_a_place_has_the_word_of_its_id() -> None:
    state = new_game(varied_options(0), 0)[0]
    fixed = [a for a in range(actions.ACTIONS) if not actions.block_of(a).places]
    assert {notation.action_word(state, a) for a in fixed} == {actions.SPELLINGS[a] for a in fixed}


@pytest.mark.parametrize(
    "word", ["surface 0,0", "horror -3,12", "spawn 1,-1", "heal bodyguard", "place reserve 3", "pass"]
)
def test_answers_to_other_questions_can_be_read(word: str) -> None:
    state = new_game(varied_options(0), 0)[0]
    assert notation.is_readable(word)
    with pytest.raises(IllegalAnswer, match="may not be done now"):
        notation.action_of(state, word)


@pytest.mark.parametrize(
    "word", ["wait", "", "explore", "Explore east", "explore  east", "heal leader ", "surface 1", "1"]
)
def test_other_words_cannot_be_read(word: str) -> None:
    assert not notation.is_readable(word)


@pytest.mark.parametrize(
    "given", ["explore est", "surface 0;0", "surface \u0661,\u0662", 3, None, ["explore east"], "x" * 10_000]
)
def test_what_cannot_be_read_is_refused_with_what_is_possible(given: object) -> None:
    table = Table()
    with pytest.raises(WordError) as raised:
        table.play(given)  # type: ignore[arg-type]
    assert all(word in str(raised.value) for word in table.legal())
    assert "the scout is asked: turn" in str(raised.value)
    assert len(str(raised.value)) < 500


def test_a_mistyped_word_is_guessed() -> None:
    with pytest.raises(WordError, match="did you mean 'end turn'"):
        Table().play("end trun")
    with pytest.raises(ImpossibleOutcome, match="did you mean 'gas corner'"):
        Table().play("explore east", outcomes=["gas cornr"])


@pytest.mark.parametrize("outcome", [0, 7, True, "4", 4.0, "gas corner", None, [4]])
def test_a_die_has_six_numbers(outcome: object) -> None:
    table = Table(seed=None)
    table.play("hide")
    with pytest.raises(ImpossibleOutcome, match="possible: 1, 2, 3, 4, 5, 6"):
        table.chance(outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "outcome", ["exit dead end", "start crossroads", "cave-in tee 1", "flood", 4, "nothing dead end"]
)
def test_tiles_that_are_not_in_the_stack_are_not_drawn(outcome: str) -> None:
    table = Table(seed=None)
    table.play("explore east")
    with pytest.raises(ImpossibleOutcome, match=r"possible: ordinary dead end, .*cave-in corner 3-6"):
        table.chance(outcome)


def test_the_drawn_cave() -> None:
    table = Table(seed=None, cavers=("scout", "medic", "engineer", "diver"))
    table.play("explore east", ["cave-in tee 1-3"])
    table.play("place drawn 2")
    table.play("reveal south", ["ledge straight"])
    table.play("place drawn 2")
    for _ in range(3):
        table.play("end turn")
    table.play("end turn", ["cave-in", 3])
    drawn = str(table).splitlines()
    assert drawn[:8] == [
        "    ┌─╴    ╶─┬────────┐",
        "  0  start    cave1-3#",
        "     MED      s",
        "    └─╴    ╶─┼─╴    ╶─┤",
        " -1          │ledge ↓ │",
        "             │        │",
        "             └─╴    ╶─┘",
        "        0        1",
    ]
    assert "> M medic      3/3  at 0,0" in drawn
    assert "  s scout      0/3  at 1,0, unconscious" in drawn
    assert "round 2 of at most 100, action phase; starting caver: medic" in drawn
    assert "stack: 63 tiles, the exit still unseen; hazard cards: 21 left" in drawn
    assert drawn[-1] == "the medic is asked: turn"


@pytest.mark.parametrize("number", range(GAMES))
def test_walls_are_drawn_where_no_passage_is(number: int) -> None:
    *_, states = play(varied_options(number), number, 2 * number + 1)
    state = states[0]
    rows = [row.ljust(200) for row in cave_rows(state)]
    tiles = state["tiles"][: state["tile_count"]]
    west, north = int(tiles["x"].min()), int(tiles["y"].max())
    for tile in tiles:
        column, row = MARGIN + (int(tile["x"]) - west) * WIDE, (north - int(tile["y"])) * HIGH
        middles = {
            Side.NORTH: rows[row][column + WIDE // 2],
            Side.EAST: rows[row + 1][column + WIDE],
            Side.SOUTH: rows[row + HIGH][column + WIDE // 2],
            Side.WEST: rows[row + 1][column],
        }
        for side, middle in middles.items():
            passable = tile["connected"] >> side & 1 or (tile["open"] & tile["empty"]) >> side & 1
            assert (middle == " ") == bool(passable)


@pytest.mark.parametrize("number", range(GAMES))
def test_everybody_is_drawn_on_their_tile(number: int) -> None:
    *_, states = play(varied_options(number), number, 2 * number + 1)
    state = states[0]
    rows = [row.ljust(200) for row in cave_rows(state)]
    tiles = state["tiles"][: state["tile_count"]]
    west, north = int(tiles["x"].min()), int(tiles["y"].max())
    for slot, tile in enumerate(tiles):
        column, row = MARGIN + (int(tile["x"]) - west) * WIDE, (north - int(tile["y"])) * HIGH
        found = rows[row + 2][column + 1 : column + WIDE].strip()
        horrors = int(np.count_nonzero(state["horrors"]["slot"][: state["horror_count"]] == slot))
        here = [seat for seat in range(state["caver_count"]) if state["cavers"][seat]["slot"] == slot]
        names = [notation.caver_name(state, seat)[0] for seat in here]
        letters = [
            name.upper() if state["cavers"][seat]["health"] else name for name, seat in zip(names, here, strict=True)
        ]
        assert found == ["", "!", "!2", "!3"][horrors] + "".join(letters)
