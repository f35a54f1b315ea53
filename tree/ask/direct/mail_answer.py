"""Which mails there are, who sent one and when, and what it says: told from their heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from itertools import chain

from prompts.extractive import as_text
from prompts.extractive.dates import days
from prompts.extractive.no_answers import is_greeting
from prompts.extractive.rendering import body_of, marked
from prompts.language import terms
from prompts.records import Quote
from prompts.sentences import blocks
from tree.ask.facts.told_facts import FactCitations, readable
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.mail_question import MailQuestion, read_mail_question
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import StoredFact, folded
from tree.store.leaves import FILE, Leaf
from tree.store.nodes import Node
from tree.store.places import document_around

MOST_TOLD = 20  # mails that are listed
MOST_READ = 3  # mails whose text is shown
LONGEST_BODY = 1_500  # characters of it
MOST_MENTIONING = 2_000  # leaves with the words that are asked for
_HEAD = ("from", "to", "cc", "date", "subject")


@dataclass(frozen=True, slots=True)
class _Mail:
    """What the head of a mail says."""

    place: str  # of its document
    sent: str  # as ISO 8601
    sender: str
    recipients: str
    subject: str

    @property
    def day(self) -> str:
        return self.sent[:10]

    @property
    def name(self) -> str:
        """Of who sent it: without the address, where there is a name."""
        return self.sender.partition("<")[0].strip(" \"'") or self.sender.strip("<> ")

    @property
    def called(self) -> str:
        return self.subject or "without a subject"


def answer_mails(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for "who sent the mail about the roof?"; None where it asks for something else, or no such mail is known."""
    question = read_mail_question(understanding.text, today(snapshot))
    if question is None:
        return None
    everything = list(_mails(snapshot))
    mails, by_text = _meant(question, everything, snapshot)
    if not mails:
        return None
    cited = _heads(snapshot, mails)
    mails = [one for one in mails if one.place in cited]
    if not mails or (not question.names_mail and by_text):
        return None
    node = cited[mails[0].place][0]
    step = Step("register", node.place, node.hash, node.title, reason="The mails say it at their head.")
    if question.asked == "said":
        lines = tuple(_bodies(mails[:MOST_READ], cited))
        is_one = len(mails) == 1 and not by_text and question.names_mail
        return DirectAnswer(step, lines, "complete" if is_one else "partial")
    is_sure = not by_text or question.asked == "list"
    if question.asked in ("who", "when") and len(mails) == 1:
        return DirectAnswer(step, tuple(_told(1, mails[0], question.asked, cited)), "complete" if is_sure else "partial")
    lead = f"**{len(mails)} {'mails' if len(mails) > 1 else 'mail'}**{_condition(question, by_text, len(mails))}:\n"
    told = chain.from_iterable(
        _told(number, one, "list", cited, is_listed=True) for number, one in enumerate(mails[:MOST_TOLD], 1)
    )
    more = [Line(f"\n\n… and {len(mails) - MOST_TOLD} more.")] if len(mails) > MOST_TOLD else []
    return DirectAnswer(step, (Line(lead), *told, *more), "complete" if is_sure else "partial", is_list=True)


# ---------------------------------------------------------------- the mails


def _mails(snapshot: Snapshot) -> Iterator[_Mail]:
    """All of the scope whose head says from whom and when, the newest first."""
    heads: dict[str, dict[str, str]] = {}
    for place, relation, value in snapshot.index.facts(snapshot.scope).cells(FILE, _HEAD):
        heads.setdefault(place, {}).setdefault(relation, value)
    found = [
        _Mail(place, sent, head["from"], f"{head.get('to', '')} {head.get('cc', '')}", head.get("subject", ""))
        for place, head in heads.items()
        if "from" in head and (sent := _sent(head.get("date", "")))
    ]
    yield from sorted(found, key=lambda one: (one.sent, one.place), reverse=True)


def _sent(said: str) -> str:
    """The time in the date of a head, or its day, as ISO 8601 by the clock of whoever sent it; empty where it is none."""
    try:
        return parsedate_to_datetime(said).isoformat()
    except (TypeError, ValueError):  # as an export writes it: "3 November 2026"
        return str(max(days(said), default=""))


def _meant(question: MailQuestion, mails: Sequence[_Mail], snapshot: Snapshot) -> tuple[list[_Mail], bool]:
    """Those that are asked for, the newest first, and whether only their text says what they are about, and not their subject."""
    found = [one for one in mails if _has_all(one.sender, question.sender) and _has_all(one.recipients, question.recipient)]
    if question.span is not None:
        found = [one for one in found if question.span.has(one.day)]
    by_text = False
    if question.about:
        called = [one for one in found if set(question.about) <= set(terms(one.subject))]
        by_text = not called and not question.is_title
        found = called or (_mentioning(question.about, found, snapshot) if by_text else [])
    if question.is_last or question.is_first:
        found = found[:1] if question.is_last else found[-1:]
    return found, by_text


