"""The game as others expect it: PettingZoo, Gymnasium, vectors of games. Nothing is loaded before it is asked for."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subterra_env.envs.aec import SubTerraAEC
    from subterra_env.envs.parallel import SubTerraParallel
    from subterra_env.envs.single import SubTerraEnv


def aec_env(**options: Any) -> "SubTerraAEC":
    """The game as a PettingZoo AEC environment; options as of `aec.SubTerraAEC`."""
    from subterra_env.envs.aec import SubTerraAEC

    return SubTerraAEC(**options)


def parallel_env(**options: Any) -> "SubTerraParallel":
    """The game as a PettingZoo Parallel environment; options as of `parallel.SubTerraParallel`."""
    from subterra_env.envs.parallel import SubTerraParallel

    return SubTerraParallel(**options)


def single_env(**options: Any) -> "SubTerraEnv":
    """The game as a Gymnasium environment; options as of `single.SubTerraEnv`."""
    from subterra_env.envs.single import SubTerraEnv

    return SubTerraEnv(**options)
