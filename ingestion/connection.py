"""Connectors as this app opens them: none of them ever reads the app's own data folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from connectors import connect
from connectors.base import Check, ConfigurationError, Connector
from connectors.sandbox import Limits, Sandbox, Stopped

UPLOADS = "uploads"  # below the data folder: what people gave the app to keep, a source like any other


def open_connector(home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, Any] | None = None) -> Connector:
    """Raises ConfigurationError for settings that cannot be right."""
    if "path" not in config:
        return connect(kind, config, secrets)
    own, path = os.path.realpath(home), os.path.realpath(os.path.expanduser(str(config["path"])))
    inside = os.path.relpath(path, own)
    if not inside.startswith("..") and inside.partition(os.sep)[0] != UPLOADS:
        raise ConfigurationError("That is this app's own data folder. Choose the folder with your documents.")
    above = os.path.relpath(own, path)
    return connect(kind, config if above.startswith("..") else {**config, "skipped": [own]}, secrets)


class _Settings(NamedTuple):
    home: Path
    kind: str
    config: Mapping[str, Any]
    secrets: Mapping[str, Any]


def check_aside(home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, Any], seconds: float) -> Check | None:
    """What a connector with these settings sees, looked at in a process of its own: whatever lies there, and whatever
    patterns somebody typed, this process goes on. None when it takes longer than so many seconds. Raises ConnectorError."""
    with Sandbox(workers=1, limits=Limits(seconds)) as sandbox:
        found = sandbox.run(_checked, _Settings(home, kind, config, secrets))
    return None if isinstance(found, Stopped) else found


def _checked(settings: _Settings) -> Check:
    with closing(open_connector(*settings)) as connector:
        return connector.check()
