"""What `/api/openapi.json` says: the interface in OpenAPI 3.1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def _text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _query(name: str, description: str, required: bool = False, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "description": description, "schema": {"type": "string", **schema}}


_ERRORS = {
    400: "It cannot be answered: there is no word to look for, the answering was stopped, or the request broke off.",
    401: "Sign in, or send a token.",
    404: "There is no such source or place, as far as the token's owner may see.",
    405: "Another method is answered here; the error says which.",
    413: "The request is too large; the error says how large it may be.",
    422: "The request is not right; the error says what is.",
    429: "Too many questions; the error says what to wait for.",
    500: "A fault of the app, which its log tells.",
    503: "The database or the data folder cannot be used at the moment; the error says why.",
}
_LOOKING = (401, 405, 422, 500, 503)  # of those that only look something up


def _returns(description: str, schema: dict[str, Any], errors: Iterable[int], **others: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}, **others}
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"200": {"description": description, "content": content}} | {
        str(status): {"description": _ERRORS[status], "content": refusal} for status in sorted(errors)
    }


_ANSWER = {
    "type": "object",
    "properties": {
        "answer": _text("Markdown; [1] is the citation with that number"),
        "verdict": _text(
            "complete: answered; partial: passages that may help; none: not found", enum=["complete", "partial", "none"]
        ),
        "citations": {
            "type": "array",
            "items": {"type": "object"},
            "description": "number, source, title, path, locator, quote, url, place",
        },
        "trail": {"type": "array", "items": {"type": "object"}, "description": "the steps of the search"},
        "notes": {"type": "array", "items": {"type": "string"}},
        "as_of": _text("when what was read was last known to be what the sources hold"),
    },
}
_LIST = {"type": "array", "items": {"type": "object"}}

OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Knowledge Tree",
        "version": "1",
        "description": "Asks and searches as the person whose token is sent. Nothing can be changed.",
    },
    "security": [{"token": []}],
    "paths": {
        "/api/ask": {
            "post": {
                "summary": "Ask a question",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Question"}}},
                },
                "responses": _returns(
                    "The answer. With `Accept: text/event-stream` events: step, text, restart (all before is void), then answer, or error.",
                    _ANSWER,
                    _ERRORS,
                    **{"text/event-stream": {"schema": {"type": "string"}}},
                ),
            }
        },
        "/api/search": {
            "get": {
                "summary": "Find places by name and passages by their words",
                "parameters": [_query("q", "words", True)],
                "responses": _returns(
                    "Names and passages, best first",
                    {"type": "object", "properties": {"names": _LIST, "passages": _LIST}},
                    _LOOKING,
                ),
            }
        },
        "/api/open": {
            "get": {
                "summary": "Open a place: a source, folder, document or passage; without a place, all sources",
                "parameters": [_query("place", "as in a citation or a search result")],
                "responses": _returns(
                    "Its summary, what is below it, and the text of a passage", {"type": "object"}, (*_LOOKING, 404)
                ),
            }
        },
        "/api/changes": {
            "get": {
                "summary": "What changed",
                "parameters": [
                    _query("since", "first day, in UTC; a week ago by default", format="date"),
                    _query("until", "last day", format="date"),
                    _query("place", "only below this place"),
                    _query("most", "how many to tell at most; 100 by default"),
                ],
                "responses": _returns(
                    "Changes, the newest first", {"type": "object", "properties": {"changes": _LIST}}, (*_LOOKING, 404)
                ),
            }
        },
    },
    "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "made on the page Account"}},
        "schemas": {
            "Question": {
                "type": "object",
                "required": ["question"],
                "additionalProperties": False,
                "properties": {
                    "question": _text("as one would put it to a person", maxLength=8_000),
                    "sources": {"type": "array", "items": {"type": "string"}, "description": "names or ids; all by default"},
                    "places": {"type": "array", "items": {"type": "string"}, "description": "only below these places"},
                    "as_of": _text("answer from what was known at the end of this day, in UTC", format="date"),
                },
            },
            "Error": {"type": "object", "properties": {"error": _text("what to do")}},
        },
    },
}
