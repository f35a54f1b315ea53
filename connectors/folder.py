"""The folder connector: every file below a folder, in any format the app can read, is a document.

Symbolic links are not followed, wherever they point: a target inside the folder is read in its own place, one
outside is none of the source's business.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from connectors.base import (
    AccessLost,
    Batch,
    Check,
    Checkpoint,
    ConfigurationError,
    Container,
    Document,
    Failure,
    Presence,
    Problem,
    ProblemKind,
    keys_beginning,
    reason_of,
)  # fmt: skip
from connectors.formats import PARSER_VERSION, parse_bytes
from connectors.formats.file import CHANGING, DIGEST_CHARACTERS, Outcome, Parse, Task, examine, state_of
from connectors.formats.parsed import Options, Parsed
from connectors.interrupting import Interruptible
from connectors.listing import DISK, IGNORE_FILE, Closed, Disk, Flawed, Found, Item, Listing, decode_id, encode_id
from connectors.published import address_of, check_address
from connectors.sandbox import Limits, Sandbox, Stopped
from connectors.watch import Watch

ROOT = "."  # the key in a checkpoint that names the folder itself: its device and inode
CLOSED = "closed"  # the stamp of a file that may not be read, or of a folder that cannot be looked into
AGAIN = "again"  # the stamp of a file to read at the next opportunity, whatever its state
STARVED = re.compile(
    r"starved (\d{1,9}) (\d{1,12}) (.*)"
)  # the stamp of one whose reader had too little memory: tries, when next, state
TRY_AGAIN_SECONDS = (60.0, 600.0, 3_600.0, 21_600.0, 86_400.0)  # after each such try; the last is repeated

BATCH_DOCUMENTS = (8, 32, 128, 256)  # the first batches are small, so that something is there soon
BATCH_CHARACTERS = 4_000_000
BATCH_SECONDS = 1.0  # nobody waits longer than this for what has been read
LARGE_BYTES = 2_000_000  # a file that takes a while: those that take none are not kept waiting for it
SAMPLE = 5
INTRODUCTIONS = ("readme", "index", "_index")  # names of files that introduce the folder they lie in
PROSE = ("markdown", "rst", "text", "html", "org", "asciidoc")
OCR_SECONDS = 600.0  # for one file when pages are recognized: a page takes a second or three
SHARE = 0.75  # of a file's time after which its reader hands over what it has, before the sandbox ends it

KERNEL = ("/proc", "/sys", "/dev")  # what lies there are no files: some never end, some act when they are read
SYSTEM = ("/", "/bin", "/boot", "/etc", "/lib", "/lib64", "/opt", "/root", "/run", "/sbin", "/usr", "/var")
WARNING = (
    "{path} belongs to the system. Passwords and keys may lie in it, and everybody who may ask here can read what is read "
    "from it. Choose a folder with documents instead."
)
CLOSED_FILE = Problem("closed", "The app is not allowed to read this file. Change its permissions to have it read.")


class FolderConfig(BaseModel):
    """What is set up for a folder. Patterns are written as in a .gitignore file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    include: tuple[str, ...] = ()  # empty: everything
    exclude: tuple[str, ...] = ("node_modules/", "__pycache__/")
    hidden: bool = False  # names that begin with a dot
    max_file_megabytes: float = Field(default=100, gt=0)
    max_characters: int = Field(default=20_000_000, gt=0)  # of one document
    max_seconds: float = Field(default=60, gt=0)  # for reading one file
    max_memory_megabytes: int = Field(default=2_048, ge=256)  # for reading one file
    polling: bool | Literal["auto"] = "auto"  # look the folder through instead of waiting for events: network drives
    skipped: tuple[Path, ...] = ()  # folders that are none of the source's business: the app's own data
    ocr: bool = False  # read pages that are pictures with tesseract, where it is installed
    ocr_language: str = ""  # as tesseract names them: "eng", "deu+fra"
    published_at: str = ""  # where the files can be opened in a browser (connectors/published.py)

    @field_validator("published_at")
    @classmethod
    def _is_address(cls, address: str) -> str:
        return check_address(address.strip())

    @property
    def root(self) -> str:
        return os.path.abspath(os.path.expanduser(self.path))

    @property
    def seconds(self) -> float:
        """For reading one file: recognizing text takes far longer than reading it."""
        return OCR_SECONDS if self.ocr and "max_seconds" not in self.model_fields_set else self.max_seconds


