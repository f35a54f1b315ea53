"""What the server says when it refuses, in the words and envelopes of Jira."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jira_simulator.jql.parse import JqlError

SENTENCES = {
    "en": {
        "unexpected": "Error in the JQL Query: Expecting either 'OR' or 'AND' but got '{0}'. (line 1, character {1})",
        "ended": "Error in the JQL Query: The query ended before it was complete.",
        "operator": "Error in the JQL Query: The operator '{0}' is not supported.",
        "operator for field": "The operator '{0}' is not supported by the '{1}' field.",
        "order": "The maximum number of fields to order by is {0}.",
        "order field": "Not able to sort using field '{0}'.",
        "field": "Field '{0}' does not exist or you do not have permission to view it.",
        "value": "The value '{0}' does not exist for the field '{1}'.",
        "issue": "An issue with key '{0}' does not exist for field 'key'.",
        "function": "Unable to find JQL function '{0}()'.",
        "function for field": "The function '{0}' cannot be used with the '{1}' field.",
        "function project": "Could not resolve the project '{0}' provided to function '{1}'.",
        "function issue": "Issue '{0}' could not be found in function '{1}'.",
        "arguments": "Function '{0}' expected at least '1' argument but received '0'.",
        "period": "The period '{1}' of function '{0}' is invalid. Use a number with y, M, w, d, h or m, e.g. '-1w'.",
        "no group": "Function 'membersOf' can not generate a list of usernames for group '{0}'; the group does not exist.",
        "no history": "History searches do not support the '{0}' field.",
        "predicate": "The predicate '{0}' can not be used with the operator '{1}'.",
        "during": "The predicate 'during' needs two dates, but got {0}.",
        "number": "The value '{0}' is not a number, which the field '{1}' needs.",
        "value id": "A value with ID '{0}' does not exist for the field '{1}'.",
        "filter circle": "The filter '{0}' can not be used, because it names itself.",
        "date": "Date value '{0}' for field '{1}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', "
        "'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.",
        "unbounded": "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.",
        "max results": "The value for maxResults must be between 1 and 5000.",
        "token": "The nextPageToken is invalid or has expired.",
        "reconcile": "The max number of issues to reconcile is 50.",
        "payload": "Invalid request payload. Refer to the REST API documentation and try again.",
        "bulk": "The number of issues requested exceeds the limit of {0}.",
        "order by": "orderBy must be one of: created, -created, +created.",
        "forbidden": "You do not have permission to perform this operation.",
        "no user": "Specified user does not exist or you do not have required permissions",
        "no group here": "The group with name or id '{0}' does not exist.",
        "no filter": "The selected filter is not available to you, perhaps it has been deleted or had its permissions changed.",
        "no worklog": "Cannot find worklog with id: '{0}'.",
        "no link": "No issue link with id '{0}' exists.",
        "no link type": "No issue link type with name '{0}' found.",
        "no remote link": "Remote link with id '{0}' does not exist.",
        "no property": "The property with key '{0}' does not exist.",
        "no component": "The component with id {0} does not exist.",
        "no version": "Could not find version for id '{0}'",
        "no role": "Can not find a role with the id '{0}'.",
        "no level": "The issue security level with id '{0}' does not exist.",
        "no epic": "The requested epic does not exist or you do not have permission to view it.",
        "no catalogue": "The {0} with id '{1}' does not exist.",
        "no issue": "Issue does not exist or you do not have permission to see it.",
        "no project": "No project could be found with key '{0}'.",
        "no comment": "Can not find a comment for the id: {0}.",
        "no attachment": "The attachment with id '{0}' does not exist.",
        "no board": "The board with id '{0}' does not exist or you do not have permission to view it.",
        "no sprint": "The sprint with id '{0}' does not exist or you do not have permission to view it.",
    },
    "de": {
        "unexpected": "Fehler in der JQL-Abfrage: 'OR' oder 'AND' erwartet, aber '{0}' gefunden. (Zeile 1, Zeichen {1})",
        "field": "Das Feld '{0}' existiert nicht oder Sie haben keine Berechtigung, es anzuzeigen.",
        "value": "Der Wert '{0}' existiert nicht für das Feld '{1}'.",
        "issue": "Ein Vorgang mit dem Schlüssel '{0}' existiert nicht für das Feld 'key'.",
        "unbounded": "Unbegrenzte JQL-Abfragen sind hier nicht zulässig. Bitte fügen Sie eine Sucheinschränkung hinzu.",
        "token": "Das nextPageToken ist ungültig oder abgelaufen.",
        "reconcile": "Es können höchstens 50 Vorgänge abgeglichen werden.",
        "payload": "Ungültige Anfrage. Lesen Sie die Dokumentation der REST-API und versuchen Sie es erneut.",
        "no issue": "Der Vorgang existiert nicht oder Sie haben keine Berechtigung, ihn anzuzeigen.",
        "no project": "Es konnte kein Projekt mit dem Schlüssel '{0}' gefunden werden.",
    },
}
REMOVED = (
    "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full migration guideline is "
    "available at https://developer.atlassian.com/changelog/#CHANGE-2046"
)


class RestError(Exception):
    """An answer that is not 200. `body` is JSON, or text where it is a string."""

    def __init__(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, body)
        self.status = status
        self.body = body
        self.headers = dict(headers or {})


def refusal(status: int, code: str, *details: object, language: str = "en") -> RestError:
    """The usual envelope, in the site's language where the sentence is known in it."""
    sentence = SENTENCES.get(language, {}).get(code) or SENTENCES["en"][code]
    return RestError(status, envelope(sentence.format(*details)))


def from_jql(error: JqlError, language: str) -> RestError:
    return refusal(400, error.code, *error.details, language=language)


def envelope(*messages: str) -> dict[str, Any]:
    return {"errorMessages": list(messages), "errors": {}}


def no_endpoint(method: str, path: str) -> RestError:
    problem = {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": f"No endpoint {method} {path}.",
        "instance": path,
    }
    return RestError(404, problem, {"content-type": "application/problem+json"})
