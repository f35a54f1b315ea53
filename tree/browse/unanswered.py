"""What people asked without help, put together: questions for the same thing in several wordings, and names that the documents
know by other words.

Two wordings ask for the same thing where their carrying words are the same, by their stems, other forms and synonyms. That says
nothing of the answers: these are proposals for an admin, who reads the questions below each.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from prompts.language import terms
from prompts.question import EVERYDAY, PUTTING, as_written, one_slip, other_forms, weigh
from prompts.records import Question
from prompts.synonyms import same_as
from tree.retrieve.aliases import Aliases
from tree.retrieve.fact_index import folded
from tree.retrieve.names import Token, tokens
from tree.store.asked import Unanswered

ALIKE = 0.55  # of the weight of two questions' words, from which on they ask for the same
FEWEST_SHARED = ALIKE / (2 - ALIKE)  # of the weight of a question's words: with less it is not so like any other
SYNONYM = 0.8  # of the weight of a word, for one with which the same is said
UNLIKE = 0.75  # where each has words that the other lacks, or one is a single word: a parking permit is no fishing permit
FEWEST_LETTERS = 6  # of a word that may be misspelt
SURE_LETTERS = 3  # at its beginning, in which it is not
SOON = 3_600.0  # seconds in which a question is asked again in other words
MOST_SAID = 4  # words for which an alias is proposed
MOST_BESIDE = 3  # words of a name that both questions have: "leave tracker" for "holiday tracker"
ENOUGH = 2  # people who put a question in the same other words, where nothing else says that they mean the same
# Words of one thing that people ask about. They are no synonyms by which documents are searched: a child process has no birthday.
_SAME_THING = {
    term: number
    for number, line in enumerate(
        (
            "parental parents maternity paternity pregnancy birth born baby child children",
            "bereavement funeral death died",
            "payslip salary wage pay payroll",
            "reimbursement expenses refund",
            "onboarding newcomer starter joiner",
            "resignation notice quit leaving",
        )
    )
    for term in terms(line)
}

# ---------------------------------------------------------------- questions for the same thing


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Questions for the same thing, the newest first. `about` is what they share, as one of them says it; empty where all of
    them have the same words."""

    questions: tuple[Unanswered, ...]
    about: str

    @property
    def people(self) -> int:
        return len({one.owner for one in self.questions})


@dataclass(slots=True)
class _Topic:
    """Questions of the same carrying words."""

    words: Sequence[_Said]
    questions: list[Unanswered]

    @property
    def turns(self) -> set[str]:
        """The ids of its questions, and of those that were asked next."""
        again = {one.again.turn_id for one in self.questions if one.again is not None}
        return again | {one.turn_id for one in self.questions}


def group_questions(asked: Iterable[Unanswered]) -> list[QuestionGroup]:
    """Those of which most people asked first. A question without a carrying word is in none."""
    topics: dict[frozenset[str], _Topic] = {}
    for one in asked:
        if words := _carrying(one.question):
            topics.setdefault(frozenset(word.term for word in words), _Topic(words, [])).questions.append(one)
    groups: list[list[_Topic]] = []
    by_key: defaultdict[str, set[int]] = defaultdict(set)  # the groups in which a word, or what says the same, stands
    for topic in sorted(topics.values(), key=lambda topic: (len(topic.words), -topic.questions[0].asked_at)):
        near = _near(topic, by_key)
        likeness, best = max(((_likeness(topic, groups[at]), -at) for at in near), default=(0.0, 0))
        if likeness >= ALIKE:
            at = -best
            groups[at].append(topic)
        else:
            at = len(groups)
            groups.append([topic])
        for key in (*topic.turns, *(key for word in topic.words for key in word.keys)):
            by_key[key].add(at)
    made = map(_made, groups)
    return sorted(made, key=lambda group: (-group.people, -len(group.questions), -group.questions[0].asked_at))


@dataclass(frozen=True, slots=True)
class _Said:
    """A carrying word of a question, as a term with its other forms and synonyms, and as it is written."""

    term: str
    weight: float
    others: frozenset[str]
    synonyms: frozenset[str]
    thing: int | None  # of `_SAME_THING`
    written: str

    @property
    def keys(self) -> set[str]:
        """Of two words that say the same one has a key of the other; of one that is misspelt the beginning is right."""
        beginning = [f"{self.written[:SURE_LETTERS]}…"] if len(self.written) >= FEWEST_LETTERS else []
        return {self.term, *self.others, *self.synonyms, f"#{self.thing}" if self.thing is not None else "", *beginning} - {""}


