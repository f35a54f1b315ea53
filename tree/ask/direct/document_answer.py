"""Documents as things: where one is, which there are about something, of a form or by somebody, which is the newest or the largest. Told from
their rows and names; what a document states of itself is told by `document_statements`."""

from __future__ import annotations

from collections.abc import Sequence

from prompts.extractive import as_text
from prompts.extractive.editions import edition_of
from tree.ask.direct.contact_answer import OWNERS
from tree.ask.direct.document_head import documents_headed_by
from tree.ask.direct.document_statements import WRITTEN_BY, told_of_one
from tree.ask.direct.documents_about import documents_about
from tree.ask.direct.documents_in_order import in_order
from tree.ask.direct.folder_answer import find_folders
from tree.ask.direct.named_documents import (
    Called,
    documents_called,
    heads_at,
    path_told,
    title_told,
    told,
)
from tree.ask.facts.told_facts import FactCitations, line, listed, readable, small
from tree.ask.snapshot.direct_answer import DirectAnswer, Line, beside
from tree.ask.snapshot.snapshot import Snapshot, today
from tree.ask.snapshot.standing_documents import documents_over
from tree.ask.snapshot.trail import Step
from tree.ask.understanding.document_question import OF_ONE, DocumentQuestion, document_questions, without_subject
from tree.ask.understanding.document_words import FORMS
from tree.ask.understanding.understand import Understanding
from tree.retrieve.fact_index import folded
from tree.retrieve.index_entries import as_name
from tree.store.documents import DocumentHead
from tree.store.leaves import FILE
from tree.store.places import document_around, is_inside_document, root_place

SHOWN = 20  # documents of a list
MOST_CALLED = 12  # of one name that are listed
MOST_TOLD = 3  # of one name of which it is told what they state


