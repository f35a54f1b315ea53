"""Reading the `fields` and `update` of a request into what `Site.edit` takes, and saying what of them is wrong."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jira_simulator.model.records import Body, FieldDefinition, Named, Project, Ticket
from jira_simulator.model.store import NotOnSite
from jira_simulator.rest.errors import RestError
from jira_simulator.rest.request import Call

TEXTS = {"description": "description", "environment": "environment"}
NAMED = {
    "priority": ("priorities", "priority"),
    "resolution": ("resolutions", "resolution"),
    "issuetype": ("issuetypes", "issuetype"),
}
LISTS = {"components": ("components", "components", "Component"), "fixVersions": ("versions", "fix_versions", "Version"),
         "versions": ("versions", "versions", "Version")}  # fmt: skip
PEOPLE = ("assignee", "reporter")
READ_ONLY = {"created", "updated", "creator", "status", "statusCategory", "votes", "watches", "subtasks", "comment", "attachment",
             "issuelinks", "resolutiondate", "statuscategorychangedate", "project", "worklog"}  # fmt: skip
PERIOD = re.compile(r"(\d+(?:\.\d+)?)\s*([wdhm]?)")
SECONDS = {"w": 5 * 8 * 3600, "d": 8 * 3600, "h": 3600, "m": 60, "": 60}  # a working week has five days of eight hours
Setter = Callable[["FieldReader", str, Any], None]


class FieldError(ValueError):
    """What is wrong with one field, in Jira's words."""


