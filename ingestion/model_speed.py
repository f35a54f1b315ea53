"""How long a model that runs on this machine takes, by its size alone: a rough figure for before it is tried."""

from __future__ import annotations

import os
import platform
from pathlib import Path

# Tokens a second of a model of a billion parameters, four bits each (llama.cpp on common x86 servers, 2026).
READ_BY_A_CORE = 45.0
WRITTEN_BY_A_CORE, MOST_WRITTEN = 20.0, 60.0  # writing is bound by the memory, which few cores are enough to fill
_GRAPHICS_CARDS = ("/dev/nvidia0", "/dev/kfd")  # NVIDIA, AMD


def seconds_by_size(billions: float, input_tokens: float, output_tokens: float, cores: int | None = None) -> float:
    """Without a graphics card, one request after the other."""
    cores = cores or os.cpu_count() or 1
    written = min(MOST_WRITTEN, WRITTEN_BY_A_CORE * cores)
    return billions * (input_tokens / (READ_BY_A_CORE * cores) + output_tokens / written)


def has_graphics_card() -> bool:
    """Whether one is seen that model servers use; nothing can then be told by the size of a model."""
    is_apple = platform.system() == "Darwin" and platform.machine() == "arm64"
    return is_apple or any(Path(device).exists() for device in _GRAPHICS_CARDS)
