"""People follow answers, branches and documents, and are told what changed as far as they may see it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.ui.chat.test_turns import answered
from tests.ui.conftest import read_again
from tests.ui.opened import page, words
from tests.ui.people import MEMBER, tools_of
from tree.accounts.follows import MOST, TooManyFollowed
from tree.accounts.models import Follow
from tree.browse.following import GONE, News, find_news
from tree.store.models import Source
from ui.server.tools import Tools
from ui.shared.following import count_unread, toggle


def follow(tools: Tools, kind: str, target: str, title: str = "?") -> Follow:
    tools.accounts.follows.add(tools.principal.person_id, kind, target, title)  # type: ignore[arg-type]
    return next(one for one in tools.accounts.follows.of(tools.principal.person_id) if one.target == target)


def news(tools: Tools) -> list[News]:
    follows = tools.accounts.follows.of(tools.principal.person_id)
    return find_news(tools.workspace, tools.principal, tools.chats, follows)


def told(tools: Tools) -> dict[str, list[str]]:
    return {one.title: [change.words for change in one.changes] for one in news(tools)}


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, "utf-8")


def test_a_branch_tells_what_changes_in_it_and_nothing_else(tools: Tools, source: Source, folder: Path) -> None:
    follow(tools, "place", f"{source.id}/runbooks/", "runbooks")
    follow(tools, "place", f"{source.id}/glossary.md", "Glossary")
    assert told(tools) == {"runbooks": [], "Glossary": []} and count_unread(tools) == 0
    write(folder, "runbooks/restart.md", "# Restart\n\nPress the green button.\n")
    write(folder, "decisions/0008.md", "# 0008\n\nNobody follows this.\n")
    read_again(tools, source)
    assert told(tools) == {"runbooks": ["Restart was added"], "Glossary": []} and count_unread(tools) == 1
    (folder / "runbooks/restart.md").unlink()
    write(folder, "glossary.md", "# Glossary\n\n**Drift**: another thing.\n")
    read_again(tools, source)
    assert told(tools) == {"runbooks": [], "Glossary": ["Glossary was changed"]}, "it came and went"


def test_what_was_there_before_is_no_news(tools: Tools, source: Source) -> None:
    follow(tools, "place", f"{source.id}/", "Team")
    assert told(tools) == {"Team": []}


def test_what_was_published_after_a_moment_is_not_told_of_it(tools: Tools, source: Source, folder: Path) -> None:
    followed, moment = [follow(tools, "place", f"{source.id}/glossary.md", "Glossary")], time.time()
    write(folder, "glossary.md", "# Glossary\n\n**Drift**: another thing.\n")
    read_again(tools, source)
    [before] = find_news(tools.workspace, tools.principal, tools.chats, followed, 0.0, moment)
    [after] = find_news(tools.workspace, tools.principal, tools.chats, followed, moment, time.time())
    assert before.changes == () and [change.words for change in after.changes] == ["Glossary was changed"]


def test_an_answer_tells_when_what_it_cites_changed(tools: Tools, source: Source, folder: Path) -> None:
    turn = answered(tools, "What is drift?")
    follow(tools, "answer", turn.id, turn.question)
    path = folder / "glossary.md"
    path.write_text(path.read_text() + "\n**Slack**: time to spare.\n")
    read_again(tools, source)
    beside = "[1] Glossary was changed beside what is cited, which still stands"
    assert told(tools) == {"What is drift?": [beside]} and count_unread(tools) == 1
    write(folder, "glossary.md", "# Glossary\n\n**Drift**: another thing.\n")
    read_again(tools, source)
    assert told(tools) == {"What is drift?": ["[1] Glossary was edited where it is cited"]}
    path.unlink()
    read_again(tools, source)
    assert told(tools) == {"What is drift?": ["[1] Glossary was removed or moved"]}


def test_what_is_no_longer_for_one_is_not_told(tools: Tools, source: Source, folder: Path) -> None:
    member = tools_of(MEMBER)
    turn = answered(member, "What is drift?")
    for kind, target in (("answer", turn.id), ("place", f"{source.id}/glossary.md")):
        follow(member, kind, target, "Glossary")
    write(folder, "glossary.md", "# Glossary\n\n**Drift**: another thing.\n")
    read_again(tools, source)
    assert count_unread(member) == 2
    tools.admin.set_audience(source.id, [])
    assert told(member) == {"": []} and count_unread(tools_of(MEMBER)) == 0
    shown = words(page("following", MEMBER).run())
    assert GONE in shown and "lossary" not in shown and "drift" not in shown


def test_a_colleagues_answer_is_told_while_it_is_shared(tools: Tools, source: Source, folder: Path) -> None:
    turn, member = answered(tools, "What is drift?"), tools_of(MEMBER)
    follow(member, "answer", turn.id, turn.question)
    write(folder, "glossary.md", "# Glossary\n\n**Drift**: another thing.\n")
    read_again(tools, source)
    assert told(member) == {"": []}
    tools.chats.rows.share(turn.chat_id, True, tools.principal.person_id)
    assert told(member) == {"What is drift?": ["[1] Glossary was edited where it is cited"]}


def test_the_page_tells_what_is_new_until_it_is_read(tools: Tools, source: Source, folder: Path) -> None:
    assert "You follow nothing yet" in words(page("following").run())
    followed = follow(tools, "place", f"{source.id}/glossary.md", "Glossary")
    write(folder, "glossary.md", "# <script>Glossary</script>\n\n**Drift**: another thing.\n")
    read_again(tools, source)
    app = page("following").run()
    assert "1 of 1 thing changed" in words(app) and "class=unread" in words(app) and "<script>" not in words(app)
    app.button(key=f"read-{followed.id}").click().run()
    assert "0 of 1 thing changed" in words(app) and "class=unread" not in words(app) and count_unread(tools) == 0
    app.button(key=f"stop-{followed.id}").click().run()
    assert "You follow nothing yet" in words(app)


def test_nobody_reads_or_ends_what_others_follow(tools: Tools, source: Source) -> None:
    followed, member = follow(tools, "place", f"{source.id}/"), tools_of(MEMBER).principal.person_id
    tools.accounts.follows.mark_seen(member, followed.seen_at + 99, followed.id)
    tools.accounts.follows.remove(member, "place", followed.target)
    assert tools.accounts.follows.of(tools.principal.person_id) == [followed]


def test_a_passage_is_followed_as_part_of_its_document_from_the_tree(tools: Tools, source: Source) -> None:
    at = f"{source.id}/runbooks/restore.md"
    app = page("tree", at=at).run()
    app.button(key="follow-place").click().run()
    assert tools.accounts.follows.targets(tools.principal.person_id, "place") == {at}
    assert app.button(key="follow-place").label == "Following"
    app.button(key="follow-place").click().run()
    assert not tools.accounts.follows.targets(tools.principal.person_id, "place")


def test_so_much_can_be_followed(tools: Tools, source: Source) -> None:
    for number in range(MOST):
        follow(tools, "place", f"{source.id}/{number}/")
    toggle(tools, "place", f"{source.id}/{MOST}/", "One too many")
    with pytest.raises(TooManyFollowed, match="Stop following"):
        follow(tools, "place", f"{source.id}/{MOST}/")
    assert len(news(tools)) == MOST


def test_a_source_that_went_is_a_reason_to_draw_the_page_again(tools: Tools, source: Source) -> None:
    from ui.following.page import _newest_change

    before = _newest_change(tools)
    assert _newest_change(tools) == before
    tools.sources.set_audience(source.id, ["nobody"])
    seen = tools_of(MEMBER)
    assert _newest_change(seen) != before and source.id not in _newest_change(seen)[0]
