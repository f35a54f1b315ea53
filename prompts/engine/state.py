"""How the model of this machine stands, written down for other processes of the same data folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

from prompts.engine.process import EngineState

WRITING_ENGINE, EMBEDDING_ENGINE = (
    "engine.json",
    "embedding-engine.json",
)  # what the files are called: of the model that writes, and the other
NOT_RUNNING = "The model of this machine runs with the app, which is not running. Start the app, or run it alone with “python -m tree model run”."


def write_state(folder: Path, state: EngineState, name: str = WRITING_ENGINE) -> None:
    """Takes the place of what was written before."""
    said = {"state": state.name, "sentence": state.sentence, "restarts": state.restarts, "engine": state.pid, "by": os.getpid()}
    made = folder / f"{name}.new"
    made.write_text(json.dumps(said), encoding="utf-8")
    os.replace(made, folder / name)


def read_state(folder: Path, name: str = WRITING_ENGINE) -> EngineState:
    """Stopped where nobody has written, or whoever has written is gone."""
    try:
        said = json.loads((folder / name).read_text(encoding="utf-8"))
        os.kill(said["by"], 0)
    except (OSError, ValueError, KeyError, TypeError):
        return EngineState("stopped", NOT_RUNNING)
    return EngineState(said["state"], said["sentence"], said["restarts"], said["engine"])


def why_not(folder: Path, name: str = WRITING_ENGINE) -> str:
    """Why the model of this machine cannot be asked now, as a sentence; empty where it can."""
    state = read_state(folder, name)
    if state.name == "ready":
        return ""
    if state.name == "starting":
        return "The model of this machine is being loaded; ask again in a moment."
    return state.sentence or NOT_RUNNING
