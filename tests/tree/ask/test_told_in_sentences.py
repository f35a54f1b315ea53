"""How something is done is told in sentences too: below a heading, behind a label, in one sentence, or as one step of a procedure."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following

FILES = {
    "workshop.md": """# Workshop of the print museum

The keys hang with Ottilie.

## Jammed roller

Pull the red cord. Lift the roller with both hands and take out the sheet. Wipe it with a dry cloth before you let go.

## Ink runs dry

Fill the well to the second line. Never mix two blacks.

## Frozen lock

Do not use force. Warm the key with a lighter, then turn it slowly.

## Opening hours

The workshop is open from ten to four. Groups come in the morning.
""",
    "press.md": """# Platen press (the large one), hall 2

## Switching off

Bring the wheel to rest, set the lever to neutral and hang the cover over the bed. Wait until the lamp is out.

## Casting

1. Heat the pot to the first mark.
2. Skim the metal, see the chart. Level the mould with `caliper --zero <mould>` before the first line.
3. Cast ten lines and look at them.
""",
    "NOTES on the folding machine.txt": """FOLDING MACHINE - notes by Ruben
hall 1

1. STARTING
Oil the two cups. Turn the wheel once by hand.

2. LEAVING
Brake on, belt off, dust the feed board. Never leave paper in it. Write the hours into the book.

3. WHO
Ruben and Ines.
""",
    "desk.md": """# Questions at the front desk

**A visitor has lost a cloakroom tag.** Ask for the name and the colour of the coat, and let them describe one thing in a pocket.

**How does one get a certificate afterwards?** At certificates.museum.example, with the day and the number of the ticket.

**Who pays for breakage?** The insurance does.
""",
    "guides.md": """# Becoming part of the team

## The way to your first tour

1. Fill in the sheet and hand it to Ottilie.
2. Walk along on three tours of others.
3. Give a tour with Ruben beside you. If it went well you get the status "guide".

## Rota

Swaps: settle it with each other, tell Ottilie, change the sheet. In this order.

## The first days

Get a coat from the store. Set up your locker with the code on the card in your envelope. It holds two coats.
""",
    "privacy.md": """# What we keep of visitors

## Requests of visitors

A visitor may ask what pictures we hold of her. Such a request goes to pictures@museum.example and is answered in three weeks.

## Requests of newspapers

Only in writing. Ottilie decides.
""",
} | {f"diary/{number}.md": f"# Day {number}\n\nThe hall was swept. Visitors: {number}0. Leave at four.\n" for number in range(12)}  # fmt: skip


@pytest.fixture(scope="module")
def museum(tmp_path_factory):
    following = Following(tmp_path_factory.mktemp("museum"))
    for path, text in FILES.items():
        following.write(path, text)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("the roller is jammed, what should I check?", "Pull the red cord."),
        ("How do I unjam a roller?", "Pull the red cord."),
        ("a lock is frozen. steps?", "Do not use force."),
        ("what do I do when the ink runs dry", "Fill the well"),
        ("steps to shut down the platen press properly", "Bring the wheel to rest"),
        ("How do I turn off the platen press?", "Bring the wheel to rest"),
        ("How do I leave the folding machine at the end of a day?", "Brake on, belt off"),
        ("a visitor lost her cloakroom tag, what now?", "A visitor has lost a cloakroom tag"),
        ("How can a visitor get a certificate later on?", "How does one get a certificate afterwards"),
        ("I want to swap my tour, what are the steps?", "Swaps: settle it with each other"),
        ("how do I set up my locker as a new guide", "Set up your locker with the code"),
        ("A visitor asks what pictures we hold of her. How do we handle that?", "A visitor may ask what pictures"),
    ],
)
def test_what_is_told_in_sentences_comes_first_and_is_not_called_answered(museum, question: str, first: str) -> None:
    answer = museum.ask(question)
    lead = answer.text.replace("*", "").replace("\\", "").split("\n\n")[1]
    assert answer.verdict == "partial" and lead.startswith(first), answer.text


def test_the_procedure_that_ends_with_what_somebody_wants_to_become_is_told(museum) -> None:
    answer = museum.ask("How do I become a guide?")
    assert "1. Fill in the sheet" in answer.text.split("More passages")[0] and answer.verdict == "partial", answer.text


def test_of_a_procedure_the_one_step_that_is_asked_for_leads(museum) -> None:
    answer = museum.ask("how do I level the mould?")
    _, step, title, steps, *_ = answer.text.split("\n\n")
    assert step.startswith("Skim the metal") and "Casting" in title and steps.startswith("1. Heat the pot"), answer.text


@pytest.mark.parametrize(
    "question",
    ["How do I jam a roller?", "how do I lock the store", "How do I switch on the platen press?", "How do I become a cleaner?", "how do I set up my desk as a new guide"],
)  # fmt: skip
def test_what_is_told_for_something_else_does_not_lead(museum, question: str) -> None:
    answer = museum.ask(question)
    lead = answer.text.split("\n\n")[1] if "\n\n" in answer.text else ""
    told = ("Pull the red cord", "Do not use force", "Bring the wheel", "1. Fill in the sheet", "Set up your locker")
    assert answer.verdict != "complete" and not lead.startswith(told), answer.text
