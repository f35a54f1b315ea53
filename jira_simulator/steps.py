"""A step is one thing that happens to a site, as data: the vocabulary of control interface, scripts and walks.

{"do": "edit", "ticket": "GWY-12", "by": "Carla Nwosu", "status": "Done", "labels": ["pilot"]}
"""

from __future__ import annotations

import base64
import inspect
from collections.abc import Mapping
from typing import Any

from jira_simulator.site import Site

Step = Mapping[str, Any]


class StepError(ValueError):
    """A step that no site can take."""


def perform(site: Site, step: Step) -> dict[str, Any]:
    """Takes one step; what it made comes back as ids and keys. Raises StepError or LookupError with words that help."""
    given = {name: value for name, value in step.items() if name not in ("do", "at", "by", "why", "as")}
    what, author = step.get("do"), step.get("by")
    if what not in STEPS:
        raise StepError(f"There is no step {what!r}; there are: {', '.join(STEPS)}.")
    try:
        inspect.signature(STEPS[what]).bind(site, author, **given)
    except TypeError as error:
        raise StepError(f"The step {what!r} cannot be taken with {', '.join(given) or 'nothing'}: {error}.") from error
    with site.lock:
        return STEPS[what](site, author, **given) or {}


def _create(site: Site, author: Any, project: str, summary: str, **fields: Any) -> dict[str, Any]:
    ticket = site.create(project, summary, author, **fields)
    return {"id": ticket.id, "key": ticket.key}


def _edit(site: Site, author: Any, ticket: str, **fields: Any) -> dict[str, Any]:
    edited = site.edit(ticket, author, **fields)
    return {"id": edited.id, "key": edited.key}


def _comment(
    site: Site, author: Any, ticket: str, text: Any, internal: bool | None = None, role: str | None = None
) -> dict[str, Any]:
    return {"comment": site.comment(ticket, text, author, internal, role).id}


def _edit_comment(site: Site, author: Any, text: Any, comment: str = "", ticket: str = "", number: int = -1) -> None:
    site.edit_comment(_comment_id(site, comment, ticket, number), text, author)


def _delete_comment(site: Site, author: Any, comment: str = "", ticket: str = "", number: int = -1) -> None:
    site.delete_comment(_comment_id(site, comment, ticket, number), author)


def _move(site: Site, author: Any, ticket: str, project: str) -> dict[str, Any]:
    moved = site.move(ticket, project, author)
    return {"id": moved.id, "key": moved.key}


def _delete(site: Site, author: Any, ticket: str) -> None:
    site.delete(ticket, author)


def _hide(site: Site, author: Any, ticket: str = "", project: str = "", comment: str = "", number: int | None = None) -> None:
    site.hide(_hideable(site, ticket, project, comment, number))


def _restore(site: Site, author: Any, ticket: str = "", project: str = "", comment: str = "", number: int | None = None) -> None:
    site.restore(_hideable(site, ticket, project, comment, number))


def _restrict(site: Site, author: Any, ticket: str, level: str | None = None) -> None:
    site.restrict(ticket, level, author)


def _rename(site: Site, author: Any, kind: str, name: str, to: str) -> None:
    """`kind` is project, user, or one of the catalogues: statuses, sprints, versions, components, issuetypes."""
    if kind == "project":
        site.rename_project(name, to)
    elif kind == "user":
        site.rename_user(name, to)
    else:
        site.rename(kind, name, to)


def _rename_key(site: Site, author: Any, project: str, to: str) -> None:
    site.rename_project(project, key=to)


def _link(site: Site, author: Any, ticket: str, kind: str, target: str) -> dict[str, Any]:
    return {"link": site.link(ticket, kind, target, author).id}


def _unlink(site: Site, author: Any, link: str) -> None:
    site.unlink(link, author)


def _remote_link(site: Site, author: Any, ticket: str, url: str, title: str, **more: Any) -> dict[str, Any]:
    return {"remote link": site.remote_link(ticket, url, title, **more).id}


def _attach(
    site: Site, author: Any, ticket: str, filename: str, content: bytes | str = b"", base64_content: str = "", **more: Any
) -> dict[str, Any]:
    """`content` is the file, or its text; over HTTP other files come as `base64_content`."""
    data = content.encode() if isinstance(content, str) else content or base64.b64decode(base64_content)
    return {"attachment": site.attach(ticket, filename, data, author, **more).id}


def _detach(site: Site, author: Any, attachment: str) -> None:
    site.detach(attachment, author)


def _log_work(site: Site, author: Any, ticket: str, seconds: int, text: str = "") -> dict[str, Any]:
    return {"worklog": site.log_work(ticket, seconds, author, text).id}


def _sprint(site: Site, author: Any, sprint: str, **fields: Any) -> None:
    site.edit_sprint(site.sprint(sprint).id, **fields)


def _kill_token(site: Site, author: Any, secret: str | None = None) -> None:
    site.kill_token(secret)


def _revive_token(site: Site, author: Any, secret: str | None = None) -> None:
    site.revive_token(secret)


def _index_lag(site: Site, author: Any, seconds: float) -> None:
    site.index.lag = float(seconds)


def _vanish(site: Site, author: Any, ticket: str, seconds: float, after: float = 0) -> None:
    site.index.vanish(site.find(ticket).id, seconds, after)


def _advance(site: Site, author: Any, seconds: float) -> None:
    site.clock.advance(seconds)


def _comment_id(site: Site, comment: str, ticket: str, number: int) -> str:
    """A comment by its id, or by its ticket and its place there: 0 is the first, -1 the last."""
    return str(comment) if comment else site.find(ticket).comments[number].id


def _hideable(site: Site, ticket: str, project: str, comment: str, number: int | None) -> Any:
    if comment or number is not None:
        return site.comment_with_id(_comment_id(site, comment, ticket, -1 if number is None else number))[1]
    return site.project(project) if project else site.find(ticket)


STEPS: dict[str, Any] = {
    "create": _create, "edit": _edit, "comment": _comment, "edit comment": _edit_comment, "delete comment": _delete_comment,
    "move": _move, "delete": _delete, "hide": _hide, "restore": _restore, "restrict": _restrict, "rename": _rename,
    "rename key": _rename_key, "link": _link, "unlink": _unlink, "remote link": _remote_link, "attach": _attach,
    "detach": _detach, "log work": _log_work, "sprint": _sprint, "kill token": _kill_token, "revive token": _revive_token,
    "index lag": _index_lag, "vanish": _vanish, "advance": _advance,
}  # fmt: skip
