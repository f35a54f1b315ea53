"""Who gets what changed by e-mail, when next, and which could not be sent."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Literal

import sqlalchemy as sa

from tree.accounts.models import Digest
from tree.accounts.tokens import new_token
from tree.store.database import Database
from tree.store.models import table_of

Every = Literal["daily", "weekly"]
HOUR = 6  # in UTC, at which they are sent; the weekly ones on Mondays
LEASE_SECONDS = 900  # after which one that was begun and not ended is begun again
FIRST_WAIT, LONGEST_WAIT = 300.0, 6 * 3_600.0  # seconds after one that failed
LONGEST_ERROR = 300  # characters

_digest = table_of(Digest)


def next_due(every: str, now: float) -> float:
    """The moment after `now` (seconds since 1970) at which one is sent."""
    day = datetime.fromtimestamp(now, UTC).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    while day.timestamp() <= now or (every == "weekly" and day.weekday() != 0):
        day += timedelta(days=1)
    return day.timestamp()


class Digests:
    def __init__(self, database: Database) -> None:
        self.database = database

    def of(self, person_id: str) -> Digest | None:
        with self.database.read() as connection:
            row = connection.execute(sa.select(_digest).where(_digest.c.person_id == person_id)).first()
        return Digest(**row._mapping) if row else None

    def choose(self, person_id: str, every: Every | None) -> None:
        """How often this person gets them; None for never, which voids the links in those that were sent."""
        now = time.time()
        values = {"every": every, "due_at": next_due(every or "daily", now), "tries": 0, "error": ""}
        of_person = _digest.c.person_id == person_id
        with self.database.write() as connection:
            if every is None:
                connection.execute(sa.delete(_digest).where(of_person))
            elif not connection.execute(sa.update(_digest).where(of_person).values(values)).rowcount:
                row = values | {"person_id": person_id, "token": new_token(), "sent_until": now}
                connection.execute(sa.insert(_digest).values(row))

    def end(self, token: str) -> None:
        """Whoever has an e-mail needs no session to get no more; nothing happens where the token is of none."""
        with self.database.write() as connection:
            connection.execute(sa.delete(_digest).where(_digest.c.token == token))

    def take_due(self, now: float) -> Digest | None:
        """One that is due, which nobody else is given for a while."""
        with self.database.write() as connection:
            query = sa.select(_digest).where(_digest.c.due_at <= now).order_by(_digest.c.due_at).limit(1)
            row = connection.execute(query).first()
            if row is None:
                return None
            of_it = _digest.c.person_id == row.person_id
            connection.execute(sa.update(_digest).where(of_it).values(due_at=now + LEASE_SECONDS))
        return Digest(**row._mapping)

    def mark_sent(self, digest: Digest, until: float) -> None:
        """What changed up to `until` was sent, or there was nothing to send."""
        self._change(digest, sent_until=until, due_at=next_due(digest.every, until), tries=0, error="")

    def mark_failed(self, digest: Digest, error: str, now: float) -> None:
        """It is tried again, later each time."""
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(digest.tries, 10))
        self._change(digest, due_at=now + wait, tries=digest.tries + 1, error=error[:LONGEST_ERROR])

    def failing(self) -> list[Digest]:
        """Those that could not be sent, the one that failed most first."""
        query = sa.select(_digest).where(_digest.c.tries > 0).order_by(_digest.c.tries.desc())
        with self.database.read() as connection:
            return [Digest(**row._mapping) for row in connection.execute(query)]

    def _change(self, digest: Digest, **values: object) -> None:
        of_it = sa.and_(_digest.c.person_id == digest.person_id, _digest.c.token == digest.token)
        with self.database.write() as connection:
            connection.execute(sa.update(_digest).where(of_it).values(values))