class FolderConnector:
    """Reads a folder. Its child processes live until `close`.

    The secret `passwords` has one password per line; each is tried on each locked PDF.
    """

    Config: ClassVar[type[FolderConfig]] = FolderConfig
    rescan_seconds = 300.0  # file systems lose events

    def __init__(
        self,
        config: FolderConfig,
        sandbox: Sandbox | None = None,
        parse: Parse = parse_bytes,
        passwords: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
        disk: Disk = DISK,
    ) -> None:
        self.config = config
        self.passwords = tuple(passwords)
        skipped = (*config.skipped, *map(Path, KERNEL))
        self.skipped = frozenset(filter(None, (_inside(config.root, folder) for folder in skipped)))
        self.interruptible = Interruptible()
        self.listing = Listing(
            config.root, config.include, config.exclude, config.hidden, self.skipped, disk, self.interruptible.refuse_closed
        )
        self.sandbox = sandbox or Sandbox(limits=Limits(config.seconds, config.max_memory_megabytes))
        self.parse = parse
        self.clock = clock
        self._known: Checkpoint = {}  # what the last fetch knew
        self._is_ending = False  # the fetch under way
        self._unlisted: tuple[str, ...] = ()  # folders that the last census could not look into

    @classmethod
    def configured(cls, config: Mapping[str, object], secrets: Mapping[str, str]) -> Self:
        """The connector with these settings and passwords. Raises ConfigurationError."""
        try:
            checked = cls.Config.model_validate(dict(config))
        except ValidationError as error:
            raise ConfigurationError(in_words(error)) from error
        lines = secrets.get("passwords", "").split("\n")
        return cls(checked, passwords=[line.strip("\r") for line in lines if line.strip()])

    @cached_property
    def options(self) -> Options:
        """What the readers of formats are told."""
        config = self.config
        settings = {
            "passwords": self.passwords,
            "ocr": config.ocr,
            "ocr_language": config.ocr_language,
            "seconds": SHARE * config.seconds,
        }
        return Options(int(config.max_file_megabytes * 1_000_000), config.max_characters, settings=settings)

    @cached_property
    def version(self) -> str:
        """Changes with what makes another document of the same bytes."""
        published = self.config.published_at
        return f"{PARSER_VERSION}@{hashlib.sha256(published.encode()).hexdigest()[:8]}" if published else PARSER_VERSION

    @cached_property
    def bounds(self) -> str:
        """Changes with what may make a file readable that was not: then what failed is tried again."""
        of_files = (self.options.max_file_bytes, self.options.max_characters, self.sandbox.limits, self.passwords)
        limits = (*of_files, self.config.ocr, self.config.ocr_language)
        return hashlib.sha256(repr(limits).encode()).hexdigest()[:8]

    # ------------------------------------------------------------ the contract

    def check(self) -> Check:
        """Counts the files. Raises ConfigurationError for a folder that is none and AccessLost for one that is closed."""
        return self.interruptible.run(self._check)

    def _check(self) -> Check:
        root = self.config.root
        if not os.path.exists(root):
            raise ConfigurationError(f"There is no folder {_shown(root)}. Check the path, or connect the drive it is on.")
        if not os.path.isdir(root):
            raise ConfigurationError(f"{_shown(root)} is not a folder. Give the folder that it lies in.")
        real = os.path.realpath(root)
        if any(real == place or real.startswith(f"{place}/") for place in KERNEL):
            raise ConfigurationError(
                f"What lies in {_shown(root)} are no files, but parts of the system. Choose a folder with documents."
            )
        of_system = any(real == place or place != "/" and real.startswith(f"{place}/") for place in ("/", "/etc", "/boot"))
        warning = WARNING.format(path=_shown(root)) if of_system or real in SYSTEM else ""
        found = list(self._list())
        files = [item.id for item in found if isinstance(item, Found)]
        closed = [item.id for item in found if isinstance(item, Closed)]
        message = f"{len(files):,} {'file' if len(files) == 1 else 'files'} in {_shown(root)}."
        if closed:
            message += f" What could not be looked into: {', '.join(map(_shown, closed[:SAMPLE]))}."
        return Check(message, len(files), tuple(files[:SAMPLE]), warning)

    def fetch(self, checkpoint: Checkpoint, hints: Collection[str] | None = None) -> Iterator[Batch]:
        """What changed since the checkpoint, in batches that start small; large files come last."""
        self._known, self._is_ending = checkpoint, False
        identity = self.interruptible.run(self._identity)
        look = self.interruptible.run(lambda: self._look(checkpoint, hints))
        found = look.found
        batches = _Batches(total=len(found))
        batches.stamps.update({} if checkpoint.get(ROOT) == identity else {ROOT: identity})
        batches.gone.extend(look.gone)
        batches.stamps.update(dict.fromkeys(look.gone))
        for closed in look.closed:
            for id in dict.fromkeys((closed.id, *self._known_at(closed.id.rstrip("/")))):
                self._fail(batches, id, Problem("closed", closed.reason), CLOSED if checkpoint.get(id) != CLOSED else None)
        for flawed in look.flawed:
            stamp = f"flawed {hashlib.sha256(flawed.reason.encode()).hexdigest()[:8]}"
            self._fail(
                batches, flawed.id, Problem("partial", flawed.reason), stamp if checkpoint.get(flawed.id) != stamp else None
            )
        changed = self.interruptible.run(
            lambda: [item for item in found if not self._unchanged(item, checkpoint.get(item.id, ""))]
        )
        batches.looked_at = len(found) - len(changed)
        by_id = {item.id: item for item in changed}
        for are_large in (False, True):
            part = [item for item in changed if (item.status.st_size > LARGE_BYTES) is are_large]
            begun = takewhile(lambda _: not self._is_ending, part)
            for task, outcome in self.sandbox.map(examine, (self._task(item, checkpoint) for item in begun)):
                self._record(batches, by_id[task.id], outcome, checkpoint, identity)
                yield from batches.when_due()
            yield from batches.rest()

    def end_fetch(self) -> None:
        """What the child processes have been given is still read: about a second's work, or the file that takes longer."""
        self._is_ending = True

    def census(self) -> Iterator[str]:
        """The ids of all files that exist now, and of what else is listed as a failure; no file is opened.

        What lies in a folder that cannot be looked into is not among them: `confirm` says of it that it stays.
        """
        items = self.interruptible.run(lambda: list(self._list()))
        self._unlisted = tuple(item.id for item in items if isinstance(item, Closed))
        return (item.id for item in items)

    def confirm(self, ids: Collection[str]) -> Mapping[str, Presence]:
        """What became of files that a census did not name. `gone` needs a plain answer of the system: one that cannot be
        looked for is `here`. Raises AccessLost when the folder itself went away meanwhile."""
        presences = self.interruptible.run(lambda: {id: self._presence(id) for id in ids})
        self.interruptible.run(lambda: self._refuse_another_folder(self._known))
        return presences

    def _presence(self, id: str) -> Presence:
        self.interruptible.refuse_closed()
        if (
            any(id == folder or id.startswith(folder) for folder in self._unlisted if folder.endswith("/"))
            or id in self._unlisted
        ):
            return "here"
        try:
            self.listing.disk.status(os.path.join(self.config.root, decode_id(id)))
        except (FileNotFoundError, NotADirectoryError):
            return "gone"
        except OSError:
            return "here"
        items = list(self.listing.at(decode_id(id)))  # it exists: is it still one of the source's files?
        return "here" if any(item.id == id or isinstance(item, Closed) for item in items) else "gone"

    def watch(self) -> Watch:
        """A running watch of the folder; what it reports are hints for `fetch`."""
        return Watch(self.config.root, self.config.polling, skipped=self.skipped).start()

    def close(self) -> None:
        """Ends listing, looking and reading at once, in whatever thread, and the child processes."""
        self.interruptible.close()
        self.sandbox.close()

    # ------------------------------------------------------------ looking: which files are there, which are not

    def _look(self, checkpoint: Checkpoint, hints: Collection[str] | None) -> _Listed:
        """Raises AccessLost when the folder itself is not there or cannot be looked into."""
        self._refuse_another_folder(checkpoint)
        places = None if hints is None else _places(hints)
        if not places:
            items = list(self._list())
        else:
            items = [item for place in places for item in self.listing.at(decode_id(place))]
            items += self._other_names(items, checkpoint)
        closed = [item for item in items if isinstance(item, Closed)]
        if any(not item.id for item in closed):
            raise AccessLost(f"The folder {_shown(self.config.root)} may not be opened. Allow it, then try again.")
        found = list({item.id: item for item in items if isinstance(item, Found)}.values())
        flawed = [item for item in items if isinstance(item, Flawed)]
        gone: list[str] = []
        if places is not None:
            there = {item.id for item in items} | {id for item in closed for id in self._known_at(item.id.rstrip("/"))}
            named = dict.fromkeys(id for place in places or [""] for id in self._known_at(place))
            gone = [id for id in named if id not in there and self._presence(id) == "gone"]
        return _Listed(found, gone, closed, flawed)

    def _other_names(self, items: Iterable[Item], checkpoint: Checkpoint) -> Iterator[Item]:
        """The other names of files that were changed under one: the system reports a change of the one alone."""
        inodes = {str(item.status.st_ino) for item in items if isinstance(item, Found) and item.status.st_nlink > 1}
        for id, stamp in checkpoint.items() if inodes else ():
            if stamp.split(":")[3:4] and stamp.split(":")[3] in inodes:
                yield from self.listing.at(decode_id(id))

    def _list(self) -> Iterator[Item]:
        try:
            return self.listing.all()
        except OSError as error:
            raise AccessLost(
                f"The folder {_shown(self.config.root)} cannot be opened ({reason_of(error)}). "
                "Check that it is there and its drive is connected, then try again."
            ) from error

    def _refuse_another_folder(self, checkpoint: Checkpoint) -> None:
        """A folder with another identity and none of the known files is a mount point without its drive."""
        if ROOT in checkpoint and checkpoint[ROOT] == self._identity():
            return
        known = [id for id in self._known_at("") if not id.endswith("/")]
        if known and not any(os.path.lexists(os.path.join(self.config.root, decode_id(id))) for id in known):
            raise AccessLost(
                f"None of the {len(known):,} known files is in {_shown(self.config.root)} any more. "
                "Connect its drive again; if it is meant to be like this, remove the source and add it again."
            )

    def _identity(self) -> str:
        try:
            status = os.stat(self.config.root)
        except OSError as error:
            raise AccessLost(
                f"The folder {_shown(self.config.root)} cannot be found ({reason_of(error)}). "
                "Check that it is there and its drive is connected, then try again."
            ) from error
        return f"{status.st_dev}:{status.st_ino}"

    def _known_at(self, place: str) -> Iterator[str]:
        """The known id `place` and those below it."""
        if place and place in self._known:
            yield place
        yield from (id for id in keys_beginning(self._known, f"{place}/" if place else "") if id != ROOT)

    # ------------------------------------------------------------ reading: what became of each file

    def _unchanged(self, item: Found, stamp: str) -> bool:
        """Nothing to read: the file is in the state in which it was read, or still closed to us."""
        if stamp == CLOSED:
            return not os.access(item.path, os.R_OK)
        if starved := STARVED.fullmatch(stamp):
            return starved[3] == f"{state_of(item.status)} {self.bounds}" and self.clock() < int(starved[2])
        state, _, rest = stamp.rpartition(":")
        return state == state_of(item.status) and self._is_current(rest)

    def _is_current(self, digest_and_version: str) -> bool:
        version, _, bounds = digest_and_version.partition("/")[2].partition("!")
        return version == self.version and bounds in ("", self.bounds)

    def _task(self, item: Found, checkpoint: Checkpoint) -> Task:
        rest = checkpoint.get(item.id, "").rpartition(":")[2]
        known = rest.partition("/")[0] if self._is_current(rest) else ""
        return Task(item.id, item.path, self.options, known, self.parse)

    def _record(self, batches: _Batches, item: Found, outcome: Outcome | Stopped, checkpoint: Checkpoint, identity: str) -> None:
        """One file's outcome: a document, a failure, gone, or only a new stamp."""
        batches.looked_at += 1
        if isinstance(outcome, Stopped) and outcome.may_pass:
            self._starved(batches, item, outcome, checkpoint.get(item.id, ""))
        elif isinstance(outcome, Stopped):
            kind: ProblemKind = "damaged" if outcome.why == "crash" else "limit"
            stamp = f"{state_of(item.status)}:/{self.version}!{self.bounds}"
            self._fail(batches, item.id, Problem(kind, outcome.reason), stamp)
        elif outcome.status == "vanished":
            if self.interruptible.run(self._identity) != identity:
                raise AccessLost(f"The folder {_shown(self.config.root)} went away while it was read. Connect its drive again.")
            if item.id in checkpoint:
                batches.gone.append(item.id)
                batches.stamps[item.id] = None
        elif outcome.status == "later":
            self._fail(batches, item.id, outcome.problem or CHANGING, AGAIN, again=True)
        elif outcome.status == "closed":
            self._fail(batches, item.id, CLOSED_FILE, CLOSED)
        elif outcome.status == "same":
            batches.stamps[item.id] = f"{outcome.state}:{checkpoint[item.id].rpartition(':')[2]}"
        else:
            limited = outcome.parsed is None or any(problem.kind in ("limit", "needs OCR") for problem in outcome.parsed.problems)
            version = f"{self.version}!{self.bounds}" if limited else self.version
            stamp = f"{outcome.state}:{outcome.digest[:DIGEST_CHARACTERS]}/{version}"
            if outcome.parsed is None:
                self._fail(batches, item.id, outcome.problem or CHANGING, stamp)
            else:
                batches.add(document(item.id, outcome.parsed, outcome, self.version, self.config.published_at), stamp)

    def _starved(self, batches: _Batches, item: Found, stopped: Stopped, stamp: str) -> None:
        """Its reader ran out of memory, or was killed: tried again after longer and longer times."""
        known = STARVED.fullmatch(stamp)
        state = f"{state_of(item.status)} {self.bounds}"
        tries = int(known[1]) + 1 if known and known[3] == state else 1
        seconds = TRY_AGAIN_SECONDS[min(tries, len(TRY_AGAIN_SECONDS)) - 1]
        often = f"; so far {tries} tries" if tries > 1 else ""
        reason = f"{stopped.reason} It is tried again by itself, in about {_span(seconds)}{often}."
        self._fail(
            batches, item.id, Problem("limit", reason), f"starved {tries} {int(self.clock() + seconds)} {state}", again=True
        )

    def _fail(self, batches: _Batches, id: str, problem: Problem, stamp: str | None, again: bool = False) -> None:
        if stamp:
            batches.failures.append(Failure(id, file_name(id), problem, containers(id), again))
            batches.stamps[id] = stamp