class FieldReader:
    """Collects values for `Site.edit`, and errors by field. `ticket` is None while it is being created."""

    def __init__(self, call: Call, project: Project, ticket: Ticket | None = None) -> None:
        self.call = call
        self.site = call.site
        self.project = project
        self.ticket = ticket
        self.values: dict[str, Any] = {}
        self.errors: dict[str, str] = {}

    def read(self, fields: Mapping[str, Any]) -> None:
        for name, value in fields.items():
            try:
                self._set(name, value)
            except FieldError as error:
                self.errors[name] = str(error)

    def update(self, operations: Mapping[str, Any]) -> None:
        """`{"labels": [{"add": "x"}, {"remove": "y"}, {"set": […]}]}`; comments, links and work logs are read elsewhere."""
        for name, listed in operations.items():
            if name in ("comment", "issuelinks", "worklog"):
                continue
            if not isinstance(listed, list) or not all(isinstance(each, dict) and len(each) == 1 for each in listed):
                raise self.call.refuse(400, "payload")
            for each in listed:
                try:
                    self._operate(name, each)
                except FieldError as error:
                    self.errors[name] = str(error)

    def check(self) -> None:
        """Raises a 400 that names the fields, if anything was wrong."""
        if self.errors:
            raise RestError(400, {"errorMessages": [], "errors": self.errors})

    def _operate(self, name: str, operation: Mapping[str, Any]) -> None:
        ((verb, value),) = operation.items()
        if verb == "set":
            self._set(name, value)
        elif verb in ("add", "remove") and name in ("labels", *LISTS):
            kept = self._current(name)
            resolved = self._labels([value])[0] if name == "labels" else self._thing(*LISTS[name][::2], value)
            others = [each for each in kept if each != resolved]
            self.values["labels" if name == "labels" else LISTS[name][1]] = [*others, resolved] if verb == "add" else others
        else:
            raise FieldError(f"Field '{name}' does not support operation '{verb}'")

    def _current(self, name: str) -> list[str]:
        key = "labels" if name == "labels" else LISTS[name][1]
        return list(self.values.get(key, getattr(self.ticket, key) if self.ticket else ()))

    def _set(self, name: str, value: Any) -> None:
        if name == "summary":
            self.values["summary"] = self._summary(value)
        elif name in TEXTS:
            self.values[name] = self.text(value)
        elif name in NAMED:
            kind, key = NAMED[name]
            self.values[key] = self._one(kind, name, value)
        elif name in PEOPLE:
            self.values[name] = self._person(name, value)
        elif name == "labels":
            self.values[name] = self._labels(value)
        elif name in LISTS:
            kind, key, words = LISTS[name]
            self.values[key] = [self._thing(kind, words, each) for each in value or ()]
        elif name == "duedate":
            self.values["due"] = self._date(value)
        elif name == "parent":
            self._parent(value)
        elif name == "security":
            self.values["security"] = self._level(value)
        elif name == "timetracking":
            self._timetracking(value)
        elif name.startswith("customfield_") and name in self.site.fields:
            self._custom(self.site.fields[name], value)
        elif name not in ("project", "issuetype") or self.ticket is not None:
            raise FieldError(f"Field '{name}' cannot be set. It is not on the appropriate screen, or unknown.")

    # ------------------------------------------------------------ one kind of value each

    def text(self, value: Any) -> Body | None:
        """A document in version 3, wiki markup in version 2."""
        if value is None:
            return None
        if self.call.payloads.version == "3":
            if not isinstance(value, dict) or value.get("type") != "doc":
                raise FieldError("Operation value must be an Atlassian Document (see the Atlassian Document Format)")
            return Body(adf=value)
        if not isinstance(value, str):
            raise FieldError("Operation value must be a string")
        return Body(wiki=value)

    @staticmethod
    def _summary(value: Any) -> str:
        if not isinstance(value, str) or not value.strip():
            raise FieldError("You must specify a summary of the issue.")
        if "\n" in value:
            raise FieldError("The summary is invalid because it contains newline characters.")
        if len(value) > 255:
            raise FieldError("Summary can't exceed 255 characters.")
        return value

    def _one(self, kind: str, name: str, value: Any) -> str | None:
        if value is None and name != "issuetype":
            return None
        found = self._find(getattr(self.site, kind).values(), value)
        if found is None:
            raise FieldError("Specify a valid issue type" if name == "issuetype" else f"The {name} selected is invalid.")
        return found.id

    def _thing(self, kind: str, words: str, value: Any) -> str:
        things = [each for each in getattr(self.site, kind).values() if each.more.get("project") == self.project.id]
        found = self._find(things, value)
        if found is None:
            wanted = value.get("name") or value.get("id") if isinstance(value, dict) else value
            raise FieldError(f"{words} name '{wanted}' is not valid")
        return found.id

    @staticmethod
    def _find(things: Iterable[Named], value: Any) -> Named | None:
        if not isinstance(value, dict):
            raise FieldError("data was not an object")
        for each in things:
            if str(value.get("id")) == each.id or ("id" not in value and str(value.get("name")).lower() == each.name.lower()):
                return each
        return None

    def _person(self, name: str, value: Any) -> str | None:
        given = value.get("accountId", value.get("name", value.get("id"))) if isinstance(value, dict) else value
        if given in (None, ""):
            return None
        if given == "-1":  # automatic: whoever leads the project
            return self.project.lead
        found = self.call.person(value)
        if found is None or not found.active:
            raise FieldError(
                f"User '{given}' does not exist." if not self.call.payloads.cloud else f"Specify a valid value for {name}"
            )
        return found.account_id

    @staticmethod
    def _labels(value: Any) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise FieldError("string expected at index 0")
        for each in value:
            if " " in each:
                raise FieldError(f"The label '{each}' contains spaces which is invalid.")
        return list(dict.fromkeys(value))

    @staticmethod
    def _date(value: Any) -> str | None:
        if value is None:
            return None
        try:
            return dt.date.fromisoformat(value).isoformat()
        except (TypeError, ValueError):
            raise FieldError(f"Error parsing date string: {value}") from None

    def _parent(self, value: Any) -> None:
        """The parent of a sub-task, and on Cloud the epic of anything else."""
        found = self._issue(value)
        issuetype = self.values.get("issuetype") or (self.ticket.issuetype if self.ticket else None)
        is_subtask = issuetype is not None and self.site.issuetypes[issuetype].more.get("level", 0) < 0
        self.values["parent" if is_subtask else "epic"] = found

    def _issue(self, value: Any) -> str | None:
        reference = (value.get("id") or value.get("key")) if isinstance(value, dict) else value
        if reference in (None, "", "none"):
            return None
        try:
            return self.call.ticket(str(reference)).id
        except RestError:
            raise FieldError("Could not find issue by id or key.") from None

    def _level(self, value: Any) -> str | None:
        if value is None:
            return None
        for each in self.site.levels.values():
            if isinstance(value, dict) and (str(value.get("id")) == each.id or value.get("name") == each.name):
                return each.id
        raise FieldError("The security level selected is invalid.")

    def _timetracking(self, value: Any) -> None:
        for name, key in (("originalEstimate", "original_estimate"), ("remainingEstimate", "remaining_estimate")):
            if isinstance(value, dict) and value.get(name):
                self.values[key] = seconds_of(value[name])
        if "original_estimate" in self.values and not (self.ticket and self.ticket.remaining_estimate is not None):
            self.values.setdefault("remaining_estimate", self.values["original_estimate"])

    def _custom(self, field: FieldDefinition, value: Any) -> None:
        if field.id == self.site.epic_field:
            self.values["epic"] = self._issue(value)
        elif field.id == self.site.sprint_field:
            self.values["sprints"] = self._sprints(value)
        elif value is None:
            self.values[field.id] = None
        elif field.kind == "number":
            if not isinstance(value, int | float):
                raise FieldError("Operation value must be a number")
            self.values[field.id] = value
        elif field.kind == "option" and not (isinstance(value, dict) and ("value" in value or "id" in value)):
            raise FieldError("Specify a valid 'id' or 'value' for " + field.name)
        elif field.kind == "string" and isinstance(value, dict) and value.get("type") != "doc":
            raise FieldError("Operation value must be a string")
        else:
            self.values[field.id] = value

    def _sprints(self, value: Any) -> list[int]:
        """A ticket is in one sprint that is not over; those that are over are kept."""
        closed = [each for each in (self.ticket.sprints if self.ticket else ()) if self.site.sprints[each].state == "closed"]
        if value is None:
            return closed
        try:
            return [*closed, self.site.sprint(int(value)).id]
        except (NotOnSite, TypeError, ValueError):
            raise FieldError("Number value expected as the Sprint id.") from None


