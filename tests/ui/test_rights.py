"""What somebody may see: a source for a group is not there for others, on no page and by no route; chats are one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from connectors.base import AccessLost
from ingestion.sources import Sources
from ingestion.sync import sync
from tests.ui.opened import add_folder
from tests.ui.opened import page as opened_page
from tests.ui.people import ADMIN, MEMBER, sign_in, signed_in, tools_of
from tree.ask.ask import Answer, ask
from tree.browse.nodes import find_node, nearest_above
from tree.store.models import Source
from ui.chat.visible import HIDDEN, LEFT_OUT, LEFT_OUT_REMOVED, REMOVED, visible_answer
from ui.explorer import routes as routes_tree
from ui.explorer import view as tree_view
from ui.server import routes
from ui.server import tools as opened
from ui.server.administration import NotAllowed
from ui.server.middleware import middleware
from ui.server.scope import QuestionScope
from ui.server.status_board import StatusBoard
from ui.server.suggesting.suggestions import suggestions
from ui.server.tools import Tools

pytestmark = pytest.mark.usefixtures("each_database")

APP = str(Path(__file__).parents[2] / "app.py")
OPEN = {
    "harbour.md": "# Harbour\n\nThe harbour office opens at seven.\n\nThe crane is inspected every March by the port authority.\n"
}
SECRET = {
    "salaries.md": "# Salaries\n\n**Quartermaster**: earns 61,000 crowns a year.\n\nThe harbour pilots earn 58,000 crowns.\n\n"
    "## How is an advance on a salary paid out?\n\nIn cash, on the last Friday of the month.\n"
}


@pytest.fixture
def sources(tools: Tools, tmp_path: Path) -> tuple[Source, Source]:
    """One for everybody, and one for the group of those who pay salaries."""
    open_ = add_folder(tools, tmp_path / "open", OPEN, "Harbour")
    secret = add_folder(tools, tmp_path / "secret", SECRET, "Pay")
    tools.admin.set_audience(secret.id, [tools.admin.add_group("Payroll")])
    return open_, secret


@pytest.fixture
def member(sources: tuple[Source, Source]) -> Tools:
    """In no group."""
    return tools_of(MEMBER)


@pytest.fixture
def insider(sources: tuple[Source, Source]) -> Tools:
    """Who may see both."""
    return tools_of("cy@example.org", groups=list(opened.tools().accounts.people.groups()))


@pytest.fixture
def client(member: Tools) -> Iterator[TestClient]:
    served = Starlette(routes=[*routes.routes(), *routes_tree.routes(), *routes.others()], middleware=middleware())
    yield sign_in(TestClient(served, base_url="http://127.0.0.1"), MEMBER)


def answer(tools: Tools, question: str, scope: QuestionScope = QuestionScope()) -> dict:
    turn = tools.answers.start(question, scope, tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(30)
    return tools.chats.turns.get(turn.id).answer


def says_nothing_of_it(shown: str) -> bool:
    return not any(
        word in shown for word in ("Pay", "alaries", "alary", "Quartermaster", "61,000", "58,000", "crowns", "Payroll")
    )


def drawn(page: AppTest) -> str:
    """All that the browser gets of a page."""
    return str([getattr(element, "proto", "") for part in (page.main, page.sidebar) for element in part])


# ---- answers


def test_a_question_is_answered_from_what_its_asker_may_see(member: Tools, insider: Tools) -> None:
    question = "What does the Quartermaster earn?"
    assert "61,000" in answer(insider, question)["answer"]
    refused = answer(member, question)
    assert refused["verdict"] == "none" and says_nothing_of_it(json.dumps(refused).replace("Quartermaster earn", ""))
    for scope in (QuestionScope(source=insider.sources.all()[1].id), QuestionScope(place=f"{insider.sources.all()[1].id}/")):
        assert not answer(member, question, scope)["citations"]


def test_losing_access_holds_from_the_next_question_on(insider: Tools, tools: Tools) -> None:
    question = "What do the harbour pilots earn?"
    first = insider.answers.start(question, QuestionScope(), insider.principal.person_id)
    assert insider.answers.of(first.id).ended.wait(30)
    assert "58,000" in insider.chats.turns.get(first.id).answer["answer"]
    tools.admin.set_groups(insider.principal.person_id, [])
    again = insider.answers.start("And why?", QuestionScope(), insider.principal.person_id, first.chat_id)
    assert insider.answers.of(again.id).ended.wait(30)
    assert says_nothing_of_it(json.dumps(insider.chats.turns.get(again.id).answer).replace("pilots earn", ""))


def test_suggestions_are_made_of_what_is_visible(member: Tools, insider: Tools) -> None:
    assert says_nothing_of_it(" ".join(suggestions(member.workspace, member.principal)))
    assert not says_nothing_of_it(" ".join(suggestions(insider.workspace, insider.principal)))


# ---- pages and routes


def test_routes_tell_nothing_of_a_source_that_is_not_for_one(client: TestClient, sources: tuple[Source, Source]) -> None:
    open_, secret = sources
    for path in ("/api/status", "/api/tree", f"/api/tree?place={secret.id}/", "/api/tree/search?q=harbour", "/api/tree/search?q=salaries",
                 "/api/tree/filter?has=decision", f"/files/{secret.id}/salaries.md", "/api/tree/version"):  # fmt: skip
        assert says_nothing_of_it(client.get(path).text) and secret.id not in client.get(path).text, path
    assert client.get(f"/files/{secret.id}/salaries.md").status_code == 404
    assert client.get(f"/files/{secret.id}/nothing.md").text == client.get(f"/files/{secret.id}/salaries.md").text
    assert client.get(f"/files/{open_.id}/harbour.md").status_code == 200
    assert [one["name"] for one in client.get("/api/status").json()["sources"]] == ["Harbour"]


def test_the_chat_page_shows_nothing_of_it(member: Tools, sources: tuple[Source, Source]) -> None:
    secret = sources[1].id
    for parameters in ({}, {"at": f"{secret}/"}, {"at": f"{secret}/salaries.md"}, {"in": secret}):
        page = signed_in(AppTest.from_file(APP, default_timeout=30), MEMBER)
        for name, value in parameters.items():
            page.query_params[name] = value
        page.run()
        assert not page.exception and page.chat_input
        assert says_nothing_of_it(drawn(page))


def test_the_tree_page_shows_nothing_of_it(member: Tools, sources: tuple[Source, Source]) -> None:
    secret = sources[1].id
    for place in ("", f"{secret}/", f"{secret}/salaries.md"):
        page = opened_page("tree", MEMBER, **({"at": place} if place else {})).run()
        assert not page.exception and "Harbour" in drawn(page)
        assert says_nothing_of_it(drawn(page))


def test_the_tree_begins_with_the_sources_one_may_see(member: Tools, sources: tuple[Source, Source]) -> None:
    workspace, principal = member.workspace, member.principal
    assert [row["title"] for row in tree_view.root_rows(workspace, principal)] == ["Harbour"]
    assert find_node(workspace, principal, f"{sources[1].id}/") is None
    assert nearest_above(workspace, principal, f"{sources[1].id}/salaries.md") is None
    assert tree_view.levels(workspace, principal, [f"{sources[1].id}/"]) == {}


def test_a_member_changes_nothing(member: Tools, sources: tuple[Source, Source]) -> None:
    with pytest.raises(NotAllowed, match="Only an admin"):
        member.admin.remove_source(sources[0].id)
    assert len(member.sources.all()) == 2


def test_a_stranger_sees_the_sign_in_page_alone(member: Tools) -> None:
    page = AppTest.from_file(APP, default_timeout=30)
    page.user = {"session": "not a session"}
    page.run()
    assert "signed out" in page.info[0].value and not page.chat_input and not page.sidebar.button


# ---- chats


def test_a_chat_is_its_owners_until_it_is_shared(member: Tools, insider: Tools) -> None:
    mine = insider.chats.running.begin("When does the harbour office open?", owner=insider.principal.person_id)
    theirs = member.principal.person_id
    assert insider.chats.rows.get(mine.chat_id, theirs) is None and insider.chats.rows.recent(theirs) == []
    for act in (lambda: insider.chats.rows.rename(mine.chat_id, "Stolen", theirs), lambda: insider.chats.rows.share(mine.chat_id, True, theirs),
                lambda: insider.chats.rows.delete(mine.chat_id, theirs)):  # fmt: skip
        act()
    kept = insider.chats.rows.get(mine.chat_id, insider.principal.person_id)
    assert kept.title.startswith("When does") and not kept.shared
    insider.chats.rows.share(mine.chat_id, True, insider.principal.person_id)
    assert insider.chats.rows.get(mine.chat_id, theirs) is not None
    insider.chats.rows.delete(mine.chat_id, theirs)
    assert insider.chats.rows.get(mine.chat_id, theirs) is not None


def test_a_shared_chat_shows_each_reader_what_they_may_see(member: Tools, insider: Tools) -> None:
    owner = insider.principal.person_id
    first = insider.answers.start("What does the Quartermaster earn?", QuestionScope(), owner)
    assert insider.answers.of(first.id).ended.wait(30)
    second = insider.answers.start("Who inspects the crane?", QuestionScope(), owner, first.chat_id)
    assert insider.answers.of(second.id).ended.wait(30)
    insider.chats.rows.share(first.chat_id, True, owner)
    page = signed_in(AppTest.from_file(APP, default_timeout=30), MEMBER)
    page.query_params["c"] = first.chat_id
    page.run()
    assert not page.exception and "shared by Cy" in page.caption[0].value
    hidden, shown = _turns(page)
    assert HIDDEN in hidden["html"] and says_nothing_of_it(json.dumps(hidden)) and hidden["verdict_words"] == ""
    assert "inspected every March by the port" in shown["html"] and LEFT_OUT in shown["notes"] and shown["steps"] == []
    assert says_nothing_of_it(json.dumps(shown))


def _turns(page: AppTest) -> list[dict]:
    """What the page hands to the browser for each answer."""
    told = [json.loads(one.proto.json) for one in page.get("bidi_component") if one.proto.json]
    drawn = [{**json.loads(data.get("drawn", "{}")), **data} for data in told]
    return [data for data in drawn if "html" in data]


def test_an_answer_of_an_earlier_release_is_shown_to_those_who_see_everything() -> None:
    answer = {"answer": "61,000 crowns [1]", "citations": [{}], "verdict": "complete", "notes": []}
    assert visible_answer(answer, {"a", "b"}, {"a", "b"}) == answer
    assert visible_answer(answer, {"a"}, {"a", "b"})["answer"] == HIDDEN


def test_an_answer_whose_source_is_gone_says_that_and_not_that_somebody_may_not_see_it() -> None:
    answer = {"answer": "61,000 crowns [1]", "citations": [], "verdict": "complete", "sources": ["a", "b"], "rests_on": ["b"]}
    assert visible_answer(answer, {"a"}, {"a"})["answer"] == REMOVED
    assert visible_answer(answer, {"a"}, {"a", "b"})["answer"] == HIDDEN
    beside = visible_answer({**answer, "rests_on": ["a"]}, {"a"}, {"a"})
    assert beside["answer"] == answer["answer"] and beside["notes"] == [LEFT_OUT_REMOVED]
    both = {**answer, "sources": ["a", "b", "c"], "rests_on": ["b", "c"]}  # one is gone, the other is for others
    assert visible_answer(both, {"a"}, {"a", "c"})["answer"] == HIDDEN


def test_a_removed_source_is_told_to_the_admin_who_removed_it(tools: Tools, sources: tuple[Source, Source]) -> None:
    turn = tools.answers.start("Who inspects the crane?", QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(30)
    tools.admin.remove_source(sources[0].id)
    page = signed_in(AppTest.from_file(APP, default_timeout=30), ADMIN)
    page.query_params["c"] = turn.chat_id
    page.run()
    [shown] = _turns(page)
    assert REMOVED in shown["html"] and "may not see" not in shown["html"]
    assert shown["actions"] == ["again", "edit"]


def test_a_direct_answer_rests_on_all_it_was_asked_of(insider: Tools) -> None:
    found = [
        event
        for event in ask(insider.workspace, "How many documents are there?", principal=insider.principal)
        if isinstance(event, Answer)
    ]
    assert set(found[0].rests_on) == {source.id for source in insider.sources.all()}


def test_why_a_source_cannot_be_read_is_told_to_admins_alone(sources: tuple[Source, Source], member: Tools) -> None:
    """It names a folder of the server, or the account of a token, and what to do about it is for an admin."""
    open_, _ = sources
    folder = Path(open_.config["path"])
    folder.rename(folder.with_name("away"))
    with pytest.raises(AccessLost, match="cannot be found"):
        sync(member.workspace, Sources(member.workspace.database), open_)
    to_admin, to_member = (StatusBoard().sources(tools)[0]["words"] for tools in (tools_of(ADMIN), member))
    assert str(folder) in to_admin and str(folder) not in to_member
    assert to_member.startswith("Cannot be read now. The tree holds what was there ")
