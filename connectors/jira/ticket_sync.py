"""One sync of a site's tickets under way: which tickets to read, what they become, and what else changes with them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from connectors.base import AccessLost, Batch, Checkpoint, Container, Document, Failure, Problem
from connectors.formats.parsed import Options, Parsed
from connectors.jira import attachments, project
from connectors.jira.attachments import File
from connectors.jira.client import IDS_PAGE, PAGE, TIMES_PAGE, Client, Found, Json, chunks
from connectors.jira.config import JiraConfig
from connectors.jira.exchange import Broken, NotFound, NotJira, Refused
from connectors.jira.places import DEEPEST, Places, Row
from connectors.jira.scope import ProjectScope
from connectors.jira.ticket import Ticket, View
from connectors.jira.values import mapping, mappings, milliseconds, one_line
from connectors.sandbox import Sandbox, Stopped

BATCH_TICKETS = (8, 32)  # the first batches are small, so that something is there soon; then as many as Jira gives
BATCH_FILES = 8
BATCH_PROJECTS = 8
ROUNDS = 20  # of reading what else has changed; each goes one step further along parents and links
WATERMARK = "watermark"  # its key in a checkpoint
LATE_SECONDS = 86_400  # how late a search may show an update, at worst, for a sync of everything to find it
OLDEST_FIRST = "ORDER BY updated ASC, key ASC"
ROLLING = 200  # tickets that are read again although Jira calls them unchanged, in each sync of everything
ROLLING_SECONDS = 600  # since they were last read
MOST_REMOTE = 500  # tickets whose remote links are read in one sync: each costs a request
FILES_TURN_SECONDS = 30  # how often what did not come is asked for again, each time beginning with another file
FILES_IN_A_ROW = 3  # that do not arrive, after which the others are not asked for in this sync
ABOUT = ("summary", "issuetype", "project", "parent", "status", "created", "security", "epic")  # of a parent that is not ours
SETTLED_SECONDS = 2  # after an update no other one has its time
UNNAMED = "A ticket"
NOT_HANDED_OUT = "Jira does not hand out this file (404). Open it in Jira to see whether it is still there."
WITHHELD = "Jira lists this ticket, but does not hand it out just now. It is tried again by itself."


@dataclass(slots=True)
class _Step:
    """What one batch will say."""

    documents: list[Document] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    checkpoint: dict[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Means:
    """What a sync of tickets is made with."""

    client: Client
    config: JiraConfig
    scope: ProjectScope
    view: View
    stamp: str  # of the settings: what was read with another one is read again
    sandbox: Sandbox
    clock: Callable[[], float]


class TicketSync:
    """Goes on from a checkpoint. `places` is what is known of all tickets, and is kept up to date on the way; those of the sync
    before may be handed in, for little of them will have changed.

    `affected`: tickets that show something of others which have disappeared.
    """

    def __init__(
        self, means: Means, checkpoint: Checkpoint, affected: Collection[str] = (), places: Places | None = None
    ) -> None:
        self.client, self.config, self.scope, self.view = means.client, means.config, means.scope, means.view
        self.stamp, self.sandbox, self.clock = means.stamp, means.sandbox, means.clock
        known = dict(checkpoint.items())
        tickets = {key: text for key, text in known.items() if key.isdigit()}
        others = {key: text for key, text in known.items() if key not in tickets}
        self.places = Places({}) if places is None else places
        self.places.follow(tickets)
        self.files = {key: text for key, text in others.items() if attachments.parts_of(key)}
        self.projects = {key: text for key, text in others.items() if key.startswith(project.PREFIX)}
        self.watermark = int(known.get(WATERMARK, 0))  # everything that was updated before has been read
        self.total = 0
        self._waiting: dict[str, File] = {}  # attached files still to be read
        self._fresh: set[str] = set()  # tickets read in this sync
        self._unseen: set[str] = set()  # tickets that were asked for and did not come: for the census to look into
        self._affected: set[str] = set()  # tickets that show something of what changed
        self._touched: set[str] | None = None  # tickets around which places may have changed; None: all
        self._named_projects: set[str] = set()  # whose documents are up to date
        self._remote_left = MOST_REMOTE
        self._times: dict[str, int] = {}  # of the last update of each ticket, as listed
        self._asked: set[str] = set()  # parents that were asked for
        self._open: frozenset[str] = frozenset()  # tickets of the source that are not read yet, and have no security level
        self._unnamed: dict[str, set[str]] = {}  # by a ticket that is not known: those that show nothing but its key
        self._files_missed = 0  # in a row
        if not self.client.witness:
            self.client.witness = next((id for id in self.places if self.places[id].is_document), "")
        for id in affected:
            if row := self.places.get(id):
                self.places.put(id, replace(row, stale=True))

    # ------------------------------------------------------------ everything, or what was named

    def everything(self) -> Iterator[Batch]:
        """What changed since the checkpoint. Absence is left to the census."""
        began = self.watermark or self._newest()
        listed = self._listed()
        due = {id for id in listed if self._is_due(id)}
        rolling = self._longest_unread(listed - due)
        self.places.expected = frozenset(listed)
        self._open = self._unrestricted(id for id in due if id not in self.places)
        if len(due) > MOST_REMOTE:
            self._remote_left = 0
        chosen = list(self.scope.projects) if self.scope.chosen else []
        self.total = len(listed) + len(chosen)
        unchanged = len(listed) - len(due) - len(rolling)
        if unchanged or not self.watermark:
            yield Batch(checkpoint={} if self.watermark else {WATERMARK: str(began)}, total=self.total, looked_at=unchanged)
        self.watermark = began
        yield from self._tell_unseen_projects()
        yield from self._read_projects(chosen)
        yield from self._read(sorted({*due, *rolling}, key=int), count=True)
        yield from self._read(sorted(self._secretly_gone(listed), key=int), hinted=True)
        yield from self._read_external_parents()
        yield from self._settle()
        yield from self._read_projects(sorted(self._used_projects() - self._named_projects))
        if (newest := max(self._times.values(), default=0)) > began:
            yield Batch(checkpoint={WATERMARK: str(newest)}, total=self.total)

    def named(self, hints: Collection[str]) -> Iterator[Batch]:
        """What became of these: tickets, files or projects. What does not exist for us any more is gone."""
        tickets = {hint for hint in hints if hint.isascii() and hint.isdigit()}
        for hint in hints:
            if parts := attachments.parts_of(hint):
                tickets.add(parts[0])
                self.files.pop(hint, None)
        projects = [hint.removeprefix(project.PREFIX) for hint in hints if hint.startswith(project.PREFIX)]
        self.total = len(tickets) + len(projects)
        self._touched = {id for id in self.places if self.places[id].stale}
        yield from self._read_projects([id for id in projects if id in self.scope.projects])
        yield from self._read(sorted(tickets, key=int), hinted=True, count=True)
        yield from self._settle()
        known = {id.removeprefix(project.PREFIX) for id in self.projects}
        yield from self._read_projects(sorted(self._used_projects() - self._named_projects - known))

    def _listed(self) -> set[str]:
        """All tickets of the source; `_times` has those that were updated of late, with the time.

        Only ids are asked for, because Jira gives 5,000 of them at once, in the order of creation, which no edit changes.
        """
        listed: set[str] = set()
        if self.scope.jql:
            for page in self.client.walk(f"{self.scope.jql} ORDER BY created ASC, key ASC", ["id"], IDS_PAGE):
                listed.update(str(issue["id"]) for issue in page)
            if self.watermark:
                since = self.watermark - LATE_SECONDS * 1_000
                for page in self.client.walk(f"{self.scope.jql} AND updated >= {since} {OLDEST_FIRST}", ["updated"], TIMES_PAGE):
                    self._times.update((str(issue["id"]), updated_of(issue)) for issue in page)
        self.client.sign_in()  # a token that died meanwhile saw nothing, which is not to be believed
        return listed | self._times.keys()

    def _unrestricted(self, ids: Iterable[str]) -> frozenset[str]:
        """Which of these tickets have no security level: others may show their summaries before they are read themselves."""
        asked = frozenset(ids)
        if not asked or self.config.restricted:
            return asked
        try:
            pages = list(self.client.walk(f"{self.scope.jql} AND level IS NOT EMPTY ORDER BY key ASC", ["id"], IDS_PAGE))
        except Refused:  # a Jira that cannot be asked: each is shown once it is read
            return frozenset()
        return asked - {str(issue["id"]) for page in pages for issue in page}

    def _newest(self) -> int:
        """When the source was last updated, as far as searches know."""
        if not self.scope.jql:
            return 0
        newest = self.client.sample(f"{self.scope.jql} ORDER BY updated DESC", 1, ("updated",))
        return max(map(updated_of, newest), default=0)

    def _is_due(self, id: str) -> bool:
        row = self.places.get(id)
        if not self.watermark:  # what was read by its name before the first sync may have changed since
            return True
        if row is None or row.stamp != self.stamp or row.updated < self._times.get(id, 0):
            return True
        return self._is_renamed(row) or is_due_again(row, self.clock() + self.client.exchange.ahead)

    def _is_renamed(self, row: Row) -> bool:
        """Whether the key of its project is another one now, which changes no ticket's time."""
        key = one_line(mapping(self.scope.projects.get(row.project)).get("key"))
        return bool(key and row.key) and row.key.rpartition("-")[0] != key

    def _secretly_gone(self, listed: set[str]) -> set[str]:
        """Tickets that are known to be restricted and seem to be missing: no document of theirs tells the census so."""
        return {id for id in self.places if self.places[id].restricted and self.places[id].stamp and id not in listed}

    def _longest_unread(self, ids: set[str]) -> list[str]:
        """Some of those that seem unchanged: a renamed person, status or sprint does not count as an update in Jira."""
        before = self.clock() - ROLLING_SECONDS
        waiting = [id for id in ids if self.places[id].later][:MOST_REMOTE]
        others = sorted((row.read, id) for id in ids if not (row := self.places[id]).later and row.read < before)
        return waiting + [id for _, id in others[:ROLLING]]

    # ------------------------------------------------------------ projects

    def _tell_unseen_projects(self) -> Iterator[Batch]:
        step = _Step()
        for key in self.scope.unseen:
            self._put_project(project.unseen(key, self.view.site), step)
        if step.documents:
            yield self._batch(step, 0)

    def _read_projects(self, ids: Iterable[str]) -> Iterator[Batch]:
        for some in chunks(ids, BATCH_PROJECTS):
            step = _Step()
            for id in some:
                self._named_projects.add(id)
                self._read_project(id, step)
            yield self._batch(step, len(some))

    def _read_project(self, id: str, step: _Step) -> None:
        try:
            found = self.client.project(id)
            if found.get("components"):
                found = {**found, "components": self.client.components(id)}
        except NotFound:  # the census says what that means
            return
        self._put_project(project.document(found, self.view.site), step)

    def _put_project(self, document: Document, step: _Step) -> None:
        if self.projects.get(document.id) != document.fingerprint:
            step.documents.append(document)
            step.checkpoint[document.id] = self.projects[document.id] = document.fingerprint

    # ------------------------------------------------------------ tickets

    def _read(self, ids: list[str], hinted: bool = False, count: bool = False) -> Iterator[Batch]:
        """Reads these tickets. `hinted`: those that are not there any more are gone."""
        rest = ids
        for size in BATCH_TICKETS:
            some, rest = rest[:size], rest[size:]
            if some:
                yield self._read_some(some, hinted, count)
        for some in chunks(rest, PAGE):
            yield self._read_some(some, hinted, count)

    def _read_some(self, ids: list[str], hinted: bool, count: bool) -> Batch:
        found = self.client.issues(ids, confirm=True)
        if hinted and self.scope.filter:
            inside = self.scope.among(self.client, found.issues)
        else:
            inside = {id for id, issue in found.issues.items() if self.scope.holds(issue)}
        tickets = self._complete({id: Ticket(issue, self.view) for id, issue in found.issues.items() if id in inside}, found)
        self._fresh.update(tickets)
        self._unseen.update(set(ids) - tickets.keys())
        step = _Step()
        if hinted:
            for id in self._absent(ids, found, inside):
                self._forget(id, step)
        else:
            withheld = [id for id in ids if id not in found.issues and id not in found.absent]
            found.broken = dict.fromkeys(withheld, WITHHELD) | found.broken
        before = {id: self.places.get(id) for id in tickets}
        self._meet_parents(tickets.values(), step)
        for id, ticket in tickets.items():
            self._learn(ticket, before[id], step)
        for id, ticket in tickets.items():
            self._tell(ticket, before[id], step)
        for id, reason in found.broken.items():
            self._fail(id, reason, step)
        self._mark_affected(step)
        return self._batch(step, len(ids) if count else 0)

    def _absent(self, ids: list[str], found: Found, inside: set[str]) -> list[str]:
        """Which of the hinted tickets are certainly not there any more, of those that are known.

        To a dead token, and where a whole project is out of sight, everything is missing: the census looks into that.
        """
        outside = [id for id in found.issues if id not in inside and id in self.places and self.places[id].stamp]
        missing = [id for id in ids if id not in found.issues and id not in found.broken and id in self.places]
        absent = found.absent | self.client.absent([id for id in missing if id not in found.absent])
        missing = [id for id in missing if id in absent]
        if missing:
            self.client.sign_in()
            visible = self.client.projects()
            missing = [id for id in missing if self.places[id].project in visible or not self.places[id].project]
        return [*outside, *missing]

    def _complete(self, tickets: Mapping[str, Ticket], found: Found) -> dict[str, Ticket]:
        """The tickets with what did not fit the first answer; one of which that does not come is noted as broken."""
        complete = {}
        for id, ticket in tickets.items():
            try:
                complete[id] = self._completed(ticket)
            except Broken as error:
                self.client.blame(error, [id])
                found.broken[id] = str(error)
            except NotFound:  # deleted meanwhile
                found.broken[id] = WITHHELD
        return complete

    def _completed(self, ticket: Ticket) -> Ticket:
        """The ticket with what did not fit the first answer: more comments, work logs, remote links."""
        fields = dict(ticket.fields)
        comment, worklog = mapping(fields.get("comment")), mapping(fields.get("worklog"))
        if _is_cut(comment, "comments") or ticket.is_unclear:
            fields["comment"] = {"comments": self.client.comments(ticket.id)}
        if _is_cut(worklog, "worklogs"):
            fields["worklog"] = {"worklogs": self.client.worklogs(ticket.id)}
        links: tuple[Json, ...] | None = None
        if ticket.has_remote_links and self._remote_left > 0:
            self._remote_left -= 1
            links = tuple(self.client.remote_links(ticket.id))
        return Ticket({**ticket.raw, "fields": fields}, ticket.view, links)

    def _learn(self, ticket: Ticket, known: Row | None, step: _Step) -> None:
        """Notes what is now known of a ticket, before anything is told of any."""
        files, _ = attachments.files(ticket, self.config)
        row = ticket.row(self._parent_id(ticket), known)
        row = replace(
            row,
            holds=row.holds or bool(files),
            files=tuple(file.id for file in files),
            stamp=self.stamp,
            read=int(self.clock()),
            later=ticket.has_remote_links and ticket.remote_links is None,
            unsettled=row.updated % 1_000 == 0
            and 0 <= self.clock() + self.client.exchange.ahead + 1 - row.updated / 1_000 < SETTLED_SECONDS + 1,
        )
        self.places.put(ticket.id, row)
        self._affect(ticket.id, known, row)
        self._let_files_go(ticket.id, known, () if row.restricted else row.files, step)
        for file in files if not row.restricted else ():
            self._waiting[file.document_id] = file

    def _tell(self, ticket: Ticket, before: Row | None, step: _Step) -> None:
        """The ticket as a document, if it is another than before."""
        row = self.places[ticket.id]
        if row.restricted:
            if before and (before.is_document or before.failed):
                step.gone.append(ticket.id)
        else:
            place = self.places.place(ticket.id)
            _, problems = attachments.files(ticket, self.config)
            document = ticket.document(row, place, lambda id: self._seen(id, ticket.id), problems)
            row = replace(row, fingerprint=document.fingerprint, place=place.digest)
            if not (before and before.is_document and not before.failed and before.fingerprint == document.fingerprint):
                step.documents.append(document)
        self._note(ticket.id, row, step)

    def _seen(self, id: str, by: str) -> Row | None:
        """What another ticket may show of this one; nothing of what is not read, because not all may see it."""
        row = self.places.get(id)
        if row and (row.title or row.restricted):
            return row
        if id in self._open:
            return row or Row()
        if id:
            self._unnamed.setdefault(id, set()).add(by)
        return None

    def _fail(self, id: str, reason: str, step: _Step) -> None:
        """A ticket that is there and cannot be read now. What was read of it before stays as it is."""
        known = self.places.get(id) or Row()
        updated = self._times.get(id) or max(known.updated, self.watermark)
        title = known.title or f"{UNNAMED} with the id {id}"
        step.failures.append(Failure(id, title, Problem("unreadable", reason), again=True))
        row = replace(known, failed=True, stamp=self.stamp, updated=updated, read=int(self.clock()), stale=False, unsettled=False)
        self._note(id, row, step)

    def _forget(self, id: str, step: _Step) -> None:
        """A ticket that is not there any more, with its files."""
        known = self.places.get(id)
        self.places.drop(id)
        step.gone.append(id)
        step.checkpoint[id] = None
        self._affect(id, known, None)
        self._let_files_go(id, known, (), step)

    def _note(self, id: str, row: Row, step: _Step) -> None:
        if self._touched is not None:
            self._touched.add(id)
        self.places.put(id, row)
        step.checkpoint[id] = row.packed()

    # ------------------------------------------------------------ parents

    def _parent_id(self, ticket: Ticket) -> str:
        said = ticket.parent
        id = one_line(said.get("id")) or self.places.id_of(one_line(said.get("key"))) or ""
        return id if id in self.places else ""

    def _meet_parents(self, tickets: Iterable[Ticket], step: _Step) -> None:
        """Learns a little of parents not seen yet, and of theirs: the place of what is below follows from them."""
        coming = {ticket.id: ticket for ticket in tickets}
        for ticket in coming.values():
            if ticket.id not in self.places:
                self.places.put(ticket.id, Row(key=ticket.key))
        waiting = list(coming.values())
        for _ in range(DEEPEST):
            wanted = {self._unmet(ticket.parent) for ticket in waiting} - {""} - self._asked
            if not wanted:
                return
            self._asked |= wanted
            found = self.client.issues(sorted(wanted), (*ABOUT, *self._epic_fields()), histories=False)
            waiting = [Ticket(issue, self.view) for issue in found.issues.values()]
            for parent in waiting:
                if parent.id not in coming:
                    self._note(parent.id, Row(key=parent.key), step)
            for parent in waiting:
                self._note_external(parent, step)

    def _unmet(self, said: Mapping[str, object]) -> str:
        """The id or key of a parent that nothing is known of."""
        id, key = one_line(said.get("id")), one_line(said.get("key"))
        if id:
            return id if id not in self.places else ""
        return key if key and not self.places.id_of(key) else ""

    def _note_external(self, ticket: Ticket, step: _Step) -> None:
        """A ticket that is not ours, or not read in full yet."""
        known = self.places.get(ticket.id)
        if known and known.stamp:
            return
        row = replace(ticket.row(self._parent_id(ticket), known), updated=0, links=())
        self._note(ticket.id, row, step)
        self._affect(ticket.id, known, row)

    def _epic_fields(self) -> list[str]:
        return [id for kind in ("gh-epic-link", "gh-epic-label") for id in self.view.kinds.of_kind(kind)]

    def _read_external_parents(self) -> Iterator[Batch]:
        """Looks again at parents that are not ours; those that nothing belongs to any more are forgotten."""
        external = [id for id in self.places if not self.places[id].stamp]
        step = _Step()
        needed = {one for id in self.places if self.places[id].is_document for one in self.places.above(id)}
        for id in set(external) - needed:
            self._drop_external(id, step)
        for some in chunks(sorted(needed & set(external), key=int), PAGE):
            found = self.client.issues(some, (*ABOUT, *self._epic_fields()), histories=False)
            for id in some:
                if id in found.issues:
                    self._note_external(Ticket(found.issues[id], self.view), step)
                elif id not in found.broken:
                    self._drop_external(id, step)
        self._mark_affected(step)
        if step.checkpoint:
            yield self._batch(step, 0)

    def _drop_external(self, id: str, step: _Step) -> None:
        row = self.places[id]
        self._affect(id, row, None)
        self.places.drop(id)
        self._affected |= self.places.naming(id)
        step.checkpoint[id] = None

    # ------------------------------------------------------------ what else changes

    def _affect(self, id: str, before: Row | None, after: Row | None) -> None:
        """Notes which other tickets show something that has changed of this one.

        What was read in this sync already shows it, except that a ticket is not to be named: that only we know.
        """
        known, now = before or Row(), after or Row()
        if self._touched is not None:
            self._touched |= {id, known.parent, now.parent}
        if now.title and not now.restricted:
            self._affected |= self._unnamed.pop(id, set())
        around = {*known.links, *now.links, known.parent, now.parent} - {""}
        if known.restricted != now.restricted:
            self._affected |= around | self.places.naming(id) | self.places.below(id)
            return
        affected: set[str] = set()
        if before is None or known.face != now.face or known.is_document != now.is_document:
            affected |= around
        if known.title != now.title or known.epic != now.epic:
            affected |= self.places.below(id)
        affected |= set(known.links) ^ set(now.links)
        if known.parent != now.parent:
            affected |= {known.parent, now.parent}
        self._affected |= affected - self._fresh

    def _settle(self) -> Iterator[Batch]:
        """Reads what else has changed until nothing has: other places, other names in links; then files and projects."""
        for _ in range(ROUNDS):
            wanted = {id for id in self._around_changes() if self._is_out_of_step(id)} - self._unseen
            if not wanted:
                break
            yield from self._read(sorted(wanted, key=int))
        yield from self._read_files()

    def _mark_affected(self, step: _Step) -> None:
        """Notes on the tickets themselves that they are to be read again: a sync that is cut off must not lose it."""
        for id in self._affected:
            if (row := self.places.get(id)) and row.is_document:
                self._note(id, replace(row, stale=True), step)
        self._affected.clear()

    def _around_changes(self) -> Iterable[str]:
        """The tickets whose places may not be right any more: what was touched, with all that lies below."""
        return list(self.places) if self._touched is None else self.places.with_all_below(self._touched)

    def _is_out_of_step(self, id: str) -> bool:
        row = self.places[id]
        return row.is_document and (row.stale or self.places.place(id).digest != row.place or self._lacks_files(id))

    def _lacks_files(self, id: str) -> bool:
        """Whether a ticket has files that were not read before an earlier sync was cut off."""
        names = (attachments.document_id(id, file) for file in self.places[id].files)
        return any(name not in self._waiting and not self._is_read(name) for name in names)

    def _used_projects(self) -> set[str]:
        used = {self.places[id].project for id in self.places if self.places[id].is_document}
        return used & set(self.scope.projects)

    # ------------------------------------------------------------ files

    def _read_files(self) -> Iterator[Batch]:
        due = [file for file in self._waiting.values() if not self._is_read(file.document_id) and file.ticket in self.places]
        self.total += len(due)
        first = int(self.clock() / FILES_TURN_SECONDS) % max(1, len(due))  # files that never come keep no others from their turn
        due = due[first:] + due[:first]
        for start in range(0, len(due), BATCH_FILES):
            step = _Step()
            some = due[start : start + BATCH_FILES]
            for file in some:
                self._read_file(file, step)
            yield self._batch(step, len(some))

    def _read_file(self, file: File, step: _Step) -> None:
        path = self.places.inside(file.ticket)
        outcome: Parsed | Problem
        again = self._files_missed >= FILES_IN_A_ROW
        if again:
            outcome = Problem("unreadable", "Jira does not hand out files just now. It is tried again by itself.")
        else:
            try:
                outcome = self._content(file)
                self._files_missed = 0
            except NotJira:  # a proxy, or the page that Data Center has for a file that is not there
                outcome, again = Problem("unreadable", NOT_HANDED_OUT), True
            except AccessLost as error:
                self.client.sign_in()  # raises where it is Jira itself that is away
                self._files_missed += 1
                outcome, again = Problem("unreadable", str(error)), True
        if isinstance(outcome, Problem):
            step.failures.append(Failure(file.document_id, file.name, outcome, path, again))
        else:
            step.documents.append(attachments.document(file, outcome, path, self.view.site))
        self.files[file.document_id] = step.checkpoint[file.document_id] = self._mark(path)

    def _content(self, file: File) -> Parsed | Problem:
        limit = self.config.attachment_bytes
        try:
            data = self.client.download(file.id, file.name, limit)
        except NotFound:
            return Problem("unreadable", NOT_HANDED_OUT)
        if len(data) > limit:
            return Problem("too large", f"Larger than {self.config.attachment_megabytes:g} MB, the limit set for this source.")
        if file.size and len(data) != file.size:
            raise Broken(f"{self.config.host} gave {len(data):,} bytes for a file of {file.size:,}. It is tried again by itself.")
        task = attachments.Task(file.name, data, Options(max_file_bytes=limit))
        outcome = self.client.exchange.run(lambda: self.sandbox.run(attachments.read, task), seconds=None)
        if isinstance(outcome, Stopped):
            return Problem("damaged" if outcome.why == "crash" else "limit", outcome.reason)
        return outcome

    def _is_read(self, id: str) -> bool:
        parts = attachments.parts_of(id)
        return parts is not None and parts[0] in self.places and self.files.get(id) == self._mark(self.places.inside(parts[0]))

    def _mark(self, path: tuple[Container, ...]) -> str:
        """What a file was read with. Its content never changes, only where it lies."""
        return f"{hashlib.sha256(repr(path).encode()).hexdigest()[:8]}:{self.stamp}"

    def _let_files_go(self, ticket: str, known: Row | None, kept: Collection[str], step: _Step) -> None:
        for file in known.files if known else ():
            id = attachments.document_id(ticket, file)
            if file not in kept:
                step.gone.append(id)
                step.checkpoint[id] = None
                self.files.pop(id, None)
                self._waiting.pop(id, None)

    # ------------------------------------------------------------ batches

    def _batch(self, step: _Step, looked_at: int) -> Batch:
        return Batch(
            tuple(step.documents), tuple(step.failures), tuple(step.gone), step.checkpoint, self.total, looked_at
        )  # fmt: skip


def is_due_again(row: Row, now: float) -> bool:
    """Whether a ticket that was read just after its update is to be read once more: Jira's times may count whole seconds."""
    return row.unsettled and now >= row.updated / 1_000 + SETTLED_SECONDS


def updated_of(issue: Json) -> int:
    """When a ticket was last updated, in milliseconds since 1970."""
    return milliseconds(mapping(issue.get("fields")).get("updated"))


def _is_cut(value: Mapping[str, object], name: str) -> bool:
    """Whether some are missing for lack of room. Fewer than the total may also be all that we are allowed to see."""
    there, total, room = len(mappings(value.get(name))), value.get("total"), value.get("maxResults")
    if not isinstance(total, int) or there >= total:
        return False
    return there >= PAGE or (isinstance(room, int) and room < total)