def _span(seconds: float) -> str:
    """A time in words: a minute, 10 minutes, 6 hours."""
    for size, one, many in ((3_600, "an hour", "hours"), (60, "a minute", "minutes")):
        if seconds >= size:
            return one if seconds == size else f"{seconds / size:g} {many}"
    return f"{seconds:g} seconds"


def _inside(root: str, folder: Path) -> str | None:
    """The path of a folder relative to the root, if it lies below it."""
    relative = os.path.relpath(os.path.realpath(folder), os.path.realpath(root))
    return None if relative == "." or relative.startswith("..") else relative


def document(id: str, parsed: Parsed, outcome: Outcome, version: str = PARSER_VERSION, published_at: str = "") -> Document:
    """The document that a parsed file is; `version` is another text when the same bytes make another one."""
    name = file_name(id)
    introduces = parsed.kind in PROSE and os.path.splitext(name)[0].casefold() in INTRODUCTIONS
    modified = datetime.fromtimestamp(outcome.modified, UTC).isoformat(timespec="seconds")
    return Document(
        id=id,
        title=parsed.title or name,
        path=containers(id),
        sections=parsed.sections,
        fingerprint=f"{outcome.digest}/{version}",
        url=address_of(id, published_at) if published_at else "",
        kind="readme" if introduces else parsed.kind,
        order=f" {name}" if introduces else "",  # a space stands before everything else
        metadata={**parsed.metadata, "size": str(outcome.size), "modified": modified},
        aliases=tuple(dict.fromkeys((name, os.path.splitext(name)[0], *parsed.labels))),
        problems=parsed.problems,
    )


