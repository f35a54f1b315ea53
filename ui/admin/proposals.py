"""What would answer questions that were not found, or whose answer was no help: a document that is missing or cannot be read,
or an alias for a known name.

Made of questions that were asked of sources which this admin may see, and of no other (`AskedQuestions.unanswered`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from ingestion.words import counted
from prompts.language import terms
from tree.ask.snapshot.corrections import find_corrections
from tree.ask.snapshot.snapshot import Snapshot, open_snapshot
from tree.browse.unanswered import QuestionGroup, Rewording, find_rewordings, group_questions, is_answered_again, is_found_by_now
from tree.retrieve.aliases import Aliases, load_aliases
from tree.retrieve.names import tokens
from tree.store.asked import AskedQuestions, Unanswered
from ui.admin.question_lines import day, line
from ui.server.tools import Tools
from ui.shared import pages
from ui.shared.markup import escaped

LOOKED_AT = 40  # groups of questions
SHOWN = 5
CORRECTED = 5  # wordings of a group in which a misspelt name is looked for
LISTED = 20  # questions of one proposal
GAP = 2  # people who asked from which on something is told as missing
ICONS = {"unread": ":material/visibility_off:", "alias": ":material/match_word:", "gap": ":material/help:"}


@dataclass(frozen=True, slots=True)
class Proposal:
    kind: Literal["unread", "alias", "gap"]
    words: str
    said: str = ""  # of an alias: what people say
    meant: str = ""  # and the name it may stand for
    questions: tuple[Unanswered, ...] = ()  # that it would answer


def draw(tools: Tools, since: float) -> None:
    found = find_proposals(tools, since)[:SHOWN]
    if not found:
        return
    st.markdown("**What would help**")
    for number, one in enumerate(found):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            st.markdown(f"{ICONS[one.kind]} {escaped(one.words)}", width="stretch")
            if one.kind == "alias" and st.button(
                "Open Aliases", width="content", key=f"proposal_{number}", icon=":material/arrow_forward:"
            ):
                st.switch_page(pages.settings(), query_params={"settings_tab": "Aliases", "said": one.said, "meant": one.meant})
            elif one.kind != "alias" and st.button(
                "Open Sources", width="content", key=f"proposal_{number}", icon=":material/arrow_forward:"
            ):
                st.switch_page(pages.sources())
        _draw_questions(one, number)


def _draw_questions(proposal: Proposal, number: int) -> None:
    with st.expander(counted(len(proposal.questions), "question"), key=f"proposal_{number}_questions"):
        lines = [line(one.turn_id, one.question, f"{day(one.asked_at)}{_asked_next(one)}") for one in proposal.questions[:LISTED]]
        st.html(f"<ul class='kt-asked'>{''.join(lines)}</ul>")
        if len(proposal.questions) > LISTED:
            st.caption(f"The newest {LISTED}.")


def _asked_next(one: Unanswered) -> str:
    return f" · then answered: “{one.again.question[:120]}”" if one.again is not None and is_answered_again(one) else ""


def find_proposals(tools: Tools, since: float) -> list[Proposal]:
    """For questions that were asked from this moment on (seconds since 1970), what more people have said first. Made of what this
    admin may see alone: a question, a name or a title is told to nobody else."""
    visible = tools.visible_sources()
    asked = AskedQuestions(tools.workspace.database).unanswered(since, [source.id for source in visible])
    if not asked:
        return []
    snapshot, aliases = open_snapshot(tools.workspace, tools.principal), load_aliases(tools.workspace.home)
    unread = [row.title for source in visible for row in tools.sources.failures(source.id)]
    rewordings = find_rewordings(asked, partial(_is_known, snapshot), aliases) if snapshot.tops else []
    told = {one.turn_id for rewording in rewordings for one in rewording.questions}
    found = [(rewording.people, _reworded(rewording)) for rewording in rewordings]
    open_ = (one for one in asked if one.turn_id not in told and not is_found_by_now(one))
    for group in group_questions(open_)[:LOOKED_AT]:
        proposal = next(_of_group(group, unread, snapshot, aliases), None)
        found += [(group.people, proposal)] if proposal is not None else []
    return [proposal for _, proposal in sorted(found, key=lambda one: -one[0])]


def _is_known(snapshot: Snapshot, name: str) -> bool:
    """Whether it is a name of the facts, or stands in a title."""
    found = tokens(name)
    is_named = any((one.first, one.last) == (0, len(found)) for one in snapshot.index.names(snapshot.scope).find(found))
    return is_named or bool(snapshot.index.containing(name, snapshot.scope, 1))


def _reworded(one: Rewording) -> Proposal:
    people = counted(one.people, "person", "people")
    words = f"“{one.said}” may mean {one.meant}, with which {people} asked again and found it: an alias would find it at once"
    return Proposal("alias", words, one.said, one.meant, one.questions)


def _of_group(group: QuestionGroup, unread: Iterable[str], snapshot: Snapshot, aliases: Aliases) -> Iterator[Proposal]:
    """What would help with questions for one thing, the likeliest first."""
    newest = group.questions[0].question
    asked = f"“{newest[:120]}”"
    if title := next(filter(None, (_titled(one.question, unread) for one in group.questions)), ""):
        yield Proposal("unread", f"“{title}” cannot be read, and may say more on {asked}", questions=group.questions)
    wordings = list(dict.fromkeys(one.question for one in group.questions))[:CORRECTED]
    for one in wordings if snapshot.tops else ():
        if not aliases.expand(one).used and (near := find_corrections(one, snapshot)):
            words = f"“{one[:120]}” may mean {near[0].name}: an alias would find it"
            yield Proposal("alias", words, _replaced(one, near[0].question), near[0].name, group.questions)
    if group.people >= GAP:
        people = counted(group.people, "person", "people")
        what = f"about “{group.about}”" if group.about else asked
        yield Proposal("gap", f"{people} asked {what}{_without_help(group)}", questions=group.questions)


def _without_help(group: QuestionGroup) -> str:
    verdicts = {one.verdict == "none" for one in group.questions}
    if verdicts == {True}:
        return "; nothing is known"
    return " and marked the answer as not helpful" if verdicts == {False} else "; nothing is known, or the answer was not helpful"


def _replaced(question: str, corrected: str) -> str:
    """The words of a question that a correction replaced."""
    before, after = question.split(), corrected.split()
    first = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    same = next(
        (
            at
            for at, (one, other) in enumerate(zip(reversed(before[first:]), reversed(after[first:]), strict=False))
            if one != other
        ),
        0,
    )
    return " ".join(before[first : len(before) - same]).strip(".,;:?!")


def _titled(question: str, titles: Iterable[str]) -> str:
    """The title that shares most words with a question: two at least, or its only one; empty where none does."""
    asked = set(terms(question))
    shared = {title: (len(asked & (said := set(terms(title)))), len(said)) for title in titles}
    fit = [title for title, (number, of) in shared.items() if number >= min(2, len(asked), of) and number]
    return max(fit, key=lambda title: (shared[title][0], title), default="")
