"""Reads one leaf: a summary in its own words, its kinds of content, its actions, decisions, events and subjects."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from math import fsum, sqrt

from prompts.extractive.cues import cued
from prompts.extractive.document_lines import in_one_text, tells_of_document
from prompts.extractive.greetings import may_greet, says_little
from prompts.extractive.passages import Passage, header_rows, headers_of_rows, in_words, passages, shortened
from prompts.extractive.speakers import with_authors, with_speakers
from prompts.extractive.tickets import TICKET, happened, sentences_of, title_of, with_title
from prompts.extractive.types import content_types
from prompts.language import terms
from prompts.phrases import keyphrases
from prompts.records import LeafText, Quote, Reading, SummaryRecord
from prompts.regex import regex

_SENTENCES = 3
_LONGEST_SUMMARY = 520
_LONGEST_QUOTE = 300
_ABOUT = 10
_LEAST_SPOKEN = 5  # terms of a sentence in a conversation that says something
_LIKE = 0.5  # how much of what was chosen already a sentence may repeat

_DANGLING = regex(
    r"(?:it|this|that|these|those|they|he|she|his|her|their|its|such|but|and|so|also|however|therefore|then|or|yes|no|"
    r"ok|okay|hey|hi|hello|thanks|thank|well|yeah|yep|sure|wow|haha|uh|um|hmm|which)\b", re.IGNORECASE
)  # fmt: skip
_NOISE = regex(r"^[\W\d_]*$|^(?:https?://\S+|\w+://\S+)$|\{\{|^\w{1,20}:\s*\S{0,30}$")
_ASIDE = regex(r"(?:attendees|present|participants|links?|references|see also|license|copyright|further reading)\b")
_SPEAKER = regex(r"^[\w .'-]{1,30}: ")


def read(leaf: LeafText) -> Reading:
    found = list(passages(leaf))
    if leaf.kind == TICKET:
        return _read_ticket(leaf, found)
    found = with_speakers(leaf, found)
    summary, quotes = _told_in_short(leaf, found)
    types = content_types(leaf, found)
    is_spoken = any(passage.speaker for passage in found)
    cues = cued(leaf.text, found, code=bool(types) and types[0] in ("source_code", "log"), spoken=is_spoken)
    record = SummaryRecord.model_construct(
        summary=summary,
        quotes=quotes,
        content_types=types,
        critical_actions=cues.actions,
        decisions=cues.decisions,
        events=cues.events,
        about=_about(leaf),
    )
    return Reading(record, leaf.units)


def _told_in_short(leaf: LeafText, found: list[Passage]) -> tuple[str, tuple[Quote, ...]]:
    """A summary, and what it rests on: the sentences that say most, or of a table its columns and how many rows it has."""
    headers = headers_of_rows(leaf, found)
    is_table = bool(headers) and all(p.kind in ("row", "heading") or tells_of_document(p.text) for p in found)
    if not is_table:
        quotes = _quotes(leaf, _telling(leaf, found))
        return in_one_text(quote.text for quote in quotes), quotes
    again = header_rows(found, headers)
    rows = Counter(header for at, header in headers.items() if at not in again).most_common(_SENTENCES)
    columns = tuple(_columns(leaf, found[header]) for header, _ in rows)
    told = (
        f"A table of {f'{count} rows' if count > 1 else 'one row'}: {one.text}."
        for one, (_, count) in zip(columns, rows, strict=True)
    )
    return " ".join(told), columns


def _columns(leaf: LeafText, header: Passage) -> Quote:
    """The names of a table's columns."""
    said = in_words(leaf.text, *shortened(leaf.text, header.start, header.end, _LONGEST_QUOTE))
    return said.model_copy(update={"text": ", ".join(filter(None, map(str.strip, said.text.split("|"))))})


def _quotes(leaf: LeafText, chosen: list[Passage]) -> tuple[Quote, ...]:
    return tuple(in_words(leaf.text, *shortened(leaf.text, p.start, p.end, _LONGEST_QUOTE), p.speaker) for p in chosen)


def _read_ticket(leaf: LeafText, found: list[Passage]) -> Reading:
    """What a ticket is about stands in its title and description, what came of it in its comments and its history."""
    said = sentences_of(leaf, found)
    telling = [p for p in said.description or said.comments if p.kind in ("text", "item") and not _NOISE.match(p.text)]
    quotes = _quotes(leaf, _telling(leaf, telling)) if telling else ()
    title = "" if said.is_continued else title_of(leaf)
    told = happened(leaf)
    both = [*said.description, *with_authors(leaf, said.comments)]
    cues = cued(leaf.text, both, code=False)
    record = SummaryRecord.model_construct(
        summary=in_one_text((title, *(q.text for q in quotes))),
        quotes=quotes,
        content_types=content_types(leaf, both),
        critical_actions=cues.actions,
        decisions=(*(with_title(title_of(leaf), decision) for decision in cues.decisions), *told.decisions),
        events=(*cues.events, *told.events),
        about=tuple(keyphrases("\n\n".join([title, *(leaf.text[p.start : p.end] for p in both)]), _ABOUT)),
    )
    return Reading(record, leaf.units)


