"""Every kind of answer is what Atlassian's schemas say, and the check refuses what is not."""

from __future__ import annotations

import copy
import json
import re

import pytest
from jsonschema import ValidationError

from jira_simulator import Site
from tests.jira_simulator.contract import check, check_adf, check_agile, check_each
from tests.jira_simulator.sites import client, small_site

TEXT = """h2. What happened
The *ramp* did not _move_; see [the log|https://logs.example.com/1] and {{ramp.log}}, [~acc-bo].

* first
** below it
# one
# two

||Time||What||
|06:38|first refusal|
|06:44|a call|

{code:python}
print("ramp")
{code}
{quote}
Nobody had looked.
{quote}
{panel:title=Remember}
Look.
{panel}
----
The end.\r\nReally.
"""


@pytest.fixture(scope="module")
def answers():
    """One answer of every kind, from a site that has one of everything."""
    site = full_site()
    found: dict[str, object] = {}
    with client(site) as http:
        for name, path in {
            "serverInfo": "serverInfo", "myself": "myself", "fields": "field", "statuses": "status", "types": "issuetype",
            "priorities": "priority", "resolutions": "resolution", "link types": "issueLinkType", "projects": "project",
            "project search": "project/search", "project": "project/BOAT", "permissions": "mypermissions?permissions=BROWSE_PROJECTS",
            "issue": "issue/BOAT-1?expand=changelog,renderedFields,names", "comments": "issue/BOAT-1/comment?expand=renderedBody",
            "changelog": "issue/BOAT-1/changelog", "worklogs": "issue/BOAT-1/worklog", "remote links": "issue/BOAT-1/remotelink",
            "attachment": "attachment/10000", "worklogs gone": "worklog/deleted?since=0", "nothing": "issue/BOAT-99",
        }.items():  # fmt: skip
            found[name] = http.get(path).json()
        comment = found["comments"]["comments"][0]["id"]  # type: ignore[index]
        found["comment"] = http.get(f"issue/BOAT-1/comment/{comment}").json()
        for name, path, body in (
            ("search", "search/jql", {"jql": "project = BOAT", "fields": ["*all"], "expand": "changelog,names"}),
            ("ids", "search/jql", {"jql": "project = BOAT", "maxResults": 1}),
            ("count", "search/approximate-count", {"jql": "project = BOAT"}),
            ("match", "jql/match", {"issueIds": [10000, 10001], "jqls": ["key = BOAT-1", "nonsense ="]}),
            ("bulk", "issue/bulkfetch", {"issueIdsOrKeys": ["BOAT-1", "BOAT-2"], "fields": ["*all"]}),
            ("bulk changelog", "changelog/bulkfetch", {"issueIdsOrKeys": ["BOAT-1"]}),
            ("comment list", "comment/list", {"ids": [int(comment)]}),
        ):
            found[name] = http.post(path, json=body).json()
        agile = str(http.base_url).replace("/rest/api/3/", "/rest/agile/1.0/")
        for path in ("board", "board/1", "board/1/configuration", "board/1/sprint"):
            found[path] = http.get(agile + path).json()
        version_2 = str(http.base_url).replace("/api/3/", "/api/2/")
        found["issue in version 2"] = http.get(version_2 + "issue/BOAT-1?expand=changelog").json()
    return found


def full_site() -> Site:
    site = small_site()
    site.add_named("components", "Ramp", project="BOAT", description="Goes up and down")
    site.add_named("versions", "1.0", project="BOAT", released=True, release_date="2026-07-01")
    site.add_level("Officers", ["acc-ines"])
    board = site.add_board("Boats board", "BOAT")
    site.add_sprint("Sprint 1", board, state="active", start=site.clock.now(), end=site.clock.now(), goal="Float")
    severity = site.add_field("Severity", "option", "select")
    site.edit("BOAT-1", "acc-bo", description=TEXT, environment="Holm", status="In Progress", assignee="acc-ines",
              labels=["ramp"], components=["Ramp"], fix_versions=["1.0"], versions=["1.0"], sprints=["Sprint 1"], epic="BOAT-3",
              security="Officers", due="2026-09-01", custom={severity: {"value": "1", "id": "1"}})  # fmt: skip
    site.create("BOAT", "A part of it", "acc-bo", issuetype="Sub-task", parent="BOAT-1")
    site.edit("BOAT-1", "acc-bo", status="Done")
    site.comment("BOAT-1", TEXT, "acc-bo")
    site.comment("BOAT-1", "For the crew only.", "acc-ines", internal=True, role="Crew")
    site.comment("BOAT-1", "From nobody.", None)
    site.link("BOAT-1", "blocks", "BOAT-2", "acc-bo")
    site.attach("BOAT-1", "notes.md", b"# Notes", "acc-bo")
    site.remote_link("BOAT-1", "https://wiki.example.com/ramp", "The ramp", "mentioned in", "How it moves")
    site.log_work("BOAT-1", 5400, "acc-bo", "Greased it")
    site.delete_worklog(site.log_work("BOAT-2", 60, "acc-bo").id)
    site.clock.advance(3600)
    return site


