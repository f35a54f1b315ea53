"""Uploaded files: written at once below the data folder, where they are read like any other folder."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Protocol

from connectors.base import reason_of
from ingestion import connection
from prompts.regex import regex
from tree.store.database import StoreError
from tree.store.models import Source

FOLDER = connection.UPLOADS
MEGABYTES = 100  # of one file: what the folder connector reads at most
LONGEST_NAME = 180  # bytes; file systems allow 255, and a temporary name is longer
TO_DO = "Check that the data folder can be written and has space left, then try again."
RESERVED = regex(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class Upload(Protocol):
    name: str

    def seek(self, offset: int) -> int: ...

    def read(self, size: int = -1) -> bytes: ...


def uploads_folder(home: Path) -> Path:
    return home / FOLDER


def is_upload(home: Path, source: Source) -> bool:
    """Whether the app itself holds the files of this source."""
    return connection.is_upload(home, source.kind, source.config)


def make_folder(home: Path, name: str) -> Path:
    """An empty folder of its own for a new source. Raises StoreError."""
    above = uploads_folder(home)
    slug = re.sub(r"[^\w-]+", "-", name.lower(), flags=re.ASCII).strip("-")[:40] or "files"
    try:
        above.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=f"{slug}-", dir=above))
    except OSError as error:
        raise StoreError(f"The uploaded files cannot be stored ({reason_of(error)}). {TO_DO}") from error


def save(folder: Path, files: Iterable[Upload]) -> list[str]:
    """Writes the files and returns their names; one that has the name of an earlier one replaces it. Raises StoreError."""
    saved = []
    for file in files:
        name = safe_name(file.name)
        part = folder / f".{os.urandom(6).hex()}.part"  # the connector never reads these
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.seek(0)
            with part.open("xb") as target:
                shutil.copyfileobj(_reader(file), target, 1 << 20)
            os.replace(part, folder / name)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise StoreError(f"“{name}” could not be stored ({reason_of(error)}). {TO_DO}") from error
        saved.append(name)
    return saved


def _reader(file: Upload) -> IO[bytes]:
    return file  # type: ignore[return-value]  # copying needs `read` alone


def safe_name(name: str) -> str:
    """The last part of a name as a file may be called anywhere: never a path, never hidden."""
    name = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8"))
    name = re.split(r"[/\\]", name)[-1]
    name = "".join("_" if unicodedata.category(c)[0] == "C" or c in '<>:"|?*' else c for c in name)
    name = name.strip(" .").lstrip("~")
    stem, dot, extension = name.rpartition(".")
    if not dot:
        stem, extension = name, ""
    extension = extension[:20]
    room = LONGEST_NAME - len(extension.encode()) - 1
    stem = stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .")
    name = f"{stem}.{extension}" if extension else stem
    return f"_{name}" if not name or name.startswith(".") or RESERVED.fullmatch(name) else name


def delete(home: Path, source: Source) -> None:
    """Deletes the uploaded files of a source that is being removed; of any other source nothing."""
    if is_upload(home, source):
        shutil.rmtree(Path(str(source.config["path"])).resolve(), ignore_errors=True)


def changed_at(folder: Path) -> float:
    """Seconds since 1970; of one that is gone meanwhile, never."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return float("inf")


def discard(folder: Path) -> None:
    """Deletes the folder of an upload that did not work."""
    shutil.rmtree(folder, ignore_errors=True)
