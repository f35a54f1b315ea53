"""The points of minutes and chats: what was said of each thing that was talked about, whether or not it says that it decides.

A point is an item of a list with all that is indented below it, a sentence of a paragraph with those after it, a row of a
table, or a turn of a chat with those after it. Spans are of the leaf's text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from prompts.extractive.speakers import turns_of
from prompts.regex import regex
from prompts.text_lines import line_start
from tree.retrieve.item_cues import HEADING, INDENTED_ITEM, META, STOP
from tree.retrieve.minutes import says_who_came
from tree.retrieve.text_facts import plain

LONGEST = 420  # characters of a point
MOST_AFTER = 3  # sentences after one that names the thing, in its paragraph
MOST_TURNS = 5  # of a chat that are told together
MOST_LINES = 60  # of an item of a list
SHORTEST = 12  # characters that say something
FEWEST_DECIDED = 3  # words that say what was decided
LONGEST_HEAD = 160  # characters above the turns of a chat that say what it is
SHORT_TURN = 4  # words of a turn that points at the one before
# A line that is the heading of what follows, without a mark: "TOP 2 Umzug des Archivs", "Item 4: Parking".
HEAD_LINE = regex(
    r"^(?:[*_]{0,2})(?:TOP|Tagesordnungspunkt|Punkt|Agenda item|Item|Topic|Point|Thema)[ #]{0,2}\d{1,2}(?:\.\d)?[.:)]?[ \t–—-]{1,4}(?P<title>[^\s][^\n]{1,90}?)(?<![.!?;,\s])[*_]{0,2}[ \t]{0,3}$(?=\n)",
    re.MULTILINE,
)
_TABLE = regex(r"[ \t]*\|")
_LED = regex(r"(?:\*\*|__)[^*_\n]{2,60}(?:\*\*|__)")  # a line that begins with what it is about, in bold
_ADDRESS = regex(r"\W*(?:\*\*[\w ]+\*\*: ?)?https?://\S+\W*")
_PROMISE = regex(
    r"\b(?:I['’]?ll|I will|I can (?:do|take|write|look|ask|check|fix|send|prepare)|I take (?:it|this|that|over|care)|I['’]?m on it|I['’]?ve got (?:it|this)|I got (?:it|this)|will do|on it(?=\W*\Z)"
    r"|leave (?:it|that|this) (?:to|with) me|mine(?=\W*\Z)|ich (?:mache?|übernehme|kümmere|schreibe|schicke|kläre|frage)|mach ich|übernehme ich)\b"
    r"(?! (?:be\b|have\b|see\b|think\b|not\b|never\b|never mind|admit|say\b|probably|maybe))",
    re.IGNORECASE,
)
_WORK = (
    "answer|arrange|ask|book|bring|buy|call|cancel|change|check|clean|collect|draft|fetch|finish|fix|install|mail|make|meet|move|order|organi[sz]e|paint|pay|phone|"
    "pick up|prepare|print|put|remove|repair|replace|ring|say|send|speak|talk|tell|test|try|update|visit|write"
)
_PRESENT_PROMISE = regex(  # "I call the roofer today"
    rf"(?:^|[.!;,] |\b(?:then|so|and) )I (?:{_WORK})\b[^.!?;\n]{{0,100}}\b(?:now|today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|next week"
    r"|(?:by|until|before|till|on) (?:the |next )?(?:\d|mon|tues|wednes|thurs|fri|satur|sun|week|end|noon))",
    re.IGNORECASE,
)
_DECIDING_TURN = regex(  # with which somebody in a chat says what holds from now on
    r"\W*(?:(?:ok(?:ay)?|so|right|well|then|good|alright|also|gut|also gut)\b[, ]{1,3}){0,3}"
    r"(?:(?:(?:it|that)(?:['’]s| is) )?(?:decided|agreed|settled|resolved|beschlossen|entschieden|vereinbart|abgemacht)(?: then| so| now| dann)?|decision|resolution|beschluss|entscheidung)"
    r"(?:[ ]?[:,]| [–—-])[ ]{1,2}(?=\w)"
    r"|\W*(?:(?:ok(?:ay)?|so|right|well|then)\b[, ]{1,3}){0,3}(?:we(?:['’]ve| have)? (?:(?:all|both|just|now) )?(?:decided|agreed|settled)|wir haben (?:beschlossen|entschieden|vereinbart)) (?:to|on|that|not|for|dass)\b",
    re.IGNORECASE,
)
_ASKED = regex(r"\b(?:can|could|will|would) you\b|\bkannst du\b|\bkönn(?:t|en) (?:ihr|Sie)\b", re.IGNORECASE)
_ASSENT = regex(
    r"\W*(?:sure|yes|yep|yeah|yup|ok(?:ay)?|of course|certainly|gladly|happy to|no problem|absolutely|done|ja|klar|gerne?|mach ich|mache ich)\b(?! (?:but|not|if|why|how|what|whether|about)\b)",
    re.IGNORECASE,
)
_NAME = r"(?<![\w'’-])[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30}){0,2}"
_PEOPLE = regex(rf"{_NAME}(?:(?:, | and | & | und ){_NAME}){{2}}")  # a list of who was there
_QUESTION = regex(r"\?\W*\Z")


@dataclass(frozen=True, slots=True)
class Point:
    """[start, end) of the text; `lead` are the words that say what it is about, `said` how it is told."""

    start: int
    end: int
    lead: str
    said: str
    is_row: bool = False  # of a table, that may say of which day it is


@dataclass(frozen=True, slots=True)
class Promise:
    """What somebody says in a chat that they will do."""

    start: int
    end: int
    who: str
    said: str


class Chat:
    """The turns of a chat; none where a text is no chat."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = turns_of(text).turns
        ends = [*(start for start, _, _ in found[1:]), len(text)][: len(found)]
        self.turns = [(begins, end, name) for (_, begins, name), end in zip(found, ends, strict=True)]

    def points(self) -> Iterator[Point]:
        for at, (begins, end, _) in enumerate(self.turns):
            last = at
            while last + 1 < min(len(self.turns), at + MOST_TURNS) and not _QUESTION.search(self._words(last + 1)):
                last += 1
            stop = min(self.turns[last][1], begins + LONGEST)
            told = "; ".join(self._told(one) for one in range(at, last + 1))
            yield Point(begins, stop, self.text[begins:end], told[:LONGEST])

    def promises(self) -> Iterator[Promise]:
        """What those who speak say they will do; a few words together with the turn before them, which they point at."""
        for at, (begins, end, name) in enumerate(self.turns):
            words = self._words(at)
            is_agreed = at > 0 and self._asks(at - 1) and self.turns[at - 1][2] != name and bool(_ASSENT.match(words))
            is_promised = _PROMISE.search(words) or _PRESENT_PROMISE.search(words)
            if not is_agreed and not is_promised or _QUESTION.search(words):
                continue
            said = self._told(at)
            if is_agreed or (len(words.split()) <= SHORT_TURN and at):
                said = f"{self._told(at - 1)} – {said}"
            yield Promise(begins, end, name, said[:LONGEST])

    def decisions(self) -> Iterator[tuple[int, int]]:
        """Where what somebody says was decided begins and ends: "ok decided then: we take the small hall"."""
        for at, (begins, end, _) in enumerate(self.turns):
            words = self._words(at)
            if (
                (found := _DECIDING_TURN.match(words)) is not None
                and len(words[found.end() :].split()) >= FEWEST_DECIDED
                and not _QUESTION.search(words)
            ):
                yield begins, begins + len(self.text[begins:end].rstrip())

    @property
    def head(self) -> str:
        """What stands above the first turn: the channel, the meeting, the day."""
        first = line_start(self.text, self.turns[0][0]) if self.turns else 0
        return self.text[:first].strip()[:LONGEST_HEAD]

    def _asks(self, at: int) -> bool:
        """Whether a turn asks whoever answers to do something."""
        words = self._words(at)
        return bool(_ASKED.search(words) and _QUESTION.search(words))

    def _words(self, at: int) -> str:
        begins, end, _ = self.turns[at]
        return " ".join(self.text[begins:end].split())

    def _told(self, at: int) -> str:
        return f"{self.turns[at][2]}: {plain(self._words(at))}"


