"""The blocks of a text (paragraphs, items, rows, code) and its sentences, as every part of the app cuts them, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal

from prompts.language import terms
from prompts.months import DAY_OF_MONTH, MONTH, WEEKDAY_BEFORE
from prompts.regex import regex
from prompts.text_lines import line_end

_LONGEST_SENTENCE = 700
_LONGEST_ROW = 400
_LONGEST_CODE = 1_200  # a fence of code is one sentence up to here: half of it says nothing
_LONGEST_TERM = 60  # of a list of definitions
_LONGEST_STAMP = 24  # of when something was said

_HEADING = regex(r"[ \t]{0,3}#{1,6}[ \t]+")
_ITEM = regex(
    r"[ \t]*(?:[-*+\u2022\u2023\u25aa\u25cf\u2013][ \t]+(?:\[[ xX]\][ \t]+)?|\(?\d{1,3}[.)][ \t]+|\(?[a-z][.)][ \t]+(?=\S))"
)
COUNTED = regex(r"(?P<number>\d{1,2})[ \t]+(?=[^\W\d])")  # an item of a list whose numbers have no dot: "2 open the flap"
_REST = r"[^\n]*+\n(?:[ \t]*+(?!\d)[^\n]*+\n){0,3}+[ \t]*+"  # of an item: its line, and those that go on with it
_FIRST_THREE = regex(  # what such a list begins with: a number alone may count anything
    rf"1[ \t]+[^\W\d]{_REST}2[ \t]+[^\W\d]{_REST}3[ \t]+[^\W\d]"
)
_DATED = regex(  # an entry of a list of days: "11 January ring comes"
    rf"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{{0,6}},? )?(?:\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{MONTH})\b\.?|\d{{4}}-\d\d-\d\d\b|\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d\d)?(?=[\s:]))",
    re.IGNORECASE,
)
_WEEKDAYS = frozenset(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
_NEXT_LINE = regex(r"[^\n]*\n[ \t]*(?=\S)")
_ADDRESSES = regex(r"\[[^\]\s][^\]]{0,80}\]: \S+\Z")  # "[name]: https://...": not read, only referred to
_SAYS = regex(r"[A-Z][\w.'-]{0,30}(?: [\w.'-]{1,20}){0,2}: ")  # who speaks, or a field: never the middle of a sentence
_SAYS_AT = regex(  # who speaks, behind the time
    rf"[\[(]?(?:{WEEKDAY_BEFORE})?(?:(?:\d{{1,4}}[-./]\d{{1,2}}(?:[-./]\d{{0,4}})?|{DAY_OF_MONTH})[ T,]{{1,2}})?\d{{1,2}}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]?[ \t]{{1,3}}(?:- )?"
    r"[\w@][\w.'’-]{0,30}(?: [\w.'’-]{1,20}){0,2}(?: \([^()\n]{1,20}\))?: "
)
_NAME_WORD = r"[A-ZÀ-Þ][a-zß-ÿ'’-][A-Za-zÀ-ÿ'’-]{0,30}"  # of somebody: "AL-609 ZONE_MISSING" are no two of them
_CONTACT = regex(  # a line of a list of people: "Jane Doe - quality - ext 112"
    rf"{_NAME_WORD} (?:(?:de|van|von|der|la|le|di|da|el|al) )?{_NAME_WORD}(?: {_NAME_WORD})?(?: [-–—] |\t|  +)(?=\S)"
)
_BOLD_LEAD = regex(  # a topic in bold, and what is said of it behind: "**Budget.** Agreed.", "**Lade** – the shop"
    r"(?P<marks>\*\*|__)(?P<topic>[^*_\n]{2,60}?)(?:(?:[.:](?P=marks)|(?P=marks)[.:])(?=\s|\Z)|(?P=marks)(?= [-–—] ))"
)
_MEANS = regex(r"[:\s–—-]*(?:an?|the|our|where|what|when|who|which|any|every|all|short|someone|something)\b")
_ASIDE = regex(  # what announces a note or a warning, without its title: "!!! warning", ":::tip", "> [!NOTE]"
    r"(?:(?:!!!|\?\?\?\+?)[ \t]*[a-z]{2,20}|:::+[ \t]*(?:[a-z]{2,20}\b)?|\[!?(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]"
    r"|\.\. (?:note|tip|hint|important|warning|caution|danger|attention)::)(?:[ \t]+|\Z)"
)
# what reStructuredText says of one thing: a setting, an option, a function; the text below belongs to it like to a heading
_OBJECT = regex(
    r"\.\. (?:[a-z]{1,5}:)?(?:data|confval|setting|option|envvar|function|class|method|attribute|property|exception|module|macro|type|command)::[ \t]+"
)
_FENCES = ("```", "~~~")
_QUOTED = regex(r"[ \t]*>+[ \t]?")
_RULE = regex(r"[ \t]*+(?:[-=_*~^+#.]{3,}+[ \t]*+|\|?[ \t:|+=-]{3,}+)\Z")
_END = regex(  # one set of characters first: that is what `re` looks for fast
    r"[.!?\u2026\u3002\uff01\uff1f](?:"
    r"(?<=[.!?\u2026])(?<![.!?\u2026].)[.!?\u2026]*+[\"'\u201d\u2019)\]*_]{0,3}(?=\s++[\"'\u201c\u2018(\[*_`]{0,3}[^\Wa-z_])"
    r"|(?<=[\u3002\uff01\uff1f])[\u3002\uff01\uff1f]*[\u300d\u300f\uff09\u201d]*"
    r"|(?<=[.!?])(?=\s*\Z))"
)
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie cf al fig figs eq no nos vol pp p ch sec inc ltd corp co bros
    dept est approx appt ext tel jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun u.s u.k u.n a.m
    p.m ph.d gen sen rep gov lt col capt sgt rev hon v ed eds op ca resp incl excl ref refs no art ver max min""".split()
)
_GERMAN_MONTH = regex(r" (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")
_INITIALS = regex(r"(?:[a-z]\.)+[a-z]\Z")
_BEFORE = regex(r"[^\s(\[\"']{1,12}\Z")


