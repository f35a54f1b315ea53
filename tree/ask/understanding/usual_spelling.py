"""Words with which questions are put, spelt rightly: "how much rest do we ned", "what is overdue at the momment"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from prompts.other_languages import GERMAN, language_of
from tree.ask.snapshot.corrections import missing_words
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.names import tokens

LONG, LEAST_PART = 8, 4  # letters of a compound, and of a word in it
_WITH_HYPHEN = {  # short ones, which texts write with a hyphen or without
    one.replace("-", ""): one.split("-")
    for one in "wi-fi e-mail e-bike e-book e-scooter x-ray t-shirt on-call co-worker co-owner pre-order re-order re-use".split()
}
_PARTICLES = ("down", "over", "back", "out", "off", "up", "in", "on")
_JOINTS = ("", "s", "n", "es", "en")
SHORTEST = 3  # letters of a word that may be misspelt
_USUAL = frozenset(
    """about action actions after agreed assigned because before between blocked blocks closed compare could currently deadline decided decision
    decisions deputy difference does done finished find from give happened have list long many meeting moment month more most much need needs often
    open overdue overview owner owns please priority release responsible should show since sprint status still summary tell their there these they
    this those ticket tickets today tomorrow until updated what when where which while with without working would week year yesterday""".split()
)
_OTHERS = frozenset("form three quite quiet".split())  # words of their own


def spelt_as_usual(question: str, snapshot: Snapshot) -> str:
    """The question with words that occur in no text, and are one slip from just one with which questions are put, as that one."""
    for word in missing_words(question, snapshot):
        if len(word) < SHORTEST or not word.islower() or word in _USUAL | _OTHERS:
            continue
        near = [usual for usual in _USUAL if len(usual) > SHORTEST and _is_slip(word, usual)]
        at = next((token.start for token in tokens(question) if token.text == word), -1)
        if len(near) == 1 and at >= 0:
            question = f"{question[:at]}{near[0]}{question[at + len(word) :]}"
    return question


def with_compounds_apart(question: str, snapshot: Snapshot) -> str:
    """A question with compounds that occur in no text as the two words that do: "Urlaubstage" as "Urlaub Tage", "slewring" as "slew
    ring"."""
    joints = _JOINTS if language_of(question) is GERMAN else ("",)
    for word in missing_words(question, snapshot):
        is_name = joints == ("",) and not word.islower()
        parts = _parts(word, joints, snapshot) if len(word) >= LONG and not is_name else None
        parts = parts or (_verb_and_particle(word, snapshot) if word.islower() else None)
        known = _WITH_HYPHEN.get(word.casefold()) if parts is None else None
        apart = " ".join(parts or known or ())
        if apart and (known is None or not missing_words(apart, snapshot)):
            said = apart if known is None else "-".join(known)
            question = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", said, question, count=1)
    return question


def _verb_and_particle(word: str, snapshot: Snapshot) -> tuple[str, str] | None:
    """ "standup" where there is "stand-up": a word that occurs, and what it ends with."""
    ways = ((word[: -len(end)], end) for end in _PARTICLES if word.endswith(end) and len(word) - len(end) >= LEAST_PART)
    return next((way for way in ways if not missing_words(way[0], snapshot)), None)


def with_words_joined(question: str, snapshot: Snapshot) -> str:
    """A question with two words, one of which occurs in no text, as the one that does: "weigh bridge" as "weighbridge"."""
    missing = {word for word in missing_words(question, snapshot) if word.isascii()}
    pairs = [
        (one, other)
        for one, other in pairwise(tokens(question))
        if missing & {one.text, other.text} and (one.text + other.text).isalpha()
    ]
    pairs = [(one, other) for one, other in pairs if min(len(one.text), len(other.text)) >= LEAST_PART and question[one.end : other.start] == " "]  # fmt: skip
    unknown = set(missing_words(" ".join(f"{one.text}{other.text}" for one, other in pairs), snapshot)) if pairs else set()
    for one, other in reversed(pairs):
        if f"{one.text}{other.text}" not in unknown:
            question = f"{question[: one.end]}{question[other.start :]}"
    return question


def _parts(word: str, joints: Sequence[str], snapshot: Snapshot) -> tuple[str, str] | None:
    """The two words that it is made of, with or without a letter between them, both of which occur; None where there are none."""
    ways = [
        (word[:at], word[after:])
        for at in range(LEAST_PART, len(word) - LEAST_PART + 1)
        for joint in joints
        for after in (at + len(joint),)
        if word[at:after].casefold() == joint and len(word) - after >= LEAST_PART
    ]
    unknown = set(missing_words(" ".join({part for way in ways for part in way}), snapshot))
    known = [way for way in ways if not unknown & set(way)]
    return max(known, key=lambda way: (min(map(len, way)), len(way[0])), default=None)


def _is_slip(typed: str, usual: str) -> bool:
    """Whether a letter within the word was left out, put in, or swapped with its neighbour. One for another makes too many other words:
    "last", "lost" and "list"; and the last one may be the ending of a word: "owner", "owners"."""
    if typed[0] != usual[0] or typed[-1] != usual[-1] and sorted(typed) != sorted(usual):
        return False
    longer, shorter = max(typed, usual, key=len), min(typed, usual, key=len)
    if len(longer) - len(shorter) == 1:
        return any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer) - 1))
    swapped = (usual[:at] + usual[at + 1] + usual[at] + usual[at + 2 :] for at in range(1, len(usual) - 1))
    return len(longer) == len(shorter) and typed in swapped
