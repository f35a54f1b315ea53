"""The process that runs one model: llama.cpp's server on this machine, for as long as whoever started it lives.

It reads one line of JSON (an `EngineSpec`, and the key that requests must carry) from standard input, which then stays open:
when it closes, however that came about, this process ends at once. It says on standard output, in a line of JSON, that it is
ready or why it is not.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from prompts.engine.gguf import read_header
from prompts.engine.memory import total_memory
from prompts.engine.spec import EngineError, EngineSpec, check_installed, is_free

CACHE_MEGABYTES = 256  # of prompts that were read before; the library's own default is 8 GB
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


def main() -> int:
    _die_with_parent()
    say = _own_output()
    given = json.loads(sys.stdin.buffer.readline() or b"{}")
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()
    try:
        spec = EngineSpec.model_validate(given["spec"])
        server = _opened(spec, given["key"])
    except EngineError as error:
        say({"state": "failed", "sentence": str(error)})
        return 1
    say({"state": "ready", "address": server.listening_address})
    threading.Event().wait()
    return 0


def _opened(spec: EngineSpec, key: str) -> Any:
    """The server, with the model loaded. Raises EngineError."""
    check_installed()
    header = read_header(Path(spec.file), spec.embeddings)
    if (total := total_memory()) is not None and header.size > total:
        raise EngineError(
            f"{spec.name} has {header.size / 1e9:.1f} GB and this machine {total / 1e9:.1f} GB of memory; choose a smaller model."
        )
    if not is_free(spec.port):
        raise EngineError(
            f"Port {spec.port} of this machine is taken by another program; end it, or use the model's file anew under Settings, which takes a free port."
        )
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = spec.file
    parameters.model_alias = {spec.name}
    parameters.port = spec.port
    parameters.api_keys = [key]
    parameters.cors_origins = "http://127.0.0.1"  # by default pages of any site could ask
    parameters.ui = parameters.endpoint_slots = False
    parameters.n_ctx = min(spec.context_tokens, header.context_tokens or spec.context_tokens)
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.offline = True
    parameters.cache_ram_mib = CACHE_MEGABYTES
    parameters.default_template_kwargs = {"enable_thinking": "false"}  # of models that may or may not think aloud
    if spec.embeddings:
        parameters.embedding = True
        parameters.n_batch = parameters.n_ubatch = parameters.n_ctx  # a text is taken whole or not at all
        if not header.pools:
            parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    for processors in (parameters.cpuparams, parameters.cpuparams_batch):
        processors.n_threads = spec.used_threads
        processors.poll = 0  # threads that wait by spinning slow everything else down, themselves included
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise EngineError(
            f"{spec.name} could not be loaded: the file is damaged, of a kind that this llama.cpp does not know, or larger than the "
            "memory that is free. engine.log in the data folder says more; try another file or a smaller context."
        ) from error


def _own_output() -> Any:
    """Says lines of JSON on what was standard output; whatever a library prints goes to standard error."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    return lambda said: print(json.dumps(said), file=lines, flush=True)


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # at once, in the middle of a reply too


def _die_with_parent() -> None:
    """While a model is being loaded no thread of Python runs; on Linux the kernel ends us then."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
