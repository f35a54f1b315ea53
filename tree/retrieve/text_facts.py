"""Facts that a text states by its form: rows of tables, lines such as "Owner: Jane", terms and what they mean.

A pure function of the leaf, so that these facts come and go with it. Each fact names the span it was taken from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prompts.extractive.markdown import without_struck, without_tags
from prompts.extractive.passages import in_sentences
from prompts.regex import regex
from prompts.sentences import blocks, is_contact
from prompts.text_lines import line_start
from tree.retrieve.cell_values import in_iso, kind_of_value
from tree.retrieve.predecessors import predecessor_facts
from tree.retrieve.units import unit_facts
from tree.store.leaves import Entity, Fact

DEFINITION = "definition"  # the relation of a term to what it means
ANSWER = "answer"  # the relation of a heading that is a question to what stands below it
PART = "part of a document"  # the group of facts that are whole sections: what stands under "Impact" in a document
MEANINGS = frozenset(("meaning", "definition", "what it is", "what it means"))
_SAYS_MEANING = regex(
    r"(?:(?:what )?(?:it|this|that) (?:is|means|does|stands for)|what (?:is it|does it mean)|means|meaning|definition|explanation|description|purpose|what (?:it is )?for|stands for|in full|beschreibung|bedeutung|erklärung|signification)"
    r"(?: (?:here|for us|with us|to us|in our words|in plain (?:words|english|language)))?"
)
MOST_PART_WORDS = 3  # of a heading that names a part
MOST_FACTS = 1_500  # of one leaf
LONGEST_VALUE = 400  # characters
LONGEST_NAME = 80
MOST_LABEL_WORDS = 4
FEWEST_TURNS, FEWEST_SPOKEN = 3, 5  # times that one speaks, and words that are a sentence
TOTALS = frozenset(("total", "totals", "sum", "all", "gesamt", "summe", "average", "mean"))

_CELL = regex(r"(?<!\\)\|")
_LINK = regex(r"!?\[([^\[\]\n]{1,200})\]\([^()\s]{0,500}\)")
_ROLE = regex(r":[a-z][a-z:+-]{0,30}:`([^`<>\n]{1,200}?)(?: <[^<>`\n]{1,300}>)?`")
_MARKS = regex(r"\*{1,3}|_{2,3}|`")
_NUMBERING = regex(r"\A(?:#|no\.?|nr\.?|n|line|row|pos\.?)?\Z", re.IGNORECASE)
_IDENTIFIER = regex(r"\b(?:id|no|nr|number|code|key|serial|ref|reference|nummer|num[eé]ro)\b", re.IGNORECASE)  # of a column
_LABEL = r"(?:\*\*?|__)?(?P<label>[A-Z][A-Za-z][\w /&'-]{0,38}?)(?:\*\*?|__)?:(?:\*\*?|__)?[ \t]+(?P<value>[^\s|][^\n|]{0,399})"
_LABELLED = regex(rf"(?:(?<![^\n])|(?<=[.;|] ))(?:[-*+] +)?{_LABEL}")
_LABELLED_ITEM = regex(_LABEL)
_SENTENCE_END = regex(r"\.(?=\s+[A-Z*_\[(]|\s*\Z)|;(?=\s)")
_DIGIT = regex(r"\d")
_CODE = regex(
    r"(?m)^[ \t]*(?:[-*+] )?`?(?P<code>[A-Z]{1,6}[-_ ]?\d{1,5}|[A-Z]{2,}(?:_[A-Z0-9]+)+)`?(?:[:.]|(?=[ \t]))[ \t]*(?:[-–—|][ \t]*)?(?P<said>\S[^\n]{3,})"
)
_TERM = regex(r"(?:\*\*|__)(?P<term>[^*_\n]{2,60}?)[.:]?(?:\*\*|__)[.:]?\s+(?:[-–—]\s+)?(?=\S)")
_NEXT_LABEL = regex(r", (?=[A-Z][a-z]{2,20}: )")
_GONE = regex(r"\b(?:left|until|till|retired|gone|former|no longer|on leave|ausgeschieden|bis)\b", re.IGNORECASE)
_FIELDS = regex(r" [-–—|] |\t+|  +")
_MAIL = regex(r"[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}")
_PHONE = regex(
    r"(?:(?:ext(?:ension)?|tel(?:ephone)?|phone|mobile|cell|office|durchwahl|handy|mobil|fax|poste)\b\.?:? ?)?(?P<number>\+?[\d(][\d ()/.-]{1,24})\Z",
    re.IGNORECASE,
)
_KNOWN_AS = r"\b[A-Z][\w'’-]{1,30}+(?: [\"“]\b[A-Z][\w'’-]{1,30}+[\"”])?(?: (?:de|van|von|der|la|le|of))*(?: \b[A-Z][\w'’-]{1,30}+){1,2}"  # with a nickname
_REACHED = regex(  # "Lead: Jane Doe, phone 040 555 0181", "Jane Doe (stage manager, ext 36)"
    rf"(?P<name>{_KNOWN_AS})(?P<role> ?[,(–-] ?[^\n;:.()]{{0,60}}?)"
    r"(?P<how>\b(?:ext(?:ension)?|tel(?:ephone)?|phone|mobile|cell|inside|durchwahl|handy|mobil|poste)\b\.?:?) ?(?P<number>\+?[\d(][\d ()/-]{0,22}\d)(?!\d|[.:]\d)"
)
_COVERED = regex(  # "Jane "Jenny" Doe, box office, ext 40. When she is away: Ben Marsh."
    rf"(?P<name>{_KNOWN_AS})(?P<role>[,:( –-][^\n;]{{0,120}}?)(?:\b(?:[Ww]hen|[Ii]f|[Ww]hile) (?:(?:he|she|they)(?:['’]s|['’]re| is| are)? )?(?:away|absent|ill|off|out|not there|on (?:leave|holiday))[:,]"
    r"|\b[Ii]n (?:his|her|their) absence[:,]?|\b(?:[Dd]eputy|[Ss]tand-?in|[Ss]ubstitute|[Cc]overed by|[Cc]over|[Ff]or (?:him|her|them))(?::| is)) "
    r"(?P<deputy>\b[A-Z][\w'’-]{1,30}+(?: \b[A-Z][\w'’-]{1,30}+){0,2})(?=[.,;)]|\s*\Z)"
)
_NICKNAME = regex(r"\b[A-Z][\w'’-]{1,30}+ [\"“](?P<nick>\b[A-Z][\w'’-]{1,30}+)[\"”]")
_NO_PERSON = regex(
    r"\A(?:Call|Ask|Ring|Phone|Contact|Tell|Mail)\b|\b(?:Office|Desk|Line|Hotline|Reception|House|Centre|Center|Station|Department|Team|Service)\Z"
)
_INSIDE = frozenset(("ext", "extension", "inside", "durchwahl", "poste"))
FEWEST_DIGITS = 5  # of a phone number that is none of the house
_OTHER_NAME = regex(r"\b[A-Z][\w'’-]{1,30}+ \b[A-Z][\w'’-]{1,30}+")
_THING = regex(r"(?:\*\*|__)(?P<thing>[^*_\n]{2,60}?)[.:]?(?:\*\*|__)")
_GOES_ON = regex(  # a sentence about the thing in bold, and not what it is: "**Almanac** uses two databases"
    r"(?!(?:is|are|means?|stands|refers|denotes|describes|an?|the|ist|sind|bedeutet|est|sont)\b)[a-zà-ÿ]+\b"
)
PEOPLE = regex(r"[A-Z][\w'’-]+(?: (?:de|van|von|der|la|le|of))*(?: [A-Z][\w'’.-]+){1,3}(?:,| and|;|\Z)")
_PERSON = regex(r"(?:(?:Captain|Dr|Prof|Mr|Ms|Mrs)\.? )?[A-Z][\w'’-]+(?: (?:de|van|von|der|la|le|of))*(?: [A-Z][\w'’.-]+){1,3}")
_HELD_BY_PEOPLE = regex(  # relations whose values are people, where they look like names
    r"\b(?:name|owner|owned|lead|leads|leader|engineers?|authors?|by|supervisors?|deput(?:y|ies)|contacts?|keeper|persons?|people|reviewers?|"
    r"responsible|approvers?|assignee|reporter|manager|on call|who|guests?|present|chair|minutes|speaker|sponsor|architect|members?"
    r"|leitung|leiter(?:in)?|teamleitung|verantwortlich\w*|zuständig\w*|stellvertret\w+|vertretung|ansprechpartner\w*|bereitschaft|bearbeiter(?:in)?|responsable|adjointe?)\b|\A(?:from|to)\Z",
    re.IGNORECASE,
)
_REMARKS = regex(r"(?:notes?|remarks?|comments?|bemerkung(?:en)?|anmerkung(?:en)?|notiz(?:en)?|remarques?)", re.IGNORECASE)
_ROLE_COLUMN = regex(
    r"(?:job|position|function|role|job title|post|rolle|funktion|stelle|aufgabe|poste|fonction|rôle)s?", re.IGNORECASE
)
_NOT_LABELS = frozenset(
    (
        "note",
        "warning",
        "tip",
        "example",
        "examples",
        "important",
        "see",
        "caution",
        "attention",
        "hint",
        "todo",
        "fixme",
        "e.g",
        "i.e",
    )
)


def text_facts(text: str, heading: Sequence[str], kind: str = "file") -> list[Fact]:
    """The facts that a leaf's text states by its form, in the order of the text.

    `heading` is the title of the document, then the headings above the leaf; `kind` that of the document. The labelled
    lines of a ticket are left out: its source states them typed.
    """
    found: list[Fact] = []
    for fact in _facts(text, tuple(heading), with_labels=kind != "ticket"):
        found.append(fact)
        if len(found) >= MOST_FACTS:
            break
    found = _without_speakers(found)
    return (
        found if kind == "ticket" else sorted((*found, *unit_facts(text), *predecessor_facts(text)), key=lambda fact: fact.start)
    )


def _without_speakers(found: list[Fact]) -> list[Fact]:
    """Without what people say in a conversation: the same label again and again, before sentences."""
    said: dict[tuple[str, str], list[str]] = {}
    for fact in found:
        if not fact.row:
            said.setdefault((fact.subject.id, fact.relation), []).append(fact.value)
    speaking = {
        key
        for key, values in said.items()
        if len(values) >= FEWEST_TURNS and sum(len(value.split()) >= FEWEST_SPOKEN for value in values) > len(values) / 2
    }
    return [fact for fact in found if fact.row or (fact.subject.id, fact.relation) not in speaking] if speaking else found


@dataclass(slots=True)
class _Table:
    """A table as it is read: the spans of its rows, and whether a line under the first of them says that it is the header."""

    rows: list[tuple[int, int]]
    is_headed: bool = False
    has_empty_header: bool = False  # the line under the header comes first: no column has a name


def _facts(text: str, heading: tuple[str, ...], with_labels: bool) -> Iterator[Fact]:
    path = list(heading)
    levels: list[int] = []
    table: _Table | None = None
    row = 0
    asked: tuple[str, int, int] | None = None  # a heading that is a question, its end, and the end of what stands below it
    repeated = _labels_of_things(text) if with_labels else frozenset()
    has_digits = _DIGIT.search(text) is not None
    may_have_codes = has_digits or "_" in text
    for start, end, kind in blocks(text):
        if kind == "row":
            if table is None or text[table.rows[-1][1] : start].count("\n") > 2 or "\n\n" in text[table.rows[-1][1] : start]:
                if table is not None:
                    yield from _rows(text, table, path, row)
                    row += len(table.rows)
                table = _Table([], has_empty_header=_has_rule(text[text.rfind("\n\n", 0, start) + 1 : start]))
            elif len(table.rows) == 1 and _has_rule(text[table.rows[0][1] : start]):
                table.is_headed = True
            table.rows.append((start, end))
            continue
        if table is not None:
            yield from _rows(text, table, path, row)
            row += len(table.rows)
            table = None
        if kind == "heading" and asked is not None and asked[2] > asked[1]:
            yield _answer(text, asked, path)
        if kind == "heading":
            asked = (plain(text[start:end]), end, end) if _begins_an_answer(plain(text[start:end]), path) else None
        elif asked is not None:
            asked = (asked[0], asked[1], end)
        if kind == "heading":
            level = len(text[line_start(text, start) : start].strip())
            while levels and levels[-1] >= level:
                levels.pop()
                path.pop()
            levels.append(level)
            path.append(plain(text[start:end]))
        elif kind in ("text", "item"):
            term = _term(text, start, end, path)
            if term is not None:
                yield term
            if with_labels:
                yield from _contact(text, start, end, path)
                yield from _of_people(text, start, end, has_digits)
                if may_have_codes:
                    yield from _codes(text, start, end, path)
                yield from _labelled(text, start, end, path, repeated)
    if table is not None:
        yield from _rows(text, table, path, row)
    if asked is not None and asked[2] > asked[1]:
        yield _answer(text, asked, path)


def _begins_an_answer(heading: str, path: Sequence[str]) -> bool:
    """Whether a heading asks something, or is short enough to name a part of its document: "Impact", "Decision"."""
    return heading.endswith("?") or (bool(path) and 0 < len(heading.split()) <= MOST_PART_WORDS and not heading[0].isdigit())


def _answer(text: str, asked: tuple[str, int, int], path: Sequence[str]) -> Fact:
    """What stands below a heading that is a question or names a part, up to the end of a sentence at LONGEST_VALUE."""
    question, start, end = asked
    while start < end and text[start].isspace():
        start += 1
    end = in_sentences(text, start, end, LONGEST_VALUE)
    said = plain(text[start:end])
    if question.endswith("?"):
        return Fact(Entity("question", question, question), ANSWER, said, start, end, group=path[-2] if len(path) > 1 else "")
    title = path[0]
    relation = DEFINITION if question.casefold() in MEANINGS else question
    return Fact(Entity("part", title[:LONGEST_NAME], title), relation, said, start, end, group=PART)


def says_meaning(label: str) -> bool:
    """Whether a column or a part is called by what something means: "what it means here". `label`: folded."""
    return _SAYS_MEANING.fullmatch(label) is not None


# ---------------------------------------------------------------- tables


def _rows(text: str, table: _Table, path: Sequence[str], before: int) -> Iterator[Fact]:
    """A fact for each cell beside the one that names its row; for a row without a name one that says so."""
    if table.has_empty_header:
        yield from _pairs(text, table, path)
    if not table.is_headed or len(table.rows) < 2:
        return
    header = cells(text[slice(*table.rows[0])])
    if len(header) < 2 or sum(map(bool, header)) < 2 and not (len(header) > 2 and sum(map(bool, header[1:])) >= 1):
        return
    rows = [_fitted(cells(text[start:end]), len(header)) for start, end in table.rows[1:]]
    columns = [in_iso([row[at] for row in rows]) for at in range(len(header))]
    rows = [list(row) for row in zip(*columns, strict=True)]
    column = _naming_column(header, rows)
    caption = path[-1] if path else ""
    key = table_key(path, header[column], header)
    things = {at for at in range(len(header)) if at != column and _names_things(header, at)}
    for number, ((start, end), row) in enumerate(zip(table.rows[1:], rows, strict=True), 1):
        name = (row[column] or next(filter(None, row), ""))[:LONGEST_NAME]
        if not name or not row[column] and _goes_on(row):
            continue
        subject = Entity("total" if name.casefold() in TOTALS else "row", name, name)
        for at, (relation, value) in enumerate(zip(header, row, strict=True)):
            if relation and (value or at == column):
                person = person_named(relation, value) if at not in things else None
                yield Fact(
                    subject, relation, value[:LONGEST_VALUE], start, end, person, group=caption, row=before + number, table=key
                )


def _names_things(header: Sequence[str], at: int) -> bool:
    """Whether a column called "name" holds what the rows are called, "Market Cross": another says which people they have to do with, and
    none which role somebody has."""
    if header[at].casefold() != "name":
        return False
    others = [label.replace("_", " ") for number, label in enumerate(header) if number != at]
    return not any(map(_ROLE_COLUMN.fullmatch, others)) and any(map(_HELD_BY_PEOPLE.search, others))


def table_key(path: Sequence[str], naming: str, header: Sequence[str]) -> str:
    """What all rows of a table have in common: the headings they stand under, the column that names them, all columns."""
    return "\n".join((*path, naming, " | ".join(header)))


def _fitted(row: list[str], width: int) -> list[str]:
    """A row with as many cells as the header: one that has more of them is known by its first cell alone."""
    return [*row[: 1 if len(row) > width and any(row[width:]) else width], *[""] * width][:width]


def _pairs(text: str, table: _Table, path: Sequence[str]) -> Iterator[Fact]:
    """A table of two columns without a header: what is said of the thing that it stands under."""
    subject = Entity("section" if len(path) > 1 else "document", path[-1][:LONGEST_NAME], path[-1]) if path else None
    for start, end in table.rows:
        pair = cells(text[start:end])
        if subject is not None and len(pair) == 2 and pair[0] and pair[1] and len(pair[0].split()) <= MOST_LABEL_WORDS:
            yield Fact(subject, pair[0], pair[1][:LONGEST_VALUE], start, end, person_named(pair[0], pair[1]))


def _has_rule(text: str) -> bool:
    """Whether one of these lines is that under the header of a table: "| --- | :-: |"."""
    return any("--" in line and not line.strip("|:- \t\r") for line in text.split("\n"))


def _naming_column(header: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The first column whose cells can be names: not a running number, mostly different from each other.

    Below a cell that was merged over several rows stand empty ones: such a column names none of them, where another one can.
    """
    fitting: list[int] = []
    named: int | None = (
        None  # the first column of words: from there on, what a row has of years, dates and amounts does not name it
    )
    for at, title in enumerate(header):
        values = [row[at] for row in rows if row[at]]
        if not values or _NUMBERING.match(title) and all(value.strip(".").isdigit() for value in values):
            continue
        if _REMARKS.fullmatch(title) and named is not None:
            continue  # what is said of a row besides is no name of it
        if is_of_words := bool(_IDENTIFIER.search(title)) or any(kind_of_value(value) is None for value in values):
            named = at if named is None else named
        if len(set(values)) * 2 > len(values) and (is_of_words or named is None):
            if all(row[at] or _goes_on(row) for row in rows):
                return at
            fitting.append(at)
    return next(iter(fitting), named or 0)