def _near(topic: _Topic, by_key: Mapping[str, set[int]]) -> list[int]:
    """The groups that a topic may be of: they have enough of its words, or a question that was asked just before or after."""
    shared: defaultdict[int, float] = defaultdict(float)
    for word in topic.words:
        for at in set[int]().union(*(by_key[key] for key in word.keys if key in by_key)):
            shared[at] += word.weight
    least = FEWEST_SHARED * sum(word.weight for word in topic.words)
    linked = set[int]().union(*(by_key[turn] for turn in topic.turns if turn in by_key))
    return sorted({at for at, weight in shared.items() if weight >= least} | linked)


@lru_cache(maxsize=2_048)
def _carrying(question: str) -> tuple[_Said, ...]:
    """Its words with their weights; one by which questions are put counts only where there is no other."""
    weighed, written = weigh(Question(question)), as_written(question)
    words = [word for word in weighed if word.whole not in PUTTING] or weighed
    return tuple(
        _Said(
            word.whole,
            word.weight,
            frozenset((*word.others, *other_forms(word.whole))),
            frozenset(same_as(word.whole)),
            _SAME_THING.get(word.whole),
            written.get(word.whole, word.whole).casefold(),
        )
        for word in words
    )


def _likeness(topic: _Topic, group: Sequence[_Topic]) -> float:
    """With the nearest of them and with all on average, so that of a chain of questions the last is not put beside the first; a
    question that was asked again in the same chat, and shares a word, is for the same thing."""
    if any(_is_asked_again(topic, other) for other in group):
        return 1.0
    found = [alike(topic.words, other.words) for other in group]
    return (max(found) + sum(found) / len(found)) / 2


def _is_asked_again(one: _Topic, other: _Topic) -> bool:
    turns = {question.turn_id for topic in (one, other) for question in topic.questions}
    again = (q for topic in (one, other) for q in topic.questions if q.again is not None and q.again.turn_id in turns)
    return any(is_soon(question) for question in again) and alike(one.words, other.words) > 0


def alike(one: Sequence[_Said], other: Sequence[_Said]) -> float:
    """The share of the words' weight for which the other question has a word, from 0 to 1."""
    sides = [
        [(word.weight, max(_sameness(word, there) for there in others)) for word in said]
        for said, others in ((one, other), (other, one))
    ]
    share = sum(weight * same for side in sides for weight, same in side) / sum(weight for side in sides for weight, _ in side)
    is_contrast = all(any(not same for _, same in side) for side in sides)
    is_one_word = min(len(one), len(other)) == 1 < max(len(one), len(other))
    return share * (UNLIKE if is_contrast or is_one_word else 1.0)


def _sameness(one: _Said, other: _Said) -> float:
    """Whether two words say the same: 1 in any form, less by a synonym, 0 where they do not."""
    a, b = one.term, other.term
    if a == b or b in one.others or a in other.others:
        return 1.0
    if b in one.synonyms or a in other.synonyms or (one.thing is not None and one.thing == other.thing):
        return SYNONYM
    are_long = len(one.written) >= FEWEST_LETTERS <= len(other.written)
    is_near = are_long and one.written[:SURE_LETTERS] == other.written[:SURE_LETTERS] and one_slip(one.written, other.written)
    return 1.0 if is_near else 0.0


def _made(group: Sequence[_Topic]) -> QuestionGroup:
    questions = sorted((one for topic in group for one in topic.questions), key=lambda one: -one.asked_at)
    return QuestionGroup(tuple(questions), _about(group) if len(group) > 1 else "")


def _about(group: Sequence[_Topic]) -> str:
    """What most of the questions share, in the fewest words in which one has it; as most of them write that."""
    shared = {
        word.term
        for topic in group
        for word in topic.words
        if 2 * sum(any(_sameness(word, there) for there in other.words) for other in group) > len(group)
    }
    said = Counter(filter(None, (_span(one.question, shared) for topic in group for one in topic.questions)))
    return min(said, key=lambda words: (len(words.split()), -said[words], len(words), words), default="")


def _span(question: str, shared: Set[str]) -> str:
    """From the first shared word to the last."""
    found = [token for token in tokens(question) if not shared.isdisjoint(terms(token.text))]
    return question[found[0].start : found[-1].end] if found and len(found) >= min(2, len(shared)) else ""


# ---------------------------------------------------------------- another word for a known name


@dataclass(frozen=True, slots=True)
class Rewording:
    """What people said without help, and the known name with which they asked again and were answered."""

    said: str
    meant: str
    questions: tuple[Unanswered, ...]

    @property
    def people(self) -> int:
        return len({one.owner for one in self.questions})


