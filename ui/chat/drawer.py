"""A cited passage in the text around it as it is now, drawn as its document looks, and links to the tree and the original."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import streamlit as st

from ingestion.source_status import describe_stale
from ingestion.words import ago
from tree.ask.snapshot.answer import Passage
from tree.store.leaves import Leaf
from ui.chat import pdf_page
from ui.chat.citation_status import CitationStatus, citation_statuses
from ui.chat.difference import Part, around_changes, difference
from ui.chat.document_html import Span, is_code, passage_html, told_apart
from ui.chat.ticket_view import NOBODY, Ticket, ticket_of
from ui.chat.turns import STATES
from ui.server.originals import NotFound, is_pdf, original
from ui.server.tools import Tools
from ui.shared import components, following, pages
from ui.shared.markup import escaped

MOST_PLACES = 3  # named of where the passages stand


class At(NamedTuple):
    """Where a citation is opened: at these of its passages, from 0. Of an answer that was kept before each number had its passages
    there is only what is `said` before the number."""

    passages: tuple[int, ...] = ()
    said: str = ""


NOWHERE = At()


def content(tools: Tools, citation: Mapping[str, Any], key: str, at: At = NOWHERE) -> None:
    """Draws what a citation points at, beginning with the passages `at` which it was opened; `citation` is as `Answer.as_json`
    wrote it."""
    status, current = _beginning_at(at, citation_statuses(tools, [citation])[0])
    st.caption(" › ".join(escaped(step) for step in (citation["source"], *citation["path"])))
    ticket = ticket_of(status)
    if ticket is not None:
        _facts(ticket)
    if status.state == "removed":
        st.warning(
            "This passage was removed or moved after it was cited, so its text is not shown.",
            icon=":material/delete:",
        )
        return
    if status.stale is not None:
        st.warning(escaped(f"{describe_stale(status.stale, time.time())} {status.stale.reason}"), icon=":material/cloud_off:")
    if status.state == "edited":
        st.warning("This passage was edited after it was cited. Below is what changed.", icon=":material/edit:")
    elif where := _where(status):
        st.markdown(f":small[{where}]")
    if status.leaf is not None and ticket is None and status.leaf.properties:
        st.caption(" · ".join(escaped(f"{name}: {value}") for name, value in status.leaf.properties))
    if status.leaf is not None:
        _passages(tools, citation, status, key, current)
    _links(tools, citation, status, ticket)


def _beginning_at(at: At, status: CitationStatus) -> tuple[CitationStatus, tuple[Passage, ...]]:
    """The same with the passages first at which it was opened, and these."""
    chosen = [number for number in at.passages if number < len(status.passages)] or _likest(at.said, status.passages)
    others = (passage for number, passage in enumerate(status.passages) if number not in chosen)
    current = tuple(status.passages[number] for number in chosen)
    return replace(status, passages=(*current, *others)), current


def _likest(said: str, passages: Sequence[Passage]) -> list[int]:
    """The passage that has most words in common with what is said."""
    wanted = _words(said)

    def likeness(passage: Passage) -> float:
        there = _words(passage.text)
        return len(wanted & there) / ((len(wanted) + len(there)) or 1)

    return [max(range(len(passages)), key=lambda number: likeness(passages[number]))] if wanted and passages else []


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _facts(ticket: Ticket) -> None:
    """The ticket as it is now."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{escaped(ticket.key)}**", width="content")
        if ticket.status:
            st.badge(escaped(ticket.status), color="gray")
        changed = f" · updated {ago(time.time() - ticket.updated)}" if ticket.updated else ""
        st.caption(f":material/person: {escaped(ticket.assignee or NOBODY)}{changed}", width="content")


def _where(status: CitationStatus) -> str:
    labels = list(dict.fromkeys(passage.locator for passage in status.passages if passage.locator))
    more = len(labels) - MOST_PLACES
    return " · ".join(escaped(label) for label in labels[:MOST_PLACES]) + (f" and {more} more" if more > 0 else "")


def _passages(tools: Tools, citation: Mapping[str, Any], status: CitationStatus, key: str, current: Collection[Passage]) -> None:
    assert status.leaf is not None
    label = f"{citation['title']}, {STATES.get(status.state, 'cited passage marked')}"
    if status.state == "edited":
        components.passage(_changed(tools, citation, status.leaf), label, f"{key}-text")
        return
    pages_of = [passage.page for passage in status.passages if passage.page] if is_pdf(citation["document_id"]) else []
    if not pages_of:
        _text(status, label, f"{key}-text", current)
        return
    as_page, as_text = st.tabs(["Page", "Text"])
    with as_page:
        for number in sorted(set(pages_of), key=lambda number: (number != pages_of[0], number)):
            quoted, chosen = (
                "\n".join(passage.text for passage in some if passage.page == number) for some in (status.passages, current)
            )
            _page(tools, citation, number, quoted, chosen)
    with as_text:
        _text(status, label, f"{key}-text", current)


