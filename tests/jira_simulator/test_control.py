"""Everything that can happen to a site can be made to happen over HTTP."""

from __future__ import annotations

import httpx
import pytest

from jira_simulator.scenario import ScenarioPlayer, play_until
from tests.jira_simulator.receiver import receiving
from tests.jira_simulator.sites import TOKEN, client, keys, small_site, walk


@pytest.fixture
def site():
    return small_site()


@pytest.fixture
def control(site):
    with client(site) as http, httpx.Client(base_url=f"{site.url}/simulator", verify=False) as made:
        made.rest = http
        yield made


def do(control, **step) -> dict:
    answer = control.post("/do", json=step)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def test_the_life_of_a_ticket(site, control) -> None:
    made = do(control, do="create", project="BOAT", summary="Born", by="Bo Lindgren", labels=["new"])
    assert made["key"] == "BOAT-4"
    do(control, do="edit", ticket="BOAT-4", by="acc-ines", status="In Progress", summary="Grown")
    comment = do(control, do="comment", ticket="BOAT-4", by="Bo Lindgren", text="A word")["comment"]
    do(control, do="edit comment", comment=comment, by="Bo Lindgren", text="A better word")
    do(control, do="comment", ticket="BOAT-4", text="Too much")
    do(control, do="delete comment", ticket="BOAT-4", number=-1)
    do(control, do="link", ticket="BOAT-4", kind="is blocked by", target="BOAT-1")
    do(control, do="attach", ticket="BOAT-4", filename="a.bin", base64_content="AAEC")
    do(control, do="remote link", ticket="BOAT-4", url="https://wiki.example.com", title="Wiki")
    do(control, do="log work", ticket="BOAT-4", by="acc-bo", seconds=60)
    shown = control.rest.get("issue/BOAT-4", params={"expand": "changelog"}).json()
    fields = shown["fields"]
    assert (fields["summary"], fields["status"]["name"], fields["labels"]) == ("Grown", "In Progress", ["new"])
    assert [each["body"]["content"][0]["content"][0]["text"] for each in fields["comment"]["comments"]] == ["A better word"]
    assert fields["issuelinks"][0]["inwardIssue"]["key"] == "BOAT-1"
    assert site.find("BOAT-4").attachments[0].content == b"\x00\x01\x02"
    assert shown["changelog"]["total"] == 5  # edit, link, attachment, remote link, work
    do(control, do="delete", ticket="BOAT-4")
    assert control.rest.get("issue/BOAT-4").status_code == 404


def test_moves_renames_and_rights(site, control) -> None:
    site.add_project("QUAY", "Quays")
    site.add_level("Officers", ["acc-bo"])
    assert do(control, do="move", ticket="BOAT-1", project="QUAY")["key"] == "QUAY-1"
    do(control, do="rename", kind="project", name="QUAY", to="Harbours")
    do(control, do="rename", kind="statuses", name="To Do", to="Waiting")
    do(control, do="rename key", project="QUAY", to="HARB")
    shown = control.rest.get("issue/BOAT-1").json()
    assert (shown["key"], shown["fields"]["project"]["name"], shown["fields"]["status"]["name"]) == (
        "HARB-1",
        "Harbours",
        "Waiting",
    )
    do(control, do="hide", project="HARB")
    do(control, do="restrict", ticket="BOAT-2", level="Officers")
    assert {control.rest.get(f"issue/{key}").status_code for key in ("HARB-1", "BOAT-2")} == {404}
    do(control, do="restore", project="HARB")
    do(control, do="restrict", ticket="BOAT-2")
    assert {control.rest.get(f"issue/{key}").status_code for key in ("HARB-1", "BOAT-2")} == {200}


def test_several_steps_at_once_and_between_two_pages(site, control) -> None:
    steps = [{"do": "edit", "ticket": "BOAT-1", "summary": "Again"}, {"do": "create", "project": "BOAT", "summary": "Late"}]
    assert control.post("/between-pages", json={"after": 1, "steps": steps}).json()["ok"]
    pages = walk(control.rest, "project = BOAT order by updated asc, key asc")
    assert pages == [["BOAT-1", "BOAT-2"], ["BOAT-3", "BOAT-1"], ["BOAT-4"]]
    assert control.post("/do", json=[{"do": "delete", "ticket": "BOAT-2"}, {"do": "delete", "ticket": "BOAT-3"}]).json()["ok"]
    assert keys(control.rest.get("search/jql", params={"jql": "project = BOAT order by key", "fields": "key"})) == [
        "BOAT-1",
        "BOAT-4",
    ]


def test_clock_lag_tokens_and_switches(site, control) -> None:
    assert (
        control.post("/clock", json={"set": "2026-10-25T00:30:00+00:00"}).json()["result"]["now"].startswith("2026-10-25T00:30")
    )
    assert control.post("/clock", json={"advance": 3600, "skew": -300}).json()["result"]["now"].startswith("2026-10-25T01:25")
    do(control, do="index lag", seconds=60)
    do(control, do="create", project="BOAT", summary="Late")
    assert sum(map(len, walk(control.rest, "project = BOAT"))) == 3
    do(control, do="advance", seconds=61)
    assert sum(map(len, walk(control.rest, "project = BOAT"))) == 4
    do(control, do="vanish", ticket="BOAT-1", seconds=10)
    assert sum(map(len, walk(control.rest, "project = BOAT"))) == 3
    do(control, do="kill token")
    assert control.rest.get("myself").status_code == 401
    do(control, do="revive token", secret=TOKEN)
    assert control.rest.get("myself").status_code == 200
    assert control.post("/switches", json={"language": "de"}).json()["result"]["language"] == "de"
    assert "existiert nicht" in control.rest.get("issue/NOPE-1").text


