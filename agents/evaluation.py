"""A hand evaluation: the chance of a medal and the share of the team that will be saved, from named terms.

Every term is a number of about -1 to 1 that a player would look at. Their weights differ by how far the game is: the
exit far down in the stack, among the last tiles, or on the table. `train.tune_evaluation` fits them to games of the
rules bot, so the chances are those of a team that plays on like it.
"""

import json
from functools import cache
from importlib.resources import files

import numpy as np
from subterra_env.agents.distances import (
    GROUND_FIELDS,
    steps_from_horrors,
    survey,
)
from subterra_env.agents.situation import active_seats, is_active
from subterra_env.agents.walks import byte_of, ones_of, price_tiles, walk_all

from subterra_env.games.subterra.box.cavers import HEALTH, MOST_CAVERS
from subterra_env.games.subterra.box.tiles import LAST_PLACES
from subterra_env.games.subterra.rules.health import BRONZE_LEFT_BEHIND, is_conscious, is_on_exit, is_over, left_behind
from subterra_env.games.subterra.rules.reach import NONE
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Hazard, Kind, word
from subterra_env.jit import compiled, entry

MOST_UTILITY = 2.0
"""What it is worth to save everybody."""
FARTHEST = 40
"""Points of walking beyond which distances are all the same."""
HORROR_STEPS = 4
WEIGHTS_FILE = "evaluation_weights.json"
_HAZARD_CARDS = 2 * len(Hazard)
MOST_FRONTIER = 8
POINTS_A_TILE = 1.3
"""Points that it takes to lay a tile, walking included."""
PHASES = ("early", "last tiles", "exit lies")

TERMS: dict[str, str] = {
    "constant": "always 1",
    "seats": "cavers in the team beyond four, in pairs",
    "rounds": "rounds left before the lamps go out, in tens",
    "tiles": "places left in the stack, in tens",
    "slack": "points left to the conscious beyond what the rest of the stack takes, in tens a caver",
    "hurry": "points the rest of the stack takes, over those left, 2 at most",
    "health": "health of all cavers, of what they had",
    "weakest": "health of the weakest conscious caver, in threes",
    "frail": "conscious cavers with one health point left, of the team",
    "unconscious": "cavers who lie unconscious, of the team",
    "lost": "cavers removed, of the team",
    "too few": "whether fewer cavers are conscious than a medal takes",
    "spare": "conscious cavers beyond those a medal takes",
    "frontier": "open sides to an empty place, 8 at most",
    "dead end": "whether at most one side is open",
    "reach": "walk of the conscious caver nearest to a place to explore from",
    "gathering": "how far enough cavers for a medal have to walk to one place to explore from",
    "spread": "how far all conscious cavers have to walk there",
    "horrors": "horrors about, in threes",
    "hunted": "conscious cavers other than the scout within two steps of a horror, of the team",
    "stalked": "the same within four steps",
    "gas": "health that gas would take, of a caver a team",
    "flood": "health that a flood would take",
    "rocks": "chance of cavers being hit by a cave-in",
    "gas out": "whether gas is out",
    "guides": "uses of Guide left, in threes",
    "scout": "whether the scout is conscious",
    "medic": "whether the medic is",
    "diver": "whether the diver is",
    "climber": "whether the climber is",
    "leader": "whether the leader is",
    "bodyguard": "whether the bodyguard is",
    "engineer": "whether the engineer is",
    "geologist": "whether the geologist is",
    "out": "cavers on the exit, of the team",
    "near exit": "nearness of the conscious cavers to the exit, 1 on it",
    "medal walk": "walk to the exit of the last caver that a medal takes",
    "medal slack": "rounds that caver has to spare, in fives, from -2 to 2",
    "in time": "conscious cavers who get out in time walking on, of the team",
    "medal in time": "whether enough of them do for a medal",
    "rescues": "unconscious cavers in reach of a conscious one with time to bring them out",
}
(
    CONSTANT, SEATS, ROUNDS, TILES, SLACK, HURRY, HEALTH_LEFT, WEAKEST, FRAIL, UNCONSCIOUS, LOST, TOO_FEW, SPARE,
    FRONTIER, DEAD_END, REACH, GATHERING, SPREAD, HORRORS, HUNTED, STALKED, GAS, FLOOD, ROCKS, GAS_OUT, GUIDES_LEFT,
    SCOUT, MEDIC, DIVER, CLIMBER, LEADER, BODYGUARD, ENGINEER, GEOLOGIST, OUT, NEAR_EXIT, MEDAL_WALK, MEDAL_SLACK,
    IN_TIME, MEDAL_IN_TIME, RESCUES,
) = range(len(TERMS))  # fmt: skip
_ABILITY = np.array([list(TERMS).index(word(caver)) for caver in Caver])
HEADS = ("medal", "saved")
MEDAL, SAVED = range(len(HEADS))
"""What is predicted: the chance of a medal, and the share of the team saved."""

