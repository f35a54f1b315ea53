"""A data folder as one file, and back: taken while the app runs, checked whole before anything of it is put in place.

The archive is a tar with the database as it was at one moment, the uploaded files and the aliases, and last a manifest with
the SHA-256 of each. The search index is left out: it is made anew from the database.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tarfile
import time
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from ingestion.connection import UPLOADS
from ingestion.move import copy_to_file
from ingestion.sources import Sources
from tree.accounts.accounts import open_accounts
from tree.accounts.principal import OPERATOR
from tree.retrieve.aliases import NAMES as ALIASES
from tree.store.database import Database, StoreError
from tree.store.language_model import LanguageModel
from tree.store.sqlite import check_file

DATABASE, KEY, MANIFEST = "knowledge.db", "secret.key", "manifest.json"
FORMAT = 1
LARGEST_MANIFEST = 64_000_000  # bytes: some 400,000 files
COMPRESSION = 3  # of 9; more takes several times as long and saves little
PIECE = 1 << 20  # bytes
DRAFT = ".restoring"  # below the data folder, until all of it was checked
UNUSED = frozenset((DRAFT, "locks", "lost+found"))  # what may lie in an empty data folder


@dataclass(frozen=True, slots=True)
class BackedUp:
    files: int  # uploaded ones
    size: int  # bytes of the archive
    has_key: bool


@dataclass(frozen=True, slots=True)
class Restored:
    made_at: float
    sources: int
    tokens: int  # API tokens that were ended
    sealed: tuple[str, ...]  # whose passwords and tokens cannot be read with the key that is there


# ---------------------------------------------------------------- taking one


def back_up(home: Path, target: Path, with_key: bool = False) -> BackedUp:
    """Writes the archive, which only its owner can read. The app may run and write meanwhile. Raises StoreError."""
    if target.exists():
        raise StoreError(f"{target} exists already. Give another name, or delete it first.")
    if target.resolve().is_relative_to(home):
        raise StoreError("The backup would lie in the data folder itself. Choose a place outside of it, best on another disk.")
    draft, copied = (target.with_name(f".{target.name}.{suffix}") for suffix in ("part", "db"))
    try:
        for left in (draft, copied):
            left.unlink(missing_ok=True)
        copy_to_file(home, copied)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            files = _write(file, home, copied, with_key)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(target)
        return BackedUp(sum(name.startswith(f"{UPLOADS}/") for name in files), target.stat().st_size, KEY in files)
    except OSError as error:
        raise StoreError(f"{target} could not be written: {error.strerror or error}.") from error
    finally:
        for left in (draft, copied):
            left.unlink(missing_ok=True)


def _write(file: IO[bytes], home: Path, copied: Path, with_key: bool) -> dict[str, Any]:
    """Returns the files that are in the archive."""
    files: dict[str, Any] = {}
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=COMPRESSION, format=tarfile.PAX_FORMAT) as archive:
        for name, path in [(DATABASE, copied), *_beside(home, with_key)]:
            if (entry := _add(archive, name, path)) is not None:
                files[name] = entry
        told = {"format": FORMAT, "made_at": time.time(), "home": str(home), "files": files}
        data = json.dumps(told, indent=1).encode()
        head = tarfile.TarInfo(MANIFEST)
        head.size, head.mode, head.mtime = len(data), 0o600, time.time()
        archive.addfile(head, BytesIO(data))
    return files


def _beside(home: Path, with_key: bool) -> Iterator[tuple[str, Path]]:
    """What is kept of a data folder besides its database."""
    yield from ((name, home / name) for name in (*ALIASES, *([KEY] if with_key else [])) if (home / name).is_file())
    for folder, _, names in os.walk(home / UPLOADS):
        for name in sorted(names):
            path = Path(folder, name)
            if not path.is_symlink() and path.is_file() and not (name.startswith(".") and name.endswith(".part")):
                yield path.relative_to(home).as_posix(), path


def _add(archive: tarfile.TarFile, name: str, path: Path) -> dict[str, Any] | None:
    """What the manifest says of the file; None where somebody has deleted it since it was listed."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return None
    with file:
        found = os.fstat(file.fileno())
        head = tarfile.TarInfo(name)
        head.size, head.mode, head.mtime = found.st_size, 0o600, found.st_mtime
        reading = _Hashed(file)
        archive.addfile(head, reading)
        return {"size": found.st_size, "sha256": reading.digest.hexdigest()}


