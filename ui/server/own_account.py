"""What people do to their own account: it is written to the audit log, or not done."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager

from tree.accounts.accounts import Accounts
from tree.accounts.people import AccountError
from ui.server.rate_limit import RateLimit
from ui.server.visitor import Visitor

_guesses = RateLimit(6, 60)  # of one person's password, by whoever has their browser


class OwnAccount:
    """The actions of one visitor. Each raises AccountError for somebody who is signed out by now, and StoreError where it fails."""

    def __init__(self, accounts: Accounts, visitor: Visitor) -> None:
        self._accounts, self._visitor = accounts, visitor

    def sign_out(self) -> None:
        """Ends the session of this browser; nothing happens where it has ended."""
        if self._accounts.people.get(self._person_id) is not None:
            with self._noting("signed out"):
                self._accounts.sessions.end(self._visitor.session_id)

    def end_session(self, session_id: str) -> bool:
        """Whether it was one of their own that still held."""
        own = self._accounts.sessions.of(self._person_id)
        if all(session.id != session_id for session in own):
            return False
        with self._noting("own session ended"):
            self._accounts.sessions.end(session_id)
        return True

    def end_other_sessions(self) -> None:
        with self._noting("own other sessions ended"):
            self._accounts.sessions.end_all(self._person_id, but=self._visitor.session_id)

    def add_token(self, name: str, sources: Sequence[str] | None, seconds: float | None) -> str:
        """Returns the token, as `ApiTokens.add` does. Raises AccountError where it has no name."""
        with self._noting("API token made", " ".join(name.split())):
            return self._accounts.tokens.add(self._person_id, name, sources, seconds)

    def delete_token(self, token_id: str) -> None:
        """Nothing happens where they have no such token."""
        name = next((token.name for token in self._accounts.tokens.of(self._person_id) if token.id == token_id), None)
        if name is not None:
            with self._noting("API token deleted", name):
                self._accounts.tokens.end(self._person_id, token_id)

    def change_password(self, now: str, password: str) -> None:
        """Ends their other sessions and their tokens. Raises AccountError where `now` is not their password, or is guessed too often,
        and for a new one that is no good."""
        noting, person = self._noting("password changed"), self._accounts.people.get(self._person_id)
        if wait := _guesses.wait(self._person_id):
            raise AccountError(f"Too many tries. Wait {math.ceil(wait)} seconds and try again.")
        if person is None or self._accounts.people.signed_in_with(person.email, now) is None:
            with self._noting("password change refused"):
                pass
            raise AccountError("The password now is not right.")
        _guesses.forgive(self._person_id)
        self._accounts.people.set_password(self._person_id, password, self._visitor.session_id, within=noting)

    @property
    def _person_id(self) -> str:
        return self._visitor.principal.person_id

    def _noting(self, action: str, what: str = "") -> AbstractContextManager[None]:
        person = self._accounts.people.get(self._person_id)
        if person is None:
            raise AccountError("You are signed out. Sign in again.")
        target = f"{person.email}: {what}" if what else person.email
        return self._accounts.audit.noting(action, target, person_id=person.id, who=person.name, address=self._visitor.address)