RANGE = " \u2026 "  # between the first and the last section of a leaf, in its name
BEGINNING = "Beginning"  # in that, of a document or a heading: what stands before its first heading
BlockKind = Literal["text", "heading", "item", "row", "code"]
TEXTS_KEPT = 64  # of which the spans are remembered: one question looks at the same passages several times


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand: spans without markers and outer white space, in order, never overlapping.

    Headings, list items and table rows are sentences of their own; wrapped lines are joined; the lines of a fence stay
    together, blank ones too.
    """
    return [(start, end) for start, end, _ in sentences_by_kind(text)]


@lru_cache(TEXTS_KEPT)
def sentences_by_kind(text: str) -> tuple[tuple[int, int, BlockKind], ...]:
    """The same spans, each with the kind of block it stands in."""
    found: list[tuple[int, int, BlockKind]] = []
    for start, end, kind in blocks(text):
        if kind == "code" or kind == "row":
            longest = _LONGEST_CODE if kind == "code" else _LONGEST_ROW
            found.extend((*span, kind) for span in _limited(text, start, end, longest))
        elif kind == "heading":
            found.extend((*span, kind) for span in _limited(text, start, end, _LONGEST_SENTENCE))
        else:
            found.extend((*span, kind) for span in _cut(text, start, end))
    return tuple(found)


@lru_cache(TEXTS_KEPT)
def terms_by_sentence(text: str) -> tuple[tuple[str, ...], ...]:
    """The terms of each of those sentences."""
    return tuple(tuple(terms(text[start:end])) for start, end, _ in sentences_by_kind(text))


def terms_of_sentences(text: str) -> list[str] | None:
    """The terms of all of a text, put together from those of its sentences; None where something stands between these."""
    if not text.isascii():
        return None
    last = 0
    for start, end, _ in sentences_by_kind(text):
        if not text[last:start].isspace() and start:
            return None
        last = end
    return list(chain.from_iterable(terms_by_sentence(text))) if text[last:].isspace() or last == len(text) else None


@lru_cache(TEXTS_KEPT)
def blocks(text: str) -> tuple[tuple[int, int, BlockKind], ...]:
    """The paragraphs, headings, list items, table rows and pieces of code of a text, without their markers."""
    reading, at, size = _Blocks(text), 0, len(text)
    while at < size:
        stop = line_end(text, at)
        line = text[at:stop]
        reading.read(line.strip(), at + len(line) - len(line.lstrip()))
        at = stop + 1
    reading.close()
    return tuple(reading.found)


class _Blocks:
    """The blocks of a text that were found, and the one that is open; it takes line after line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[tuple[int, int, BlockKind]] = []
        self.start = self.end = -1  # of the paragraph, item or piece of code that is open
        self.kind: BlockKind = "text"
        self.fence = ""
        self.counted = 0  # the number of the item that is open, of a list whose numbers have no dot

    def close(self) -> None:
        if self.start >= 0:
            self.found.append((self.start, self.end, self.kind))
            self.start = -1

    def read(self, bare: str, begins: int) -> None:
        """The next line without its outer white space, and where it begins."""
        first = bare[:1]
        if self.fence or (first in "`~" and bare[:3] in _FENCES):
            self._read_code(bare, begins)
        elif first.isdigit() and (item := counted_item(self.text, begins, self.counted)) is not None:
            self.close()
            self.counted = int(item["number"])
            self.start, self.end, self.kind = item.end(), begins + len(bare), "item"
        else:
            is_entry = (first.isdigit() or bare[:3] in _WEEKDAYS) and _is_entry(self.text, begins, self.start)
            is_plain = first.isalpha() and (bare[1:2] not in (".", ")") or not _ITEM.match(bare))
            opens = None if is_entry or is_plain else _opening(bare)
            if opens is None and bare:
                self._read_text(bare, begins, is_entry, is_plain)
            else:
                self.close()
                if opens:
                    self._open(bare, begins, *opens)

    def _read_code(self, bare: str, begins: int) -> None:
        """A line that begins or ends a fence, or stands inside one. A fence that is too long for one block is cut."""
        ends = begins + len(bare)
        mark = bare[:3] if bare[:3] in _FENCES and (not self.fence or bare.strip(bare[0]) == "") else ""
        if mark or (self.kind == "code" and ends - self.start > _LONGEST_CODE):
            self.close()
        if mark and self.fence in ("", mark):
            self.fence = "" if self.fence else mark
        elif bare:
            if self.start < 0:
                self.start, self.kind = begins, "code"
            self.end = ends

    def _read_text(self, bare: str, begins: int, is_entry: bool, is_plain: bool) -> None:
        """A line that goes on with what is open, unless its form says that it begins a text of its own."""
        ends = begins + len(bare)
        if is_plain:
            is_turn = bool((": " in bare[:50] and _SAYS.match(bare)) or _CONTACT.match(bare))
        else:
            is_turn = bool((": " in bare[:90] and _SAYS_AT.match(bare)) or (bare[0] in "*_" and _BOLD_LEAD.match(bare)))
        if self.start >= 0 and (
            is_entry or is_turn or (self.kind == "text" and _is_defined(self.text, self.start, self.end, begins, ends))
        ):
            self.close()
        if self.start < 0:
            self.start, self.kind = begins, "text"
        self.end = ends

    def _open(self, bare: str, begins: int, skip: int, opened: BlockKind | Literal["line"]) -> None:
        """A line that begins something of this kind behind a marker of so many characters."""
        ends = begins + len(bare)
        if opened == "line":
            self.found.append((begins + skip, ends, "text"))
            return
        while bare[skip].isspace():  # a control character that counts as space, behind the marker's own spaces
            skip += 1
        if opened in ("heading", "row"):
            self.found.append((begins + skip, ends, opened))
        else:
            self.start, self.end, self.kind = begins + skip, ends, opened


