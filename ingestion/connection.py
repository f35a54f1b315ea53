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

UPLOADS = "uploads"  # below the data folder: what people gave the app to keep, each in a folder that the app makes a source


def open_connector(
    home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, Any] | None = None, *, is_new: bool = False
) -> Connector:
    """Raises ConfigurationError for settings that cannot be right; of a source that somebody adds (`is_new`) also where they
    name a folder of files that others gave the app."""
    if "path" not in config:
        return connect(kind, config, secrets)
    path = _real(str(config["path"]))
    owned = {_real(home), _real(home / UPLOADS)}  # two, where uploads are on another disk
    if any(path.is_relative_to(folder) for folder in owned) and (is_new or not is_upload(home, kind, config)):
        raise ConfigurationError("That is this app's own data folder. Choose the folder with your documents.")
    skipped = sorted(str(folder) for folder in owned if folder.is_relative_to(path) and folder != path)
    return connect(kind, {**config, "skipped": skipped} if skipped else config, secrets)


def is_upload(home: Path, kind: str, config: Mapping[str, Any]) -> bool:
    """Whether a source has the files that the app itself holds: the app makes a source of a whole folder of them."""
    return kind == "folder" and _real(str(config.get("path", ""))).parent == _real(home / UPLOADS)


def _real(path: Path | str) -> Path:
    return Path(os.path.realpath(os.path.expanduser(path)))


class _Settings(NamedTuple):
    home: Path
    kind: str
    config: Mapping[str, Any]
    secrets: Mapping[str, Any]


def check_aside(home: Path, kind: str, config: Mapping[str, Any], secrets: Mapping[str, Any], seconds: float) -> Check | None:
    """What a connector of a new source with these settings sees, looked at in a process of its own: whatever lies there, and whatever
    patterns somebody typed, this process goes on. None when it takes longer than so many seconds. Raises ConnectorError."""
    with Sandbox(workers=1, limits=Limits(seconds)) as sandbox:
        found = sandbox.run(_checked, _Settings(home, kind, config, secrets))
    return None if isinstance(found, Stopped) else found


def _checked(settings: _Settings) -> Check:
    with closing(open_connector(*settings, is_new=True)) as connector:
        return connector.check()
