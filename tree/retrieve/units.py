"""Who leads the units of an organisation, as a page says that lists them: "- **Lab** (the bench) – led by Ada Byron since 1 May".

Units are read only where several of them, one below the other, are each told with somebody who leads it: what one bold word
and a name have to do with each other is anybody's guess. They are entities in the sense of T-RAG (arXiv 2402.07483).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.line_pattern import LinePattern
from prompts.regex import regex
from tree.store.leaves import Entity, Fact

UNIT = "team"  # the kind of such an entity
LEAD, FORMER_LEAD, DEPUTY = "lead", "former lead", "deputy"  # relations
MEMBER, COLLEAGUE = "member", "colleague"  # the same: of a unit of which all are named, and of one that has more people
FEWEST = 3  # units with somebody who leads them, for a text to be read as a list of units
MOST_NAME_WORDS, MOST_ALIAS_WORDS = 6, 3
MANY = 1_000  # people of whom it is not said how many there are
LONGEST_ENTRY = 1_200  # characters that are read of one unit

PERSON_NAME = r"[A-ZÀ-Þ][\w'’-]{1,30}(?: (?:de|van|von|der|den|ten|la|le|of|al)){0,3}(?: [A-ZÀ-Þ][\w'’-]{1,30}){1,3}"  # of two words or more
_PERSON = rf"(?<![\w'’-])\*{{0,2}}(?:(?:Dr|Prof|Mr|Ms|Mrs)\.? \*{{0,2}})?(?P<person>{PERSON_NAME})\*{{0,2}}"
_DAY = r"(?P<day>\d{1,2} [A-Z][a-z]{2,8}(?: \d{4})?|[A-Z][a-z]{2,8} \d{4}|\d{4}-\d\d-\d\d)"
_ROLE = r"(?i:(?:team )?lead(?:er)?|head(?: of [a-z &]{2,30}?)?|manager|foreman|forewoman|chief|boss|(?:team)?leit(?:ung|er|erin)|responsable)"
_ITEM = LinePattern(  # or a line that begins in bold
    r"^(?P<indent>[ \t]*)(?:[-*+] |(?=\*\*[^*\s]))(?P<body>\S)", "- |* |+ |**", re.MULTILINE
)
_HEADING = regex(r"(?P<level>#(?<![^\n]#)#{1,5}) (?P<label>[^\n(]{2,80})")
_BOLD = regex(r"\*\*(?P<label>[^*\n(]{2,80})(?P<aside>\([^*\n]{0,80})?\*\*")
_PLAIN = regex(r"(?P<label>[^\n.:;,(–—]{2,60}?)(?= ?[.:;,(–—]| - )")
_ASIDE = regex(r"\((?P<said>[^()\n]{2,80})\)")
_ASIDES = regex(r"(?:\s*\([^()\n]*\))*")
_QUOTED = regex(r"[\"“„](?P<said>[^\"“”„\n]{2,40})[\"“”]")
_SPLIT = regex(r"[,;:–—]| - ")
_LEADS = (  # in the order in which they are believed
    regex(rf"\b(?i:(?:led|run|headed|managed) by|geleitet von|dirigée? par) {_PERSON}"),
    regex(
        rf"{_PERSON}(?:, [^.,;\n]{{3,40}},)? (?:now )?(?:leads|heads|runs|manages|has (?:led|run|headed|managed))\b(?! the (?:day|night|late|early))"
    ),
    regex(rf"{_PERSON} (?:is|as) (?:the |its )?{_ROLE}\b"),
    regex(rf"{_PERSON} \({_ROLE}\)"),
    regex(rf"\b{_ROLE}(?: is|:\*{{0,2}}|\*\*:)? {_PERSON}"),
)
_LEADING = "lead|head|led by|has led|run by|runs|has run|manag|leit|dirig|foreman|forewoman|chief|boss|responsable"
# what says who leads has one of these: to look for names takes longer
_SAYS_LEAD = LinePattern(_LEADING, _LEADING, re.IGNORECASE)
_GIVEN = regex(r"(?<![\w'’-])(?<![\w'’-] )(?P<given>[A-ZÀ-Þ][\w'’-]{1,30}) (?:leads|runs it|heads it)\b")
_FIRST = regex(rf"\W{{1,6}}{_PERSON}(?=[.;:,]| since\b| \(|\s*\Z)")  # "**Billing** – Ada Byron; ..."
_ALSO = regex(r"(?: \([^()\n]*\))?(?:,| and| &) (?:and )?\*{0,2}[A-ZÀ-Þ][\w'’-]+ [A-ZÀ-Þ]")  # two share it
_SINCE = regex(rf"[^.;\n]{{0,40}}?\bsince {_DAY}")
_UNTIL = regex(rf"[ ,(]{{1,3}}until {_DAY}")
_TO_COME = regex(rf"[ ,(]{{1,3}}(?:from|as of) {_DAY}")
_FROM = regex(rf"\b(?:from|since) {_DAY}(?: on)? by {_PERSON}")
_BEFORE = regex(rf"\b(?i:before)(?: that| her| him| them)?,?(?: it was| by| was)? {_PERSON}")
_DEPUTIES = (
    regex(rf"\b(?i:deputy)(?: and [a-z ]{{3,30}})?(?: is|:)? {_PERSON}"),
    regex(rf"{_PERSON} is (?:the |his |her |its )?deputy\b"),
)
_DEPUTY_GIVEN = regex(r"\b(?i:deputy)(?: of [A-ZÀ-Þ][\w'’-]+)?(?: is|:) (?P<given>[A-ZÀ-Þ][\w'’-]{1,30})(?=[.;,)]|\s*\Z)")
_MEMBER = regex(
    rf"(?:(?<=[.;:,] )|(?<=\band )|(?<=\bis )|(?<=\bare )|(?<=[-*+] )){_PERSON}(?=[.;:,)]| [a-z(]|\s*\Z)"
)  # "at Pike Lane" is a place
_LABORATORY = regex(r"\blaboratory\b", re.IGNORECASE)
_NUMBERS = {word: number for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)}
_HEADS = regex(
    rf"\b(?P<besides>and |with )?(?P<number>\d+|{'|'.join(_NUMBERS)}|several|some) (?:other )?(?:people|persons?|colleagues|heads|others|of us)\b",
    re.IGNORECASE,
)
_NO_PERSON = frozenset(
    "Crew Team The Group Department Office Until Before After Since From With Ask Call On In At For Deputy Head Lead Chief Manager Service Services System Systems Product Products Channel".split()
)
_NO_UNIT = frozenset("other others note notes deputy deputies lead contact decision decisions actions agenda present".split())


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is told of one unit: [start, end) of the text; `told` is what follows its name."""

    start: int
    end: int
    label: str
    told: str
    is_marked: bool  # whether the name stands in bold
    form: str  # how its list is written: an item's indentation and mark, a heading's level, and the heading above