def counted_item(text: str, begins: int, before: int) -> re.Match[str] | None:
    """The number with which a line begins as an item of a list whose numbers have no dot: "1 ask", "2 open", "3 close".

    `begins`: where the line has its first character; `before`: the number of the item above it, 0 where there is none.
    """
    item = COUNTED.match(text, begins)
    if item is None:
        return None
    number = int(item["number"])
    return item if (before and number == before + 1) or (number == 1 and _FIRST_THREE.match(text, begins)) else None


def _is_entry(text: str, begins: int, start: int) -> bool:
    """Whether a line begins with a day as the one above it or the one below it does. `start`: of the open block, -1 without one."""
    if _DATED.match(text, begins) is None:
        return False
    below = _NEXT_LINE.match(text, begins)
    return (start >= 0 and _DATED.match(text, start) is not None) or (
        below is not None and _DATED.match(text, below.end()) is not None
    )


def begins_entry(line: str) -> bool:
    """Whether a line is one of a list by its form: what somebody said at a time, who somebody is, what a label is followed by."""
    return any(form.match(line) for form in (_SAYS_AT, _SAYS, _BOLD_LEAD)) or is_contact(line)


def topic_of(line: str) -> str:
    """What a line in bold at its beginning says that it is about: "Budget" of "**Budget.** Agreed."; empty for others."""
    match = _BOLD_LEAD.match(line)
    return match["topic"] if match is not None else ""


