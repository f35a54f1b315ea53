"""Questions of people for what is theirs: "my open tickets", "what is assigned to me", "what did I finish last week".

Whoever asks is known by the name they are signed in with; it is taken for a person of the sources only where it is the name of
one there.
"""

from __future__ import annotations

import re

from prompts.regex import regex
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.fact_index import TICKET
from tree.retrieve.names import tokens

_STATES = r"(?:open|overdue|unresolved|unfinished|closed|done|finished|resolved|blocked|urgent|new|current|own|high|low|priority)"
_MINE = regex(
    rf"\bmy (?P<states>(?:{_STATES} ){{0,3}})(?P<noun>tickets|issues|tasks|to-?dos|bugs|stories|cards|work items|assignments|work)\b(?! items)",
    re.IGNORECASE,
)
# A question for a list or a number of them, and no other that says "my": "can I close my own tickets?" asks for a rule.
_ASKS = regex(
    r"\A\W*(?:(?:and|so|hi|hello|please|now),? )?(?:what|which|show|list|give me|tell me|how many|count|are|is (?:any|every|one)|do i (?:still )?have(?! to\b)|have i got|any|all|everything|tickets|issues|bugs|my)\b"
    r"(?! (?:happens|happened|if|(?:should|must)(?! i (?:do|work)\b)|can|may|time)\b)",
    re.IGNORECASE,
)
_HAVE = regex(
    rf"\b(?:do i have|have i got|do i still have)(?: any)? (?P<states>(?:{_STATES} ){{0,3}})(?P<noun>tickets|issues|tasks|to-?dos|bugs|stories|work)\b",
    re.IGNORECASE,
)
_ANY_KIND = regex(r"(?:tasks?|to-?dos?|work items?|assignments?|work)\Z", re.IGNORECASE)  # not only those of the type "task"
_WHAT_ARE = regex(r"\A(\W*(?:and )?)(?:what(?:['’]s| is| are)|which are|show(?: me)?|list|give me)(?: all)?(?: of)? (?=(?:\w+ ){0,3}\w+ assigned to)", re.IGNORECASE)  # fmt: skip
_SAID: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (regex(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\bwhat(?:['’]?s| is| are)? (?:currently |now )?assigned to me\b", "which tickets are assigned to {who}"),
        (r"\b(?:assigned|given) to me\b", "assigned to {who}"),
        (r"\b(?:created|raised|opened|filed|reported) by me\b", "reported by {who}"),
        (r"\b(?P<things>tickets|issues|bugs|tasks) (?:that |which )?(?:i(?:['’]ve| have| had)?|did i|have i) (?:created|raised|opened|filed|reported|report|create|raise|open|file)\b", r"\g<things> reported by {who}"),
        (r"\b(?P<things>tickets|issues|bugs|tasks) (?:that |which )?(?:i|do i) (?:have|own|work on|am working on)\b", r"\g<things> assigned to {who}"),
        (r"\bwhat am i (?:working on|doing|busy with|responsible for)\b", "what is {who} working on"),
        (r"\bwhat(?:['’]?s| is) on my plate\b", "what is {who} working on"),
        (r"\A(?P<before>\W*(?:and )?)what (?:do i (?:still )?(?:have|need) to (?:do|work on)(?: next| now| today)?|(?:should|must) i (?:work on(?: next| now| today)?|do next))(?=\W*\Z)", r"\g<before>what is {who} working on"),
        (r"\bwhat (?P<did>did|have) i (?P<act>finish(?:ed)?|close[d]?|resolve[d]?|complete[d]?|(?:get|got) done)\b", r"what \g<did> {who} \g<act>"),
        (r"\b(?:which|what) team am i (?:in|on)\b", "which team is {who} in"),
    )
)  # fmt: skip


def of_asker(question: str, snapshot: Snapshot) -> str | None:
    """The question with the name of whoever asks; None where it asks for nothing of theirs, or they are nobody known."""
    if not asks_for_own(question) or not (who := _known_as(snapshot)):
        return None
    text = _HAVE.sub(lambda match: f"are any {_things(match['states'], match['noun'])} assigned to {who}", question)
    text = _MINE.sub(lambda match: f"{_things(match['states'], match['noun'])} assigned to {who}", text)
    if text != question:
        text = _WHAT_ARE.sub(r"\1which ", text)
    for pattern, put in _SAID:
        text = pattern.sub(put.replace("{who}", who.replace("\\", "")), text)
    return text


def asks_for_own(question: str) -> bool:
    patterns = (_MINE, _HAVE, *(pattern for pattern, _ in _SAID))
    return _ASKS.match(question) is not None and any(pattern.search(question) for pattern in patterns)


def is_asker_unknown(snapshot: Snapshot) -> bool:
    """Whether there are tickets of people, and nobody knows which of them asks."""
    return not _known_as(snapshot) and snapshot.index.facts(snapshot.scope).holds_any(TICKET, ("assignee",))


def _things(states: str, noun: str) -> str:
    if not _ANY_KIND.match(noun):
        return f"{states}{noun}"
    return f"{states or 'open '}tickets"


def _known_as(snapshot: Snapshot) -> str:
    """The one person of the sources with the name of whoever asks; empty where there is none, or there are several."""
    found = tokens(snapshot.asked_by)
    mentions = snapshot.index.names(snapshot.scope).find(found)
    is_whole = len(mentions) == 1 and mentions[0].last - mentions[0].first == len(found)
    if not is_whole or "person" not in mentions[0].objects:
        return ""
    full = [name for name in mentions[0].names if " " in name]
    return snapshot.asked_by if len(found) > 1 or len(full) == 1 else ""