SIGHT = np.dtype((np.record, np.dtype(
    [*GROUND_FIELDS, ("nearest", "i8", (MOST_CAVERS,)), ("terms", "f8", (len(TERMS),))], align=True
)))  # fmt: skip
"""Room to look at one position in."""


@compiled
def look(state, sight):
    """Writes the terms of a position."""
    terms = sight.terms
    terms[:] = 0.0
    terms[CONSTANT] = 1.0
    terms[SEATS] = (state.caver_count - 4) / 2
    survey(state, sight)
    write_team(state, terms)
    walk_everybody(state, sight)
    write_dangers(state, sight)
    write_abilities(state, terms)
    write_time(state, terms)
    if state.exit_slot == NOWHERE:
        write_search(state, sight)
    else:
        write_way_out(state, sight)


@compiled
def phase_of(state):
    """Number of the phase in `PHASES`."""
    if state.exit_slot != NOWHERE:
        return 2
    return 1 if state.places_left <= LAST_PLACES else 0


@compiled
def write_team(state, terms):
    count = state.caver_count
    health, had, conscious, weakest = 0, 0, 0, 3
    for seat in range(count):
        caver = state.cavers[seat]
        had += HEALTH[caver.who]
        health += caver.health
        if caver.lost:
            terms[LOST] += 1 / count
        elif caver.health == 0:
            terms[UNCONSCIOUS] += 1 / count
        else:
            conscious += 1
            weakest = min(weakest, caver.health)
            terms[FRAIL] += (caver.health == 1) / count
        terms[OUT] += is_on_exit(state, seat) / count
    spare = conscious - (count - BRONZE_LEFT_BEHIND)
    terms[HEALTH_LEFT] = health / had
    terms[WEAKEST] = weakest / 3
    terms[TOO_FEW] = spare < 0
    terms[SPARE] = spare / 2


@compiled
def walk_everybody(state, sight):
    """The walk of every active caver to everywhere; horrors in the way may be gone by then."""
    divers, climbers, geologists = NONE, NONE, NONE
    for seat in range(state.caver_count):
        match state.cavers[seat].who:
            case Caver.DIVER:
                divers |= ones_of(seat)
            case Caver.CLIMBER:
                climbers |= ones_of(seat)
            case Caver.GEOLOGIST:
                geologists |= ones_of(seat)
    price_tiles(state, sight, divers, climbers, geologists)
    walk_all(state, sight, active_seats(state))


@compiled
def order_walks(state, sight, slot):
    """Writes the points that the cavers have to walk to a slot, the nearest first; those who cannot count as far."""
    for seat in range(state.caver_count):
        walk, place = min(FARTHEST, byte_of(sight.walks[slot], seat)), seat
        while place > 0 and sight.nearest[place - 1] > walk:
            sight.nearest[place] = sight.nearest[place - 1]
            place -= 1
        sight.nearest[place] = walk