def _goes_on(row: Sequence[str]) -> bool:
    """Whether a row is the second line of the one before it: few of its cells say something, or half of them go on with it."""
    filled = [cell for cell in row if cell]
    return len(filled) * 2 < len(row) or sum(cell[0].islower() for cell in filled) * 2 >= len(filled)


def cells(row: str) -> list[str]:
    """The cells of a row of a pipe table, without their markup."""
    return [plain(cell.replace("\\|", "|")) for cell in _CELL.split(row.strip().strip("|"))]


def plain(text: str) -> str:
    """Words without Markdown: links as their labels, no marks of emphasis or code, nothing that is crossed out."""
    if not any(mark in text for mark in "*_`[<~"):  # most headings and cells
        return " ".join(text.split())
    text = without_struck(text)
    return " ".join(without_tags(_MARKS.sub("", _LINK.sub(r"\1", _ROLE.sub(r"\1", text)))).split())


# ---------------------------------------------------------------- labels and terms


def _labels_of_things(text: str) -> frozenset[str]:
    """Labels within several entries that each begin with a thing in bold: "- **prod-eu**: Frankfurt. Owner: Jane Doe"; where there are
    such, the labels that only one of the entries has are of its thing as well."""
    found: dict[str, set[str]] = {}
    for start, end, kind in blocks(text):
        if kind in ("item", "text") and (thing := _THING.match(text, start, end)) is not None:
            at = thing.end()
            while (match := _LABELLED.search(text, at, end)) is not None:
                found.setdefault(match["label"], set()).add(thing["thing"])
                at = match.start("value")  # which the next one may stand in
    return frozenset(found) if any(len(things) > 1 for things in found.values()) else frozenset()


