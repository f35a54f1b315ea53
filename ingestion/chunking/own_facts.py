"""What a document states of itself, as facts: its front matter, and the lines at its head such as "Status: open | Owner: Jane".

A value under a name in the plural ("Components: Gate, Tide") is a list. Facts of tickets are stated by their source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from connectors.base import Document, Fact, Reference
from ingestion.chunking.properties import says_of_document
from prompts.language import named
from prompts.regex import regex
from prompts.sentences import term_of
from prompts.ticket_keys import TICKET_KEY
from tree.retrieve.folding import folded
from tree.retrieve.text_facts import PEOPLE, cells, person_named, plain
from tree.store.leaves import FILE

MOST = 40  # facts
MOST_LINES = 40  # that are looked at
MOST_PROSE = 3  # lines before the first statement, for a byline or a sentence
LONGEST_LINE = 2_000  # characters
LONGEST_VALUE = 200
LONGEST_LIST = 30  # values under one name
MOST_LABEL_WORDS = 4
MOST_NAME_WORDS = 4
PEOPLE_ALONE = frozenset("assignee reporter author authors creator reviewer reviewers".split())
WITHOUT_HEAD = frozenset(
    ("ticket", "mailbox", "table", "xlsx", "json", "code", "csv")
)  # whose first lines are data, or of several people
OF_THE_FILE = frozenset(  # kept beside a text, and no statement of its author
    """size modified rows records mails pages title layout weight slug draft permalink url menu toc sidebar id template lang linktitle
    summary description producer generator application keywords viewport""".split()
)
NO_LABELS = frozenset("note warning tip example examples important see caution attention hint todo fixme".split())
ONE_THING = frozenset("status progress class business address access basis focus process analysis series news canvas".split())
KEY = regex(rf"{TICKET_KEY}\b")  # of a ticket
_KEPT_KEYS = ("id", "key", "ticket", "issue")  # names under which a format keeps it beside the text
_OF_TICKETS = frozenset(("assignee", "priority", "reporter", "component", "components"))
_AS_TICKETS_SAY = {  # what a ticket states under another name: the same relation for all of them
    "state": "status",
    "prio": "priority",
    "assigned to": "assignee",
    "reported by": "reporter",
    "raised by": "reporter",
}
_FIELDS, _VALUES = frozenset(("field", "attribute", "property", "feld")), frozenset(("value", "content", "wert"))  # headers
_LABEL = regex(r"(?:[-*+>] +)?[*_]{0,2}(?P<label>[^\W\d_][\w /&'()-]{0,38}?)[*_]{0,2}:[*_]{0,2}[ \t]+(?=\S)")
_NEXT = regex(r" [|·] |(?<=[.;]) +(?=[*_]{0,2}[A-Z][\w /&'-]{0,38}:)")
_RULE = regex(r"[-=*_+~]{3,}\s*\Z")


_NEXT_SENTENCE = regex(r"(?<=[a-zà-ÿ0-9]{2})\. (?=[A-Z])")
_PERSON_ALONE = regex(r"(?:(?:Dr|Prof|Mr|Ms|Mrs)\. )?[^.]{3,60}?(?=\. [A-Z])")


def _without_next_sentence(label: str, value: str) -> str:
    """Who somebody is, without the sentence behind it: "Responsible: Dr. Ada Byron. Page reviewed in May"."""
    first = _PERSON_ALONE.match(value)
    if first is not None and _person(label, first.group()) is not None:
        return first.group()
    return (
        _NEXT_SENTENCE.split(value, maxsplit=1)[0] if says_of_document(label) else value
    )  # "Owner: Finance. Last reviewed in May"


def own_facts(document: Document) -> tuple[Fact, ...]:
    """Each relation as it is stated first. They are about the document, and belong to the collection of files."""
    if document.kind == "ticket":
        return ()
    subject = Reference("document", named(document.title), named(document.title))
    found: list[Fact] = []
    known: set[str] = set()
    for statements in (_kept(document.metadata), *_stated(document)):
        before = frozenset(known)
        for label, value, quote in statements:
            relation = folded(label)
            if relation in before or not relation:
                continue
            known.add(relation)
            for one in values_under(label, value):
                one = _without_next_sentence(label, one)
                found.append(Fact(subject, label, one, _person(label, one), quote=quote))
    as_ticket = {_AS_TICKETS_SAY.get(relation, relation) for relation in known}
    if "status" in as_ticket and "key" not in known and (key := _key(document, not as_ticket.isdisjoint(_OF_TICKETS))):
        found = [Fact(subject, "key", key), *(_of_ticket(one, known) for one in found)]  # that was exported as a file
    return tuple(found[:MOST])


def _key(document: Document, is_ticket: bool) -> str:
    """The key that a document of a ticket has: before its title; of what states as much as a ticket does also in its front matter or
    as the whole name of its file."""
    if (match := KEY.match(document.title)) is not None:
        return match[0]
    kept = [value.strip() for name, value in document.metadata.items() if name.casefold() in _KEPT_KEYS]
    stem = document.id.rpartition("/")[2].rpartition(".")[0]
    return next((one for one in (*kept, stem) if is_ticket and KEY.fullmatch(one)), "")


def _of_ticket(fact: Fact, known: Set[str]) -> Fact:
    """What a ticket states, under the name that tickets have for it, where it does not state that as well."""
    relation = _AS_TICKETS_SAY.get(folded(fact.relation), "")
    if not relation or relation in known:
        return fact
    return replace(fact, relation=relation, reference=_person(relation, fact.value))


def _person(label: str, value: str) -> Reference | None:
    """Who is meant; whoever stands under "Assignee" is a person, however the name is written."""
    if label.casefold() in PEOPLE_ALONE and len(value.split()) <= MOST_NAME_WORDS and not any(map(str.isdigit, value)):
        return Reference("person", value, value)
    person = person_named(label, value)
    return Reference("person", person.id, person.name) if person else None


def group_of(fact: Fact) -> str:
    """The set that a fact's subject is counted in: a document is a file among others."""
    return FILE if fact.subject.kind == "document" else fact.subject.kind


