"""Questions that need no walk: a table of functions, tried in order; the first that knows the answer gives it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from prompts.extractive.pages import code_shown, heads_steps, is_bare_name, sections
from prompts.extractive.second_part import lacks_second_part
from prompts.regex import regex
from tree.ask.direct.absence_answer import answer_absences
from tree.ask.direct.budget_answer import answer_budgets
from tree.ask.direct.change_answer import answer_changes
from tree.ask.direct.comparison_answer import answer_comparison
from tree.ask.direct.contact_answer import answer_contact
from tree.ask.direct.document_answer import answer_documents
from tree.ask.direct.fact_answer import answer_as_chart, answer_from_a_table, answer_from_facts, answer_from_set_before
from tree.ask.direct.folder_answer import answer_by_path
from tree.ask.direct.item_answer import answer_from_records, answer_what_is_due
from tree.ask.direct.listing_answer import answer_listing
from tree.ask.direct.mail_answer import answer_mails
from tree.ask.direct.meeting_answer import answer_meeting
from tree.ask.direct.mentions import find_mentions
from tree.ask.direct.overview import describe_subject
from tree.ask.direct.release_answer import answer_release
from tree.ask.direct.rota_answer import answer_from_rota
from tree.ask.direct.rota_counts import answer_most_turns
from tree.ask.direct.rota_turns import answer_turns
from tree.ask.direct.small_talk import talk
from tree.ask.direct.succession_answer import answer_succession
from tree.ask.direct.thing_answer import compare_things, describe_thing
from tree.ask.direct.ticket_answer import answer_of_ticket, answer_of_tickets_meant
from tree.ask.direct.timed_columns_answer import answer_from_timed_columns
from tree.ask.direct.unknown_asker import answer_unknown_asker
from tree.ask.direct.unread_answer import answer_unread
from tree.ask.direct.validity_answer import answer_validity
from tree.ask.snapshot.direct_answer import DirectAnswer
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.snapshot.snapshot_view import SnapshotView
from tree.ask.snapshot.standing_documents import held_against_standing
from tree.ask.understanding.understand import Understanding
from tree.ask.understanding.usual_pages import pages_called

Shortcut = Callable[[Snapshot, Understanding], DirectAnswer | None]  # None: the question is none of its kind
SHORTCUTS: tuple[Shortcut, ...] = (
    answer_as_chart, answer_unread,
    answer_unknown_asker, answer_from_set_before, talk, answer_mails, find_mentions, answer_by_path, answer_documents, answer_validity, answer_succession, answer_absences, answer_from_rota, answer_turns, answer_most_turns, answer_meeting, answer_what_is_due, answer_from_records, answer_release, answer_changes, answer_of_ticket, answer_budgets, answer_from_timed_columns, answer_comparison, compare_things, describe_thing, answer_from_a_table,
    answer_listing, describe_subject, answer_from_facts, answer_contact, answer_of_tickets_meant,
)  # fmt: skip


MOST_LOOKED_INTO = 4  # leaves, for steps against an error
_OF_THEM = regex(r"\b(?:of|among|amongst) (?:them|those|these)\W*(?:\Z|(?:has|is|was|does)\b|(?!\w+s\b)\w)", re.IGNORECASE)


def answer_directly(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """None where a walk has to find the answer, and where "them" is nobody knows what."""
    if understanding.narrowing is None and _OF_THEM.search(understanding.text):
        return None
    if is_bare_name(understanding.text) and _has_procedure(snapshot, understanding.text):
        return None  # of an alert more is asked than what it is
    if (code := code_shown(understanding.text)) and _has_steps(snapshot, understanding.text, code):
        return None  # as of an error that a printer shows
    answers = (shortcut(snapshot, understanding) for shortcut in SHORTCUTS)
    found = next((answer for answer in answers if answer is not None), None)
    if found is None:
        return None
    if found.verdict == "complete" and lacks_second_part(understanding.text, "".join(line.text for line in found.lines)):
        found = replace(found, verdict="partial")
    return held_against_standing(snapshot, understanding.text, found)


def _has_steps(snapshot: Snapshot, text: str, code: str) -> bool:
    """Whether steps stand below a heading with the code of an error that a question says."""
    view = SnapshotView.of(snapshot, text)
    return any(heads_steps(code, opened.text) for opened in view.open_leaves(view.best_nodes(MOST_LOOKED_INTO)))


def _has_procedure(snapshot: Snapshot, name: str) -> bool:
    """Whether a document that is called just so says what to do."""
    return any(True for leaves in pages_called(name, snapshot) for leaf in leaves for _ in sections(leaf.as_read()))
