"""Words with which questions are put, spelt rightly: "how much rest do we ned", "what is overdue at the momment"."""

from __future__ import annotations

from tree.ask.snapshot.corrections import missing_words
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.names import tokens

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
