"""The tab Questions: what was asked, told to admins without who asked it, and answers only as far as they may see them."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.ui.admin.test_page import said, tab
from tests.ui.conftest import read_again
from tests.ui.opened import words
from tests.ui.people import ADMIN, MEMBER, signed_in, tools_of
from tree.store.asked import AskedQuestions
from tree.store.models import Source, Turn
from ui.admin.proposals import find_proposals
from ui.chat.visible import HIDDEN
from ui.server.scope import QuestionScope
from ui.server.tools import Tools

APP = str(Path(__file__).parents[3] / "app.py")


def asked(tools: Tools, question: str, chat_id: str | None = None) -> Turn:
    turn = tools.answers.start(question, QuestionScope(), tools.principal.person_id, chat_id)
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
    asked(tools, "Who wrote the Glosary of tides?")
    [alias] = find_proposals(tools, 0.0)
    assert (alias.kind, alias.said, alias.meant) == ("alias", "Glosary", "Glossary")
    tools.admin.add_alias("Glosary", "Glossary")
    assert find_proposals(tools, 0.0) == []


def test_an_alias_is_proposed_for_another_word_with_which_a_known_thing_was_found(
    tools: Tools, source: Source, folder: Path
) -> None:
    (folder / "leave-planner.md").write_text("# Leave planner\n\nDays off are entered on the page days.example.org.\n", "utf-8")
    read_again(tools, source)
    member = tools_of(MEMBER)
    first = asked(member, "Where is the holiday tracker?")
    assert first.answer["verdict"] == "none" and find_proposals(tools, 0.0) == []
    again = asked(member, "Where is the leave planner?", first.chat_id)
    member.chats.turns.rate(again.id, 1, "", member.principal.person_id)
    [alias] = find_proposals(tools, 0.0)
    assert (alias.kind, alias.said, alias.meant) == ("alias", "holiday tracker", "leave planner")
    told = said(tab("Questions"))
    assert "with which 1 person asked again and found it" in told and "then answered: “Where is the leave planner?”" in told
    tools.admin.add_alias(alias.said, alias.meant)
    assert find_proposals(tools, 0.0) == []


def test_wordings_of_one_gap_are_one_proposal_with_its_questions(tools: Tools, source: Source) -> None:
    people = (ADMIN, MEMBER, "cy@example.org")
    wordings = ("How much parental leave do I get?", "leave for parents", "Can I take leave when my child is born?")
    turns = [asked(tools_of(person), wording) for person, wording in zip(people, wordings, strict=True)]
    [gap] = find_proposals(tools, 0.0)
    assert gap.words == "3 people asked about “parental leave”; nothing is known"
    assert {one.turn_id for one in gap.questions} == {turn.id for turn in turns}
    told = said(tab("Questions"))
    assert gap.words in told and all(f"?asked={turn.id}" in told and turn.question in told for turn in turns)


def test_a_gap_that_was_found_in_other_words_is_none(tools: Tools, source: Source) -> None:
    for person in (tools, tools_of(MEMBER)):
        lost = asked(person, "Where do the spare cellar padlocks hang?")
        assert lost.answer["verdict"] != "complete"
        person.chats.turns.rate(lost.id, 0, "", person.principal.person_id)
    assert [one.kind for one in find_proposals(tools, 0.0)] == ["gap"]
    for person in (tools, tools_of(MEMBER)):
        [lost] = [one for one in AskedQuestions(tools.workspace.database).unanswered(0.0, [source.id]) if one.owner == person.principal.person_id]  # fmt: skip
        chat = tools.chats.turns.get(lost.turn_id).chat_id
        found = asked(person, "Where do the spare keys of the cellar hang?", chat)
        person.chats.turns.rate(found.id, 1, "", person.principal.person_id)
    assert find_proposals(tools, 0.0) == []


def test_answers_that_were_no_help_propose_as_well(tools: Tools, source: Source) -> None:
    for person in (tools, tools_of(MEMBER)):
        person.chats.turns.rate(asked(person, "What is drift?").id, 0, "Not this drift.", person.principal.person_id)
    told = "2 people asked “What is drift?” and marked the answer as not helpful"
    assert told in said(tab("Questions"))
    [topic] = AskedQuestions(tools.workspace.database).topics(0.0, "unhelpful")
    assert (topic.question, topic.times, topic.people) == ("What is drift?", 2, 2)


def test_proposals_are_a_gap_or_a_file_that_cannot_be_read(tools: Tools, source: Source, folder: Path) -> None:
    for person in (tools, tools_of(MEMBER)):
        asked(person, "How long is parental leave?")
    asked(tools, "Who is Zyx?")
    [gap] = find_proposals(tools, 0.0)
    assert gap.kind == "gap" and gap.words == "2 people asked “How long is parental leave?”; nothing is known"
    (folder / "parental leave.pdf").write_bytes(b"no pdf at all")
    read_again(tools, source)
    [unread] = find_proposals(tools, 0.0)
    assert unread.kind == "unread" and "parental leave" in unread.words


def test_what_was_asked_of_a_source_that_this_admin_may_not_see_proposes_nothing(
    tools: Tools, source: Source, tmp_path: Path
) -> None:
    """Neither a question nor the number of those who asked, the name in the next question, or the title of a document."""
    crew = tools.admin.add_group("Crew")
    member = tools_of(MEMBER)
    tools.admin.set_groups(member.principal.person_id, [crew])
    (tmp_path / "crew").mkdir()
    (tmp_path / "crew" / "pay.md").write_text("# Leave planner\n\nOf the crew: days.example.org.\n", "utf-8")
    added = tools.sources.add("folder", "Crew pay", {"path": str(tmp_path / "crew")})
    tools.admin.set_audience(added.id, [crew])
    read_again(tools, added)
    hidden = asked(member, "How long is parental leave?")
    again = asked(member, "Where is the holiday tracker?", hidden.chat_id)
    member.chats.turns.rate(asked(member, "Where is the leave planner?", hidden.chat_id).id, 1, "", member.principal.person_id)
    asked(tools, "parental leave")
    assert again.answer["verdict"] == "none" and find_proposals(tools, 0.0) == []
    told = said(tab("Questions"))
    assert "What would help" not in told
    tools.admin.set_audience(added.id, None)
    assert [one.kind for one in find_proposals(tools, 0.0)] == ["gap", "alias"]
    tools.admin.set_audience(source.id, [])
    assert find_proposals(tools, 0.0) == [], "all three were asked of this one, too"
