"""Projects come from a story and from files of REST bodies."""

from __future__ import annotations

import calendar
import datetime as dt
import gzip
import json
import re
from pathlib import Path

import pytest

from jira_simulator import Clock, Site
from jira_simulator.adf import wiki_of
from jira_simulator.archive_loader import load_archive
from jira_simulator.sample_loader import load_sample, load_script, read
from jira_simulator.scenario import play_until
from tests.jira_simulator.contract import check, check_adf
from tests.jira_simulator.sites import client, walk

SAMPLE = Path(__file__).parents[2] / "sample" / "jira"  # the project's own, which the demonstration shows

# ---------------------------------------------------------------- the sample project


@pytest.fixture(scope="module")
def sample() -> Site:
    return load_sample(Site(), SAMPLE)


def test_the_sample_has_one_of_everything(sample) -> None:
    tickets = list(sample.tickets.values())
    types = [sample.issuetypes[each.issuetype].name for each in tickets]
    assert (
        60 <= len(tickets) <= 100 and types.count("Epic") == 5 and types.count("Sub-task") >= 5 and types.count("Incident") >= 1
    )
    assert {sample.category(each) for each in tickets} == {"new", "indeterminate", "done"}
    assert {mime for each in tickets for mime in (a.mime for a in each.attachments)} >= {"application/pdf", "text/markdown"}
    assert any(comment.internal for each in tickets for comment in each.comments) and any(each.security for each in tickets)
    assert len(sample.links) >= 20 and any(each.worklogs for each in tickets) and any(each.remote_links for each in tickets)
    assert all(each.updated <= sample.clock.now() for each in tickets)


def test_the_sample_says_nothing_twice_and_nothing_of_this_machine() -> None:
    seen: dict[str, str] = {}
    site = load_sample(Site(), SAMPLE)
    for ticket in site.tickets.values():
        bodies = [ticket.description, *(each.body for each in ticket.comments)]
        text = "\n".join(wiki_of(each) for each in bodies if each)
        assert ticket.parent or len(text) > 50, f"{ticket.key} says nothing"
        assert not re.search(r"\b(lorem|ipsum|TBD|FIXME|delve|leverag\w+|synerg\w+|holistic)\b", text, re.IGNORECASE), ticket.key
        assert not re.search(r"(?<![\w.])/(work|home|root|Users|tmp)/|https?://(?![\w.]+\.example/)", text), ticket.key
        for sentence in re.split(r"(?<=[.!?])\s+", text):
            if len(sentence) > 60:
                assert seen.setdefault(sentence, ticket.key) == ticket.key, sentence


def test_keys_named_in_the_sample_are_there(sample) -> None:
    for path in SAMPLE.glob("*.yaml"):
        for key in re.findall(r"\bGWY-\d+", path.read_text(encoding="utf-8")):
            assert key in ("GWY-304",) or sample.find(key).key == key


def test_weekdays_in_the_sample_are_right() -> None:
    months, names = list(calendar.month_name)[1:], list(calendar.day_name)
    found = 0
    for path in (*SAMPLE.glob("*.yaml"), *SAMPLE.glob("files/*.md")):
        text = path.read_text(encoding="utf-8")
        for name, day, month in re.findall(rf"\b({'|'.join(names)}),? (\d{{1,2}}) ({'|'.join(months)})", text):
            found += 1
            assert f"{dt.date(2026, months.index(month) + 1, int(day)):%A}" == name, (path.name, name, day, month)
    assert found >= 5


