"""The ``entities`` observation: everything on the table as rows of tiles, cavers and horrors, and a row of the rest.

Complete: together with the legal mask it holds the whole public state. Rows come in the order of the state (tiles in
order of placing, cavers by seat, horrors oldest first) and each begins with whether there is anything in it. Places
count from the start tile.
"""

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    HEALTH,
    HIDES_BEFORE_SURE,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
)
from subterra_env.games.subterra.box.hazards import CARD_NAMES
from subterra_env.games.subterra.box.tiles import (
    MOST_HORROR_TILES,
    NO_TILE,
    STACK_TILES,
    TILE_TYPES,
)
from subterra_env.games.subterra.layout import (
    Feature,
    Layout,
    Section,
    Turns,
    flag,
    one_of,
    place,
    share,
    sides,
    turnings,
)
from subterra_env.games.subterra.luck import DIE_SIDES
from subterra_env.games.subterra.options import MOST_ROUNDS
from subterra_env.games.subterra.state import SLOTS
from subterra_env.games.subterra.terms import (
    Caver,
    Chance,
    Check,
    Difficulty,
    Ending,
    HorrorChoices,
    Kind,
    Node,
    OutOfTime,
    Phase,
    Question,
    RuleSet,
    Shape,
    Step,
)

FAR_AWAY = 16.0
"""Unit of distances: a cave is seldom wider."""
MOST_HEALTH = float(HEALTH.max())
MOST_CARDS = 25.0
MANY_ROUNDS = 100.0
MANY_DICE = 10.0
_MOST_PLACE = SLOTS / FAR_AWAY
_MOST_NUMBER = 127.0
STACK_PLACES = STACK_TILES + 1.0
MOST_OF_A_TYPE = 8.0
MOST_OF_A_CARD = 5.0
MOST_POINTS = 3.0
REPEATS = 2.0

SEAT_LABELS = tuple(f"seat {seat}" for seat in range(MOST_CAVERS))
ROLL_LABELS = tuple(f"roll {number}" for number in range(1, DIE_SIDES + 1))
_NAMES = tuple(tile.name for tile in TILE_TYPES)[NO_TILE + 1 :]
_CHECK_LABELS = tuple(check.name.lower().replace("_", " ") for check in Check)


def type_features(what: str) -> tuple[Feature, ...]:
    """What tells one tile type from another."""
    return (
        one_of("kind", f"the kind of {what}", Kind, first=Kind.START),
        one_of("shape", f"the shape of {what}", Shape),
        Feature("cave-in number", f"1 if this roll of a cave-in hits {what}", labels=ROLL_LABELS),
    )


TILES = Layout(
    (
        Section(
            "tile",
            "one row a slot, in order of placing",
            (
                flag("lies", "a tile lies in this slot"),
                *type_features("the tile"),
                sides("arrow", "the arrow of a ledge or slide points to that side"),
                sides("open", "that side is open, blasted ones included"),
                sides("blasted", "that side was opened by explosives"),
                sides("connected", "the next tile on that side is connected"),
                sides("unexplored", "that side is open to an empty place"),
                flag("flooded", "it has a flood marker"),
                flag("rubble", "it has a rubble marker"),
                flag("rope", "it has a rope"),
                place("place", "tiles from the start", FAR_AWAY, _MOST_PLACE),
                share("cavers", "cavers on it", MOST_CAVERS),
                share("horrors", "horrors on it", MOST_HORRORS),
            ),
        ),
    )
)

CAVERS = Layout(
    (
        Section(
            "caver",
            "one row a seat",
            (
                flag("plays", "the seat is taken"),
                flag("me", "it is the caver whose eyes these are"),
                one_of("who", "the caver", Caver),
                share("health", "health left", MOST_HEALTH),
                flag("on the board", "it is on a tile"),
                place("place", "tiles from the start", FAR_AWAY, _MOST_PLACE),
                flag("submerged", "it has dived"),
                place("dived from", "tiles from the start of the tile it dived from", FAR_AWAY, _MOST_PLACE),
                flag("hidden", "it hides until the End phase"),
                share(
                    "hides running",
                    "own turns running in which it hid",
                    HIDES_BEFORE_SURE,
                    _MOST_NUMBER / HIDES_BEFORE_SURE,
                ),
                flag("lost", "it is removed from the game"),
            ),
        ),
    )
)

HORRORS = Layout(
    (
        Section(
            "horror",
            "one row a horror, oldest first",
            (
                flag("about", "there is such a horror"),
                flag("waiting", "it has yet to move in the present row of moves"),
                flag("moving", "the horror of this number is, or was last, about to move"),
                place("place", "tiles from the start", FAR_AWAY, _MOST_PLACE),
            ),
        ),
    )
)

