"""What a walk knows so far: the parts of the question, which of them are answered, the facts found, what was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from prompts.records import LeafAnswer, NotedFact, Notes, Standing
from tree.ask.snapshot.snapshot_view import ReadLeaf


@dataclass(slots=True)
class WalkNotes:
    """Grows with every leaf that is judged. Leaves that are read at once are merged before anything is decided from them."""

    known: tuple[str, ...] = ()  # what the names in the question stand for
    standing: Standing = "open"
    unclear: str = ""
    readings: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # of the question, where it has several
    _answered: set[int] = field(default_factory=set)
    _facts: dict[tuple[str, str], NotedFact] = field(default_factory=dict)
    _has_read: bool = False  # anything that adds

    @property
    def is_settled(self) -> bool:
        return self.standing != "open"

    def take_apart(self, parts: Sequence[str]) -> None:
        """Keeps the first parts that are given before anything is read; a question of one part is a part itself."""
        if not self.parts and not self._has_read and len(parts) > 1:
            self.parts = tuple(parts)

    def ask_back(self, unclear: str, readings: Sequence[str]) -> None:
        """Nobody can tell what is asked."""
        self.standing, self.unclear, self.readings = "cannot be understood", unclear, tuple(readings)

    def merge(self, answers: Sequence[LeafAnswer]) -> None:
        """Takes in all that was judged at once; what another of them answered is open for none."""
        adding = [answer for answer in answers if answer.verdict != "none"]
        self._has_read |= bool(adding)
        for answer in adding:
            self._answered |= answer.answers
            self._facts |= {(fact.name.casefold(), fact.value.casefold()): fact for fact in answer.facts}
        standings = [answer.standing for answer in answers]
        if "premise is wrong" in standings:
            self.standing = "premise is wrong"
        elif "answered" in standings or len(self._answered) >= max(1, len(self.parts)):
            self.standing = "answered"
        elif "cannot be understood" in standings and not self._has_read:
            judge = answers[standings.index("cannot be understood")]
            self.ask_back(judge.reason, [judge.follow_up] if judge.follow_up else [])

    def is_open(self, answer: LeafAnswer) -> bool:
        """Whether what a leaf leaves open is still open."""
        return bool(answer.follow_up) and answer.missing not in self._answered

    def search_text(self, query: str) -> str:
        """A query with the values found so far: a director's name rather than "the director"."""
        return " ".join((query, *(fact.value for fact in self._facts.values() if fact.value.casefold() not in query.casefold())))

    def notes(self, read: Iterable[ReadLeaf] = (), searched: str = "", unread: Sequence[str] = ()) -> Notes:
        return Notes(
            self.known, self.parts, frozenset(self._answered), tuple(self._facts.values()), tuple(_told(read)), searched,
            tuple(unread),
        )  # fmt: skip


def _told(read: Iterable[ReadLeaf]) -> Iterator[str]:
    """A line for each leaf that was read; those of which there is nothing to say in one."""
    silent = list[str]()
    for one in read:
        if one.answer.reason:
            yield f"“{one.node.title}” {'adds nothing' if one.answer.verdict == 'none' else 'adds'}: {one.answer.reason}"
        else:
            silent.append(f"“{one.node.title}”")
    if silent:
        yield f"nothing to it in {', '.join(silent)}"
