"""Chapter 4, and the abilities of chapter 8 that are actions: what happens. The points are paid before."""

from subterra_env.games.subterra.box.cavers import HIDES_BEFORE_SURE, RUN_MOVES, SPRINT_MOVES
from subterra_env.games.subterra.box.hazards import GAS_COSTS
from subterra_env.games.subterra.rules.checks import ask_for_cave_in_die, ask_for_check
from subterra_env.games.subterra.rules.citing import rule
from subterra_env.games.subterra.rules.health import (
    contact,
    end,
    end_if_over,
    is_conscious,
    is_over,
    is_protected,
    is_submerged,
    lose_health,
)
from subterra_env.games.subterra.rules.passages import leads_to
from subterra_env.games.subterra.rules.placing import begin_laying, connect, forget_laying, lay_drawn, lay_reserve
from subterra_env.games.subterra.rules.sides import has, only, opposite
from subterra_env.games.subterra.state import NOWHERE
from subterra_env.games.subterra.terms import Caver, Check, Kind, Node, Question, Step
from subterra_env.jit import compiled


@rule("4.1")
def reveal(state, side):
    begin_laying(state, side)


@rule("4.3")
def explore(state, side):
    state.exploring = 1
    begin_laying(state, side)


@rule("4.1", "4.3", "5.2")
def place_drawn(state, turns):
    lay_drawn(state, turns)
    after_laying(state)


@rule("4.1", "4.3", "8.3")
def place_reserve(state, turns):
    lay_reserve(state, turns)
    after_laying(state)


@rule("4.3")
def after_laying(state):
    """Who explores moves onto the new tile, whatever it is."""
    exploring = state.exploring
    laid = leads_to(state, state.cavers[state.actor].slot, state.side)
    forget_laying(state)
    if exploring:
        step_onto(state, laid)
    else:
        state.step = Step.ACTION_DONE


@rule("4.2", "4.6", "4.7")
def move(state, side):
    """One step, also swimming or squeezing."""
    step_onto(state, leads_to(state, state.cavers[state.actor].slot, side))


@compiled
def step_onto(state, slot):
    state.moves_left = 1
    enter(state, slot)


@rule("4.4")
def run(state, side):
    state.moves_left = RUN_MOVES
    move_on(state, side)


@rule("8.6")
def sprint(state, side):
    state.moves_left = SPRINT_MOVES
    move_on(state, side)


@rule("4.4")
def move_on(state, side):
    """The next move of a run or sprint."""
    enter(state, leads_to(state, state.cavers[state.actor].slot, side))


@rule("4.4", "4.13")
def next_move(state):
    """After a step: asks for the next one of a run, unless there is none left or the caver is unconscious."""
    if state.moves_left == 0 or not is_conscious(state, state.actor):
        state.step = Step.ACTION_DONE
    else:
        state.node = Node.ASK
        state.question = Question.RUN
        state.asked = state.actor


@rule("4.4")
def stop(state):
    state.step = Step.ACTION_DONE


@rule("4.13")
def enter(state, slot):
    """A caver comes onto a tile, in any way: horrors first, then gas, then rough terrain."""
    seat = state.actor
    state.cavers[seat].slot = slot
    state.moves_left -= 1
    state.step = Step.RUN
    end_if_over(state)
    if not is_over(state):
        contact(state)
        end_if_over(state)
    if not is_over(state) and is_conscious(state, seat):
        enter_gas(state, seat)
    if not is_over(state) and is_conscious(state, seat):
        enter_rough_terrain(state, seat)


@rule("4.13", "7.3")
def enter_gas(state, seat):
    if state.gas_out and state.tiles[state.cavers[seat].slot].kind == Kind.GAS and not is_protected(state, seat):
        lose_health(state, seat, GAS_COSTS)
        end_if_over(state)


@rule("4.13")
def enter_rough_terrain(state, seat):
    if state.tiles[state.cavers[seat].slot].kind == Kind.ROUGH_TERRAIN:
        ask_for_check(state, seat, Check.ROUGH)


@rule("4.5", "8.6")
def heal(state, other):
    """One health; who is healed beside a horror falls at once."""
    state.cavers[other].health += 1
    state.step = Step.ACTION_DONE
    contact(state)
    end_if_over(state)