def _labelled(text: str, start: int, end: int, path: Sequence[str], repeated: frozenset[str]) -> Iterator[Fact]:
    """ "Lead: Jane Doe. Engineers: A, B." below a heading are facts of what the heading names; `repeated` labels within an item those
    of the thing in bold that it begins with."""
    if ":" not in text[start:end]:
        return
    subject = Entity(
        "section" if len(path) > 1 else "document", path[-1][:LONGEST_NAME] if path else "", path[-1] if path else ""
    )
    if not subject.name:
        return
    at = start
    thing = _THING.match(text, start, end) if repeated else None
    item = None if text.startswith(("**", "__"), start) else _LABELLED_ITEM.match(text, start, end)  # its bullet is before it
    while match := item or _LABELLED.search(text, at, end):
        item = None
        stop = _SENTENCE_END.search(match["value"])
        last = match.start("value") + (stop.start() if stop else len(match["value"]))
        at = max(last, match.end("label") + 1)
        label = " ".join(match["label"].split())
        if label.casefold() in _NOT_LABELS or len(label.split()) > MOST_LABEL_WORDS:
            continue
        if thing is not None and match.start("label") < thing.end():
            at = thing.end()  # the term of an entry is no label
            continue
        if (other := _NEXT_LABEL.search(text, match.start("value"), last)) is not None:  # "Owner: Jane Doe, Budget: 4000 EUR"
            last = other.start()
            at = min(at, last + 2)
        value = plain(text[match.start("value") : last])
        if not any(map(str.isalnum, value)):
            continue  # "Assignee: -"
        group, of = path[-2] if len(path) > 1 else "", subject
        if thing is not None and label in repeated and match.start() > thing.end():
            name = plain(thing["thing"]).rstrip(".:")
            of, group = Entity("term", name, name), path[-1]
        for one in _several(value):
            yield Fact(of, label, one[:LONGEST_VALUE], match.start("label"), last, person_named(label, one), group=group)


