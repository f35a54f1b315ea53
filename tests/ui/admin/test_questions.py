"""The tab Questions: what was asked, told to admins without who asked it, and answers only as far as they may see them."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.ui.admin.test_page import said, tab
from tests.ui.conftest import read_again
from tests.ui.opened import words
from tests.ui.people import ADMIN, MEMBER, signed_in, tools_of
from tree.store.asked import AskedQuestions, Topic
from tree.store.models import Source, Turn
from ui.admin.proposals import find_proposals
from ui.chat.visible import HIDDEN
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

APP = str(Path(__file__).parents[3] / "app.py")


def asked(tools: Tools, question: str) -> Turn:
    turn = tools.answers.start(question, QuestionScope(), tools.principal.person_id)
    assert tools.answers.of(turn.id).ended.wait(20)
    return tools.chats.turns.get(turn.id)


def reviewed(turn: Turn, who: str = ADMIN) -> AppTest:
    page = signed_in(AppTest.from_file(APP, default_timeout=30), who)
    page.query_params["asked"] = turn.id
    return page.run()


def drawn(page: AppTest) -> str:
    """What is written on a page, with what its components are given."""
    assert not page.exception
    return words(page) + "".join(str(element.proto) for element in page.get("bidi_component"))


def test_what_was_not_found_is_told_without_who_asked(tools: Tools, source: Source) -> None:
    member = tools_of(MEMBER)
    for _ in range(2):
        lost = asked(member, "How long is <b>parental</b> leave?")
    assert lost.answer["verdict"] == "none"
    page = tab("Questions")
    told = said(page)
    assert "asked 2 times" in told and f"?asked={lost.id}" in told and "Not found" in told
    assert "&lt;b&gt;parental" in told and "<b>parental" not in told and "Ben" not in told
    page.segmented_control(key="questions_kind").set_value("unhelpful").run()
    assert "None in this time." in said(page)
    member.chats.turns.rate(lost.id, 0, "It should be *known*", member.principal.person_id)
    page.run()
    assert "Ben" in said(page) and "It should be *known*" in said(page)


def test_an_admin_reads_an_answer_as_far_as_they_may_see_its_source(tools: Tools, source: Source) -> None:
    member = tools_of(MEMBER)
    turn = asked(member, "What is drift?")
    assert turn.answer["verdict"] == "complete"
    assert "arrival in the tree" in drawn(reviewed(turn))
    crew = tools.admin.add_group("Crew")
    tools.admin.set_groups(member.principal.person_id, [crew])
    tools.admin.set_audience(source.id, [crew])
    hidden = drawn(reviewed(turn))
    assert "What is drift?" in hidden and HIDDEN in hidden and "arrival" not in hidden and "Glossary" not in hidden


def test_nobody_else_reads_the_questions_of_others(tools: Tools, source: Source) -> None:
    turn = asked(tools, "Where are the spare keys?")
    page = reviewed(turn, MEMBER)
    assert [error.value for error in page.error] and "spare keys" not in drawn(page) and "cellar" not in drawn(page)


def test_an_alias_is_proposed_with_what_was_said_and_what_it_may_mean(tools: Tools, source: Source) -> None:
    [alias] = find_proposals(tools, [Topic("t", "Who wrote the Glosary of tides?", "none", 1, 1, 0.0)])
    assert (alias.kind, alias.said, alias.meant) == ("alias", "Glosary", "Glossary")


def test_answers_that_were_no_help_propose_as_well(tools: Tools, source: Source) -> None:
    for person in (tools, tools_of(MEMBER)):
        person.chats.turns.rate(asked(person, "What is drift?").id, 0, "Not this drift.", person.principal.person_id)
    told = "2 people asked “What is drift?” and marked the answer as not helpful"
    assert told in said(tab("Questions"))
    [topic] = AskedQuestions(tools.workspace.database).topics(0.0, "unhelpful")
    assert (topic.question, topic.times, topic.people) == ("What is drift?", 2, 2)
    [gap] = find_proposals(tools, [topic], [topic])
    assert gap.words.endswith("nothing is known"), "a topic of both is told once"


def test_proposals_are_a_gap_an_alias_or_a_file_that_cannot_be_read(tools: Tools, source: Source, folder: Path) -> None:
    def topic(question: str, people: int = 2) -> Topic:
        return Topic("t", question, "none", people, people, 0.0)

    [gap] = find_proposals(tools, [topic("How long is parental leave?"), topic("Who is Zyx?", 1)])
    assert gap.kind == "gap" and gap.words == "2 people asked “How long is parental leave?”; nothing is known"
    (folder / "parental leave.pdf").write_bytes(b"no pdf at all")

    read_again(tools, source)
    [unread] = find_proposals(tools, [topic("How long is parental leave?")])
    assert unread.kind == "unread" and "parental leave" in unread.words
    tools.admin.set_audience(source.id, [])
    [gap] = find_proposals(tools, [topic("How long is parental leave?")])
    assert gap.kind == "gap", "the title of a document that this admin may not see is not told"
