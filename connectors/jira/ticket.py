"""One ticket as Jira gives it becomes one document: facts, description, comments, links and history as sections."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from connectors.base import Document, Fact, Locator, Problem, Reference, Section
from connectors.jira import adf, facts, wiki
from connectors.jira.places import Place, Row
from connectors.jira.values import (
    LONG_TEXT,
    Sprint,
    author,
    day,
    duration,
    is_text,
    iso,
    mapping,
    mappings,
    milliseconds,
    minute,
    moment,
    name_of,
    one_line,
    person,
    sprints,
    words,
)  # fmt: skip

Json = Mapping[str, Any]
Seen = Callable[[str], Row | None]  # what may be shown of another ticket, by its id; None: nothing but its key

TICKET_VERSION = "5"  # raise it when a ticket would come out differently: all tickets are then read again
FIRST = " "  # sorts before everything else

KIND = "com.pyxis.greenhopper.jira:"
NOISE = ("gh-lexo-rank", "gh-global-rank", "devsummarycf", "devsummary", "gh-epic-color", "gh-epic-status", "vulnerabilitycf")
TOLD_ELSEWHERE = frozenset(
    """summary description comment attachment issuelinks subtasks parent epic sprint closedSprints worklog status issuetype
    priority assignee reporter creator created updated resolution resolutiondate labels components fixVersions versions
    project security duedate environment votes watches thumbnail progress aggregateprogress timetracking workratio lastViewed
    statuscategorychangedate statusCategory timespent timeestimate timeoriginalestimate aggregatetimespent issuerestriction
    aggregatetimeestimate aggregatetimeoriginalestimate flagged""".split()
)
SILENT_CHANGES = frozenset(
    {"remoteissuelink", "rank", "rankbeforeissue", "rankafterissue", "worklogid", "timeestimate", "timespent"}
)
WITHOUT_CONTENT = frozenset({"description", "environment", "comment"})  # what they were changed to stands in the ticket
OF_OTHERS = frozenset(("link", "epic link", "epic child", "parent", "parent link", "issueparentassociation"))
ATTACHED_WITHIN = 60_000  # milliseconds before a comment is saved, in which its files are uploaded
SAVED_WITHIN = 5_000  # milliseconds after it, in which they appear
STATED_AS = {  # the line at the head of a ticket that states a relation
    "key": "Key", "former key": "Key", "type": "Type", "status": "Status", "category": "Status", "priority": "Priority",
    "assignee": "Assignee", "reporter": "Reporter", "resolution": "Resolved", "resolved": "Resolved", "created": "Created",
    "updated": "Updated", "due": "Due", "component": "Components", "fix version": "Fix versions", "label": "Labels",
    "affects version": "Affects versions", "sprint": "Sprint", "epic": "Epic", "parent": "Parent",
}  # fmt: skip
LONGEST_CHANGE = 120  # characters of a value in the history

_KEY = re.compile(r"\b[A-Z][A-Z0-9_]*-[0-9]+\b")
_WIKI_FILE = re.compile(r"\[\^([^\]|\n]{1,300})\]|!([^\s!|][^!|\n]{0,250})(?:\|[^!\n]{0,300})?!")


@dataclass(frozen=True, slots=True)
class Kinds:
    """The fields of a site: their names, and which custom field means what. Never told by number: sites differ."""

    names: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Sequence[Json]) -> Kinds:
        names = {str(one.get("id")): one_line(one.get("name")) for one in fields}
        kinds = {str(one.get("id")): one_line(mapping(one.get("schema")).get("custom")).rpartition(":")[2] for one in fields}
        return cls(names, {id: kind for id, kind in kinds.items() if kind})

    def of_kind(self, kind: str) -> list[str]:
        return [id for id, one in self.kinds.items() if one == kind]


@dataclass(frozen=True, slots=True)
class View:
    """How tickets are looked at: the same for all of a source."""

    site: str  # the address that people use, without a slash at its end
    kinds: Kinds = Kinds()
    internal_comments: bool = False
    restricted: bool = False


@dataclass(frozen=True)
class Ticket:
    """A ticket as read, with names for what is in it."""

    raw: Json
    view: View
    remote_links: tuple[Json, ...] | None = None  # not asked for

    # ------------------------------------------------------------ what it is

    @property
    def id(self) -> str:
        return str(self.raw["id"])

    @cached_property
    def fields(self) -> Json:
        return mapping(self.raw.get("fields"))

    @cached_property
    def key(self) -> str:
        return one_line(self.raw.get("key")) or self.id

    @cached_property
    def title(self) -> str:
        return f"{self.key} {one_line(self.fields.get('summary'))}".strip()

    @property
    def url(self) -> str:
        return f"{self.view.site}/browse/{self.key}"

    @cached_property
    def project(self) -> str:
        return one_line(mapping(self.fields.get("project")).get("id"))

    @property
    def is_restricted(self) -> bool:
        return bool(self.fields.get("security")) and not self.view.restricted

    @cached_property
    def is_epic(self) -> bool:
        """Whether it is of a kind that other tickets belong to."""
        kind = mapping(self.fields.get("issuetype"))
        level = kind.get("hierarchyLevel")
        if isinstance(level, int) and not isinstance(level, bool):
            return level > 0
        named = any(self.fields.get(id) for id in self.view.kinds.of_kind("gh-epic-label"))
        return name_of(kind).casefold() == "epic" or (named and not kind.get("subtask"))

    @cached_property
    def parent(self) -> Json:
        """What is said of the ticket that it belongs to: `id` or `key` or both; empty without one."""
        for value in (self.fields.get("parent"), self.fields.get("epic")):
            if isinstance(value, Mapping) and (value.get("id") or value.get("key")):
                return value
        for id in self.view.kinds.of_kind("gh-epic-link"):
            if key := one_line(self.fields.get(id)):
                return {"key": key}
        return {}

    @cached_property
    def neighbours(self) -> tuple[str, ...]:
        """The tickets it names and that name it: linked ones and sub-tasks."""
        linked = (str(other["id"]) for _, other in self.links if other.get("id"))
        below = (str(one["id"]) for one in mappings(self.fields.get("subtasks")) if one.get("id"))
        return tuple(sorted({*linked, *below} - {self.id}, key=lambda id: (len(id), id)))

    @cached_property
    def links(self) -> list[tuple[str, Json]]:
        """How it is linked to what, each link once: both tickets carry it under the same id."""
        found: dict[str, tuple[str, Json]] = {}
        for number, link in enumerate(mappings(self.fields.get("issuelinks"))):
            kind = mapping(link.get("type"))
            for side, way in (("outwardIssue", "outward"), ("inwardIssue", "inward")):
                if isinstance(other := link.get(side), Mapping):
                    found[f"{link.get('id') or number} {way}"] = (
                        one_line(kind.get(way)) or name_of(kind) or "is linked to",
                        other,
                    )
        return list(found.values())

    @cached_property
    def histories(self) -> list[Json]:
        """What happened to it, the oldest first."""
        entries = mappings(mapping(self.raw.get("changelog")).get("histories"))
        return sorted(entries, key=lambda entry: (milliseconds(entry.get("created")), _number(entry.get("id"))))

    @cached_property
    def former(self) -> tuple[str, ...]:
        """The keys it had before it was moved."""
        changes = (change for entry in self.histories for change in mappings(entry.get("items")) if _field(change) == "key")
        keys = (one_line(change.get(side)) for change in changes for side in ("fromString", "toString"))
        return tuple(dict.fromkeys(key for key in keys if key and key != self.key))

    @cached_property
    def has_remote_links(self) -> bool:
        """Whether there may be any: their coming and going stands in the history, and asking costs a request."""
        return any(_field(change) == "remoteissuelink" for entry in self.histories for change in mappings(entry.get("items")))

    @cached_property
    def all_comments(self) -> list[Json]:
        return mappings(mapping(self.fields.get("comment")).get("comments"))

    @cached_property
    def comments(self) -> list[Json]:
        """Those that everybody may read who may see the ticket; all that the token sees, where the source says so."""
        return [one for one in self.all_comments if self.view.internal_comments or self._is_open(one)]

    @cached_property
    def _is_service_desk(self) -> bool:
        return mapping(self.fields.get("project")).get("projectTypeKey") == "service_desk"

    @property
    def is_unclear(self) -> bool:
        """Whether it is not said of each comment who may read it: Data Center does so in a property that is asked for."""
        said = all("jsdPublic" in one or "properties" in one for one in self.all_comments)
        return self._is_service_desk and not said and not self.view.internal_comments

    def _is_open(self, comment: Json) -> bool:
        """Whether a comment is for everybody who may see the ticket."""
        is_said = "jsdPublic" in comment or "properties" in comment or not self._is_service_desk
        return _is_open(comment) and is_said

    @cached_property
    def attachments(self) -> list[Json]:
        """Those that everybody may read who may see the ticket, as with comments."""
        found = sorted(mappings(self.fields.get("attachment")), key=lambda one: _number(one.get("id")))
        return [one for one in found if one_line(one.get("id")) not in self._internal_files]

    @cached_property
    def _internal_files(self) -> frozenset[str]:
        """The ids of files that came with comments that are not for everybody.

        Jira does not say with which comment a file came. It is one that such a comment shows, or whose author saved such
        a comment at that time, unless a text that everybody may read shows it.
        """
        closed = [] if self.view.internal_comments else [one for one in self.all_comments if not self._is_open(one)]
        if not closed:
            return frozenset()
        shown = _files_in(
            [self.fields.get("description"), self.fields.get("environment"), *(c.get("body") for c in self.comments)]
        )
        hidden = _files_in(comment.get("body") for comment in closed)
        saved = [(_who(comment), milliseconds(comment.get("created"))) for comment in closed]
        return frozenset(
            one_line(one.get("id"))
            for one in mappings(self.fields.get("attachment"))
            if (name := one_line(one.get("filename"))) not in shown
            and (name in hidden or any(_came_with(one, who, at) for who, at in saved))
        )

    @cached_property
    def sprints(self) -> list[Sprint]:
        ids = ("sprint", "closedSprints", *self.view.kinds.of_kind("gh-sprint"))
        found = {(one.id, one.name): one for id in ids for one in sprints(self.fields.get(id))}
        return sorted(found.values(), key=lambda one: (one.state in ("active", "future"), one.id))

    @cached_property
    def names(self) -> dict[str, str]:
        """The people in this ticket by account id and user name, for mentions."""
        people = [self.fields.get(name) for name in ("assignee", "reporter", "creator")]
        people += [entry.get("author") for entry in (*self.comments, *self.histories)]
        found: dict[str, str] = {}
        for one in map(mapping, people):
            for name in ("accountId", "name", "key"):
                if (id := one_line(one.get(name))) and (called := one_line(one.get("displayName"))):
                    found[id] = called
        return found

    def text(self, value: Any) -> str:
        """Text in ADF, as Cloud gives it, or in wiki markup, as Data Center does."""
        if isinstance(value, Mapping):
            return adf.to_markdown(value, self.names)
        return wiki.to_markdown(value, self.names) if isinstance(value, str) else ""

    # ------------------------------------------------------------ what becomes of it

    def row(self, parent: str, known: Row | None = None) -> Row:
        """What is to be remembered of it; `parent` is the id of the ticket it belongs to."""
        created = moment(self.fields.get("created"))
        former = dict.fromkeys((*self.former, *((known.key, *known.former) if known else ())))
        return Row(
            key=self.key,
            title=self.title,
            status=name_of(self.fields.get("status")),
            project=self.project,
            parent=parent if parent != self.id else "",
            quarter=f"{created.year} Q{(created.month + 2) // 3}" if created else "",
            epic=self.is_epic,
            holds=bool(mappings(self.fields.get("subtasks"))),
            links=self.neighbours,
            former=tuple(key for key in former if key and key != self.key),
            restricted=self.is_restricted,
            updated=milliseconds(self.fields.get("updated")),
        )

    def document(self, row: Row, place: Place, seen: Seen, problems: tuple[Problem, ...] = ()) -> Document:
        """The ticket as a document. `seen`: what is known of others, by id."""
        sections = tuple(section for section in self._sections(row, seen) if section.text.strip())
        document = Document(
            id=self.id,
            title=self.title,
            path=place.path,
            sections=sections,
            fingerprint="",
            kind="ticket",
            url=self.url,
            order=FIRST if place.heads else self.key,
            metadata=self._metadata(row, seen),
            aliases=(self.key, *row.former),
            problems=problems,
            heads=place.heads,
            facts=tuple(self._stated(row, seen)),
        )
        return replace(document, fingerprint=fingerprint(document))

    def _metadata(self, row: Row, seen: Seen) -> dict[str, str]:
        fields = self.fields
        parent = seen(row.parent)
        found = {
            "key": self.key,
            "status": name_of(fields.get("status")),
            "type": name_of(fields.get("issuetype")),
            "priority": name_of(fields.get("priority")),
            "assignee": person(fields.get("assignee")),
            "reporter": person(fields.get("reporter")),
            "created": iso(fields.get("created")),
            "updated": iso(fields.get("updated")),
            "resolution": name_of(fields.get("resolution")),
            "resolved": iso(fields.get("resolutiondate")),
            "due": one_line(fields.get("duedate")),
            "labels": _listed(fields.get("labels")),
            "components": _listed(fields.get("components")),
            "fix versions": _listed(fields.get("fixVersions")),
            "sprint": self.sprints[-1].name if self.sprints else "",
            "epic": self._shown(row.parent, self.parent, seen) if parent and parent.epic else "",
            "parent": self._shown(row.parent, self.parent, seen) if not (parent and parent.epic) else "",
            "project": name_of(fields.get("project")),
        }
        return {name: value for name, value in found.items() if value}

    def _sections(self, row: Row, seen: Seen) -> Iterator[Section]:
        yield Section("\n".join(f"- {name}: {value}" for name, value in self._facts(row, seen)))
        yield self._section("Description", self.text(self.fields.get("description")))
        yield self._section("Environment", self.text(self.fields.get("environment")))
        for name, value in self._long_fields():
            yield self._section(name, value)
        for comment in self.comments:
            yield self._comment(comment)
        yield self._section("Links", "\n".join(f"- {line}" for line in self._link_lines(seen)))
        yield self._section("Attachments", "\n".join(f"- {line}" for line in self._attachment_lines()))
        yield self._section("Work log", "\n".join(f"- {line}" for line in self._work_without_words()))
        for entry in self._worklogs():
            if not self.text(entry.get("comment")).strip():
                continue
            heading = ("Work log", f"{author(entry)}, {minute(entry.get('started') or entry.get('created'))}")
            spent = one_line(entry.get("timeSpent")) or duration(entry.get("timeSpentSeconds"))
            text = self.text(entry.get("comment")).strip()
            yield Section(f"{spent}: {text}" if spent else text, Locator(heading, part=f"worklog/{one_line(entry.get('id'))}"))
        yield self._section("History", "\n".join(f"- {line}" for line in self._history_lines()))

    def _section(self, heading: str, text: str) -> Section:
        return Section(text.strip(), Locator((heading,), part=heading.lower(), url=self.url))

    # ------------------------------------------------------------ facts

    def _facts(self, row: Row, seen: Seen) -> Iterator[tuple[str, str]]:
        fields = self.fields
        parent = seen(row.parent)
        belongs = self._shown(row.parent, self.parent, seen)
        status = name_of(fields.get("status"))
        since = next((day(entry.get("created")) for entry in reversed(self.histories) if _changes(entry, "status")), "")
        resolution = name_of(fields.get("resolution"))
        resolved = day(fields.get("resolutiondate"))
        others = [sprint.words for sprint in self.sprints[:-1]]
        creator = person(fields.get("creator"))
        lines = (
            ("Key", ", ".join((self.key, *(f"formerly {key}" for key in row.former)))),
            ("Type", name_of(fields.get("issuetype"))),
            ("Status", f"{status} (since {since})" if status and since else status),
            ("Resolved", f"{resolved} as {resolution}" if resolution and resolved else resolution or resolved),
            ("Priority", name_of(fields.get("priority"))),
            ("Assignee", person(fields.get("assignee")) or "nobody"),
            ("Reporter", person(fields.get("reporter"))),
            ("Creator", creator if creator != person(fields.get("reporter")) else ""),
            ("Created", day(fields.get("created"))),
            ("Updated", day(fields.get("updated"))),
            ("Due", one_line(fields.get("duedate"))),
            ("Epic" if parent and parent.epic else "Parent", belongs),
            ("Sprint", self.sprints[-1].words if self.sprints else ""),
            ("Earlier sprints", ", ".join(others)),
            ("Components", _listed(fields.get("components"))),
            ("Affects versions", _listed(fields.get("versions"))),
            ("Fix versions", _listed(fields.get("fixVersions"))),
            ("Labels", _listed(fields.get("labels"))),
            ("Votes", one_line(mapping(fields.get("votes")).get("votes") or "")),
            ("Flagged", "yes" if fields.get("flagged") is True else ""),
            ("Security level", name_of(fields.get("security"))),
            ("Time spent", duration(fields.get("timespent"))),
            ("Time left", duration(fields.get("timeestimate"))),
            ("Time planned", duration(fields.get("timeoriginalestimate"))),
            *((name, value) for name, value in self._custom_fields if not _is_long(value)),
        )
        yield from ((name, value) for name, value in lines if value)

    def _stated(self, row: Row, seen: Seen) -> Iterator[Fact]:
        """Everything that can be asked of it as a fact, each with the line of its text that says so."""
        subject = Reference("ticket", self.key, self.title)
        lines = {name: f"- {name}: {value}" for name, value in self._facts(row, seen)}
        quotes = {relation: lines.get(name, "") for relation, name in STATED_AS.items()}
        changes = list(facts.changes_of(self.histories, lambda entry: f"- {self._history_line(entry)}", iso))
        yield from facts.current(subject, list(self._values(row, seen)), quotes, changes)
        yield from facts.past(subject, iso(self.fields.get("created")), changes)
        for name, value in self._custom_fields:
            if not _is_long(value):
                yield Fact(subject, name.casefold(), value, quote=f"- {name}: {value}")
        for wording, other in self.links:
            if key := one_line(other.get("key")):
                shown = self._with_status(other, seen)
                yield Fact(subject, wording.casefold(), shown, Reference("ticket", key, shown), quote=f"- {wording} {shown}")
        for below in mappings(self.fields.get("subtasks")):
            if key := one_line(below.get("key")):
                shown = self._with_status(below, seen)
                yield Fact(subject, "sub-task", shown, Reference("ticket", key, shown), quote=f"- has the sub-task {shown}")

    def _values(self, row: Row, seen: Seen) -> Iterator[tuple[str, str, Reference | None]]:
        """Relation, value and what it refers to, one value at a time."""
        fields = self.fields
        for relation in ("assignee", "reporter", "creator"):
            if name := person(fields.get(relation)):
                yield relation, name, Reference("person", name, name)
        single = (
            ("key", self.key),
            ("type", name_of(fields.get("issuetype"))),
            ("status", name_of(fields.get("status"))),
            ("category", name_of(mapping(mapping(fields.get("status")).get("statusCategory")))),
            ("priority", name_of(fields.get("priority"))),
            ("resolution", name_of(fields.get("resolution"))),
            ("resolved", iso(fields.get("resolutiondate"))),
            ("created", iso(fields.get("created"))),
            ("updated", iso(fields.get("updated"))),
            ("due", one_line(fields.get("duedate"))),
        )
        yield from ((relation, value, None) for relation, value in single if value)
        several = (
            ("component", "component", fields.get("components")),
            ("fix version", "version", fields.get("fixVersions")),
            ("affects version", "version", fields.get("versions")),
            ("label", "label", fields.get("labels")),
        )
        for relation, kind, values in several:
            for name in filter(None, map(name_of, values if isinstance(values, (list, tuple)) else [values])):
                yield relation, name, Reference(kind, name, name)
        for sprint in self.sprints:
            yield "sprint", sprint.name, Reference("sprint", sprint.name, sprint.name)
            if sprint.state == "active":
                yield "active sprint", sprint.name, None
        if project := name_of(fields.get("project")):
            yield "project", project, Reference("project", project, project)
        parent = seen(row.parent)
        key = one_line(self.parent.get("key")) or (parent.key if parent else "")
        if key:
            shown = self._shown(row.parent, self.parent, seen)
            yield "epic" if parent and parent.epic else "parent", shown, Reference("ticket", key, shown)
        for former in row.former:
            yield "former key", former, None

    @cached_property
    def _custom_fields(self) -> list[tuple[str, str]]:
        """Whatever else a ticket has, by the name people know it by, in the order of names."""
        known = {*TOLD_ELSEWHERE, *self.view.kinds.of_kind("gh-sprint"), *self.view.kinds.of_kind("gh-epic-link")}
        found = []
        for id, value in self.fields.items():
            kind = self.view.kinds.kinds.get(id, "")
            if id in known or kind in NOISE:
                continue
            name = self.view.kinds.names.get(id) or ("" if id.startswith("customfield_") else id)
            marked = kind == "textarea" or is_text(value)
            readable = self.text(value).strip() if marked else words(value, self.text)
            if name and readable and not (readable.startswith("{") and readable.endswith("}")):
                found.append((name, readable))
        return sorted(found)

    def _long_fields(self) -> Iterator[tuple[str, str]]:
        yield from ((name, value) for name, value in self._custom_fields if _is_long(value))

    def _shown(self, id: str, said: Json, seen: Seen) -> str:
        """Another ticket by key and summary, as this one says or else as it is known.

        Only the key of one that is restricted, or not among what is read: whoever sees this one may not see that.
        """
        row = seen(id)
        key = one_line(said.get("key")) or (row.key if row else "")
        if row is None or row.restricted:
            return key
        summary = one_line(mapping(said.get("fields")).get("summary")) or one_line(said.get("summary"))
        return f"{key} {summary}" if summary else row.title if row and row.title else key

    # ------------------------------------------------------------ the other sections

    def _comment(self, comment: Json) -> Section:
        id = one_line(comment.get("id"))
        heading = f"{author(comment)}, {minute(comment.get('created'))}".rstrip(", ")
        if not self._is_open(comment):
            heading += " (internal)"
        url = f"{self.url}?focusedCommentId={id}"
        return Section(self.text(comment.get("body")).strip(), Locator(("Comments", heading), part=f"comment/{id}", url=url))

    def _link_lines(self, seen: Seen) -> Iterator[str]:
        for wording, other in self.links:
            if one_line(other.get("key")):
                yield f"{wording} {self._with_status(other, seen)}"
        for below in mappings(self.fields.get("subtasks")):
            if one_line(below.get("key")):
                yield f"has the sub-task {self._with_status(below, seen)}"
        for remote in self.remote_links or ():
            about = mapping(remote.get("object"))
            url, title = one_line(about.get("url")), one_line(about.get("title"))
            wording = one_line(remote.get("relationship")) or "is linked to"
            done = " (resolved)" if mapping(about.get("status")).get("resolved") is True else ""
            if url or title:
                target = (
                    f"[{title or url}]({url})"
                    if url.startswith(("http://", "https://")) and "(" not in url
                    else f"{title} {url}".strip()
                )
                yield f"{wording} {target}{done}"

    def _with_status(self, other: Json, seen: Seen) -> str:
        id = one_line(other.get("id"))
        row = seen(id)
        shown = self._shown(id, other, seen)
        if row is None or row.restricted:
            return shown
        status = name_of(mapping(other.get("fields")).get("status")) or row.status
        return f"{shown} ({status})" if status else shown

    def _attachment_lines(self) -> Iterator[str]:
        for one in self.attachments:
            size = one.get("size")
            about = [
                f"{size / 1_000:,.0f} kB" if isinstance(size, int) and size >= 1_000 else "",
                author(one),
                day(one.get("created")),
            ]
            yield f"{one_line(one.get('filename')) or 'a file without a name'} ({', '.join(filter(None, about))})"

    def _worklogs(self) -> Iterator[Json]:
        for entry in mappings(mapping(self.fields.get("worklog")).get("worklogs")):
            if self.view.internal_comments or _is_open(entry):
                yield entry

    def _work_without_words(self) -> Iterator[str]:
        for entry in self._worklogs():
            spent = one_line(entry.get("timeSpent")) or duration(entry.get("timeSpentSeconds"))
            if spent and not self.text(entry.get("comment")).strip():
                yield f"{minute(entry.get('started') or entry.get('created'))} {spent}, by {author(entry)}"

    def _history_lines(self) -> Iterator[str]:
        yield from filter(None, map(self._history_line, self.histories))

    def _history_line(self, entry: Json) -> str:
        """What one entry of the history changed, when and by whom; empty where that says nothing to people."""
        items = sorted(mappings(entry.get("items")), key=lambda change: _field(change) != "status")
        if _changes(entry, "status"):  # which says as much
            items = [change for change in items if _field(change) != "resolution"]
        items = [change for change in items if not self._tells_of_internal_file(change)]
        changes = [line for change in items if (line := _change(change))]
        return f"{minute(entry.get('created'))} {'; '.join(changes)}, by {author(entry)}" if changes else ""

    def _tells_of_internal_file(self, change: Json) -> bool:
        ids = {one_line(change.get(side)) for side in ("from", "to")} - {""}
        return _field(change) == "attachment" and bool(ids & self._internal_files)


def fingerprint(document: Document) -> str:
    """Of everything in a document."""
    parts = (
        document.title, document.path, document.sections, document.kind, document.url, document.order,
        sorted(document.metadata.items()), document.aliases, document.problems, document.heads, document.facts, TICKET_VERSION,
    )  # fmt: skip
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _is_open(entry: Json) -> bool:
    """Whether a comment or a work log is not kept from anybody who may see the ticket."""
    kept = [one for one in mappings(entry.get("properties")) if one_line(one.get("key")) == "sd.public.comment"]
    is_internal = any(mapping(one.get("value")).get("internal") in (True, "true") for one in kept)
    return entry.get("jsdPublic") is not False and not entry.get("visibility") and not is_internal


def _files_in(texts: Iterable[Any]) -> set[str]:
    """The names of the files that texts show, in wiki markup or in Atlassian's format."""
    found: set[str] = set()
    waiting = list(texts)
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.update(one_line(match[1] or match[2]) for match in _WIKI_FILE.finditer(one))
        elif isinstance(one, Mapping):
            attributes = mapping(one.get("attrs"))
            if str(one.get("type", "")).startswith("media"):
                found.update(one_line(attributes.get(name)) for name in ("alt", "__fileName", "id"))
            waiting += [*mappings(one.get("content")), one.get("text")]
    return found - {""}


