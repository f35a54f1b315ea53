"""What stands around a statement of a leaf: its headings, its day, the item of a list above it, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prompts.language import terms
from prompts.records import Quote, SummaryRecord
from prompts.text_lines import line_start
from tree.retrieve.agenda import HEAD_LINE, Chat
from tree.retrieve.item_cues import (
    ACTING,
    BY,
    CLAUSE_END,
    CONTINUED,
    DUE,
    FIRST_PERSON,
    HEADING,
    INDENT,
    INDENTED_ITEM,
    LED,
    LINK,
    LIST_ITEM,
    LIST_MARK,
    LOG,
    MARK_FIRST,
    META,
    OPENING,
    POINTS,
    POINTS_AT,
    SENTENCE,
    SPEAKER,
    STOP,
    TAKEN_ON,
)
from tree.retrieve.minutes import Minutes
from tree.retrieve.record_item import Kept, RecordItem, people_in
from tree.retrieve.statement_dates import Dating, due_on
from tree.retrieve.text_facts import plain
from tree.store.leaves import Fact

LONGEST = 320  # characters of an item that is told
SHORTEST_OPENING = 30  # characters of a section of which the first sentence is told
SHORT_TERMS = 4  # of a statement that says too little by itself: "Agreed, from today."
SHORT_BELOW = 6  # of one in a list below an item of another
MOST_LINES_ABOVE = 60  # that are looked through for the item above a nested one
LEAST_LEVEL = 7  # of a heading without a mark
LONGEST_CLAUSE = 80  # characters with which an item begins, and that say what it is about
LONGEST_LEAD = 240  # characters that are told before such a one


class LeafContext:
    """One leaf, while its items are gathered."""

    def __init__(
        self,
        text: str,
        headings: Sequence[str],
        record: SummaryRecord,
        facts: Sequence[Fact],
        place: str,
        is_ticket: bool,
        minutes: Minutes | None,
        chat: Chat | None,
    ) -> None:
        self.text = text
        self.title = headings[0] if headings else ""
        self.record = record
        self.facts = facts
        self.is_ticket = is_ticket
        self.minutes = minutes
        self.chat = chat
        self.dating = Dating(text, headings, place)
        self._days: dict[tuple[str, ...], str] = {}  # by the headings above
        self.sections = [(match.start(), len(match[1]), plain(match[2])) for match in HEADING.finditer(text)]
        if self.minutes is not None:
            unmarked = [(match.start(), LEAST_LEVEL, plain(match["title"])) for match in HEAD_LINE.finditer(text)]
            self.sections = sorted((*self.sections, *unmarked))
        self.components = " ".join(fact.value for fact in facts if fact.subject.kind == "ticket" and fact.relation == "component")
        self.head_end = self.sections[0][0] if is_ticket and self.sections and self.sections[0][0] else 0
        self.history = next((start for start, _, title in self.sections if is_ticket and title == "History"), len(text))

    def _item(self, sort: Kept, start: int, end: int, said: str, day: str, people: Iterable[str], state: str = "") -> RecordItem:
        above = " ".join((*self._headings(start), *self._items_above(start)))
        channel = self.chat.head if self.chat is not None and self.chat.turns else ""
        subject = f"{said}\n{self._lead(start)}\n{above}\n{self.components}\n{channel}"
        return RecordItem(
            sort, start, end, said, f" {' '.join(dict.fromkeys(terms(subject)))} ", day, "", tuple(dict.fromkeys(people)), state
        )

    def _told(self, quotes: Sequence[Quote]) -> Iterator[Quote]:
        """Quotes that are statements: not the fields at the head of a ticket, its links, its history."""
        for quote in quotes:
            said = self.text[quote.start : quote.end].strip()
            if (
                self.head_end <= quote.start < self.history
                and said
                and not LOG.search(said)
                and not META.match(said)
                and not LINK.match(said)
            ):
                yield quote

    def _headings(self, at: int) -> list[str]:
        """Those in the leaf above a position, the outermost first, without the title."""
        found: list[tuple[int, str]] = []
        for start, level, title in self.sections:
            if start > at:
                break
            while found and found[-1][0] >= level:
                found.pop()
            found.append((level, title))
        return [title for _, title in found]

    def _items_above(self, at: int) -> Iterator[str]:
        """How the items of a list begin that a position is indented below, the innermost first."""
        line = line_start(self.text, at)
        margin = INDENT.match(self.text, line)
        indent = margin.end() - line if margin else 0
        for _ in range(MOST_LINES_ABOVE):
            if not indent or not line:
                return
            line = line_start(self.text, line - 1)
            if (item := INDENTED_ITEM.match(self.text, line)) is not None and len(item[1]) < indent:
                indent = len(item[1])
                yield item[2]

    def _section_span(self, at: int) -> tuple[int, int]:
        """From a position's heading to the next one."""
        start = max((one for one, _, _ in self.sections if one <= at), default=0)
        return start, min((one for one, _, _ in self.sections if one > at), default=len(self.text))

    def _around(self, at: int) -> str:
        sections = tuple(self._headings(at))
        if sections not in self._days:
            self._days[sections] = self.dating.around(sections, first="#" not in self.dating.place)
        return self._days[sections]

    def _lead(self, at: int) -> str:
        """The words in bold that the paragraph of a position begins with, or the first clause of its item: they are its subject."""
        line, paragraph = (self.text.rfind(end, 0, at) + 1 for end in ("\n", "\n\n"))
        for start in (line, paragraph):
            opening = self.text[start : start + 120].strip()
            if start == line:
                opening = LIST_MARK.sub("", opening)
            if opening.startswith("**") and opening.count("**") > 1:
                return opening.split("**")[1]
        begun = LIST_ITEM.match(self.text[line:at].lstrip())
        return CLAUSE_END.split(begun[1], maxsplit=1)[0][:LONGEST_CLAUSE] if begun is not None else ""

    def _widened(self, start: int, end: int) -> tuple[int, int]:
        """A statement that says too little by itself together with the sentences before it in its paragraph."""
        said = self.text[start:end]
        if len(terms(plain(said))) > SHORT_TERMS or OPENING.match(said) or not (POINTS.match(said) or POINTS_AT.search(said)):
            return start, end
        line = line_start(self.text, start)
        if (item := INDENTED_ITEM.match(self.text, line)) is not None:
            line = min(item.start(2), start)
        else:
            line = max(self.text.rfind("\n\n", 0, start) + 2, self.text.rfind("\n#", 0, start) + 1, 0)
        before = self.text[max(line, start - LONGEST_LEAD) : start]
        cut = [match.end() for match in SENTENCE.finditer(before)]
        if line >= start - LONGEST_LEAD:
            cut.insert(0, 0)
        return (start - len(before) + cut[0], end) if before.strip() and cut else (start, end)

    def _below_item(self, start: int, said: str) -> str:
        """A statement that says too little by itself together with the item of a list that it stands below."""
        above = next(self._items_above(start), "") if len(terms(said)) <= SHORT_BELOW or POINTS.match(said) else ""
        return f"{plain(above).rstrip(' :')}: {said}" if above else said

    def _led_end(self, start: int, end: int) -> int:
        """Where the list ends that a statement leads up to: "We agreed to:"; its own end where it leads up to none."""
        if not self.text[start:end].rstrip("*_ ").endswith(":"):
            return end
        blank = self.text.find("\n\n", end + 2)
        items = [match.end() for match in LIST_ITEM.finditer(self.text, end, blank if blank > 0 else len(self.text))]
        return max((one for one in items if one - start <= LONGEST), default=items[0] if items else end)

    def _sentence_end(self, at: int, least: int = 0) -> int:
        """Where the sentence ends that goes on here, at the end of its line at the latest."""
        line = self.text.find("\n", at)
        while line > 0 and CONTINUED.match(self.text, line):
            line = self.text.find("\n", line + 1)
        line = line if line > 0 else len(self.text)
        stop = STOP.search(self.text, at + least, line)
        return stop.start() if stop else line

    def _first_sentence(self, start: int, end: int) -> int:
        """Where the first sentence of a section ends that says more than a number or a few words."""
        stop = STOP.search(self.text, start + SHORTEST_OPENING, end)
        line = self.text.find("\n", start + SHORTEST_OPENING, end)
        return min([one for one in (stop.start() if stop else -1, line, end) if one > 0])

    def _said(self, start: int, end: int, longest: int = LONGEST) -> str:
        said = MARK_FIRST.sub("", plain(self.text[start:end]))
        if led := LED.match(said):
            rest = said[led.end() :]
            said = rest[:1].upper() + rest[1:] if len(rest) > 2 else said
        if len(said) > longest:
            said = said[: said.rfind(" ", longest // 2, longest)].rstrip(" ,;:") + " …"
        return said

    def _actors(self, said: str) -> tuple[str, ...]:
        found = [match["who"] for pattern in (ACTING, BY) for match in pattern.finditer(said)]
        if speaker := SPEAKER.match(said):
            found.append(speaker["who"])
        return tuple(name for who in found for name in people_in(who))

    def _deciders(self, said: str) -> tuple[str, ...]:
        """Who decided; whoever only reports it in a meeting did not."""
        speaker = SPEAKER.match(said)
        return self._actors(said[speaker.end() :] if speaker and not FIRST_PERSON.search(said) else said)

    def _is_taken_on(self, said: str) -> bool:
        """Whether it says who is to do it: "Jane to ask the port", "Jane and Tom will write it"."""
        return any(people_in(match["who"]) for match in TAKEN_ON.finditer(said))

    def _due(self, said: str, around: str) -> str:
        return next((found for match in DUE.finditer(said) if (found := due_on(match[1], around))), "")

    def _ticket_state(self) -> str:
        """Whether what a ticket asks for is done."""
        category = next((fact.value for fact in self.facts if fact.subject.kind == "ticket" and fact.relation == "category"), "")
        return ("done" if category.casefold() == "done" else "open") if category else ""
