"""What would answer questions that were not found, or whose answer was no help: a document that is missing or cannot be read,
or an alias for a known name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from ingestion.words import counted
from prompts.language import terms
from tree.ask.snapshot.corrections import find_corrections
from tree.ask.snapshot.snapshot import open_snapshot
from tree.store.asked import Kind, Topic
from ui.server.tools import Tools
from ui.shared import pages
from ui.shared.markup import escaped

KINDS: tuple[Kind, Kind] = ("none", "unhelpful")  # of questions that propose something
LOOKED_AT = 20  # topics of each
SHOWN = 5
GAP = 2  # people who asked from which on something is told as missing
ICONS = {"unread": ":material/visibility_off:", "alias": ":material/match_word:", "gap": ":material/help:"}


@dataclass(frozen=True, slots=True)
class Proposal:
    kind: Literal["unread", "alias", "gap"]
    words: str
    said: str = ""  # of an alias: what people say
    meant: str = ""  # and the name it may stand for


def draw(tools: Tools, not_found: Sequence[Topic], unhelpful: Sequence[Topic]) -> None:
    found = find_proposals(tools, not_found, unhelpful)[:SHOWN]
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


def find_proposals(tools: Tools, not_found: Sequence[Topic], unhelpful: Sequence[Topic] = ()) -> list[Proposal]:
    """For topics that were not found, and those whose answers were marked as not helpful, what more people have said first. Made
    of what this admin may see alone: a name or a title is told to nobody else."""
    snapshot = open_snapshot(tools.workspace, tools.principal)
    unread = [row.title for source in tools.visible_sources() for row in tools.sources.failures(source.id)]
    proposals = []
    known = {topic.question for topic in not_found}
    told = [(topic, True) for topic in not_found] + [(topic, False) for topic in unhelpful if topic.question not in known]
    for topic, is_not_found in sorted(told, key=lambda one: -one[0].people):
        asked = f"“{topic.question[:120]}”"
        if title := _titled(topic.question, unread):
            proposals.append(Proposal("unread", f"“{title}” cannot be read, and may say more on {asked}"))
        elif snapshot.tops and (near := find_corrections(topic.question, snapshot)):
            proposals.append(
                Proposal(
                    "alias",
                    f"{asked} may mean {near[0].name}: an alias would find it",
                    _replaced(topic.question, near[0].question),
                    near[0].name,
                )
            )
        elif topic.people >= GAP:
            people = counted(topic.people, "person", "people")
            what = f"asked {asked}; nothing is known" if is_not_found else f"asked {asked} and marked the answer as not helpful"
            proposals.append(Proposal("gap", f"{people} {what}"))
    return proposals


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
