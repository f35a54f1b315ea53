"""Names for leaves and containers, made of headings or opening words, so that they stay while the passage does."""

from __future__ import annotations

import unicodedata
from zlib import crc32

from prompts.regex import regex

LONGEST_SLUG = 60
LONGEST_TITLE = 70
_OPENING = 600  # characters looked at for the opening words

_WORD = regex(r"\w+")
_MARKS = regex(
    r"^(?:[>\s]*(?:[-*+•‣▪●–]|#{1,6}|#\.|\(?(?:\d{1,3}|[a-z](?=[.)]\s))[.)]|\|)(?=\s|\w))?[>|\s]*|[*_`|]{1,3}(?=[\s.,:;]|$)|(?<!\w)[*_`|]{1,3}"
)
_SKIPPED = regex(r"\s*(?:```|~~~|\.\. |:[\w-]+:(?!`)|---)")  # fences and directives name nothing
_ROLE = regex(r":\w{1,20}:(?=`)|\s<[^<>\s]{1,300}>(?=`)|(?<=`)__?\b")
_LINK = regex(r"!?\[([^\[\]]{1,200})\]\([^()\s]{0,500}\)")
_SENTENCE_END = regex(r"(?<=\w\w[.!?])\s")


class Names:
    """Hands out slugs, each once: the names of the children of one container."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def give(self, words: str, told_apart_by: str = "") -> str:
        """A slug of `words`. A second one of the same words is told apart by its content, else by counting."""
        slug = slugged(words)
        if slug in self._taken and told_apart_by:
            slug = f"{slug}-{crc32(told_apart_by.encode('utf-8', 'surrogatepass')):08x}"
        base = slug
        while slug in self._taken:
            self._counts[base] = self._counts.get(base, 1) + 1
            slug = f"{base}-{self._counts[base]}"
        self._taken.add(slug)
        return slug


def slugged(words: str) -> str:
    """At most LONGEST_SLUG small letters, digits and hyphens; never empty."""
    plain = unicodedata.normalize("NFKC", words[: LONGEST_SLUG * 4]).casefold()
    slug = ""
    for word in _WORD.findall(plain):
        if slug and len(slug) + 1 + len(word) > LONGEST_SLUG:
            break
        slug = f"{slug}-{word}" if slug else word[:LONGEST_SLUG]
    return slug or "text"


def opening(text: str) -> str:
    """The opening words of a text in clear: its first line or sentence with words in it, without marks."""
    for line in text[:_OPENING].splitlines():
        if _SKIPPED.match(line):
            continue
        bare = " ".join(_MARKS.sub("", _ROLE.sub("", _LINK.sub(r"\1", line))).split())
        if sum(map(len, _WORD.findall(bare))) >= 2:
            return clipped(_SENTENCE_END.split(bare, maxsplit=1)[0])
    return clipped(" ".join(_WORD.findall(text[:_OPENING]))) or "Text"


def clipped(words: str, most: int = LONGEST_TITLE) -> str:
    if len(words) <= most:
        return words
    cut = words.rfind(" ", most // 2, most)
    return words[: cut if cut > 0 else most - 1].rstrip(" ,;:.–-") + "…"