def test_the_sample_agrees_with_the_register_of_the_workspace(sample) -> None:
    import csv

    with (SAMPLE.parent / "reference/tickets.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            ticket = sample.find(row["key"])
            assert (ticket.summary, ticket.created.date().isoformat()) == (row["summary"], row["created"])
            assert (ticket.resolved.date().isoformat() if ticket.resolved else "") == row["resolved"], row["key"]
            assert sample.users[ticket.assignee].display_name == row["assignee"]


def test_the_sample_keeps_the_contract(sample) -> None:
    sample.add_token("Knowledge Tree", "t")
    with client(sample, auth=("knowledge.tree@merrowsound.example", "t")) as http:
        pages = walk(http, "project in (GWY, PORT) order by key", most=100, fields=("key",))
        assert sum(map(len, pages)) == len(sample.tickets)
        body = http.post(
            "search/jql", json={"jql": "project = GWY", "maxResults": 100, "fields": ["*all"], "expand": "changelog"}
        ).json()
    check("SearchAndReconcileResults", body)
    for ticket in body["issues"]:
        for text in (ticket["fields"]["description"], *(each["body"] for each in ticket["fields"]["comment"]["comments"])):
            check_adf(text)


def test_loading_twice_gives_the_same_site(sample) -> None:
    again = load_sample(Site(), SAMPLE)
    assert again.tickets == sample.tickets and again.links == sample.links and again.clock.now() == sample.clock.now()


def test_the_day_changes_what_it_says_it_changes() -> None:
    site, other = load_sample(Site(), SAMPLE), load_sample(Site(), SAMPLE)
    site.add_token("Knowledge Tree", "t")
    day = load_script(SAMPLE)
    assert play_until(site, day) == len(day) == play_until(other, load_script(SAMPLE))
    assert site.tickets == other.tickets
    assert site.find("GWY-287").key == "PORT-3"
    with pytest.raises(LookupError):
        site.find("GWY-297")
    assert "has changed" in wiki_of(site.find("GWY-296").comments[0].body)
    assert site.users[site.find("GWY-293").assignee].display_name == "Anselm Koroma"
    with client(site, auth=("knowledge.tree@merrowsound.example", "t")) as http:
        assert http.get("issue/GWY-257").status_code == 404
        assert http.get("issue/GWY-287").json()["key"] == "PORT-3"
        assert http.get("issue/GWY-304").json()["fields"]["status"]["name"] == "Done"


# ---------------------------------------------------------------- an archive


def rows() -> list[dict]:
    """Two tickets as an old server showed them: a comment too few, one without a body, a link that leads away."""
    bo = {"name": "bo", "key": "bo-key", "displayName": "Bo Lindgren", "active": True, "timeZone": "Asia/Kolkata"}
    status = {"id": "6", "name": "Closed", "description": "Over", "statusCategory": {"id": 3, "key": "done", "name": "Done"}}
    kind = {"id": "10", "name": "Depends", "inward": "is needed by", "outward": "needs"}
    away = {
        "id": "900",
        "key": "FAR-1",
        "fields": {"summary": "Far away", "status": status, "issuetype": {"id": "1", "name": "Bug"}},
    }
    near = {
        "id": "102",
        "key": "OLD-2",
        "fields": {"summary": "The other", "status": status, "issuetype": {"id": "1", "name": "Bug"}},
    }
    common = {
        "project": {"id": "7", "key": "OLD", "name": "Old boats"}, "issuetype": {"id": "1", "name": "Bug", "subtask": False},
        "status": status, "priority": {"id": "3", "name": "Medium"}, "resolution": {"id": "1", "name": "Fixed"},
        "resolutiondate": "2018-05-03T07:41:47.000+0000", "created": "2015-05-28T11:36:04.000+0000",
        "updated": "2018-08-06T17:49:33.000+0000", "labels": ["rust"], "components": [{"id": "13", "name": "Hull"}],
        "fixVersions": [{"id": "20", "name": "3.1", "archived": False, "released": True, "releaseDate": "2018-06-01"}], "versions": [],
        "creator": bo, "reporter": bo, "assignee": None,
    }  # fmt: skip
    comments = [
        {
            "id": "55",
            "author": bo,
            "body": "It *leaks*.\r\nBadly.",
            "created": "2016-01-01T10:00:00.000+0000",
            "updateAuthor": bo,
        },
        {"id": "56", "created": "2016-01-02T10:00:00.000+0000", "updated": "2016-01-02T10:00:00.000+0000"},
    ]
    sprint = {"id": 12, "state": "closed", "name": "2018 Sprint 1", "startDate": "2018-05-01T15:30:47.481Z", "originBoardId": 4}
    return [
        {"id": "101", "key": "OLD-1", "fields": {**common, "summary": "Leak", "description": "h1. Water\x01", "closedSprints": [sprint],
            "issuelinks": [{"id": "5", "type": kind, "outwardIssue": near}, {"id": "6", "type": kind, "inwardIssue": away}],
            "comment": {"comments": comments, "total": 4},
            "attachment": [{"id": "77", "filename": "a.jpg", "author": bo, "created": "2016-01-01T10:00:00.000+0000", "size": 9, "mimeType": "image/jpeg"}]}},
        {"id": "102", "key": "OLD-2", "fields": {**common, "summary": "The other", "parent": {"id": "101", "key": "OLD-1"},
            "epic": {"id": 4242, "key": "FAR-9"}, "issuelinks": [{"id": "5", "type": kind, "inwardIssue": {**near, "id": "101", "key": "OLD-1"}}],
            "comment": {"comments": [], "total": 0}}},
    ]  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Site:
    path, adf = tmp_path / "old.jsonl.gz", tmp_path / "old.adf.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps(each) for each in rows()).encode()))
    text = {
        "type": "doc",
        "version": 1,
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Water, from the file"}]}],
    }
    adf.write_bytes(gzip.compress(json.dumps({"key": "OLD-1", "description": text, "comments": {"55": text}}).encode()))
    site = load_archive(Site(clock=Clock("2026-01-01T00:00:00+00:00")), path, adf)
    site.add_user("Ines Okafor", "ines@example.com", "ines", "acc-ines")
    site.add_token("acc-ines", "a token nobody may see")
    return site


def test_an_archive_is_served_as_a_site(archive) -> None:
    with client(archive) as http:
        one, two = (http.get(f"issue/OLD-{n}").json() for n in (1, 2))
        wiki = http.get(str(http.base_url).replace("/3/", "/2/") + "issue/OLD-1").json()
        info = http.get("serverInfo").json()
    check("IssueBean", one)
    fields = one["fields"]
    assert (one["id"], fields["summary"], fields["status"]["name"], fields["labels"]) == ("101", "Leak", "Closed", ["rust"])
    assert fields["description"]["content"][0]["content"][0]["text"] == "Water, from the file"
    assert wiki["fields"]["description"] == "h1. Water\x01"
    assert wiki["fields"]["comment"]["comments"][0]["body"] == "It *leaks*.\r\nBadly."
    assert (fields["comment"]["total"], len(fields["comment"]["comments"])) == (4, 2)
    assert "body" not in fields["comment"]["comments"][1] and "author" not in fields["comment"]["comments"][1]
    assert [next(k for k in each if k.endswith("Issue")) for each in fields["issuelinks"]] == ["outwardIssue", "inwardIssue"]
    assert fields["issuelinks"][1]["inwardIssue"]["key"] == "FAR-1"
    assert fields["customfield_10020"][0]["name"] == "2018 Sprint 1"
    assert two["fields"]["parent"]["key"] == "OLD-1" and two["fields"]["issuelinks"][0]["id"] == "5"
    assert info["serverTime"].startswith("2018-08-07")


def test_an_archive_can_be_edited_and_added_to(archive) -> None:
    archive.edit("OLD-2", summary="Changed", priority="Medium")
    made = archive.create("OLD", "New", issuetype="Bug")
    assert (made.key, int(made.id) > 102) == ("OLD-3", True)
    assert int(archive.comment(made, "A word").id) > 56
    assert [each.changes[0].new_text for each in archive.find("OLD-2").histories] == ["Changed"]


# ---------------------------------------------------------------- the sample's questions


@pytest.fixture(scope="module")
def evening() -> Site:
    site = load_sample(Site(), SAMPLE)
    play_until(site, load_script(SAMPLE))
    return site


def said(site: Site, key: str) -> str:
    """Everything a ticket says, as one line without markup."""
    ticket = site.find(key)
    bodies = [ticket.description, *(each.body for each in ticket.comments if not each.internal)]
    return flat(" ".join([ticket.summary, *(wiki_of(each) for each in bodies if each)]))


def flat(text: str) -> str:
    return " ".join(re.sub(r"[*_]|\{\{|\}\}", "", text).split())


@pytest.mark.parametrize("question", read(SAMPLE / "questions.yaml"), ids=lambda each: each["question"])
def test_a_question_is_answered_by_its_ticket_in_the_morning_and_in_the_evening(sample, evening, question) -> None:
    for site, expected in ((sample, question["before"]), (evening, question.get("after", question["before"]))):
        for evidence in (expected, question.get("also", {})):
            if "ticket" in evidence:
                assert site.find(evidence["ticket"]).key == evidence["ticket"]
                assert flat(evidence["quote"]) in said(site, evidence["ticket"])
        if "absent" in expected:
            assert not [
                key for key in (each.key for each in site.tickets.values()) if flat(expected["absent"]) in said(site, key)
            ]