@dataclass(frozen=True, slots=True)
class _Led:
    entry: _Entry
    lead: str
    at: int  # where that is said, in `told`
    since: str = ""
    before: str = ""
    deputy: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        """All who are named as being in it."""
        others = (match["person"] for match in _MEMBER.finditer(self.entry.told))
        named = dict.fromkeys((self.lead, self.deputy, *others))
        known = (one for one in named if one and one != self.before)
        return tuple(one for one in known if one.split()[0] not in _NO_PERSON and not re.search(r"-[a-z]", one))

    @property
    def belonging(self) -> str:
        """Whether these are all of them, as far as the page says how many there are."""
        said = _HEADS.search(self.entry.told)
        is_more = said is not None and (bool(said["besides"]) or _number(said["number"].casefold()) > len(self.people))
        return COLLEAGUE if is_more or "\n|" in self.entry.told else MEMBER  # a table may name more of them


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word, MANY)


def unit_facts(text: str) -> list[Fact]:
    """Who leads each unit that a leaf lists, who did before, and who else is in it; nothing where it is no such list."""
    entries = _entries(text)
    if len({entry.label for entry in entries}) < FEWEST:
        return []
    led = [one for entry in entries if (one := _led(entry)) is not None]
    led = [one for one in led if not _holds_others(one, led)]
    is_list = min(len({one.entry.label for one in led}), len({one.lead for one in led})) >= FEWEST
    return [fact for one in led for fact in _facts(one)] if is_list else []


def _holds_others(one: _Led, all_led: Sequence[_Led]) -> bool:
    """Whether it is the heading above several units."""
    inside = {other.lead for other in all_led if one.entry.start < other.entry.start < one.entry.end}
    return len(inside) > 1


def units_without_lead(text: str) -> list[tuple[str, int, int]]:
    """Name, start and end of each unit that stands in the same list as those that are led by somebody, and is not."""
    led = {entry.form for entry in _entries(text) if _led(entry) is not None}
    return [(one.label, one.start, one.end) for one in _entries(text) if one.form in led and _led(one) is None]


def _entries(text: str) -> list[_Entry]:
    return [entry for entry in (*_items(text), *_sections(text)) if _is_unit(entry.label)]


def _facts(one: _Led) -> Iterator[Fact]:
    start, end = one.entry.start, one.entry.end
    told = [(LEAD, one.lead, one.since), (FORMER_LEAD, one.before, ""), (DEPUTY, one.deputy, "")]
    for name in _names(one):
        people = [(one.belonging, person, "") for person in one.people] if name == one.entry.label else []
        for relation, person, since in (*told, *people):
            if person:
                value = f"{person}, since {since}" if since else person
                yield Fact(Entity(UNIT, name, name), relation, value, start, end, Entity("person", person, person))


