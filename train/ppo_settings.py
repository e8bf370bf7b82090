"""What a run of `ppo` can be told."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from subterra_env.agents.checkpoint import Architecture
from subterra_env.train.running import RunSettings
from subterra_env.train.settings import Agreed, Settings

_Part = Annotated[float, Field(gt=0, le=1)]
_Count = Annotated[int, Field(ge=1)]


class Stage(Settings):
    """One step of a curriculum: what the table agrees, and the success of late that leads on to the next."""

    table: Agreed = Field(default_factory=dict)
    success: _Part = 1.0


class PpoConfig(RunSettings):
    """One training run."""

    trainer: Literal["ppo"]
    curriculum: Annotated[tuple[Stage, ...], Field(min_length=1, strict=False)] = (Stage(),)
    """Stages in order; the last one is what is to be learned."""
    kept: Annotated[float, Field(ge=0, lt=1)] = 0.25
    """Part of the games that goes on being of earlier stages."""
    reward: Literal["saved", "medal", "utility", "shaped", "shaped_utility"] = "utility"
    critic: Literal["observation", "state"] = "observation"
    """What the value is judged from: the caver's observation (IPPO) or the complete state (MAPPO)."""
    start: str | None = None
    """A checkpoint to begin with."""
    decisions: _Count = 1_000_000
    """Answers to learn from, at least."""
    games: _Count = 512
    steps: _Count = 64
    minibatch: Annotated[int, Field(ge=2)] = 4096
    epochs: _Count = 2
    learning_rate: Annotated[float, Field(gt=0)] = 5e-4
    last_learning_rate: Annotated[float, Field(ge=0)] = 1e-5
    gamma: _Part = 0.999
    gae_lambda: Annotated[float, Field(ge=0, le=1)] = 0.95
    clip: Annotated[float, Field(gt=0)] = 0.2
    entropy: Annotated[float, Field(ge=0)] = 0.005
    value_weight: Annotated[float, Field(ge=0)] = 0.5
    most_gradient: Annotated[float, Field(gt=0)] = 0.5
    critic_first: Annotated[int, Field(ge=0)] = 0
    """Decisions from which only the value is learned, so that a policy that plays already is not led astray."""
    symmetries: bool = False
    """Learns from every position turned and mirrored at random."""
    precision: Literal["fp32", "bf16"] = "bf16"
    architecture: Architecture = Architecture()

    @property
    def batch(self) -> int:
        """Decisions between two updates."""
        return self.games * self.steps

    @property
    def architecture_kept(self) -> Architecture:
        """What checkpoints hold: not the value of a central critic, which no player could ask."""
        return self.architecture.model_copy(update={"value": None}) if self.critic == "state" else self.architecture

    @model_validator(mode="after")
    def _minibatches_fit(self) -> "PpoConfig":
        if self.batch % self.minibatch:
            raise ValueError(f"minibatch: {self.minibatch} does not divide games x steps, {self.batch}")
        return self