def seconds_of(period: Any) -> int:
    """Seconds of work in "1w 2d 3h 30m". Raises FieldError for anything else."""
    text = str(period).strip()
    if not re.fullmatch(rf"(?:{PERIOD.pattern}\s*)+", text):
        raise FieldError(f"'{period}' is an invalid time duration.")
    return int(sum(float(match[1]) * SECONDS[match[2]] for match in PERIOD.finditer(text)))


def described(call: Call, field: FieldDefinition, required: bool = False) -> dict[str, Any]:
    """A field as the metadata of creating and editing shows it."""
    shown = call.payloads.field(field)
    operations = ["add", "set", "remove"] if field.kind == "array" else ["set"]
    about = {"required": required, "schema": shown["schema"], "name": field.name, "key": field.id, "hasDefaultValue": False,
             "operations": operations}  # fmt: skip
    payloads, site = call.payloads, call.site
    if field.id == "priority":
        about["allowedValues"] = [payloads.priority(each) for each in site.priorities]
    elif field.id == "resolution":
        about["allowedValues"] = [payloads.resolution(each) for each in site.resolutions]
    elif field.id == "issuetype":
        about["allowedValues"] = [payloads.issuetype(each) for each in site.issuetypes]
    return about


def editable(call: Call) -> list[FieldDefinition]:
    return [each for each in call.site.fields.values() if each.id not in READ_ONLY]
