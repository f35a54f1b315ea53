"""The original file behind a document of a folder or PDF source, and only that: anything else is not found."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from connectors import connect
from connectors.base import ConnectorError
from connectors.listing import decode_id
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server.tools import Tools

KINDS = ("folder", "pdf")


class NotFound(Exception):
    """There is no such original, or it is not ours to show."""


def original(tools: Tools, source_id: str, document_id: str) -> Path:
    """The real path of the file of a live document. Reads nothing. Raises NotFound."""
    try:
        source = tools.sources.get(source_id)
    except StoreError as error:
        raise NotFound from error
    if source.removing or source.kind not in KINDS or not _may_see(tools, source):
        raise NotFound
    if document_id not in tools.workspace.store.documents.by_id(source_id, [document_id]):
        raise NotFound
    try:
        root = os.path.realpath(connect(source.kind, source.config).config.root)  # type: ignore[attr-defined]  # those in KINDS have one
        found = os.path.realpath(os.path.join(root, decode_id(document_id)))
        inside = os.path.commonpath([root, found]) == root and found != root
        if not inside or not stat.S_ISREG(os.stat(found, follow_symlinks=False).st_mode) or not os.access(found, os.R_OK):
            raise NotFound
    except (OSError, ValueError, ConnectorError) as error:
        raise NotFound from error
    return Path(found)


def _may_see(tools: Tools, source: Source) -> bool:
    """The files of a chat are opened by an address that does not name the chat: its owner may."""
    if source.chat_id is not None:
        return tools.principal.person_id != "" and tools.chats.rows.has_files_of(source.chat_id, tools.principal.person_id)
    return tools.principal.may_see(source)


def is_pdf(document_id: str) -> bool:
    return document_id.lower().endswith(".pdf")
