"""The ``flat`` observation: what a player would look at, as a few hundred numbers for a plain network.

Seen by one caver: its tile, the four sides of it, the others by seat clockwise from it. A nearness is 1 at no steps and
0 from so many steps on, or if there is no way; steps are counted along connected tiles (6.2), whatever they cost.
"""

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    GUIDES,
    HEALTH,
    HIDES_BEFORE_SURE,
    HORROR_REACH,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.hazards import CARD_NAMES
from subterra_env.games.subterra.box.tiles import (
    LAST_PLACES,
    MOST_CAVE_IN,
    MOST_HORROR_TILES,
    MOST_WATER,
    SIDES,
    STACK_TILES,
    TILE_TYPES,
)
from subterra_env.games.subterra.layout import (
    SIDE_LABELS,
    TURNING_LABELS,
    Feature,
    Layout,
    Section,
    Turns,
    flag,
    one_of,
    place,
    share,
    sides,
)
from subterra_env.games.subterra.state import SLOTS
from subterra_env.games.subterra.terms import Caver, Difficulty, Kind, Question, RuleSet, Shape, word

NEAR = 16
"""Steps from which on a nearness is 0."""
NEAR_HORROR = HORROR_REACH + 1
MOST_HEALTH = int(HEALTH.max())
MOST_CARDS = 25
MOST_FRONTIER = 16
MOST_POINTS = TURN_POINTS + 1
MOST_WAYS_ON = SIDES - 1
MOST_HURT = 10
STACK_PLACES = STACK_TILES + 1
PLACES_BEFORE_LAST = STACK_PLACES - LAST_PLACES

PLAIN_TYPES = tuple(number for number, tile in enumerate(TILE_TYPES) if tile.kind > Kind.EXIT and not tile.numbers)
CAVE_IN_SHAPES = (Shape.TEE, Shape.CORNER)
_DRAWABLE = (
    *(TILE_TYPES[number].name for number in PLAIN_TYPES),
    *(f"{word(Kind.CAVE_IN)} {word(shape)}" for shape in CAVE_IN_SHAPES),
)
_SEATS_FROM_ME = ("me", *(f"{places} seat{'' if places == 1 else 's'} on" for places in range(1, MOST_CAVERS)))


def _near(name: str, meaning: str, reach: int = NEAR) -> Feature:
    return Feature(name, f"nearness to {meaning} (0 from {reach} steps on)")


def _chance(name: str, meaning: str) -> Feature:
    return Feature(name, f"chance {meaning}")


def _kind(what: str) -> Feature:
    return one_of("kind", f"the kind of {what} (the start counts as ordinary)", Kind, first=Kind.EXIT)


def _goals() -> tuple[Feature, ...]:
    return (
        _near("exit near", "the exit"),
        _near("frontier near", "the next open side to an empty place"),
        _near("horror near", "the next horror", NEAR_HORROR),
    )


_ME = Section(
    "me",
    "the caver whose eyes these are, and its tile",
    (
        one_of("who", "the caver", Caver),
        share("health", "health left", MOST_HEALTH),
        share("missing", "health lost", MOST_HEALTH),
        flag("conscious", "it is conscious"),
        flag("hidden", "it hides"),
        share("hides running", f"turns running in which it hid, {HIDES_BEFORE_SURE} at most", HIDES_BEFORE_SURE),
        flag("submerged", "it has dived"),
        flag("lost", "it is removed from the game"),
        flag("out", "it is on the exit"),
        flag("protected", "a bodyguard protects it"),
        flag("exposed", "it is a potential victim"),
        flag("starts", "it is the starting caver"),
        flag("in turn", "it is its turn"),
        flag("turn to come", "its turn of this round is still to come"),
        *_goals(),
        _kind("its tile"),
        flag("flooded", "its tile is flooded"),
        flag("rubble", "rubble lies on its tile"),
        flag("rope", "a rope hangs on its tile"),
        _chance("cave-in", "that a cave-in hits its tile"),
        share("company", "cavers on its tile, itself too", MOST_CAVERS),
        share("hurt", f"health that the cavers on its tile have lost, {MOST_HURT} at most", MOST_HURT),
        share("unexplored", "sides of its tile that are open to an empty place", SIDES),
    ),
)

