"""API tokens: what another program says in place of a person. They only read, and no more than that person may."""

from __future__ import annotations

import time
from collections.abc import Sequence

import sqlalchemy as sa

from tree.accounts.models import ApiToken
from tree.accounts.people import AccountError, People
from tree.accounts.principal import Principal
from tree.accounts.tokens import id_of, new_token
from tree.store.database import Database
from tree.store.models import table_of

PREFIX = "kt_"  # so that scanners of leaked secrets can know it
USED_SECONDS = 60  # between two notes of when it was used
LONGEST_NAME = 60  # characters

_token = table_of(ApiToken)


class ApiTokens:
    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, person_id: str, name: str, sources: Sequence[str] | None = None, seconds: float | None = None) -> str:
        """Returns the token, which is shown once. `sources` narrows it to these, `seconds` is how long it holds."""
        name = " ".join(name.split())[:LONGEST_NAME]
        if not name:
            raise AccountError("Give the token a name: what will use it.")
        token, now = PREFIX + new_token(), time.time()
        row = {"id": id_of(token), "person_id": person_id, "name": name, "sources": None if sources is None else list(sources),
               "created_at": now, "expires_at": None if seconds is None else now + seconds}  # fmt: skip
        with self.database.write() as connection:
            connection.execute(sa.insert(_token).values(row))
        return token

    def of(self, person_id: str) -> list[ApiToken]:
        query = sa.select(_token).where(_token.c.person_id == person_id).order_by(_token.c.created_at)
        with self.database.read() as connection:
            return [ApiToken(**row._mapping) for row in connection.execute(query)]

    def end(self, person_id: str, token_id: str) -> None:
        with self.database.write() as connection:
            connection.execute(sa.delete(_token).where(_token.c.id == token_id, _token.c.person_id == person_id))

    def end_everyones(self) -> int:
        """Returns how many were ended."""
        with self.database.write() as connection:
            return connection.execute(sa.delete(_token)).rowcount

    def principal(self, token: str, people: People) -> Principal | None:
        """Whom it stands for now: never an admin, and no more than the sources it is narrowed to."""
        if not token.startswith(PREFIX):
            return None
        now = time.time()
        with self.database.read() as connection:
            row = connection.execute(sa.select(_token).where(_token.c.id == id_of(token))).first()
        if row is None or (row.expires_at is not None and row.expires_at < now):
            return None
        principal = people.principal(row.person_id)
        if principal is None:
            return None
        if row.used_at is None or now - row.used_at > USED_SECONDS:
            with self.database.write() as connection:
                connection.execute(sa.update(_token).where(_token.c.id == row.id).values(used_at=now))
        only = None if row.sources is None else frozenset(row.sources)
        return Principal(principal.person_id, f"{principal.name} ({row.name})", False, principal.groups, only)