def _text(status: CitationStatus, label: str, key: str, current: Collection[Passage]) -> None:
    """The cited words marked, those of the `current` passages as such, in what is around them, as the document looks where that can be said of its kind."""
    assert status.leaf is not None
    document = status.document
    kind = document.kind if document is not None else "text"
    spans, chosen = _spans(status.passages), _spans(current)
    html = passage_html(status.leaf, spans, kind, document.id if document is not None else "", chosen)
    if html:
        components.document(html, label, key)
    else:
        components.passage(marked(status.leaf, spans, chosen), label, key, is_code=is_code(kind))


def _spans(passages: Iterable[Passage]) -> list[Span]:
    return [(passage.start, passage.end) for passage in passages]


def _changed(tools: Tools, citation: Mapping[str, Any], leaf: Leaf) -> list[Part]:
    """What was added to and removed from the text since; only the text as it is now where the older one is forgotten."""
    before = tools.workspace.store.leaves.by_key([citation["leaf"]]).get(citation["leaf"])
    if before is None:
        st.caption("What it said before is not kept any more; this is what it says now.")
        return [(leaf.text, "same")]
    return around_changes(difference(before.text, leaf.text))


def marked(leaf: Leaf, spans: Iterable[Span], current: Iterable[Span] = ()) -> list[Part]:
    """The leaf's text cut at the boundaries of what is cited, and of what of it is `current`."""
    parts: list[Part] = []
    end = 0
    for start, stop, is_current in told_apart(spans, current):
        parts += [(leaf.text[end:start], "same"), (leaf.text[start:stop], "current" if is_current else "cited")]
        end = stop
    parts.append((leaf.text[end:], "same"))
    return [part for part in parts if part[0]]


def _page(tools: Tools, citation: Mapping[str, Any], number: int, quoted: str, current: str) -> None:
    try:
        path = original(tools, citation["source_id"], citation["document_id"])
        changed = path.stat().st_mtime_ns
    except (NotFound, OSError):
        st.info("The PDF itself cannot be opened now; its text is under “Text”.", icon=":material/info:")
        return
    secrets = tools.sources.secrets(tools.sources.get(citation["source_id"]))
    found = _drawn(str(path), changed, number, quoted, current, _passwords=_passwords(secrets))
    if found is None:
        st.info("This page cannot be drawn; its text is under “Text”.", icon=":material/info:")
        return
    picture, is_marked = found
    st.image(
        picture,
        width="stretch",
        alt=f"Page {number} of {citation['title']}" + (", the cited passage marked" if is_marked else ""),
    )
    st.caption(f"Page {number}" + ("" if is_marked else ". The passage could not be marked on it; it is marked under “Text”."))


def _passwords(secrets: Mapping[str, Any]) -> tuple[str, ...]:
    given = secrets.get("passwords", ())
    return tuple(given.split("\n")) if isinstance(given, str) else tuple(given)


@st.cache_data(max_entries=60, ttl=3600, show_spinner="Drawing the page")
def _drawn(
    path: str, changed: int, number: int, quoted: str, current: str, _passwords: tuple[str, ...]
) -> tuple[bytes, bool] | None:
    drawn = pdf_page.draw(Path(path), number, quoted, _passwords, current)
    return (drawn.png, drawn.found) if drawn else None


def _links(tools: Tools, citation: Mapping[str, Any], status: CitationStatus, ticket: Ticket | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        first = next(iter(status.passages), None)
        mark = {"mark": f"{first.start}-{first.end}"} if first and first.start < first.end else {}
        # a link: st.switch_page to another page with parameters leaves an address of neither page in the browser's history
        if not tools.is_of_chat(citation["source_id"]):
            st.page_link(
                pages.tree(),
                label="Show in the tree",
                icon=":material/account_tree:",
                query_params={"at": citation["place"]} | mark,
            )
            following.button(tools, citation["place"], citation["title"], f"follow-{citation['number']}")
        if ticket is not None:
            if ticket.url:
                st.link_button(f"Open {ticket.key}", ticket.url, icon=":material/open_in_new:", type="tertiary")
            if ticket.comment:
                st.link_button("Open the comment", ticket.comment, icon=":material/comment:")
        elif url := link_to(tools, citation, status):
            st.link_button("Open original", url, icon=":material/open_in_new:", type="tertiary")


def link_to(tools: Tools, citation: Mapping[str, Any], status: CitationStatus) -> str:
    """The original: on the web where it has an address, else the file through our own route; empty where there is none."""
    web = next((passage.url for passage in status.passages if passage.url), "") or citation["url"]
    if web.startswith(("https://", "http://")):
        return web
    try:
        original(tools, citation["source_id"], citation["document_id"])
    except NotFound:
        return ""
    page = next((passage.page for passage in status.passages if passage.page), None)
    fragment = f"#page={page}" if page and is_pdf(citation["document_id"]) else ""
    return f"/files/{quote(citation['source_id'])}/{quote(citation['document_id'])}{fragment}"
