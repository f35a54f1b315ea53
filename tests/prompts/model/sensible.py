"""What a good model would reply to our prompts, found by running the extractive reader on what the prompt says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from prompts.extractive import ExtractiveReader
from prompts.language import terms
from prompts.model import answer, choose, compose, look, read, read_several, rewrite, summarize
from prompts.model.types import type_id
from prompts.phrases import entities
from prompts.records import Child, LeafText, LogicUnit, Option, Question, Quote, SummaryRecord
from prompts.sentences import sentences
from prompts.taxonomy import UNCLASSIFIED, name_of

_READER = ExtractiveReader()
_FENCE = re.compile(r"MATERIAL (\w+) BEGINS\n(.*)\nMATERIAL \1 ENDS", re.DOTALL)
_BLOCK = re.compile(r"\[(\d+)\] (.*) \((\w+)(?:, (\d+) lea(?:f|ves))?\)(?: in .*)?")


def reply_to(system: str, user: str) -> dict[str, Any] | str:
    """The reply to one prompt: fields of a form, or the text of an answer."""
    fence = _FENCE.search(user)
    material = fence[2] if fence else ""
    asked = (re.search(r"\AQuestion: (.*?)(?:\n\nMATERIAL |\Z)", user, re.DOTALL) or [""] * 2)[1]
    match system:
        case read.SYSTEM:
            return _read(material)
        case read_several.SYSTEM:
            passages = re.split(r"(?:\A|\n\n)passage (\d+): ", material)[1:]
            numbered = zip(passages[::2], passages[1::2], strict=True)
            return {"passages": [{"passage": int(number), **_read(passage)} for number, passage in numbered]}
        case summarize.SYSTEM:
            return _summarize(material)
        case choose.SYSTEM:
            return _choose(asked, material)
        case answer.SYSTEM:
            return _answer(asked, material)
        case look.SYSTEM:
            return _look(asked, material)
        case compose.SYSTEM:
            return _compose(material)
        case rewrite.SYSTEM:
            return _rewrite(asked, material)
        case _:
            return {"city": "Paris"}


def _question(text: str) -> Question:
    return Question(text, dict.fromkeys(terms(text), 3.0))


def _heading(place: str) -> tuple[str, ...]:
    return tuple(place.split(" › "))


# ---------------------------------------------------------------- leaves


def _read(material: str) -> dict[str, Any]:
    place, _, rest = material.partition("\n\n")
    body, _, layout = rest.partition("\n\nunits by layout: ")
    text, spans = "", {}
    for line in body.split("\n"):
        number, bar, said = line.partition("| ")
        if bar and number.isdigit():
            spans[int(number)] = (len(text), len(text) + len(said))
            text += said
        text += "\n"
    units = []
    for kind, numbers in re.findall(r"(\w+) (\d[^;]*)", layout):
        for first, last, header in re.findall(r"(\d+)(?:-(\d+))?(?: \(([^;]*?)\))?(?:, |$)", numbers):
            units.append({"kind": kind, "header": header, "first": int(first), "last": int(last or first)})
    drawn = tuple(
        LogicUnit(kind=one["kind"], header=one["header"], start=spans[one["first"]][0], end=spans[one["last"]][1])
        for one in units
    )
    heading, _, kind = place.rpartition(" (a ")
    record = _READER.read(LeafText(text, _heading(heading), drawn, kind.rstrip(")"))).record
    return {
        "summary": record.summary or "Nothing to say.",
        "content_types": _types(record),
        "quotes": [quote.text for quote in record.quotes],
        "critical_actions": _items(record.critical_actions),
        "decisions": _items(record.decisions),
        "events": _items(record.events),
        "about": list(record.about),
        "units": [],  # the layout is right
    }


def _items(quotes: tuple[Quote, ...]) -> list[dict[str, str]]:
    return [{"quote": quote.text, "says": ""} for quote in quotes]


def _types(record: SummaryRecord) -> list[str]:
    return [name_of(kind) for kind in record.content_types if kind != UNCLASSIFIED]


SUPPORTED = 0.75  # of a question's words in what is quoted and known: then it is answered, about as often as gold says so
LONGEST_NOTE = 25  # words
MOST_NAMES = 2  # that are looked for with what is missing


def _answer(asked: str, material: str) -> dict[str, Any]:
    before, _, passage = f"\n\n{material}".partition("\n\npassage: ")
    found, judged = _judged(asked, before, [passage])
    return {**found[0], **judged}


def _look(asked: str, material: str) -> dict[str, Any]:
    shown, *passages = re.split(r"(?:\A|\n\n)passage \d+: ", material)
    found, judged = _judged(asked, shown, passages)
    told = [{"passage": number, **one} for number, one in enumerate(found, 1)]
    chosen = _choose(asked, shown) if judged["question"] == "open" else {"choices": [], "answer_here": False}
    return {**chosen, "parts": [asked], "passages": told, **judged}


def _judged(asked: str, before: str, passages: Sequence[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What each passage adds, the best first, and how the question stands by all that the prompt holds: answered where most
    of its words stand in what is quoted, in the headers of that, or in the notes."""
    parts = re.findall(r"(?m)^(\d+)\. (.*) \((open|answered)\)$", before)
    known = set(terms(before.partition("read so far:")[2]))
    wanted, names = set(terms(asked)), list[str]()
    said = {at: _said(asked, passage) for at, passage in enumerate(passages)}
    found: list[dict[str, Any]] = [{"adds": "nothing", "quotes": [], "answers": [], "note": one.note} for one in said.values()]
    for at, one in sorted(said.items(), key=lambda item: -item[1].worth):
        if one.quotes and (one.words & wanted) - known:
            note = " ".join(" ".join(one.quotes).split()[:LONGEST_NOTE])
            found[at] = {"adds": "adds", "quotes": list(one.quotes), "answers": [], "note": note}
            known |= one.words
            names += [name.text for name in entities(" ".join(one.quotes)) if name.kind == "name" and name.text not in asked]
    missing = [word for word in asked.split() if (terms_of := set(terms(word))) and not terms_of <= known]
    adds = any(one["quotes"] for one in found)
    is_answered = adds and len(wanted & known) >= SUPPORTED * len(wanted)
    for judged in found if is_answered else ():
        judged["answers"] = [int(number) for number, _, _ in parts] if judged["quotes"] else []
    has_lead = not is_answered and adds
    return found, {
        "facts": [],
        "question": "answered" if is_answered else "open",
        "missing": int(next((number for number, _, state in parts if state == "open"), 1)) if has_lead else 0,
        "follow_up": " ".join(("What about", *dict.fromkeys(names[:MOST_NAMES]), *missing)) if has_lead else "",
    }


