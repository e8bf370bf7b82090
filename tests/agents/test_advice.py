"""Advice: what agents say of their best answers, and whether games go as it says."""

import math
import re
import time
from typing import Any

import numpy as np
import pytest
from subterra_env.agents import advice
from subterra_env.agents.advice import forecast
from subterra_env.agents.base import Advice, Agent, Budget, legal_answers, load
from subterra_env.agents.fates import RISKS, Fate, play_out
from subterra_env.agents.halving import Samples
from subterra_env.agents.playouts import TO_THE_END, after_each, play_games

from subterra_env.game import SUBTERRA, Asked, Table
from subterra_env.games.subterra import engine
from subterra_env.games.subterra.box.hazards import CARD_NUMBER
from subterra_env.games.subterra.terms import Ending, Hazard, Node
from tests.random_games import new_game, varied_options
from tests.rules.scene import Scene

THINKING = Budget(simulations=100)
AGENTS = ("rules", "random", "rollout")
KEYS = np.random.default_rng(5).integers(1 << 63, size=60, dtype=np.uint64)
ONE_STEP_LEFT = ("S--E", "medic, climber on E, leader on E, engineer on E")
LAST_MOMENT: dict[str, Any] = {"turn": "engineer", "first": "medic", "points": 0}
"""The last caver's turn is over but for its end: a hazard card follows."""


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "GAMES", 20)


def late_table(seed: int = 7, decisions: int = 60) -> Table:
    """A game of the rules bot, so many decisions on."""
    table, bot = Table(seed=seed), load("rules")
    for _ in range(decisions):
        view = table.view()
        table.play(SUBTERRA.notation.action_word(view[0], bot.act(view, legal_answers(view), np.random.default_rng(0))))
    return table


def with_card(scene: Scene, card: str) -> np.ndarray:
    """The position of a scene where that hazard card comes next."""
    state = scene.states[0]
    state["unseen_cards"] = 0
    state["unseen_cards"][CARD_NUMBER[card]] = 1
    return scene.states


def ended(states: np.ndarray, answer: str = "end turn") -> tuple[np.ndarray, np.ndarray]:
    """Endings and fates of the games that follow an answer."""
    answers = np.array([SUBTERRA.notation.action_of(states[0], answer)])
    endings, fates = np.empty((1, len(KEYS)), np.int8), np.empty((1, len(KEYS), states[0]["caver_count"]), np.int8)
    play_out(states, answers, KEYS, endings, fates)
    return endings[0], fates[0]


# what every piece of advice holds


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("decisions", [0, 60])
def test_chances_are_chances(few_games: None, name: str, decisions: int) -> None:
    view = late_table(decisions=decisions).view()
    given = load(name).advise(view, 3, THINKING)
    legal = SUBTERRA.notation.legal_words(view[0])
    assert 1 <= len(given) <= 3
    for each in given:
        chances = (each.gold, each.silver, each.bronze, each.defeat)
        assert all(chance is not None and 0 <= chance <= 1 for chance in chances)
        assert math.isclose(sum(chance or 0 for chance in chances), 1)
        assert each.saved is not None
        assert each.saved_interval is not None
        low, high = each.saved_interval
        assert 0 <= low <= each.saved <= high <= 4
        assert each.word in legal
        assert each.action == SUBTERRA.notation.action_of(view[0], each.word)
        assert each.simulations >= 20
        assert (each.main_risk is None) == (each.defeat == 0)


def test_chances_are_shares_of_the_games_played() -> None:
    """Counted again from the games' last positions, under the same luck."""
    view = late_table(decisions=30).view()
    answers = np.flatnonzero(legal_answers(view))[:2]
    given = forecast(view, [(int(answer), 7) for answer in answers], np.random.default_rng(3))
    keys = np.random.default_rng(3).integers(1 << 64, size=advice.GAMES, dtype=np.uint64)
    starts = np.empty(2, SUBTERRA.dtype)
    after_each(view, answers, starts)
    for each, start in zip(given, starts, strict=True):
        games = np.repeat(np.atleast_1d(start), len(keys))
        play_games(games, keys, TO_THE_END)
        left = [len(SUBTERRA.notation.result(game).left_behind) for game in games]
        assert each.bronze == pytest.approx(left.count(2) / len(keys))
        assert each.defeat == pytest.approx(sum(count > 2 for count in left) / len(keys))
        assert each.saved == pytest.approx(4 - np.mean(left))
        error = np.std(left, ddof=1) / math.sqrt(len(keys))
        assert each.saved_interval == pytest.approx((each.saved - 1.96 * error, each.saved + 1.96 * error))
        assert each.simulations == 7 + len(keys)


