"""The tables. Rows of the tree are live from one version until another, so that a question can pin a version."""

from __future__ import annotations

from typing import Any, Literal, cast

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

LIVE = sa.text("live_to IS NULL")
# an index of what has ended must not hold what is live: SQLite would take it for finding all live rows, and read them all
ENDED = sa.text("live_to IS NOT NULL")
HAS_PROBLEMS = sa.text("CAST(problems AS VARCHAR) != '[]'")


def table_of(model: type[SQLModel]) -> sa.Table:
    """The table a model stands for: what statements are made of. SQLModel gives each class one, and no type of it."""
    return cast(sa.Table, model.__table__)  # type: ignore[attr-defined]  # set by its metaclass, without an annotation


def _json() -> Any:
    return Field(sa_type=sa.JSON, nullable=False)


TurnEnd = Literal["done", "stopped", "failed", "interrupted"]
TurnState = Literal["running"] | TurnEnd
UNREACHABLE = ("limited", "lost", "failed")  # states of a source that the last sync could not read


class Source(SQLModel, table=True):
    """One configured connector. `published` is the number of the version that last changed its tree, 0 before any."""

    id: str = Field(primary_key=True)
    name: str = Field(unique=True)
    kind: str
    config: dict[str, Any] = _json()
    secret: bytes | None = None  # encrypted JSON
    created_at: float
    published: int = 0
    paused: bool = False
    removing: bool = False
    state: str = "new"  # new, waiting, syncing, stopped, ready, limited, lost, failed
    message: str = ""  # why it is not ready; of one that is syncing, why the sync before could not read it
    wait_until: float | None = None  # the other side asks not to be asked before
    done: int = 0
    total: int | None = None
    requested_at: float | None = None  # somebody asked for a sync that has not started
    synced_at: float | None = None  # when a sync last ended well: the tree was then what the source was
    changed_at: float | None = None
    heard_at: float | None = None  # when a webhook last came in
    audience: list[str] | None = Field(default=None, sa_type=sa.JSON)  # ids of groups; None is everybody who is signed in
    first_read_at: float | None = None  # when all of it had been read once; None before, and for one that an earlier release read
    chat_id: str | None = None  # of the chat whose files it holds, which nobody sees anywhere else

    @property
    def is_unreachable(self) -> bool:
        """Whether it could not be read when it was last tried, as long as no other try has read anything of it."""
        return self.state in UNREACHABLE or (self.state == "syncing" and self.message != "")


class Version(SQLModel, table=True):
    """One published change of one source's tree. Numbers rise over all sources and are never used again; `ordinal` counts
    those of its source alone, from 1.

    An upgrade changes records alone: the documents are what they were the version before.
    """

    __table_args__ = {"sqlite_autoincrement": True}

    number: int | None = Field(default=None, primary_key=True)
    source_id: str = Field(index=True)
    published_at: float
    upgrade: bool = False
    added: int = 0
    changed: int = 0
    removed: int = 0
    titles: list[str] = _json()  # a few of the documents it was about
    ordinal: int = Field(default=0, sa_column_kwargs={"server_default": sa.text("0")})


class DocumentRow(SQLModel, table=True):
    __tablename__ = "document"
    __table_args__ = (
        sa.Index("document_live", "source_id", "document_id", unique=True, sqlite_where=LIVE, postgresql_where=LIVE),
        sa.Index("document_id", "source_id", "document_id", "live_from"),
        sa.Index("document_place", "place", "live_from"),
        sa.Index(
            "document_problems",
            "source_id",
            sqlite_where=sa.and_(LIVE, HAS_PROBLEMS),
            postgresql_where=sa.and_(LIVE, HAS_PROBLEMS),
        ),
        sa.Index("document_began", "live_from"),
        sa.Index("document_ended", "live_to", sqlite_where=ENDED, postgresql_where=ENDED),
    )
    id: int | None = Field(default=None, primary_key=True)
    source_id: str
    document_id: str
    live_from: int
    live_to: int | None = None
    title: str
    kind: str
    url: str
    path: list[list[str]] = _json()  # [[id, title], ...]
    order: str
    place: str
    fingerprint: str
    meta: dict[str, Any] = _json()
    aliases: list[str] = _json()
    problems: list[Any] = _json()
    heads: bool = False
    outline: list[Any] = _json()  # [[slot, title, [[id, title], ...], leaf key], ...] in order