@rule("4.8", "8.3")
def dig(state, side):
    state.tiles[leads_to(state, state.cavers[state.actor].slot, side)].rubble = 0
    state.step = Step.ACTION_DONE


@rule("4.8", "8.3")
def dig_here(state):
    state.tiles[state.cavers[state.actor].slot].rubble = 0
    state.step = Step.ACTION_DONE


@rule("4.9", "8.5")
def place_rope(state):
    """The climber needs no check."""
    if state.cavers[state.actor].who == Caver.CLIMBER:
        rope_holds(state)
    else:
        ask_for_check(state, state.actor, Check.ROPE)
    state.step = Step.ACTION_DONE


@rule("4.9")
def rope_holds(state):
    state.tiles[state.cavers[state.actor].slot].rope = 1


@rule("4.10")
def hide(state):
    """No check from the third turn running on; a directed hide is no use of it in an own turn."""
    own_turn = state.actor == state.seat
    caver = state.cavers[state.actor]
    if own_turn:
        state.hid = 1
    if own_turn and caver.hides_running >= HIDES_BEFORE_SURE:
        caver.hidden = 1
    else:
        ask_for_check(state, state.actor, Check.HIDE)
    state.step = Step.ACTION_DONE


@rule("4.12")
def leave(state):
    end(state)


@rule("8.1")
def dive(state):
    caver = state.cavers[state.actor]
    caver.dived_from = caver.slot
    caver.slot = NOWHERE
    state.step = Step.ACTION_DONE


@rule("8.1")
def surface(state, slot):
    """The whole turn, and entering the tile."""
    state.cavers[state.actor].dived_from = NOWHERE
    step_onto(state, slot)


@rule("8.4")
def demolish(state, side):
    """A permanent opening, then a cave-in."""
    state.explosives_left -= 1
    slot = state.cavers[state.actor].slot
    beyond = leads_to(state, slot, side)
    blast(state, slot, side)
    if beyond != NOWHERE:
        blast(state, beyond, opposite(side))
        connect(state, slot, side, beyond)
    state.step = Step.ACTION_DONE
    ask_for_cave_in_die(state)


@rule("8.4")
def blast(state, slot, side):
    """A tile's wall, if one is there, is open from now on."""
    tile = state.tiles[slot]
    if not has(tile.open, side):
        tile.open |= only(side)
        tile.blasted |= only(side)
        state.frontier += (tile.empty >> side) & 1


@rule("8.7")
def repel(state, side):
    """The oldest horror of the tile on that side is removed."""
    slot = leads_to(state, state.cavers[state.actor].slot, side)
    for i in range(state.horror_count):
        if state.horrors[i].slot == slot:
            remove_horror(state, i)
            break
    state.step = Step.ACTION_DONE


@rule("6.4", "8.7")
def remove_horror(state, index):
    """The younger ones move up."""
    for i in range(index, state.horror_count - 1):
        state.horrors[i].slot = state.horrors[i + 1].slot
        state.horrors[i].waiting = state.horrors[i + 1].waiting
    state.horror_count -= 1
    state.horrors[state.horror_count].slot = 0
    state.horrors[state.horror_count].waiting = 0


@rule("8.8")
def direct(state, other):
    """The other caver is asked for one action that costs it one point."""
    state.directed = 1
    state.actor = other
    state.node = Node.ASK
    state.question = Question.DIRECT
    state.asked = other


@rule("8.8")
def decline(state):
    state.step = Step.ACTION_DONE


@rule("3.3")
def exert(state):
    state.exerted = 1
    state.points += 1
    state.step = Step.TURN


@rule("4.11")
def end_turn(state):
    state.step = Step.TURN_ENDS


@rule("3.2", "3.5", "8.1")
def action_done(state):
    """Back to the caver whose turn it is: unconscious, submerged or surfaced its turn is over."""
    seat = state.seat
    state.actor = seat
    state.moves_left = 0
    if not is_conscious(state, seat) or state.surfaced:
        state.step = Step.TURN_OVER
    elif is_submerged(state, seat):
        state.step = Step.TURN_ENDS
    else:
        state.step = Step.TURN
