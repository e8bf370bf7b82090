"""The network that is trained: layers with ReLU for policy and value, with a trunk in common if wanted."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch
from subterra_env.agents.checkpoint import Architecture
from torch import nn

from subterra_env.game import SUBTERRA

_FORBIDDEN = -1e9
_BF16_INSTRUCTIONS = ("avx512_bf16", "amx_bf16")
"""Without either bfloat16 is slower than float32."""
_FIRST_LEAN = 5.0
"""The rules bot's answer is given in about 19 cases of 20 at first."""
_LAST_POLICY_GAIN, _LAST_VALUE_GAIN = 0.01, 1.0
"""Small steps away from all legal answers alike (Andrychowicz et al. 2021)."""


class Network(nn.Module):
    """Logits and value of flat observations; a central critic is given what it sees beside them."""

    def __init__(self, architecture: Architecture, critic_inputs: int | None = None) -> None:
        """``critic_inputs``: numbers that a critic of its own sees; None if it sees what the policy sees."""
        super().__init__()
        self.architecture = architecture
        width = architecture.inputs
        if architecture.hint:
            self.lean = nn.Parameter(torch.full((1,), _FIRST_LEAN))
        self.trunk = _layers(width, architecture.trunk)
        width = architecture.trunk[-1] if architecture.trunk else width
        self.policy = _layers(width, (*architecture.policy, SUBTERRA.actions.ACTIONS), _LAST_POLICY_GAIN)
        self.value = _layers(critic_inputs or width, (*(architecture.value or ()), 1), _LAST_VALUE_GAIN)
        self.central = critic_inputs is not None

    def forward(self, seen: torch.Tensor, central: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits float32[n, ACTIONS] and values float32[n]; ``seen``: float32[n, inputs]."""
        shared = _run(self.trunk, seen, True)
        values = _run(self.value, shared if central is None else central, False)
        logits = _run(self.policy, shared, False)
        if self.architecture.hint:
            logits = logits + self.lean * seen[:, SUBTERRA.observation.FLAT_SIZE :]
        return logits.float(), values[:, 0].float()

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights as a checkpoint names them, one row an input."""
        return {name: tensor.detach().cpu().numpy().T.copy() for name, tensor in self.named_parameters()}

    def take(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Takes weights over, those of `arrays` that are given."""
        with torch.no_grad():
            for name, tensor in self.named_parameters():
                if name in arrays:
                    tensor.copy_(torch.from_numpy(arrays[name].T))


def _layers(width: int, widths: tuple[int, ...], last_gain: float | None = None) -> nn.ModuleList:
    layers = nn.ModuleList()
    for number, wider in enumerate(widths):
        layer = nn.Linear(width, wider)
        is_last = number == len(widths) - 1 and last_gain is not None
        nn.init.orthogonal_(layer.weight, last_gain if is_last and last_gain else np.sqrt(2))
        nn.init.zeros_(layer.bias)
        layers.append(layer)
        width = wider
    return layers


def _run(layers: nn.ModuleList, numbers: torch.Tensor, ends_in_relu: bool) -> torch.Tensor:
    for number, layer in enumerate(layers):
        numbers = layer(numbers)
        if ends_in_relu or number < len(layers) - 1:
            numbers = torch.relu(numbers)
    return numbers


def legal_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logits, so low where an answer is not legal that it has no chance."""
    return logits.masked_fill(masks == 0, _FORBIDDEN)


def number_type(name: str, device: torch.device) -> torch.dtype:
    """What a network computes in: float32, or bfloat16 for ``bf16`` where the device has instructions for it."""
    if name == "bf16" and (torch.cuda.is_bf16_supported() if device.type == "cuda" else _processor_has_bf16()):
        return torch.bfloat16
    return torch.float32


def _processor_has_bf16() -> bool:
    return any(torch.cpu.get_capabilities().get(name) for name in _BF16_INSTRUCTIONS)


def precision(name: str, device: torch.device) -> torch.autocast:
    """Within it the network computes as `number_type` says, where that is safe; weights stay float32."""
    return torch.autocast(device.type, torch.bfloat16, enabled=number_type(name, device) == torch.bfloat16)


def device_of(name: str) -> torch.device:
    """What a configuration's ``auto`` or ``cpu`` means on this machine."""
    return torch.device("cuda" if name == "auto" and torch.cuda.is_available() else "cpu")


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Torch on so many threads, as many as before afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