def said_at(text: str, starts: Collection[int]) -> dict[int, str]:
    """How the points that begin at these places of a leaf's text are told."""
    chat = Chat(text)
    return {one.start: one.said for one in (chat.points() if chat.turns else points(text)) if one.start in starts}


def points(text: str) -> Iterator[Point]:
    """The points of minutes that are no chat."""
    lines = list(_lines(text))
    paragraph: list[tuple[int, int]] = []
    for at, (start, end) in enumerate(lines):
        line = text[start:end]
        item = INDENTED_ITEM.match(line)
        if paragraph and _LED.match(line):
            yield from _sentences(text, paragraph)
            paragraph = []
        is_apart = (
            says_who_came(line)
            or not line.strip()
            or HEADING.match(line)
            or _TABLE.match(line)
            or META.match(line.strip())
            or HEAD_LINE.match(text, start)
        )
        if paragraph and (item or is_apart):
            yield from _sentences(text, paragraph)
            paragraph = []
        if item is not None:
            yield from _item(text, lines, at)
        elif _TABLE.match(line) and line.strip(" \t:|-") and at > 0 and _TABLE.match(text[slice(*lines[at - 1])]):
            cells = [plain(cell.strip()) for cell in line.strip().strip("|").split("|")]
            yield Point(start, end, " ".join(cells), " · ".join(filter(None, cells))[:LONGEST], is_row=True)
        elif not is_apart and not _is_below(text, lines, at):
            paragraph.append((start, end))
    if paragraph:
        yield from _sentences(text, paragraph)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