_SIDE = Section(
    "side",
    "what the sides of my tile lead to",
    (
        flag("connected", "the tile there is connected"),
        flag("unexplored", "I can reveal and explore there"),
        flag("walk", "a plain move leads there"),
        flag("hard", "I can go there, but not by a plain move: water, a squeeze or rubble"),
        _kind("the tile there"),
        flag("flooded", "it is flooded"),
        flag("rubble", "rubble lies there"),
        _chance("cave-in", "that a cave-in hits it"),
        share("company", "cavers there", MOST_CAVERS),
        share("hurt", f"health that they have lost, {MOST_HURT} at most", MOST_HURT),
        *_goals(),
        share("leads on", "sides of it that are open to an empty place, if it is connected", MOST_WAYS_ON),
    ),
    rows=SIDE_LABELS,
    rows_turn=Turns.SIDES,
)

_OTHER = Section(
    "other",
    "the other cavers, by seat clockwise from me",
    (
        one_of("who", "the caver", Caver),
        flag("plays", "the seat is taken and the caver not lost"),
        share("health", "health left", MOST_HEALTH),
        flag("conscious", "it is conscious"),
        flag("hidden", "it hides"),
        flag("submerged", "it has dived"),
        flag("out", "it is on the exit"),
        place("place", f"tiles from me, {NEAR} at most", NEAR, 1.0),
        _near("near", "me"),
        *_goals(),
        flag("on water", "it is on a water tile"),
        flag("on gas", "it is on a gas tile"),
        _chance("cave-in", "that a cave-in hits its tile"),
        flag("turn to come", "its turn of this round is still to come"),
        flag("protected", "a bodyguard protects it"),
        flag("exposed", "it is a potential victim"),
    ),
    rows=_SEATS_FROM_ME[1:],
)

_HORROR = Section(
    "horror",
    "the horrors",
    (
        flag("about", "there is such a horror"),
        flag("waiting", "it has yet to move in the present row of moves"),
        place("place", f"tiles from me, {NEAR} at most", NEAR, 1.0),
        _near("near", "me"),
        _near("victim near", "its closest victim", NEAR_HORROR),
        flag("after me", "its closest victim is me"),
    ),
    rows=("oldest", "second", "third")[:MOST_HORRORS],
)

_WATER = Section(
    "water",
    "water tiles in order of placing, where a diver may surface",
    (_near("exit near", "the exit"), _near("frontier near", "the next open side to an empty place")),
    rows=tuple(f"water tile {k}" for k in range(MOST_WATER)),
)

_TURN = Section(
    "turn",
    "the turn and the question",
    (
        share("points", "action points left", MOST_POINTS),
        flag("exerted", "the caver in turn has exerted"),
        flag("directed", "the leader has directed in this turn"),
        flag("hid", "the caver in turn has used hide"),
        flag("exploring", "the tile being laid is stepped onto"),
        flag("guided", "a tile has been discarded by Guide in this action"),
        share("moves left", "moves left of a run or sprint", RUN_MOVES),
        share("turns to come", "turns of this round still to come", MOST_CAVERS),
        one_of("question", "the question asked", Question),
        one_of("asked", "the seat asked", _SEATS_FROM_ME),
    ),
)

_TEAM = Section(
    "team",
    "how the team stands",
    (
        share("seats", "cavers in the team", MOST_CAVERS),
        share("conscious", "conscious cavers", MOST_CAVERS),
        share("unconscious", "unconscious cavers", MOST_CAVERS),
        share("lost", "cavers removed", MOST_CAVERS),
        share("out", "cavers on the exit", MOST_CAVERS),
        Feature("exit near", "mean over the seats of the nearness to the exit"),
        Feature("exit farthest", "nearness to the exit of the conscious caver who is farthest from it"),
        Feature("frontier nearest", "nearness to the frontier of the conscious caver who is nearest to it"),
        share("exposed", "potential victims of horrors", MOST_CAVERS),
        share("struck by tremor", "cavers whom a tremor would ask for a check", MOST_CAVERS),
        share("struck by flood", "cavers whom a flood would strike", MOST_CAVERS),
        share("struck by gas", "cavers whom gas would strike", MOST_CAVERS),
        share("struck by cave-in", "cavers whom a cave-in would strike, in the mean", MOST_CAVERS),
    ),
)

