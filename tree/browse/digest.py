"""What changed of what somebody follows, as an e-mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.headerregistry import BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import Policy, default
from email.utils import format_datetime
from hashlib import sha256
from urllib.parse import quote

from prompts.language import visible
from tree.browse.following import News

SHOWN = 12  # changes of one thing


class _WholeHeader(UnstructuredHeader, BaseHeader):
    """Stands on one line however long it is: Python encodes what does not fit as words of a text, and no mail program looks for
    an address there."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}" if self.isascii() else super().fold(policy=policy)


_headers = HeaderRegistry()
_headers.map_to_type("list-unsubscribe", _WholeHeader)
_POLICY = default.clone(header_factory=_headers)


def digest_message(
    news: Sequence[News], *, sender: str, to: str, address: str, token: str, since: float, now: float
) -> EmailMessage:
    """`address` is where people reach the app, `token` ends these e-mails, `since` is up to when the last one told. The subject
    names nothing that is followed."""
    unsubscribe = f"{address}/unsubscribe/{quote(token, safe='')}"
    text = digest_text(news, address) + f"\n--\nAll you follow: {address}/following\nNo more e-mails: {unsubscribe}\n"
    message = EmailMessage(_POLICY)
    number = len(news)
    message["Subject"] = f"Knowledge Tree: {number} {'thing' if number == 1 else 'things'} you follow changed"
    message["From"], message["To"] = sender, to
    message["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    # the same for one that is sent again, as whoever sent it died before that was noted: many servers then deliver it once
    id_ = sha256("\n".join((token, repr(since), text)).encode("utf-8", "replace")).hexdigest()[:32]
    message["Message-ID"] = f"<{id_}@{sender.rstrip('>').rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{unsubscribe}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    message.set_content(text)
    return message


def digest_text(news: Sequence[News], address: str) -> str:
    """Titles, questions that were asked, and lines of tickets' histories; never the text of a document or of an answer, which
    docs/security.md says."""
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
