"""What a position in JSON looks like: names, types and defaults (`position`)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from subterra_env.games.subterra.box.cavers import EXPLOSIVES, GUIDES, MOST_CAVERS, MOST_HORRORS, TURN_POINTS
from subterra_env.games.subterra.box.tiles import QUARTER_TURNS, STACK_TILES
from subterra_env.games.subterra.options import MOST_ROUNDS
from subterra_env.games.subterra.terms import Chance, Check, Ending, Phase, Question, Side, words

FORMAT = "subterra-position/1"
_FARTHEST = STACK_TILES + 1
_BYTE = 127

Coordinate = Annotated[int, Field(ge=-_FARTHEST, le=_FARTHEST)]
Place = Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]
Small = Annotated[int, Field(ge=0, le=_BYTE)]
Flag = Annotated[bool, Field(strict=False)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class TileLaid(_Part):
    """A tile on the table."""

    at: Place
    tile: str
    turns: Annotated[int, Field(ge=0, lt=QUARTER_TURNS)] = 0
    blasted: Annotated[list[Literal["north", "east", "south", "west"]], Field(max_length=len(Side))] = []
    flooded: bool = False
    rubble: bool = False
    rope: bool = False


class CaverThere(_Part):
    """A caver; without ``at`` it is on no tile: submerged (``dived_from``) or lost."""

    health: Small | None = None
    at: Place | None = None
    dived_from: Place | None = None
    hidden: bool = False
    hides_running: Small = 0
    lost: bool = False


class TurnUnderWay(_Part):
    """The turn of a caver; flags are 0 and 1."""

    caver: str | None = None
    points: Small = TURN_POINTS
    exerted: Flag = False
    directed: Flag = False
    hid: Flag = False
    surfaced: Flag = False


class StandsAt(_Part):
    """A question (with the caver asked), a chance event, or the end."""

    question: Literal[tuple(words(Question)[1:])] | None = None  # type: ignore[valid-type]
    caver: str | None = None
    chance: Literal[tuple(words(Chance)[1:])] | None = None  # type: ignore[valid-type]
    end: Literal[tuple(words(Ending)[1:])] | None = None  # type: ignore[valid-type]


class Position(_Part):
    """A whole position."""

    format: Literal["subterra-position/1"]
    rules: str = "official"
    options: dict[str, Any] = {}
    cavers: list[str]
    first: int = 0
    round: Annotated[int, Field(ge=0, le=MOST_ROUNDS)] = 1
    phase: Literal[tuple(words(Phase))] = "action"  # type: ignore[valid-type]
    starting_caver: str | None = None
    tiles: Annotated[list[TileLaid], Field(min_length=1, max_length=STACK_TILES + 2)] = [
        TileLaid(at=(0, 0), tile="start crossroads")
    ]
    team: dict[str, CaverThere] = {}
    horrors: Annotated[list[Place], Field(max_length=MOST_HORRORS)] = []
    horrors_waiting: Annotated[list[Flag], Field(max_length=MOST_HORRORS)] = []
    reserve: str | None = None
    drawn: str | None = None
    discarded: Annotated[list[str], Field(max_length=STACK_TILES)] = []
    hazards_used: Annotated[list[str], Field(max_length=30)] = []
    gas_out: bool = False
    guides_left: Annotated[int, Field(ge=0, le=GUIDES)] = GUIDES
    explosives_left: Annotated[int, Field(ge=0, le=EXPLOSIVES)] = EXPLOSIVES
    turn: TurnUnderWay | None = None
    stands_at: StandsAt = StandsAt()
    course: dict[str, Annotated[int, Field(ge=0, le=255)]] = {}
    rolls: list[list[Small]] = []

    @model_validator(mode="after")
    def _rolls_are_a_table(self) -> "Position":
        if self.rolls and [len(row) for row in self.rolls] != [MOST_CAVERS + 1] * len(Check):
            raise ValueError(f"rolls: {len(Check)} rows of {MOST_CAVERS + 1} numbers")
        return self