_STACK = Section(
    "stack",
    "what can still come",
    (
        Feature("unseen", "share of the unseen tiles", labels=_DRAWABLE),
        share("left", "places left in the stack", STACK_PLACES),
        share("before the last", "of them those before the last six", PLACES_BEFORE_LAST),
        flag("exit in stack", "the exit has not been drawn"),
        _chance("exit", "that the next tile is the exit"),
        flag("exit lies", "the exit lies"),
        share("guides left", "uses of Guide left", GUIDES),
        share("explosives left", "explosives left", EXPLOSIVES),
    ),
)

_RESERVE = Section(
    "reserve",
    "the tile that the geologist keeps",
    (_kind("it"), one_of("shape", "the shape of it", Shape)),
)

_DECK = Section(
    "deck",
    "what the hazard phases can bring",
    (
        Feature("unseen", "share of the unseen cards", labels=tuple(CARD_NAMES)),
        share("left", "cards left", MOST_CARDS),
        flag("out of time", "no card is left"),
        flag("gas out", "gas is out"),
        Feature(
            "pace",
            "places left in the stack for each action point the conscious cavers have before the cards are used up, "
            "1 at most",
        ),
    ),
)

_CAVE = Section(
    "cave",
    "the cave as a whole",
    (
        share("tiles", "tiles on the table", SLOTS),
        share("frontier", f"open sides to an empty place, {MOST_FRONTIER} at most", MOST_FRONTIER),
        share("dry water", "water tiles without a marker", MOST_WATER),
        share("flooded", "flooded tiles", MOST_WATER),
        share("cave-in", "cave-in tiles without rubble", MOST_CAVE_IN),
        share("rubble", "tiles with rubble", MOST_CAVE_IN),
        share("horror tiles", "horror tiles", MOST_HORROR_TILES),
        share("horrors", "horrors about", MOST_HORRORS),
    ),
)

_TABLE = Section(
    "table",
    "what was agreed",
    (
        one_of("rules", "the rule set", RuleSet),
        one_of("difficulty", "the difficulty", Difficulty),
        flag("hidden cavers are passed by", "that option is on"),
        flag("horrors choose", "nobody chooses for the horrors"),
        flag("out-of-time card", "running out of time follows the printed card"),
        flag("stop when conscious are out", "that option is on"),
    ),
)

_DRAWN = Section(
    "drawn",
    "the tile drawn and not yet laid",
    (
        _kind("it"),
        one_of("shape", "the shape of it", Shape),
        _chance("cave-in", "that a cave-in will hit it"),
        sides("side", "it is being laid on that side"),
    ),
)

_LAY_DRAWN = Section(
    "lay drawn",
    "the turnings of the drawn tile",
    (
        flag("may", "it may be laid so"),
        share("opens", "open sides that will face an empty place", MOST_WAYS_ON),
        share("connects", "tiles it will connect to", SIDES),
    ),
    rows=TURNING_LABELS,
    rows_turn=Turns.DRAWN,
)

_LAY_RESERVE = Section(
    "lay reserve",
    "the turnings of the tile in reserve",
    (
        flag("may", "it may be laid so"),
        share("opens", "open sides that will face an empty place", MOST_WAYS_ON),
    ),
    rows=TURNING_LABELS,
    rows_turn=Turns.RESERVE,
)

FLAT = Layout(
    (
        _ME,
        _SIDE,
        _OTHER,
        _HORROR,
        _WATER,
        _TURN,
        _TEAM,
        _STACK,
        _RESERVE,
        _DECK,
        _CAVE,
        _TABLE,
        _DRAWN,
        _LAY_DRAWN,
        _LAY_RESERVE,
    )
)
