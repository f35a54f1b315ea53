"""A chat to keep or to hand on: as Markdown, and as a page to print or to save as PDF, with its sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from html import escape
from typing import Any

from prompts.regex import regex
from tree.ask.snapshot.answer import without_asides
from tree.ask.snapshot.zones import name_of
from tree.store.models import Chat, Turn
from ui.chat.turns import verdict_in_words
from ui.shared.markup import answer_html

NOTHING_AGED: Mapping[str, str] = {}
NO_ANSWER = "This was not answered."
MARKS = regex(r"[\\`*_\[\]<>]")


def as_markdown(chat: Chat, turns: Sequence[Turn], zone: tzinfo = UTC, aged: Mapping[str, str] = NOTHING_AGED) -> str:
    """The turns as they are given: whoever exports has left out what they may not see. Times are those of `zone`; `aged` says of turns,
    by their ids, what changed since of what they cite."""
    lines = [f"# {_literal(chat.title)}", ""]
    for turn in turns:
        lines += [f"## {_literal(turn.question)}", ""]
        answer = turn.answer
        if answer is None:
            lines += [NO_ANSWER, ""]
            continue
        since = aged.get(turn.id, "")
        lines += [f"*{_state(answer, since, zone)}*", "", *([since, ""] if since else []), without_asides(answer).strip(), ""]
        lines += [f"{citation['number']}. {_literal(_where(citation))}{_address(citation)}" for citation in answer["citations"]]
        lines += [""] if answer["citations"] else []
    return "\n".join(lines).strip() + "\n"


def as_page(chat: Chat, turns: Sequence[Turn], zone: tzinfo = UTC, aged: Mapping[str, str] = NOTHING_AGED) -> str:
    """HTML that fetches nothing and runs nothing; the browser prints it or saves it as PDF."""
    parts = [f"<h1>{escape(chat.title)}</h1>"]
    for turn in turns:
        parts.append(f"<section><h2>{escape(turn.question)}</h2>")
        answer = turn.answer
        if answer is None:
            parts.append(f"<p>{NO_ANSWER}</p></section>")
            continue
        numbers = {citation["number"] for citation in answer["citations"]}
        quoted = (passage["text"] for citation in answer["citations"] for passage in citation["passages"])
        text = without_asides(answer)
        since = aged.get(turn.id, "")
        parts.append(f'<p class="state">{escape(_state(answer, since, zone))}</p>' + (f"<p>{escape(since)}</p>" if since else ""))
        parts.append(_unfolded(answer_html(text, numbers, quoted)))
        if numbers:
            items = "".join(
                f'<li value="{citation["number"]}">{escape(_where(citation) + _address(citation))}</li>'
                for citation in answer["citations"]
            )
            parts.append(f"<ol>{items}</ol>")
        parts.append("</section>")
    return PAGE.replace("{title}", escape(chat.title)).replace("{body}", "\n".join(parts))


def file_name(chat: Chat) -> str:
    kept = "".join(letter if letter.isalnum() else "-" for letter in chat.title.casefold())
    return "-".join(filter(None, kept.split("-")))[:60].strip("-") or "chat"


def _state(answer: Mapping[str, Any], aged: str, zone: tzinfo) -> str:
    moment = answer["as_of"] and datetime.fromisoformat(answer["as_of"]).astimezone(zone)
    as_of = f"as of {moment:%-d %B %Y, %H:%M} {name_of(zone)}" if moment else ""
    return ", ".join(filter(None, (verdict_in_words(answer, aged), as_of)))


def _where(citation: Mapping[str, Any]) -> str:
    where = " › ".join((citation["source"], *citation["path"], citation["title"]))
    return _one_line(where + (f", {citation['locator']}" if citation["locator"] else ""))


def _address(citation: Mapping[str, Any]) -> str:
    return f" <{_one_line(citation['url'])}>" if citation["url"].startswith(("http://", "https://")) else ""


def _unfolded(html: str) -> str:
    """Paper opens nothing."""
    return html.replace("<details ", "<details open ")


def _literal(text: str) -> str:
    """One line of Markdown that says the text as it is: whoever opens the file may draw HTML and links in it."""
    return MARKS.sub(r"\\\g<0>", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.55 system-ui, sans-serif; color: #1c2b2a; background: #fff; }
h1, h2, p, li, td, th, blockquote { unicode-bidi: plaintext; text-align: start; }  /* each line from where its script begins */
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; break-after: avoid; }
.state { font-size: 0.87rem; color: #54656a; }
table { border-collapse: collapse; } th, td { border: 1px solid #b9c8c5; padding: 0.25rem 0.5rem; vertical-align: top; }
pre { white-space: pre-wrap; background: #f2f6f5; padding: 0.6rem; border-radius: 0.4rem; } blockquote { margin-left: 0; padding-left: 0.8rem; border-left: 3px solid #b9c8c5; }
button { font: inherit; font-size: 0.75em; vertical-align: super; border: 0; background: none; padding: 0 0.15em; color: #0f6d66; }
ol { font-size: 0.9rem; } li { overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; } section { break-inside: auto; } }
</style></head><body>
{body}
</body></html>
"""
