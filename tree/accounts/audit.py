"""The audit log: who did what, to what, when and from where. Never what is in a document, a question or an answer."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import sqlalchemy as sa

from tree.accounts.models import AuditEntry
from tree.store.database import Database
from tree.store.models import table_of
from tree.store.statements import has_words

LONGEST = 300  # characters of a target

_audit = table_of(AuditEntry)


class AuditLog:
    def __init__(self, database: Database) -> None:
        self.database = database

    @contextmanager
    def noting(self, action: str, target: str = "", *, person_id: str = "", who: str = "", address: str = "") -> Iterator[None]:
        """What is done inside is written down in the same transaction: neither is there without the other.

        The note comes first: what is no row of the database, such as a file, is not done where it cannot be written.
        """
        with self.database.together():
            self.write(action, target, person_id=person_id, who=who, address=address)
            yield

    def write(self, action: str, target: str = "", *, person_id: str = "", who: str = "", address: str = "") -> None:
        row = {
            "at": time.time(),
            "person_id": person_id,
            "who": who,
            "action": action,
            "target": target[:LONGEST],
            "address": address,
        }
        with self.database.write() as connection:
            connection.execute(sa.insert(_audit).values(row))

    def entries(self, limit: int = 100, offset: int = 0, containing: str = "") -> list[AuditEntry]:
        """The newest first."""
        query = sa.select(_audit).where(_has(containing)).order_by(_audit.c.id.desc()).limit(limit).offset(offset)
        with self.database.read() as connection:
            return [AuditEntry(**row._mapping) for row in connection.execute(query)]

    def count(self, containing: str = "") -> int:
        with self.database.read() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(_audit).where(_has(containing))) or 0

    def as_csv(self) -> str:
        """All of it, the oldest first, with times in UTC."""
        written = io.StringIO()
        lines = csv.writer(written)
        lines.writerow(("at", "who", "action", "target", "address"))
        with self.database.read() as connection:
            for row in connection.execute(sa.select(_audit).order_by(_audit.c.id)):
                at = datetime.fromtimestamp(row.at, UTC).isoformat(timespec="seconds")
                lines.writerow([at, *map(_no_formula, (row.who, row.action, row.target, row.address))])
        return written.getvalue()


def _has(text: str) -> sa.ColumnElement[bool]:
    columns = (_audit.c.who, _audit.c.action, _audit.c.target, _audit.c.address)
    return sa.or_(*(has_words(column, text) for column in columns)) if text else sa.true()


def _no_formula(text: str) -> str:
    """A spreadsheet takes text that begins like this for a formula (OWASP, CSV injection)."""
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text