def person_named(relation: str, value: str) -> Entity | None:
    """Who is meant, where a relation is held by people and its value begins with a name."""
    match = _PERSON.match(value) if _HELD_BY_PEOPLE.search(relation.replace("_", " ")) else None
    return Entity("person", match.group(), match.group()) if match and len(value) <= LONGEST_NAME + 40 else None


def _several(value: str) -> list[str]:
    """A list of people as each of them; anything else as it stands."""
    parts = [part.strip() for part in re.split(r",| and |;", value)]
    if len(parts) > 1 and all(PEOPLE.fullmatch(part) for part in parts):
        return parts
    return [value] if value else []


def _contact(text: str, start: int, end: int, path: Sequence[str]) -> Iterator[Fact]:
    """What a line of a list of people says of somebody, "Jane Doe - quality, safety officer - ext 112 - jane@example.org"."""
    stop = text.find("\n", start, end)
    line = text[start : stop if stop >= 0 else end]
    if not is_contact(line):
        return
    name, *fields = _FIELDS.split(line)
    if _GONE.search(line) or not any(_MAIL.search(one) or _PHONE.match(one.strip(" ,;")) for one in fields):
        return  # of something else, perhaps: "Green Valley - second order"
    who = " ".join(name.split())
    at = start + len(name)
    for field in fields:
        at = text.find(field, at)
        value = field.strip(" ,;")
        mail, phone = _MAIL.search(field), _PHONE.match(value)
        label = "email" if mail is not None else "phone" if phone is not None else "role"
        said = mail.group() if mail is not None else phone["number"] if phone is not None else value
        for one in said.split(", ") if label == "role" else (said,):
            if one and len(one) <= LONGEST_NAME:
                yield Fact(Entity("person", who, who), label, one, at, at + len(field), group=path[-1] if path else "")
        at += len(field)