class _Said(NamedTuple):
    """What the reader without a model finds in a passage."""

    quotes: tuple[str, ...]
    words: set[str]  # of the quotes and the header
    worth: float
    note: str


def _said(asked: str, passage: str) -> _Said:
    place, _, text = passage.partition("\n\n")
    text = text.partition("\n\nlinked unit, ")[0]
    found = _READER.answer(_question(asked), LeafText(text, _heading(re.split(r" \[| \(in ", place)[0])))
    quotes = tuple(quote.text for quote in found.quotes) if found.verdict != "none" else ()
    return _Said(quotes, set(terms(" ".join((place, *quotes)))), found.coverage, found.reason)


# ---------------------------------------------------------------- branches


def _blocks(material: str) -> dict[int, tuple[re.Match[str], dict[str, str]]]:
    found = {}
    for block in material.split("\n\n"):
        head, *lines = block.split("\n")
        if match := _BLOCK.fullmatch(head):
            found[int(match[1])] = (match, dict(line.partition(": ")[::2] for line in lines))
    return found


def _record(fields: Mapping[str, str]) -> SummaryRecord:
    types = [type_id(one) for one in fields.get("types", "").split(", ") if one]
    about = [one for one in fields.get("about", "").split(", ") if one]
    return SummaryRecord(summary=fields.get("summary", ""), content_types=tuple(filter(None, types)), about=tuple(about))


def _summarize(material: str) -> dict[str, Any]:
    children, ids = [], {}
    for number, (head, fields) in _blocks(material).items():
        roles: dict[str, list[Quote]] = {}
        for name, text in fields.items():
            if match := re.fullmatch(r"(\d+\.\d+) (action|decision|event|said)", name):
                ids[number, text] = match[1]
                roles.setdefault(match[2], []).append(Quote(text=text))
        quotes = [quote for role in roles.values() for quote in role]
        record = _record(fields)
        told = " ".join(quote.text for quote in quotes)  # what a summary is shown without
        record = record.model_copy(
            update={
                "summary": record.summary.replace("…", told, 1) if record.summary else told,
                "quotes": tuple(quotes),
                "critical_actions": tuple(roles.get("action", ())),
                "decisions": tuple(roles.get("decision", ())),
                "events": tuple(roles.get("event", ())),
            }
        )
        children.append(Child(head[2], head[3], record, int(head[4] or 1)))
    made = _READER.summarize(material.partition("\n")[0].removeprefix("Branch: "), children)

    def by_id(quotes: tuple[Quote, ...]) -> list[str]:
        numbered = list(_blocks(material))
        return [
            id_
            for quote in quotes
            for (number, text), id_ in ids.items()
            if number == numbered[quote.child or 0] and text.startswith(quote.text.removesuffix("…"))
        ]

    return {
        "summary": made.summary or "Nothing yet.",
        "content_types": _types(made),
        "quotes": by_id(made.quotes),
        "critical_actions": by_id(made.critical_actions),
        "decisions": by_id(made.decisions),
        "events": by_id(made.events),
        "about": list(made.about),
    }


def _choose(asked: str, material: str) -> dict[str, Any]:
    wanted = set(terms(asked))
    options = []
    for number, (head, fields) in _blocks(material).items():
        evidence = fields.get("evidence", "")
        scent = len(wanted & set(terms(evidence))) / len(wanted) if wanted else 0.0
        options.append(Option(str(number), head[2], head[3], _record(fields), scent, evidence))
    chosen = _READER.choose(_question(asked), options).ways
    return {
        "parts": [asked],
        "choices": [{"option": int(one.place), "likelihood": round(one.score * 10, 2), "reason": one.reason} for one in chosen],
        "answer_here": False,
        "unclear": "",
        "readings": [],
    }


# ---------------------------------------------------------------- texts


def _compose(material: str) -> str:
    parts = []
    for key, lines in re.findall(r"(?m)^(\d+[a-su-z]): (.*(?:\n   .*)*)$", material):
        said = re.sub(r"(?:^| )[*•-] ", " ", " ".join(lines.split())).strip()
        parts.append(" ".join(f"{said[start:end]} [{key}]" for start, end in sentences(said)) or f"{said} [{key}]")
    return "\n\n".join(parts)


def _rewrite(asked: str, material: str) -> dict[str, Any]:
    names = [entity.text for entity in entities(material.partition("\n")[2]) if entity.kind in ("name", "key")]
    named = names[-1] if names else "it"
    return {"question": re.sub(r"\b(it|that|this)\b", lambda _: named, asked, count=1)}