def file_name(id: str) -> str:
    """The last part of the path, on one line."""
    return " ".join(id.rpartition("/")[2].split()) or id


def containers(id: str) -> tuple[Container, ...]:
    """The folders above a file, from below the root down."""
    parts = id.split("/")[:-1]
    return tuple(Container(part, part) for part in parts)


def in_words(error: ValidationError) -> str:
    """The first thing that is wrong with a configuration."""
    first = error.errors()[0]
    return f"The setting {'.'.join(map(str, first['loc'])) or 'as a whole'} is not right: {first['msg']}."


def _places(hints: Collection[str]) -> list[str]:
    """The hinted ids, in order; of an ignore file, the folder it rules. Empty when a hint means everything."""
    places = []
    for hint in hints:
        folder, _, name = hint.strip("/").rpartition("/")
        place = folder if name == IGNORE_FILE else hint.strip("/")
        if place in ("", "."):
            return []
        places.append(place)
    return list(dict.fromkeys(places))


def _shown(path: str) -> str:
    return f"“{encode_id(path)}”"


@dataclass(frozen=True, slots=True)
class _Listed:
    """What there is now."""

    found: list[Found]  # the files to consider
    gone: list[str]  # the known ids that are certainly not there any more
    closed: list[Closed]
    flawed: list[Flawed]