def test_faults_log_and_webhooks(site, control) -> None:
    control.post("/faults", json=[{"name": "one", "path": "*/myself", "status": 503, "count": 1}, {"name": "two", "status": 500}])
    assert [control.rest.get(path).status_code for path in ("myself", "myself")] == [503, 500]
    assert [(each["name"], each["met"]) for each in control.get("/faults").json()["result"]] == [("one", 1), ("two", 1)]
    control.delete("/faults")
    assert control.rest.get("myself").status_code == 200
    assert [each["status"] for each in control.get("/log").json()["result"]] == [503, 500, 200]
    assert [each["status"] for each in control.get("/log", params={"since": 2}).json()["result"]] == [200]
    with receiving() as receiver:
        hook = control.post("/webhooks", json={"url": receiver.url, "events": ["jira:*"], "secret": "hush"}).json()["result"]
        control.post("/webhook-faults", json={"what": "duplicate"})
        do(control, do="edit", ticket="BOAT-1", summary="Changed")
        receiver.wait(2)
        assert site.webhooks.wait()
        assert [each["status"] for each in control.get("/sent").json()["result"]] == [200, 200]
        assert "hush" not in control.get("/webhooks").text
        control.request("DELETE", "/webhooks", json={"id": hook["id"]})
        assert control.get("/webhooks").json()["result"] == []


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"do": "dance"}, "There is no step 'dance'; there are: create, edit"),
        ({"do": "edit", "ticket": "BOAT-99", "summary": "x"}, "There is no ticket 'BOAT-99'"),
        ({"do": "edit", "ticket": "BOAT-1", "sumary": "x"}, "no field 'sumary'"),
        (
            {"do": "edit", "ticket": "BOAT-1", "status": "Finished"},
            "nothing called 'Finished' in statuses; there are: Blocked, Done",
        ),
        ({"do": "comment", "ticket": "BOAT-1"}, "cannot be taken with ticket"),
        ({"do": "comment", "ticket": "BOAT-1", "text": "x", "by": "Nobody"}, "There is no user 'Nobody'"),
    ],
)
def test_a_step_that_cannot_be_taken_says_why_and_changes_nothing(site, control, step, words) -> None:
    before = dict(site.tickets)
    answer = control.post("/do", json=step)
    assert answer.status_code == 400 and words in answer.json()["error"]
    assert site.tickets == before


def test_the_overview_lists_every_call(control) -> None:
    shown = control.get("").json()["result"]
    assert shown["projects"] == {"BOAT": 3} and "POST /simulator/do" in shown["calls"]


# ---------------------------------------------------------------- a scripted day


def steps(site, *minutes: int) -> list[dict]:
    from datetime import timedelta

    return [
        {"at": site.clock.true() + timedelta(minutes=each), "do": "comment", "ticket": "BOAT-1", "text": f"At {each}"}
        for each in minutes
    ]


def test_a_script_is_played_to_a_time_and_then_to_its_end(site) -> None:
    script = steps(site, 1, 5, 9)
    assert play_until(site, script, script[1]["at"]) == 2
    assert [each.created for each in site.find("BOAT-1").comments] == [each["at"] for each in script[:2]]
    assert play_until(site, script[2:]) == 1 and site.clock.true() == script[2]["at"]


def test_a_player_follows_the_clock_and_goes_on_after_a_step_that_fails(site) -> None:
    script = steps(site, 1, 2, 3)
    script[1]["ticket"] = "BOAT-99"
    told = []
    player = ScenarioPlayer(site, script, told.append)
    player.start()
    site.clock.advance(59)
    assert not player.wait(0.05) and not told  # a clock that stands still brings nothing
    site.clock.speed = 6000
    assert player.wait(10)
    player.stop()
    assert [each["text"] for each in told] == ["At 1", "At 3"]
    assert player.failed == ["12:05 comment: There is no ticket 'BOAT-99' on this site."]


def test_a_script_is_played_over_http_beginning_now(site, control) -> None:
    script = [{"at": f"2020-01-01T10:0{n}:00+00:00", "do": "comment", "ticket": "BOAT-1", "text": f"At {n}"} for n in range(3)]
    assert control.post("/play", json={"steps": script, "now": True, "speed": 6000}).json()["result"] == {"steps": 3}
    assert site.players[0].wait(10)
    assert control.get("/play").json()["result"] == [{"steps": 3, "taken": 3, "failed": [], "over": True}]
    assert len(site.find("BOAT-1").comments) == 3


def test_things_are_improvised_over_http(site, control) -> None:
    steps = control.post("/improvise", json={"seed": 7, "count": 5}).json()["result"]
    assert len(steps) == 5 and all({"do", "by"} <= set(step) for step in steps)
    assert site.clock.now().minute == 8  # five minutes later
