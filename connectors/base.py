"""The contract every connector keeps: whatever is outside comes in as Documents.

A connector is four methods: `check`, `fetch`, `census` and `close`. It never touches the tree or the store; it is
handed its configuration and its last checkpoint and yields plain frozen data that can cross a process boundary.

What cannot be read now stays in the tree as it was last read, marked as such, until its absence is confirmed:

- A `Failure` removes nothing. The text that was read before it stays, and status, screens and answers say since when
  the document could not be read. Two kinds of problem are different, because they are knowledge and no fault:
  `access` (the source says that it exists and is not for us any more) takes the document out at once, and `empty` (it
  was read, and there is no text in it any more) is an edit to nothing and takes it out as well.
- What is absent from a census leaves the tree; a connector whose census may be short is asked to `confirm` first.
- More than 10 documents and 10 % that leave at once, for whatever reason, are told to an admin (the drop guard).
- Many documents that fail in one way at once are a fault of the source: more than 10 and 10 % of it, or everything
  that was looked at. Nothing of them is removed or replaced, not even by `empty`; it is the source's state that says
  so, and they are tried again.
- A fault of the source as a whole (it is away, it refuses us, it answers with something that is no answer) is an
  exception of `fetch` or `census`, never a Failure of each document and never an empty list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol, runtime_checkable

# ---------------------------------------------------------------- errors: each says what to do


def reason_of(error: OSError) -> str:
    """What the system says, to stand inside a sentence."""
    return (error.strerror or type(error).__name__).lower()


class ConnectorError(Exception):
    """Something a person can act on; the message is one sentence that says what to do. `then` is what becomes of a source that is
    followed."""

    def __init__(self, message: str, then: str = "") -> None:
        super().__init__(f"{message} {then}".rstrip())
        self.message, self.then = message, then

    @property
    def asked_once(self) -> str:
        """As it is told to whoever asks once: nobody tries again for them."""
        return f"{self.message} Try again." if self.then else self.message


class ConfigurationError(ConnectorError):
    """The source is set up wrongly (no such folder, a pattern that does not parse)."""


class CredentialsError(ConnectorError):
    """The other side refused who we are."""


class AccessLost(ConnectorError):
    """The source as a whole, or most of it, cannot be read now (unmounted, offline). It says nothing about what exists."""


class Limited(ConnectorError):
    """The other side asks us to wait. What was read so far is kept; the next sync goes on from there.

    `until` is the time (seconds since 1970) before which nothing may be asked again.
    """

    def __init__(self, message: str, until: float) -> None:
        super().__init__(message)
        self.until = until

    def __reduce__(self) -> tuple[type[Limited], tuple[str, float]]:
        return type(self), (str(self), self.until)  # for another process: an error is made anew of its message alone


class Cancelled(Exception):
    """The connector was closed while it was at work: not a fault, and nothing to tell anybody."""


# ---------------------------------------------------------------- what comes in


class Container(NamedTuple):
    """One step of a document's path in its source's own hierarchy: a folder, a project, an epic.

    `id` is stable and unique among its siblings (a folder's name, not its whole path); `title` is what people read.
    All documents give one container the same title. Where a title can change (an epic is renamed), a document `heads`
    the container: its title is shown, and the one given here only as long as there is no such document.
    """

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Locator:
    """Where in its document a passage stands, in the words of its format. Numbers count from 1."""

    heading: tuple[str, ...] = ()
    page: int | None = None
    page_label: str = ""
    sheet: str = ""
    slide: int | None = None
    cell: int | None = None
    lines: tuple[int, int] | None = None  # first and last line; given only where the text is the file's own, line by line
    part: str = ""  # an id within the document: a comment, a chapter, an attachment
    url: str = ""  # a deep link, where the place has one of its own


Markup = Literal["markdown", "plain", "code"]


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a document with its own locator. The heading itself is in the locator, not in the text.

    `markup` tells how lists, tables and code are marked in `text`: converters of office formats and HTML write
    Markdown lists, pipe tables and fences; `plain` has paragraphs only; `code` is source code or raw data.
    """

    text: str
    locator: Locator = Locator()
    markup: Markup = "markdown"


ProblemKind = Literal[
    "unreadable",  # not now: busy, locked, changing, an error of the disk or the network
    "closed",  # the app's account may not open it now; says nothing about whom the document is for
    "encrypted", "damaged", "too large", "needs OCR", "unsupported", "limit",
    "empty",  # it was read, and there is no text in it
    "access",  # the source says that it exists and is not for us (any more)
    "partial",
]  # fmt: skip
LEAVING: frozenset[ProblemKind] = frozenset(("access", "empty"))  # what takes a document out of the tree


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read, in words a person understands, and what to do about it."""

    kind: ProblemKind
    reason: str


class Reference(NamedTuple):
    """A thing with a name that facts are about, or lead to."""

    kind: str  # ticket, person, component, version, sprint, project ...
    id: str  # unique in its kind and source: a ticket's key, a person's name
    name: str  # as people write it


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a document states of an entity, typed: never to be read out of its text again.

    One value a fact: two components are two facts. `since` and `until` say when it held (ISO 8601 in UTC, empty where
    that is not known): a fact with `until` is one of the past.
    """

    subject: Reference
    relation: str  # in small letters: status, assignee, blocks, is blocked by
    value: str  # in words; of a reference its name
    reference: Reference | None = None
    since: str = ""
    until: str = ""
    quote: str = ""  # the line of the document's text that states it: what a citation shows


@dataclass(frozen=True, slots=True)
class Document:
    """What a connector yields: a file, a ticket."""

    id: str  # stable within the source: relative path, numeric ticket id
    title: str
    path: tuple[Container, ...]  # from below the source's root down to the container it lies in
    sections: tuple[Section, ...]
    fingerprint: str  # of the content as read; an equal one means nothing to do
    kind: str = "file"  # markdown, pdf, docx, ticket ...
    url: str = ""
    order: str = ""  # natural order among its siblings; empty: by id, with numbers compared as numbers
    metadata: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()  # other names a question may use: file name, ticket keys
    problems: tuple[Problem, ...] = ()  # parts of it that could not be read
    heads: bool = False  # it is the last container of its path (an epic, a ticket with sub-tasks), which bears its title
    facts: tuple[Fact, ...] = ()  # what its source states, typed; tables and "Owner: ..." lines are found in the text later


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that exists and could not be read. What was read of it before stays in the tree, marked with this,
    until it can be read or is confirmed to be gone; only problems of the kinds in `LEAVING` take it out."""

    id: str
    title: str
    problem: Problem
    path: tuple[Container, ...] = ()
    again: bool = False  # worth trying again by itself (busy, timed out), as opposed to: when it changes


Checkpoint = Mapping[str, str]


@runtime_checkable
class Ordered(Protocol):
    """A checkpoint that need not read all of its keys to find some."""

    def beginning(self, start: str) -> Iterable[str]:
        """The keys that begin like this."""


def keys_beginning(checkpoint: Checkpoint, start: str) -> Iterable[str]:
    if isinstance(checkpoint, Ordered):
        return checkpoint.beginning(start)
    return [key for key in checkpoint if key.startswith(start)]


@dataclass(frozen=True, slots=True)
class Batch:
    """One step of a fetch. Saved in one transaction with its checkpoint."""

    documents: tuple[Document, ...] = ()
    failures: tuple[Failure, ...] = ()
    gone: tuple[str, ...] = ()  # ids seen to be deleted or moved away: positive knowledge, not mere absence
    checkpoint: Mapping[str, str | None] = field(default_factory=dict)  # keys to set; None removes a key
    total: int | None = None  # how many documents this fetch will look at, when known: for the progress bar
    looked_at: int = 0  # how many of them this batch has dealt with, unchanged ones included

    def settled(self) -> Batch:
        """With the last edition of each document that a source names more than once, as one that changes while pages of them are fetched,
        and without those that it says in the same step are gone or closed to us: what is there after all is read anew."""
        left = {*self.gone, *(one.id for one in self.failures if one.problem.kind == "access")}
        last = {one.id: one for one in self.documents}
        kept = tuple(one for one in self.documents if last[one.id] is one and one.id not in left)
        if len(kept) == len(self.documents):
            return self
        return replace(self, documents=kept, checkpoint={**self.checkpoint, **dict.fromkeys(left & last.keys())})


@dataclass(frozen=True, slots=True)
class Check:
    """What `check` saw: shown to the person who sets the source up."""

    message: str
    documents: int | None = None
    sample: tuple[str, ...] = ()
    warning: str = ""  # what a person should think about before adding it
    account: str = ""  # a sentence on who we are there

    @property
    def whole(self) -> str:
        return f"{self.account} {self.message}".strip()


class Connector(Protocol):
    """`fetch` with an empty checkpoint yields everything; with a later one, what changed since.

    `hints` are ids that something (a watcher, a webhook) says have changed: only these are looked at. A hint is
    never believed, the thing itself is read again. Raises AccessLost, CredentialsError, ConfigurationError or Limited
    when the source as a whole cannot be read now; a single bad document is a Failure, never an exception.
    """

    def check(self) -> Check: ...

    def fetch(self, checkpoint: Checkpoint, hints: Collection[str] | None = None) -> Iterator[Batch]: ...

    def census(self) -> Iterator[str]: ...

    def close(self) -> None:
        """Lets go of connections and child processes; the connector is not used afterwards.

        May be called from another thread while a fetch or census is under way, which then raises Cancelled at once.
        """


Presence = Literal["here", "gone", "hidden", "emptied"]  # what became of a document


@runtime_checkable
class Divisible(Protocol):
    """A connector whose fetch can end before it has looked at everything; what it has not begun, the next one reads."""

    def end_fetch(self) -> None:
        """The fetch under way begins nothing more, hands over what it has begun, and ends. May be called from another thread."""


@runtime_checkable
class Confirming(Protocol):
    """A connector whose census may be short: it is asked again about each document that seems to be missing.

    `here`: it exists, or nobody can say now; it stays. `hidden`: it may well exist, but we are not allowed to see it any
    more. Ids it does not answer about count as `here`. `emptied` is never answered.
    """

    def confirm(self, ids: Collection[str]) -> Mapping[str, Presence]: ...


LARGEST_DELIVERY = 25_000_000  # bytes of a webhook: Jira sends a ticket with all its comments, and no more than this


@dataclass(frozen=True, slots=True)
class Notice:
    """What a delivery of a webhook says: ids of documents that may have changed, or that everything is to be looked at."""

    identifier: str  # of the delivery, the same when it is sent again; may be empty
    event: str
    ids: tuple[str, ...] = ()
    rescan: bool = False


class Webhooks(Protocol):
    """How one kind of server calls us. `read` makes something of whatever comes in; it never raises."""

    def verify(self, secret: str, body: bytes, signature: str | None) -> bool: ...

    def read(self, body: bytes, headers: Mapping[str, str]) -> Notice: ...


class WatchReport(Protocol):
    """What a watch reports: ids that may have changed, that everything is to be looked at, or that the source is gone.

    One that reports nothing says that the source was asked just now, and that nothing has changed.
    """

    paths: Collection[str]
    rescan: bool
    lost: bool


class Watching(Protocol):
    """A running watch. `poll` gives the next change, or None after `timeout` seconds; it raises ConnectorError as fetch does."""

    def poll(self, timeout: float | None = None) -> WatchReport | None: ...

    def close(self) -> None: ...


@runtime_checkable
class Watched(Protocol):
    """A connector that can tell of changes as they happen; everything is looked at every `rescan_seconds` nevertheless."""

    rescan_seconds: float

    def watch(self) -> Watching: ...


@runtime_checkable
class Remembering(Protocol):
    """A connector that comes to know much of its source, which the next one need not find out again."""

    def remember(self, other: Connector) -> None:
        """Takes over what a closed connector of the same source and settings knows."""


@runtime_checkable
class Resumable(Protocol):
    """A connector whose watch holds what comes against what was read, also where another process has read it."""

    def resume(self, checkpoint: Checkpoint) -> None:
        """Takes up what is known since a look at everything. Raises ConnectorError."""
