"""Reads an answer as it streams: ids become citations, and a sentence that rests on none is marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from prompts.language import terms
from prompts.records import Cited, Quote
from prompts.regex import regex
from prompts.usage import Usage

NOT_FOUND = "Not in what was read:"
UNSUPPORTED = " *(no source)*"

_IDS = regex(r"\[\s*(\d{1,3}[a-z]?(?:\s*[,;]\s*\d{1,3}[a-z]?)*)\s*\]")
_LINK = regex(r"!?\[([^\]\n]{0,200})\]\(\s*<?([^)\s>]{0,500})[^)\n]{0,200}\)")
# what may yet become an id, a link, or code
_HELD = regex(r"!?\[[^\]\n]{0,200}(?:\](?:\([^)\n]{0,700})?)?\Z|!\Z|`[^`\n]{0,200}\Z|``\Z")
_TOKEN = regex(
    rf"{_LINK.pattern}|{_IDS.pattern}|```|`[^`\n]{{1,200}}`|\n|[.!?…]++[\"'”’»)*_]*+(?=\s|\[|\Z)|[.!?…]++|\s+?(?=\n|\S|\Z)|[^\s\[!.?…`]+|.",
    re.DOTALL,
)
_SHORT = regex(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|fig|mr|mrs|ms|dr|z\.B|bzw|ca)|\b[A-Za-z]|\d)\.\Z", re.IGNORECASE)
_LONGEST_SHORT = 10  # characters of it, and the one before
_MARKER = regex(r"(?:[-*+•]|\d{1,3}[.)]|>|#{1,6}|\|)\Z")
_LEAST_WORDS = 3  # fewer are a heading, a label or a table cell


class Citations:
    """The ids that one prompt showed: `known` maps each to its evidence number and its quote."""

    def __init__(self, known: Mapping[str, tuple[int, Quote]], usage: Usage, material: str = "") -> None:
        self.known = known
        self.usage = usage
        self.material = material
        self.numbers = {number for number, _ in known.values()}

    def read(self, text: Iterator[str]) -> Iterator[Cited]:
        """The pieces of an answer, as soon as each is certain."""
        sentence = _Sentence(self)
        held = ""
        for chunk in text:
            held += chunk
            tokens = _certain(held)
            yield from _joined(piece for token in tokens for piece in sentence.feed(token))
            held = held[tokens[-1].end() :] if tokens else held
        yield from _joined(piece for token in _TOKEN.finditer(held) for piece in sentence.feed(token))
        yield from sentence.close()

    def cited(self, ids: str, sentence: str) -> list[tuple[int, Quote]]:
        """What the ids between two brackets stand for; unknown ones are dropped and counted."""
        found: dict[tuple[int, int, int], tuple[int, Quote]] = {}
        for key in map(str.strip, re.split("[,;]", ids)):
            cited = self.known.get(key) or (self._nearest(int(key), sentence) if key.isdigit() else None)
            if cited is None:
                self.usage.lose("unknown_ids")
            else:
                found.setdefault((cited[0], cited[1].start, cited[1].end), cited)
        return list(found.values())

    def _nearest(self, number: int, sentence: str) -> tuple[int, Quote] | None:
        """For a number without a letter: the quote of it that shares most words with the sentence."""
        mine = [cited for cited in self.known.values() if cited[0] == number]
        said = set(terms(sentence))
        return max(mine, key=lambda cited: len(said & set(terms(cited[1].text))), default=None)


def _joined(pieces: Iterable[Cited]) -> Iterator[Cited]:
    """Plain text in one piece."""
    plain = ""
    for piece in pieces:
        if piece.number is None and not piece.unsupported and not piece.is_gap:
            plain += piece.text
            continue
        if plain:
            yield Cited(plain)
        plain = ""
        yield piece
    if plain:
        yield Cited(plain)


def _certain(text: str) -> list[re.Match[str]]:
    """The tokens that cannot change by what follows: all but the last, and nothing of what is still open."""
    opened = _HELD.search(text)
    limit = opened.start() if opened else len(text)
    return [token for token in list(_TOKEN.finditer(text))[:-1] if token.end() <= limit]


class _Sentence:
    """The sentence being written: its words, whether it is over, whether a citation of it survived."""

    def __init__(self, citations: Citations) -> None:
        self.citations = citations
        self.text = ""
        self.space = ""  # held back: a mark goes before it
        self.is_over = False
        self.is_cited = False
        self.is_just_cited = False  # nothing but space came after an id
        self.code: str | None = None  # what stands in the block of code so far
        self.is_dropped = False  # an id that stood here is gone, with the space before it
        self.line = ""  # what stands on the line before this sentence

    def feed(self, token: re.Match[str]) -> Iterator[Cited]:
        said = token.group()
        if said == "```" and self.code is None:
            yield from self.close()
            self.code = ""
            yield Cited(said)
        elif said == "```":
            yield Cited(said)
            yield from self._close_code()
        elif self.code is not None:
            self.code += said
            yield Cited(said)
        elif token[3] is not None:
            yield from self._cite(token[3])
        elif said == "\n":
            yield from self.close()
            self.line = ""
            yield Cited(said)
        elif said.isspace():
            self.space += said
        else:
            if token[1] is not None:
                said = self._link(token)
            if said:  # a link without a label is nothing
                yield from self._word(said)

    def close(self) -> Iterator[Cited]:
        """Ends the sentence, with a mark where it says something and rests on nothing, or tells what is missing."""
        if (self.line + self.text).lstrip(" *_>-").startswith(NOT_FOUND):
            yield Cited("", is_gap=True)
        if self._needs_source():
            self.citations.usage.lose("unsupported")
            yield Cited(UNSUPPORTED, unsupported=True)
        if self.space:
            yield Cited(self.space)
        self.line += self.text + self.space
        self.text, self.space, self.is_over, self.is_cited = "", "", False, False

    def _close_code(self) -> Iterator[Cited]:
        """Code is not cited within its block: each line of it has to stand in the evidence."""
        _, _, code = (self.code or "").partition("\n")  # the first line names the language
        self.code = None
        shown = " ".join(self.citations.material.split())
        if any(" ".join(line.split()) not in shown for line in code.split("\n")):
            self.citations.usage.lose("unsupported")
            yield Cited(f"\n{UNSUPPORTED.strip()}\n", unsupported=True)

    def _word(self, said: str) -> Iterator[Cited]:
        if self.is_over and self.space and not said[:1].islower():
            yield from self.close()
        # "17." is most likely a number of a list, but not behind the id that ends a sentence
        self.is_over = said[0] in ".!?…" and (self.is_just_cited or not _SHORT.search(f"{self.text[-_LONGEST_SHORT:]}{said}"))
        self.is_just_cited = False
        if self.is_dropped and said[0] in ".,;:!?…":
            self.space = ""
        self.is_dropped = False
        yield Cited(self.space + said)
        self.text += self.space + said
        self.space = ""

    def _cite(self, ids: str) -> Iterator[Cited]:
        shown: set[int] = set()
        cited = self.citations.cited(ids, self.text)
        self.is_dropped = not cited
        for number, quote in cited:
            text = "" if number in shown else f"{self.space or ('' if self.text.endswith(' ') else ' ')}[{number}]"
            shown.add(number)
            self.is_cited = self.is_just_cited = True
            self.space = ""
            yield Cited(text, number, quote)

    def _link(self, token: re.Match[str]) -> str:
        """A link only to where the evidence leads, and no picture."""
        label, address = token[1], token[2]
        if not token.group().startswith("!") and address and address in self.citations.material:
            return token.group()
        self.citations.usage.lose("unknown_links")
        return label

    def _needs_source(self) -> bool:
        whole = (self.line + self.text).strip()
        words = [word for word in self.text.split() if any(map(str.isalpha, word)) and not _MARKER.match(word)]
        if self.is_cited or len(words) < _LEAST_WORDS or whole.startswith((NOT_FOUND, "|")):
            return False
        if whole.startswith("#") and not self.is_over:
            return False
        return not self.text.rstrip(" *_").endswith(":")