def _indent(text: str, start: int, end: int) -> int:
    line = text[start:end]
    return len(line) - len(line.lstrip())


def _is_below(text: str, lines: list[tuple[int, int]], at: int) -> bool:
    """Whether a line goes on with the item of a list above it."""
    return at > 0 and _indent(text, *lines[at]) > 0 and bool(text[slice(*lines[at - 1])].strip())


def _item(text: str, lines: list[tuple[int, int]], at: int) -> Iterator[Point]:
    """An item of a list with what is indented below it."""
    start, end = lines[at]
    own = _indent(text, start, end)
    last = at
    while last + 1 < min(len(lines), at + MOST_LINES):
        begins, ends = lines[last + 1]
        if not text[begins:ends].strip() or _indent(text, begins, ends) <= own:
            break
        last += 1
    parts: list[str] = []
    for begins, ends in lines[at : last + 1]:
        match = INDENTED_ITEM.match(text, begins, ends)
        bare = text[match.start(2) if match else begins : ends].strip()
        if match or not parts:
            parts.append(plain(bare))
        else:
            parts[-1] = f"{parts[-1]} {plain(bare)}"
    if len(parts[0]) >= SHORTEST and not _ADDRESS.fullmatch(parts[0]) or len(parts) > 1:
        yield Point(start + own, lines[last][1], text[start:end], _joined(parts))


def _joined(parts: list[str]) -> str:
    """A line and what stands below it, "Parking: two places are kept; no visitors"; of much the last, where it says what came of it."""
    first, rest = parts[0].rstrip(":")[:LONGEST], [part.rstrip(" .;") for part in parts[1:]]
    kept: list[str] = []
    for part in reversed(rest):
        if kept and len(first) + sum(map(len, kept)) + len(part) > LONGEST:
            kept.append("…")
            break
        kept.append(part[:LONGEST])
    return f"{first}{' ' if first.endswith('?') else ': '}{'; '.join(reversed(kept))}" if rest else first


def _sentences(text: str, paragraph: list[tuple[int, int]]) -> Iterator[Point]:
    """Each sentence of a paragraph with those after it."""
    start, end = paragraph[0][0], paragraph[-1][1]
    begins = [start, *(match.end() for match in STOP.finditer(text, start, end))]
    ends = [*(match.start() for match in STOP.finditer(text, start, end)), end]
    for at, begin in enumerate(begins):
        last = at
        while last + 1 < min(len(begins), at + 1 + MOST_AFTER) and ends[last + 1] - begin <= LONGEST:
            last += 1
        lead = plain(" ".join(text[begin : ends[at]].split()))
        if (len(lead) >= SHORTEST or last > at) and not _PEOPLE.search(lead):
            yield Point(begin, ends[last], lead, plain(" ".join(text[begin : ends[last]].split())))
