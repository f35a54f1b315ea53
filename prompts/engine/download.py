"""Downloads a model file: what it is and its checksum first, then the file, which goes on where it broke off, then the proof.

The host is Hugging Face, or another that serves the same addresses. It says a file's SHA-256 and size itself: in the headers of
its redirect (X-Linked-Etag, X-Linked-Size), or in the pointer that Git LFS keeps in the file's place.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from filelock import FileLock, Timeout

from prompts.engine.catalogue import HOST_VARIABLE, Model
from prompts.engine.memory import sized
from prompts.engine.spec import EngineError

SECONDS = 20.0  # without a byte
TRIES, PAUSE = 5, 2.0  # of going on after the connection broke off; seconds between, longer each time
PIECE = 1 << 20
SPARE = 200_000_000  # bytes of the disk that are left to everybody else
MOST_RENAMINGS = 3
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"^\[Errno -?\d+\] ")  # of an error, which says nothing to people
_POINTER = re.compile(r"oid sha256:([0-9a-f]{64})\s+size (\d+)")

Progress = Callable[[int, int], None]  # bytes that are here, and that there are


class DownloadError(EngineError):
    """The file is not here; the message says why and what to do."""


class DownloadCancelled(Exception):
    """Somebody cancelled it. What has come is kept, to go on from."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A file at the host, as the host describes it."""

    model: Model
    address: str
    size: int  # bytes
    sha256: str
    licence: str

    @property
    def file_name(self) -> str:
        return self.model.file.rpartition("/")[2]


def look_up(model: Model, host: str) -> Remote:
    """Asks the host for size, checksum and licence. Raises DownloadError."""
    if not host.startswith(("https://", "http://")):
        why = (
            f"{HOST_VARIABLE} is “{host}”, which is no web address"
            if host
            else f"Downloads are switched off here ({HOST_VARIABLE})"
        )
        raise DownloadError(f"{why}. Copy a .gguf file to this machine and name its path.")
    address = f"{host}/{model.repository}/resolve/main/{model.file}"
    with _explained(host), httpx2.Client(timeout=SECONDS) as client:
        head = client.head(address)
        for _ in range(MOST_RENAMINGS):
            if "x-linked-etag" in head.headers or not head.headers.get("location", "").startswith("/"):
                break
            head = client.head(f"{host}{head.headers['location']}")  # the repository has another name now
        _check(head, model, host)
        sha256 = _bare(head.headers.get("x-linked-etag", "") or head.headers.get("etag", ""))
        size = head.headers.get("x-linked-size", "") or head.headers.get("content-length", "")
        if not _SHA256.fullmatch(sha256):
            pointer = _POINTER.search(client.get(f"{host}/{model.repository}/raw/main/{model.file}").text[:1_000])
            sha256, size = (pointer[1], pointer[2]) if pointer else ("", "")
        if not sha256 or not size.isdigit():
            raise DownloadError(
                f"{host} says no checksum of {model.file}, so it could not be told whether it arrives whole. Download it by hand and name its path."
            )
        return Remote(model, address, int(size), sha256, _licence(client, model, host))


def download(
    remote: Remote, folder: Path, progress: Progress = lambda here, of: None, is_cancelled: Callable[[], bool] = lambda: False
) -> Path:
    """The file in this folder, its checksum proved. Goes on where an earlier try ended. Raises DownloadError, DownloadCancelled."""
    target = folder / remote.file_name
    part = folder / f"{remote.sha256[:16]}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{remote.sha256[:16]}.lock", timeout=0):
            if (
                target.exists()
                and target.stat().st_size == remote.size
                and _hash_of(target, is_cancelled).hexdigest() == remote.sha256
            ):
                return target
            _check_room(remote, folder, part)
            _fetch(remote, part, progress, is_cancelled)
            os.replace(part, target)
    except Timeout:
        raise DownloadError(f"{remote.file_name} is being downloaded already.") from None
    except OSError as error:
        raise DownloadError(_disk_words(error, folder)) from error
    return target