@pytest.mark.parametrize("name", AGENTS)
def test_the_same_question_gets_the_same_advice(few_games: None, name: str) -> None:
    view = late_table().view()
    assert load(name).advise(view, 3, THINKING) == load(name).advise(view, 3, THINKING)


@pytest.mark.parametrize("name", AGENTS)
def test_the_luck_key_changes_nothing(few_games: None, name: str) -> None:
    record = late_table().record()
    one, other = (Table.from_record(record, seed=seed) for seed in (1, 2))
    given = load(name).advise(one.view(), 3, THINKING)
    assert given == load(name).advise(other.view(), 3, THINKING)
    with_luck = one.view()
    with_luck["luck"] = 12345
    before = with_luck.tobytes()
    assert given == load(name).advise(with_luck, 3, THINKING)
    assert with_luck.tobytes() == before


@pytest.mark.parametrize("k", [1, 2, 5])
def test_k_is_the_most_answers(few_games: None, k: int) -> None:
    given = load("rollout").advise(late_table(decisions=0).view(), k, THINKING)
    assert len(given) == k
    assert len({each.action for each in given}) == k


def test_there_are_no_more_answers_than_legal_ones(few_games: None) -> None:
    table = late_table(decisions=0)
    given = load("rollout").advise(table.view(), 1000, THINKING)
    assert sorted(each.word for each in given) == sorted(table.legal())
    assert len(load("rules").advise(table.view(), 1000)) == 1


def test_games_are_counted(few_games: None) -> None:
    agent = load("rules")
    agent.advise(late_table().view())
    assert agent.simulations == 20
    planner = load("rollout")
    given = planner.advise(late_table().view(), 1000, THINKING)
    assert planner.simulations == sum(each.simulations for each in given)


# the order


@pytest.mark.parametrize("decisions", [10, 40, 60])
def test_the_first_answer_is_what_the_agent_would_give(few_games: None, decisions: int) -> None:
    view = late_table(decisions=decisions).view()
    for name in AGENTS:
        chosen = load(name).act(view, legal_answers(view), np.random.default_rng(0), Budget(simulations=300))
        assert load(name).advise(view, 3, Budget(simulations=300))[0].action == chosen


def test_the_rest_is_ordered_by_the_gain_over_the_rules_bots_answer() -> None:
    """The base is choice 1; nothing is surely better, 3 gains most where both were sampled, 4 was sampled once."""
    samples, nan = Samples(5), math.nan
    samples.table = np.array(
        [
            [0.1, 0.2, 0.3, 0.4],
            [0.5, 0.5, 0.5, 0.5],
            [0.4, 0.4, 0.4, 0.4],
            [0.4, 0.9, nan, nan],
            [1.0, nan, nan, nan],
        ]
    )
    samples.alive = np.array([1, 2])
    assert samples.in_order(base=1, sure=2.0) == [1, 3, 2, 0, 4]
    samples.table[2] = [0.8, 0.8, 0.8, 0.8]
    assert samples.in_order(base=1, sure=2.0) == [2, 3, 1, 0, 4]


# positions whose outcome a player sees at once


def test_the_last_step_is_seen() -> None:
    given = load("rollout").advise(Scene(*ONE_STEP_LEFT, points=1).states, 100, Budget(simulations=2000))
    assert given[0].word == "move east"
    assert (given[0].gold, given[0].saved, given[0].saved_interval) == (1.0, 4.0, (4.0, 4.0))
    assert given[0].expected_line == ("the end: gold",)
    assert given[0].main_risk is None


def test_a_rescue_one_step_away_is_likely() -> None:
    """The medic has four points' worth of turn to bring the climber along: gold is likely, never certain."""
    scene = Scene("S--o--E", "medic on o, climber on S health 0, leader on E, engineer on E")
    given = load("rules").advise(scene.states)[0]
    assert (given.gold or 0) > 0.9
    assert (given.defeat or 0) < 0.05


def test_a_hopeless_position_is_seen() -> None:
    """The exit is far down in the stack and the lamps go out now."""
    scene = Scene("S-", "medic, climber, leader, engineer", cards=0)
    given = load("rules").advise(scene.states)[0]
    assert (given.defeat or 0) > 0.9
    assert given.main_risk is not None
    assert re.fullmatch(rf"{RISKS[Fate.LAMPS_AND_NO_EXIT]} \(in (1[89]\d|200) of 200 games\)", given.main_risk)


