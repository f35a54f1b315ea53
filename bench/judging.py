"""Whether an answer is right: questions with what their answers have to say, and what became of each."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prompts.extractive.compose import PASSAGES
from tree.accounts.principal import OPERATOR
from tree.ask.ask import AskError, Earlier, ask
from tree.ask.facts.thing_sets import SHOWN
from tree.ask.snapshot.answer import Answer
from tree.workspace import Workspace

MOST_OF_THE_STEPS = 0.9  # of a procedure, in their order, for an answer that tells it
LEAD_CHARACTERS, LIST_CHARACTERS = 400, 600
_KEYS = re.compile(r"^\s*(?:[-*]|\d+\.|\|)?\s*\**([A-Z][A-Z0-9_]*-\d+)\b", re.MULTILINE)
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_PLACE = re.compile(r"\n\*[^*\n]+\*(?: \([^()\n]+\))?\Z")
_ARTICLES = frozenset(("a", "an", "the"))


@dataclass(frozen=True, slots=True)
class Gold:
    """A question with what its answer has to say. `lead`: one of them in the first sentence; `all`: all of them anywhere."""

    question: str
    kind: str
    lead: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()  # never in the first sentence
    none: bool = False  # nothing answers it
    places: tuple[str, ...] = ()  # the branches it is asked in
    earlier: tuple[str, ...] = ()  # what is asked in the same chat before
    keys: frozenset[str] | None = None  # the tickets that a list has, these and no others
    steps: tuple[str, ...] = ()  # of a procedure, in this order
    each: tuple[tuple[str, ...], ...] = ()  # things that all have to be named anywhere, each by one of its names
    items: tuple[tuple[str, ...], ...] = ()  # what a list has to tell, each in a line of its own with one of these words
    also: tuple[tuple[str, ...], ...] = ()  # what it may tell besides


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question."""

    question: str
    kind: str
    verdict: str
    none: bool  # nothing answers it
    is_lead: bool  # right in the first sentence; for a question that nothing answers: not called answered
    is_anywhere: bool
    words: int
    text: str
    exact: float | None = None  # what is said in bold, or the first sentence, is the answer and no more; of a list: the same set
    overlap: float | None = None  # F1 of the words of that, or of the tickets of a list
    recall: float | None = None  # of the items that a list has to tell
    precision: float | None = None  # of the lines of that list
    is_section: bool = False  # right in the lead, or in the other passages of the section that leads


def judge(workspace: Workspace, gold: Gold) -> Outcome:
    """Asks the question, after what was asked before it in the chat."""
    chat: list[Earlier] = []
    for question in gold.earlier:
        answer = answered(workspace, Gold(question, "", places=gold.places), chat)
        cited = answer.citations
        chat.append(Earlier(question, tuple(c.place for c in cited), answer.text, tuple(c.leaf for c in cited)))
    return judged(gold, answered(workspace, gold, chat))


def answered(workspace: Workspace, gold: Gold, chat: Sequence[Earlier] = ()) -> Answer:
    """The answer; where the question cannot be asked, the reason."""
    try:
        *_, answer = ask(workspace, gold.question, places=gold.places, earlier=chat, principal=OPERATOR)
    except AskError as error:
        return Answer(question=gold.question, text=str(error), verdict="none")
    assert isinstance(answer, Answer)
    return answer


def judged(gold: Gold, answer: Answer) -> Outcome:
    text, verdict = answer.text, answer.verdict
    words = len(plain(text).split())
    if gold.none:
        return Outcome(gold.question, gold.kind, verdict, True, verdict != "complete", verdict == "none", words, text)
    if gold.items:
        return _judged_items(gold, verdict, text, words)
    if gold.keys is not None:
        is_lead, is_anywhere, exact, overlap = _judged_list(gold, text)
    elif gold.steps:
        is_lead, is_anywhere, exact, overlap = _judged_steps(gold, text)
    else:
        is_lead, is_anywhere, exact, overlap = _judged_words(gold, text)
    is_section = is_lead or (is_anywhere and any(holds(word, plain(section_of(text))) for word in gold.lead))
    return Outcome(
        gold.question, gold.kind, verdict, False, is_lead, is_anywhere, words, text, exact, overlap, is_section=is_section
    )


# ---------------------------------------------------------------- words, lists, steps

Judged = tuple[bool, bool, float | None, float | None]  # in the lead, anywhere, exact, overlap


def _judged_words(gold: Gold, text: str) -> Judged:
    first, whole = plain(lead_of(text)), plain(text)
    says_all = all(holds(word, whole) or plain(word) in whole for word in gold.all)
    says_all = says_all and all(any(holds(name, whole) for name in names if plain(name)) for names in gold.each)
    says_one = not gold.lead or any(holds(word, whole) for word in gold.lead)
    is_lead = says_all and (not gold.lead or any(holds(word, first) for word in gold.lead))
    is_lead = is_lead and not any(plain(word) in first for word in gold.absent)
    wanted = [answer for answer in gold.lead if plain(answer)]
    if not wanted or gold.all or gold.each:
        return is_lead, says_all and says_one, None, None
    said = stated(text)
    exact = max(float(_without_articles(said) == _without_articles(answer)) for answer in wanted)
    return is_lead, says_all and says_one, exact, max(f1(_without_articles(answer), _without_articles(said)) for answer in wanted)