def values_under(label: str, value: str) -> list[str]:
    """The values of a list, where the name is in the plural or all of them are people; else the value as it stands."""
    last = label.casefold().split()[-1]
    parts = [part for part in _apart(value) if any(map(str.isalnum, part))]
    is_list = last.endswith("s") and last not in ONE_THING and not last.endswith("ss")
    if not is_list and not all(PEOPLE.fullmatch(part.partition("(")[0].strip()) for part in parts):
        parts = [value]
    return list(dict.fromkeys(part[:LONGEST_VALUE] for part in parts))[:LONGEST_LIST]


def _apart(value: str) -> Iterator[str]:
    """What stands between commas and semicolons that are not in brackets."""
    start, depth = 0, 0
    for at, char in enumerate(value):
        depth += (char in "([") - (char in ")]")
        if char in ",;" and depth <= 0:
            yield value[start:at].strip()
            start = at + 1
    yield value[start:].strip()


Statement = tuple[str, str, str]  # name, value, the line that says so


def _kept(metadata: Mapping[str, str]) -> Iterator[Statement]:
    """What the format keeps beside the text: front matter, fields of a mail."""
    for name, value in metadata.items():
        label = " ".join(name.replace("_", " ").replace("-", " ").split())
        if name.casefold() not in OF_THE_FILE and value and len(label.split()) <= MOST_LABEL_WORDS:
            yield label, plain(value), ""


def _stated(document: Document) -> Iterator[list[Statement]]:
    """The statements of each line at the head of a document, then of headings with one line below them."""
    told = [section for section in document.sections if section.text.strip() and section.markup != "code"]
    if not told or document.kind in WITHOUT_HEAD:
        return
    if len(told[0].locator.heading) <= 1:
        yield from _head(told[0].text)
    for section in told[1:]:
        heading = section.locator.heading[-1] if section.locator.heading else ""
        lines = section.text.strip().splitlines()
        if heading.casefold() in ("status", "state", "owner", "date", "author", "severity", "version") and len(lines) == 1:
            yield [(heading, plain(lines[0]).strip("."), lines[0])]


def _head(text: str) -> Iterator[list[Statement]]:
    """Of each block of lines up to the first that says something else."""
    prose, is_found, is_paired = 0, False, False
    block: list[Statement] = []
    for line in text.splitlines()[:MOST_LINES]:
        bare = line.strip()
        if not bare and block:
            yield block
            block = []
        if not bare or _RULE.match(bare) or bare.startswith("#"):
            continue
        if bare.startswith("|") and not any(map(str.isalnum, bare)):
            is_paired = is_paired or "-" not in bare  # the empty header of a table of names and values
            continue
        if not is_paired and _heads_pairs(bare):
            is_paired = True
            continue
        statements = list(_of_line(bare, is_paired)) if len(bare) <= LONGEST_LINE else []
        if not statements:
            prose += 1
            if is_found or prose > MOST_PROSE:
                break
        is_found = is_found or bool(statements)
        block += statements
    if block:
        yield block


def _heads_pairs(line: str) -> bool:
    """Whether a line is the header of a table of names and values: "| Field | Value |"."""
    pair = [folded(cell) for cell in cells(line)] if line.startswith("|") else []
    return len(pair) == 2 and pair[0] in _FIELDS and pair[1] in _VALUES


def _of_line(line: str, is_paired: bool) -> Iterator[Statement]:
    """ "Status: open | Owner: Jane" says two things; a line that says anything else besides says nothing here."""
    if line.startswith("|"):
        pair = cells(line) if is_paired else []
        if len(pair) == 2 and all(pair) and len(pair[0].split()) <= MOST_LABEL_WORDS:
            yield pair[0].rstrip(":"), pair[1], line
        return
    if ":" not in line or ((term := term_of(line)) and not says_of_document(term)):  # most lines, and an entry of a glossary
        return
    found: list[Statement] = []
    for part in _NEXT.split(line):
        match = _LABEL.match(part.strip())
        label = " ".join(match["label"].split()) if match else ""
        is_label = bool(label) and len(label.split()) <= MOST_LABEL_WORDS and label.casefold() not in NO_LABELS
        if match is not None and is_label:
            found.append((label, plain(part.strip()[match.end() :]).strip().rstrip(".;"), line))
        elif found:  # a sentence that goes on
            found[-1] = (found[-1][0], f"{found[-1][1]}. {plain(part)}".rstrip(".;"), line)
        else:
            return
    if len(found) > 1 and line.startswith(("- ", "* ", "+ ")) and not says_of_document(found[0][0]):
        return  # an item that says several things of what it begins with: "- **prod-eu**: Frankfurt. Owner: Jane Doe"
    yield from (one for one in found if one[0].casefold() not in OF_THE_FILE)
