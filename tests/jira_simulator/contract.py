"""Checks answers against Atlassian's own schemas, corrected only where recordings prove them wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft4Validator, Draft7Validator, ValidationError
from jsonschema.validators import extend

SCHEMAS = Path(__file__).parent / "schemas"


def check(name: str, body: Any) -> None:
    """Raises ValidationError unless the body is what the schema of that name says."""
    _platform(name).validate(body)


def check_each(name: str, bodies: list[Any]) -> None:
    assert bodies, f"nothing to check as {name}"
    for body in bodies:
        check(name, body)


def check_agile(path: str, body: Any) -> None:
    schema = _read("agile.json")["paths"][path]
    if path.endswith("/configuration"):  # recorded: type, key, id, self and name
        schema = {
            **schema,
            "properties": {**schema["properties"], "location": {"type": "object", "required": ["type", "key", "id"]}},
        }
    Draft7Validator(schema).validate(body)


def check_adf(body: Any) -> None:
    _adf().validate(body)


@cache
def _platform(name: str) -> Draft7Validator:
    return Draft7Validator({**_corrected(), "$ref": f"#/definitions/{name}"})


@cache
def _adf() -> Any:
    return extend(Draft4Validator, {"anyOf": _any_of})(_read("adf.json"))


def _any_of(validator: Any, branches: list[Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
    """As anyOf, without a look at branches for nodes of another type: ADF nests dozens of them in each other."""
    fitting = [each for each in branches if _may_fit(each, instance)]
    if not any(validator.evolve(schema=each).is_valid(instance) for each in fitting):
        yield ValidationError(f"{instance!r} is none of the {len(branches)} things that may stand here")


def _may_fit(schema: Any, instance: Any) -> bool:
    while "$ref" in schema or "allOf" in schema:
        schema = schema["allOf"][0] if "allOf" in schema else _read("adf.json")["definitions"][schema["$ref"].rpartition("/")[2]]
    types = schema.get("properties", {}).get("type", {}).get("enum")
    return not types or not isinstance(instance, dict) or instance.get("type") in types


@cache
def _corrected() -> Any:
    schemas = _read("platform.json")
    definitions = schemas["definitions"]
    definitions["IssueLink"]["required"] = ["type"]  # says both sides; every recorded link has exactly one
    definitions["ServerInformation"]["properties"]["defaultLocale"] = {"type": "object"}  # recorded, not in the document
    definitions["BulkIssueResults"]["properties"]["expand"] = {"type": "string"}  # as above
    for name in ("from", "fromString", "to", "toString"):  # recorded as null wherever there was nothing before or after
        definitions["ChangeDetails"]["properties"][name]["type"] = ["string", "null"]
    for name in ("JqlQueryClause", "JqlQueryClauseOperand", "JqlQueryUnitaryOperand"):  # forbid what they are made of
        definitions[name].pop("additionalProperties", None)
    return schemas


@cache
def _read(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
