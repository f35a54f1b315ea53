"""`python -m tree people`: accounts from the command line, for whoever has the data folder: the first admin, a lost password."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.addresses import as_typed
from tree.accounts.links import INVITATION_SECONDS, RESET_SECONDS, SETUP_SECONDS
from tree.accounts.models import Person
from tree.accounts.people import AccountError
from tree.accounts.principal import OPERATOR
from tree.workspace import Workspace

URL = "http://127.0.0.1:8501"


def people_commands(people: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Adds the commands to their parser, and returns them."""
    commands = people.add_subparsers(required=True, metavar="command")
    setup = commands.add_parser("setup", help="a link that makes the first admin")
    listing = commands.add_parser("list", help="everybody who has an account or an invitation, and the groups")
    inviting = commands.add_parser("invite", help="a link by which somebody joins")
    inviting.add_argument("email", type=as_typed, metavar="EMAIL")
    inviting.add_argument("--name", default="", help="as colleagues know them; they can change it when they join")
    inviting.add_argument("--admin", action="store_true", help="they manage sources, people and the model too")
    inviting.add_argument("--group", action="append", default=[], help="they are in this group (may be given more than once)")
    resetting = commands.add_parser("reset", help="a link by which somebody chooses a new password")
    deactivating = commands.add_parser("deactivate", help="somebody cannot sign in any more, and is signed out at once")
    grouping = commands.add_parser("group", help="makes a group, puts people into it, takes them out")
    grouping.add_argument("name", metavar="NAME")
    grouping.add_argument(
        "--add", action="append", type=as_typed, default=[], metavar="EMAIL", help="may be given more than once"
    )
    grouping.add_argument(
        "--remove", action="append", type=as_typed, default=[], metavar="EMAIL", help="may be given more than once"
    )
    for command in (resetting, deactivating):
        command.add_argument("email", type=as_typed, metavar="EMAIL")
    for command in (setup, inviting, resetting):
        command.add_argument("--url", default=URL, help="where people open the app (default: %(default)s)")
    runs: dict[argparse.ArgumentParser, Callable[[Workspace, argparse.Namespace], int]] = {
        setup: _setup, listing: _list, inviting: _invite, grouping: _group, resetting: _reset, deactivating: _deactivate,
    }  # fmt: skip
    for command, run in runs.items():
        command.set_defaults(run=run)
    return list(runs)


def _setup(opened: Workspace, options: argparse.Namespace) -> int:
    accounts = open_accounts(opened.database)
    if accounts.people.has_admin():
        raise AccountError("There is an admin already. For a new password: python -m tree people reset EMAIL")
    with _noting(accounts, "set-up link made", ""):
        token = accounts.links.for_setup()
    return _print_link(options, token, "Makes the first admin", SETUP_SECONDS)


def _list(opened: Workspace, _options: argparse.Namespace) -> int:
    accounts = open_accounts(opened.database)
    people, groups, members = accounts.people.all(), accounts.people.groups(), accounts.people.memberships()
    seen = accounts.sessions.seen(person.id for person in people)
    if not people:
        print("Nobody has an account yet. Make the first admin with: python -m tree people setup")
    for person in people:
        names = [name for id_, name in groups.items() if id_ in members.get(person.id, ())]
        what = [*(["admin"] if person.is_admin else []), *([] if person.is_active else ["deactivated"])]
        at = seen.get(person.id) or person.signed_in_at
        last = f"last seen {datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC" if at else "never signed in"
        in_groups = [f"in {', '.join(names)}"] if names else []
        print(" · ".join([f"{person.name} <{person.email}>", *what, *in_groups, last]))
    for link in accounts.links.invitations():
        print(f"{link.email} · invited, until {datetime.fromtimestamp(link.expires_at, UTC):%Y-%m-%d %H:%M} UTC")
    held = Counter(id_ for ids in members.values() for id_ in ids)
    for id_, name in groups.items():
        print(f"Group “{name}” · {held[id_]} in it")
    return 0


def _invite(opened: Workspace, options: argparse.Namespace) -> int:
    accounts = open_accounts(opened.database)
    accounts.people.check_address(options.email)
    groups = accounts.people.groups_named(options.group)
    with _noting(accounts, "person invited", options.email + (" (admin)" if options.admin else "")):
        token = accounts.links.for_invitation(options.email, options.name, is_admin=options.admin, groups=groups)
    return _print_link(options, token, f"Invites {options.email}", INVITATION_SECONDS)


def _group(opened: Workspace, options: argparse.Namespace) -> int:
    accounts = open_accounts(opened.database)
    added, removed = ([_person(accounts, email) for email in emails] for emails in (options.add, options.remove))
    known = {name.casefold() for name in accounts.people.groups().values()}
    if options.name.strip().casefold() not in known:
        with _noting(accounts, "group added", options.name):
            accounts.people.add_group(options.name)
    [id_] = accounts.people.groups_named([options.name.strip()])
    parts = [f"{word}: {', '.join(one.email for one in people)}" for word, people in (("in", added), ("out", removed)) if people]
    if parts:
        with _noting(accounts, "group members changed", f"{options.name}: {'; '.join(parts)}"):
            accounts.people.change_members(id_, [one.id for one in added], [one.id for one in removed])
    print(f"{accounts.people.groups()[id_]}: {len(accounts.people.members(id_))} in it.")
    return 0


def _reset(opened: Workspace, options: argparse.Namespace) -> int:
    accounts = open_accounts(opened.database)
    person = _person(accounts, options.email)
    if not person.is_active:
        raise AccountError(f"{person.email} is deactivated. An admin can activate them under Admin › People.")
    with _noting(accounts, "password reset offered", person.email):
        token = accounts.links.for_reset(person.id)
    return _print_link(options, token, f"Sets a new password for {person.email}", RESET_SECONDS)


def _deactivate(opened: Workspace, options: argparse.Namespace) -> int:
    accounts = open_accounts(opened.database)
    person = _person(accounts, options.email)
    with _noting(accounts, "person deactivated", person.email):
        accounts.people.set_active(person.id, False)
    print(f"{person.email} is signed out everywhere and cannot sign in any more.")
    return 0


def _person(accounts: Accounts, email: str) -> Person:
    person = accounts.people.with_email(email)
    if person is None:
        raise AccountError(f"Nobody has the e-mail address {email}. See: python -m tree people list")
    return person


def _noting(accounts: Accounts, action: str, target: str) -> AbstractContextManager[None]:
    return accounts.audit.noting(action, target, who=OPERATOR.name)


def _print_link(options: argparse.Namespace, token: str, what: str, seconds: float) -> int:
    until = datetime.fromtimestamp(time.time() + seconds, UTC)
    print(f"{options.url.rstrip('/')}/link/{token}")
    print(f"{what}. It works once, until {until:%Y-%m-%d %H:%M} UTC.")
    return 0
