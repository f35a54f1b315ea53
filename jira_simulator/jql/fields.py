"""The fields a query may name: how each is read from an issue, what an operand means for it, and how its values compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jira_simulator.jql.functions import Functions
from jira_simulator.jql.parse import JqlError, Value
from jira_simulator.model.records import FieldDefinition, Ticket
from jira_simulator.model.store import NotOnSite, SiteStore
from jira_simulator.model.visibility import Caller, sees_project, sees_ticket

DATES = {"updated": "updated", "updateddate": "updated", "created": "created", "createddate": "created", "resolved": "resolved",
         "resolutiondate": "resolved", "statuscategorychangeddate": "status_changed", "due": "due", "duedate": "due"}  # fmt: skip
TEXTS = ("text", "summary", "description", "comment", "environment", "worklogcomment")
KEYS = ("key", "issuekey", "id", "issue")
EMPTY = ("empty", "null")
FILTERS = ("filter", "savedfilter", "request", "searchrequest")
CATEGORY_NAMES = {"to do": "new", "new": "new", "2": "new", "in progress": "indeterminate", "indeterminate": "indeterminate",
                  "4": "indeterminate", "done": "done", "3": "done"}  # fmt: skip
NUMBERS: Mapping[str, Callable[[Ticket], int | None]] = {
    "votes": lambda t: len(t.voters),
    "watchers": lambda t: len(t.watchers),
    "originalestimate": lambda t: t.original_estimate,
    "timeoriginalestimate": lambda t: t.original_estimate,
    "remainingestimate": lambda t: t.remaining_estimate,
    "timeestimate": lambda t: t.remaining_estimate,
    "timespent": lambda t: sum(each.seconds for each in t.worklogs) or None,
}
HISTORY = {"status": "status", "assignee": "assignee", "reporter": "reporter", "priority": "priority",
           "resolution": "resolution", "fixversion": "fixVersions"}  # name -> the field id in histories  # fmt: skip

Read = Callable[[Ticket], Iterable[Any]]
Resolve = Callable[[Value], Iterable[Any]]


@dataclass(frozen=True)
class SearchField:
    """`read` gives an issue's values, `resolve` what an operand stands for; `rank` orders values where > and < are allowed."""

    read: Read
    resolve: Resolve
    rank: Callable[[Any], Any] | None = None
    texts: bool = False  # searched with ~ as well


