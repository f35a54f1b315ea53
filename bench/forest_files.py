"""The made-up files of a forest: short notes with a heading, an owner, a state and a few sentences; some long ones among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal

from bench.synthetic import vocabulary

FOLDER = 40  # files of a folder, and folders of a folder
LONG = 50  # every so many files one is of three leaves
SECTION = 2_300  # characters of each of its three headings
WORDS = (35, 60)  # of a short note
ASKED = 24  # of the first notes of a source, which every size has
OWN = 400  # words that a source uses more than others do
SHARE = 0.35  # of the words of a note that are of these
PEOPLE = 25  # of a source
STATES = ("active", "planned", "paused", "retired")
KINDS = ("Runbook", "Notes", "Review", "Handover", "Decision", "Checklist", "Overview", "Incident")
PRODUCTS = ("engine", "gateway", "ledger", "scheduler", "archive", "console", "planner", "broker", "monitor", "catalogue")
SAYINGS = (
    "The {a} of the {b} was moved to {c} because {d} was full.",
    "Before the {a} is changed, {b} has to be told, and {c} is stopped.",
    "We decided to keep {a} beside {b} until {c} is done.",
    "When {a} fails, look at {b} first, then restart {c} and wait for {d}.",
    "Each {a} needs a {b}; without it the {c} gives an error of the kind {d}.",
    "It was tested with {a} and {b}, and the {c} took less than {d}.",
)  # fmt: skip

Kind = Literal["words", "name", "fact"]


@dataclass(frozen=True, slots=True)
class Note:
    """A file before it is written."""

    path: str
    title: str
    text: str
    owner: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the title of what answers it."""

    question: str
    kind: Kind
    source: int
    title: str


def source_name(number: int) -> str:
    return f"{_word(Random(f'source {number}')).capitalize()} {PRODUCTS[number % len(PRODUCTS)]} {number:03d}"


def write_source(folder: Path, source: int, leaves: int, seed: int) -> int:
    """Writes about so many leaves; returns how many bytes that are."""
    size = made = number = 0
    while made < leaves:
        one = note(source, number, seed)
        path = folder / one.path
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(one.text.encode())
        made += 3 if is_long(number) and leaves - made >= 3 else 1
        number += 1
    return size


def is_long(number: int) -> bool:
    return number % LONG == LONG - 1


def note(source: int, number: int, seed: int, edit: int = 0) -> Note:
    """The same numbers give the same note. An edit changes what it says, not what it is called."""
    chance = Random(f"{seed} {source} {number}")
    title = f"{KINDS[chance.randrange(len(KINDS))]} {_word(chance)} {_word(chance)} {number}"
    owner = _person(source, chance)
    chance = Random(f"{seed} {source} {number} {edit}")
    head = f"# {title}\n\nOwner: {owner}\nStatus: {chance.choice(STATES)}\n\n"
    if is_long(number):
        parts = [f"## {_word(chance).capitalize()} {_word(chance)}\n\n{_said(source, chance, SECTION // 7)}" for _ in range(3)]
        text = head + "\n\n".join(parts)
    else:
        text = head + _said(source, chance, chance.randint(*WORDS))
    path = f"area {number // FOLDER**2}/topic {number // FOLDER}/{title}.md"
    return Note(path, title, text + "\n", owner)


def written_anew(folder: Path, source: int, chance: Random, seed: int) -> str:
    """Changes one of the short files there that no question is about. Returns its path below the folder."""
    number = chance.randrange(ASKED, LONG - 1)
    one = note(source, number, seed, edit=1 + chance.randrange(10**6))
    (folder / one.path).write_text(one.text, encoding="utf-8")
    return one.path


def questions(seed: int, sources: int, number: int) -> list[Asked]:
    """Of three kinds in turn, about the first few notes of sources taken by chance: those that every size has."""
    chance = Random(f"questions {seed}")
    kinds: Sequence[Kind] = ("words", "name", "fact")
    asked = []
    for at in range(number):
        source = chance.randrange(sources)
        one = note(source, chance.randrange(ASKED), seed)
        kind = kinds[at % len(kinds)]
        words = sorted(
            {word.strip(".,;") for word in one.text.rpartition("\n\n")[2].split()}, key=lambda word: (-len(word), word)
        )
        question = {
            "words": f"What about {' '.join(chance.sample(words[:15], 5))}?",
            "name": f"What does {one.title} say about {chance.choice(words[:8])}?",
            "fact": f"Who is the owner of {one.title}?",
        }[kind]
        asked.append(Asked(question, kind, source, one.title))
    return asked


def _said(source: int, chance: Random, words: int) -> str:
    own = _own(source)
    sentences, used = [], 0
    while used < words:
        names = {name: chance.choice(own) if chance.random() < SHARE else _word(chance) for name in "abcd"}
        sentence = chance.choice(SAYINGS).format(**names)
        used += sentence.count(" ") + 1
        sentences.append(sentence)
    return " ".join(sentences)


@lru_cache(maxsize=512)
def _own(source: int) -> tuple[str, ...]:
    return tuple(Random(f"own {source}").sample(vocabulary()[500:], OWN))


def _person(source: int, chance: Random) -> str:
    who = Random(f"person {source} {chance.randrange(PEOPLE)}")
    return f"{_word(who).capitalize()} {_word(who).capitalize()}"


def _word(chance: Random) -> str:
    """The first ones most often, as in a language."""
    words = vocabulary()
    return words[int(len(words) ** chance.random()) - 1]