class LeafRow(SQLModel, table=True):
    """A leaf's text with all that is known of it, stored under the hash of exactly that."""

    __tablename__ = "leaf"
    key: str = Field(primary_key=True)
    text: str
    data: dict[str, Any] = _json()


class NodeRow(SQLModel, table=True):
    __tablename__ = "node"
    __table_args__ = (
        sa.Index("node_live", "source_id", "place", unique=True, sqlite_where=LIVE, postgresql_where=LIVE),
        sa.Index("node_items", "source_id", "container", "level", "position", sqlite_where=LIVE, postgresql_where=LIVE),
        sa.Index("node_kind", "source_id", "kind", sqlite_where=LIVE, postgresql_where=LIVE),  # how many there are
        sa.Index("node_place", "place", "live_from"),
        sa.Index("node_children", "parent", "live_from"),
        sa.Index("node_document", "source_id", "document_id"),
        sa.Index("node_began", "live_from"),
        sa.Index("node_ended", "live_to", sqlite_where=ENDED, postgresql_where=ENDED),
    )
    id: int | None = Field(default=None, primary_key=True)
    source_id: str
    place: str
    live_from: int
    live_to: int | None = None
    parent: str | None
    container: str | None
    level: int
    slot: str
    position: str
    kind: str
    title: str
    hash: str
    record: str
    leaves: int
    height: int
    document_id: str | None
    leaf: str | None
    target: str | None


class RecordRow(SQLModel, table=True):
    """A summary record, and the logic units a model made with it, under the hash of both."""

    __tablename__ = "record"
    hash: str = Field(primary_key=True)
    data: str
    units: str | None = None  # JSON; None where the leaf's own hold


class ReadingRow(SQLModel, table=True):
    """What a reader made of an input, under the hash of exactly that input: nothing is read twice by the same reader."""

    __tablename__ = "reading"
    key: str = Field(primary_key=True)
    reader: str = Field(primary_key=True)  # with the version of what it made this by: a model and a prompt
    by_model: bool
    record: str = Field(index=True)
    decision: str
    made_at: float


class Lease(SQLModel, table=True):
    """An input that a model is reading now, so that nobody else has it read as well, or that it could not read.

    Each place that holds the input has a row, and all of them say the same of it. They stay until what was made of it is
    published: a reading with a lease is needed, though no node has it yet.
    """

    __tablename__ = "claim"
    __table_args__ = (sa.Index("claim_place", "source_id", "place"),)
    key: str = Field(primary_key=True)
    reader: str = Field(primary_key=True)
    source_id: str = Field(primary_key=True)
    place: str = Field(primary_key=True)  # of the node it is for, whose hash and record were these
    hash: str
    record: str
    owner: str  # the process that asks; empty once it was given back
    until: float  # when others may look whether the owner has died; after a failure, when to try again
    reason: str = ""  # why it could not be read; empty while it is being read
    tries: int = 0


class Setting(SQLModel, table=True):
    """What an admin has set for the whole app."""

    name: str = Field(primary_key=True)
    value: dict[str, Any] = _json()
    secret: bytes | None = None  # encrypted JSON
    changed_at: float


class Spending(SQLModel, table=True):
    """What one question, or one upgrade of a record, took of a model; of the days before today all that are alike."""

    __table_args__ = (sa.Index("spending_day", "day"),)
    id: int | None = Field(default=None, primary_key=True)
    day: str  # in UTC, ISO 8601
    at: float
    purpose: str  # question, upgrade, embedding
    source_id: str  # empty for a question, which may be about several, and for vectors
    model: str
    errands: int = 1  # questions or records
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None
    hits: int  # decisions found made already
    without_model: int  # decisions the model was to make and did not
    seconds: float


class CheckpointRow(SQLModel, table=True):
    __tablename__ = "checkpoint"
    source_id: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    value: str


class FailureRow(SQLModel, table=True):
    """A document that could not be read, and why. With `read_at`, the tree has it as it was read before."""

    __tablename__ = "failure"
    source_id: str = Field(primary_key=True)
    document_id: str = Field(primary_key=True)
    title: str
    kind: str
    reason: str
    since: float
    tried_at: float
    tries: int = 1
    again: bool = False
    read_at: float | None = None  # when the text that is kept was last known to be what the source holds
    approved: bool = False  # an admin says that what is kept of it may go