GLOBALS = Layout(
    (
        Section(
            "agreed",
            "what was agreed before setup",
            (
                one_of("rules", "the rule set", RuleSet),
                one_of("difficulty", "the difficulty", Difficulty),
                share("extra hazard cards", "hazard cards dealt beyond the usual number", MOST_CARDS),
                share("stack tiles", "tiles in the stack at the beginning", STACK_TILES),
                flag("hidden cavers are passed by", "that option is on"),
                one_of("horror choices", "who chooses for horrors", HorrorChoices),
                one_of("out of time", "what running out of time means", OutOfTime),
                flag("stop when conscious are out", "that option is on"),
                share("max rounds", "the safety limit of rounds", MANY_ROUNDS, MOST_ROUNDS / MANY_ROUNDS),
                share("cavers", "seats taken", MOST_CAVERS),
                one_of("first at setup", "the seat of the first starting caver", SEAT_LABELS),
            ),
        ),
        Section(
            "stack",
            "tiles that nobody has seen",
            (
                Feature("unseen", f"unseen tiles of each type, divided by {MOST_OF_A_TYPE:g}", 0.0, 1.0, _NAMES),
                share("places left", "places left in the stack", STACK_PLACES),
                flag("exit in stack", "the exit has not been drawn"),
                flag("reserve", "the geologist keeps a tile"),
            ),
        ),
        Section("reserve", "the tile the geologist keeps", type_features("it")),
        Section(
            "deck",
            "hazard cards",
            (
                Feature(
                    "unseen",
                    f"unseen cards of each kind, divided by {MOST_OF_A_CARD:g}",
                    0.0,
                    1.0,
                    tuple(CARD_NAMES),
                ),
                share("left", "cards dealt and not yet used", MOST_CARDS),
                share("used", "cards used", MOST_CARDS),
            ),
        ),
        Section(
            "round",
            "round and turn",
            (
                share("number", "rounds begun", MANY_ROUNDS, MOST_ROUNDS / MANY_ROUNDS),
                one_of("phase", "the phase", Phase),
                one_of("first", "the seat of the starting caver", SEAT_LABELS),
                flag("marker passed", "the starting caver was lost in this round, so its marker has passed"),
                flag("gas out", "gas is out"),
                share("turns taken", "cavers whose turn of this round has come", MOST_CAVERS),
                one_of("seat", "the seat whose turn it is", SEAT_LABELS),
                share("points", "action points left", MOST_POINTS),
                flag("exerted", "the caver has exerted in this turn"),
                flag("directed", "the leader has directed in this turn"),
                flag("hid", "the caver has used hide in this turn"),
                flag("surfaced", "this turn is spent surfacing"),
                share("guides left", "uses of Guide left", GUIDES),
                share("explosives left", "explosives left", EXPLOSIVES),
            ),
        ),
        Section(
            "action",
            "the action under way",
            (
                one_of("actor", "the seat whose action is under way", SEAT_LABELS),
                sides("side", "a tile is being laid on that side"),
                flag("exploring", "the actor will step onto the tile being laid"),
                flag("guided", "a tile has been discarded by Guide in this action"),
                flag("drawn", "a tile has been drawn and not yet laid"),
                turnings("lay drawn", "the drawn tile may be laid after so many", Turns.DRAWN),
                turnings("lay reserve", "the tile in reserve may be laid after so many", Turns.RESERVE),
                share("moves left", "moves left of a run, sprint or single step", RUN_MOVES),
            ),
        ),
        Section("drawn", "the tile drawn and not yet laid", type_features("it")),
        Section(
            "hazard",
            "rows of checks, moves and repeats under way",
            (
                one_of("checks first", "the first of the row of checks (seat 0 without one)", SEAT_LABELS),
                share("checks done", "seats of that row already passed", MOST_CAVERS),
                one_of("card", "the card being resolved (the first, if none is)", tuple(CARD_NAMES)),
                share("repeats left", "times it is still to be resolved", REPEATS),
                share("spawns left", "horrors still to spawn", REPEATS),
                sides("ways", "the horror may go to that side"),
                Feature(
                    "spawn tiles",
                    "1 if a horror may spawn on that horror tile",
                    labels=tuple(f"horror tile {k}" for k in range(MOST_HORROR_TILES)),
                ),
            ),
        ),
        Section(
            "node",
            "what the game stands at",
            (
                one_of("node", "what it stands at", Node),
                one_of("question", "the question asked", Question),
                one_of("asked", "the seat that is asked", SEAT_LABELS),
                one_of("chance", "the chance event", Chance),
                one_of("check", "what the die is for", Check),
                one_of("checker", "the seat that rolls", SEAT_LABELS),
                one_of("step", "the step with which the rules go on", Step),
                one_of("ending", "the ending", Ending),
            ),
        ),
        Section(
            "dice",
            "dice rolled in this round",
            (
                Feature(
                    "rolled",
                    f"dice for each purpose, divided by {MANY_DICE:g}",
                    0.0,
                    _MOST_NUMBER / MANY_DICE,
                    _CHECK_LABELS,
                ),
            ),
            rows=(*SEAT_LABELS, "nobody"),
        ),
    )
)