@dataclass
class _Batches:
    """Gathers what was read until there is enough for a batch."""

    total: int
    sent: int = 0
    since: float = field(default_factory=time.monotonic)
    documents: list[Document] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    stamps: dict[str, str | None] = field(default_factory=dict)
    looked_at: int = 0
    characters: int = 0

    def add(self, document: Document, stamp: str) -> None:
        self.documents.append(document)
        self.stamps[document.id] = stamp
        self.characters += sum(len(section.text) for section in document.sections)

    def when_due(self) -> Iterator[Batch]:
        """A batch, if there are enough documents, characters or seconds in it."""
        enough = BATCH_DOCUMENTS[min(self.sent, len(BATCH_DOCUMENTS) - 1)]
        count = len(self.documents) + len(self.failures)
        waited = time.monotonic() - self.since > BATCH_SECONDS
        if count >= enough or self.characters >= BATCH_CHARACTERS or (count and waited) or len(self.stamps) >= 1_000:
            yield self._take()
            self.since = time.monotonic()  # what is done with a batch is no waiting for the next one

    def rest(self) -> Iterator[Batch]:
        if self.stamps or self.failures or self.looked_at:
            yield self._take()

    def _take(self) -> Batch:
        batch = Batch(
            tuple(self.documents), tuple(self.failures), tuple(self.gone), self.stamps, self.total, self.looked_at
        )  # fmt: skip
        self.documents, self.failures, self.gone, self.stamps = [], [], [], {}
        self.looked_at = self.characters = 0
        self.sent += 1
        return batch
