"""The explorer and the record panel as components of the page: their HTML here, their script and style in files beside."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
TREE_HTML = """
<div class="explorer">
  <div class="search" role="search">
    <span class="glass"></span>
    <input type="search" placeholder="Search the tree" aria-label="Search names and passages" autocomplete="off" maxlength="500">
    <button type="button" class="clear" aria-label="End the search" hidden></button>
  </div>
  <div class="filters" role="group" aria-label="Show only passages that have">
    <button type="button" class="chip" data-has="decision" aria-pressed="false">Decisions <span class="number"></span></button>
    <button type="button" class="chip" data-has="action" aria-pressed="false">Actions <span class="number"></span></button>
    <button type="button" class="chip" data-has="event" aria-pressed="false">Events <span class="number"></span></button>
    <select aria-label="Kind of content"><option value="">Any kind of content</option></select>
    <input type="text" class="containing" placeholder="with these words" aria-label="Words that they have" autocomplete="off" maxlength="500" hidden>
    <button type="button" class="off" hidden>Show everything</button>
  </div>
  <p class="narrowed" role="status" hidden></p>
  <div class="live" role="status" aria-live="polite"></div>
  <div class="found" aria-label="Search results" role="region" hidden></div>
  <div class="tree" role="tree" aria-label="Tree of all sources"></div>
</div>
"""
RECORD_HTML = """
<article class="record" aria-label="What the tree knows of this place">
</article>
"""


def explorer(
    levels: dict[str, list[dict[str, Any]]],
    selected: str,
    opened: list[str],
    state: tuple[int, str],
    on_select: Callable[[], None],
    on_change: Callable[[], None],
    key: str,
) -> None:
    """`levels` are the rows known already by place, "" for the sources; `opened` the branches on the way to `selected`.

    `state`: the number of the version that is shown, and `state_shown`, as they were before `levels` were read.

    The choice is `st.session_state[key].select`; `changed` fires when somebody published a newer tree.
    """
    data = {"levels": levels, "selected": selected, "open": opened, "version": state[0], "state": state[1]}
    _component("tree", TREE_HTML)(key=key, data=data, on_select_change=on_select, on_changed_change=on_change)


def record_panel(view: dict[str, Any], on_go: Callable[[], None], key: str) -> None:
    """Shows `tree_view.record_view`; `st.session_state[key].go` is where the person wants to go from it."""
    _component("record", RECORD_HTML)(key=key, data=view, on_go_change=on_go)


@cache
def _files(name: str) -> tuple[str, str]:
    scripts = [*sorted(set(HERE.glob(f"{name}_*.js")) - {HERE / f"{name}_component.js"}), HERE / f"{name}_component.js"]
    return (HERE / f"{name}_component.css").read_text("utf-8"), "\n".join(script.read_text("utf-8") for script in scripts)


def _component(name: str, html: str) -> Any:
    css, js = _files(name)
    return st.components.v2.component(f"knowledge_{name}", html=html, css=css, js=js)