def _of_people(text: str, start: int, end: int, has_digits: bool) -> Iterator[Fact]:
    """How people are reached whose number stands behind their name, "Lead: Jane Doe, phone 040 555 0181", and who stands in for whoever
    a line begins with. `has_digits`: whether the text has any."""
    if has_digits and _DIGIT.search(text, start, end):
        for match in _REACHED.finditer(text, start, end):
            if _OTHER_NAME.search(match["role"]) is None and not is_contact(text[match.start() : end]):
                how = match["how"].rstrip(".:").casefold()
                digits = sum(map(str.isdigit, match["number"]))
                if _NO_PERSON.search(match["name"]) or (digits < FEWEST_DIGITS and how not in _INSIDE):
                    continue  # "on the phone 9-12", "Harbour Office, phone ..."
                value = match["number"] if how in ("phone", "tel", "telephone") else f"{how} {match['number']}"
                yield Fact(_person_called(match["name"]), "phone", value, match.start(), match.end())
    covered = _COVERED.match(text, start, end)
    if covered is not None and _OTHER_NAME.search(covered["role"]) is None and not is_contact(text[start:end]):
        yield Fact(_person_called(covered["name"]), "deputy", covered["deputy"], start, covered.end())


def _person_called(name: str) -> Entity:
    """By the name that people use: "Jenny Doe" of 'Jane "Jenny" Doe'."""
    called = _NICKNAME.sub(lambda match: match["nick"], name)
    return Entity("person", called, called)