class FieldCatalogue:
    """The fields of one site in the eyes of one caller."""

    def __init__(self, site: SiteStore, caller: Caller) -> None:
        self.site = site
        self.caller = caller
        self.functions = Functions(site, caller)

    def find(self, written: str) -> SearchField:
        """Raises JqlError for a field that this site does not have."""
        name = written.lower()
        if found := self._system(name, written):
            return found
        if name in NUMBERS:
            read = NUMBERS[name]
            return SearchField(lambda t: one(read(t)), lambda v: (self._number(v, written),), lambda value: value)
        if custom := self.custom(written):
            return self._custom(custom, written)
        raise JqlError("field", written)

    def custom(self, written: str) -> FieldDefinition | None:
        """The custom field with that name, id or `cf[number]`."""
        name = written.lower()
        for field in self.site.fields.values():
            if field.custom and name in (field.name.lower(), field.id, f"cf[{field.id.removeprefix('customfield_')}]"):
                return field
        return None

    def is_known(self, written: str) -> bool:
        """Whether the site has that field at all, sortable or not."""
        name = written.lower()
        clauses = {each.lower() for field in self.site.fields.values() for each in (field.id, *field.clauses)}
        return name in clauses or name in TEXTS or self.custom(written) is not None

    def _system(self, name: str, written: str) -> SearchField | None:
        """The fields that every site has."""
        site = self.site
        match name:
            case "project":
                return SearchField(lambda t: (t.project,), self._project)
            case "issuetype" | "type":
                return SearchField(lambda t: (t.issuetype,), lambda v: self._named("issuetypes", written, v))
            case "status":
                return SearchField(lambda t: (t.status,), lambda v: self._named("statuses", written, v))
            case "statuscategory":
                return SearchField(lambda t: (site.category(t),), lambda v: (_category(v, written),))
            case "priority":
                order = {each: -place for place, each in enumerate(site.priorities)}
                return SearchField(lambda t: one(t.priority), lambda v: self._named("priorities", written, v), order.__getitem__)
            case "resolution":
                return SearchField(lambda t: one(t.resolution), lambda v: self._named("resolutions", written, v))
            case "labels":
                return SearchField(lambda t: t.labels, lambda v: (v.text,))
            case "component":
                return SearchField(lambda t: t.components, lambda v: self._named("components", written, v))
            case "fixversion" | "affectedversion":
                place = {each: number for number, each in enumerate(site.versions)}
                read: Read = (lambda t: t.fix_versions) if name == "fixversion" else (lambda t: t.versions)
                return SearchField(read, lambda v: self._named("versions", written, v), place.__getitem__)
            case "assignee" | "reporter" | "creator":
                return SearchField(lambda t: one(getattr(t, name)), self.person)
            case "watcher":
                return SearchField(lambda t: t.watchers, self.person)
            case "voter":
                return SearchField(lambda t: t.voters, self.person)
            case "worklogauthor":
                return SearchField(lambda t: [each.author for each in t.worklogs if each.author], self.person)
            case "parent":
                both = site.personality == "cloud" and site.switches.cloud_parent_is_epic
                return SearchField(lambda t: one(t.parent or (t.epic if both else None)), self.ticket)
            case "level":
                return SearchField(lambda t: one(t.security), lambda v: self._level(v, written))
            case "sprint":
                return SearchField(lambda t: t.sprints, self._sprint)
            case "epic link":
                return SearchField(lambda t: one(t.epic), self.ticket)
            case "attachments":
                return SearchField(lambda t: [each.id for each in t.attachments], _nothing_but_empty(written))
            case "issuelinktype":
                return SearchField(self._link_words, lambda v: (v.text.lower(),))
        return None

    def _custom(self, field: FieldDefinition, written: str) -> SearchField:
        if field.id == self.site.epic_field:
            return SearchField(lambda t: one(t.epic), self.ticket)
        if field.id == self.site.sprint_field:
            return SearchField(lambda t: t.sprints, self._sprint)

        def read(ticket: Ticket) -> Iterable[Any]:
            value = ticket.custom.get(field.id)
            parts = value if isinstance(value, list | tuple) else one(value)
            return [plain for each in parts for plain in one(plain_value(each))]

        if field.kind == "number":
            return SearchField(read, lambda v: (str(self._number(v, written)),), float)
        return SearchField(read, lambda v: (v.text,), texts=True)

    # ------------------------------------------------------------ what an operand stands for

    def person(self, value: Value) -> Iterable[str]:
        if value.function:
            return self.functions.people(value)
        try:
            return (self.site.user(value.text).account_id,)
        except NotOnSite:
            return (value.text,)  # Jira takes an unknown person for one without issues

    def ticket(self, value: Value) -> Iterable[str]:
        if value.function:
            return self.functions.issues(value)
        try:
            found = self.site.find(value.text)
        except NotOnSite:
            raise JqlError("issue", value.text) from None
        if not sees_ticket(self.site, self.caller, found):
            raise JqlError("issue", value.text)
        return (found.id,)

    def _project(self, value: Value) -> Iterable[str]:
        if value.function:
            return self.functions.projects(value)
        try:
            project = self.site.project(value.text)
        except NotOnSite:
            project = None
        if project is None or not sees_project(self.site, self.caller, project):
            if self.caller.user is None and self.site.switches.anonymous_project_search == "empty":
                return ()
            raise JqlError("value", value.text, "project")
        return (project.id,)

    def _named(self, kind: str, written: str, value: Value) -> Iterable[str]:
        """Components and versions of the same name in several projects are all meant."""
        if value.function:
            return self.functions.named(kind, written, value)
        things = getattr(self.site, kind).values()
        found = [each.id for each in things if value.text == each.id or value.text.lower() == each.name.lower()]
        if not found:
            raise JqlError("value", value.text, written)
        return found

    def _level(self, value: Value, written: str) -> Iterable[str]:
        found = [each.id for each in self.site.levels.values() if value.text in (each.id, each.name)]
        if not found:
            raise JqlError("value", value.text, written)
        return found

    def _sprint(self, value: Value) -> Iterable[int]:
        if value.function:
            return self.functions.sprints(value)
        found = [each.id for each in self.site.sprints.values() if value.text in (str(each.id), each.name)]
        if not found:
            raise JqlError("value", value.text, "sprint")
        return found

    def _link_words(self, ticket: Ticket) -> Iterable[str]:
        for link in self.site.links_of(ticket):
            kind = self.site.link_types[link.type]
            yield (kind.outward if link.source == ticket.id else kind.inward).lower()

    @staticmethod
    def _number(value: Value, written: str) -> float:
        try:
            return float(value.text)
        except ValueError:
            raise JqlError("number", value.text, written) from None


def one(value: Any) -> tuple[Any, ...]:
    """The value as a tuple, empty where there is none."""
    return () if value is None else (value,)


def is_empty_word(value: Value) -> bool:
    return value.text.lower() in EMPTY and not value.quoted


def plain_value(value: Any) -> str | None:
    """What a custom field's value is called: the option, the name, or the value itself."""
    if isinstance(value, Mapping):
        return value.get("value") or value.get("name") or value.get("displayName")
    return None if value is None else str(float(value)) if isinstance(value, int | float) else str(value)


def _category(value: Value, written: str) -> str:
    if value.text.lower() not in CATEGORY_NAMES:
        raise JqlError("value", value.text, written)
    return CATEGORY_NAMES[value.text.lower()]


def _nothing_but_empty(written: str) -> Resolve:
    def refuse(value: Value) -> Iterable[Any]:
        raise JqlError("operator for field", "=", written)

    return refuse
