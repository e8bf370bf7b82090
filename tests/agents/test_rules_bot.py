"""The bot of priorities: legal everywhere, the same whatever the luck, fast, and strong enough to be worth beating."""

import itertools
import time

import numpy as np
import pytest
from subterra_env.agents.base import legal_answers, load
from subterra_env.agents.bot_weights import MEANINGS, OWN_WEIGHTS, WEIGHTS
from subterra_env.agents.rules_bot import answer_by, rules_action, rules_playouts
from subterra_env.agents.situation import SITUATION

from subterra_env.game import SUBTERRA, luck_key
from subterra_env.games.subterra import engine
from subterra_env.games.subterra.options import CAVER_NAMES, agreed_state, options
from subterra_env.games.subterra.terms import Ending, Node
from subterra_env.jit import entry
from tests.random_games import new_game, varied_options
from tests.rules.scene import Scene


@entry
def answer_of_first(states, room):
    return answer_by(states[0], room[0])


TEAMS = list(itertools.combinations(CAVER_NAMES, 4))


def plays(scene: Scene) -> str:
    """The bot's answer in a scene, in words."""
    return str(SUBTERRA.notation.action_word(scene.state, rules_action(scene.states)))


def played_out(team: tuple[str, ...], seed: int) -> np.ndarray:
    states = agreed_state(options(cavers=team))
    states["luck"] = luck_key(seed)
    engine.begin(states)
    engine.settle_chance(states)
    while states[0]["node"] != Node.END:
        engine.step(states, rules_action(states))
    return states


def test_never_an_illegal_answer_whatever_the_position() -> None:
    """Random play leads to positions that the bot would never see; 10,000 of them, all rules and options."""
    asked = 0
    for number in itertools.count():
        states = new_game(varied_options(number), number)
        engine.settle_chance(states)
        rng = np.random.default_rng(number)
        while states[0]["node"] != Node.END:
            mask = legal_answers(states)
            assert mask[rules_action(states)], f"game {number}: {SUBTERRA.notation.question_word(states[0])}"
            asked += 1
            engine.step(states, int(rng.choice(np.flatnonzero(mask))))
        if asked >= 10_000:
            return


def test_the_luck_key_changes_nothing() -> None:
    bot = load("rules")
    states = agreed_state(options(cavers=("diver", "engineer", "bodyguard", "leader")))
    states["luck"] = luck_key(3)
    engine.begin(states)
    engine.settle_chance(states)
    while states[0]["node"] != Node.END:
        view, other = SUBTERRA.view(states), states.copy()
        other["luck"] ^= np.uint64(0x5555)
        chosen = bot.act(view, legal_answers(view), np.random.default_rng(0))
        assert chosen == rules_action(other)
        engine.step(states, chosen)


def test_it_looks_and_does_not_touch() -> None:
    states = played_out(TEAMS[0], 1)
    states = agreed_state(options(cavers=TEAMS[40]))
    states["luck"] = luck_key(9)
    engine.begin(states)
    engine.settle_chance(states)
    for _ in range(60):
        before = states.tobytes()
        chosen = rules_action(states)
        assert states.tobytes() == before
        engine.step(states, chosen)


def test_avoids_defeat_far_more_often_than_a_crude_bot() -> None:
    """Crude priorities avoid defeat in 1 to 3 games of 100; this bot must do so in at least 10."""
    games = 8
    ends = [int(played_out(team, seed)[0]["ending"]) for team in TEAMS for seed in range(games)]
    won = sum(end in (Ending.GOLD, Ending.SILVER, Ending.BRONZE) for end in ends)
    assert won >= 0.1 * len(ends)


def test_fifty_thousand_decisions_a_second() -> None:
    states = agreed_state(options(cavers=("scout", "engineer", "medic", "bodyguard")))
    engine.begin(states)
    rules_playouts(states, 1, 1)
    began = time.process_time()
    decisions = rules_playouts(states, 2, 150)
    assert decisions / (time.process_time() - began) >= 50_000


def test_a_room_used_before_changes_nothing() -> None:
    """Playouts decide one position after the other in the same scratch space."""
    room = np.zeros(1, SITUATION)
    room["weights"] = OWN_WEIGHTS
    asked = 0
    for number in range(60):
        states = new_game(varied_options(number), number)
        engine.settle_chance(states)
        rng = np.random.default_rng(number)
        while states[0]["node"] != Node.END:
            assert rules_action(states) == answer_of_first(states, room), f"game {number}"
            asked += 1
            engine.step(states, int(rng.choice(np.flatnonzero(legal_answers(states)))))
    assert asked > 5_000


def test_playouts_repeat_themselves() -> None:
    states = agreed_state(options())
    engine.begin(states)
    assert rules_playouts(states, 5, 20) == rules_playouts(states, 5, 20) != rules_playouts(states, 6, 20)


def test_steps_onto_the_exit() -> None:
    scene = Scene("S--E", "medic, scout on E, climber on E, leader on E")
    assert plays(scene) == "move east"


@pytest.mark.parametrize(("points", "cave"), [(2, "S--o--o--E"), (1, "S--E")])
def test_gets_out_in_this_very_turn_if_it_can(points: int, cave: str) -> None:
    scene = Scene(cave, "engineer, scout on E, climber on E, leader on E", points=points, cards=0)
    for _ in range(4):
        if scene.at == "gold":
            break
        scene.do(plays(scene))
    assert scene.at == "gold"


def test_exerts_for_the_last_step_out() -> None:
    scene = Scene("S--o--E", "engineer, scout on E, climber on E, leader on E", points=1, cards=0)
    scene.do(plays(scene))
    scene.do(plays(scene))
    if scene.at != "gold":
        scene.do(plays(scene))
    assert scene.at == "gold"


@pytest.mark.parametrize(("health", "answer"), [(4, "exert"), (1, "end turn")])
def test_exerts_to_explore_while_it_can_afford_it(health: int, answer: str) -> None:
    scene = Scene("S--o-", f"engineer health {health}, climber, leader, medic", turn="engineer", points=0)
    assert plays(scene) == answer


def test_the_bodyguard_repels() -> None:
    scene = Scene("h--S-", "bodyguard, medic, climber, leader", horrors="h")
    assert plays(scene) == "repel west"


def test_brings_round_who_lies_here() -> None:
    scene = Scene("-S-", "medic, climber health 0, engineer, leader")
    assert plays(scene) == "heal climber"


def test_leaves_when_nobody_can_be_saved() -> None:
    scene = Scene("S--o--o--o--o--E", "medic on E, climber health 0, engineer on E, leader on E", cards=0)
    assert plays(scene) == "leave"


def test_every_weight_has_its_sentence() -> None:
    assert set(MEANINGS) == set(WEIGHTS.names or ())
    assert all(len(sentence) > 5 for sentence in MEANINGS.values())