def _judged_list(gold: Gold, text: str) -> Judged:
    """A list tells how many there are, and the first of them one by one."""
    assert gold.keys is not None
    listed = {key.upper() for key in _KEYS.findall(text.replace("\\", ""))}
    number = len(gold.keys)
    numbers = ("none", "no", "0") if not number else (str(number),)
    is_counted = any(holds(word, plain(lead_of(text))) for word in numbers)
    told = min(number, SHOWN)
    common = len(listed & gold.keys)
    is_exact = common == len(listed) and (common >= told or (gold.kind == "count" and is_counted))
    is_exact = is_exact and (is_counted or number == len(listed) <= SHOWN)
    precision, recall = common / len(listed) if listed else float(is_exact), min(1.0, common / told) if told else float(is_exact)
    overlap = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return is_exact and is_counted, is_exact, float(is_exact), 1.0 if is_exact else overlap


def _judged_items(gold: Gold, verdict: str, text: str, words: int) -> Outcome:
    """Lines of a list held against the items that it has to tell; it is right where it has them all, and nothing else."""
    lines = [plain(line) for line in text.split("\n") if line.startswith("- ")]
    recall = sum(any(_is_told(item, line) for line in lines) for item in gold.items) / len(gold.items)
    right = sum(any(_is_told(item, line) for item in (*gold.items, *gold.also)) for line in lines)
    precision = right / len(lines) if lines else 0.0
    is_lead, says, *_ = _judged_words(gold, text)
    is_whole = recall == precision == 1.0
    overlap = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Outcome(
        gold.question, gold.kind, verdict, False, is_lead and is_whole, says and is_whole, words, text, float(is_whole), overlap,
        recall, precision, is_lead and is_whole,
    )  # fmt: skip


def _is_told(item: Sequence[str], line: str) -> bool:
    return any(plain(words) in line for words in item)


def _judged_steps(gold: Gold, text: str) -> Judged:
    """Steps are told when most of their words stand in the answer, each after the one before."""
    said, at, told = plain(text), 0, 0
    for step in gold.steps:
        found = said.find(" ".join(plain(step).split()[:8]), at)
        if found >= 0:
            at, told = found, told + 1
    share = told / len(gold.steps)
    return share >= MOST_OF_THE_STEPS, share >= MOST_OF_THE_STEPS, float(told == len(gold.steps)), share


# ---------------------------------------------------------------- texts


def lead_of(text: str) -> str:
    """What is read first: the first paragraph or list, without what only leads up to it."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    if len(paragraphs) > 1 and paragraphs[0].rstrip().endswith(":"):
        return "\n".join(paragraphs[:2])[:LIST_CHARACTERS]
    return paragraphs[0][:LEAD_CHARACTERS] if paragraphs else ""


def section_of(text: str) -> str:
    """Where passages are told, all that are told of the first section, which ends with its place in italics."""
    first, *others = (part for part in re.split(r"\n\s*\n", text.strip()) if part.strip())
    if first.strip() != PASSAGES:
        return lead_of(text)
    end = next((at for at, part in enumerate(others, 1) if _PLACE.search(part)), 1)
    return "\n\n".join(others[:end])


def stated(text: str) -> str:
    """What an answer sets in bold at its head, else its first sentence: what is held word for word against the gold."""
    lead = lead_of(text)
    bold = _BOLD.search(lead)
    if bold and bold.start() < 5:
        return plain(bold[1])
    return plain(re.split(r"(?<=[.!?])\s", lead, maxsplit=1)[0])


def f1(wanted: str, said: str) -> float:
    """Harmonic mean of precision and recall over words, as SQuAD reckons it (arXiv 1606.05250)."""
    one, other = Counter(wanted.split()), Counter(said.split())
    common = sum((one & other).values())
    return 2 * common / (one.total() + other.total()) if common else 0.0


def holds(word: str, text: str) -> bool:
    """Whether the words stand in a text (plain) as whole words."""
    wanted = plain(word)
    return not wanted or f" {wanted} " in f" {text} "


def plain(text: str) -> str:
    """Letters and digits of a text in small letters, without accents and markup."""
    text = unicodedata.normalize("NFKD", re.sub(r"\[\d+\]|\\", "", text).casefold())
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", "".join(char for char in text if not unicodedata.combining(char)))
    return " ".join(re.sub(r"[^\w]+", " ", text).split())


def _without_articles(text: str) -> str:
    return " ".join(word for word in plain(text).split() if word not in _ARTICLES)


def share(flags: Iterable[bool]) -> float | None:
    """None of nothing."""
    known = list(flags)
    return sum(known) / len(known) if known else None