def single_answer() -> np.ndarray:
    """A random game at a question with a single legal answer."""
    for number in range(200):
        states, rng = new_game(varied_options(number), number), np.random.default_rng(number)
        engine.settle_chance(states)
        while states[0]["node"] != Node.END:
            legal = np.flatnonzero(legal_answers(states))
            if len(legal) == 1:
                return SUBTERRA.view(states)
            engine.step(states, int(rng.choice(legal)))
    raise AssertionError("no question with a single answer in 200 games")


@pytest.mark.parametrize("name", AGENTS)
def test_a_forced_answer_is_advised_as_well(few_games: None, name: str) -> None:
    view = single_answer()
    (given,) = load(name).advise(view, 3, THINKING)
    assert [given.word] == SUBTERRA.notation.legal_words(view[0])
    assert given.simulations == 20


# the likely continuation

CHANCE_STEP = re.compile(r"\[(?:draws (?P<tile>.+)|rolls (?P<die>[1-6]) for [a-z -]+|hazard: (?P<card>.+))\]")


def follow(view: np.ndarray, given: Advice) -> Table:
    """Plays an answer and what is said to follow at a table without luck: every step must be possible there."""
    table = Table.from_json(SUBTERRA.position.to_json(view))
    speaker = SUBTERRA.notation.caver_name(view[0], view["asked"][0])
    table.play(given.word)
    for told in given.expected_line:
        name, colon, rest = told.partition(": ")
        has_name = bool(colon) and not told.startswith("[")
        speaker, step = (name, rest) if has_name else (speaker, told)
        chance = CHANCE_STEP.fullmatch(step)
        if chance:
            table.chance(int(chance["die"]) if chance["die"] else chance["tile"] or chance["card"])
            continue
        if speaker == "the end":
            assert table.result is not None
            assert table.result.end == step
            return table
        assert isinstance(table.question, Asked)
        assert table.question.caver == speaker
        table.play(step)
    return table


@pytest.mark.parametrize("decisions", range(0, 100, 9))
def test_the_likely_continuation_can_be_played(few_games: None, decisions: int) -> None:
    view = late_table(decisions=decisions).view()
    for given in load("rollout").advise(view, 3, THINKING):
        table = follow(view, given)
        assert len(given.expected_line) >= advice.STEPS or table.result is not None


def test_the_likely_continuation_is_of_a_typical_game() -> None:
    """The lamps go out: whether the medic can still take the last step hangs on one die."""
    team = "climber on E, engineer on E, bodyguard on E, medic"
    scene = Scene("S--E", team, cards=0, points=0, turn="medic", first="climber")
    given = forecast(
        scene.states, [(SUBTERRA.notation.action_of(scene.state, "end turn"), 0)], np.random.default_rng(0)
    )
    (told,) = given
    assert told.gold is not None
    assert 0.2 < told.gold < 0.8
    assert told.expected_line[-1] == f"the end: {'gold' if told.gold > 0.5 else 'silver'}"


# what becomes of cavers


def test_fates_are_those_of_the_games_played() -> None:
    """Who is out, and how the game ends, is the same as when the rules bot plays on by itself."""
    for decisions in (0, 40, 70):
        view = late_table(decisions=decisions).view()
        answer = SUBTERRA.notation.legal_words(view[0])[0]
        endings, fates = ended(view, answer)
        games = np.repeat(view, len(KEYS))
        for game in range(len(KEYS)):
            engine.apply(games[game : game + 1], SUBTERRA.notation.action_of(view[0], answer))
        play_games(games, KEYS, TO_THE_END)
        assert endings.tolist() == games["ending"].tolist()
        for game, fate in zip(games, fates, strict=True):
            cavers = game["cavers"][:4]
            out = (cavers["slot"] == game["exit_slot"]) & (cavers["lost"] == 0)
            assert ((fate == Fate.SAVED) == out).all()
            assert not ((cavers["lost"] == 0) & np.isin(fate, [Fate.LAMPS, Fate.LAMPS_AND_NO_EXIT])).any()
            assert not game["exit_in_stack"] or Fate.LAMPS not in fate
            assert game["exit_in_stack"] or Fate.LAMPS_AND_NO_EXIT not in fate


ALL_ON_A = ", ".join(f"{name} on a health 1" for name in ("medic", "climber", "leader", "engineer"))


