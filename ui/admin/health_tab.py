"""Whether the app works and what it takes: what `/health` says in a word and `/metrics` in figures, for an admin who looks."""

from __future__ import annotations

import shutil
import time
from collections import Counter

import streamlit as st

from ingestion.source_status import describe_status
from ingestion.words import counted
from prompts.engine.memory import sized
from tree.store.models import Source
from ui.server import health
from ui.server.tools import Tools
from ui.shared.admins import for_admins

EVERY_SECONDS = 5.0
WRONG: dict[health.Trouble, str] = {
    "database": "The database cannot be read. Look whether its file or its server is there.",
    "disk": "Nothing can be written to the data folder: its disk is full, or may not be written to. Questions and changes are not kept "
    "until there is room again.",
    "worker": "The worker does not run, or hangs, so no source is read. It is started again by itself within two minutes; restart the app "
    "if it is not.",
    "unwatched": "Some sources are looked at now and then only, for no worker has room to watch them. Tasks says how many, and what to do.",
}


def health_tab(tools: Tools) -> None:
    st.fragment(for_admins, run_every=EVERY_SECONDS)(_health, tools)


def _health(tools: Tools) -> None:
    wrong = health.trouble()
    if wrong is None:
        st.success("Questions are answered and sources are followed.", icon=":material/check_circle:")
    else:
        (st.warning if wrong in health.DEGRADED else st.error)(WRONG[wrong], icon=":material/error:")
    if wrong == "database":
        return
    told = _told(tools)
    st.table({"What": list(told), "Now": list(told.values())}, border="horizontal", hide_index=True, alt="How the app works")
    st.caption("For a program that watches over it: `/health` and, in the text format of Prometheus, `/metrics`.")


def _told(tools: Tools) -> dict[str, str]:
    files, disk = health.file_sizes(tools), shutil.disk_usage(tools.workspace.home)
    failing = len(tools.accounts.digests.failing())
    return {
        "Sources": _sources(tools),
        **_workers(),
        "Questions being answered": f"{tools.answers.count_unfinished():,}",
        "Browsers signed in": f"{tools.accounts.sessions.count():,}",
        "Database": sized(files["knowledge"]),
        "Search index": sized(files["search"]),
        "Disk of the data folder": f"{sized(disk.free)} free of {sized(disk.total)}",
        "E-mails not delivered": f"to {counted(failing, 'person', 'people')}" if failing else "none",
    }


def _workers() -> dict[str, str]:
    """The worker that this app has started, and where several share their tasks all that live."""
    restarts, shared = health.restarts(), health.workers_that_share()
    own = f"started again {counted(restarts, 'time')} since the app started" if restarts else "never had to be started again"
    if not health.has_worker():
        own = f"does not run now, {own}"
    return {"Worker": own} if shared is None else {"Workers": f"{shared.workers:,} on all machines", "Worker of this app": own}


def _sources(tools: Tools) -> str:
    """ "2 up to date, 1 cannot be read now; 3 documents could not be read"; also of those whose documents the admin may not see."""
    sources = tools.sources.all()
    labels = Counter(_label(tools, source) for source in sources)
    states = ", ".join(f"{number:,} {label.lower()}" for label, number in labels.most_common()) or "none yet"
    unreadable = tools.workspace.store.failures.count([source.id for source in sources])
    return states + (f"; {counted(unreadable, 'document')} could not be read" if unreadable else "")


def _label(tools: Tools, source: Source) -> str:
    """How it stands, in two or three words."""
    awaiting_approval, stale = len(tools.sources.awaiting_approval(source.id)), len(tools.sources.stale(source.id))
    return describe_status(source, time.time(), awaiting_approval=awaiting_approval, stale=stale).label
