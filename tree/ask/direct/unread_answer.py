"""What could not be read: all of it where it is asked for, and a file that a question names."""

from __future__ import annotations

import re

from prompts.extractive import as_text
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.nearby import Unread, unread_documents
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.understand import Understanding
from tree.retrieve.index_entries import as_name

MOST_LISTED = 20
_NOT = r"(?:could|can|were|was|are|is|did|do)(?: not|n['’]?t)|cannot|can['’]t|(?:could|can|did|do) (?:you|we) not"
_UNREAD = regex(
    r"\W*(?:(?:which|what|list|show(?: me)?|are there|is there)\b(?: (?:all|any|the|of|our|your|my))*(?: (?:files?|documents?|docs|pages|pdfs?))?"
    rf"(?: (?:that|which|there))*(?: (?:you|we))? (?:(?:{_NOT})(?: (?:you|we))?(?: be)? (?:read|opened|open|readable|indexed)"
    r"|(?:is|are|was|were) (?:unreadable|unread)|(?:failed|fails?) to be read)|(?:unreadable|unread) (?:files|documents))(?: by (?:you|the app))?\W*",
    re.IGNORECASE,
)


def answer_unread(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for what could not be read; None for any other question."""
    if _UNREAD.fullmatch(understanding.text) is None:
        return None
    found = unread_documents(snapshot)
    names = {source_id: source.name for source_id, source in snapshot.sources.items()}
    which = "1 document" if len(found) == 1 else f"{len(found):,} documents"
    step = Step("register", "", "", f"{which} that could not be read", reason="What every source could not read is kept.")
    if not found:
        return DirectAnswer(step, (Line("**Every document** that was found could be read."),))
    lines = [Line(f"**{which}** could not be read:\n")]
    for one in found[:MOST_LISTED]:
        lines.append(Line(f"\n- **{as_text(one.title)}** ({as_text(names[one.source_id])}): {as_text(one.reason)}"))
    if len(found) > MOST_LISTED:
        lines.append(Line(f"\n\n… and {len(found) - MOST_LISTED:,} more."))
    return DirectAnswer(step, tuple(lines), is_list=True)


def named_unread(snapshot: Snapshot, understanding: Understanding) -> Unread | None:
    """A file that the question names, that is there and was never read."""
    if not understanding.analysis.files or understanding.named:
        return None
    asked = {as_name(file.rpartition("/")[2]) for file in understanding.analysis.files}
    return next((one for one in unread_documents(snapshot) if as_name(one.title) in asked), None)
