"""Who answers for which seats: one agent a caver, one a player, or one for the whole team."""

from dataclasses import dataclass

CAVERS_OF_A_PLAYER = {4: 2, 5: 1, 6: 2}
"""By team size: two players of four cavers and three of six have two each, side by side (rulebook 2.2)."""


@dataclass(frozen=True)
class Seating:
    """``agent_of[seat]`` is the name of the agent who answers for a seat; ``seats_of`` are the seats of an agent."""

    agent_of: tuple[str, ...]
    seats_of: dict[str, tuple[int, ...]]

    @property
    def agents(self) -> list[str]:
        return list(self.seats_of)

    def eyes(self, agent: str, asked: int) -> int:
        """The seat through whose eyes an agent sees: the one asked if it is its own, else its first."""
        seats = self.seats_of[agent]
        return asked if asked in seats else seats[0]


def seating(kind: str, seats: int) -> Seating:
    """The seating for ``caver``, ``player`` or ``team``. Raises ValueError for another kind."""
    size = {"caver": 1, "player": CAVERS_OF_A_PLAYER[seats], "team": seats}.get(kind)
    if size is None:
        raise ValueError(f"agents: {kind!r}; there are 'caver', 'player' and 'team'")
    agent_of = tuple(f"{kind}_{seat // size}" for seat in range(seats))
    seats_of = {agent: tuple(s for s in range(seats) if agent_of[s] == agent) for agent in dict.fromkeys(agent_of)}
    return Seating(agent_of, seats_of)
