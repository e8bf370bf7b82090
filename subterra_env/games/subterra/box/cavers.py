"""The eight cavers (rulebook 1.4) and what the rule sets change about prices, checks and ranks (rulebook 10)."""

import numpy as np

from subterra_env.games.subterra.terms import Caver, RuleSet

FEWEST_CAVERS, MOST_CAVERS = 4, 6
HEALTH = np.array([5 if caver == Caver.BODYGUARD else 3 for caver in Caver], np.int8)

_RANK_AS_PRINTED = [caver + 1 for caver in Caver]
_RANK_GUIDE = [6 if caver == Caver.CLIMBER else caver + 1 for caver in Caver]
RANK = np.array([_RANK_AS_PRINTED, _RANK_GUIDE, _RANK_AS_PRINTED], np.int8)
"""By rule set and caver; of equal ranks the smaller seat counts first (10)."""

RUN_PRICE = np.array([2, 1, 2], np.int8)
HEAL_PRICE = np.array([2, 1, 2], np.int8)
ROPE_PRICE = np.array([2, 1, 2], np.int8)
HIDE_PRICE = np.array([2, 1, 2], np.int8)
CHECK_SUCCEEDS_ON = np.array([4, 4, 5], np.int8)
OUT_OF_TIME_AT_ROUND_START = np.array([rules == RuleSet.SUMMARY for rules in RuleSet], np.uint8)

TURN_POINTS = 2
GUIDES = 3
EXPLOSIVES = 3
MOST_HORRORS = 3
HORROR_REACH = 7
RUN_MOVES, SPRINT_MOVES = 3, 2
HIDES_BEFORE_SURE = 2
"""After so many turns running with a hide, the next one needs no check (4.10)."""
