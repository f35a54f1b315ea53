"""Sections that say in sentences what is to be done, each below its name: a heading, a label set in bold, or one before a colon.

"## Dripping tap" with "Close the valve. Open the tap ..." below it is a procedure as much as a numbered list is, and so is
"**A guest has lost the key.** Ask for ..." among the questions of a help desk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import lru_cache

from prompts.extractive.procedures import Part, Procedure, Scope, procedures, scopes_of
from prompts.language import terms
from prompts.records import LeafText
from prompts.regex import regex
from prompts.sentences import BlockKind, blocks, sentences

LONGEST_TOLD = 900  # characters of a section, as far as it is told
FEWEST_WORDS = 3  # of what stands behind a label
FEWEST_PARAGRAPHS = 2  # of a page that is told as a whole
LONGEST_TITLE = 90  # characters of the first line of a text that is its title
FILE = regex(r"[\w .-]{1,80}\.[a-z]{2,5}")
WIDE_GAP = regex(r"\s{2,}|\t|\s[–—-]\s")  # behind the title in a first line: who wrote it, and when
_IN_BOLD = regex(r"(?:\*\*|__)(?P<label>[^*_\n]{3,90}?)[.:]?(?:\*\*|__)[.:]?\s+(?=\S)")
_BEFORE_COLON = regex(  # what a text says of itself, or of who was there, is nothing to do
    r"(?P<label>(?!(?:Date|Present|Apologies|Attendees|Absent|Deciders|Decision|Decided|Questions|Subject|From|To|Cc|Owner|Author|Status|Version|Note|Example)\b)"
    r"[A-Z][\w'’-]*(?: [\w'’-]+){0,4}): (?=\S)"
)
_ASKS_HOW = regex(r"\W*(?:how (?:do|does|can|should|to)|what (?:do|should|must) (?:i|we|you|one) do)\b", re.IGNORECASE)
_BEGINS = regex(
    r"(?:(?:\d{1,2}[.)]|[-*+•]) +)?(?:(?:and|then|first|next|now|please|finally|simply|just),? )*(?P<what>(?P<verb>[a-z]{2,14})\b[^.:;,`(]{3,80}?)(?= (?:with|by|using|via|through|from|on|in|at) |\W*[.:;,`(]|\W*\Z)",
    re.IGNORECASE,
)
_NO_VERBS = (
    "it|its|this|that|these|those|there|he|she|we|you|they|i|if|when|where|who|what|why|how|in|on|at|to|for|from|with|without|by|as|the|an?|"
    "after|before|once|since|because|while|until|unless|all|both|some|and|but|or|so|not|only|even|most|more|less|one|two|nothing|nobody|"
    "somebody|everybody|everyone|also|than|of|up|down|off|out|over|during|under|is|are|was|were|will|can|may|must|has|have|had|do|does|did|"
    "which|our|your|my|their|his|her|then|first|next|now|please|finally|just|however|otherwise|therefore|thus|hence|sometimes|afterwards|"
    "today|yesterday|tomorrow|here|maybe|perhaps|yes|no|thanks?|often|never|always|instead|still|yet|about|nor|any|each|every|using|being|doing|going|having|owing"
)
_TO_DO = regex(  # a verb with what it is done to: "Close the valve", "Save, copy it", "then hang up the sign"; or "do not", "you can"
    r"(?:\A|[.:;!?)] |, (?:and |then )|\n)[*_\[(]{0,2}(?:(?:and|then|first|next|now|please|finally|simply|just|always)[ ,]{1,2})*"
    rf"(?!(?:{_NO_VERBS})\b)(?:apply|reply|supply|[a-z]{{2,12}}(?<![^e]ed)(?<![a-z]{{3}}ing)(?<!ly))"
    r"(?:,|(?: (?:the|an?|your|it|them|him|her|up|off|on|out|down|back|in|into|to|at|all|any|both|this|every|each|no|whether|if|where|through|over|away|with|for)\b)|(?= [`\"“]))"
    r"|\b(?:do not|don['’]t|never) [a-z]|\b(?:you|one|they|he|she|we|users?) (?:can|must|should|may|have to|has to|need to|needs to) [a-z]|\bin this order\b",
    re.IGNORECASE,
)


@lru_cache(64)  # asked for each way in which a leaf is held against a question
def told_sections(leaf: LeafText) -> tuple[Procedure, ...]:
    """What a leaf says to do in sentences, each section and labelled paragraph with what it is called; nothing that has steps."""
    stepped = _stepped(leaf)
    scopes = [*_scopes_with_blocks(leaf)]
    found: list[Procedure] = [*_told_page(leaf, *scopes[0])] if len(scopes) == 1 else []
    for scope, inside in scopes:
        labelled = [*_labelled(leaf, scope, [(start, end) for start, end, kind in inside if kind in ("text", "item")])]
        has_steps = any(first < scope.end and scope.start < last for first, last in stepped)
        found += labelled
        if _is_headed(leaf, scope) and not has_steps and len(labelled) < 2 and inside and inside[0][2] != "row":
            told = [end for _, end, _ in inside if end - inside[0][0] <= LONGEST_TOLD]
            if told and _says_to_do(leaf.text, inside[0][0], told[-1]):
                found.append(Procedure(scope.headings[-1], (Part(inside[0][0], told[-1]),), scope.headings))
    return tuple(
        one for one in found if not any(first < one.parts[0].end and one.parts[0].start < last for first, last in stepped)
    )


def _told_page(leaf: LeafText, scope: Scope, inside: list[tuple[int, int, BlockKind]]) -> Iterator[Procedure]:
    """A page without headings that says what to do in its first paragraphs, by its title or by a first line that stands alone."""
    told = [(start, end) for start, end, kind in inside if kind in ("text", "item")]
    if len(told) < FEWEST_PARAGRAPHS or len(told) < len(inside):
        return
    first = WIDE_GAP.split(leaf.text[told[0][0] : told[0][1]])[0]
    is_title = len(first) <= LONGEST_TITLE and "\n" not in first and first[-1:] not in ".,;!?"
    if not is_title and FILE.fullmatch(leaf.title):
        return
    begins = told[1 if is_title else 0][0]
    ends = [end for _, end in told[1 if is_title else 0 :] if end - begins <= LONGEST_TOLD]
    if ends and _says_to_do(leaf.text, begins, ends[-1]):
        yield Procedure(first if is_title else leaf.title, (Part(begins, ends[-1]),), scope.headings)


def _scopes_with_blocks(leaf: LeafText) -> Iterator[tuple[Scope, list[tuple[int, int, BlockKind]]]]:
    """The parts of a leaf between two headings, each with what stands in it."""
    left = [one for one in blocks(leaf.text) if one[2] != "heading"]
    at = 0
    for scope in scopes_of(leaf):
        begins = at
        while at < len(left) and left[at][0] < scope.end:
            at += 1
        yield scope, left[begins:at]


def _stepped(leaf: LeafText) -> list[tuple[int, int]]:
    """Where the steps of a leaf stand, [start, end) of each procedure."""
    return [(one.steps[0].start, one.steps[-1].end) for one in procedures(leaf)]


def told_sentences(leaf: LeafText, verbs: Set[str]) -> Iterator[Procedure]:
    """The sentences that begin by saying to do one of these, each with the rest of its paragraph: called by what it is done to, "Set up
    your machine with ..."."""
    stepped = _stepped(leaf) if verbs else []
    seen: set[str] = set()
    for scope, inside in _scopes_with_blocks(leaf) if verbs else ():
        for start, end, kind in inside:
            is_step = any(first <= start < last for first, last in stepped)
            if kind not in ("text", "item") or is_step:
                continue
            spans = [(start + first, start + last) for first, last in sentences(leaf.text[start:end])]
            for first, last in spans:
                match = _BEGINS.match(leaf.text, first, last)
                if match is None or match["what"] in seen or verbs.isdisjoint(terms(match["verb"])):
                    continue
                seen.add(match["what"])
                begins = match.start("what")
                ends = max((stop for _, stop in spans if last <= stop <= begins + LONGEST_TOLD), default=last)
                yield Procedure(match["what"].strip(), (Part(begins, ends),), scope.headings)


def _is_headed(leaf: LeafText, scope: Scope) -> bool:
    """Whether a heading of its own stands above a part of a leaf, and not only the name of the document."""
    return bool(scope.headings) and leaf.text.startswith("#", scope.start) and len(scope.headings) > 1


def _labelled(leaf: LeafText, scope: Scope, inside: list[tuple[int, int]]) -> Iterator[Procedure]:
    """The paragraphs that begin with what they are called, and say what is to be done."""
    for start, end in inside:
        label = _IN_BOLD.match(leaf.text, start, end) or _BEFORE_COLON.match(leaf.text, start, end)
        if label is None or len(leaf.text[label.end() : end].split()) < FEWEST_WORDS or end - start > LONGEST_TOLD:
            continue
        if _ASKS_HOW.match(label["label"]) or _says_to_do(leaf.text, label.end(), end):
            yield Procedure(label["label"], (Part(start, end),), (*scope.headings, label["label"]))


def _says_to_do(text: str, start: int, end: int) -> bool:
    return _TO_DO.search(text[start:end]) is not None
