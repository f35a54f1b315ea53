"""Finds the words a model gives as a quote in the text it took them from, and where they stand."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property

from prompts.extractive.passages import quote
from prompts.records import Quote
from prompts.regex import regex

LONGEST = 1_200  # characters of one quote
LEAST_END = 5  # characters of the beginning and the end of a quote that is given by these
_SAME = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_IGNORED = frozenset(
    "*`\u200b\u200c\u200d\u2060\ufeff\u00ad"
)  # emphasis and marks of code, which models leave out, and what cannot be seen
_ENDS = " \t\n.,;:…'\"-[]()"
_LINE_NUMBER = regex(r"(?m)^\d{1,4}\| ?")
_LINK = regex(r"(!?\[)[^\[\]\n]*(\]\([^()\n]*\))")  # what stands around its label
_LEFT_OUT = regex(r"\[?(?:…|\.\.\.)\]?")
_FENCE_BEHIND = regex(r"[ \t]*\n[ \t]*```")
_MARKS = regex(r"```|`|\*\*|\*")


class Text:
    """A text made ready to look quotes up in: white space, quotation marks and dashes count as equal, case does not.

    Of a link the label alone is found as well, and a quote that leaves out its middle ("Stop the pump … call the engineer").
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._as_it_stands = _Plain(text)

    @cached_property
    def _without_links(self) -> _Plain:
        return _Plain(self.text, without_links=True) if "](" in self.text else self._as_it_stands

    def find(self, said: str) -> Quote | None:
        """The quote as it really stands in the text; None where it does not."""
        wanted = _LINE_NUMBER.sub("", said)
        span = self._span(wanted) or self._around_what_is_left_out(wanted)
        if span is None:
            return None
        start, end = self._with_closing_marks(*span)
        return quote(self.text, start, min(end, start + LONGEST))

    def _span(self, said: str, after: int = 0) -> tuple[int, int] | None:
        """From where to where the words stand, from a place on."""
        plain, bare = self._as_it_stands, self._without_links
        found = plain.find(_Plain(said).words.strip(), after)
        if found is None and (bare is not plain or "](" in said):
            found = bare.find(_Plain(said, without_links=True).words.strip(), after)
            found = self._with_links(*found) if found is not None else None
        return found

    def _around_what_is_left_out(self, said: str) -> tuple[int, int] | None:
        """The span of a quote of which only the beginning and the end are given; its beginning alone where that is too long."""
        parts = [part for part in map(str.strip, _LEFT_OUT.split(said)) if len(part) >= LEAST_END]
        if len(parts) < 2 or (begun := self._span(parts[0])) is None:
            return None
        ended = self._span(parts[-1], begun[1])
        return (begun[0], ended[1]) if ended is not None and ended[1] - begun[0] <= LONGEST else begun

    def _with_links(self, start: int, end: int) -> tuple[int, int]:
        """A span that begins or ends in the label of a link, with the whole link."""
        for link in _LINK.finditer(self.text):
            if link.start() < start < link.end():
                start = link.start()
            if link.start() < end < link.end():
                end = link.end()
        return start, end

    def _with_closing_marks(self, start: int, end: int) -> tuple[int, int]:
        """A span with the marks of emphasis and code beside it that it opens or closes itself: a fence in the next line too."""
        if self.text[start:end].count("```") % 2 and (fence := _FENCE_BEHIND.match(self.text, end)) is not None:
            return start, fence.end()
        for at, is_behind in ((end, True), (start, False)):
            run = _MARKS.match(self.text, at) if is_behind else _MARKS.search(self.text, max(0, at - 3), at)
            if run is not None and (is_behind or run.end() == at) and self.text[start:end].count(run.group()) % 2:
                start, end = (start, run.end()) if is_behind else (run.start(), end)
        return start, end

    def has(self, said: str) -> bool:
        return self.find(said) is not None

    def has_words(self, said: str) -> bool:
        """Whether each word of a phrase stands in the text: enough for a subject, not for a quote."""
        return self.has(said) or all(map(self.has, said.split()))


class _Plain:
    """A text with its white space collapsed and its signs made alike, and where each character of it came from."""

    def __init__(self, text: str, without_links: bool = False) -> None:
        left_out = (
            {at for link in _LINK.finditer(text) for group in (1, 2) for at in range(*link.span(group))} if without_links else ()
        )
        made: list[str] = []
        self.places: list[int] = []
        for at, char in enumerate(text.translate(_SAME)):
            if char in _IGNORED or at in left_out:
                continue
            if char.isspace():
                if made and made[-1] == " ":
                    continue
                char = " "
            made.append(char)
            self.places.append(at)
        self.words = "".join(made)

    def find(self, wanted: str, after: int = 0) -> tuple[int, int] | None:
        """From where to where these words stand in the text itself, from a place in it on; also without the signs around them."""
        first = bisect_left(self.places, after)
        for candidate, tail in ((wanted, ""), (wanted.strip(_ENDS), wanted[len(wanted.rstrip(_ENDS)) :])):
            if not any(map(str.isalnum, candidate)):
                return None
            if (at := self.words.find(candidate, first)) >= 0:
                return self.places[at], self.places[self._with_signs(at + len(candidate), tail) - 1] + 1
        return None

    def _with_signs(self, end: int, signs: str) -> int:
        """The end of words that were found without the signs behind them: those of the signs that do stand there go along."""
        while end < len(self.words) and self.words[end] in signs and not self.words[end].isspace():
            end += 1
        return end
