"""Following: what changed of the answers, branches and documents that whoever looks follows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from html import escape
from urllib.parse import quote

import streamlit as st

from ingestion.words import counted
from tree.browse.following import DAYS, GONE, Change, News, find_news
from tree.mail import mail_settings
from ui.server.tools import Tools
from ui.shared.markup import escaped
from ui.shared.zone import viewers_zone

OFF = "off"
EVERY: dict[str, str] = {OFF: "Off", "daily": "Daily", "weekly": "Weekly"}
HELP = (
    "What changed of what you follow, at six in the morning (UTC); nothing when nothing changed. It names titles, your questions and "
    "new values of ticket fields, and never holds the text of a document or of an answer."
)
LOOK_SECONDS = 5  # between two looks at whether something changed
SHOWN = 8  # changes of one thing; the rest on request


def page(tools: Tools) -> None:
    """Draws the page."""
    st.html(STYLE)
    st.title("Following")
    now = time.time()
    follows = tools.accounts.follows.of(tools.principal.person_id)
    _by_mail(tools)
    if not follows:
        st.markdown(
            "You follow nothing yet. Follow an answer with the bell below it, a branch or document on the Tree page, or a "
            "ticket where it is cited. What changes of it then stands here."
        )
        return
    before = _newest_change(tools)
    news = sorted(find_news(tools.workspace, tools.principal, tools.chats, follows), key=_newest, reverse=True)
    unread = sum(one.unread > 0 for one in news)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(
            f"{unread} of {counted(len(news), 'thing')} changed since you looked. Changes of the last {DAYS} days.",
            width="content",
        )
        if unread:
            st.button("Mark all as read", icon=":material/done_all:", key="read-all", on_click=_mark_read, args=(tools, now))
    for one in news:
        _draw(tools, one, now)
    st.fragment(_look_again, run_every=LOOK_SECONDS)(tools, before)


def _look_again(tools: Tools, before: tuple[Sequence[str], int]) -> None:
    """The page is drawn again when something has changed."""
    if _newest_change(tools) != before:
        st.rerun()


def _newest_change(tools: Tools) -> tuple[Sequence[str], int]:
    """The sources that may be seen, and the newest change in them."""
    sources = [source.id for source in tools.visible_sources()]
    return sources, tools.workspace.store.versions.newest_change(sources)


def _by_mail(tools: Tools) -> None:
    """Nothing where no server for e-mail is set up."""
    if mail_settings() is None:
        return
    digests, person_id = tools.accounts.digests, tools.principal.person_id
    digest = digests.of(person_id)
    now = digest.every if digest is not None else OFF
    chosen = st.segmented_control("By e-mail", list(EVERY), default=now, format_func=EVERY.__getitem__, required=True, key=f"digest-{now}",
                                  help=HELP)  # fmt: skip
    if chosen is not None and chosen != now:
        digests.choose(person_id, "weekly" if chosen == "weekly" else "daily" if chosen == "daily" else None)
        st.rerun()
    if digest is not None and digest.error:
        st.caption(":material/error: The last one could not be sent; it is tried again. Your admins see why.")


def _newest(news: News) -> tuple[bool, float]:
    return news.unread > 0, max((change.at for change in news.changes), default=news.follow.created_at)


def _draw(tools: Tools, news: News, now: float) -> None:
    follow = news.follow
    with st.container(border=True, key=f"follow-{follow.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.container(width="stretch"):
                st.html(_heading(news))
            if news.unread:
                st.button("Mark as read", icon=":material/done:", key=f"read-{follow.id}", type="tertiary", on_click=_mark_read, args=(tools, now, follow.id))  # fmt: skip
            st.button("Stop following", icon=":material/notifications_off:", key=f"stop-{follow.id}", type="tertiary", on_click=_stop, args=(tools, news))  # fmt: skip
        if not news.title:
            st.caption(GONE)
        elif not news.changes:
            st.caption("Nothing changed.")
        else:
            st.html(f"<ul class='kt-news'>{''.join(_line(change, follow.seen_at) for change in news.changes[:SHOWN])}</ul>")
            if (more := news.changes[SHOWN:]) and st.toggle(f"{len(more)} more", key=f"more-{follow.id}"):
                st.html(f"<ul class='kt-news'>{''.join(_line(change, follow.seen_at) for change in more)}</ul>")


def _heading(news: News) -> str:
    if not news.title:
        return "<h2 class='kt-followed'>Something you follow</h2>"
    title = escape(news.title)
    if news.chat_id:
        title = f"<a href='chat?c={quote(news.chat_id, safe='')}&amp;t={quote(news.follow.target, safe='')}' target='_self'>{title}</a>"
    elif news.place:
        title = f"<a href='tree?at={quote(news.place, safe='')}' target='_self'>{title}</a>"
    told = f"<span class='new'>{counted(news.unread, 'change')}</span>" if news.unread else ""
    path = f"<small>{escape(' › '.join(news.path))}</small>" if news.path else "<small>Answer</small>" if news.chat_id else ""
    return f"<h2 class='kt-followed'>{title} {told}</h2>{path}"


def _line(change: Change, seen_at: float) -> str:
    at = datetime.fromtimestamp(change.at, viewers_zone())
    words = escape(change.words)
    if change.place:
        words = f"<a href='tree?at={quote(change.place, safe='')}' target='_self'>{words}</a>"
    is_new = change.at > seen_at
    mark = "<span class='sr'>new: </span>" if is_new else ""
    return (
        f"<li{' class=unread' if is_new else ''}><time datetime='{at.isoformat(timespec='minutes')}'>{at:%-d %b, %H:%M}</time>"
        f"<span>{mark}{words}</span></li>"
    )


def _mark_read(tools: Tools, at: float, follow_id: str | None = None) -> None:
    """`at` is when the page was drawn: what changed since then was not on it."""
    tools.accounts.follows.mark_seen(tools.principal.person_id, at, follow_id)


def _stop(tools: Tools, news: News) -> None:
    tools.accounts.follows.remove(tools.principal.person_id, news.follow.kind, news.follow.target)  # type: ignore[arg-type]  # as it was kept
    st.toast(f"You no longer follow {escaped(news.title or 'it')}.")


STYLE = """<style>
.kt-followed { font-size: 1.02rem; font-weight: 600; margin: 0; padding: 0; line-height: 1.4; overflow-wrap: anywhere; }
.kt-followed a { color: inherit; text-decoration: none; } .kt-followed a:hover, .kt-followed a:focus-visible { text-decoration: underline; }
.kt-followed .new { display: inline-block; margin-left: 0.3rem; padding: 0 0.5em; border-radius: 1em; font-size: 0.8rem; font-weight: 600; color: #fff; background: #0f766e; white-space: nowrap; }
.kt-followed + small { opacity: 0.75; overflow-wrap: anywhere; }
.kt-news { list-style: none; margin: 0; padding: 0; }
.kt-news li { display: flex; gap: 0.8rem; padding: 0.2rem 0 0.2rem 0.7rem; margin: 0; border-left: 3px solid transparent; line-height: 1.45; overflow-wrap: anywhere; }
.kt-news li.unread { border-color: #0f9488; font-weight: 500; }
.kt-news time { flex: none; min-width: 6.5rem; opacity: 0.75; font-variant-numeric: tabular-nums; font-weight: 400; }
.kt-news a { color: inherit; text-decoration: none; } .kt-news a:hover, .kt-news a:focus-visible { text-decoration: underline; }
.kt-news .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>"""
