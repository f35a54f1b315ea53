"""A decision, and what says whether something is so, stand below what says later that it is cancelled, denied, replaced or on again."""

from __future__ import annotations

import pytest

from tests.ingestion.workspaces import Following
from tests.tree.ask.conftest import answered

DECIDED = """# Yard round 5 October 2026

## Decisions

- We buy the blue dinghy.
- The boat parade is on 12 June 2027.
- Slipway: members only.
"""


@pytest.mark.parametrize(
    ("name", "text", "question", "later"),
    [
        ("chat.txt", "[2026-11-21 09:00] Ida Holm: we do not buy the blue dinghy after all\n", "What did we decide about the blue dinghy?", "after all"),
        ("chat.txt", "[2026-11-20 09:00] Bo Reed: boat parade is cancelled\n", "What was decided about the boat parade?", "is cancelled"),
        ("b.md", "# Yard round 9 November 2026\n\n## Boats\n\nThe blue dinghy is too dear; we rent one instead.\n", "What did we decide about the blue dinghy?", "rent one"),
        ("b.md", "# Yard round 9 November 2026\n\n## Boats\n\nThe blue dinghy is too dear; we rent one instead.\n", "Do we buy the blue dinghy?", "rent one"),
        ("mail.txt", "From: Ida Holm\nTo: all\nDate: Mon, 23 Nov 2026 11:40\nSubject: dinghy\n\nThe blue dinghy is off, we take a raft.\n", "What did we decide about the blue dinghy?", "take a raft"),
    ],
)  # fmt: skip
def test_a_decision_stands_below_what_takes_it_back(docs: Following, name: str, text: str, question: str, later: str) -> None:
    docs.write("a.md", DECIDED)
    assert answered(docs, question).verdict == "complete"
    docs.write(name, text)
    told = answered(docs, question)
    decided = "parade is on" if "parade" in question else "buy the blue"
    assert told.verdict == "partial" and told.text.index(later) < told.text.rindex(decided), told.text


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("the blue dinghy is not insured yet", "What did we decide about the blue dinghy?"),
        ("who brings cake to the boat parade?", "What did we decide about the boat parade?"),
        ("slipway was full, could not get in", "What did we decide about the slipway?"),
        ("slipway: new lamps instead of the torches", "What did we decide about the slipway?"),
        ("the blue dinghy is not insured yet", "Do we buy the blue dinghy?"),
    ],
)
def test_what_else_is_said_later_takes_nothing_back(docs: Following, said: str, question: str) -> None:
    docs.write("a.md", DECIDED)
    docs.write("chat.txt", f"[2026-11-21 09:00] Ida Holm: {said}\n")
    assert answered(docs, question).verdict == "complete"


def test_what_takes_place_again_is_not_told_as_cancelled(docs: Following) -> None:
    first = "# Rounds\n\n## 12 November 2026\n\n- Boat show: cancelled.\n"
    docs.write("rounds.md", first)
    assert answered(docs, "Is the boat show cancelled?").verdict == "complete"
    docs.write("rounds.md", f"{first}\n## 19 November 2026\n\n- Boat show: takes place, in hall 4.\n")
    told = answered(docs, "Is the boat show cancelled?")
    assert told.verdict == "partial" and told.text.index("takes place") < told.text.index("cancelled"), told.text


def test_a_later_decision_in_fewer_words_is_told_too(docs: Following) -> None:
    question = "What was decided about late Thursdays?"
    june = "# Team meeting, 2 June 2026\n\n## Late Thursdays\n\n- Decided: a trial in July, Thursdays open late; under 120 heads on average we stop it.\n"
    docs.write("june.md", june)
    assert answered(docs, question).verdict == "complete"
    september = "# Team meeting, 1 September 2026\n\n## Thursday evenings\n\nThe trial brought 96 heads on average. It was decided not to continue.\n"
    docs.write("september.md", september)
    told = answered(docs, question)
    assert told.verdict == "partial" and told.text.index("not to continue") < told.text.index("in July"), told.text
