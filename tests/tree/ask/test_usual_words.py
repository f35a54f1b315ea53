"""Overviews asked for in other words than the facts have, and what "she" and "it" are after an answer of passages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from connectors.base import Fact, Reference
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.tree.ask.test_follow_up import Chat
from tests.tree.ask.ticket_rows import GWY, OTHER, Tickets, open_site

EPICS = (
    ("GWY-8", "Lamps and cables of the quay", "Epic", "In Progress", "Maren Oduya", "High", "", "2026-05-03", ""),
    ("GWY-9", "Ropes of the quay", "Epic", "To Do", "Jo Lindqvist", "High", "", "2026-05-03", "", "2026-06-30"),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = open_site(tmp_path_factory.mktemp("site"))
    sync(following.workspace, following.sources, following.source, connector=Tickets([*GWY, *EPICS]))
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("overview of the epic about lamps and cables", "overview of GWY-8"),
        ("give me an overview of the ropes epic", "overview of GWY-9"),
        ("how is the lamps epic going?", "overview of GWY-8"),
        ("How are ropes of the quay coming along", "overview of GWY-9"),
        ("whats not done under lamps and cables", "which tickets in GWY-8 are not done"),
        ("what's left to do in ropes of the quay?", "which tickets in GWY-9 are not done"),
        ("what is maren up to", "what is Maren Oduya working on"),
        ("whats Tomas busy with these days?", "what is Tomas Reyl working on"),
        ("what has Tomas got on his plate?", "what is Tomas Reyl working on"),
        ("quick rundown of the lamps epic", "overview of GWY-8"),
        ("what in the lamps epic is not done yet", "which tickets in GWY-8 are not done"),
        ("What in Turnstile is still open?", "which tickets in Turnstile are not done"),
        ("where do we stand with the lamps epic", "overview of GWY-8"),
        ("where are we with the ropes of the quay, short version", "overview of GWY-9"),
        ("what from the lamps epic isn't done yet", "which tickets in GWY-8 are not done"),
        ("everything in the lamps epic except the finished ones", "which tickets in GWY-8 are not done"),
        ("what does Tomas still have on his plate? all open tickets", "what is Tomas Reyl working on"),
        ("what in the component Turnstile isn't done?", "which tickets in Turnstile are not done"),
        ("what's stuck on blocked at the moment", "which tickets are blocked"),
        ("give me an overveiw of the ropes epic", "overview of GWY-9"),
        ("what is Maren Oduya busy with", "what is Maren Oduya working on"),
        ("which open tickets have nobody on it?", "which open tickets are assigned to nobody"),
        ("how many tickets did we close in may 2026", "how many tickets were resolved in May 2026"),
        ("what's left in Turnstile", "which tickets in Turnstile are not done"),
        ("do all tickets have an owner?", "which tickets have no assignee"),
        ("does every bug have a component", "which bugs have no component"),
        ("what's overdue today?", "which tickets are overdue"),
        ("is anything blocked", "which tickets are blocked"),
        ("how many tickets are blocked, and which ones?", "which tickets are blocked"),
        ("what is on tomas plate these days", "what is Tomas Reyl working on"),
        ("whats on maren's plate", "what is Maren Oduya working on"),
        ("what was decided last time?", "what was decided at the last meeting"),
        ("what's due next week?", "which open tickets are due next week"),
        ("anything due by friday", "which open tickets are due by friday"),
        ("deadlines in december", "which open tickets are due in december"),
        ("what deadlines are coming up", "which open tickets are due coming up"),
        ("which tasks have to be done by the end of the month?", "which open tickets are due by the end of the month"),
        ("what was finished last month", "which tickets were resolved last month"),
        ("what did we get done in may 2026", "which tickets were resolved in May 2026"),
        ("what is still open for Maren?", "what does Maren Oduya still have to do"),
        ("whats still open with tomas in jira", "which open tickets are assigned to Tomas Reyl"),
        ("what does Maren still have open in GWY?", "which open tickets are assigned to Maren Oduya"),
        ("whats left for tomas", "what does Tomas Reyl still have to do"),
        ("which tickets are still open for Maren?", "which open tickets are assigned to Maren Oduya"),
        ("newest Turnstile ticket, what is it about?", "newest Turnstile ticket"),
        ("what did Maren close in May 2026?", "which tickets assigned to Maren were resolved in May 2026"),
    ],
)
def test_a_question_in_other_words_is_read_as_the_usual_one(site, question: str, read: str) -> None:
    assert f"It is read as “{read}”." in [step.reason for step in site.ask(question).trail]


@pytest.mark.parametrize(
    "question",
    [
        "overview of the epic about the quay",  # of two
        "overview of the epic about the moon",
        "how is the weather going",
        "what is the gate up to",
        "where do we stand with the weather",
        "everything in the moon except the finished ones",
        "what is nobody working on",
        "whats in the moon folder",
        "what is left in the box",
        "what is due for the new seat map",
        "what was done about the archive in june",
        "what did the crane finish in june",
        "what is due",
    ],
)
def test_what_may_be_meant_by_it_is_not_guessed(site, question: str) -> None:
    assert not any("It is read as" in step.reason for step in site.ask(question).trail)


def test_what_got_done_are_the_tickets_resolved_then(site) -> None:
    found = site.ask("what got done in may 2026")
    assert found.verdict == "complete" and found.text.startswith("**1 of 7 tickets** (resolved in May 2026):")
    assert "GWY\\-2 Wrong tide table (Done, Maren Oduya, resolved 20 May 2026)" in found.text


def test_what_somebody_is_up_to_are_the_open_tickets_of_theirs(site) -> None:
    answer = site.ask("what is maren busy with?")
    assert (
        answer.verdict == "complete"
        and "GWY-1" in answer.text.replace("\\", "")
        and answer.question == "what is maren busy with?"
    )


def test_a_name_with_more_than_one_slip_beside_another_part_of_it_is_offered(site) -> None:
    answer = site.ask("what is jo lindkwist working on")
    assert answer.verdict != "complete"
    assert [one.question.casefold() for one in answer.did_you_mean] == ["what is jo lindqvist working on"]


def test_she_is_the_one_person_whom_the_first_passage_names(tmp_path) -> None:
    following = open_site(tmp_path)
    sync(following.workspace, following.sources, following.source, connector=Tickets(list(GWY)))
    (following.folder / "harbour.md").write_text(
        "# Harbour\n\nMaren Oduya keeps the keys of the lighthouse, and polishes them whenever somebody complains. Tomas Reyl does not.\n"
    )
    sync(following.workspace, following.sources, following.people)
    chat = Chat(following, [following.source.id, following.people.id])
    first = chat.ask("why are lighthouse keys polished?")
    assert first.verdict == "partial" and "Maren Oduya keeps" in first.text
    told = chat.ask("which tickets does she have that arent done?")
    assert told.verdict == "complete" and "GWY-1" in told.text.replace("\\", "") and "GWY-2" not in told.text.replace("\\", "")
    following.workspace.close()


@pytest.mark.parametrize("word", ["aren't", "aren’t", "arent", "are not"])
def test_a_negation_is_one_however_it_is_typed(site, word: str) -> None:
    told = site.ask(f"which tickets of Maren Oduya {word} done?").text.replace("\\", "")
    assert "GWY-1" in told and "GWY-2" not in told


@pytest.mark.parametrize(
    "question", ["what is in progress?", "whats in progress right now", "which tickets are in progress at the moment"]
)
def test_what_is_in_a_state_are_the_tickets_in_it(site, question: str) -> None:
    answer = site.ask(question)
    told = answer.text.replace("\\", "")
    assert answer.verdict == "complete" and "GWY-1" in told and "GWY-3" not in told, told


def test_which_of_two_is_more_is_not_told_by_a_word_beside_one_of_them(tmp_path) -> None:
    following = open_site(tmp_path)
    (following.folder / "pumps.md").write_text("# Pumps\n\n## Considered\n\n- Alder: cheaper, but loud\n- Birch: solid\n")
    sync(following.workspace, following.sources, following.people)
    asked = [following.source.id, following.people.id]
    assert Chat(following, asked).ask("Alder or Birch, which one is cheaper and by how much?").verdict != "complete"
    following.workspace.close()


def test_nobody_is_no_step_on_the_way_to_somebody(tmp_path) -> None:
    following = open_site(tmp_path)
    rows = "| Ropes (hemp, steel) | Ana Sol | nobody at the moment |\n| Sails | Ben Marsh | Zoe Tarn |\n| Masts | Ida Kern | Ana Sol |\n"
    (following.folder / "yard.md").write_text(f"# Yard\n\n| Team | Lead | Deputy |\n|---|---|---|\n{rows}")
    sync(following.workspace, following.sources, following.people)
    answer = Chat(following, [following.people.id]).ask("Who is deputy head of the ropes?")
    assert answer.verdict != "complete" or "Ana Sol" not in answer.text.splitlines()[0], answer.text
    following.workspace.close()


def test_the_tickets_of_somebodys_epic_are_not_those_of_somebody(site) -> None:
    assert site.ask("open tickets except those of Maren's epic").verdict != "complete"
    assert site.ask("open tickets except those of Maren").verdict == "complete"


class InSprints(Tickets):
    """The tickets, some of them in a sprint that is over or active."""

    sprints = {"GWY-1": (), "GWY-101": ("Tide 3",), "GWY-102": ("Tide 3", "Tide 4"), "GWY-103": ("Tide 4",)}

    def _document(self, number, key, *row):
        document = super()._document(number, key, *row)
        subject = document.facts[0].subject
        added: list[Fact] = []
        for name in self.sprints.get(key, ()):
            added.append(Fact(subject, "sprint", name, Reference("sprint", name, name)))
            added += [Fact(subject, "active sprint", name)] if name == "Tide 4" else []
        return replace(document, facts=(*document.facts, *added))


ROWS = tuple(
    (f"GWY-{number}", f"Mend lamp {number}", "Task", "To Do", "Jo Lindqvist", "High", "", "2026-05-03", "")
    for number in (101, 102, 103, 104)
)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what's in the current sprint?", "which tickets are in Tide 4?"),
        ("how many tickets are in the active sprint", "how many tickets are in Tide 4"),
        ("which tickets in this sprint are open", "which tickets in Tide 4 are open"),
    ],
)
def test_the_current_sprint_is_the_one_that_is_active(tmp_path, question, read) -> None:
    following = open_site(tmp_path)
    sync(following.workspace, following.sources, following.source, connector=InSprints([*ROWS]))
    answer = Chat(following, [following.source.id]).ask(question)
    assert f"It is read as “{read}”." in [step.reason for step in answer.trail]
    assert (
        answer.verdict == "complete"
        and "GWY\\-102" in answer.text
        and "GWY\\-103" in answer.text
        and "GWY\\-101" not in answer.text
    )
    following.workspace.close()


def test_a_sprint_that_is_meant_and_not_known_is_not_dropped(site) -> None:
    assert site.ask("which bugs are closed in our sprint").verdict != "complete"
    assert site.ask("which bugs are closed").verdict == "complete"


class OfProject(Tickets):
    """Tickets that say which project they are of, as those of Jira do."""

    def _document(self, number, *row):
        document = super()._document(number, *row)
        name = {"GWY": "Gangway", "OPS": "Operations"}[row[0].partition("-")[0]]
        project = Fact(document.facts[0].subject, "project", name, Reference("project", name, name))
        return replace(document, facts=(*document.facts, project))


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("how many GWY tickets are open", "**4 of 6 tickets** (project Gangway, open)"),
        ("which tickets of gwy are done?", "**1 of 6 tickets** (project Gangway, closed)"),
        ("open OPS bugs", "**1 of 6 tickets** (bug, project Operations, open)"),
    ],
)
def test_the_key_of_a_project_stands_for_it(tmp_path, question: str, begins: str) -> None:
    following = open_site(tmp_path)
    sync(following.workspace, following.sources, following.source, connector=OfProject([*GWY, *OTHER]))
    answer = following.ask(question)
    following.workspace.close()
    assert answer.verdict == "complete" and answer.text.startswith(begins), answer.text


@pytest.mark.parametrize("question", ["What is Anouk responsible for?", "what does anouk do", "What are Anouk's duties?"])
def test_what_somebody_does_is_all_that_is_stated_of_them(tmp_path, question: str) -> None:
    """What they own is a part of it."""
    docs = Following(tmp_path)
    docs.write("staff.csv", "name,role,team\nAnouk Delacey,platform engineer,platform\nIda Holm,lead frontend,web\n")
    docs.write("flags.csv", "flag,area,owner\nsms-alarm,messages,Anouk Delacey\nlate-list,lists,Ida Holm\n")
    docs.sync()
    answer = docs.ask(question)
    assert "platform engineer" in answer.text and "sms" in answer.text, answer.text


def test_of_several_people_of_a_name_each_is_told_with_their_role(tmp_path) -> None:
    docs = Following(tmp_path)
    docs.write("staff.csv", "name,role,team\nNadia Farr,lead vet,clinic\nNadia Pem,data protection officer,office\n")
    docs.sync()
    answer = docs.ask("What does Nadia do?")
    assert answer.verdict == "partial" and "lead vet" in answer.text and "data protection officer" in answer.text, answer.text


@pytest.mark.parametrize(
    "question", ["which documents are there", "What files do we have?", "list all documents", "show me all files"]
)
def test_all_documents_are_listed(tmp_path, question: str) -> None:
    docs = Following(tmp_path)
    docs.write("pump.md", "# Pump\n\nThe pump is serviced by Maren.\n")
    docs.write("gate.md", "# Gate\n\nThe documents of the gate are in the hall.\n")
    docs.sync()
    answer = docs.ask(question)
    assert answer.verdict == "complete" and "Pump" in answer.text and "Gate" in answer.text, answer.text
