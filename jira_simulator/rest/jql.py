"""JQL as the interface speaks of it: parsing, autocompletion, matching."""

from __future__ import annotations

from typing import Any

from jira_simulator.jql import functions
from jira_simulator.jql.dates import FUNCTIONS as DATE_FUNCTIONS
from jira_simulator.jql.evaluate import Evaluator
from jira_simulator.jql.fields import HISTORY, is_empty_word
from jira_simulator.jql.parse import Clause, Every, Expression, JqlError, Not, Query, Some, Value, parse
from jira_simulator.model.records import FieldDefinition
from jira_simulator.rest.errors import RestError, envelope, from_jql
from jira_simulator.rest.request import Call

RESERVED = (
    "after", "and", "asc", "before", "by", "changed", "desc", "during", "empty", "from", "in", "is", "not", "null", "on", "or",
    "order", "to", "was",
)  # fmt: skip
EQUALITY = ["=", "!=", "in", "not in", "is", "is not"]
COMPARED = [*EQUALITY, "<", "<=", ">", ">="]
TEXT = ["~", "!~", "is", "is not"]
HISTORICAL = ["was", "was in", "was not", "was not in", "changed"]


def parse_queries(call: Call) -> Any:
    """POST /jql/parse: the structure of each query, and with `validation=strict` (the default) what in it is unknown."""
    queries = call.only("queries").get("queries")
    if not isinstance(queries, list) or not queries:
        raise RestError(400, envelope("The list of queries is required."))
    validation = call.query.get("validation") or "strict"
    if validation not in ("strict", "warn", "none"):
        raise RestError(400, envelope(f"Invalid validation: {validation}"))
    return {"queries": [_parsed(call, str(each), validation) for each in queries]}


def autocompletion(call: Call) -> Any:
    """GET and POST of /jql/autocompletedata: fields, functions and reserved words."""
    names = {**functions.NAMES, **{f"{each}()": "Date" for each in DATE_FUNCTIONS}}
    lists = ("User", "Issue", "Project", "Version", "Sprint", "IssueType", "ProjectComponent")
    single = ("currentUser()", 'latestReleasedVersion("")', 'earliestUnreleasedVersion("")')
    found = [
        {"value": name, "displayName": name, "types": [f"com.atlassian.jira.{kind}"],
         **({"isList": "true"} if kind in lists and name not in single else {})}
        for name, kind in sorted(names.items())
    ]  # fmt: skip
    return {"visibleFieldNames": [_offered(each) for each in call.site.fields.values() if each.custom or each.clauses],
            "visibleFunctionNames": found, "jqlReservedWords": list(RESERVED)}  # fmt: skip


def suggestions(call: Call) -> Any:
    """GET /jql/autocompletedata/suggestions: values of a field that begin with a text."""
    name, text = (call.query.get("fieldName") or "").lower(), (call.query.get("fieldValue") or "").lower()
    site = call.site
    catalogues: dict[str, Any] = {
        "status": site.statuses, "priority": site.priorities, "issuetype": site.issuetypes, "resolution": site.resolutions,
        "component": site.components, "fixversion": site.versions, "affectedversion": site.versions,
    }  # fmt: skip
    if name in catalogues:
        found = [each.name for each in catalogues[name].values()]
    elif name == "labels":
        found = sorted({label for each in call.visible() for label in each.labels})
    elif name == "project":
        found = [each.key for each in site.projects.values()]
    elif name in ("assignee", "reporter", "creator", "watcher", "voter"):
        found = [each.display_name for each in site.users.values()]
    else:
        found = []
    return {"results": [{"value": each, "displayName": each} for each in found if each.lower().startswith(text)]}


def match(call: Call) -> Any:
    """POST /jql/match: which of these issues do these queries select now?"""
    ids = [str(each) for each in call.one("issueIds") or []]
    seen = {each.id: each for each in call.site.index.seen(call.site.tickets)}
    matches: list[dict[str, Any]] = []
    for jql in call.one("jqls") or []:
        try:
            test = Evaluator(call.site, call.caller).test(parse(jql))
        except JqlError as error:
            matches.append({"errors": from_jql(error, call.site.switches.language).body["errorMessages"], "matchedIssues": []})
            continue
        found = [int(each) for each in ids if each in seen and test(seen[each])]
        matches.append({"errors": [], "matchedIssues": found})
    return {"matches": matches}


def _parsed(call: Call, text: str, validation: str) -> dict[str, Any]:
    try:
        query = parse(text)
        if validation != "none":
            evaluator = Evaluator(call.site, call.caller)
            evaluator.test(query)
            evaluator.sort_key(query.order)
    except JqlError as error:
        words = from_jql(error, call.site.switches.language).body["errorMessages"]
        if validation == "warn":
            return {"query": text, "structure": _structure(parse(text)), "warnings": words}
        return {"query": text, "errors": words}
    return {"query": text, "structure": _structure(query)}


def _structure(query: Query) -> dict[str, Any]:
    shown: dict[str, Any] = {"where": _where(query.where)} if query.where else {}
    if query.order:
        fields = [{"field": {"name": each.field}, "direction": "desc" if each.descending else "asc"} for each in query.order]
        shown["orderBy"] = {"fields": fields}
    return shown


def _where(expression: Expression) -> dict[str, Any]:
    match expression:
        case Not(inner):
            return {"operator": "not", "clauses": [_where(inner)]}
        case Every(parts):
            return {"operator": "and", "clauses": [_where(each) for each in parts]}
        case Some(parts):
            return {"operator": "or", "clauses": [_where(each) for each in parts]}
    return _clause(expression)


def _clause(clause: Clause) -> dict[str, Any]:
    shown: dict[str, Any] = {"field": {"name": clause.field}, "operator": clause.operator}
    if clause.operator != "changed":
        is_list = clause.operator.endswith("in") and not (len(clause.values) == 1 and clause.values[0].function)
        shown["operand"] = _operands(clause.values) if is_list else _operand(clause.values[0])
    if clause.operator.startswith("was") or clause.operator == "changed":
        shown["predicates"] = [
            {"operator": each.name, "operand": _operand(each.values[0]) if len(each.values) == 1 else _operands(each.values)}
            for each in clause.predicates
        ]
    return shown


def _operands(values: tuple[Value, ...]) -> dict[str, Any]:
    return {"values": [_operand(each) for each in values]}


def _operand(value: Value) -> dict[str, Any]:
    if value.function:
        return {"function": value.text, "arguments": list(value.arguments)}
    return {"keyword": "empty"} if is_empty_word(value) else {"value": value.text}


def _offered(field: FieldDefinition) -> dict[str, Any]:
    if field.kind in ("datetime", "date", "number", "priority", "version"):
        operators = COMPARED
    elif field.kind in ("string", "comments-page") and not field.custom or field.custom.endswith("text"):
        operators = TEXT
    else:
        operators = EQUALITY
    name = field.clauses[0] if field.clauses else field.name
    shown = {"value": f'"{name}"' if " " in name else name, "displayName": name, "orderable": "true", "searchable": "true",
             "operators": [*operators, *(HISTORICAL if name.lower() in HISTORY else [])],
             "types": [f"com.atlassian.jira.{field.kind}"]}  # fmt: skip
    if field.custom:
        number = field.id.removeprefix("customfield_")
        shown |= {"displayName": f"{name} - cf[{number}]", "cfid": f"cf[{number}]"}
    return shown
