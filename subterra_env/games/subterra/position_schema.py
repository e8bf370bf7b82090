"""What a position in JSON looks like: names, types and defaults (`position`)."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from subterra_env.games.subterra.box.cavers import (
    EXPLOSIVES,
    FEWEST_CAVERS,
    GUIDES,
    HIDES_BEFORE_SURE,
    MOST_CAVERS,
    MOST_HORRORS,
    RUN_MOVES,
    TURN_POINTS,
)
from subterra_env.games.subterra.box.hazards import POOL
from subterra_env.games.subterra.box.tiles import QUARTER_TURNS, STACK_TILES
from subterra_env.games.subterra.options import MOST_ROUNDS
from subterra_env.games.subterra.state import SLOTS
from subterra_env.games.subterra.terms import Chance, Check, Ending, Phase, Question, Side, words

FORMAT: Final = "subterra-position/1"
NOBODY_ROLLS = "nobody"
"""Who rolls the die of a cave-in."""
_MOST_DICE = 127
_MOST_TEXT = 40

Name = Annotated[str, Field(max_length=_MOST_TEXT)]
Coordinate = Annotated[int, Field(ge=-SLOTS, le=SLOTS)]
Place = Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]
SideName = Literal["north", "east", "south", "west"]
CheckName = Literal["exert", "rope", "hide", "rough", "tremor", "out of time", "cave-in"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class TileLaid(_Part):
    """A tile on the table."""

    at: Place
    tile: Name
    turns: Annotated[int, Field(ge=0, lt=QUARTER_TURNS)] = 0
    blasted: Annotated[list[SideName], Field(max_length=len(Side))] = []
    flooded: bool = False
    rubble: bool = False
    rope: bool = False


class CaverThere(_Part):
    """A caver: on the start at full health, unless something else is said; on no tile if it dived or is lost."""

    at: Place | None = None
    health: Annotated[int, Field(ge=0, le=_MOST_DICE)] | None = None
    dived_from: Place | None = None
    hidden: bool = False
    hides_running: Annotated[int, Field(ge=0, le=HIDES_BEFORE_SURE)] = 0
    lost: bool = False


class TurnUnderWay(_Part):
    """Whose turn it is, and how far it has come."""

    caver: Name | None = None
    points: Annotated[int, Field(ge=0, le=TURN_POINTS + 1)] | None = None
    exerted: bool = False
    directed: bool = False
    hid: bool = False
    surfaced: bool = False


class Resolving(_Part):
    """The hazard card under way, and what it still has to do after what is asked or rolled now."""

    card: Name
    repeats_left: Annotated[int, Field(ge=0, le=1)] = 0
    spawns_left: Annotated[int, Field(ge=0, le=2)] = 0


class StandsAt(_Part):
    """A question, a chance event or the end: one of the first three, and what belongs to it."""

    question: Literal[tuple(words(Question)[1:])] | None = None  # type: ignore[valid-type]
    chance: Literal[tuple(words(Chance)[1:])] | None = None  # type: ignore[valid-type]
    end: Literal[tuple(words(Ending)[1:])] | None = None  # type: ignore[valid-type]
    caver: Name | None = None
    """Who answers, rolls, or lays the tile drawn."""
    check: Annotated[CheckName | None, Field(alias="for")] = None
    """What the die is for."""
    side: SideName | None = None
    """Where a tile is being laid."""
    exploring: bool = False
    guided: bool = False
    moves_left: Annotated[int, Field(ge=0, lt=RUN_MOVES)] = 0
    horror: Annotated[int, Field(ge=0, lt=MOST_HORRORS)] | None = None
    """Which of `horrors`, counted from 0, moves."""
    checks_began_with: Name | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> "StandsAt":
        told = [name for name in ("question", "chance", "end") if getattr(self, name) is not None]
        if len(told) > 1:
            raise ValueError(f"a game stands at one thing, not at {' and '.join(told)}")
        if (self.chance == "die") != (self.check is not None):
            raise ValueError(f"a die, and nothing else, is for something: {', '.join(words(Check))}")
        return self


Dice = dict[Name, Annotated[int, Field(ge=0, le=_MOST_DICE)]]


class Position(_Part):
    """A whole position."""

    format: Literal["subterra-position/1"] = FORMAT
    rules: Name = "official"
    options: dict[Name, Any] = {}
    cavers: Annotated[list[Name], Field(min_length=FEWEST_CAVERS, max_length=MOST_CAVERS)]
    first: int | None = None
    round: Annotated[int, Field(ge=0, le=MOST_ROUNDS)] | None = None
    phase: Literal[tuple(words(Phase))] | None = None  # type: ignore[valid-type]
    starting_caver: Name | None = None
    marker_passed: bool = False
    tiles: Annotated[list[TileLaid], Field(max_length=SLOTS)] = []
    team: dict[Name, CaverThere] = {}
    horrors: Annotated[list[Place], Field(max_length=MOST_HORRORS)] = []
    horrors_waiting: Annotated[list[bool], Field(max_length=MOST_HORRORS)] = []
    places_left: int | None = None
    reserve: Name | None = None
    drawn: Name | None = None
    discarded: Annotated[list[Name], Field(max_length=STACK_TILES)] = []
    hazards_used: Annotated[list[Name], Field(max_length=int(POOL.sum(axis=1).max()))] = []
    gas_out: bool = False
    guides_left: Annotated[int, Field(ge=0, le=GUIDES)] = GUIDES
    explosives_left: Annotated[int, Field(ge=0, le=EXPLOSIVES)] = EXPLOSIVES
    turn: TurnUnderWay | None = None
    stands_at: StandsAt = StandsAt(question="turn")
    resolving: Resolving | None = None
    rolls: dict[CheckName, Dice] = {}
