"""A leaf's text as its sentences, each with its words, its kind of block and the heading it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prompts.extractive.markdown import as_words, without_struck
from prompts.extractive.run_in_titles import is_title, run_in_titles
from prompts.records import LeafText, Quote
from prompts.regex import regex
from prompts.sentences import BlockKind, sentences, sentences_by_kind, terms_by_sentence, topic_of
from prompts.text_lines import line_start


@dataclass(slots=True)
class Passage:
    start: int
    end: int
    kind: BlockKind
    text: str
    heading: str  # in lower case
    terms: tuple[str, ...]
    distinct: frozenset[str]
    speaker: str = ""  # who says it, where that is known

    @property
    def words(self) -> set[str]:
        """Its words in lower case, as written."""
        return words_of(self.text)


_APART = bytes.maketrans(b'\t\n.,;:!?()[]{}<>"*_`#|/\\=+~', b" " * 27)


def words_of(text: str) -> set[str]:
    """The words of a text in lower case, as written."""
    return set(text.lower().replace("\u2019", "'").encode("utf-8", "replace").translate(_APART).decode("utf-8").split())


def words_in_place(text: str) -> str:
    """A text's words in small letters, each where it stands, with spaces for all else; empty where that cannot be.

    What is beyond Latin falls away, so that more may seem a word than is one, and never less.
    """
    small = text.lower()
    if len(small) != len(text):
        return ""
    return small.replace("\u2019", "'").encode("latin-1", "replace").translate(_APART).decode("latin-1")


_WRITTEN_BY = regex(r"(?P<name>[^\n#,][^\n,]{0,60}), (?P<day>\d{4}-\d\d-\d\d)(?: \d\d:\d\d(?: UTC)?)?")
_HEADING_LINE = regex(r"^(#{1,6}) +(.+)$", re.MULTILINE)
_SECTION = 2  # the level of the headings that a document's own parts have: nothing above goes on below one


def written_by(leaf: LeafText, start: int) -> tuple[str, str] | None:
    """Name and day of whoever wrote what stands at `start`, where the heading above it is of the form "Name, 2026-03-01 10:12"."""
    level = 7
    for heading in [*_HEADING_LINE.finditer(leaf.text, 0, start)][::-1]:
        if len(heading.group(1)) < level:
            level = len(heading.group(1))
            if (match := _WRITTEN_BY.fullmatch(heading.group(2).strip())) is not None:
                return match["name"], match["day"]
    around = (_WRITTEN_BY.fullmatch(heading.strip()) for heading in reversed(leaf.heading)) if level > _SECTION else ()
    return next(((match["name"], match["day"]) for match in around if match), None)


LONGEST_WHOLE = 200  # characters of what is quoted, that it is not cut
_END_OF_SAID = r"(?=[^\S\n]*(?:\n|\Z|\|)|(?<=[.!?;:|])\s)"  # of a line, a cell or a sentence
_END_OF_WORD = r"(?![\w]|[.,:]\d)"
MOST_BLANK = 200  # characters between an item and what stands below it
_PLAIN = regex(r"[^`*_\[\]<>~\\&\n\t]*")  # what has nothing in it that may be markup
_LABEL = regex(r"[*_\s]{0,3}([A-Z][\w /&'-]{1,48}?)[*_\s]{0,3}:[*_\s]{0,3}\Z")
_BOLD_SUBJECT = regex(
    r"(?:\*\*|__)(?P<subject>[A-Z][^*_\n.:;]{1,40})(?:\*\*|__) (?:is|are|was|were|has|have|had|lies|stands|runs|keeps|holds|belongs|ist|sind|est|sont)\b"
)
_BOLD = regex(r"(?:\*\*|__)([^*_]{2,60})(?:\*\*|__):?\Z")


def passages(leaf: LeafText) -> Iterator[Passage]:
    """The sentences in order. Headings in the text, and labels such as "Actions:", set the heading of what follows; a sentence
    in bold that opens a paragraph is one itself, and the heading of the rest of the paragraph; so is the title of an item of an agenda."""
    text = leaf.text
    opening, ended = "", 0  # the bold sentence that opened this paragraph, and where the sentence before ends
    heading = leaf.heading[-1].lower() if leaf.heading else ""
    matter, titles = front_matter(text), run_in_titles(text)
    for (start, end, kind), found in zip(sentences_by_kind(text), terms_by_sentence(text), strict=True):
        said = text[start:end]
        if "~~" in said and not any(map(str.isalnum, without_struck(said))):
            ended = end
            continue  # all of it is crossed out
        if start < matter:
            yield Passage(start, end, "heading", said, heading, found, frozenset(found))
            continue
        if kind == "heading":
            heading = said.strip("#*_: ").lower()
        elif (
            kind != "code" and len(said) < 56 and (label := _label(said)) and not (kind == "item" and _is_alone(text, start, end))
        ):
            kind, heading = "heading", label.lower()
        between = text[ended:start]
        if "\n\n" in between or (kind == "item" and "\n" in between):
            opening = ""
        yield Passage(start, end, kind, said, opening or heading, found, frozenset(found))
        if said.endswith((".**", ".__")) and (bold := _BOLD.match(said)) is not None:
            opening = bold[1].lower()
        elif kind in ("text", "item") and said[:1] in "*_" and (topic := topic_of(said) or _subject(said)):
            # an entry, as of a glossary: what follows is of the same
            opening = f"{heading}: {topic.lower()}"
        elif end in titles:
            opening = titles[end]
        ended = end


def _subject(said: str) -> str:
    """What a sentence that opens with its subject in bold is about, and with it the rest of its paragraph: "**Millgate** is Unit 6 ..."."""
    match = _BOLD_SUBJECT.match(said)
    return match["subject"] if match is not None else ""


def is_run_in(found: Sequence[Passage], at: int) -> bool:
    """Whether a sentence is the numbered title of the paragraph that it opens, and says nothing besides."""
    after = found[at + 1].heading if at + 1 < len(found) else ""
    return after != found[at].heading and is_title(found[at].text, after)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether an item of a list has nothing below it that it could be the label of: a name in bold among others."""
    rest = text[end : end + MOST_BLANK].lstrip("*_: ")
    below = rest.lstrip()
    blank = rest[: len(rest) - len(below)]
    return not below or ("\n" in blank and len(blank) - blank.rfind("\n") - 1 <= indent_of(text, start))


