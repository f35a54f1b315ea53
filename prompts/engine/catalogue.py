"""Instruction models that are known to hold the forms of our prompts, by the memory they need.

Sizes are about; the exact size, the licence and the checksum are asked of the host before a download is confirmed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from prompts.engine.spec import EngineError

HOST = "https://huggingface.co"
HOST_VARIABLE = "KNOWLEDGE_TREE_MODEL_HOST"  # in the environment: another host that serves the same addresses
GIGABYTE = 1_000_000_000
_PART = r"[A-Za-z0-9][\w.-]*"
_NAMED = re.compile(rf"({_PART}/{_PART})/((?:{_PART}/)*{_PART}\.gguf)")


@dataclass(frozen=True, slots=True)
class Model:
    """A file of a repository at the host."""

    repository: str
    file: str
    title: str = ""
    licence: str = ""
    gigabytes: float = 0.0  # about
    memory: float = 0.0  # gigabytes that a machine should have for it and the app
    processors: int = 1  # with fewer, a question takes minutes

    @property
    def name(self) -> str:
        return f"{self.repository}/{self.file}"


RECOMMENDED = (
    Model("Qwen/Qwen2.5-1.5B-Instruct-GGUF", "qwen2.5-1.5b-instruct-q4_k_m.gguf", "Qwen2.5 1.5B Instruct", "Apache-2.0", 1.1, 4, 1),
    Model("unsloth/Qwen3-4B-Instruct-2507-GGUF", "Qwen3-4B-Instruct-2507-Q4_K_M.gguf", "Qwen3 4B Instruct", "Apache-2.0", 2.5, 7, 4),
    Model("bartowski/Qwen2.5-7B-Instruct-GGUF", "Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Qwen2.5 7B Instruct", "Apache-2.0", 4.7, 12, 8),
    Model("bartowski/Qwen2.5-14B-Instruct-GGUF", "Qwen2.5-14B-Instruct-Q4_K_M.gguf", "Qwen2.5 14B Instruct", "Apache-2.0", 9.0, 24, 16),
)  # fmt: skip


def recommended_for(memory: int | None, processors: int | None = None) -> Model:
    """The largest that a machine with so many bytes of memory and processors answers with in good time; the smallest where
    that is not known."""
    processors = processors or os.cpu_count() or 1
    fitting = [
        one for one in RECOMMENDED if memory is not None and one.memory * GIGABYTE <= memory and one.processors <= processors
    ]
    return fitting[-1] if fitting else RECOMMENDED[0]


def named(text: str) -> Model:
    """A recommended one by its title or name, or any by "owner/repository/file.gguf". Raises EngineError."""
    wanted = text.strip()
    for model in RECOMMENDED:
        if wanted.casefold() in (model.title.casefold(), model.name.casefold(), model.file.casefold()):
            return model
    if match := _NAMED.fullmatch(wanted):
        return Model(match[1], match[2])
    raise EngineError(
        f"“{wanted}” names no model. Write it as owner/repository/file.gguf, or choose: {', '.join(one.title for one in RECOMMENDED)}."
    )


def host(environment: Mapping[str, str] = os.environ) -> str:
    """Where models are downloaded from. Empty where an admin has switched downloads off."""
    return environment.get(HOST_VARIABLE, HOST).strip().rstrip("/")