# ---------------------------------------------------------------- the entries of a list


def _items(text: str) -> Iterator[_Entry]:
    found = list(_ITEM.finditer(text))
    for at, match in enumerate(found):
        below = next((one.start() for one in found[at + 1 :] if len(one["indent"]) <= len(match["indent"])), len(text))
        paragraph = text.find("\n\n", match.end())
        end = min(below, paragraph if paragraph >= 0 else len(text), match.start() + LONGEST_ENTRY)
        start = match.start("body")
        label = _BOLD.match(text, start, end) or _PLAIN.match(text, start, end)
        if label is not None:
            told = (label.groupdict().get("aside") or "") + text[label.end() : end]
            is_marked = text.startswith("**", start)
            above = text.rfind("\n#", 0, start)
            yield _Entry(start, end, _bare(label["label"]), told, is_marked, f"{match['indent']}{is_marked} {above}")


def _sections(text: str) -> Iterator[_Entry]:
    found = list(_HEADING.finditer(text))
    for at, match in enumerate(found):
        below = found[at + 1].start() if at + 1 < len(found) else len(text)
        end = min(below, match.start() + LONGEST_ENTRY)
        yield _Entry(match.start(), end, _bare(match["label"]), text[match.end() : end], False, match["level"])


def _bare(label: str) -> str:
    return label.partition(",")[0].strip(" .:*#")


def _is_unit(label: str) -> bool:
    words = label.split()
    return 0 < len(words) <= MOST_NAME_WORDS and not label.endswith("?") and words[0].casefold() not in _NO_UNIT


# ---------------------------------------------------------------- who leads it


def _led(entry: _Entry) -> _Led | None:
    told = entry.told
    says = _SAYS_LEAD.search(told) is not None
    found = next((match for pattern in _LEADS if (match := pattern.search(told)) is not None), None) if says else None
    if found is not None and _UNTIL.match(told, found.end()):
        after = _FROM.search(told, found.end())
        if after is None:
            return None  # whoever leads it now is not told
        return _Led(entry, after["person"], found.start(), after["day"], found["person"], _deputy(told))
    if found is not None:
        who, at, end = found["person"], found.start(), found.end()
    elif says and (given := _GIVEN.search(told)) is not None and (who := _in_full(given["given"], told)):
        at, end = given.start(), given.end()
    elif entry.is_marked and (first := _after_asides(told)) is not None:
        who, at, end = first["person"], first.start("person"), first.end()
    else:
        return None
    since, before = _SINCE.match(told, end), _BEFORE.search(told, end)
    return _Led(
        entry, who, at, since["day"] if since is not None else "", before["person"] if before is not None else "", _deputy(told)
    )


def _after_asides(told: str) -> re.Match[str] | None:
    """The name that stands right behind that of the unit and what is said of it in brackets, where it is the only one there."""
    aside = _ASIDES.match(told)
    first = _FIRST.match(told, aside.end() if aside is not None else 0)
    return first if first is not None and not _ALSO.match(told, first.end("person")) else None


def _in_full(given: str, told: str) -> str:
    """The one name that begins so."""
    full = {match["person"] for match in re.finditer(_PERSON, told) if match["person"].split()[0] == given}
    return full.pop() if len(full) == 1 else ""


def _deputy(told: str) -> str:
    found = next((match for pattern in _DEPUTIES if (match := pattern.search(told)) is not None), None)
    if found is None and (given := _DEPUTY_GIVEN.search(told)) is not None:
        return _in_full(given["given"], told)
    if found is None or _UNTIL.match(told, found.end()) or _TO_COME.match(told, found.end()):
        return ""  # in another time than now, perhaps
    return found["person"]


# ---------------------------------------------------------------- what it is called


def _without_article(name: str) -> str:
    return re.sub(r"\A(?i:the|an?) ", "", name)


def _names(one: _Led) -> Sequence[str]:
    """Its name, and those that stand in brackets or in quotes before it is told who leads it: "Timetable office", "Clockroom"."""
    head = re.split(r"(?<=[a-z)])\. ", one.entry.told[: one.at], maxsplit=1)[0].split("\n", 1)[0]
    beside = _ASIDES.match(head)
    said = [_SPLIT.split(match["said"], maxsplit=1)[0] for match in _ASIDE.finditer(beside.group() if beside is not None else "")]
    said += [match["said"] for match in _QUOTED.finditer(head)]
    others = [_without_article(other.strip(' "“”„')) for other in (one.entry.label, *said)]
    others += [_LABORATORY.sub("lab", other) for other in others]
    short = [
        other for other in others
        if 0 < len(other.split()) <= MOST_ALIAS_WORDS and not any(map(str.isdigit, other)) and not re.fullmatch(_PERSON, other)
    ]  # fmt: skip
    return tuple({other.casefold(): other for other in (*reversed(short), one.entry.label)}.values())[::-1]