class Tombstone(SQLModel, table=True):
    """A document that went missing at its source. It left the tree at once, and comes back when it is seen again."""

    source_id: str = Field(primary_key=True)
    document_id: str = Field(primary_key=True)
    title: str
    fingerprint: str  # of what it held: a document that arrives with the same is this one, moved
    verdict: str  # gone: deleted, or never to be seen again; hidden: we are not allowed to see it any more; emptied: no text left
    since: float
    awaiting_approval: bool = False  # one of so many at once that an admin is asked whether they are really gone


class HintRow(SQLModel, table=True):
    """A document that somebody (a webhook) says has changed; the worker looks at it and forgets the hint."""

    __tablename__ = "hint"
    source_id: str = Field(primary_key=True)
    document_id: str = Field(primary_key=True)
    at: float


HAS_FILES = sa.text("files_of IS NOT NULL")


class Chat(SQLModel, table=True):
    __table_args__ = (
        sa.Index("ix_chat_owner", "owner", "asked_at"),
        sa.Index("ix_chat_files_of", "files_of", sqlite_where=HAS_FILES, postgresql_where=HAS_FILES),
    )
    id: str = Field(primary_key=True)
    title: str
    created_at: float
    asked_at: float
    owner: str = Field(default="", sa_column_kwargs={"server_default": ""})  # a person's id
    shared: bool = Field(default=False, sa_column_kwargs={"server_default": sa.text("0")})  # with colleagues who have its link
    pinned: bool = Field(default=False, sa_column_kwargs={"server_default": sa.text("0")})  # above the others
    files_of: str | None = None  # the chat that this one branched off, whose files it has

    @property
    def files_chat(self) -> str:
        """The id of the chat by which the source with this one's files is known."""
        return self.files_of or self.id


RATED = sa.text("rating IS NOT NULL")


class Turn(SQLModel, table=True):
    """One question and its answer."""

    __table_args__ = (sa.Index("ix_turn_rating", "rating", "asked_at", sqlite_where=RATED, postgresql_where=RATED),)

    id: str = Field(primary_key=True)
    chat_id: str = Field(index=True, foreign_key="chat.id")
    number: int
    question: str
    scope: str
    state: TurnState = Field(sa_type=sa.String)
    message: str = ""
    version: int = 0
    answer: dict[str, Any] | None = Field(default=None, sa_type=sa.JSON)
    steps: list[dict[str, Any]] = _json()
    asked_at: float
    finished_at: float | None = None
    previous: dict[str, Any] | None = Field(default=None, sa_type=sa.JSON)  # the answer from before, while it is asked again
    rating: int | None = None  # 1 helpful, 0 not
    reason: str = Field(default="", sa_column_kwargs={"server_default": ""})  # why it was not
    shown: int = Field(
        default=0, sa_column_kwargs={"server_default": sa.text("0")}
    )  # number of the version; 0 where it has one answer
    answered_by: str = Field(default="", sa_column_kwargs={"server_default": ""})  # the process of the app, while it is running


class AnswerVersion(SQLModel, table=True):
    """One of several answers to the same question, each asked in another part of the tree."""

    __tablename__ = "answer_version"

    turn_id: str = Field(primary_key=True, foreign_key="turn.id", ondelete="CASCADE")
    number: int = Field(primary_key=True)
    scope: str
    answer: dict[str, Any] = _json()


class Asked(SQLModel, table=True):
    """A question that was answered, as far as it is counted: its answer, which may be long, is not read for that."""

    __table_args__ = (
        sa.Index("asked_when", "asked_at", "verdict"),
        sa.Index("asked_topic", "topic", "asked_at", "verdict", "owner"),
    )

    turn_id: str = Field(primary_key=True, foreign_key="turn.id", ondelete="CASCADE")
    asked_at: float
    owner: str  # the person who asked
    verdict: str
    topic: str | None = None  # its terms, sorted: questions of the same terms are one; None where they were not made yet


class AskedOf(SQLModel, table=True):
    """A source that an answer rests on, or of which it was asked where it rests on none."""

    __tablename__ = "asked_of"
    __table_args__ = (sa.Index("asked_of_source", "source_id", "asked_at", "verdict"),)

    turn_id: str = Field(primary_key=True, foreign_key="asked.turn_id", ondelete="CASCADE")
    source_id: str = Field(primary_key=True)
    asked_at: float
    verdict: str
