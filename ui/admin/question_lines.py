"""A question in a list, as a link to it with what is told of it."""

from __future__ import annotations

from datetime import datetime
from html import escape

from ui.shared.zone import viewers_zone


def line(turn_id: str, question: str, told: str, reason: str = "") -> str:
    why = f"<q>{escape(reason)}</q>" if reason else ""
    short = question if len(question) <= 200 else f"{question[:200].rsplit(' ', 1)[0]} …"
    link = f'<a href="./?asked={escape(turn_id)}" target="_self">{escape(short)}</a>'
    return f"<li>{link}{why}<small>{escape(told)}</small></li>"


def day(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, viewers_zone()):%-d %b %Y}"


STYLE = """<style>
.kt-asked { list-style: none; margin: 0 !important; padding: 0 !important; }
.kt-asked li { display: flex; flex-direction: column; gap: 0.1rem; padding: 0.5rem 0 !important; margin: 0 !important; border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent); overflow-wrap: anywhere; }
.kt-asked a { color: inherit; text-decoration: none; } .kt-asked a:hover, .kt-asked a:focus-visible { text-decoration: underline; }
.kt-asked q { font-style: italic; } .kt-asked small { opacity: 0.72; }
</style>"""
