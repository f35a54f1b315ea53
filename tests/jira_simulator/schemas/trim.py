"""Cuts what the contract tests need out of Atlassian's published documents: `python trim.py OPENAPI.json.gz AGILE.json.gz ADF.json`.

The documents are at https://developer.atlassian.com/cloud/jira/platform/swagger-v3.v3.json, .../software/swagger.v3.json and
https://unpkg.com/@atlaskit/adf-schema/dist/json-schema/v1/full.json (Apache-2.0, see SOURCES.md).
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLATFORM = (
    "SearchAndReconcileResults", "PageOfComments", "PageBeanComment", "Comment", "PageBeanChangelog", "PageOfChangelogs",
    "Changelog", "Attachment", "AttachmentMetadata", "ServerInformation", "IssueBean", "PageBeanProject", "Project",
    "FieldDetails", "StatusDetails", "IssueTypeDetails", "Priority", "Resolution", "IssueLinkTypes", "IssueLink", "User",
    "Permissions", "JQLCountResultsBean", "IssueMatches", "BulkIssueResults", "BulkChangelogResponseBean", "RemoteIssueLink",
    "PageOfWorklogs", "Worklog", "ChangedWorklogs", "ErrorCollection", "Version", "ProjectComponent", "SecurityLevel", "LinkedIssue",
    "CreatedIssue", "CreatedIssues", "Transitions", "Votes", "Watchers", "Filter", "PageBeanFilterDetails", "PageBeanUser", "Group",
    "FoundGroups", "PageBeanUserDetails", "PermissionSchemes", "PermissionScheme", "SecuritySchemes", "SecurityScheme",
    "ProjectIssueSecurityLevels", "PageBeanField", "ParsedJqlQueries", "JQLReferenceData", "PermittedProjects",
    "BulkPermissionGrants", "PropertyKeys", "EntityProperty", "IssueUpdateMetadata", "ProjectRole", "IssueTypeWithStatus",
    "PageBeanGroupDetails", "FoundUsers", "IssuePickerSuggestions", "StatusCategory", "IssueLinkType", "VersionIssueCounts",
    "VersionUnresolvedIssuesCount", "ComponentIssuesCount", "Configuration", "PageBeanString", "PageBeanVersion",
    "PageBeanComponentWithIssueCount", "RemoteIssueLinkIdentifies", "ProjectIdentifiers", "AttachmentSettings", "PageOfStatuses",
)  # fmt: skip
KEPT = {"type", "properties", "items", "required", "additionalProperties", "enum", "$ref", "allOf", "oneOf", "anyOf", "format"}


def main() -> None:
    platform, agile, adf = (json.loads(_read(Path(each))) for each in sys.argv[1:4])
    schemas = platform["components"]["schemas"]
    wanted: dict[str, Any] = {}
    waiting = list(PLATFORM)
    while waiting:
        name = waiting.pop()
        if name in wanted or name not in schemas:
            continue
        wanted[name] = trimmed(schemas[name])
        waiting += references(wanted[name])
    _write("platform.json", {"definitions": dict(sorted(wanted.items()))})
    _write("agile.json", {"paths": agile_answers(agile)})
    _write("adf.json", adf)


def trimmed(schema: Any) -> Any:
    """Without prose, with `nullable` as a union of types, with references to `definitions`."""
    if isinstance(schema, list):
        return [trimmed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for name, value in schema.items():
        if name == "properties":
            kept[name] = {each: trimmed(inner) for each, inner in value.items()}
        elif name == "$ref":
            kept[name] = value.replace("#/components/schemas/", "#/definitions/")
        elif name in KEPT:
            kept[name] = trimmed(value)
    if schema.get("nullable") and "type" in kept:
        kept["type"] = [kept["type"], "null"]
    return kept


def references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for each in schema for name in references(each)]
    if not isinstance(schema, dict):
        return []
    own = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
    return own + [name for value in schema.values() for name in references(value)]


def agile_answers(document: Any) -> dict[str, Any]:
    """The answers of the addresses we serve; this document writes its schemas out in full."""
    found = {}
    for path in (
        "/rest/agile/1.0/board", "/rest/agile/1.0/board/{boardId}", "/rest/agile/1.0/board/{boardId}/configuration",
        "/rest/agile/1.0/board/{boardId}/sprint", "/rest/agile/1.0/sprint/{sprintId}",
    ):  # fmt: skip
        answer = document["paths"].get(path, {}).get("get", {}).get("responses", {}).get("200", {})
        schema = next(iter(answer.get("content", {}).values()), {}).get("schema")
        if schema:
            found[path] = trimmed(schema)
    return found


def _read(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def _write(name: str, data: Any) -> None:
    (HERE / name).write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
