"""Connectors as this app opens them: none of them ever reads the app's own data folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from connectors import connect
from connectors.base import ConfigurationError, Connector

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
