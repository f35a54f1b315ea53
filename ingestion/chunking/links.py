"""The linkers of a text: where it leads, by address, path, ticket key, file name or the name of a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompts.line_pattern import LinePattern
from prompts.phrases import NOT_KEYS
from prompts.records import Link
from prompts.regex import regex

LONGEST = 400

_MARKDOWN = regex(r"\]\(\s*<?([^\s()<>]{1,400}(?:\([^\s()]{0,100}\)[^\s()<>]{0,100})?)")
_HTML = regex(r"""\b(?:href|src)\s{0,3}=\s{0,3}["']([^"'<>\s]{1,400})""", re.IGNORECASE)
_ROLE = regex(r":(?:doc|ref|file|download):`(?:[^`<>]{0,200}<)?([^`<>]{1,200})>?`")
_HUGO = regex(r"""\{\{[<%]\s{0,3}(?:rel)?ref\s{1,3}["`']?([^\s"`'<>{}]{1,200})""")
_TARGET = regex(r"`[^`<>]{1,200}<([^`<>\s]{1,400})>`_")
_URL = regex(r"[hf](?<!\w.)(?:(?<=h)ttps?|(?<=f)tp)://[^\s<>\"'`|\\^{}\]]{1,400}")
_KEY = regex(r"([A-Z](?<!\w.)[A-Z0-9]{1,9})-[1-9]\d{0,6}\b(?![-.]?\w)")
_EXTENSION = regex(
    r"\.(?:md|rst|txt|adoc|pdf|docx?|pptx?|xlsx?|odt|ods|csv|tsv|json|ya?ml|html?|ipynb|epub|eml|py|sh|sql|toml|ini|conf)\b(?![\w/-]|\.\w)"
)
_NAME_REVERSED = regex(r"[\w.-]{1,80}(?:/[\w.-]{1,80}){0,8}")
_SEE = LinePattern(
    r"\b(?:[Ss]ee|[Rr]efer to|[Ff]ollow|[Dd]escribed in|[Ii]n section)(?: also)?(?: the| section| sections)?(?: section)? [\"“]([^\"“”\n]{2,80})[\"”]",
    (' "', " “"),
)
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico")
# what looks like a ticket key and is none
_STANDARD_NAMES = """CWE GHSA NIST FIPS ANSI ECMA DIN EIP BIP PKCS ED25519 SHA1 SHA2 SHA3 BLAKE2 HMAC BASE64 UCS GB BS US UK EU
    ID NO TOP LOG COM USB PCI IPV4 IPV6 HTTP2 HTTP3 TLS1 T A4 Q Q1 Q2 Q3 Q4 FY PHASE LEVEL TIER P PR MR WG JSR JEP KIP
    OSI AS AF MP3 MP4 H264 H265 GPT CLAUDE LLAMA COVID SARS DC DB LTS WCAG SOC"""
_STANDARDS = NOT_KEYS | frozenset(_STANDARD_NAMES.split())


def links(text: str) -> list[tuple[int, Link]]:
    """The linkers of a text with the place where each begins, in order. Each of these expressions is linear."""
    found: list[tuple[int, Link]] = []
    addressed: list[tuple[int, int]] = []
    for start, end, target in _addresses(text):
        link = _addressed(target)
        addressed.append((start, end))
        if link:
            found.append((start, link))
    addressed.sort()
    for start, link in _named(text):
        if not _covered(addressed, start):
            found.append((start, link))
    return sorted(found, key=lambda one: (one[0], one[1].kind, one[1].to))


def _addresses(text: str) -> Iterator[tuple[int, int, str]]:
    patterns = (("](", _MARKDOWN), ("=", _HTML), (":`", _ROLE), ("{{", _HUGO), (">`_", _TARGET), ("://", _URL))
    taken: set[int] = set()
    for sign, pattern in patterns:
        if sign in text:
            for match in pattern.finditer(text):
                group = 1 if pattern.groups else 0
                if match.start(group) not in taken:
                    taken.add(match.start(group))
                    yield match.start(group), match.end(), match[group]


def _addressed(target: str) -> Link | None:
    if target.startswith("{{"):  # a link of Hugo, whose target is found by itself
        return None
    target = target.rstrip(".,;:!?*_)") if "(" not in target else target.rstrip(".,;:!?*_")
    if target.startswith(("http://", "https://", "ftp://", "//")):
        return Link(kind="url", to=target)
    if target.startswith("#"):
        name = target[1:].replace("-", " ").replace("_", " ").strip()
        return Link(kind="heading", to=name) if name else None
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]{1,30}:", target):  # mailto:, javascript:, data:
        return None
    if target.lower().endswith(_PICTURES):
        return None
    return Link(kind="file", to=target) if target.strip("./") else None


def _named(text: str) -> Iterator[tuple[int, Link]]:
    for match in _KEY.finditer(text) if "-" in text else ():
        if match[1] not in _STANDARDS:
            yield match.start(), Link(kind="key", to=match[0])
    for match in _EXTENSION.finditer(text):
        before = text[max(match.start() - LONGEST, 0) : match.start()]
        name = _NAME_REVERSED.match(before[::-1])
        if name and before[-name.end() - 1 : -name.end()] not in tuple("/@:"):
            path = name[0][::-1] + match[0]
            yield match.end() - len(path), Link(kind="file", to=path)
    for match in _SEE.finditer(text):
        yield match.start(1), Link(kind="heading", to=match[1].rstrip(".,;: "))


def _covered(spans: list[tuple[int, int]], at: int) -> bool:
    """Whether a place lies in one of the spans, which are in order."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][0] <= at:
            low = middle + 1
        else:
            high = middle
    return low > 0 and at < spans[low - 1][1]
