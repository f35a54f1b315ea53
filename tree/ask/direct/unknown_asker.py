"""Questions for what is one's own by somebody whom the sources do not know: told of everybody they would be answered wrongly."""

from __future__ import annotations

from prompts.extractive import as_text
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.understanding.own_tickets import asks_for_own, is_asker_unknown
from tree.ask.understanding.understand import Understanding

NOT_THERE = "Nobody in these sources is called “{name}”, as you are signed in, so I do not know which tickets are yours. {ask}"
NOT_SIGNED_IN = "Nobody is signed in here, so I do not know which tickets are yours. {ask}"
ASK = "Ask with the name that the tickets use."


def answer_unknown_asker(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    if not asks_for_own(understanding.question) or not is_asker_unknown(snapshot):
        return None
    said = NOT_THERE if snapshot.asked_by else NOT_SIGNED_IN
    return DirectAnswer(None, (Line(said.format(name=as_text(snapshot.asked_by), ask=ASK)),), "none")