def _fetch(remote: Remote, part: Path, progress: Progress, is_cancelled: Callable[[], bool]) -> None:
    """Fills the part, as often as it takes. Raises DownloadError, DownloadCancelled, OSError."""
    is_begun = part.exists() and part.stat().st_size > 0
    digest = _hash_of(part, is_cancelled) if is_begun else hashlib.sha256()
    tries = 0
    while (here := part.stat().st_size if part.exists() else 0) < remote.size:
        progress(here, remote.size)
        try:
            digest = _fetch_rest(remote, part, here, digest, progress, is_cancelled)
        except httpx2.HTTPError as error:
            tries = tries + 1 if part.exists() and part.stat().st_size == here else 1  # it went on: it may break off again
            if tries >= TRIES:
                share = 100 * here // remote.size
                raise DownloadError(
                    f"The download broke off at {share} % ({_words(error)}). What is here is kept: download it again to go on from there."
                ) from error
            time.sleep(PAUSE * tries)
    if part.stat().st_size != remote.size or digest.hexdigest() != remote.sha256:
        part.unlink()
        raise DownloadError(
            f"What arrived is not {remote.file_name}: its checksum is another. It was deleted; download it again."
        )


def _fetch_rest(
    remote: Remote, part: Path, here: int, digest: hashlib._Hash, progress: Progress, is_cancelled: Callable[[], bool]
) -> hashlib._Hash:
    headers = {"Range": f"bytes={here}-", "Accept-Encoding": "identity"} if here else {"Accept-Encoding": "identity"}
    with (
        httpx2.Client(timeout=SECONDS, follow_redirects=True) as client,
        client.stream("GET", remote.address, headers=headers) as response,
    ):
        if response.status_code == 416 or response.status_code >= 400:
            _check(response, remote.model, remote.address)
        if here and response.status_code != 206:  # it cannot go on: from the beginning
            here, digest = 0, hashlib.sha256()
        with part.open("ab" if here else "wb") as file:
            for piece in response.iter_bytes():
                if is_cancelled():
                    raise DownloadCancelled
                file.write(piece)
                digest.update(piece)
                here += len(piece)
                progress(here, remote.size)
                if here > remote.size:
                    return digest  # more than there is: the checksum will say so
            file.flush()
            os.fsync(file.fileno())
    return digest


def _hash_of(path: Path, is_cancelled: Callable[[], bool]) -> hashlib._Hash:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            if is_cancelled():
                raise DownloadCancelled
            digest.update(piece)
    return digest


# ---------------------------------------------------------------- what goes wrong


def _check_room(remote: Remote, folder: Path, part: Path) -> None:
    missing = remote.size - (part.stat().st_size if part.exists() else 0)
    free = shutil.disk_usage(folder).free
    if missing + SPARE > free:
        raise DownloadError(
            f"{remote.file_name} needs {sized(missing)} more, with {sized(SPARE)} left for everything else, and the disk of {folder} "
            f"has {sized(free)} free. Free some, or choose a smaller model."
        )


def _disk_words(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk of {folder} is full. What is here is kept: free some space, then download it again to go on from there."
    return f"{folder} cannot be written to ({error.strerror or error}); check its rights and its disk."


def _check(response: httpx2.Response, model: Model, host: str) -> None:
    status = response.status_code
    if status in (401, 403):
        raise DownloadError(
            f"{host} does not give {model.name} to everybody. Choose another model, or download it by hand and name its path."
        )
    if status == 404:
        raise DownloadError(f"{host} has no {model.name}. Check the name, or choose another model.")
    if status >= 400:
        raise DownloadError(f"{host} refuses to give {model.name} (status {status}); try again later.")


@contextmanager
def _explained(host: str) -> Iterator[None]:
    try:
        yield
    except httpx2.HTTPError as error:
        raise DownloadError(
            f"{host} cannot be reached from here ({_words(error)}). Without a network, copy a .gguf file to this machine and name its path."
        ) from error


def _words(error: Exception) -> str:
    if isinstance(error, httpx2.RemoteProtocolError):
        return "the connection was ended there"
    if isinstance(error, httpx2.TimeoutException):
        return "nothing came for too long"
    return _NUMBER.sub("", str(error) or type(error).__name__).rstrip(".")[:200]


def _licence(client: httpx2.Client, model: Model, host: str) -> str:
    """As the repository says; of a model that we recommend, as we know it, where that cannot be asked."""
    try:
        told = client.get(f"{host}/api/models/{model.repository}", follow_redirects=True).json()
        tags = [tag for tag in told.get("tags", ()) if isinstance(tag, str)]
    except (httpx2.HTTPError, ValueError, AttributeError, TypeError):
        return model.licence or "not said"
    return next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), model.licence or "not said")


def _bare(etag: str) -> str:
    return etag.removeprefix("W/").strip('"')
