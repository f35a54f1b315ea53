"""What "she" or "it" stands for after an answer from texts: who or what its first passage names, where that is one.

The answer itself is trusted with nothing: the text it cites first must stand in the snapshot as it was cited, and have the name.
"""

from __future__ import annotations

import re

from prompts.question import analyse
from prompts.regex import regex
from prompts.sentences import sentences
from tree.ask.facts.answered import is_answered
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.understanding.earlier import Earlier
from tree.ask.understanding.predecessor_questions import asked_of_predecessor
from tree.retrieve.fact_index import folded
from tree.retrieve.names import tokens

_PERSON = regex(r"\b(?P<own>his|hers?(?= [a-z]))\b|\b(?:he|she|him|her)\b", re.IGNORECASE)
_IT = regex(
    r"\b(?P<own>its)\b|\b(?:it|this ticket|that ticket|(?:this|that)(?=\W*\Z| (?:late|overdue|due|done|finished|moved|postponed|delayed)\b))\b"
    r"(?! (?:true|possible|clear|likely|ok|okay|normal|allowed)\b)",
    re.IGNORECASE,
)
_PASSAGE = regex(r"\[1\]")
_BOLD = regex(r"\*\*(.{3,600}?)\*\*", re.DOTALL)
_LABEL = "Passages that may help:"
MAY_BE = "may be this ticket:"  # of a ticket that is told as a guess


def in_full_by_lead(snapshot: Snapshot, question: str, before: Earlier) -> str | None:
    """The question with a name for its pronoun; None where it has none, or the first passage does not say whose it is."""
    is_guess = MAY_BE in before.answer.partition("\n")[0]
    if not before.cited or not before.leaves or analyse(question).keys:
        return None
    names, facts = snapshot.index.names(snapshot.scope), snapshot.index.facts(snapshot.scope)
    if match := _PERSON.search(question):
        people = _people(snapshot, question, before)
        fulls = [_put(one, match, question) for one in people]
        if len(people) > 1:  # whose predecessor is asked for is whoever has one
            return next((full for full in fulls if asked_of_predecessor(full, names, facts) is not None), None)
        name = people[0] if people else None
    elif match := _IT.search(question):
        name = _ticket(snapshot, before)
    else:
        return None
    if name is None:
        return None
    full = _put(name, match, question)
    if is_of_passages(before.answer) or is_guess:
        return full
    # after a sentence that answers "it" may be anything in it
    is_known = is_answered(full, names, facts, today(snapshot)) or asked_of_predecessor(full, names, facts) is not None
    return full if is_known else None


def _lead(snapshot: Snapshot, before: Earlier) -> str:
    """The text that was cited first, where it still stands as it was cited."""
    place = before.cited[0]
    node = snapshot.store.nodes.get(place, snapshot.version)
    if node is None or node.source_id not in snapshot.sources or node.leaf != before.leaves[0]:
        return ""
    leaf = snapshot.store.leaves.get(node.leaf)
    return leaf.text if leaf is not None else ""


def is_of_passages(answer: str) -> bool:
    """Whether an answer is only passages that may help."""
    return answer.startswith(_LABEL)


def may_mean_another(question: str, answer: str) -> bool:
    """Whether what "it" or "that" stands for after an answer is a guess: after passages it may be anything they speak of, where "she"
    is the one person they name."""
    return is_of_passages(answer) and _PERSON.search(question) is None


def _put(name: str, match: re.Match[str], question: str) -> str:
    """The question with a name in place of its pronoun."""
    return f"{question[: match.start()]}{name}{'’s' if match['own'] else ''}{question[match.end() :]}"


def _people(snapshot: Snapshot, question: str, before: Earlier) -> list[str]:
    """Whom the passage that was shown first names, in its order; nobody where the chat says who is meant."""
    names = snapshot.index.names(snapshot.scope)
    if any("person" in one.objects for text in (question, before.question) for one in names.find(tokens(text))):
        return []
    passage = _PASSAGE.split(before.answer.removeprefix(_LABEL), maxsplit=1)[0].replace("\\", "").strip()
    bold = _BOLD.search(passage)
    first = next((passage[start:end] for start, end in sentences(passage)), passage)
    said = bold[1] if bold else first
    text = _lead(snapshot, before)
    found = dict.fromkeys(one.text for one in names.find(tokens(said)) if "person" in one.objects and one.text in text)
    return [
        name
        for name in found
        if not any(folded(name) != folded(other) and folded(name) in folded(other).split() for other in found)
    ]


def _ticket(snapshot: Snapshot, before: Earlier) -> str | None:
    """The key of the ticket that the first passage is of, where the question before named none."""
    if analyse(before.question).keys or not _lead(snapshot, before):
        return None
    place = before.cited[0]
    node = snapshot.store.nodes.get(place, snapshot.version)
    document = snapshot.documents([node]).get((node.source_id, node.document_id or "")) if node is not None else None
    if document is None or document.kind != "ticket":
        return None
    return next(iter(analyse(document.title).keys), None)
