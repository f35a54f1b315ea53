"""All that is known of people, in one."""

from __future__ import annotations

from dataclasses import dataclass

from tree.accounts.api_tokens import ApiTokens
from tree.accounts.audit import AuditLog
from tree.accounts.digests import Digests
from tree.accounts.follows import Follows
from tree.accounts.links import OneTimeLinks
from tree.accounts.people import People
from tree.accounts.sessions import Sessions
from tree.store.database import Database


@dataclass(frozen=True, slots=True)
class Accounts:
    people: People
    sessions: Sessions
    links: OneTimeLinks
    tokens: ApiTokens
    audit: AuditLog
    follows: Follows
    digests: Digests


def open_accounts(database: Database) -> Accounts:
    return Accounts(
        People(database),
        Sessions(database),
        OneTimeLinks(database),
        ApiTokens(database),
        AuditLog(database),
        Follows(database),
        Digests(database),
    )
