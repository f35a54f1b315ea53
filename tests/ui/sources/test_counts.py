"""Counts of a source are looked up once for each version, by as many pages at once as there are."""

from __future__ import annotations

import threading

from tree.store.models import Source
from ui.server.tools import Tools
from ui.sources.counts import counts


def test_many_pages_may_look_at_the_counts_while_versions_change(tools: Tools, source: Source) -> None:
    expected, failures = counts(tools.workspace.store, source), []
    start = threading.Barrier(6)

    def look() -> None:
        try:
            start.wait()
            for version in range(150):
                seen = source.model_copy(update={"published": version})
                assert counts(tools.workspace.store, seen) == expected
        except Exception as error:  # noqa: BLE001  (whatever it is, the test is to see it)
            failures.append(error)

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and expected["documents"] == 4
