"""Models that are recommended: instruction models that hold the forms of our prompts, by the memory they need, and models of
embeddings.

Sizes are about; the exact size, the licence and the checksum are asked of the host before a download is confirmed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
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
    languages: str = ""  # that a model of embeddings was trained for
    embeddings: bool = False  # it makes vectors, and does not write

    @property
    def name(self) -> str:
        return f"{self.repository}/{self.file}"


RECOMMENDED = (
    Model("Qwen/Qwen2.5-1.5B-Instruct-GGUF", "qwen2.5-1.5b-instruct-q4_k_m.gguf", "Qwen2.5 1.5B Instruct", "Apache-2.0", 1.1, 4, 1),
    Model("unsloth/Qwen3-4B-Instruct-2507-GGUF", "Qwen3-4B-Instruct-2507-Q4_K_M.gguf", "Qwen3 4B Instruct", "Apache-2.0", 2.5, 7, 4),
    Model("bartowski/Qwen2.5-7B-Instruct-GGUF", "Qwen2.5-7B-Instruct-Q4_K_M.gguf", "Qwen2.5 7B Instruct", "Apache-2.0", 4.7, 12, 8),
    Model("bartowski/Qwen2.5-14B-Instruct-GGUF", "Qwen2.5-14B-Instruct-Q4_K_M.gguf", "Qwen2.5 14B Instruct", "Apache-2.0", 9.0, 24, 16),
)  # fmt: skip
# The last makes vectors about a tenth as fast as the others.
EMBEDDINGS = (
    Model(
        "ggml-org/bge-small-en-v1.5-Q8_0-GGUF", "bge-small-en-v1.5-q8_0.gguf", "BGE Small v1.5", "MIT", 0.04, 2,
        languages="English", embeddings=True,
    ),
    Model(
        "bartowski/granite-embedding-107m-multilingual-GGUF", "granite-embedding-107m-multilingual-Q8_0.gguf",
        "Granite Embedding 107M", "Apache-2.0", 0.12, 2,
        languages="12 languages", embeddings=True,
    ),
    Model(
        "nomic-ai/nomic-embed-text-v2-moe-GGUF", "nomic-embed-text-v2-moe.Q8_0.gguf", "Nomic Embed Text v2", "Apache-2.0", 0.5, 4, 4,
        languages="100 languages", embeddings=True,
    ),
)  # fmt: skip


def recommended_for(memory: int | None, processors: int | None = None) -> Model:
    """The largest that a machine with so many bytes of memory and processors answers with in good time; the smallest where
    that is not known."""
    processors = processors or os.cpu_count() or 1
    fitting = [
        one for one in RECOMMENDED if memory is not None and one.memory * GIGABYTE <= memory and one.processors <= processors
    ]
    return fitting[-1] if fitting else RECOMMENDED[0]


def named(text: str, models: Sequence[Model] = RECOMMENDED) -> Model:
    """One of `models` by its title or name, or any of their kind by "owner/repository/file.gguf". Raises EngineError."""
    wanted = text.strip()
    for model in models:
        if wanted.casefold() in (model.title.casefold(), model.name.casefold(), model.file.casefold()):
            return model
    if match := _NAMED.fullmatch(wanted):
        return Model(match[1], match[2], embeddings=models[0].embeddings)
    raise EngineError(
        f"“{wanted}” names no model. Write it as owner/repository/file.gguf, or choose: {', '.join(one.title for one in models)}."
    )


def host(environment: Mapping[str, str] = os.environ) -> str:
    """Where models are downloaded from. Empty where an admin has switched downloads off."""
    return environment.get(HOST_VARIABLE, HOST).strip().rstrip("/")