@compiled
def write_dangers(state, sight):
    terms, count = sight.terms, state.caver_count
    terms[HORRORS] = state.horror_count / 3
    terms[GAS_OUT] = state.gas_out
    if state.horror_count > 0:
        steps_from_horrors(state, sight, HORROR_STEPS)
    for seat in range(count):
        if not is_active(state, seat) or is_on_exit(state, seat):
            continue
        caver = state.cavers[seat]
        tile = state.tiles[caver.slot]
        if state.horror_count > 0 and caver.who != Caver.SCOUT:
            terms[HUNTED] += (sight.horror[caver.slot] <= 2) / count
            terms[STALKED] += (sight.horror[caver.slot] <= HORROR_STEPS) / count
        terms[GAS] += (tile.kind == Kind.GAS) * min(2, caver.health) / count
        terms[FLOOD] += (tile.kind == Kind.WATER and caver.who != Caver.DIVER) / count
        terms[ROCKS] += (tile.kind == Kind.CAVE_IN and not tile.rubble) / count
    weigh_by_odds(state, terms)


@compiled
def weigh_by_odds(state, terms):
    """What the next card could do counts as often as the card comes."""
    total = 0
    for card in range(_HAZARD_CARDS):
        total += state.unseen_cards[card]
    share = 3 / total if total > 0 and state.cards_left > 0 else 0.0
    terms[GAS] *= share * (state.unseen_cards[2 * Hazard.GAS] + 2 * state.unseen_cards[2 * Hazard.GAS + 1])
    terms[FLOOD] *= share * (state.unseen_cards[2 * Hazard.FLOOD] + 2 * state.unseen_cards[2 * Hazard.FLOOD + 1])
    terms[ROCKS] *= share * (state.unseen_cards[2 * Hazard.CAVE_IN] + 2 * state.unseen_cards[2 * Hazard.CAVE_IN + 1])


@compiled
def write_abilities(state, terms):
    terms[GUIDES_LEFT] = state.guides_left / 3
    for seat in range(state.caver_count):
        if is_conscious(state, seat):
            terms[_ABILITY[state.cavers[seat].who]] = 1.0


@compiled
def points_left(state):
    """Action points that the conscious cavers have before the lamps go out."""
    points = int(state.points)
    for seat in range(state.caver_count):
        if is_active(state, seat) and not is_on_exit(state, seat):
            to_come = (seat - state.first) % state.caver_count >= state.turns_taken
            points += 2 * (state.cards_left + to_come)
    return points


@compiled
def write_time(state, terms):
    points, count = points_left(state), state.caver_count
    wanted = state.places_left * POINTS_A_TILE
    terms[ROUNDS] = state.cards_left / 10
    terms[TILES] = state.places_left / 10
    terms[SLACK] = (points - wanted) / (10 * count)
    terms[HURRY] = min(2.0, wanted / max(1, points))


@compiled
def write_search(state, sight):
    """How the team stands to what is still to explore."""
    terms = sight.terms
    terms[FRONTIER] = min(MOST_FRONTIER, state.frontier) / MOST_FRONTIER
    terms[DEAD_END] = state.frontier <= 1
    nearest, gathering, spread = FARTHEST, 10 * FARTHEST, 10 * FARTHEST
    for slot in range(state.tile_count):
        if sight.unexplored[slot]:
            order_walks(state, sight, slot)
            walked = 0
            for k in range(state.caver_count - BRONZE_LEFT_BEHIND):
                walked += sight.nearest[k]
            nearest, gathering = min(nearest, sight.nearest[0]), min(gathering, walked)
            for k in range(state.caver_count - BRONZE_LEFT_BEHIND, state.caver_count):
                walked += sight.nearest[k]
            spread = min(spread, walked)
    terms[REACH] = nearest / 5
    terms[GATHERING] = gathering / (10 * state.caver_count)
    terms[SPREAD] = spread / (10 * state.caver_count)


