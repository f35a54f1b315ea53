"""E-mail by SMTP, as the environment says it; off unless a server is named."""

from __future__ import annotations

import os
import smtplib
import ssl
from base64 import b64encode
from contextlib import suppress
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import unquote
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from tree.accounts.provider_settings import LOOPBACK
from tree.store.database import StoreError

SECONDS = 20  # that a server may take to answer
VARIABLES = {
    "host": "KNOWLEDGE_TREE_SMTP_HOST",
    "port": "KNOWLEDGE_TREE_SMTP_PORT",
    "user": "KNOWLEDGE_TREE_SMTP_USER",
    "password": "KNOWLEDGE_TREE_SMTP_PASSWORD",
    "sender": "KNOWLEDGE_TREE_SMTP_FROM",
    "security": "KNOWLEDGE_TREE_SMTP_SECURITY",
}
PUBLIC_ADDRESS = (
    "KNOWLEDGE_TREE_URL"  # where people reach the app, such as https://tree.example.org: links in e-mails begin with it
)


class MailError(StoreError):
    """An e-mail could not be sent, or cannot be with these settings; the message says why."""


class ServerError(MailError):
    """The server takes nothing from us, whoever it is for."""


class MailSettings(BaseModel):
    """Each field is a variable of `VARIABLES`."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    host: str = Field(min_length=1)
    port: int = Field(587, ge=1, le=65_535)
    user: str = ""
    password: SecretStr = SecretStr("")
    sender: str = Field(min_length=3, pattern=r"^[^\r\n]*[^@\s]@[^@\s>]+>?$")
    security: Literal["starttls", "tls", "none"] = "starttls"

    @field_validator("sender")
    @classmethod
    def _one_address(cls, sender: str) -> str:
        """With the name in quotes where it needs them: a comma in it would make two senders."""
        name, _, address = sender.removesuffix(">").rpartition("<") if sender.endswith(">") else ("", "", sender)
        try:
            return str(Address(unquote(name.strip()), addr_spec=address.strip()))
        except (ValueError, IndexError, MessageError) as error:
            raise ValueError("no address such as Knowledge Tree <tree@example.org>") from error

    @model_validator(mode="after")
    def _keeps_the_password(self) -> MailSettings:
        if self.user and self.security == "none" and self.host not in LOOPBACK:
            raise ValueError("a password would be sent in the clear; use starttls or tls")
        return self


def mail_settings() -> MailSettings | None:
    """None where no server is named. Raises MailError for settings that are no good."""
    given = {name: value for name, variable in VARIABLES.items() if (value := os.environ.get(variable, "").strip())}
    if "host" not in given:
        return None
    try:
        return MailSettings.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        names = [VARIABLES[str(part)] for part in first["loc"]] or [VARIABLES["security"]]
        raise MailError(f"{names[0]}: {first['msg'].removeprefix('Value error, ')}") from error


def send(settings: MailSettings, message: EmailMessage) -> None:
    """Raises ServerError where the server cannot be reached, is not who it should be or does not let us in; MailError where it does
    not take this one."""
    server = _reached(settings)
    try:
        server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        raise MailError(_reason(settings, error)) from error
    finally:
        _leave(server)


def _reached(settings: MailSettings) -> smtplib.SMTP:
    context = ssl.create_default_context()
    try:
        if settings.security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(settings.host, settings.port, timeout=SECONDS, context=context)
        else:
            server = smtplib.SMTP(settings.host, settings.port, timeout=SECONDS)
        try:
            if settings.security == "starttls":
                server.starttls(context=context)
            if settings.user:
                _sign_in(server, settings.user, settings.password.get_secret_value())
        except (OSError, smtplib.SMTPException):
            _leave(server)
            raise
    except (OSError, smtplib.SMTPException, UnicodeError) as error:  # the last: a name that no host can have
        raise ServerError(_reason(settings, error)) from error
    return server


def _sign_in(server: smtplib.SMTP, user: str, password: str) -> None:
    """smtplib's own way raises UnicodeEncodeError for what is not ASCII, which AUTH PLAIN takes as UTF-8 (RFC 4616)."""
    server.ehlo_or_helo_if_needed()
    if (user + password).isascii() or "PLAIN" not in server.esmtp_features.get("auth", "").upper().split():
        if not (user + password).isascii():
            raise smtplib.SMTPNotSupportedError("this server takes only user names and passwords in ASCII")
        server.login(user, password)
        return
    code, said = server.docmd("AUTH", "PLAIN " + b64encode(f"\0{user}\0{password}".encode()).decode())
    if code != 235:
        raise smtplib.SMTPAuthenticationError(code, said)


def _leave(server: smtplib.SMTP) -> None:
    """Whatever it answers: what it took it has taken."""
    with suppress(OSError, smtplib.SMTPException):
        server.quit()
    server.close()


def _reason(settings: MailSettings, error: Exception) -> str:
    match error:
        case smtplib.SMTPAuthenticationError():
            return f"{settings.host} refused the user name or password ({_reply(error.smtp_code, error.smtp_error)})."
        case smtplib.SMTPRecipientsRefused():  # what it holds against the sender or us many a server says only here
            code, said = next(iter(error.recipients.values()))
            now = " now" if code < 500 else ""
            return f"{settings.host} does not take this e-mail{now}: {_reply(code, said)}."
        case smtplib.SMTPResponseException():
            return f"{settings.host} answered {_reply(error.smtp_code, error.smtp_error)}."
    return f"{settings.host}, port {settings.port}: {str(error).rstrip('.')}."


def _reply(code: int, said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return " ".join([str(code), *text.split()]).rstrip(".")
