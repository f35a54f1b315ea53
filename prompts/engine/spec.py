"""What is run and where: kept with the team's choice of a model."""

from __future__ import annotations

import os
import socket
from importlib.util import find_spec
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

PACKAGE = "xllamacpp"  # llama.cpp with its server, built for common processors
INSTALL = "make local"
CONTEXT_TOKENS = 8_192
PORTS = {False: range(8_790, 8_840), True: range(8_840, 8_890)}  # of which a free one is taken; others for `embeddings`


class EngineError(Exception):
    """What stands between a person and a model of this machine; the message says what to do."""


class EngineSpec(BaseModel):
    """A model file and how it is run. It listens on this machine only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    port: int = Field(ge=1, le=65_535)
    context_tokens: int = Field(default=CONTEXT_TOKENS, ge=2_048, le=1_000_000)
    embeddings: bool = False  # it makes vectors, and does not write
    threads: int | None = Field(default=None, ge=1, le=512)  # None leaves one processor to the app

    @property
    def name(self) -> str:
        """What the model is called: by its file."""
        return Path(self.file).name.removesuffix(".gguf")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def used_threads(self) -> int:
        return self.threads or max(1, (os.cpu_count() or 2) - 1)


def is_installed() -> bool:
    return find_spec(PACKAGE) is not None


def check_installed() -> None:
    """Raises EngineError where the package that runs models is missing."""
    if not is_installed():
        raise EngineError(
            f"Running a model needs one more package. Run: {INSTALL} (it installs {PACKAGE}), then start the app again."
        )


def free_port(embeddings: bool = False) -> int:
    """One that the model of the other kind never takes, which need not be running now. Raises EngineError where none is free."""
    ports = PORTS[embeddings]
    for port in ports:
        if is_free(port):
            return port
    raise EngineError(f"No port from {ports[0]} to {ports[-1]} is free on this machine; end a program that listens on one.")


def is_free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the engine does: what has just ended is free
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
