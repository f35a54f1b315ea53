"""Questions for mails: which there are, how many, who sent one, when, and what it says.

Such a question is understood only if every word of it is accounted for: by how it is put, a time, whom a mail is from or to, or what it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from prompts.language import STOPWORDS, terms
from prompts.regex import regex
from prompts.timespans import Span, find_span
from tree.ask.facts.ticket_words import NEGATIONS
from tree.ask.understanding.question_forms import readings, whole_questions
from tree.retrieve.names import tokens

Asked = Literal["list", "count", "who", "when", "said"]
LONGEST = 140  # characters of such a question
MOST_WORDS = 6  # terms of what a mail is about

_MAIL = r"(?:e-?mails?|mails?)"
_ORDER = r"(?:(?:last|latest|newest|most recent|first|oldest|earliest) )"
_WHOM = r"(?P<of>[^\n?]{0,120}?)"
_ARTICLE = r"(?:(?:all|any|the|that|this|our|a|an) )*"
_SOMEBODY = rf"(?P<by>(?!{_ARTICLE}{_ORDER}?{_MAIL}\b)[^\n?]{{2,50}}?)"
_FORMS: tuple[tuple[Asked, str], ...] = (
    ("count", rf"how many {_MAIL}(?P<of>[^\n?]{{0,120}}?)"),
    ("who", rf"who (?:sent|wrote|has sent|has written|is the (?:sender|author) of|was the (?:sender|author) of|sent out) {_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM}"),
    ("who", rf"(?:who|from whom) (?:is|was) {_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM} from"),
    ("when", rf"when (?:was|were|did) {_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM}(?: (?:sent|written|come|arrive))?"),
    ("when", rf"when did {_SOMEBODY} (?:send|write) {_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM}"),
    ("when", rf"when did {_SOMEBODY} (?:write|mail|e-?mail)(?: (?:us|me|everyone|everybody|all))? (?:about|on|regarding) (?P<about>[^\n?]{{2,80}}?)"),
    ("said", rf"what (?:did|does|has) {_SOMEBODY} (?:write|written|say|said|tell us|mail|e-?mail)(?: to us)? in (?:(?:his|her|their) {_ORDER}?|{_ARTICLE}{_ORDER}?){_MAIL}\b{_WHOM}"),
    ("said", rf"what (?:did|does|has) {_SOMEBODY} (?:write|written|mail|e-?mail)(?: (?:us|me|to us))? (?:about|on|regarding) (?P<about>[^\n?]{{2,80}}?)"),
    ("said", rf"what (?:does|did) {_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM} say"),
    ("said", rf"what(?: is|['’]s| was|s| stands| stood) (?:in|said in|written in) {_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM}"),
    ("said", rf"what (?:does|did|is in|was in) {_SOMEBODY}['’]s? {_ORDER}?{_MAIL}\b{_WHOM}(?: say)?"),
    ("list", rf"(?:(?:which|what|list|show(?: me)?|give me|find|search|is there|are there|was there|do we have|have we got|did we get) )?{_ARTICLE}{_ORDER}?{_MAIL}\b{_WHOM}"),
)  # fmt: skip
_PATTERNS = whole_questions(_FORMS)
_HAS_MAIL = regex(r"mail|\b(?:wrote|write|written)\b", re.IGNORECASE)
_LAST = regex(rf"\b(?:last|latest|newest|most recent) (?={_MAIL}\b)", re.IGNORECASE)
_FIRST = regex(rf"\b(?:first|oldest|earliest) (?={_MAIL}\b)", re.IGNORECASE)
_TO_THE_END = r"(?P<said>.{1,80}?)(?= (?:from|by|to|about|on|regarding|concerning|did|has|was|were|is|are|in)\b|\Z)"
_PARTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("", regex(r" ?(?:are there|is there|do we have|have we(?: got)?|did we (?:get|have|receive)|(?:have |were |was |has |is )?(?:been )?(?:sent|written|received)|(?:that )?came(?: in)?|we (?:got|have|received))\b")),
    ("from", regex(r" ?(?:did|has|have|that|which) (?P<said>\S.{0,48}?) (?:sen[dt]|wr[oi]te|written|mail(?:ed)?)\b")),
    ("from", regex(rf" ?(?:(?:sent|written) )?(?:from|by) {_TO_THE_END}")),
    ("to", regex(rf" ?(?:(?:sent|written|went) )?to {_TO_THE_END}")),
    ("about", regex(r" ?(?:is |are |was |were )?(?:about|on|regarding|concerning|re|called|titled|with the (?:subject|title)|(?:that )?mentions?|(?:that )?mentioning) (?P<said>.{2,80}?)(?= (?:from|by|to|did|was|were)\b|\Z)")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MailQuestion:
    """Whom a mail is from and to, in the words of the question (folded), and the terms of what it is about; empty for any."""

    asked: Asked
    sender: tuple[str, ...] = ()
    recipient: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    words: str = ""  # what it is about, as written
    is_title: bool = False  # these words can only be the subject of one: "the mail Roof of the barn"
    span: Span | None = None
    is_last: bool = False
    is_first: bool = False
    names_mail: bool = True  # the question says "mail"


def read_mail_question(text: str, today: date) -> MailQuestion | None:
    """None where it asks for something else, or says more than this can."""
    if len(text) > LONGEST or _HAS_MAIL.search(text) is None:
        return None
    return next(readings(_PATTERNS, text, lambda asked, match: _read(asked, match, today)), None)


def _read(asked: Asked, match: re.Match[str], today: date) -> MailQuestion | None:
    groups = match.groupdict()
    rest = f"{groups.get('of') or ''} about {groups['about']}" if groups.get("about") else groups.get("of") or ""
    span = find_span(rest, today)
    rest = f"{rest[: span.start]} {rest[span.end :]}" if span is not None else rest
    rest = re.sub(r"\b(?:in|on|of|from|since|during|sent|written)\s*\Z", "", rest.strip()) if span is not None else rest
    parts = list(_parts(" ".join(rest.split())))
    by = [("from", groups["by"])] if groups.get("by") else []
    sender = _names(said for kind, said in (*by, *parts) if kind == "from")
    recipient = _names(said for kind, said in parts if kind == "to")
    words = " ".join(said for kind, said in parts if kind in ("about", "title"))
    about = tuple(dict.fromkeys(terms(words)))
    is_named = not any(token.folded in NEGATIONS for token in tokens(words)) and bool(about) == bool(words)
    if sender is None or recipient is None or not is_named or len(about) > MOST_WORDS:
        return None
    text = match.string
    is_last, is_first = _LAST.search(text) is not None, _FIRST.search(text) is not None
    is_title, names_mail = any(kind == "title" for kind, _ in parts), "mail" in text.casefold()
    return MailQuestion(asked, sender, recipient, about, words, is_title, span, is_last, is_first, names_mail)


def _parts(rest: str) -> Iterator[tuple[str, str]]:
    """What stands behind the mail that is asked for, piece by piece: ("from", "Ada Holm"), ("about", "the roof"); ("title", all from where
    it is none of these on)."""
    at, low = 0, rest.casefold()
    while at < len(rest.rstrip()):
        found = next(((kind, match) for kind, pattern in _PARTS if (match := pattern.match(low, at)) is not None), None)
        if found is None:
            yield "title", rest[at:].strip()
            return
        kind, match = found
        if kind:
            yield kind, rest[match.start("said") : match.end("said")]
        at = match.end()


def _names(said: Iterator[str]) -> tuple[str, ...] | None:
    """The words of a name, folded; None where it is none: "not Ada", "whom"."""
    words = tuple(token.folded for one in said for token in tokens(one))
    if any(word in NEGATIONS or word in ("who", "whom", "and", "or") for word in words):
        return None
    return tuple(word for word in words if word not in STOPWORDS)
