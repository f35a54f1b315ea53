"""Decisions, actions and events of a leaf, each with its day, its people and its subject: from the leaf's record, with what
its text and its facts say around it.

A pure function of the leaf and its record, so that these items come and go with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from prompts.extractive.cues import ACTION_PART, is_opinion
from prompts.language import terms
from prompts.records import Quote, SummaryRecord
from prompts.text_lines import line_start
from tree.retrieve.action_line import read_action_line
from tree.retrieve.agenda import Chat, Promise, points
from tree.retrieve.attendance import Attendance, attendance
from tree.retrieve.inline_actions import inline_actions
from tree.retrieve.item_cues import (
    ACTION_LABEL,
    ASSENT,
    BOX,
    BY_COLON,
    CLOSING,
    COMMENT,
    CONTINUED,
    DECIDED_HEADING,
    DECIDERS,
    DECISION_LABEL,
    DECISION_LIST,
    DECISION_PART,
    FULL_NAME,
    HEADING,
    HISTORY,
    HISTORY_BY,
    LABEL_LINE,
    LINE,
    LIST_ITEM,
    NO_DECISION,
    OF_A_TICKET,
    OPENED_BY,
    OPENING,
    PENDING,
    SETTLING,
    STATE,
    STATED,
    STOP,
    TAKEN_ON,
    UNSETTLED,
    WHAT,
    WHEN,
    WHO,
)
from tree.retrieve.leaf_context import LONGEST, SHORT_BELOW, LeafContext
from tree.retrieve.minutes import action_of, agreed_that, is_told_of, minutes_of, outcome_of
from tree.retrieve.record_item import Kept, RecordItem, handles_in, people_in, standing, state_of
from tree.retrieve.statement_dates import HEAD, decided_on, due_on, happened_on
from tree.retrieve.text_facts import PART, plain
from tree.store.leaves import Fact

LONGEST_OPENING = 160  # characters of a comment that are told
FEWEST_DECIDED = 2  # words that say by themselves what was decided
MOST_CLOSED, LONGEST_CLOSED = 2, 200  # sentences, and characters of these, that are meant by "Decided." behind them


def record_items(
    text: str, headings: Sequence[str], record: SummaryRecord, facts: Sequence[Fact], place: str = ""
) -> list[RecordItem]:
    """The items of a leaf in the order of its text. `facts` are all of its facts, those its text states among them."""
    is_ticket = any(fact.subject.kind == "ticket" for fact in facts)
    minutes = None if is_ticket else minutes_of(text, headings[0] if headings else "")
    chat = None if is_ticket else Chat(text)
    is_told = bool(record.decisions or record.critical_actions or record.events or (chat is not None and chat.turns))
    if not (is_told or is_ticket or minutes is not None or _has_more(text, facts)):
        return []
    leaf = _LeafItems(text, headings, record, facts, place, is_ticket, minutes, chat)
    found = {(item.sort, item.said): item for item in (*leaf.decisions(), *leaf.actions(), *leaf.events())}
    return sorted(
        (*found.values(), *leaf.points(), *leaf.comments(), *leaf.attendance()), key=lambda item: (item.start, item.sort)
    )


def _has_more(text: str, facts: Sequence[Fact]) -> bool:
    """Whether there may be items that the record does not list."""
    return bool(
        "[ ] " in text
        or TAKEN_ON.search(text)
        or "[x] " in text
        or LABEL_LINE.search(text)
        or DECISION_LABEL.search(text)
        or (OPENED_BY.search(text) and OPENING.search(text))
        or STATED.search(text)
        or any(_is_telling(fact) for fact in facts)
        or any(ACTION_PART.fullmatch(plain(match[2])) for match in HEADING.finditer(text))
        or any(
            DECISION_LIST.fullmatch(plain(match[2]).rstrip(": ")) or DECIDED_HEADING.search(plain(match[2]))
            for match in HEADING.finditer(text)
        )
    )


def _is_telling(fact: Fact) -> bool:
    relation = fact.relation.casefold().strip()
    if fact.row:
        return bool(ACTION_PART.fullmatch(fact.group)) or relation in ("action", "action item", "task", "decision")
    return fact.group == PART and bool(DECISION_PART.fullmatch(relation))


class _LeafItems(LeafContext):
    """One leaf, while its items are gathered."""

    # ---- each sort

    def decisions(self) -> Iterator[RecordItem]:
        rows = list(self._decision_rows())
        whole = list(self._whole_decisions())
        yield from (replace(item, is_listed=True) for item in (*rows, *whole))
        spans = [(item.start, item.end) for item in rows] + [self._section_span(item.start) for item in whole]
        quotes = [one for one in self._told(self.record.decisions) if len(OPENING.findall(self.text[one.start : one.end])) < 2]
        quotes += self._stated_decisions(quotes)
        listed = self._listed_decisions()
        leads = [match.span() for match in DECISION_LABEL.finditer(self.text)] if listed else []
        for quote in quotes:
            is_told = any(start <= quote.start < end for start, end in (*spans, *leads))
            if is_told or NO_DECISION.search(quote.text) or OF_A_TICKET.match(quote.text):
                continue
            start, end = self._widened(quote.start, self._led_end(quote.start, quote.end))
            end = self._with_next(start, end)
            around = self._around(quote.start)
            said = self._below_item(start, self._said(start, end))
            if ASSENT.fullmatch(said) or NO_DECISION.search(said) or is_opinion(said):
                continue
            item = self._item("decision", start, end, said, decided_on(said, around), self._deciders(said))
            is_listed = any(first <= quote.start < last for first, last in listed)
            yield replace(item, is_listed=is_listed or OPENING.match(self.text, quote.start) is not None)
        if not quotes:
            yield from self._decision_ticket()

    def _with_next(self, start: int, end: int) -> int:
        """With the sentence behind it, where it is no more than a name: "Decided: Thornhaugh. Fitting in January"."""
        is_whole = len(OPENING.sub("", self.text[start:end], count=1).strip(" *_:.").split()) > FEWEST_DECIDED
        further = self.text[end : end + LONGEST_CLOSED].partition("\n")[0]
        return end if is_whole or not further.strip(" .*_") else self._sentence_end(end + 1)

    def actions(self) -> Iterator[RecordItem]:
        rows = list(self._action_rows())
        boxes = list(self._boxes())
        listed = [*self._listed_actions(), *self._inline_actions()]
        yield from (replace(item, is_listed=True) for item in (*rows, *boxes, *listed, *self._columns()))
        taken = [(item.start, item.end) for item in (*rows, *boxes, *listed)]
        told = [*self._promised(), *self._handed(taken)]
        yield from told
        taken += [(item.start, item.end) for item in told]
        state = self._ticket_state()
        quotes = list(self._told(self.record.critical_actions))
        in_minutes = list(self.minutes.actions(self.head_end, self.history)) if self.minutes is not None else []
        for quote in (*quotes, *self._taken_on(quotes)):
            if any(start <= quote.start < end for start, end in taken):
                continue
            said = self._said(quote.start, quote.end)
            around = self._around(quote.start)
            line = read_action_line(said, around)
            people = handles_in(said) or self._actors(said) or line.people
            people = people or tuple(one for start, _, who in in_minutes if quote.start <= start < quote.end for one in who)
            item = self._item("action", quote.start, quote.end, said, around, people, line.state or state)
            due = self._due(said, around) or line.due
            is_labelled = self.minutes is not None and ACTION_LABEL.match(self.text, quote.start) is not None
            is_assigned = bool(due) or (bool(around) and (is_labelled or bool(handles_in(said)) or self._is_taken_on(said)))
            yield replace(item, due=due, is_assigned=is_assigned)
            taken.append((quote.start, quote.end))
        yield from self._in_minutes(taken, in_minutes)

    def _handed(self, known: Sequence[tuple[int, int]]) -> Iterator[RecordItem]:
        """What minutes with a day hand to somebody, by an arrow or a name after "TODO"; what a text with a day says was agreed that somebody does."""
        found: list[tuple[int, int, tuple[str, ...]]] = []
        if self.minutes is not None and (self.chat is None or not self.chat.turns):
            found += self.minutes.handed(self.head_end, self.history)
        if not self.is_ticket:
            there = self.minutes.there if self.minutes is not None else {}
            agreed = [(start, end, people_in(who)) for start, end, who in agreed_that(self.text, self.head_end, self.history)]
            found += [(start, end, tuple(there.get(name, name) for name in people)) for start, end, people in agreed if people]
        found.sort()
        starts = [start for start, _, _ in found]
        for start, least, people in found:
            end = min([self._sentence_end(least), *(one for one in starts if one > start)])
            end = start + len(self.text[start:end].removesuffix("and that ").rstrip(" ,"))
            around = self._around(start)
            if around and not any(start < last and first < end for first, last in known):
                said = self._said(start, end)
                said = said[:1].upper() + said[1:]
                item = self._item("action", start, end, said, around, people, read_action_line(said, around).state)
                yield replace(item, due=self._due(said, around), is_assigned=True)

    def _in_minutes(
        self, known: Sequence[tuple[int, int]], told: Sequence[tuple[int, int, tuple[str, ...]]]
    ) -> Iterator[RecordItem]:
        """What minutes with a day say in passing that somebody who was there is to do."""
        sentences: dict[tuple[int, int], list[str]] = {}
        for start, least, people in told:
            span = next((one for one in sentences if one[0] <= start < one[1]), (start, self._sentence_end(least)))
            sentences.setdefault(span, []).extend(people)
        for (start, end), actors in sentences.items():
            around = self._around(start)
            if around and not any(first < end and start < last for first, last in known):
                said = self._said(start, end)
                item = self._item("action", start, end, said, around, actors)
                yield replace(item, due=self._due(said, around), is_assigned=True)

    def _promised(self) -> Iterator[RecordItem]:
        """What those who speak in a chat with a day say they will do."""
        promises: Iterator[Promise] = self.chat.promises() if self.chat is not None else iter(())
        for one in promises:
            if around := self._around(one.start):
                item = self._item("action", one.start, one.end, one.said, around, (one.who,))
                yield replace(item, due=self._due(one.said, around), is_assigned=True)

    def points(self) -> Iterator[RecordItem]:
        """What minutes and chats with a day say of each thing that was talked about. How it is told is read from the text when
        it is asked for: it is kept with no more than the heading without which it says too little."""
        if self.chat is not None and self.chat.turns:
            found = self.chat.points()
        elif self.minutes is not None:
            found = points(self.text)
        else:
            return
        for one in found:
            around = self._around(one.start)
            if day := (due_on(one.lead, around) if one.is_row else "") or around:
                headings = self._headings(one.start)
                above = " ".join((*headings, *self._items_above(one.start)))
                is_short = (
                    headings
                    and not one.is_row
                    and headings[-1].replace(" ", "").isalpha()
                    and len(terms(one.said)) <= SHORT_BELOW
                )
                said = headings[-1] if is_short else ""
                topic = " ".join(dict.fromkeys(terms("\n".join((one.lead, above)))))
                yield RecordItem("point", one.start, one.end, said, f" {topic} ", day)

    def _taken_on(self, known: Sequence[Quote]) -> Iterator[Quote]:
        """Sentences that say who is to do something, where the record does not list them."""
        for match in TAKEN_ON.finditer(self.text, self.head_end, self.history):
            start, end = match.start("who"), self._sentence_end(match.end())
            if people_in(match["who"]) and not any(quote.start < end and start < quote.end for quote in known):
                yield Quote(text=self.text[start:end], start=start, end=end)

    def _listed_actions(self) -> Iterator[RecordItem]:
        """What stands in a list below "Actions" in a document that has a day: "Jane: ask the port"."""
        lists = [
            (start + level, min((one for one, _, _ in self.sections if one > start + level), default=len(self.text)))
            for start, level, title in self.sections
            if ACTION_PART.fullmatch(title)
        ]
        lists += [(label.end(), self._list_end(label.end())) for label in LABEL_LINE.finditer(self.text)]
        for start, stop in lists:
            around = self._around(start)
            for match in LIST_ITEM.finditer(self.text, start, stop) if around else ():
                lead = BY_COLON.match(match[1])
                people = people_in(lead["who"]) if lead is not None else ()
                last = self._sentence_end(match.end(1) - 1)
                said = self._said(match.start(1), last)
                line = read_action_line(said, around)
                is_told = bool(people or line.people or line.state) or self.minutes is not None
                if BOX.match(self.text, match.start()) or not is_told:
                    continue
                people = people or handles_in(said) or line.people
                item = self._item("action", match.start(1), last, said, around, people or self._actors(said), line.state)
                is_assigned = bool(people) or self._is_taken_on(said)
                yield replace(item, due=self._due(said, around) or line.due, is_assigned=is_assigned)

    def _inline_actions(self) -> Iterator[RecordItem]:
        """What minutes with a day gather in one line behind "Actions:"."""
        if self.minutes is None:
            return
        for start, end, people in inline_actions(self.text, self.minutes.there, self.head_end, self.history):
            if around := self._around(start):
                said = self._said(start, end)
                line = read_action_line(said, around)
                item = self._item("action", start, end, said, around, people or line.people, line.state)
                yield replace(item, due=self._due(said, around) or line.due, is_assigned=bool(people or line.people))

    @property
    def _titled(self) -> str:
        """What stands before that which is said of the document as a whole."""
        return f"{self.title}: " if self.title else ""

    def events(self) -> Iterator[RecordItem]:
        for quote in self._told(self.record.events):
            said = self._said(quote.start, quote.end)
            day = happened_on(self.text, quote.start, said, self._around(quote.start))
            yield self._item("event", quote.start, quote.end, said, day, self._actors(said))
        for match in HISTORY.finditer(self.text, self.history) if self.is_ticket else ():
            by = HISTORY_BY.search(match[2])
            people = (by[1].strip(),) if by else ()
            item = self._item("event", match.start(), match.end(), f"{self._titled}{match[2]}", match[1], people)
            yield replace(item, is_history=True, titled=len(self._titled))

    def comments(self) -> Iterator[RecordItem]:
        """What people wrote on a ticket: who, when, and how it begins."""
        own = ((start, level) for start, level, title in self.sections if title == "Comments")
        first, level = next(own, (0, 2) if "Comments" in self.dating.headings else (len(self.text), 2))
        last = min((start for start, least, _ in self.sections if start > first and least <= level), default=len(self.text))
        for match in COMMENT.finditer(self.text, first, last) if self.is_ticket else ():
            end = min((start for start, _, _ in self.sections if start > match.start()), default=len(self.text))
            body = match.end() + len(self.text[match.end() : end]) - len(self.text[match.end() : end].lstrip())
            if body < end:
                end = self._first_sentence(body, end)
                said = f"{self._titled}{match['who']} commented: {self._said(body, end, LONGEST_OPENING)}"
                people = (match["who"].strip(),)
                yield RecordItem(
                    "comment",
                    match.start("when"),
                    end,
                    said,
                    " ",
                    match["day"],
                    "",
                    people,
                    is_history=True,
                    titled=len(self._titled),
                )

    def attendance(self) -> Iterator[RecordItem]:
        """Who was at a meeting, by the head of minutes that have a day: its topic are the words above that, which may be all that names the
        meeting. Of several meetings in one text each has what stands below its own heading."""
        found = attendance(self.text) if self.minutes is not None else []
        first: dict[str, Attendance] = {}
        for one in found:
            if around := self._around(one.start):
                opened = first.setdefault(around, one)
                begins = 0 if opened is found[0] else max((at for at, _, _ in self.sections if at <= opened.start), default=0)
                head = f" {' '.join(dict.fromkeys(terms(self.text[begins : opened.start][:LONGEST])))} "
                yield RecordItem(one.role, one.start, one.end, "", head, around, people=one.people)

    # ---- decisions that are a section or a ticket

    def _whole_decisions(self) -> Iterator[RecordItem]:
        """Sections called "Decision": what stands there is one decision, and the title of its document says which."""
        parts = [
            fact for fact in self.facts if not fact.row and fact.group == PART and DECISION_PART.fullmatch(fact.relation.strip())
        ]
        deciders = DECIDERS.search(self.text)
        people = people_in(deciders[1]) if deciders else ()
        state = STATE.search(self.text)
        is_past = standing(state[1]) if state else ""
        for fact in parts:
            if items := self._listed_below(fact.start) if self.minutes is not None else []:
                found = (self._item("decision", *one, self._said(*one), self._around(one[0]), people, is_past) for one in items)
                yield from (replace(item, is_listed=True) for item in found)
                continue
            end = self._first_sentence(fact.start, fact.end)
            said = f"{self._titled}{self._said(fact.start, end)}"
            item = self._item("decision", fact.start, end, said, self._around(fact.start), people, is_past)
            yield replace(item, titled=len(self._titled))
        if not parts and deciders and deciders.start() < HEAD and not self.is_ticket:  # the whole document is the decision
            yield self._item("decision", *deciders.span(), self.title, self._around(deciders.start()), people, is_past)

    def _listed_below(self, start: int) -> list[tuple[int, int]]:
        """The spans of the items of a list that begins here, up to the next heading; none where no list does."""
        if LIST_ITEM.match(self.text, start) is None:
            return []
        end = min((one for one, _, _ in self.sections if one > start), default=len(self.text))
        return [(match.start(1), self._sentence_end(match.end(1) - 1)) for match in LIST_ITEM.finditer(self.text, start, end)]

    def _stated_decisions(self, known: Sequence[Quote]) -> Iterator[Quote]:
        """What the record does not list: sentences that begin with "Decided:", items below "Decisions"."""
        is_opened = OPENED_BY.search(self.text, self.head_end, self.history) is not None
        spans = [match.span() for match in OPENING.finditer(self.text, self.head_end, self.history)] if is_opened else []
        spans += [(start, start + 1) for start, _ in self._listed_decisions()]
        spans += [*self._settled(), *self._headed_decided()]
        quotes = list(known)
        quotes += [Quote(text=self.text[start:end], start=start, end=end) for start, end in self._decided_in_chat(quotes)]
        quotes += [
            Quote(text=self.text[start:end], start=start, end=end)
            for start, end in self._closed()
            if not any(quote.start < end and start < quote.end for quote in quotes)
        ]
        for start, least in [*spans, *self._settled_in_minutes()]:
            end = self._sentence_end(least, 12)
            if not any(quote.start < end and start < quote.end for quote in quotes):
                quotes.append(Quote(text=self.text[start:end], start=start, end=end))
        yield from quotes[len(known) :]

    def _headed_decided(self) -> Iterator[tuple[int, int]]:
        """What is concluded below a heading that says that it was decided: "So: we repair it" below "Crane A - DECIDED"."""
        for start, level, title in self.sections:
            end = min((one for one, below, _ in self.sections if one > start and below <= level), default=len(self.text))
            settled = SETTLING.search(self.text, start, end) if DECIDED_HEADING.search(title) else None
            if settled is not None and self._around(start):
                yield settled.end(), settled.end() + 1

    def _decided_in_chat(self, known: Sequence[Quote]) -> Iterator[tuple[int, int]]:
        for start, end in self.chat.decisions() if self.chat is not None else ():
            if self._around(start) and not any(quote.start < end and start < quote.end for quote in known):
                yield start, end

    def _listed_decisions(self) -> list[tuple[int, int]]:
        """The spans of the items of lists below "Decisions", be that a heading or a line that leads up to them."""
        spans: list[tuple[int, int]] = []
        for start, level, title in self.sections:
            if DECISION_LIST.fullmatch(title.rstrip(": ")):
                end = min((one for one, below, _ in self.sections if one > start and below <= level), default=len(self.text))
                if label := LABEL_LINE.search(self.text, start, end):  # "**Actions**" below "## Decisions"
                    end = label.start()
                spans += [match.span(1) for match in LIST_ITEM.finditer(self.text, start, end)]
        if not self.is_ticket:
            for label in DECISION_LABEL.finditer(self.text):
                spans += [match.span(1) for match in LIST_ITEM.finditer(self.text, label.end(), self._list_end(label.end()))]
        return spans

    def _list_end(self, at: int) -> int:
        """Where a list ends that begins below a line: at the first line that is no item and does not go on with one."""
        has_items = False
        for line in LINE.finditer(self.text, at):
            if not line.group().strip():
                continue
            if LIST_ITEM.match(self.text, line.start()):
                has_items = True
            elif not has_items or not (line.group()[0] in " \t" or CONTINUED.match(self.text, line.start() - 1)):
                return line.start()
        return len(self.text)

    def _settled_in_minutes(self) -> Iterator[tuple[int, int]]:
        """What minutes with a day say in passing was decided."""
        if self.minutes is None:
            return
        for start, least in self.minutes.decisions(self.head_end, self.history):
            if self._around(start) and self.minutes.is_settled(self.text[start : self._sentence_end(least)]):
                yield start, least

    def _closed(self) -> Iterator[tuple[int, int]]:
        """The one or two sentences of minutes behind which it stands that this was decided."""
        for match in CLOSING.finditer(self.text, self.head_end, self.history) if self.minutes is not None else ():
            line = line_start(self.text, match.start())
            begun = LIST_ITEM.match(self.text, line)
            first = begun.start(1) if begun else line
            begins = [first, *(one.end() for one in STOP.finditer(self.text, first, match.start()))][-MOST_CLOSED:]
            start = next((one for one in begins if match.start() - one <= LONGEST_CLOSED), begins[-1])
            if self._around(start) and not UNSETTLED.search(self.text[start : match.start()]):
                yield start, match.start()

    def _settled(self) -> Iterator[tuple[int, int]]:
        """Sentences of a dated document that say in passing what was agreed: where they begin, and where they say so."""
        for match in STATED.finditer(self.text, self.head_end, self.history):
            line = line_start(self.text, match.start())
            begun = LIST_ITEM.match(self.text, line)
            start = max(begun.start(1) if begun else line, self.text.rfind(". ", line, match.start()) + 2)
            said = self.text[start : self._sentence_end(match.end())]
            if not UNSETTLED.search(said) and self._around(start):
                yield start, match.end()

    def _decision_ticket(self) -> Iterator[RecordItem]:
        """A ticket whose type is "Decision" and that is done is one."""
        own = {fact.relation: fact for fact in self.facts if fact.subject.kind == "ticket" and not fact.until}
        if "type" in own and own["type"].value.casefold() == "decision" and self._ticket_state() == "done":
            dated = own.get("resolved") or own.get("created")
            fact = own["type"]
            yield self._item("decision", fact.start, fact.end, self.title, dated.value[:10] if dated else "", ())

    def _decision_rows(self) -> Iterator[RecordItem]:
        """The rows of a table with a column of decisions."""
        for cells, named in self._rows():
            if said := named.get("decision", "").strip():
                when = next((named[name] for name in named if name in WHEN), "")
                day = due_on(when, self._around(cells[0].start)) or self._around(cells[0].start)
                who = next((named[name] for name in named if name in WHO or name in ("decided by", "by")), "")
                if PENDING.match(named.get("status", "")):
                    continue
                state = standing(named.get("status", ""))
                if len(terms(said)) > 1 and named.get("decision") != who:
                    yield self._item("decision", cells[0].start, cells[0].end, said, day, people_in(who), state)
            elif self.minutes is not None and (found := outcome_of(named)) is not None and not is_told_of(found[0], found[1]):
                yield self._outcome("decision", cells, named, found[0], found[1])

    def _outcome(self, sort: Kept, cells: Sequence[Fact], named: Mapping[str, str], outcome: str, who: str) -> RecordItem:
        """What a row of a table of topics came to, with its topic."""
        topic = next(
            (named[name] for name in ("topic", "item", "agenda item", "agenda", "subject", "thema", "top") if name in named), ""
        )
        said = f"{topic}: {outcome}" if topic and not topic.isdigit() else outcome
        around = self._around(cells[0].start)
        own = due_on(named.get("date", named.get("datum", "")), around)
        return self._item(sort, cells[0].start, cells[0].end, said, own or around, people_in(who))

    def _rows(self) -> Iterator[tuple[list[Fact], dict[str, str]]]:
        """The cells of each row of a table, and their values by column."""
        rows: dict[int, list[Fact]] = {}
        for fact in self.facts:
            if fact.row:
                rows.setdefault(fact.row, []).append(fact)
        for cells in rows.values():
            yield cells, {cell.relation.casefold().strip(): cell.value for cell in cells}

    # ---- actions in tables, boxes and columns

    def _action_rows(self) -> Iterator[RecordItem]:
        for cells, named in self._rows():
            who = next((named[name] for name in named if name in WHO), "")
            what = next((named[name] for name in named if name in WHAT), "")
            has_more = bool(who or {"status", "state", "done", *WHEN} & named.keys())
            is_headed = bool(ACTION_PART.fullmatch(cells[0].group)) and has_more
            if not what or not (is_headed or (who and {"action", "action item", "task", "to do"} & named.keys())):
                yield from self._outcome_actions(cells, named)
                continue
            when = next((named[name] for name in named if name in WHEN and named[name] != who), "")
            state = next((named[name] for name in named if name in ("status", "state", "done")), "")
            around = self._around(cells[0].start)
            due = due_on(when, around)
            said = f"{what} ({when})" if when and not due else what
            line = read_action_line(f"{what} {when}", around)
            item = self._item("action", cells[0].start, cells[0].end, said, around, people_in(who), state_of(state) or line.state)
            yield replace(item, due=due, is_assigned=True)

    def _outcome_actions(self, cells: Sequence[Fact], named: Mapping[str, str]) -> Iterator[RecordItem]:
        """What somebody is to do, by a row of a table of topics that says who."""
        if self.minutes is not None and (told := action_of(named)):
            item = self._outcome("action", cells, named, told, told)
            yield replace(item, due=self._due(told, self._around(cells[0].start)), is_assigned=True)
            return
        found = outcome_of(named) if self.minutes is not None else None
        if found is not None and people_in(found[1]):
            due = due_on(found[2], self._around(cells[0].start))
            item = self._outcome("action", cells, named, found[0], found[1])
            yield replace(item, due=due, is_assigned=True)

    def _boxes(self) -> Iterator[RecordItem]:
        for match in BOX.finditer(self.text):
            said, around = plain(match[2])[:LONGEST], self._around(match.start())
            state = "open" if match[1] == " " else "done"
            lead = BY_COLON.match(said)
            line = read_action_line(said, around)
            people = (people_in(lead["who"]) if lead is not None else ()) or line.people or self._actors(said)
            item = self._item("action", match.start(), match.end(), said, around, people, state)
            yield replace(item, due=self._due(said, around) or line.due, is_assigned=bool(around) or self.is_ticket)

    def _columns(self) -> Iterator[RecordItem]:
        """Lines below "ACTIONS" in plain text: who, what and when, held apart by spaces."""
        for label in LABEL_LINE.finditer(self.text):
            stop = self.text.find("\n\n", label.end() + 1)
            for line in LINE.finditer(self.text, label.end(), stop if stop > 0 else len(self.text)):
                who, *others = [part for part in line.group().split("  ") if part.strip()] or [""]
                if not others or not FULL_NAME.match(who.strip()):
                    continue
                what, when = others[0].strip(), others[1].strip() if len(others) > 1 else ""
                around = self._around(line.start())
                due = due_on(when, around)
                said = f"{what} ({when})" if when and not due else what
                item = self._item("action", line.start(), line.end(), said, around, people_in(who))
                yield replace(item, due=due, is_assigned=True)