def items_below(leaf: LeafText, found: Sequence[Passage], at: int) -> list[Passage]:
    """The items of the list that begins right below a passage, without those of a list around it."""
    items: list[Passage] = []
    for one in found[at + 1 :]:
        if one.kind != "item" or (items and indent_of(leaf.text, one.start) < indent_of(leaf.text, items[0].start)):
            break
        items.append(one)
    return items


def indent_of(text: str, at: int) -> int:
    """The white space before the line in which something stands."""
    line = line_start(text, at)
    return next((number for number, mark in enumerate(text[line : at + 1]) if not mark.isspace()), 0)


RULE = regex(r"\s{0,40}(?:\|[ \t]{0,40})?:?(?:--|==)")  # below the header of a table


def headers_of_rows(leaf: LeafText, found: Sequence[Passage]) -> dict[int, int]:
    """For each row of a table with a header but that, where the header is."""
    headers: dict[int, int] = {}
    for at, passage in enumerate(found):
        if passage.kind == "row" and at and found[at - 1].kind == "row":
            if at - 1 in headers:
                headers[at] = headers[at - 1]
            elif RULE.match(leaf.text, found[at - 1].end, passage.start):
                headers[at] = at - 1
    return headers


def header_rows(found: Sequence[Passage], headers: Mapping[int, int]) -> frozenset[int]:
    """The headers of tables, and rows that only say them again: `headers` are those of each row."""
    again = {at for at, header in headers.items() if found[at].text == found[header].text}
    return frozenset(headers.values()) | again


def front_matter(text: str) -> int:
    """Where the settings block that opens a Markdown file ends; 0 without one."""
    return max(0, text.find("\n---", 4, 4_000)) if text.startswith("---\n") else 0


def _label(said: str) -> str:
    if said.endswith((":", "*", "_")) and not said.endswith((".**", ".__", "!**", "?**")):
        found = _LABEL.match(said) or _BOLD.match(said)
        return found.group(1) if found else ""
    return ""


def quote(leaf_text: str, start: int, end: int) -> Quote:
    """The words of a span, as read on one line."""
    text = leaf_text[start:end]
    return Quote.model_construct(
        text=" ".join(text.split()) if "\n" in text or "  " in text or "\t" in text else text,
        start=start, end=end, child=None, says="",
    )  # fmt: skip


def where_said(text: str, said: str, near: int = 0, *, is_whole: bool = False) -> tuple[int, int] | None:
    """Where a text has these words, white space aside; of several such places the one that begins nearest to `near`. `is_whole`: where
    nothing goes on behind them, as in "Crew size: 50" where "Crew size: 5" was said; of long words, which may have been cut, only no word."""
    words = said.split()
    end = (_END_OF_SAID if len(said) < LONGEST_WHOLE else _END_OF_WORD) if is_whole else ""
    found = re.finditer(r"\s+".join(map(re.escape, words)) + end, text) if words else ()
    nearest = min(found, key=lambda match: abs(match.start() - near), default=None)
    return nearest.span() if nearest is not None else None


def in_words(leaf_text: str, start: int, end: int, speaker: str = "") -> Quote:
    """What a span says, as a record shows it: its words without markup, with who says it."""
    said = leaf_text[start:end]
    if not _PLAIN.fullmatch(said):
        said = as_words(said) or " ".join(said.split())
    if speaker and not said.startswith(speaker):
        said = f"{speaker}: {said}"
    return Quote.model_construct(text=said, start=start, end=end, child=None, says="")


def beginning(text: str, longest: int) -> str:
    """The whole text, or its beginning of at most so many characters up to the end of a word, with a sign of it."""
    if len(text) <= longest:
        return text
    cut = max(text.rfind(" ", longest // 2, longest), text.rfind("\n", longest // 2, longest))
    return f"{text[: cut if cut > 0 else longest].rstrip()} …"


LONGEST_SENTENCE = 900  # characters of the first sentence, where that alone is longer than what may be told


def in_sentences(text: str, start: int, end: int, longest: int) -> int:
    """Where a span ends that is told in whole sentences: as many as `longest` characters hold, at least one."""
    if end - start <= longest:
        return end
    ends = [last for _, last in sentences(text[start:end])] or [end - start]
    told = max((last for last in ends if last <= longest), default=ends[0])
    return start + min(told, LONGEST_SENTENCE)


def shortened(text: str, start: int, end: int, longest: int) -> tuple[int, int]:
    """The span cut after a clause, or else after a word, where it is too long."""
    if end - start <= longest:
        return start, end
    half, last = start + longest // 2, start + longest
    cut = max(text.rfind("; ", half, last), text.rfind(", ", half, last), text.rfind(" - ", half, last))
    if cut < half:
        cut = text.rfind(" ", half, last)
    if cut < half:
        cut = last
    while cut > start + 1 and text[cut - 1].isspace():
        cut -= 1
    return start, cut
