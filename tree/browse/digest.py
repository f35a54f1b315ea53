"""What changed of what somebody follows, as an e-mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from urllib.parse import quote

from prompts.language import visible
from tree.browse.following import News

SHOWN = 12  # changes of one thing


def digest_message(news: Sequence[News], *, sender: str, to: str, address: str, token: str, now: float) -> EmailMessage:
    """`address` is where people reach the app, `token` ends these e-mails. The subject names nothing that is followed."""
    unsubscribe = f"{address}/unsubscribe/{quote(token, safe='')}"
    message = EmailMessage()
    number = len(news)
    message["Subject"] = f"Knowledge Tree: {number} {'thing' if number == 1 else 'things'} you follow changed"
    message["From"], message["To"] = sender, to
    message["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    message["Message-ID"] = make_msgid(domain=sender.rstrip(">").rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{unsubscribe}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    message.set_content(
        digest_text(news, address) + f"\n--\nAll you follow: {address}/following\nNo more e-mails: {unsubscribe}\n"
    )
    return message


def digest_text(news: Sequence[News], address: str) -> str:
    lines: list[str] = []
    for one in news:
        lines += [visible(one.title), _link(one, address)]
        lines += [f"  {_day(change.at)}  {visible(change.words)}" for change in one.changes[:SHOWN]]
        lines += [f"  and {len(one.changes) - SHOWN} more"] if len(one.changes) > SHOWN else []
        lines.append("")
    return "\n".join(lines)


def _link(news: News, address: str) -> str:
    if news.chat_id:
        return f"{address}/?c={quote(news.chat_id, safe='')}&t={quote(news.follow.target, safe='')}"
    return f"{address}/tree?at={quote(news.place or news.follow.target, safe='')}"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%-d %b, %H:%M UTC")
