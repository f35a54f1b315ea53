"""Why something is so is told by the reason for it, and not by one for something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

RECORDS = """# Decision records

All of them are in one file, because nobody opened the folder.

## 014: one slate for each boat

Status: accepted

Each boat has its own slate in the shed. Reasons: a boat that leaves can take its slate along; a wrong line shows nobody else's catch.

Alternatives considered: one slate for all (rejected, because the chalk runs out); a book for each boat (rejected, too wet).

## 021: replace Herring with a board in the hall

Status: accepted

Messages go to a board in the hall. Herring is switched off once both crews have moved.

Why: three of the last seven mishaps had to do with Herring, and only Per could mend it.

Consequences: the north crew moves first.
"""
MINUTES = """# Minutes, 2026

## Meeting of 17 September 2026

1. **Saturday counter.** Trial: the counter is open on Saturdays until the end of November.
2. **Windows.** To be done in summer, because the hall is in use before.

## Meeting of 12 November 2026

1. **Saturday counter.** Ended with 28 November; on average four people came each Saturday.
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    following = Following(tmp_path_factory.mktemp("reasons"))
    following.write("records.md", RECORDS)
    following.write("minutes.md", MINUTES)
    following.sync()
    yield following
    following.workspace.close()


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Why did we move away from Herring?", "only Per could mend it"),
        ("why a slate for each boat", "a boat that leaves can take its slate along"),
        ("Why was the Saturday counter given up?", "four people came"),
        ("Why was one slate for all rejected?", "the chalk runs out"),
    ],
)
def test_the_reason_for_what_is_asked_leads(office: Following, question: str, reason: str) -> None:
    told = office.ask(question)
    assert told.verdict != "none" and reason in told.text.removeprefix("Passages that may help:\n\n").partition("\n\n")[0]


PAGE = """# Yard house

The heating is off because the boiler leaks. We use Kestrel because it needs no server.

We have a ramp because the door is high.
"""


@pytest.mark.parametrize(
    "question",
    ["Why is the heating off?", "Why do we use Kestrel?", "Why do we have a ramp?", "Why have we got a ramp?"],
)
def test_a_reason_for_what_is_asked_of_one_thing(docs: Following, question: str) -> None:
    docs.write("house.md", PAGE)
    assert answered(docs, question).verdict == "complete"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Why was the winch down?", "- Winch: the new rope is ordered because the old one is loud.\n"),
        ("Why do we use Heron?", "- Heron: we leave it in January because the hoster ends the service.\n"),
        ("Why do we have a kiln?", "- Kiln: moved to the hall because the loft is being painted.\n"),
        ("Why Heron?", "- Heron: we leave it in January because the hoster ends the service.\n"),
        ("Why is the winch slow?", "- The winch is new because the old one was slow.\n"),
        (
            "Why did Harrow & Pell resign from the barn lease?",
            "The barn will be let again in spring because Harrow & Pell have resigned from the lease.\n",
        ),
        ("Why is the kiln off?", "- Kiln: the valve is new because the old one went off at night.\n"),
    ],
)
def test_a_reason_for_something_else_of_that_thing_is_none(docs: Following, question: str, text: str) -> None:
    docs.write("round.md", f"# Yard round 12 November 2026\n\n{text}")
    assert answered(docs, question).verdict != "complete"


def test_a_reason_below_its_heading_needs_no_predicate(docs: Following) -> None:
    docs.write("heron.md", "# Heron\n\n## Reasons\n\n- Heron was taken because two people can run it.\n")
    assert answered(docs, "Why do we use Heron?").verdict == "complete"
    assert answered(docs, "Why is Heron taken?").verdict == "complete"