def answer_documents(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for documents as things; None for any other question, and where no document is meant. A name is first looked for as it
    was typed: a "checklist" that is searched for as "check list" is called so all the same."""
    texts = dict.fromkeys((understanding.question, understanding.text))
    questions = dict.fromkeys(one for text in texts for one in document_questions(text, today(snapshot)))
    answers = (_answered(snapshot, question) for question in questions)
    return next((answer for answer in answers if answer is not None), None)


def _answered(snapshot: Snapshot, question: DocumentQuestion) -> DirectAnswer | None:
    if question.asked == "find":
        ways = (question, without_subject(question))
        found = (documents_about(snapshot, one.words, one.terms, _endings(one)) for one in ways if one is not None)
        return next((one for one in found if one is not None), None)
    if question.asked == "place" or question.asked in OF_ONE:
        called = documents_called(snapshot, question.words, question.is_titled, _endings(question))
        if not called.documents and question.form:
            called = documents_called(snapshot, question.whole, question.is_titled)
        return _place(snapshot, question, called) if question.asked == "place" else _of_one(snapshot, question, called)
    if question.asked in ("by", "owned"):
        return _by(snapshot, question)
    tops = _tops(snapshot, question.folder)
    if not tops:
        return None
    if question.asked == "order":
        ordered = in_order(snapshot, question, tops, _endings(question))
        return ordered if ordered is not None or not question.form else _of_form(snapshot, question, tops)
    return _of_form(snapshot, question, tops)


def _endings(question: DocumentQuestion) -> tuple[str, ...]:
    return FORMS[question.form].endings if question.form else ()


def _tops(snapshot: Snapshot, folder: str) -> list[str]:
    """The places below which documents are asked for; none where there is no such folder, or a part of a document is asked about."""
    if folder:
        named = [root_place(source.id) for source in snapshot.sources.values() if as_name(source.name) == as_name(folder)]
        named = [place for place in named if snapshot.scope.includes(place)]
        return named or [top for one in find_folders(snapshot, folder) for top in one.tops]
    return [place for place in snapshot.scope.places if not is_inside_document(place)] or (
        [] if snapshot.scope.places else [root_place(source) for source in snapshot.scope.sources]
    )


def _step(title: str, reason: str) -> Step:
    return Step("register", "", "", title, reason=reason)


# ---------------------------------------------------------------- one that is named


def _place(snapshot: Snapshot, question: DocumentQuestion, called: Called) -> DirectAnswer | None:
    found = called.documents
    if question.is_latest:
        found = tuple(sorted(found, key=lambda one: one.metadata.get("modified", ""), reverse=True))
    if not found and question.is_titled:
        return _section(snapshot, question.words)
    if called.are_more or not 0 < len(found) <= MOST_CALLED:
        return None
    step = _step(found[0].title, f"“{question.words}” is what it is called.")
    over = documents_over(snapshot, [one.place for one in found])
    if len(found) > 1:
        notes = ["marked as superseded" if one.place in over else "" for one in found]
        lead = Line(f"**{len(found)} documents** are called so:\n")
        return DirectAnswer(step, (lead, *told(snapshot, found, said=notes)), "partial", is_list=True, is_of_standing=True)
    [document] = found
    [one] = told(snapshot, found)
    if one.number is None:
        return None
    address = f", {as_text(document.url)}" if document.url else ""
    said = f"**{title_told(document)}** is in {path_told(snapshot, document)}{address} [1]"
    lines = [Line(said, 1, one.node, one.leaf, one.quote)]
    if over:
        lines.append(Line("\n\nIt is marked as superseded."))
    return DirectAnswer(step, tuple(lines), "complete" if called.is_sure else "partial", is_of_standing=True)


def _section(snapshot: Snapshot, said: str) -> DirectAnswer | None:
    """The one part of a document that is headed so."""
    places = [place for _, place in snapshot.index.told_under([as_name(said)], snapshot.scope)]
    nodes = snapshot.store.nodes.at(places, snapshot.version)
    documents = heads_at(snapshot, [document_around(place) for place in nodes])
    if len(nodes) != 1 or len(documents) != 1:
        return None
    [node], [document] = nodes.values(), documents
    leaf = snapshot.store.leaves.get(node.leaf or "")
    if leaf is None:
        return None
    [one] = told(snapshot, documents)
    told_as = f"**{as_text(said)}** is a part of {title_told(document)}, {path_told(snapshot, document)} [1]"
    step = _step(document.title, f"“{said}” is a heading in it.")
    return DirectAnswer(step, (Line(told_as, 1, node, leaf, one.quote if one.node == node else None),), "partial")


def _of_one(snapshot: Snapshot, question: DocumentQuestion, called: Called) -> DirectAnswer | None:
    found = called.documents
    if called.are_more or not 0 < len(found) <= MOST_CALLED:
        return None
    step = _step(found[0].title, f"“{question.words}” is what it is called, and what it states of itself was looked up.")
    if len(found) > MOST_TOLD:
        lead = Line(f"**{len(found)} documents** are called so. Ask for one of them by its whole title:\n")
        return DirectAnswer(step, (lead, *told(snapshot, found)), "partial", is_list=True, is_of_standing=True)
    over = documents_over(snapshot, [one.place for one in found])
    standing = [one for one in found if one.place not in over] or list(found)
    meant = _newest_edition(standing)
    lines: list[Line] = []
    is_known = True
    for document in meant:
        own, is_stated = told_of_one(snapshot, document, question.asked)
        lines += beside(own, lines)
        is_known = is_known and is_stated
    if not lines or (not is_known and question.asked in ("approver", "reviewer")):
        return None  # minutes may say it
    if len(meant) < len(found):
        others = listed([title_told(one) for one in found if one not in meant])
        lines.append(Line(f"\n\nThere {'are' if len(found) > 2 else 'is'} also {others}."))
    elif over:
        lines.append(Line("\n\nMarked as superseded: " + ", ".join(title_told(one) for one in found if one.place in over) + "."))
    is_sure = is_known and len(meant) == 1 and called.is_sure and len(standing) == len(found)
    return DirectAnswer(step, tuple(lines), "complete" if is_sure else "partial", is_of_standing=True)


def _newest_edition(found: Sequence[DocumentHead]) -> Sequence[DocumentHead]:
    """Of editions of one document, by years or versions in their titles, the newest alone; else all."""
    editions = [edition_of(one.title) for one in found]
    if len(found) < 2 or any(one is None or one.words != (editions[0].words if editions[0] else None) for one in editions):
        return found
    return [max(zip(editions, found, strict=True), key=lambda pair: pair[0].number if pair[0] else 0.0)[1]]


# ---------------------------------------------------------------- all of a form


def _of_form(snapshot: Snapshot, question: DocumentQuestion, tops: Sequence[str]) -> DirectAnswer:
    form, within = FORMS[question.form], f" in {as_text(question.folder)}" if question.folder else ""
    count, found = snapshot.store.documents.below(tops, snapshot.version, form.endings, "ticket", SHOWN)
    called = form.one if count == 1 else form.many
    lead = f"**{count or 'No'} {called}**{within} ({', '.join(form.endings)}){':' if count else '.'}\n"
    lines = [Line(lead), *told(snapshot, found)]
    if count > len(found):
        lines.append(Line(f"\n\n… and {count - len(found)} more."))
    if question.form == "spreadsheet":
        tables, _ = snapshot.store.documents.below(tops, snapshot.version, (".csv", ".tsv"), "ticket", 1)
        if tables:
            lines.append(
                Line(f"\n\nBeside them, {tables} {'tables are' if tables > 1 else 'table is'} kept as text (.csv, .tsv).")
            )
    step = _step(f"{count} {called}", "The documents whose files end so were counted.")
    return DirectAnswer(step, tuple(lines), is_set=True, is_list=True, is_of_standing=True)


# ---------------------------------------------------------------- by somebody


def _by(snapshot: Snapshot, question: DocumentQuestion) -> DirectAnswer | None:
    """Those that name somebody as their author, or owner. Others may be theirs too, so it is never all there is."""
    labels = OWNERS if question.asked == "owned" else WRITTEN_BY
    facts, endings = snapshot.index.facts(snapshot.scope), _endings(question)
    test = " AND ' ' || f.match || ' ' LIKE ?" * len(question.terms)
    things = sorted(facts.holding(FILE, labels, test, [f"% {word} %" for word in question.terms]))
    things = [place for place in things if place.casefold().endswith(endings or "")]
    documents = {one.place: one for one in heads_at(snapshot, things[:SHOWN])}
    stated = [
        fact for fact in facts.current(documents, FILE, labels) if set(question.terms) <= set(folded(fact.fact.value).split())
    ]
    cited = FactCitations(snapshot.store, snapshot.version).cite(stated)
    own = {document_around(fact.place): fact for fact in reversed(stated) if fact.place in cited}
    headed = list(documents_headed_by(snapshot, question.words, "owner" if question.asked == "owned" else "author", endings))
    headed = [one for one in headed if one[0].place not in things]
    if not own and not headed:
        return None
    role, number = "owner" if question.asked == "owned" else "author", max(len(things), len(own)) + len(headed)
    lines = [
        Line(
            f"**{number} document{'s' if number > 1 else ''}** name{'' if number > 1 else 's'} {as_text(question.words)} as {role}:\n"
        )
    ]
    for at, place in enumerate((place for place in documents if place in own), 1):
        said = f"{as_text(small(own[place].fact.relation))}: {as_text(readable(own[place].fact.value))}"
        told_as = f"\n- **{title_told(documents[place])}**, {path_told(snapshot, documents[place])} ({said}) [{at}]"
        lines.append(line(told_as, at, own[place], cited))
    if left := number - len(own) - len(headed):
        lines.append(Line(f"\n- … and {left} more."))
    for at, (document, where) in enumerate(headed, len(own) + 1):
        text = f"\n- **{title_told(document)}**, {path_told(snapshot, document)} ({as_text(where[2].text)}) [{at}]"
        lines.append(Line(text, at, *where))
    lines.append(Line(f"\n\nA document that does not say who its {role} is is not among them."))
    step = _step(f"{number} documents", f"What documents state of themselves was looked through for “{question.words}”.")
    return DirectAnswer(step, tuple(lines), "partial", is_list=True, is_of_standing=True)
