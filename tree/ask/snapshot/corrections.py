"""Other spellings of a question that is not answered: a word that occurs nowhere, and a known name or word one edit from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, product

from prompts.language import terms
from prompts.question import one_slip
from prompts.regex import regex
from tree.ask.snapshot.chart import DRAWN
from tree.ask.snapshot.snapshot import Snapshot
from tree.retrieve.fact_index import FactIndex, folded
from tree.retrieve.index import Index, SearchScope
from tree.retrieve.names import Names, Token, tokens

MOST_NAMES = 2  # near a word; more of them say nothing
MOST_OFFERED = 3
FEWEST_LETTERS = 5  # of a word that may be misspelt; of a shorter one every other word is near
MOST_LETTERS = 40  # of a word that is looked for with a slip: what is longer is no word, and its edits fill the memory
MOST_LEAVES = 3  # in which the spelling of a word is looked up
ALIKE = 0.75  # of a part of a name beside one that is written rightly
_LETTERED = regex(r"[a-z]{5,40}")  # a shorter one is near to many words that are spelt rightly: reset and rest
_ENDINGS = regex(  # of a word that is looked for without them: "visitor" where there are "visitors", and not "charg" of "charge"
    r"(?<!s)s|(?<=[sxzo])es|(?<=[cs]h)es|(?<=e)[dn]|en"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NOWHERE = "\0"  # a term that no text has


@dataclass(frozen=True, slots=True)
class Correction:
    """A question with words replaced: `name` is what was put in, as it is written where it stands."""

    name: str
    question: str

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "question": self.question}


def find_corrections(question: str, snapshot: Snapshot, *, with_words: bool = False) -> tuple[Correction, ...]:
    """What the question may have meant, at most three; empty where all its words occur, or nothing is near them.

    Near are names, and with `with_words` every word of the texts.
    """
    index, scope = snapshot.index, snapshot.scope
    unknown = [token for token in _unknown(question, index, scope) if token.folded not in DRAWN]
    if not unknown:
        return ()
    names, facts = index.names(scope), index.facts(scope)
    spelt: dict[Token, list[str]] = {}
    words = tokens(question)
    places = {token: at for at, token in reversed(list(enumerate(words)))}
    for token in unknown:
        if found := names.near(token.folded) or _in_full_name(words, places[token], names):
            spelt |= {token: [_spelling(name, names, facts) for name in found]} if len(found) <= MOST_NAMES else {}
        elif with_words and (word := _word_near(token.folded, snapshot)) is not None:
            spelt[token] = [word]
    return tuple(islice(_corrected(question, spelt), MOST_OFFERED))


def missing_words(question: str, snapshot: Snapshot) -> list[str]:
    """The words of a question that occur in no text, as they are written in it."""
    return [token.text for token in _unknown(question, snapshot.index, snapshot.scope)]


def _in_full_name(found: Sequence[Token], at: int, names: Names) -> list[str]:
    """What a word may be beside another part of a full name: "Joakin Brand" where there is a Joaquin Brand."""
    token = found[at]
    beside = [found[other].folded for other in (at - 1, at + 1) if 0 <= other < len(found)]
    parts = {
        part for word in beside for full in names.full(word) if len(full.split()) == 2 for part in full.split() if part != word
    }
    return sorted(
        part for part in parts if part[0] == token.folded[0] and SequenceMatcher(None, part, token.folded).ratio() >= ALIKE
    )


def _unknown(question: str, index: Index, scope: SearchScope) -> Iterator[Token]:
    """The words that occur in no leaf."""
    words = {token: terms(token.text)[:1] for token in tokens(question) if " " not in token.folded and token.folded.isalpha()}
    weights = index.weights([*(term[0] for term in words.values() if term), _NOWHERE], scope)
    return (token for token, term in words.items() if term and weights[term[0]] == weights[_NOWHERE])


def _word_near(word: str, snapshot: Snapshot) -> str | None:
    """The word one edit from this one that most leaves have (Norvig, "How to write a spelling corrector"), as a leaf has it; None where
    none has."""
    if not FEWEST_LETTERS <= len(word) <= MOST_LETTERS or not word.isascii():
        return None
    found: dict[str, list[str]] = {}
    for near in sorted(_edits(word)):
        for known in terms(near)[:1]:
            found.setdefault(known, []).append(near)
    weights = snapshot.index.weights([*found, _NOWHERE], snapshot.scope)
    there = sorted((term for term in found if weights[term] < weights[_NOWHERE]), key=lambda term: (weights[term], term))
    spelt = (_as_spelt(word, term, found[term], snapshot) for term in there[:MOST_NAMES])
    return next(filter(None, spelt), None)


def _as_spelt(word: str, term: str, edits: Sequence[str], snapshot: Snapshot) -> str | None:
    """A word of the first leaves with this term that is one edit from it, or the edit to which such a word adds an ending, "visitor" where
    there are "visitors": a term is not always a word."""
    keys = [key for _, key in snapshot.index.mentioning([term], snapshot.scope)[:MOST_LEAVES]]
    read = (leaf.as_read() for leaf in snapshot.store.leaves.by_key(keys).values())
    said = [one for leaf in read for one in _LETTERED.findall(" ".join((*leaf.heading, leaf.text)).casefold())]
    exact = next((one for one in said if one_slip(word, one)), None)
    whole = [edit for edit in edits if len(edit) >= FEWEST_LETTERS]
    ended = (edit for one in said for edit in whole if one.startswith(edit) and _ENDINGS.fullmatch(one, len(edit)))
    return exact or next(ended, None)


def _edits(word: str) -> set[str]:
    """All that differ by one letter left out, changed, added or swapped with its neighbour; the first stays, which few mistype."""
    parts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    left_out = {head + tail[1:] for head, tail in parts if tail}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in parts if len(tail) > 1}
    changed = {head + letter + tail[1:] for head, tail in parts if tail for letter in _LETTERS}
    added = {head + letter + tail for head, tail in parts for letter in _LETTERS}
    return (left_out | swapped | changed | added) - {word}


def _spelling(name: str, names: Names, facts: FactIndex) -> str:
    """A name as it is written where it stands, rather than as names are compared."""
    full = names.full(name)
    stated = [*facts.about(full), *facts.with_value(full)]
    written = (token.text for fact in stated for text in (fact.fact.subject.name, fact.fact.value) for token in tokens(text))
    return next((word for word in written if folded(word) == name), name)


def _corrected(question: str, spelt: Mapping[Token, Sequence[str]]) -> Iterator[Correction]:
    for chosen in product(*spelt.values()) if spelt else ():
        text = question
        for token, name in sorted(zip(spelt, chosen, strict=True), key=lambda pair: -pair[0].start):
            text = f"{text[: token.start]}{name}{text[token.end :]}"
        yield Correction(" ".join(chosen), text)