@pytest.mark.parametrize(
    ("answer", "schema"),
    [
        ("serverInfo", "ServerInformation"), ("myself", "User"), ("link types", "IssueLinkTypes"), ("project", "Project"),
        ("project search", "PageBeanProject"), ("permissions", "Permissions"), ("issue", "IssueBean"), ("comments", "PageOfComments"),
        ("comment", "Comment"), ("changelog", "PageBeanChangelog"), ("worklogs", "PageOfWorklogs"), ("attachment", "AttachmentMetadata"),
        ("worklogs gone", "ChangedWorklogs"), ("nothing", "ErrorCollection"), ("search", "SearchAndReconcileResults"),
        ("ids", "SearchAndReconcileResults"), ("count", "JQLCountResultsBean"), ("match", "IssueMatches"), ("bulk", "BulkIssueResults"),
        ("bulk changelog", "BulkChangelogResponseBean"), ("comment list", "PageBeanComment"), ("issue in version 2", "IssueBean"),
    ],
)  # fmt: skip
def test_an_answer_is_what_the_schema_says(answers, answer, schema) -> None:
    check(schema, answers[answer])


@pytest.mark.parametrize(
    ("answer", "schema"),
    [
        ("fields", "FieldDetails"), ("statuses", "StatusDetails"), ("types", "IssueTypeDetails"), ("priorities", "Priority"),
        ("resolutions", "Resolution"), ("projects", "Project"), ("remote links", "RemoteIssueLink"),
    ],
)  # fmt: skip
def test_a_list_is_of_what_the_schema_says(answers, answer, schema) -> None:
    check_each(schema, answers[answer])


def test_the_parts_of_a_ticket_are_what_their_schemas_say(answers) -> None:
    fields = answers["issue"]["fields"]
    check_each("Comment", fields["comment"]["comments"])
    check_each("Attachment", fields["attachment"])
    check_each("IssueLink", fields["issuelinks"])
    check_each("LinkedIssue", [*fields["subtasks"], fields["parent"]])
    check_each("Worklog", fields["worklog"]["worklogs"])
    check_each("ProjectComponent", fields["components"])
    check_each("Version", [*fields["fixVersions"], *fields["versions"]])
    for name, schema in (("status", "StatusDetails"), ("issuetype", "IssueTypeDetails"), ("priority", "Priority"),
                         ("resolution", "Resolution"), ("security", "SecurityLevel"), ("assignee", "UserDetails")):  # fmt: skip
        check(schema, fields[name])
    check("PageOfChangelogs", answers["issue"]["changelog"])


@pytest.mark.parametrize("path", ["board", "board/1", "board/1/configuration"])
def test_boards_are_what_the_agile_schemas_say(answers, path) -> None:
    check_agile("/rest/agile/1.0/" + path.replace("1", "{boardId}"), answers[path])


def test_sprints_have_what_the_agile_documentation_shows(answers) -> None:
    (sprint,) = answers["board/1/sprint"]["values"]
    assert {"id", "self", "state", "name", "startDate", "endDate", "originBoardId", "goal"} == set(sprint)


def test_texts_are_valid_adf(answers) -> None:
    fields = answers["issue"]["fields"]
    bodies = [fields["description"], fields["environment"], *(each["body"] for each in fields["comment"]["comments"])]
    assert len(bodies) == 5
    for body in bodies:
        check_adf(body)
    kinds = set(re.findall(r'"type": "(\w+)"', json.dumps(fields["description"])))
    assert {
        "heading",
        "bulletList",
        "orderedList",
        "table",
        "codeBlock",
        "blockquote",
        "panel",
        "rule",
        "mention",
        "hardBreak",
    } <= kinds


def test_every_time_is_written_as_jira_writes_it(answers) -> None:
    fields = answers["issue"]["fields"]
    times = [fields[name] for name in ("created", "updated", "resolutiondate", "statuscategorychangedate")]
    times += [each["created"] for each in fields["comment"]["comments"]] + [answers["serverInfo"]["serverTime"]]
    for time in times:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}", time), time


# ---------------------------------------------------------------- canaries: the check refuses


def spoiled(answer, *path, value):
    bad = copy.deepcopy(answer)
    place = bad
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return bad


@pytest.mark.parametrize(
    ("answer", "schema", "path", "value"),
    [
        ("serverInfo", "ServerInformation", ("versionNumbers",), "1001"),
        ("serverInfo", "ServerInformation", ("serverTimes",), "2026"),
        ("search", "SearchAndReconcileResults", ("total",), 3),
        ("search", "SearchAndReconcileResults", ("issues", 0, "id"), 10000),
        ("issue", "IssueBean", ("changelog", "histories", 0, "items", 0, "from"), {"id": "1"}),
        ("comments", "PageOfComments", ("total",), "3"),
        ("comments", "PageOfComments", ("comments", 0, "author", "active"), "yes"),
        ("changelog", "PageBeanChangelog", ("values", 0, "id"), 5),
        ("project search", "PageBeanProject", ("isLast",), "true"),
        ("bulk", "BulkIssueResults", ("failed",), []),
        ("match", "IssueMatches", ("matches", 0, "matchedIssues"), ["BOAT-1"]),
    ],
)
def test_a_wrong_answer_is_refused(answers, answer, schema, path, value) -> None:
    with pytest.raises(ValidationError):
        check(schema, spoiled(answers[answer], *path, value=value))


@pytest.mark.parametrize(
    "bad",
    [
        {"type": "doc", "content": []},
        {"type": "doc", "version": 1, "content": [{"type": "text", "text": "loose"}]},
        {"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": ""}]}]},
        {"type": "doc", "version": 1, "content": [{"type": "somethingElse"}]},
    ],
)
def test_wrong_adf_is_refused(bad) -> None:
    with pytest.raises(ValidationError):
        check_adf(bad)
