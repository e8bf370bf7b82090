"""The vocabulary of the game as numbers: sides, tiles, cavers, hazards, questions, chance events, endings.

The words are those of ``rulebook.md``. ``word`` gives the spelling that records and screens use.
"""

from enum import IntEnum


class Side(IntEnum):
    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


class Shape(IntEnum):
    DEAD_END = 0
    STRAIGHT = 1
    CORNER = 2
    TEE = 3
    CROSSROADS = 4


class Kind(IntEnum):
    """What a tile is; NOTHING is the kind of the slot that stands for "no tile"."""

    NOTHING = 0
    START = 1
    EXIT = 2
    ORDINARY = 3
    WATER = 4
    GAS = 5
    CAVE_IN = 6
    HORROR = 7
    SQUEEZE = 8
    LEDGE = 9
    SLIDE = 10
    ROUGH_TERRAIN = 11


class Caver(IntEnum):
    """The eight cavers, in the order of their ranks (1.4)."""

    DIVER = 0
    SCOUT = 1
    GEOLOGIST = 2
    ENGINEER = 3
    CLIMBER = 4
    MEDIC = 5
    BODYGUARD = 6
    LEADER = 7


class Hazard(IntEnum):
    TREMOR = 0
    FLOOD = 1
    GAS = 2
    CAVE_IN = 3
    HORROR = 4


class RuleSet(IntEnum):
    OFFICIAL = 0
    GUIDE = 1
    SUMMARY = 2


class Difficulty(IntEnum):
    NORMAL = 0
    ADVANCED = 1
    EXPERT = 2


class HorrorChoices(IntEnum):
    PLAYERS = 0
    AUTOMATIC = 1


class OutOfTime(IntEnum):
    RULEBOOK = 0
    CARD = 1


class Node(IntEnum):
    """What a game stands at."""

    RUNNING = 0
    """Inside the engine only: nothing is asked, nothing is drawn, the rules go on."""
    ASK = 1
    CHANCE = 2
    END = 3


class Question(IntEnum):
    NONE = 0
    TURN = 1
    PLACE = 2
    RUN = 3
    DIRECT = 4
    SURFACE = 5
    HORROR_ORDER = 6
    HORROR_PATH = 7
    SPAWN = 8


class Chance(IntEnum):
    NONE = 0
    TILE = 1
    DIE = 2
    HAZARD = 3


class Check(IntEnum):
    """What a die is rolled for."""

    EXERT = 0
    ROPE = 1
    HIDE = 2
    ROUGH = 3
    TREMOR = 4
    OUT_OF_TIME = 5
    CAVE_IN = 6


class Phase(IntEnum):
    SETUP = 0
    ROUND_START = 1
    ACTION = 2
    HORROR = 3
    HAZARD = 4
    END = 5


class Ending(IntEnum):
    NONE = 0
    GOLD = 1
    SILVER = 2
    BRONZE = 3
    DEFEAT = 4
    TRUNCATED = 5


class Step(IntEnum):
    """Where the rules go on once a question or a chance event is settled."""

    ROUND_BEGINS = 0
    OUT_OF_TIME_CHECKS = 1
    NEXT_CAVER = 2
    TURN = 3
    PLACE = 4
    RUN = 5
    ACTION_DONE = 6
    TURN_ENDS = 7
    TURN_OVER = 8
    HORRORS_MOVE = 9
    HORROR_STEPS = 10
    SPAWN = 11
    HAZARD_BEGINS = 12
    RESOLVE = 13
    TREMOR_CHECKS = 14
    ROUND_ENDS = 15


def word(term: IntEnum) -> str:
    """The spelling of a term: ``word(Kind.ROUGH_TERRAIN) == "rough terrain"``."""
    if term.name == "CAVE_IN":
        return "cave-in"
    return term.name.lower().replace("_", " ")


def words(terms: type[IntEnum]) -> list[str]:
    """The spellings of all members of a vocabulary, in order."""
    return [word(term) for term in terms]
