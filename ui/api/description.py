"""What `/api/openapi.json` says: the interface in OpenAPI 3.1, with the schemas of `schemas.py`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from tree.serve.requests import ChangesRequest, OpenRequest, Request, SearchRequest
from ui.api.schemas import REFERENCE, make_schemas

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
    refusal = {"application/json": {"schema": _of("Error")}}
    return {"200": {"description": description, "content": content}} | {
        str(status): {"description": _ERRORS[status], "content": refusal} for status in sorted(errors)
    }


# The events of a streamed answer, by name, and what their data is
EVENTS = {"step": "Step", "text": "Text", "restart": "Restart", "answer": "Answer", "error": "Error"}


@cache
def describe() -> dict[str, Any]:
    """The whole description, as JSON."""
    return {
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
                    "requestBody": {"required": True, "content": {"application/json": {"schema": _of("Question")}}},
                    "responses": _returns(
                        "The answer. With `Accept: text/event-stream` events: step, text, restart (all text before is void), then answer, or error.",
                        _of("Answer"),
                        _ERRORS,
                        **{"text/event-stream": {"schema": _stream()}},
                    ),
                }
            },
            "/api/search": {
                "get": {
                    "summary": "Find places by name and passages by their words",
                    "parameters": _parameters(SearchRequest, query="q"),
                    "responses": _returns("Names and passages, best first", _of("Found"), _LOOKING),
                }
            },
            "/api/open": {
                "get": {
                    "summary": "Open a place: a source, folder, document or passage; without a place, all sources",
                    "parameters": _parameters(OpenRequest),
                    "responses": _returns(
                        "Its summary, what is below it, and the text of a passage",
                        {"anyOf": [_of("Opened"), _of("Sources")]},
                        (*_LOOKING, 404),
                    ),
                }
            },
            "/api/changes": {
                "get": {
                    "summary": "What changed",
                    "parameters": _parameters(ChangesRequest),
                    "responses": _returns("Changes, the newest first", _of("Changes"), (*_LOOKING, 404)),
                }
            },
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "made on the page Account"}},
            "schemas": make_schemas(),
        },
    }


def _of(name: str) -> dict[str, Any]:
    return {"$ref": f"{REFERENCE}{name}"}


def _stream() -> dict[str, Any]:
    """Server-sent events: blocks of "event: NAME" and "data: JSON", with an empty line behind each."""
    events = [
        {
            "type": "object",
            "required": ["event", "data"],
            "properties": {
                "event": {"const": name},
                "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": _of(schema)},
            },
        }
        for name, schema in EVENTS.items()
    ]
    return {
        "type": "string",
        "contentMediaType": "text/event-stream",
        "contentSchema": {"type": "array", "items": {"oneOf": events}},
        "examples": ['event: text\ndata: {"text": "The keys hang in the cellar [1]."}\n\n'],
    }


def _parameters(request: type[Request], **renamed: str) -> list[dict[str, Any]]:
    """The fields of a request as they stand in the address; one that is left out or empty has its default."""
    schema = request.model_json_schema()
    return [
        {
            "name": renamed.get(name, name),
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": field["description"],
            "schema": _given(field),
        }
        for name, field in schema["properties"].items()
    ]


def _given(field: dict[str, Any]) -> dict[str, Any]:
    """What may be given for a field, without the null that says that nothing is."""
    given = next((one for one in field.get("anyOf", ()) if one != {"type": "null"}), field)
    return {key: value for key, value in given.items() if key not in ("title", "description") and value is not None}
