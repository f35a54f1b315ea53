"""Why something is so is told by the reason for it, and not by one for something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingestion.workspaces import Following

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
