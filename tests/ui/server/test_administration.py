"""What only admins may do: a member is refused, an admin is written to the audit log, and rights are looked up anew each time."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa

from prompts.engine.catalogue import Model
from prompts.engine.download import Remote
from tests.databases import break_audit_log, refuse_rows
from tests.ui.people import ADMIN, MEMBER, PASSWORD, tools_of
from tree.accounts.people import AccountError
from tree.store.database import StoreError
from tree.store.embedding_model import EmbeddingChoice
from tree.store.language_model import ModelChoice
from tree.store.models import Source
from ui.server.administration import Administration, NotAllowed
from ui.server.engine import downloads
from ui.server.tools import Tools

SECRET = "quokka-marmalade"  # stands for all that the audit log must not hold
ALIASES = f"alias,name\n{SECRET},Harbour\n".encode()


class Things(NamedTuple):
    """What the actions below are done to."""

    source: Source
    person: str
    group: str
    link: str


@pytest.fixture
def things(tools: Tools, source: Source) -> Things:
    group = tools.accounts.people.add_group("Crew")
    person = tools.accounts.people.add("cy@example.org", "Cy", PASSWORD, groups=[group])
    tools.accounts.sessions.start(person.id)
    tools.accounts.links.for_invitation("dee@example.org", "Dee")
    [link] = tools.accounts.links.invitations()
    tools.admin.save_aliases("before.csv", b"alias,name\nQuay,Harbour\n")
    return Things(source, person.id, group, link.id)


REMOTE = Remote(
    Model("team/tiny", "tiny.gguf"), "http://127.0.0.1:9/tiny.gguf", 10**15, "0" * 64, "mit"
)  # for which no disk has room
Action = Callable[[Administration, Things], object]
ACTIONS: dict[str, tuple[Action, str]] = {  # and what the audit log says of each
    "add_source": (lambda a, t: a.add_source("folder", "Papers", {"path": f"/{SECRET}"}, {"token": SECRET}, [t.group]), "Papers: Crew"),
    "configure_source": (lambda a, t: a.configure_source(t.source.id, {**t.source.config, "exclude": [SECRET]}, {"token": SECRET}), "Team"),
    "set_audience": (lambda a, t: a.set_audience(t.source.id, [t.group]), "Team: Crew"),
    "request_sync": (lambda a, t: a.request_sync(t.source.id), "Team"),
    "pause": (lambda a, t: a.pause(t.source.id, True), "Team"),
    "read_again": (lambda a, t: a.read_again(t.source.id, ["glossary.md"]), "Team"),
    "approve": (lambda a, t: a.approve(t.source.id), "Team"),
    "remove_source": (lambda a, t: a.remove_source(t.source.id), "Team"),
    "save_model": (lambda a, t: a.save_model(ModelChoice()), "none"),
    "change_model": (lambda a, t: a.change_model(paused=True), "paused"),
    "download_model": (lambda a, t: a.download_model(REMOTE), "team/tiny/tiny.gguf (0000000000000000)"),
    "save_aliases": (lambda a, t: a.save_aliases("names.csv", ALIASES), "names.csv"),
    "add_alias": (lambda a, t: a.add_alias(SECRET, "Harbour"), ""),
    "save_meaning": (lambda a, t: a.save_meaning(EmbeddingChoice()), "none"),
    "change_meaning": (lambda a, t: a.change_meaning(paused=True), "paused"),
    "remove_aliases": (lambda a, t: a.remove_aliases(), ""),
    "invite": (lambda a, t: a.invite("eve@example.org", SECRET, is_admin=True, groups=[t.group]), "eve@example.org (admin)"),
    "withdraw_invitation": (lambda a, t: a.withdraw_invitation(t.link), "dee@example.org"),
    "reset_password": (lambda a, t: a.reset_password(t.person), "cy@example.org"),
    "set_admin": (lambda a, t: a.set_admin(t.person, True), "cy@example.org"),
    "set_active": (lambda a, t: a.set_active(t.person, False), "cy@example.org"),
    "set_groups": (lambda a, t: a.set_groups(t.person, []), "cy@example.org: none"),
    "end_sessions": (lambda a, t: a.end_sessions(t.person), "cy@example.org"),
    "add_group": (lambda a, t: a.add_group("Pilots"), "Pilots"),
    "rename_group": (lambda a, t: a.rename_group(t.group, "Hands"), "Crew: Hands"),
    "delete_group": (lambda a, t: a.delete_group(t.group), "Crew"),
    "change_members": (lambda a, t: a.change_members(t.group, removed=[t.person]), "Crew: out: cy@example.org"),
    "export_audit": (lambda a, t: a.export_audit(), ""),
}  # fmt: skip
LOOKS: dict[str, Action] = {"missing": lambda a, t: a.missing(t.source)}  # only for admins too, and change nothing
OF_TASKS: dict[str, Action] = {  # of which there are none with a data folder alone: tests/ui/admin/test_tasks.py
    "tasks": lambda a, t: a.tasks(),
    "try_task_again": lambda a, t: a.try_task_again(1),
    "cancel_task": lambda a, t: a.cancel_task(1),
}
CALLS = {name: action for name, (action, _) in ACTIONS.items()} | LOOKS | OF_TASKS
NO_ACTIONS = {"by", "check"}


def everything(tools: Tools) -> dict[str, Any]:
    """All rows of all tables, and the list of aliases."""
    with tools.workspace.database.read() as connection:
        tables = sa.inspect(connection).get_table_names()
        rows = {table: connection.execute(sa.text(f'SELECT * FROM "{table}"')).all() for table in tables}
    files = {path.name: path.read_bytes() for path in sorted(tools.workspace.home.glob("aliases*"))}
    return rows | {"files": files}


def test_each_action_is_tried_here() -> None:
    public = {name for name, _ in inspect.getmembers(Administration, inspect.isfunction) if not name.startswith("_")}
    assert public - NO_ACTIONS == CALLS.keys()


def refusing(tools: Tools, action_of: Callable[[Action], object]) -> list[str]:
    """The names of the actions that are refused and change nothing."""
    before = everything(tools)
    refused = []
    for name, action in CALLS.items():
        with suppress(NotAllowed):
            action_of(action)
            continue
        assert everything(tools) == before, name
        refused.append(name)
    return refused


def test_a_member_is_refused_and_nothing_changes(tools: Tools, things: Things) -> None:
    member = tools_of(MEMBER)
    assert refusing(tools, lambda action: action(member.admin, things)) == [*CALLS]


def test_whoever_may_not_do_it_does_not_learn_what_there_is(tools: Tools, things: Things) -> None:
    """No such source, person or link is said like one that there is: refused."""
    nothing = Things(Source(id="none", name="None", kind="folder", config={}, created_at=0.0), "nobody", "none", "none")
    member = tools_of(MEMBER)
    assert refusing(tools, lambda action: action(member.admin, nothing)) == [*CALLS]


@pytest.mark.parametrize("name", ACTIONS)
def test_an_admin_is_in_the_audit_log_without_content(tools: Tools, things: Things, name: str) -> None:
    action, target = ACTIONS[name]
    before = everything(tools)
    count = tools.accounts.audit.count()
    action(tools.admin, things)
    assert tools.accounts.audit.count() == count + 1
    [entry] = tools.accounts.audit.entries(1)
    assert (entry.who, entry.target, entry.address) == ("Ada <ada@example.org>", target, "127.0.0.1")
    assert entry.person_id == tools.principal.person_id and entry.action
    assert SECRET not in tools.accounts.audit.as_csv()
    assert everything(tools) != before


def test_an_admin_who_was_demoted_a_moment_ago_is_refused(tools: Tools, things: Things) -> None:
    boss = tools_of("boss@example.org", is_admin=True)
    assert boss.principal.is_admin
    tools.admin.set_admin(boss.principal.person_id, False)
    assert refusing(tools, lambda action: action(boss.admin, things)) == [*CALLS]


def test_an_admin_whose_session_was_ended_a_moment_ago_is_refused(tools: Tools, things: Things) -> None:
    boss = tools_of("boss@example.org", is_admin=True)
    assert boss.principal.is_admin
    tools.admin.end_sessions(boss.principal.person_id)
    with pytest.raises(NotAllowed):
        boss.admin.add_group("Pilots")


def test_what_fails_is_not_written_as_done(tools: Tools, things: Things) -> None:
    before = tools.accounts.audit.count()
    for action, said in (
        (lambda: tools.admin.set_active(tools.principal.person_id, False), "last admin"),
        (lambda: tools.admin.set_admin(tools.principal.person_id, False), "last admin"),
        (lambda: tools.admin.add_group("crew"), "already a group"),
        (lambda: tools.admin.invite(ADMIN, "", is_admin=False, groups=[]), "already here"),
        (lambda: tools.admin.invite("nobody", "", is_admin=False, groups=[]), "e-mail"),
        (lambda: tools.admin.set_admin("nobody", True), "no such person"),
        (lambda: tools.admin.delete_group("none"), "no such group"),
        (lambda: tools.admin.withdraw_invitation("none"), "was used"),
    ):
        with pytest.raises(AccountError, match=said):
            action()
    assert tools.accounts.audit.count() == before
    assert tools.accounts.people.principal(tools.principal.person_id).is_admin


@pytest.mark.usefixtures("each_database")
@pytest.mark.parametrize("name", ACTIONS)
def test_what_cannot_be_written_to_the_audit_log_is_not_done(tools: Tools, things: Things, name: str) -> None:
    break_audit_log(tools.workspace.database)
    before, download = everything(tools), downloads.current
    with pytest.raises(sa.exc.IntegrityError, match="the audit log is broken"):
        ACTIONS[name][0](tools.admin, things)
    assert everything(tools) == before and downloads.current is download


@pytest.mark.usefixtures("each_database")
def test_a_source_is_for_its_groups_from_its_first_moment_on(tools: Tools, tmp_path: Path) -> None:
    """The database itself refuses a row of a source that everybody may see, be it for a moment."""
    for_all = "NEW.audience IS NULL OR CAST(NEW.audience AS TEXT) = 'null'"
    refuse_rows(tools.workspace.database, "source", "everybody would see it", for_all)
    crew = tools.admin.add_group("Crew")
    with pytest.raises(StoreError):
        tools.admin.add_source("folder", "Open", {"path": str(tmp_path)})
    source = tools.admin.add_source("folder", "Papers", {"path": str(tmp_path)}, None, [crew])
    assert source.audience == [crew] and not tools.principal.may_see(source)


@pytest.mark.usefixtures("each_database")
def test_a_person_keeps_what_the_identity_provider_says_of_their_groups(tools: Tools, things: Things) -> None:
    people = tools.accounts.people
    with tools.workspace.database.write() as connection:
        connection.execute(sa.text("UPDATE membership SET from_claims = TRUE"))
    pilots = tools.admin.add_group("Pilots")
    tools.admin.set_groups(things.person, [things.group, pilots])
    tools.admin.change_members(things.group, [things.person, tools.principal.person_id])
    with tools.workspace.database.read() as connection:
        rows = set(connection.execute(sa.text("SELECT person_id, group_id, from_claims FROM membership")).tuples())
    me = tools.principal.person_id
    assert rows == {(things.person, things.group, 1), (things.person, pilots, 0), (me, things.group, 0)}
    assert people.members(things.group) == {things.person, me}