def _codes(text: str, start: int, end: int, path: Sequence[str]) -> Iterator[Fact]:
    """Lines of a list of codes: "E-104 no paper: open the lid"."""
    first = line_start(text, start)
    if not _DIGIT.search(text, first, end) and text.find("_", first, end) < 0:
        return
    found = list(_CODE.finditer(text, first, end))
    if not found or (len(found) < 2 and "\n" in text[start:end]):
        return  # one line of a paragraph that happens to begin with a code
    ends = [match.start() for match in found[1:]] + [end]
    for match, last in zip(found, ends, strict=True):
        code, said = match["code"], text[match.start("said") : last].rstrip()
        if not any(word.strip("()").isalpha() for word in plain(said).split()):
            continue  # a price, and the next code
        yield Fact(
            Entity("term", code, code), DEFINITION, plain(said)[:LONGEST_VALUE], match.start("code"), match.start("said") + len(said),
            group=path[-1] if path else "",
        )  # fmt: skip


def _term(text: str, start: int, end: int, path: Sequence[str]) -> Fact | None:
    """A paragraph that begins with a term in bold, and then says what it is."""
    match = _TERM.match(text, start, end) if text[start : start + 2] in ("**", "__") else None
    if match is None:
        return None
    if not match.group().rstrip("*_ \t\n").endswith((".", ":", "-", "–", "—")) and _GOES_ON.match(text, match.end()):
        return None
    term = plain(match["term"]).rstrip(".:")
    if not 0 < len(term.split()) <= 5 or term[:1].isdigit():
        return None
    value = plain(text[match.end() : end])[:LONGEST_VALUE]
    return Fact(Entity("term", term, term), DEFINITION, value, start, end, group=path[-1] if path else "") if value else None