@compiled
def write_way_out(state, sight):
    """How the team stands to the exit."""
    terms, count = sight.terms, state.caver_count
    wanted, rounds = count - BRONZE_LEFT_BEHIND, state.cards_left + 1
    in_time = 0
    for seat in range(count):
        if is_active(state, seat):
            walk = min(FARTHEST, byte_of(sight.walks[state.exit_slot], seat))
            terms[NEAR_EXIT] += 4 / (4 + walk) / count
            in_time += rounds_of(walk) <= rounds
    order_walks(state, sight, state.exit_slot)
    medal_walk = sight.nearest[wanted - 1]
    terms[MEDAL_WALK] = medal_walk / 10
    terms[MEDAL_SLACK] = max(-2.0, min(2.0, (rounds - rounds_of(medal_walk)) / 5))
    terms[IN_TIME] = in_time / count
    terms[MEDAL_IN_TIME] = in_time >= wanted
    terms[RESCUES] = rescues(state, sight) / count


@compiled
def rounds_of(walk):
    """About how many rounds a walk takes, part of it run."""
    return walk / 2.4


@compiled
def rescues(state, sight):
    """Unconscious cavers in reach of a conscious one in time to bring them out."""
    count = 0
    for seat in range(state.caver_count):
        patient = state.cavers[seat]
        if patient.lost or patient.health > 0 or is_on_exit(state, seat) or patient.slot == NOWHERE:
            continue
        for other in range(state.caver_count):
            if is_active(state, other):
                there, out = byte_of(sight.walks[patient.slot], other), byte_of(sight.walks[state.exit_slot], other)
                if max(there, out) <= FARTHEST and rounds_of(there + out + 2) <= state.cards_left + 1:
                    count += 1
                    break
    return count


@compiled
def predicted(weights, phase, head, terms):
    """A fraction from 0 to 1."""
    total = 0.0
    for k in range(len(terms)):
        total += weights[phase, head, k] * terms[k]
    return 1 / (1 + np.exp(-total))


@compiled
def utility(state):
    """What the end of a game is worth: the share of the team saved, and one more for a medal."""
    left = left_behind(state)
    return (state.caver_count - left) / state.caver_count + (left <= BRONZE_LEFT_BEHIND)


@entry
def utilities_of(states):
    """The utility of every game, as if it ended here; float64[n]."""
    found = np.zeros(len(states))
    for i in range(len(states)):
        found[i] = utility(states[i])
    return found


@compiled
def expectation(state, weights, sight):
    """The utility of a game that is over, the utility to be expected of one that goes on."""
    if is_over(state):
        return utility(state)
    look(state, sight)
    phase = phase_of(state)
    return predicted(weights, phase, MEDAL, sight.terms) + predicted(weights, phase, SAVED, sight.terms)


@entry
def write_rows(states, rows, phases, sight):
    """The terms of many positions; ``rows``: float64[n, terms], ``phases``: int64[n], both written."""
    for i in range(len(states)):
        look(states[i], sight[0])
        rows[i] = sight[0].terms
        phases[i] = phase_of(states[i])


@cache
def own_weights() -> np.ndarray:
    """The weights the project ships: float64[phases, heads, terms]."""
    text = (files("subterra_env.agents") / WEIGHTS_FILE).read_text(encoding="utf-8")
    return as_array(json.loads(text))


def as_array(weights: dict[str, dict[str, dict[str, float]]]) -> np.ndarray:
    """Weights by the names of phase, head and term as float64[phases, heads, terms]."""
    return np.array([[[weights[phase][head][term] for term in TERMS] for head in HEADS] for phase in PHASES])


def by_name(weights: np.ndarray) -> dict[str, dict[str, dict[str, float]]]:
    """The other way round, to five digits."""
    return {
        phase: {
            head: {term: float(f"{weights[p, h, t]:.5g}") for t, term in enumerate(TERMS)}
            for h, head in enumerate(HEADS)
        }
        for p, phase in enumerate(PHASES)
    }
