"""The page of help."""

from __future__ import annotations

from tests.ui.opened import open_tools, page, words
from tests.ui.people import MEMBER
from tree.ask.snapshot.answer import VERDICT_WORDS
from ui.shared.pages import PAGES
from ui.shared.shortcuts import SHORTCUTS


def test_it_tells_every_verdict_and_every_shortcut(monkeypatch, tmp_path) -> None:
    open_tools(monkeypatch, tmp_path)
    shown = page("help", MEMBER).run()
    assert not shown.exception
    told = words(shown)
    assert all(word in told for word in VERDICT_WORDS.values())
    assert all(keys in told and what in told for keys, what in SHORTCUTS)


def test_it_is_in_the_navigation_of_everybody() -> None:
    assert not PAGES["help"].for_admins and not PAGES["help"].is_hidden
