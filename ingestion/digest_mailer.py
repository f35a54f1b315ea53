"""Sends what changed by e-mail to whoever wants it, in a thread of its own, with the rights they have at that moment."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from email.message import EmailMessage

from tree import mail
from tree.accounts.accounts import Accounts, open_accounts
from tree.accounts.models import Digest
from tree.browse.digest import digest_message
from tree.browse.following import find_news
from tree.mail import PUBLIC_ADDRESS, MailError, MailSettings, ServerError, mail_settings
from tree.store.chats import Chats
from tree.store.database import StoreError
from tree.workspace import Workspace

LOOK_SECONDS = 60.0  # between two looks whether one is due
LEAVE_SECONDS = 5.0  # that one which is being sent is waited for: were it not noted, it would be sent again
FAULT = "Something went wrong inside the app; it is written in its log."

log = logging.getLogger("knowledge-tree")


class DigestMailer:
    """`address` is where people reach the app: links begin with it."""

    def __init__(self, workspace: Workspace, chats: Chats, accounts: Accounts, settings: MailSettings, address: str) -> None:
        self.workspace, self.chats, self.accounts, self.settings = workspace, chats, accounts, settings
        self.address = address.rstrip("/")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="digests", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(LEAVE_SECONDS)

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            try:
                self.send_due(time.time())
            except StoreError as error:
                log.error("e-mails: %s", error)

    def send_due(self, now: float, is_told_to_stop: Callable[[], bool] | None = None) -> int:
        """Sends those that are due until told to stop; returns how many. One that fails is tried again later, and admins are told.

        Where the server takes nothing from us it is not asked again for the next one: a password that is refused a hundred times
        locks the account.
        """
        sent, begun, unavailable = 0, time.monotonic(), None
        is_told_to_stop = is_told_to_stop or self._stopping.is_set
        while not is_told_to_stop():
            # taken before it is looked what changed: what is published after this moment is for the next one, and what was
            # published before is seen, as nobody writes while one is taken
            moment = now + time.monotonic() - begun
            if (digest := self.accounts.digests.take_due(moment)) is None:
                break
            try:
                message = self._message(digest, moment)
                if message is not None:
                    if unavailable is not None:
                        raise unavailable
                    mail.send(self.settings, message)
                    sent += 1
            except MailError as error:
                unavailable = error if isinstance(error, ServerError) else unavailable
                log.error("an e-mail could not be sent")  # the reason may hold an address; the Admin page tells it
                self.accounts.digests.mark_failed(digest, str(error), moment)
            except StoreError:
                raise
            except Exception:  # a fault of ours with one of them must not keep the others from theirs
                log.exception("an e-mail could not be sent")
                self.accounts.digests.mark_failed(digest, FAULT, moment)
            else:
                self.accounts.digests.mark_sent(digest, moment)
        return sent

    def _message(self, digest: Digest, now: float) -> EmailMessage | None:
        """None where nothing changed, or where this person cannot sign in any more."""
        principal, person = self.accounts.people.principal(digest.person_id), self.accounts.people.get(digest.person_id)
        if principal is None or person is None:
            return None
        follows = self.accounts.follows.of(digest.person_id)
        found = find_news(self.workspace, principal, self.chats, follows, digest.sent_until, now)
        changed = [one for one in found if one.changes]
        if not changed:
            return None
        return digest_message(
            changed,
            sender=self.settings.sender,
            to=person.email,
            address=self.address,
            token=digest.token,
            since=digest.sent_until,
            now=now,
        )


def digest_mailer(workspace: Workspace) -> DigestMailer | None:
    """For a process without pages; None where no server for e-mail is named, or not where people reach the app. Raises MailError."""
    settings, address = mail_settings(), os.environ.get(PUBLIC_ADDRESS)
    if settings is None or not address:
        return None
    return DigestMailer(workspace, Chats(workspace.database), open_accounts(workspace.database), settings, address)
