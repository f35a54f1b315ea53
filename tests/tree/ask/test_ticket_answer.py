"""What is new of a ticket, whether it is late, why its date was moved; also where a chat or a title says which ticket."""

from __future__ import annotations

import pytest

from connectors.base import Batch, Document, Fact, Reference, Section
from ingestion.sync import sync
from tests.ingestion.workspaces import Following
from tests.tree.ask.test_follow_up import Chat

RAMP = "MUS-1 Ramp at the side entrance"
LAMPS = "MUS-2 New lamps for the ramp"


def _document(number: int, title: str, said: dict[str, str], rest: str, past: tuple[Fact, ...] = ()) -> Document:
    key = title.split()[0]
    subject = Reference("ticket", key, title)
    kinds = {"assignee": "person", "blocks": "ticket", "is blocked by": "ticket"}
    facts = [
        Fact(subject, name, value, Reference(kinds[name], value.split(" ")[0] if kinds[name] == "ticket" else value, value)
             if name in kinds else None, quote=f"- {name}: {value}")
        for name, value in {"key": key, "category": "To Do", **said}.items()
    ]  # fmt: skip
    text = "\n".join(f"- {name}: {value}" for name, value in said.items())
    facts += past
    return Document(
        str(number),
        title,
        (),
        (Section(f"- key: {key}\n{text}\n\n{rest}"),),
        "1",
        kind="ticket",
        aliases=(key,),
        facts=tuple(facts),
    )


MOVED = "- 2020-03-02 08:00 UTC duedate: 2020-02-01 -> 2020-05-01, by Ines Falk"
PAST = Fact(
    Reference("ticket", "MUS-1", RAMP), "due", "2020-02-01", None, since="", until="2020-03-02T08:00:00+00:00", quote=MOVED
)
DOCUMENTS = (
    _document(
        0, RAMP, {"type": "Story", "status": "In Progress", "assignee": "Ines Falk", "due": "2020-05-01", "is blocked by": LAMPS},
        "## Comments\n\n### Ines Falk, 2020-03-02 08:00 UTC\n\nThe stone is late. It comes in April.\n\n"
        f"### Tomas Reyl, 2020-04-07 10:00 UTC\n\nThe stone is here.\n\n## History\n\n{MOVED}\n", (PAST,),
    ),
    _document(1, LAMPS, {"type": "Task", "status": "To Do", "assignee": "Ewan Strand", "due": "2999-05-01", "blocks": RAMP}, ""),
    _document(
        3, "MUS-4 Fog machine near the stage makes actors cough again", {"type": "Bug", "status": "To Do", "assignee": "Mei Castel"},
        "## Comments\n\n### Mei Castel, 2020-04-09 10:00 UTC\n\nIt is the fluid.\n",
    ),
    _document(2, "MUS-3 Rope for the bell", {"type": "Task", "status": "To Do"}, ""),
)  # fmt: skip


class Documents:
    def fetch(self, checkpoint, hints=None):
        yield Batch(DOCUMENTS)

    def census(self):
        return ("0", "1", "2", "3")

    def close(self):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("site"))
    following.write("hall.md", "# Hall\n\nThe side entrance has a bell and a mat.\n\nThe warden of the belfry is Ines Falk.\n")
    following.sync()
    jira = following.sources.add("folder", "Tickets", {"path": str(following.folder)})
    sync(following.workspace, following.sources, jira, None, connector=Documents())
    following.jira = jira
    yield following
    following.workspace.close()


@pytest.fixture
def chat(site):
    return Chat(site, [site.source.id, site.jira.id])


@pytest.mark.parametrize(
    "question",
    ["any news on MUS-1?", "what is the latest on the side entrance ramp", "What's new with the ramp at the side entrance?",
     "is there an update on the side entrance ramp", "last comment on MUS-1"],
)  # fmt: skip
def test_the_newest_comments_and_changes_are_told_first(chat, question: str) -> None:
    told = chat.ask(question)
    assert told.verdict == "complete" and "Tomas Reyl: The stone is here." in told.text
    assert told.text.index("The stone is here") < told.text.index("The stone is late. It comes in April.")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("is MUS-1 late?", "It is late, by"),
        ("is the side entrance ramp overdue", "It is late, by"),
        ("is MUS-2 behind schedule?", "It is not late"),
        ("Are the new lamps delayed?", "It is not late"),
        ("is MUS-3 late", "has no due date"),
    ],
)
def test_what_is_late_is_told_by_its_due_date(chat, question: str, said: str) -> None:
    assert said in chat.ask(question).text


@pytest.mark.parametrize(
    "question",
    ["why was the side entrance ramp postponed?", "why was MUS-1 put off", "Why has the due date of MUS-1 been moved?"],
)
def test_why_it_was_moved_is_what_was_written_then_and_no_certain_answer(chat, question: str) -> None:
    told = chat.ask(question)
    assert told.verdict == "partial" and "The stone is late. It comes in April." in told.text and "1 February 2020" in told.text


def test_how_often_needs_something_that_changes(chat) -> None:
    assert "**1 time**" in chat.ask("how often was the side entrance ramp put off?").text
    assert chat.ask("how often was MUS-1 used?").verdict != "complete"


def test_it_is_what_the_answer_led_to(chat) -> None:
    assert "**Ewan Strand**" in chat.ask("who is working on the thing that blocks the side entrance ramp").text
    assert "MUS\\-2" in chat.ask("is it late?").text
    assert "MUS\\-2" in chat.ask("what's the latest on that?").text


def test_it_is_what_holds_the_other_up(chat) -> None:
    told = chat.ask("what is holding up the side entrance ramp and who has it?")
    assert told.verdict == "complete" and "**Ewan Strand**, assignee of MUS\\-2" in told.text


def test_of_two_questions_the_last_is_what_the_next_leans_on(chat) -> None:
    assert chat.ask("who's the ramp at the side entrance assigned to, and is it done?").verdict == "complete"
    assert "MUS\\-1" in (told := chat.ask("is it late?").text) and "It is late" in told


def test_tickets_that_may_be_meant_are_told_side_by_side(chat) -> None:
    told = chat.ask("who is assigned to the ramp ticket?")
    assert told.verdict == "partial" and "Ines Falk" in told.text and "Ewan Strand" in told.text


def test_what_is_said_before_a_question_is_no_part_of_it(chat) -> None:
    told = chat.ask("I have to tell the board something about all this: who is assigned to the side entrance ramp?")
    assert told.verdict == "complete" and "**Ines Falk**" in told.text


def test_what_is_said_before_a_question_for_a_set_may_narrow_it(chat) -> None:
    assert not any("It is read as" in step.reason for step in chat.ask("In the side entrance: how many tickets are open?").trail)


def test_what_was_told_as_a_guess_is_what_the_next_question_means(chat) -> None:
    told = chat.ask("any news on the fog cough?")
    assert told.verdict == "partial" and "may be this ticket" in told.text and "It is the fluid." in told.text
    assert "**Mei Castel**, assignee of MUS\\-4" in chat.ask("who has it?").text


def test_who_is_in_charge_of_a_ticket_has_it(chat) -> None:
    for question in (
        "who is in charge of the MUS-1 story?",
        "who has got MUS-1?",
        "who's in charge of the rope for the bell ticket",
    ):
        assert chat.ask(question).text.startswith("**Ines Falk**") == ("MUS-1" in question)


def test_she_is_whom_a_sentence_that_answers_names(chat) -> None:
    assert chat.ask("who is the warden of the belfry?").verdict == "complete"
    told = chat.ask("which tickets does she have?")
    assert told.verdict == "complete" and "MUS\\-1" in told.text
