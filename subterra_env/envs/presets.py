"""The names under which environments are made: the whole game, and caves for study."""

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    "SubTerra-v0": {},
    "SubTerra-Small-v0": {"stack_tiles": 10},
    "SubTerra-Shallow-v0": {"stack_tiles": 18},
    "SubTerra-Advanced-v0": {"difficulty": "advanced"},
    "SubTerra-Expert-v0": {"difficulty": "expert"},
}
"""What each id agrees beforehand; ``make`` takes further options, which come first."""
NAMESPACE = "subterra"
SINGLE = "subterra_env.envs.single:SubTerraEnv"
VECTOR = "subterra_env.envs.vector:SubTerraVectorEnv"
AEC = "subterra_env.envs.aec:SubTerraAEC"
PARALLEL = "subterra_env.envs.parallel:SubTerraParallel"


def register_with_gymnasium() -> None:
    """Every preset, with and without the namespace ``subterra/``; nothing is registered twice."""
    from gymnasium.envs.registration import register, registry

    for name, options in PRESETS.items():
        for full_name in (name, f"{NAMESPACE}/{name}"):
            if full_name not in registry:
                register(full_name, entry_point=SINGLE, vector_entry_point=VECTOR, kwargs=dict(options))


def register_with_pettingzoo() -> None:
    """Every preset as ``subterra/…`` in both registries; nothing is registered twice."""
    from pettingzoo.env_registry.registration import aec_registry, parallel_registry, register

    for name, options in PRESETS.items():
        full_name = f"{NAMESPACE}/{name}"
        if full_name not in aec_registry:
            register("aec", full_name, AEC, kwargs=dict(options))
        if full_name not in parallel_registry:
            register("parallel", full_name, PARALLEL, kwargs=dict(options))