def term_of(line: str) -> str:
    """The term that a line in bold at its beginning says the meaning of: "Dolly" of "**Dolly**: the small trolley."; else empty."""
    match = _BOLD_LEAD.match(line)
    return match["topic"] if match is not None and _MEANS.match(line, match.end()) is not None else ""


def is_contact(line: str) -> bool:
    """Whether a line begins with somebody's name and goes on with what is known of them: "Jane Doe - quality - ext 112"."""
    return _CONTACT.match(line) is not None


def _is_defined(text: str, start: int, end: int, begins: int, ends: int) -> bool:
    """Whether a line of a list of definitions begins a text of its own: the first of a definition, indented below its term,
    or the next term."""
    before, here = start - text.rfind("\n", 0, start), begins - text.rfind("\n", 0, begins)
    if here >= before + 2:
        return _is_term(text, start, end) and (text[begins].isupper() or text[begins] in "*`_")
    return here <= before - 2 and _is_term(text, begins, ends)


def _is_term(text: str, start: int, end: int) -> bool:
    """Whether one line could be a term that is defined below it."""
    return end - start <= _LONGEST_TERM and text[end - 1] not in ".,;:!?-" and text.find("\n", start, end) < 0


def _opening(bare: str) -> tuple[int, BlockKind | Literal["line"]] | tuple[()] | None:
    """What a line begins: (length of its marker, kind); () for a line that only divides; None for a line going on.

    A "line" is a text of its own.
    """
    if not bare:
        return ()
    first = bare[0]
    if first == "|":
        return () if _RULE.match(bare) else (0, "row")
    if _RULE.match(bare) or (first == "[" and _ADDRESSES.match(bare)):
        return ()
    if first == "#" and (mark := _HEADING.match(bare)):
        return (mark.end(), "heading") if mark.end() < len(bare) else ()
    quoted = 0
    if first == ">" and (mark := _QUOTED.match(bare)):
        quoted = mark.end()
        if quoted == len(bare):
            return ()
    if first == "." and (mark := _OBJECT.match(bare)):
        return mark.end(), "heading"
    if bare[quoted] in "!?:[." and (mark := _ASIDE.match(bare, quoted)):
        return (mark.end(), "line") if mark.end() < len(bare) else ()
    if (item := _ITEM.match(bare, quoted)) and item.end() < len(bare):
        return item.end(), "item"
    return (quoted, "text") if quoted else None


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    here = start
    for mark in _END.finditer(text, start, end):
        first, stop = mark.span()
        if stop - first == 1 and text[first] == "." and _abbreviated(text, here, first):
            continue
        if 0 < stop - here <= _LONGEST_SENTENCE:
            yield here, stop
        elif stop > here:
            yield from _limited(text, here, stop, _LONGEST_SENTENCE)
        here = stop
        while here < end and text[here].isspace():
            here += 1
    if here < end:
        yield from _limited(text, here, end, _LONGEST_SENTENCE)


def _abbreviated(text: str, start: int, dot: int) -> bool:
    if text[start] == "[" and dot - start < _LONGEST_STAMP and "]" not in text[start:dot]:
        return True  # in the time before who speaks: "[02.11. 07:12] Ann: ..."
    if dot - start < 6 and text[start:dot].lstrip("*_").isdigit():  # "**3. On-call.** Since Monday …"
        return True
    near = text[max(start, dot - 12) : dot]
    word = near[near.rfind(" ") + 1 :]
    if not word.isalpha():  # most are, and need no expression
        before = _BEFORE.search(near)
        if not before:
            return False
        word = before.group()
        if word.isdigit() and len(word) < 3 and _GERMAN_MONTH.match(text, dot + 1):  # "am 18. Mai"
            return True
    low = word.lower()
    if low in _ABBREVIATIONS or (len(low) == 1 and low.isalpha() and (text[dot - 1].isupper() or low == "c")):
        return True
    return bool(_INITIALS.match(low))


def _limited(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """One span, or several where it is too long: cut at a line, else after punctuation, else at a space."""
    while end - start > longest:
        half = start + longest // 2
        last = start + longest
        cut = max(text.rfind("\n", half, last), text.rfind("; ", half, last) + 1)
        if cut < half:
            cut = max(text.rfind(", ", half, last) + 1, text.rfind("\uff0c", half, last) + 1)
        if cut < half:
            cut = text.rfind(" ", half, last)
        if cut < half:
            cut = last
        stop = cut
        while stop > start and text[stop - 1].isspace():
            stop -= 1
        if stop > start:
            yield start, stop
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield start, end
