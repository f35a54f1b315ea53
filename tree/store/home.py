"""The data folder: made for its owner alone."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

from tree.store.errors import FolderTrouble, StoreError, not_writable

OURS = ("knowledge.db", "search.db")  # a folder that has one of these is a data folder
MOVED = "knowledge.db.moved"  # says that the database has gone to a server, and to which

log = logging.getLogger("knowledge-tree")


def make_folder(home: Path) -> None:
    """The data folder, for its owner alone. Raises StoreError where there can be none."""
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not os.access(home, os.W_OK | os.X_OK):
            raise FolderTrouble(not_writable(home))
        mode = home.stat().st_mode
        is_ours = any((home / name).exists() for name in OURS) or not any(home.iterdir())
        if not mode & 0o077:
            return
        if is_ours and not mode & stat.S_ISVTX:
            keep_private(home, 0o700)
        else:
            log.warning("%s holds other things as well, and others may look into it. Better use a folder of its own.", home)
    except OSError as error:
        reason = (error.strerror or str(error)).rstrip(".")
        raise StoreError(f"{home} cannot be the data folder: {reason}. Choose another one with --home.") from error


def keep_private(path: Path, mode: int) -> None:
    """Takes away what others may do with it; where that is impossible it is told, and all goes on."""
    try:
        path.chmod(mode)
    except OSError as error:
        log.warning("Others may read %s, and that cannot be changed: %s.", path, error.strerror)
        return
    if path.stat().st_mode & 0o077:
        log.warning("Others may read %s: the disk it lies on keeps no permissions.", path)