def _about(leaf: LeafText) -> tuple[str, ...]:
    return tuple(keyphrases(leaf.text, _ABOUT))


def _telling(leaf: LeafText, found: list[Passage]) -> list[Passage]:
    """The sentences that say most of the text, in order: central, early, near the title, unlike each other."""
    said = [p for p in found if p.kind in ("text", "item") and not _NOISE.match(p.text)]
    if not said:
        said = [p for p in found if p.kind != "heading"] or found
        return _fitting(said[:_SENTENCES])
    greets = may_greet(leaf.text)  # of the whole text at once: most greet nobody
    said = [p for p in said if not ((greets or p.speaker) and says_little(p.text, is_spoken=bool(p.speaker)))] or said
    said = [p for p in said if not tells_of_document(p.text)] or said
    if sum(p.end - p.start for p in said) <= _LONGEST_SUMMARY and len(said) <= _SENTENCES:
        return said
    scores = _scores(leaf, said)
    chosen: list[int] = []
    covered: Counter[str] = Counter()
    room = _LONGEST_SUMMARY
    order = sorted(range(len(said)), key=lambda at: (-scores[at], at))
    for at in order:
        mine = said[at].distinct
        if chosen and mine and sum(1 for term in mine if term in covered) > _LIKE * len(mine):
            continue
        size = min(said[at].end - said[at].start, _LONGEST_QUOTE)
        if chosen and size > room:
            continue
        chosen.append(at)
        covered.update(mine)
        room -= size
        if len(chosen) == _SENTENCES or room < 60:
            break
    return [said[at] for at in sorted(chosen)]


def _fitting(found: list[Passage]) -> list[Passage]:
    kept, room = [], _LONGEST_SUMMARY
    for passage in found:
        kept.append(passage)
        room -= min(passage.end - passage.start, _LONGEST_QUOTE)
        if room < 60:
            break
    return kept


def _scores(leaf: LeafText, said: list[Passage]) -> list[float]:
    """Degree centrality (LexRank's, Erkan and Radev 2004) by the centroid, which makes it linear; plus place and title."""
    names = set(terms(" ".join({passage.speaker for passage in said})))
    own = [passage.distinct - names if names else passage.distinct for passage in said]
    spread = Counter(chain.from_iterable(own))
    count = len(said)
    said_again = {term for term, times in spread.items() if times > 1}  # what one sentence alone says makes none central
    centroid = dict.fromkeys(said_again, 0.0)
    ties: list[tuple[float, frozenset[str]]] = []
    for passage in said:
        norm = 1.0 / sqrt(len(passage.distinct) or 1)
        mine = passage.distinct & said_again
        ties.append((norm, mine))
        for term in mine:
            centroid[term] += norm
    title = set(terms(" ".join(leaf.heading)))
    # `fsum` does not depend on the order of a set, which differs from process to process
    raw = [norm * fsum(map(centroid.__getitem__, mine)) for norm, mine in ties]
    highest = max(raw, default=0.0) or 1.0
    scores = []
    for at, passage in enumerate(said):
        mine = passage.distinct
        shared = len(mine & title) / (len(title) or 1)
        score = raw[at] / highest + 0.5 * min(1.0, shared * 1.5) + 0.45 / (1.0 + at * 8.0 / count)
        if at == 0 and passage.kind == "text":
            score += 0.2
        scores.append(score * _worth(passage, len(own[at])))
    return scores


def _worth(passage: Passage, size: int) -> float:
    """Less for what cannot stand alone."""
    text = passage.text
    if size < 3:
        return 0.2
    worth = 0.6 + 0.08 * min(size, 5)
    bare = _SPEAKER.sub("", text, count=1) if ": " in text[:32] else text
    if _DANGLING.match(bare):
        worth *= 0.6
    if passage.speaker and size < _LEAST_SPOKEN:
        worth *= 0.3
    if bare.endswith("?"):
        worth *= 0.5
    if text.endswith(":"):
        worth *= 0.5
    if passage.kind == "item":
        worth *= 0.9
    if passage.heading and _ASIDE.match(passage.heading):
        worth *= 0.3
    if "://" in text:
        worth *= 0.5
    if text[:1] in "*<[:(@" or text[:2] == "![":
        worth *= 0.7
    if text[:1].islower():
        worth *= 0.85
    return worth if passage.end - passage.start <= _LONGEST_QUOTE else worth * 0.9