def _has_all(said: str, names: Sequence[str]) -> bool:
    return set(names) <= set(folded(said).split())


def _mentioning(about: Sequence[str], mails: Sequence[_Mail], snapshot: Snapshot) -> list[_Mail]:
    places = snapshot.index.with_all([[term] for term in about], snapshot.scope, MOST_MENTIONING) or []
    documents = set(map(document_around, places))
    return [one for one in mails if one.place in documents]


# ---------------------------------------------------------------- telling

_Cited = dict[str, tuple[Node, Leaf, Quote]]


def _heads(snapshot: Snapshot, mails: Iterable[_Mail]) -> _Cited:
    """The leaf of each with the head, and the head, by the place of the document."""
    facts = snapshot.index.facts(snapshot.scope).of_things([one.place for one in mails], FILE)
    stated: dict[str, list[StoredFact]] = {}
    for fact in facts:
        if folded(fact.fact.relation) in _HEAD and fact.fact.end:
            stated.setdefault(document_around(fact.place), []).append(fact)
    cited = FactCitations(snapshot.store, snapshot.version).cite(chain.from_iterable(stated.values()))
    found: _Cited = {}
    for place, some in stated.items():
        here = [fact.fact for fact in some if fact.place == some[0].place]
        if some[0].place in cited:
            node, leaf = cited[some[0].place]
            start, end = min(fact.start for fact in here), max(fact.end for fact in here)
            found[place] = node, leaf, Quote(text=" ".join(leaf.text[start:end].split()), start=start, end=end)
    return found


def _told(number: int, mail: _Mail, asked: str, cited: _Cited, *, is_listed: bool = False) -> Iterator[Line]:
    day, who, called = readable(mail.day), as_text(mail.name), as_text(mail.called)
    said = {
        "who": f"**{who}** sent “{called}” on {day}",
        "when": f"**{day}**: “{called}”, from {who}",
        "list": f"**{day}**, {who}: {called}",
    }[asked]
    node, leaf, quote = cited[mail.place]
    mark = "\n- " if is_listed else ""
    yield Line(f"{mark}{said} [{number}]", number, node, leaf, quote)


def _bodies(mails: Sequence[_Mail], cited: _Cited) -> Iterator[Line]:
    for number, mail in enumerate(mails, 1):
        node, leaf, head = cited[mail.place]
        gap = "\n\n" if number > 1 else ""
        lead = f"{gap}{as_text(mail.name)} wrote on {readable(mail.day)}, “{as_text(mail.called)}”:"
        paragraphs = _paragraphs(leaf.text, head.end)
        if not paragraphs:
            yield Line(f"{lead} nothing below its head [{number}]", number, node, leaf, head)
            continue
        quotes = [Quote(text=" ".join(leaf.text[first:last].split()), start=first, end=last) for first, last in paragraphs]
        whole = Quote(text=" ".join(quote.text for quote in quotes), start=quotes[0].start, end=quotes[-1].end)
        said = "\n\n".join(body_of(leaf.as_read(), quote, "") for quote in quotes)
        yield Line(f"{lead}\n\n{marked(said, number)}", number, node, leaf, whole)


def _paragraphs(text: str, start: int) -> list[tuple[int, int]]:
    """Where the paragraphs and lists below the head of a mail begin and end, without greetings, as far as they are shown."""
    found: list[tuple[int, int]] = []
    for first, last, _ in blocks(text):
        if first < start or is_greeting(text[first:last].strip()):
            continue
        if found and last > found[0][0] + LONGEST_BODY:
            break
        if found and "\n\n" not in text[found[-1][1] : first]:  # an item of the same list
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def _condition(question: MailQuestion, by_text: bool, number: int) -> str:
    """By what the mails were chosen: " from Ada about the roof, since 1 May"."""
    mention = "that mention" if number > 1 else "that mentions"
    parts = [
        f" from {as_text(' '.join(question.sender).title())}" if question.sender else "",
        f" to {as_text(' '.join(question.recipient))}" if question.recipient else "",
        f" {mention if by_text else 'about'} “{as_text(question.words)}”" if question.about else "",
        f", {as_text(question.span.words)}" if question.span is not None else "",
    ]
    return "".join(parts)
