"""Tickets and epics that a question names in other words than their keys."""

from __future__ import annotations

from datetime import date

import pytest

from tests.tree.retrieve.fact_tables import indexed, ticket
from tree.ask.facts.answered import tickets_meant
from tree.ask.facts.described_ticket import find_described, ticket_called
from tree.retrieve.names import Names
from tree.store.leaves import Entity, Fact

TODAY = date(2026, 6, 15)


def _past(key: str, title: str, relation: str, value: str, since: str, until: str) -> Fact:
    return Fact(Entity("ticket", key, f"{key} {title}"), relation, value, 0, 0, None, since, until, "ticket")


ROOF = "Replacement of the skylights above the whale hall"
FACTS = indexed(
    {
        "s/1": [
            *ticket("MUS-1", ("type", "Story", ""), ("assignee", "Ines Falk", "person"), ("status", "In Progress"), ("due", "2026-07-01"),
                    ("is blocked by", "MUS-4", "ticket"), ("component", "Building", "component"), title=ROOF),
            _past("MUS-1", ROOF, "due", "2026-05-01", "", "2026-04-02"),
            _past("MUS-1", ROOF, "assignee", "Ewan Strand", "", "2026-03-01"),
        ],
        "s/2": ticket("MUS-2", ("type", "Task", ""), ("assignee", "Tomas Reyl", "person"), ("status", "To Do"), ("epic", "MUS-9", "ticket"),
                      title="Audio guide for children"),
        "s/3": ticket("MUS-3", ("type", "Bug", ""), ("assignee", "Mei Castel", "person"), ("status", "Done"),
                      title="Audio guide stops in the whale hall"),
        "s/4": ticket("MUS-4", ("type", "Task", ""), ("assignee", "Ewan Strand", "person"), ("status", "To Do"), ("blocks", "MUS-1", "ticket"),
                      title="Scaffold permit"),
        "s/5": ticket("MUS-5", ("type", "Task", ""), ("status", "To Do"), title="Order 40 lockers"),
        "s/7": ticket("MUS-6", ("type", "Task", ""), ("status", "To Do"), ("is blocked by", "MUS-5", "ticket"),
                      title="Sound check with the brass band, six microphones and an audience of teachers"),
        "s/6": ticket("MUS-9", ("type", "Epic", ""), ("status", "To Do"), ("assignee", "Mei Castel", "person"), title="Families feel at home"),
    }
)  # fmt: skip
NAMES = Names(FACTS)


def _read(question: str) -> str:
    meant = tickets_meant(question, NAMES, FACTS, TODAY)
    return meant.put(meant.keys[0]) if meant is not None and meant.is_certain else ""


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("who is assigned to the skylight replacement", "who is assigned to MUS-1"),
        ("who is assigned to the skylight replacment?", "who is assigned to MUS-1?"),  # a slip
        ("who is working on the thing that blocks the whale hall skylights", "who is working on the thing that blocks MUS-1"),
        ("what is holding up the skylights of the whale hall?", "what is holding up MUS-1?"),
        ("how often was the due date of the skylights replacement moved", "how often was the due date of MUS-1 moved"),
        (
            "when should the skylights replacement originally have been finished",
            "when should MUS-1 originally have been finished",
        ),
        ("who had the skylight story before Ines", "who had MUS-1 before Ines"),
        ("what is the status of the children's audio guide?", "what is the status of MUS-2?"),
        ("who has the scaffold permit ticket", "who has MUS-4"),
        ("which tickets in the families epic are not done", "which tickets in MUS-9 are not done"),
        ("is the replacement of the skylights late?", "is MUS-1 late?"),
        ("any news on the scaffolding permit?", "any news on MUS-4?"),
        ("who is assigned to the building skylights story", "who is assigned to MUS-1"),  # by its component as well
        ("what is the priority and status of the audio guide bug", ""),  # of which one is stated
        ("who is responsible for the scaffold permit", "who is responsible for MUS-4"),  # all of its title
        ("what blocks the sound check?", "what blocks MUS-6?"),  # what stands before the first preposition
        ("what is the status of the ordering of the lockers", "what is the status of MUS-5"),
        ("status of the audio guide bug", "status of MUS-3"),
    ],
)
def test_the_words_of_a_title_stand_for_the_key(question: str, read: str) -> None:
    assert _read(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "who is assigned to the audio guide",  # of two
        "who is assigned to the skylights of the gift shop",  # says more than the title
        "who cleaned the skylights of the whale hall",  # nothing that a ticket knows
        "how often was the whale hall used",
        "how many visitors were in the whale hall",
        "which tickets in the whale hall are open",  # the hall is a place, and nothing is part of these tickets
        "who does not work on the scaffold permit",
        "who works in the whale hall",
        "who is responsible for the skylights",
        "is the whale hall late?",  # which two titles name in passing
        "is the whale open",
        "who is assigned to MUS-2 and to the scaffold permit",
    ],
)
def test_what_may_be_meant_is_not_guessed(question: str) -> None:
    assert _read(question) == ""


def test_of_several_all_are_known() -> None:
    meant = tickets_meant("who is assigned to the audio guide", NAMES, FACTS, TODAY)
    assert meant is not None and set(meant.keys) == {"MUS-2", "MUS-3"} and not meant.is_certain


def test_one_word_of_a_long_title_is_no_name() -> None:
    assert not any(one.is_certain for one in find_described("who is assigned to the hall", NAMES, FACTS))


def test_two_words_out_of_a_long_title_are_a_guess() -> None:
    meant = tickets_meant("what blocks the brass microphones", NAMES, FACTS, TODAY)
    assert meant is None or not meant.is_certain
    meant = tickets_meant("what blocks the brass band", NAMES, FACTS, TODAY)
    assert meant is not None and meant.keys == ("MUS-6",) and not meant.is_certain


def test_an_epic_is_called_by_words_of_its_title() -> None:
    assert ticket_called("families home", FACTS, "epic") == "MUS-9"
    assert ticket_called("audio guide", FACTS) == ""
    assert ticket_called("skylights", FACTS, "epic") == ""
