"""A procedure is found by what it is called in other words than it is asked for in, and none is told for something else."""

from __future__ import annotations

import pytest

from prompts.extractive.listed_steps import listed_steps, says_to_do
from prompts.extractive.nearest import name_of
from prompts.question import analyse
from tests.ingestion.workspaces import Following

KEEPER = """# Handbook of the lighthouse

## 1 Watches

Two keepers share each night. Blankets are washed on Mondays.

## 2.1 Lantern key lost or stolen

1. Phone the harbour master, pier 3, at any hour.
2. Put the spare padlock on the gallery door.
3. Write two lines into the red book.

## Trading a watch

1. Ask on the slate who is free.
2. Both write their names below it.
3. Tell the harbour master two days before.
"""
QUESTIONS = """# Questions about the boathouse

Started by Ove.

### Who paints the hulls?
The yard does, each spring.

### How do I book the steam kiln?
1. Look on the board whether the week is free.
2. Write boat and length of the planks below it.
3. Sanna signs it. Not signed, not booked.

### What do I do with stale varnish?
Only for tins, not for drums:
1. Put the tin on the grey shelf.
2. Write the batch on the shelf list.
3. The yard fetches it on Thursdays.

## If the kiln does not get hot

- Open the second valve.
- Wait for ten minutes, then ring the stoker.

## If the lamp blinks

- **Twice**: change the fuse.
- **Three times**: call the stoker.
"""
PLANKS = """# Planks: seasoning and stacking

## What is a spoiled plank?

Split at the end, blue, or bent by more than a thumb.

## What to do with a spoiled plank

1. Mark both ends with chalk.
2. Carry it to the low rack.
3. Enter it in the timber list.
"""
RETURN = """Return runbook
==============

:Owner: the mate

Steps
-----

1. Hoist the black ball.
2. Turn the winch until the rope is slack.
3. Report to the pier.
"""
KEEL = """KEEL CHECK AFTER GROUNDING  -  how it is done           OV 5/2031

1. Boat with a yellow flag goes to the small slip.
2. Look along the keel with the lamp.
3. Knock out each bolt that is bent.
"""
FAIRWAY = """# Fairway

## Sea trial

Each boat sails to the buoy and back. A boat that touched ground on its trial gets a yellow flag (see keel_check.txt).
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("harbour"))
    for name, text in (
        ("keeper.md", KEEPER),
        ("questions.md", QUESTIONS),
        ("planks.md", PLANKS),
        ("return.rst", RETURN),
        ("keel_check.txt", KEEL),
        ("fairway.md", FAIRWAY),
    ):
        following.write(name, text)
    for number in range(9):
        following.write(f"notes/{number}.md", f"# Note {number}\n\nThe pier was swept on day {number} before the gulls came.\n")
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("somebody pinched things on the ferry and my lantern key got stolen, what do I do now?", ("harbour master", "padlock", "red book")),
        ("I left my lantern key on the ferry!! what do I do now", ("harbour master", "padlock", "red book")),
        ("how can I reserve the steam kiln", ("on the board", "length of the planks", "Sanna signs")),
        ("a plank is bent, what should I do?", ("with chalk", "low rack", "timber list")),
        ("the kiln doesn't get hot, what now?", ("second valve", "ring the stoker")),
        ("what am I supposed to do with stale varnish?", ("not for drums", "grey shelf", "shelf list", "on Thursdays")),
    ],
)  # fmt: skip
def test_all_steps_are_told_in_order_first(harbour, question, steps) -> None:
    text = harbour.ask(question).text.split("More passages")[0]
    assert all(step in text for step in steps), text
    places = [text.index(step) for step in steps]
    assert places == sorted(places) and "1. " in text


def test_the_passage_that_only_points_at_a_page_leads_to_its_steps(harbour) -> None:
    text = harbour.ask("One boat touched ground on its trial this morning. How does it go on with such a boat?").text
    assert text.index("small slip") < text.index("with the lamp") < text.index("is bent")


@pytest.mark.parametrize(
    "question",
    [
        "how do I order a new oar", "how do I swap a sail?", "what do I do if a seal bites me?", "how do I book the slipway hotel?",
        "what's the procedure for a customs form?", "how do I paint the steam kiln?", "how do I lose weight?",
        "what do I do with stale bread?", "the lamp blinks, what now?", "how do I varnish an oar?",
    ],
)  # fmt: skip
def test_steps_of_something_else_are_not_told(harbour, question) -> None:
    answer = harbour.ask(question)
    assert answer.verdict != "complete" and "1. " not in answer.text.split("More passages")[0]


@pytest.mark.parametrize(
    ("name", "file", "question"),
    [
        ("Rollback runbook", "back.md", "the new rig creaks and the mate is afraid, how do we roll back?"),
        ("Rolling back the rig", "rig.md", "how do I do a rollback of the rig"),
    ],
)
def test_what_is_one_word_here_and_two_there_is_the_same(tmp_path, name, file, question) -> None:
    following = Following(tmp_path)
    following.write(file, f"# {name}\n\n## Steps\n\n1. Hoist the black ball.\n2. Slacken the stay.\n3. Report to the pier.\n")
    following.write("rig.csv.md", "# Rigs\n\nThe new rig came in May; the mate likes it. It creaks a little.\n")
    following.sync()
    text = following.ask(question).text
    assert "1. Hoist" in text and text.index("Slacken") < text.index("Report")


def test_a_verb_of_two_words_is_not_answered_for_another_thing(tmp_path) -> None:
    following = Following(tmp_path)
    following.write("rollback.md", "# Rolling back the rig\n\n## Steps\n\n1. Hoist the ball.\n2. Slacken the stay.\n")
    following.write("lamp.md", "# Lamps\n\nThe lamp is lit at dusk.\n")
    following.sync()
    assert following.ask("how do I roll back the lamp?").verdict != "complete"
    assert following.ask("how do I roll back the rig?").verdict == "complete"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What's the way to request that?", "how_to"),
        ("whats the procedure if the tide is late", "how_to"),
        ("the count is wrong, what's the procedure?", "how_to"),
        ("what am I supposed to do with old rope", "how_to"),
        ("what has to happen when a boat leaks", "how_to"),
        ("I can't come on Friday, how does trading work?", "how_to"),
        ("what are the steps after a storm?", "how_to"),
        ("How does bilge pumping work?", "open"),
        ("what is the process called?", "definition"),
    ],
)
def test_a_procedure_may_be_asked_for_in_many_ways(question, kind) -> None:
    assert analyse(question).kind == kind


def test_headings_that_ask_how_or_say_when_have_steps_below() -> None:
    text = "## How do I moor?\n\n1. Throw the line.\n   Twice.\n2. Tie it.\n\nThen go home.\n"
    steps = listed_steps(text, 0, len(text), "How do I moor?", ())
    assert [text[one.start : one.end] for one in steps] == ["1. Throw the line.\n   Twice.", "2. Tie it."]
    assert not listed_steps(text, 0, len(text), "Who moors?", ())
    cases = "## If it leaks\n\n- **At the bow**: pump.\n- **At the stern**: call the mate.\n"
    assert not listed_steps(cases, 0, len(cases), "If it leaks", ())
    assert says_to_do("If it leaks") and not says_to_do("When is high water?") and not says_to_do("When to use it")


def test_a_name_is_asked_by_one_of_its_alternatives() -> None:
    assert len(name_of("3.1 Lantern lost or stolen").needed) == 2
    assert name_of("Rolling back the rig").needed[0] >= {"rollback"}
    assert not name_of("Steps").needed and name_of("Pump (old)").optional


def test_the_name_of_a_file_says_what_its_title_says_in_other_words(tmp_path) -> None:
    following = Following(tmp_path)
    following.write(
        "stores/ordering-howto.md",
        "# How to get a spare oar\n\n## From the loft to your boat\n\n1. Look in the list.\n2. Fill in the blue slip.\n3. Ring the loft.\n",
    )
    following.write("faq.md", "# Questions\n\n**May guests order oars themselves?** Yes, through Per, at the full price.\n")
    following.sync()
    answer = following.ask("How do I order spare oars?")
    assert "1. Look in the list." in answer.text.partition("More passages")[0], answer.text
    following.workspace.close()
