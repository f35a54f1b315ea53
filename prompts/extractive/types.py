"""Which kinds of content a leaf has: by its document's kind, its headings, its structure, its words, in this order."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from prompts.extractive.passages import Passage, words_of
from prompts.extractive.tickets import type_of
from prompts.records import LeafText
from prompts.regex import regex
from prompts.taxonomy import UNCLASSIFIED, taxonomy

_KIND, _NEAREST, _OUTER, _SIGN, _CUE = 2.0, 2.4, 1.1, 0.9, 0.45
_MOST_SIGNS, _MOST_CUES = 2, 4
_MARGIN = 1.3  # below it nothing is claimed
_TICKET_MARGIN = 3.0  # for what a ticket is besides
_TECHNICAL = frozenset(("api_reference", "code_example", "command_reference", "configuration_reference"))
_TECHNICAL_SIGNS = frozenset(("code", "some_code", "keyvalues"))
_WITHOUT_SIGN = (
    0.5  # what a technical type is worth by its words alone: "sample", "methods", "returns" are words of other trades too
)
# Pages that are known by how they are laid out. That a text speaks of a "head of" or an "owner" makes it no list of them.
_LAID_OUT = frozenset(
    (
        "org_chart",
        "responsibilities",
        "contact_list",
        "risk_register",
        "schedule",
        "agenda",
        "glossary",
        "faq",
        "checklist",
        "template",
    )
)
_SHARE = 0.55  # of the best score, for a second and third type
_MOST_TYPES = 3

_WORD = regex(r"[a-z0-9][\w&'-]*")
_STEP = regex(r"\d{1,2}[.)] |[Ss]tep \d{1,2}\b")
_SPEAKER = regex(
    r"(?:[\[(]\d[\d.:/, T-]{2,20}[\])]? )?[*]{0,2}[A-Z][\w.'-]{0,20}(?: [A-Z0-9][\w.'-]{0,20}){0,2}[*]{0,2}(?: [\[(]?\d{1,2}:\d\d[^:\n]{0,12})?: \S"
)
_LOG = regex(
    r"[\[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b|[IWEF]\d{4} )"
)
_KEY_VALUE = regex(r"[\w.\-]{2,40}[ \t]*[:=][ \t]*\S{1,60}\Z")
_MAIL = regex(r"(?:From|To|Subject|Cc|Sent|Date): \S")
_DEFINED = regex(r"(?:[-*] )?(?:\*\*[^*\n]{2,40}\*\*|[A-Z][\w /()-]{1,30}?)[ \t]*(?:: | [-\u2013\u2014] )\w")
_VERSION = regex(r"[#\s*-]*(?:\[?v?\d+\.\d+(?:\.\d+)?\]?|(?:Version|Release) \d+\.\d+)")
_MONEY = ("$", "\u20ac", "\u00a3", " EUR", " USD", " GBP", " million", " billion")
# `(?<!\d\d)` behind a digit says what `(?<!\d)` before it would, and lets `re` look for digits alone
_DATED = regex(
    r"\d(?<!\d\d)(?:\d{3}-\d\d-\d\d|\d? (?:January|February|March|April|May|June|July|August|September|October|November|December)|\d:\d\d)\b"
)
_ADDRESS = regex(r"[\w.+-]{1,40}@[\w-]{1,40}\.\w")
_AT_DOMAIN = regex(r"@[\w-]{1,40}\.\w")  # in every address, and found much faster
_BLANKS = ("TODO", "TBD", "{{", "[your ", "[Your ", "[name", "[Name", "[date", "[Date", "[title")
_BLANK = regex(r"<[a-z][\w -]{2,30}>")


class _Cues(NamedTuple):
    kinds: dict[str, list[str]]  # document kind -> types
    headings: dict[str, list[tuple[str, str, bool]]]  # longest word -> (phrase, type, is it the first of its list)
    signs: dict[str, list[str]]
    text: dict[str, list[tuple[str, str]]]


def content_types(leaf: LeafText, found: list[Passage]) -> tuple[str, ...]:
    """The most telling first. Of a ticket that is what its type says; `found` are then its sentences alone."""
    own = type_of(leaf)
    if own:
        said = "\n".join(leaf.text[p.start : p.end] for p in found)
        others = _told(LeafText(said, leaf.heading[:1], kind=leaf.kind), found, _TICKET_MARGIN) if said else ()
        return (own, *(kind for kind in others if kind not in (own, UNCLASSIFIED)))[:_MOST_TYPES]
    return _told(leaf, found, _MARGIN)


def _told(leaf: LeafText, found: list[Passage], margin: float) -> tuple[str, ...]:
    scores: defaultdict[str, float] = defaultdict(float)
    cues = _cues()
    for kind in cues.kinds.get(leaf.kind.lower(), ()):
        scores[kind] += _KIND
    inner = list(dict.fromkeys(p.heading for p in found if p.heading))
    for place, heading in enumerate(reversed(leaf.heading)):
        _by_heading(heading.lower(), _NEAREST if place == 0 else _OUTER, scores)
    for heading in inner[:12]:
        _by_heading(heading, _OUTER, scores)
    seen = signs(leaf.text, found)
    counted: defaultdict[str, int] = defaultdict(int)
    for sign in seen:
        for kind in cues.signs.get(sign, ()):
            counted[kind] += 1
            if counted[kind] <= _MOST_SIGNS:
                scores[kind] += _SIGN
    laid_out = scores.keys() & _LAID_OUT
    _by_text(leaf.text.lower(), found, scores)
    scores.update({kind: scores[kind] * _WITHOUT_SIGN for kind in (_LAID_OUT & scores.keys()) - laid_out})
    if leaf.text and all(passage.kind in ("row", "heading") for passage in found):
        scores["data_table"] += _KIND
    if not _TECHNICAL_SIGNS.intersection(seen):
        scores.update({kind: scores[kind] * _WITHOUT_SIGN for kind in _TECHNICAL & scores.keys()})
    return _best(scores, margin)


def _best(scores: dict[str, float], margin: float) -> tuple[str, ...]:
    ranked = sorted(scores, key=lambda kind: (-scores[kind], kind))
    if not ranked or scores[ranked[0]] < margin:
        return (UNCLASSIFIED,)
    least = max(margin, scores[ranked[0]] * _SHARE)
    return tuple(kind for kind in ranked[:_MOST_TYPES] if scores[kind] >= least)


def _by_heading(heading: str, weight: float, scores: dict[str, float]) -> None:
    for kind, share in _shares(heading):
        scores[kind] += weight * share


@lru_cache(maxsize=8_192)
def _shares(heading: str) -> tuple[tuple[str, float], ...]:
    """How well a heading names each kind: more where the cue is most of it."""
    known = _cues().headings
    padded = f" {' '.join(_WORD.findall(heading))} "
    best: dict[str, float] = {}
    for word in sorted(set(padded.split())):
        for phrase, kind, first in known.get(word, ()):
            if f" {phrase} " in padded:
                share = 0.6 + 0.4 * (len(phrase) + 2) / len(padded) + (0.15 if first else 0.0)
                best[kind] = max(best.get(kind, 0.0), share)
    return tuple(best.items())


def _by_text(text: str, found: list[Passage], scores: dict[str, float]) -> None:
    known = _cues().text
    present = words_of(text)
    counted: defaultdict[str, int] = defaultdict(int)
    for word in sorted(present & known.keys()):
        for phrase, kind in known[word]:
            if counted[kind] < _MOST_CUES and phrase in text:
                counted[kind] += 1
                scores[kind] += _CUE


def signs(text: str, found: list[Passage]) -> list[str]:
    """What the structure of a text shows at once."""
    size = max(1, len(text))
    by_kind: defaultdict[str, int] = defaultdict(int)
    for passage in found:
        by_kind[passage.kind] += passage.end - passage.start
    counts, lines = _line_counts(text)
    many, digits = max(3, lines // 8), sum(map(text.count, "0123456789"))
    tests = (
        ("steps", counts["steps"] >= 3),
        ("bullets", counts["bullets"] >= many),
        ("checkboxes", "[ ] " in text or "[x] " in text or "[X] " in text),
        ("table", by_kind["row"] > size * 0.3),
        ("code", by_kind["code"] > size * 0.6),
        ("some_code", size * 0.6 >= by_kind["code"] > size * 0.08),
        ("speakers", counts["speakers"] >= max(3, lines // 4)),
        ("log", counts["log"] >= max(3, lines // 4)),
        ("keyvalues", counts["keyvalues"] >= max(4, lines // 3)),
        ("mailhead", counts["mailhead"] >= 2),
        ("questions", sum(1 for p in found if p.text[-1] == "?") >= max(3, len(found) // 5)),
        ("definitions", counts["definitions"] >= max(4, lines // 4)),
        ("links", text.count("](") + text.count("://") >= max(4, lines // 2)),
        ("money", digits > 6 and sum(map(text.count, _MONEY)) >= 6),
        ("numbers", digits > size * 0.12),
        ("dates", digits > 15 and len(_DATED.findall(text)) >= max(4, lines // 5)),
        ("versions", counts["versions"] >= 2),
        ("emails", text.count("@") > 2 and len(_AT_DOMAIN.findall(text)) >= 3 and len(_ADDRESS.findall(text)) >= 3),
        ("placeholders", sum(map(text.count, _BLANKS)) >= 3 or (text.count("<") > 3 and len(_BLANK.findall(text)) >= 4)),
    )
    return [sign for sign, there in tests if there]


def _line_counts(text: str) -> tuple[dict[str, int], int]:
    """How many lines begin in each of the ways that tell something."""
    counts = dict.fromkeys(("steps", "bullets", "speakers", "log", "keyvalues", "mailhead", "definitions", "versions"), 0)
    lines = text.split("\n")
    for line in lines:
        bare = line[:200].strip()
        if not bare:
            continue
        first = bare[0]
        if first in "-*+\u2022" and bare[1:2] == " ":
            counts["bullets"] += 1
        if (first.isdigit() or first in "Ss") and _STEP.match(bare):
            counts["steps"] += 1
        if ":" in bare or " - " in bare or "=" in bare or "\u2013" in bare or "\u2014" in bare:
            for name, pattern in _WITH_COLON:
                if pattern.match(bare):
                    counts[name] += 1
        elif first in "IWEFD[" and _LOG.match(bare):
            counts["log"] += 1
        if "." in bare and _VERSION.match(bare):
            counts["versions"] += 1
    return counts, len(lines)


_WITH_COLON = (
    ("speakers", _SPEAKER), ("log", _LOG), ("keyvalues", _KEY_VALUE), ("mailhead", _MAIL), ("definitions", _DEFINED),
)  # fmt: skip


@cache
def _cues() -> _Cues:
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    headings: defaultdict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    by_sign: defaultdict[str, list[str]] = defaultdict(list)
    text: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind in taxonomy().types:
        for name in kind.kinds:
            kinds[name].append(kind.id)
        for at, phrase in enumerate(kind.headings):
            phrase = " ".join(_WORD.findall(phrase))
            headings[max(phrase.split(), key=len)].append((phrase, kind.id, at == 0))
        for sign in kind.signs:
            by_sign[sign].append(kind.id)
        for phrase in kind.text:
            text[max(_WORD.findall(phrase), key=len)].append((phrase, kind.id))
    return _Cues(kinds, headings, by_sign, text)
