"""Folders read by one child process for all tests: to start the program that reads files takes longer than all else."""

from __future__ import annotations

from pathlib import Path

from connectors.folder import FolderConfig, FolderConnector
from connectors.listing import DISK, Disk
from connectors.sandbox import Limits, Sandbox
from ingestion.sources import Sources
from ingestion.sync import Synced, sync
from tree.store.models import Source
from tree.workspace import Workspace


class LastingSandbox(Sandbox):
    """One that all connectors of the tests share."""

    def close(self) -> None:
        """Its children end with the tests, when nobody is left at the other end of their pipes."""


READER = LastingSandbox()


def read(workspace: Workspace, sources: Sources, source: Source) -> Synced:
    """A sync of a folder without secrets, as the worker makes it."""
    return sync(workspace, sources, source, connector=open_folder(**source.config))


def open_folder(path: Path | str, disk: Disk = DISK, **settings: object) -> FolderConnector:
    """The connector of a folder; one with limits of its own has a child of its own."""
    config = FolderConfig.model_validate({"path": path, **settings})
    is_usual = Limits(config.seconds, config.max_memory_megabytes) == READER.limits
    return FolderConnector(config, READER if is_usual else None, disk=disk)
