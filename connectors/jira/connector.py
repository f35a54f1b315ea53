"""The Jira connector: every ticket of a site's projects, or of a filter, is a document; so are its files and projects."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar, Self

from pydantic import ValidationError

from connectors.base import (
    Batch,
    Cancelled,
    Check,
    Checkpoint,
    ConfigurationError,
    Connector,
    ConnectorError,
    Presence,
)  # fmt: skip
from connectors.folder import in_words
from connectors.formats import PARSER_VERSION
from connectors.jira import attachments, project
from connectors.jira.client import IDS_PAGE, PATIENT, TIMES_PAGE, Account, Client, Json, chunks
from connectors.jira.config import JiraConfig
from connectors.jira.exchange import Broken, NotFound, Refused, Timing
from connectors.jira.places import Places, Row
from connectors.jira.scope import ProjectScope
from connectors.jira.ticket import TICKET_VERSION, Kinds, Ticket, View
from connectors.jira.ticket_sync import OLDEST_FIRST, WATERMARK, Means, TicketSync, is_due_again, updated_of
from connectors.jira.values import mapping, mappings, name_of, one_line
from connectors.jira.watch import JiraWatch, Window
from connectors.sandbox import Limits, Sandbox

SAMPLE = 5
COUNT_SECONDS = 60.0  # between two counts of a source that is watched
COUNTED_PROJECTS = 10  # whose tickets are counted one by one in a check
READ_SECONDS = 60.0  # for one attached file
READ_MEGABYTES = 2_048


class JiraConnector:
    """Reads one Jira site with one token. Secrets: `token`; `webhook_secret` is the app's business."""

    Config: ClassVar[type[JiraConfig]] = JiraConfig

    def __init__(
        self,
        config: JiraConfig,
        token: str,
        timing: Timing = PATIENT,
        clock: Callable[[], float] = time.time,
        sandbox: Sandbox | None = None,
    ) -> None:
        self.config = config
        self.clock = clock
        self.rescan_seconds = config.rescan_seconds
        self.client = Client(config, token, timing, clock)
        self.sandbox = sandbox or Sandbox(workers=1, limits=Limits(READ_SECONDS, READ_MEGABYTES))
        self.places: Places | None = None  # as the last fetch left them
        self._has_looked = False  # at everything, to the end
        self._is_ending = False  # the fetch under way
        self._scope: ProjectScope | None = None
        self._view: View | None = None
        self._window = Window()
        self._number: int | None = None  # of tickets, as last counted,
        self._counted_at = 0.0  # and when
        self._reported: dict[str, int] = {}
        self._affected: set[str] = set()  # tickets that show something of one that has disappeared

    @classmethod
    def configured(cls, config: Mapping[str, object], secrets: Mapping[str, str]) -> Self:
        """The connector with these settings and this token. Raises ConfigurationError."""
        try:
            checked = cls.Config.model_validate(dict(config))
        except ValidationError as error:
            raise ConfigurationError(in_words(error).replace("Value error, ", "")) from error
        token = secrets.get("token", "").strip()
        if not token:
            raise ConfigurationError(f"There is no token for {checked.host}. {checked.renew()}")
        if not (token.isascii() and token.isprintable()) or " " in token:
            raise ConfigurationError("The token has characters in it that no token has. Copy it once more, without quotes.")
        return cls(checked, token)

    # ------------------------------------------------------------ setting up

    def check(self) -> Check:
        """Who the token is and what it sees. Raises ConnectorError with words for the person who sets it up."""
        account = self.client.sign_in()
        scope = self._look_round()
        self._refuse_nothing(scope)
        count = self._counted(scope.jql)
        issues = self.client.sample(f"{scope.jql} ORDER BY updated DESC", SAMPLE)
        sample = tuple(f"{issue.get('key')} {one_line(mapping(issue.get('fields')).get('summary'))}".strip() for issue in issues)
        return Check(self._seen(scope, count), count, sample, account=self._greeting(account))

    def projects(self) -> list[tuple[str, str]]:
        """The projects that the token sees, as (key, name): to choose from."""
        self.client.sign_in()
        return sorted((one_line(one.get("key")), name_of({"name": one.get("name")})) for one in self.client.projects().values())

    def _greeting(self, account: Account) -> str:
        zone = f" (time zone {account.zone})" if account.zone else ""
        return f"Signed in to {self.config.host} as {account.name}{zone}."

    def _seen(self, scope: ProjectScope, count: int) -> str:
        tickets = f"{count:,} {'ticket' if count == 1 else 'tickets'}"
        if self.config.filter:
            return f"The filter names {tickets}."
        is_split = len(scope.projects) > 1
        named = []
        for id, one in list(scope.projects.items())[:COUNTED_PROJECTS]:
            number = f" {self._counted(f'project = {id}'):,}" if is_split else ""
            named.append(f"{one_line(one.get('key'))} {one_line(one.get('name'))}{number}")
        more = len(scope.projects) - len(named)
        named += [f"and {more} more"] if more else []
        unseen = f" It sees no project {', '.join(scope.unseen)}." if scope.unseen else ""
        return f"{tickets}{':' if is_split else ' in'} {', '.join(named)}.{unseen}"

    def _counted(self, jql: str) -> int:
        try:
            return self.client.count(jql)
        except Refused as refused:
            raise self._in_words(refused) from None

    def _in_words(self, refused: Refused) -> ConfigurationError:
        """A filter that Jira does not take; a dead token may be behind it, which is asked first."""
        self.client.sign_in()
        if not self.config.filter:
            return refused
        return ConfigurationError(
            f"Jira does not take the filter “{self.config.filter}”: {refused.said or 'it does not say why'}."
        )

    # ------------------------------------------------------------ the contract

    def fetch(self, checkpoint: Checkpoint, hints: Collection[str] | None = None) -> Iterator[Batch]:
        """What changed since the checkpoint, in batches that start small."""
        self._is_ending = False
        with self._closing_cancels():
            account = self.client.sign_in()
            if hints is None or self._scope is None or self._view is None:
                self._scope, self._view = self._look_round(), self._looked_at()
            scope = self._scope
            if WATERMARK not in checkpoint:
                self._refuse_nothing(scope)
            stamp = self._stamp(account)
            means = Means(self.client, self.config, scope, self._view, stamp, self.sandbox, self.clock)
            run = TicketSync(means, checkpoint, self._affected, self.places)
            self._affected = set()
            self.places = run.places
            try:
                if hints is None:
                    for batch in run.everything():
                        yield batch
                        if self._is_ending:
                            return
                    self._has_looked = True
                    self._reported.clear()
                else:
                    yield from run.named(hints)
            except Refused as refused:
                self._scope = None
                raise self._in_words(refused) from None

    def end_fetch(self) -> None:
        """A look at everything ends with the next batch, one at what was named is done to the end."""
        self._is_ending = True

    def census(self) -> Iterator[str]:
        """The ids of all documents that exist now. A dead token never gives one that is too short: it raises."""
        with self._closing_cancels():
            self.client.sign_in()
            scope = self._scope = self._look_round()
            found: dict[str, Row | None] = {}
            if scope.jql:
                fields, size = (["id"], IDS_PAGE) if self.places else (["project", "security", "attachment"], TIMES_PAGE)
                for page in self.client.walk(f"{scope.jql} ORDER BY created ASC, key ASC", fields, size):
                    found.update((str(issue["id"]), self._known(issue)) for issue in page)
            self.client.sign_in()  # what was seen meanwhile was seen with a token that lives
            used = {row.project for row in found.values() if row and row.is_document}
            yield from (project.document_id(id) for id in scope.projects if scope.chosen or id in used)
            yield from (project.document_id(key) for key in scope.unseen)
            for id, row in found.items():
                if not (row and row.restricted):
                    yield id
                    yield from (attachments.document_id(id, file) for file in (row.files if row else ()))

    def _known(self, issue: Json) -> Row | None:
        """What the last fetch knew of a ticket; before any fetch, what its few fields say."""
        if self.places:
            return self.places.get(str(issue["id"]))
        ticket = Ticket(issue, View(self.config.url, restricted=self.config.restricted))
        files, _ = attachments.files(ticket, self.config)
        return replace(ticket.row(""), files=tuple(file.id for file in files), stamp="census")

    def confirm(self, ids: Collection[str]) -> Mapping[str, Presence]:
        """What became of documents that a census did not name: each is asked for by its id, which no index delays."""
        with self._closing_cancels():
            self.client.sign_in()
            scope = self._scope = self._look_round()
            tickets = {id: (attachments.parts_of(id) or (id,))[0] for id in ids if not id.startswith(project.PREFIX)}
            numbers = sorted({id for id in tickets.values() if id.isdigit()}, key=int)
            standing = {id: presence for some in chunks(numbers, 100) for id, presence in self._standing(some, scope).items()}
            presences: dict[str, Presence] = {}
            for id in ids:
                if id.startswith(project.PREFIX):
                    presences[id] = self._project_standing(id.removeprefix(project.PREFIX), scope)
                elif tickets[id] in standing:
                    presence, files = standing[tickets[id]]
                    part = attachments.parts_of(id)
                    presences[id] = "gone" if presence == "here" and part and part[1] not in files else presence
            self.client.sign_in()
            self._affect(id for id, presence in presences.items() if presence != "here")
            return presences

    def _project_standing(self, id: str, scope: ProjectScope) -> Presence:
        """Of a project by its id; by its key goes what stands for one that was not seen."""
        if not id.isdigit():
            return "here" if id in scope.unseen else "gone"
        return "here" if id in scope.projects else "hidden"

    def _standing(self, ids: list[str], scope: ProjectScope) -> dict[str, tuple[Presence, frozenset[str]]]:
        """What became of some tickets, and which files they have; nothing of those that Jira gives no clear answer about."""
        wanted = ("project", "security", "attachment")
        found = self.client.issues(ids, wanted, histories=False)
        missing = [id for id in ids if id not in found.issues and id not in found.broken]
        absent = found.absent | self.client.absent([id for id in missing if id not in found.absent])
        inside = scope.among(self.client, found.issues)
        standing: dict[str, tuple[Presence, frozenset[str]]] = {}
        for id in ids:
            if id in found.issues:
                fields = mapping(found.issues[id].get("fields"))
                hidden = bool(fields.get("security")) and not self.config.restricted
                files = frozenset(one_line(one.get("id")) for one in mappings(fields.get("attachment")))
                if self.places and (row := self.places.get(id)):  # without those that came with internal comments
                    files &= frozenset(row.files)
                presence: Presence = "gone" if id not in inside else "hidden" if hidden else "here"
                standing[id] = presence, files if self.config.attachments else frozenset()
            elif id in absent:
                row = self.places.get(id) if self.places else None
                lost = row is not None and row.project not in scope.projects
                standing[id] = "hidden" if lost else "gone", frozenset()
        return standing

    def watch(self) -> JiraWatch:
        """A running watch: it asks Jira every few seconds what was updated."""
        return JiraWatch(self.changed, self.fewer, self.config.poll_seconds)

    def resume(self, checkpoint: Checkpoint) -> None:
        """What another process has read is known here too: the watch then tells what was updated since. Raises ConnectorError."""
        with self._closing_cancels():
            if self._scope is None:
                self._scope = self._look_round()
            self.places, self._has_looked = self.places or Places({}), True
            self.places.follow({key: text for key, text in checkpoint.items() if key.isdigit()})
            if not self.client.witness:
                self.client.witness = next((id for id in self.places if self.places[id].is_document), "")

    def remember(self, other: Connector) -> None:
        """The rows of its tickets, so that the next fetch unpacks those alone that have changed."""
        if isinstance(other, JiraConnector):
            self.places, self._affected = other.places, other._affected

    def changed(self) -> set[str] | None:
        """The tickets that were updated since they were read; None before everything was looked at once.

        There is no upper bound, or a ticket that is edited all the time would never be seen; each is reported once.
        Raises ConnectorError; Refused where the projects of the last look cannot be seen any more.
        """
        if not self._has_looked or self.places is None or self._scope is None:
            return None
        with self._closing_cancels():
            found, self._affected = self._affected, set()
            if self._scope.jql:
                found |= self._updated(self._scope.jql, self.places)
            now = self.clock() + self.client.exchange.ahead
            found |= {id for id in self.places if is_due_again(self.places[id], now)}
            self.client.sign_in()  # a dead token sees nothing, which is no news of a quiet Jira
            return found

    def fewer(self) -> bool:
        """Whether the source has fewer tickets than when they were last counted: some were deleted, moved away or hidden from us, and a
        look at everything finds out which. A Jira that does not count tells nothing by that."""
        now = self.clock()
        if self._scope is None or not self._scope.jql or 0 <= now - self._counted_at < COUNT_SECONDS:
            return False
        self._counted_at, before = now, self._number
        with self._closing_cancels():
            try:
                self._number = self.client.count(self._scope.jql)
            except (Refused, NotFound, Broken):
                return False
        return before is not None and self._number < before

    def _updated(self, jql: str, places: Places) -> set[str]:
        newest = max((places[id].updated for id in places if places[id].stamp), default=0)
        now, overlap = self.clock(), 60 * self.config.overlap_minutes
        bound = self._window.bound(newest, now, overlap)
        found = set()
        pages = 0
        for page in self.client.walk(f"{jql} AND updated {bound} {OLDEST_FIRST}", ["updated"], TIMES_PAGE):
            pages += 1
            for issue in page:
                id, at = str(issue["id"]), updated_of(issue)
                row = places.get(id)
                if (row is None or not row.stamp or row.updated < at) and self._reported.get(id) != at:
                    self._reported[id] = at
                    found.add(id)
        self._window.walked(pages, now, overlap)
        return found

    def close(self) -> None:
        """Ends what is under way, in whatever thread that is, and the program that reads files."""
        self.client.close()
        self.sandbox.close()

    # ------------------------------------------------------------ what everything rests on

    def _look_round(self) -> ProjectScope:
        """The projects of the source that can be seen now."""
        visible = self.client.projects()
        if not self.config.projects:
            return ProjectScope(visible, False, self.config.filter)
        by_key = {one_line(one.get("key")).upper(): id for id, one in visible.items()}
        chosen, unseen = {}, []
        for key in self.config.projects:
            if found := visible[by_key[key]] if key in by_key else self._project(key):
                chosen[str(found["id"])] = found
            else:
                unseen.append(key)
        return ProjectScope(chosen, True, self.config.filter, tuple(unseen))

    def _project(self, key: str) -> Json | None:
        """A project that is not listed under this key: it had it before, or the list is not to be relied on."""
        try:
            return self.client.project(key)
        except NotFound:
            return None

    def _refuse_nothing(self, scope: ProjectScope) -> None:
        if scope.chosen and not scope.projects:
            seen = sorted(one_line(one.get("key")) for one in self.client.projects().values())
            hint = f"It sees: {', '.join(seen[:20])}" if seen else "It sees no project at all"
            token = self.config.token_words()
            raise ConfigurationError(
                f"{token[0].upper()}{token[1:]} sees no project {', '.join(self.config.projects)}. {hint}. "
                "Correct the key, or ask an administrator of the project for access."
            )

    def _looked_at(self) -> View:
        config = self.config
        return View(config.url, Kinds.of(self.client.fields()), config.internal_comments, config.restricted)

    def _stamp(self, account: Account) -> str:
        """Changes with whatever makes the same ticket come out differently; then all are read again."""
        config = self.config
        read_of_it = (config.internal_comments, config.restricted, config.attachments, config.attachment_bytes)
        settings = (TICKET_VERSION, PARSER_VERSION, account.id, *read_of_it)
        return hashlib.sha256(repr(settings).encode()).hexdigest()[:6]

    def _affect(self, ids: Iterator[str]) -> None:
        """Notes who shows something of tickets that have disappeared: the next poll reports them."""
        for id in ids:
            if self.places and (row := self.places.get(id)):
                around = {*row.links, row.parent} | self.places.with_all_below([id]) - {id}
                self._affected |= {one for one in around if (other := self.places.get(one)) and other.is_document}

    @contextmanager
    def _closing_cancels(self) -> Iterator[None]:
        """Whatever fails because the connector was closed meanwhile is Cancelled."""
        try:
            yield
        except ConnectorError:
            if self.client.exchange.closed:
                raise Cancelled from None
            raise