def find_rewordings(asked: Iterable[Unanswered], is_known: Callable[[str], bool], aliases: Aliases) -> list[Rewording]:
    """Names that were asked for in other words first: with a word of the same meaning, by several people, or by somebody who
    marked the first answer as not helpful and the second as helpful. None that the aliases know already. `is_known` says whether
    a name is one that the documents have."""
    found: defaultdict[tuple[str, str], list[tuple[Unanswered, _Swap]]] = defaultdict(list)
    for one in asked:
        if is_answered_again(one) and not aliases.expand(one.question).used and (swap := _swapped(one, is_known)) is not None:
            found[folded(swap.said), folded(swap.meant)].append((one, swap))
    return [
        Rewording(pairs[0][1].said, pairs[0][1].meant, tuple(one for one, _ in pairs))
        for pairs in found.values()
        if len({one.owner for one, _ in pairs}) >= ENOUGH or any(swap.is_related or _is_marked(one) for one, swap in pairs)
    ]


def is_soon(one: Unanswered) -> bool:
    return one.again is not None and one.again.asked_at - one.asked_at <= SOON


def is_answered_again(one: Unanswered) -> bool:
    """Whether the next question of the chat was answered, as far as is known."""
    return (
        one.again is not None
        and is_soon(one)
        and (one.again.rating == 1 or one.again.verdict == "complete" and one.again.rating != 0)
    )


def is_found_by_now(one: Unanswered) -> bool:
    """Whether whoever asked put it in other words at once, and was answered: it is known."""
    return is_answered_again(one) and one.again is not None and are_alike(one.question, one.again.question)


def are_alike(one: str, other: str) -> bool:
    """Whether two questions are for the same thing."""
    words = _carrying(one), _carrying(other)
    return all(words) and alike(*words) >= ALIKE


def _is_marked(one: Unanswered) -> bool:
    return one.rating == 0 and one.again is not None and one.again.rating == 1


@dataclass(frozen=True, slots=True)
class _Swap:
    """The words of a question in whose place the next one has a known name, all else being the same."""

    said: str
    meant: str
    is_related: bool  # they share a word, or one says the same as another


def _swapped(one: Unanswered, is_known: Callable[[str], bool]) -> _Swap | None:
    if one.again is None:
        return None
    before, after = tokens(one.question), tokens(one.again.question)
    for first, last in _new_runs(before, after):
        meant = one.again.question[after[first].start : after[last - 1].end]
        if not is_known(meant):
            continue
        found = _in_its_place(before, [*after[:first], *after[last:]])
        said = one.question[found[0].start : found[-1].end] if found else ""
        if not said or len(found) > MOST_SAID or is_known(said):
            return None
        words = _carrying(said), _carrying(meant)
        return _Swap(said, meant, all(words) and alike(*words) > 0)
    return None


def _new_runs(before: Sequence[Token], after: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The words of a question that the one before lacks, with carrying words beside them: from the longest, as (first, end)."""
    known = {term for token in before for term in terms(token.text)}
    new = [at for at, token in enumerate(after) if (said := _terms(token)) and said.isdisjoint(known)]
    if not new:
        return
    first, end = new[0], new[-1] + 1
    while first and new[0] - first < MOST_BESIDE and _terms(after[first - 1]):
        first -= 1
    while end < len(after) and end - new[-1] <= MOST_BESIDE and _terms(after[end]):
        end += 1
    runs = [(start, stop) for start in range(first, new[0] + 1) for stop in range(new[-1] + 1, end + 1)]
    yield from sorted(runs, key=lambda run: run[0] - run[1])


def _terms(token: Token) -> set[str]:
    return set(terms(token.text)) - PUTTING


def _in_its_place(before: Sequence[Token], around: Sequence[Token]) -> Sequence[Token]:
    """The words of a question that stand where the next one has a name: one run of words, and all that carries either question
    besides is the same; empty where that is not so."""
    kept = {term for token in around for term in _terms(token)}
    carrying = {at: said for at, token in enumerate(before) if (said := _terms(token))}
    places = [at for at, said in carrying.items() if said.isdisjoint(kept)]
    outside = {term for at, said in carrying.items() if at not in places for term in said}
    is_one_run = bool(places) and all(at in places for at in carrying if places[0] <= at <= places[-1])
    if not is_one_run or not kept - EVERYDAY <= outside:
        return ()
    end = places[-1] + 1
    while end < len(before) and end not in carrying and terms(before[end].text):  # "list" of "the ship list"
        end += 1
    return before[places[0] : end]