class _Hashed:
    """A file with the fingerprint of what was read of it."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.digest = sha256()

    def read(self, size: int = -1) -> bytes:
        data = self.file.read(size)
        self.digest.update(data)
        return data


# ---------------------------------------------------------------- putting one back


def restore(source: Path, home: Path) -> Restored:
    """Fills an empty data folder. Nothing is put in place before all of it was checked. Raises StoreError.

    Everybody signs in anew, and API tokens and links that were sent are void: some may have been ended or used since the backup.
    """
    draft = home / DRAFT
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        (home / "locks").mkdir(exist_ok=True)
        with FileLock(home / "locks" / "database.lock", timeout=0):  # no app makes its database here meanwhile
            _check_empty(home)
            shutil.rmtree(draft, ignore_errors=True)
            try:
                manifest = _unpack(source, draft)
                restored = _prepare(draft, home, manifest)
                _put_in_place(draft, home)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
    except Timeout as error:
        raise StoreError(f"Another program is using {home}. Choose an empty folder with --home.") from error
    except OSError as error:
        raise StoreError(f"{source.name} could not be restored to {home}: {error.strerror or error}.") from error
    return restored


def _check_empty(home: Path) -> None:
    there = sorted({path.name for path in home.iterdir()} - UNUSED)
    if DATABASE in there:
        raise StoreError(f"{home} is a data folder already, which is not overwritten. Choose an empty folder with --home.")
    if there:
        raise StoreError(f"{home} is not empty (there is “{there[0]}”). Choose an empty folder with --home.")


def _unpack(source: Path, draft: Path) -> dict[str, Any]:
    """Every file of the archive, below the draft, each with the fingerprint that the manifest has; returns the manifest."""
    found: dict[str, Any] = {}
    manifest = None
    try:
        with gzip.open(source) as file, tarfile.open(fileobj=file, mode="r|") as archive:
            draft.mkdir(mode=0o700)
            for head in archive:
                data = archive.extractfile(head) if head.isreg() else None
                if data is None or manifest is not None:
                    raise _Damaged(f"“{head.name}” does not belong in a backup")
                with closing(data):
                    if head.name == MANIFEST:
                        manifest = json.loads(data.read(LARGEST_MANIFEST))
                    else:
                        found[head.name] = _unpack_file(head, data, draft)
            while file.read(LARGEST_MANIFEST):  # the checksum of all of it stands at its end
                pass
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error, ValueError, _Damaged) as error:
        raise StoreError(f"{source.name} is not a backup, or it is damaged: {error}. Nothing was restored.") from error
    if not isinstance(manifest, dict) or manifest.get("files") != found or DATABASE not in found:
        raise StoreError(
            f"{source.name} is not a backup, or it is damaged: its files are not those it lists. Nothing was restored."
        )
    if manifest.get("format") != FORMAT:
        raise StoreError(f"{source.name} was written by a newer release. Update the app. Nothing was restored.")
    return manifest


class _Damaged(Exception):
    """The archive is not as one is written."""


def _unpack_file(head: tarfile.TarInfo, data: IO[bytes], draft: Path) -> dict[str, Any]:
    path = draft.joinpath(*_parts(head.name))
    if head.size > shutil.disk_usage(draft).free:
        raise StoreError(f"The disk that holds {draft.parent} has not enough space left. Nothing was restored.")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    reading = _Hashed(data)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while piece := reading.read(PIECE):
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    os.utime(path, (head.mtime, head.mtime))
    return {"size": head.size, "sha256": reading.digest.hexdigest()}


def _parts(name: str) -> list[str]:
    """Of a name that a backup may have: a file known by name, or one below the uploads. Nothing else is written, anywhere."""
    parts = name.split("/")
    is_upload = len(parts) > 2 and parts[0] == UPLOADS and not {"", ".", ".."} & set(parts) and "\0" not in name
    if name not in (DATABASE, KEY, *ALIASES) and not is_upload:
        raise _Damaged(f"“{name}” does not belong in a backup")
    return parts


def _prepare(draft: Path, home: Path, manifest: dict[str, Any]) -> Restored:
    """Brings the restored database to this release, and makes of it one that begins to work today and here."""
    check_file(draft / DATABASE)
    database = Database(draft)
    try:
        sources, accounts, sealed = Sources(database), open_accounts(database), []
        for source in [*sources.all(), *sources.of_chats()]:
            # what was deleted at the source since the backup is in it: every source is looked at anew
            sources.configure(source.id, _moved(source.config, Path(str(manifest.get("home", ""))), home))
            try:
                sources.secrets(source)
            except StoreError:
                sealed.append(f"“{source.name}”")
        try:
            LanguageModel(database).choice()
        except StoreError:
            sealed.append("the language model")
        accounts.sessions.end_everyones()
        accounts.links.end_all()
        tokens = accounts.tokens.end_everyones()
        made_at = float(manifest["made_at"])
        day = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(made_at))
        accounts.audit.write("backup restored", f"of {day}", who=OPERATOR.name)
        return Restored(made_at, len(sources.all()), tokens, tuple(sealed))
    finally:
        database.close()


def _moved(config: dict[str, Any], before: Path, home: Path) -> dict[str, Any]:
    """Uploaded files lie below the data folder, wherever that is now; all other folders are where they were."""
    path = Path(str(config.get("path", "")))
    return {**config, "path": str(home / UPLOADS / path.name)} if path.parent == before / UPLOADS else config


def _put_in_place(draft: Path, home: Path) -> None:
    """The database last: without it the folder is no data folder."""
    names = sorted((path.name for path in draft.iterdir() if path.name != "locks"), key=lambda name: name == DATABASE)
    for name in names:
        (draft / name).rename(home / name)
