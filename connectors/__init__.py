"""Brings what is outside in: each connector turns one kind of source into Documents."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from connectors.base import ConfigurationError, Connector, Webhooks

CONNECTORS = {  # imported when first used, so that one connector's libraries are no cost to another
    "folder": "connectors.folder:FolderConnector",
    "pdf": "connectors.pdf:PdfConnector",
    "jira": "connectors.jira.connector:JiraConnector",
}
WEBHOOKS = {"jira": "connectors.jira.webhook"}


def connect(kind: str, config: Mapping[str, object], secrets: Mapping[str, str] | None = None) -> Connector:
    """The connector of that kind. Raises ConfigurationError for settings that cannot be right."""
    if kind not in CONNECTORS:
        raise ConfigurationError(f"There is no connector called {kind!r}; choose one of: {', '.join(CONNECTORS)}.")
    module, name = CONNECTORS[kind].split(":")
    connector: Connector = getattr(import_module(module), name).configured(config, secrets or {})
    return connector


def webhooks_of(kind: str) -> Webhooks | None:
    """What understands the webhooks of that kind of source; None where there are none."""
    return import_module(WEBHOOKS[kind]) if kind in WEBHOOKS else None