@pytest.mark.parametrize(
    ("card", "cave", "tile", "fate"),
    [("gas", "S--a\n   '", "gas", Fate.GAS), ("flood x2", "S--a-", "water flooded", Fate.FLOOD)],
)
def test_a_card_that_strikes_everybody_down(card: str, cave: str, tile: str, fate: Fate) -> None:
    endings, fates = ended(with_card(Scene(cave, ALL_ON_A, a=tile, **LAST_MOMENT), card))
    assert (endings == Ending.DEFEAT).all()
    assert (fates == fate).all()


@pytest.mark.parametrize(("card", "fate"), [("tremor", Fate.TREMOR), ("cave-in", Fate.CAVE_IN)])
def test_a_card_that_leaves_it_to_a_die(card: str, fate: Fate) -> None:
    scene = Scene("S--a-\n   '", ALL_ON_A, a="cave-in 1-6", **LAST_MOMENT)
    _, fates = ended(with_card(scene, card))
    assert 0.1 < (fates[:, 0] == fate).mean() < 0.9


def test_horrors_are_told_from_hazards() -> None:
    scene = Scene("S--h", "medic, climber, leader, engineer", horrors="h", **LAST_MOMENT)
    endings, fates = ended(with_card(scene, "tremor"))
    assert (endings == Ending.DEFEAT).all()
    assert (fates == Fate.HORROR).mean() == 1


def test_effort_is_told_from_hazards() -> None:
    """A caver with one health point exerted itself; the other three lie unconscious, and still do if it falls now."""
    scene = Scene(
        "S--o", "medic health 1, climber health 0, leader health 0, engineer health 0", exerted=True, points=1
    )
    endings, fates = ended(scene.states)
    fell_now = (fates[:, 0] == Fate.EFFORT) & (fates[:, 1:] == Fate.LAY_UNCONSCIOUS).all(axis=1)
    assert 0.2 < fell_now.mean() < 0.8
    assert (endings[fell_now] == Ending.DEFEAT).all()


def test_the_risk_named_is_that_of_most_lost_games() -> None:
    fates = np.full((10, 4), Fate.SAVED, np.int8)
    endings = np.full(10, Ending.GOLD, np.int8)
    assert advice._main_risk(endings, fates) is None
    fates[:5] = [Fate.HORROR, Fate.HORROR, Fate.GAS, Fate.SAVED]
    fates[5:8] = [Fate.GAS, Fate.GAS, Fate.GAS, Fate.SAVED]
    endings[5:8] = Ending.DEFEAT
    assert advice._main_risk(endings, fates) == f"{RISKS[Fate.GAS]} (in 3 of 10 games)"
    endings[:5] = Ending.TRUNCATED
    assert advice._main_risk(endings, fates) == f"{RISKS[Fate.HORROR]} (in 5 of 10 games)"


def test_every_fate_but_one_is_a_risk_in_words() -> None:
    assert set(RISKS) == set(Fate) - {Fate.SAVED}
    assert [fate.name for fate in Fate][: len(Hazard)] == [hazard.name for hazard in Hazard]


# time


@pytest.mark.parametrize("name", ["rules", "rollout"])
def test_time_is_kept(name: str) -> None:
    agent, view, budget = load(name), late_table(decisions=0).view(), Budget(milliseconds=300)

    def seconds() -> float:
        begun = time.perf_counter()
        given = agent.advise(view, 3, budget)
        assert given[0].saved_interval is not None
        return time.perf_counter() - begun

    seconds()
    assert min(seconds() for _ in range(5)) < 0.33


def test_a_budget_leaves_time_for_the_forecast() -> None:
    class Dawdler(Agent):
        """Takes all the time it is given."""

        def act(
            self, view: np.ndarray, mask: np.ndarray, rng: np.random.Generator, budget: Budget | None = None
        ) -> int:
            self.given = budget
            assert budget is not None
            time.sleep((budget.milliseconds or 0) / 1000)
            return int(mask.argmax())

    agent = Dawdler()
    (given,) = agent.advise(late_table(decisions=60).view(), 1, Budget(milliseconds=300))
    assert agent.given == Budget(milliseconds=200)
    assert given.simulations > advice.FEWEST_GAMES


def test_a_budget_in_simulations_is_all_the_agents(few_games: None) -> None:
    given = load("rollout").advise(late_table().view(), 1000, Budget(simulations=500))
    assert 250 < sum(each.simulations - 20 for each in given) <= 500