def _who(entry: Json) -> str:
    person = mapping(entry.get("author"))
    return one_line(person.get("accountId")) or one_line(person.get("key")) or one_line(person.get("name"))


def _came_with(file: Json, who: str, saved: int) -> bool:
    return bool(who) and _who(file) == who and -ATTACHED_WITHIN <= milliseconds(file.get("created")) - saved <= SAVED_WITHIN


def _is_long(value: str) -> bool:
    return len(value) > LONG_TEXT or "\n" in value


def _field(change: Json) -> str:
    return one_line(change.get("field")).casefold()


def _changes(entry: Json, name: str) -> bool:
    return any(_field(change) == name for change in mappings(entry.get("items")))


def _change(change: Json) -> str:
    """One change as words; nothing for what says nothing to people."""
    name = _field(change)
    if not name or name in SILENT_CHANGES:
        return ""
    called = one_line(change.get("field"))
    if name in WITHOUT_CONTENT:
        return f"{called} changed"
    before, after = _clipped(change.get("fromString")), _clipped(change.get("toString"))
    if name in OF_OTHERS:  # whose summaries are not for all to see
        before, after = _without_summary(before), _without_summary(after)
    if not before and not after:
        return ""
    if name == "link":
        return after or f"no longer: {before}"
    if name == "attachment":
        return f"attached {after}" if after else f"removed the attachment {before}"
    return f"{called}: {before or 'none'} -> {after or 'none'}"


def _without_summary(text: str) -> str:
    """What stands up to the key of another ticket; of what has no key nothing."""
    found = _KEY.search(text)
    return text[: found.end()] if found else ""


def _clipped(value: Any) -> str:
    text = one_line(value)
    return text if len(text) <= LONGEST_CHANGE else f"{text[: LONGEST_CHANGE - 1].rstrip()}…"


def _listed(value: Any) -> str:
    return ", ".join(filter(None, map(name_of, value))) if isinstance(value, (list, tuple)) else name_of(value)


def _number(value: Any) -> int:
    text = one_line(value)
    return int(text) if text.isdigit() else 0
