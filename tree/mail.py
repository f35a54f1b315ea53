"""E-mail by SMTP, as the environment says it; off unless a server is named."""

from __future__ import annotations

import os
import smtplib
import ssl
from email.message import EmailMessage
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

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
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class MailError(StoreError):
    """An e-mail could not be sent, or cannot be with these settings; the message says why."""


class MailSettings(BaseModel):
    """Each field is a variable of `VARIABLES`."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    host: str = Field(min_length=1)
    port: int = Field(587, ge=1, le=65_535)
    user: str = ""
    password: SecretStr = SecretStr("")
    sender: str = Field(min_length=3, pattern=r"^[^\r\n]*[^@\s]@[^@\s>]+>?$")
    security: Literal["starttls", "tls", "none"] = "starttls"

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
    """Raises MailError where the server cannot be reached, is not who it should be, or does not take it."""
    context = ssl.create_default_context()
    try:
        if settings.security == "tls":
            with smtplib.SMTP_SSL(settings.host, settings.port, timeout=SECONDS, context=context) as server:
                _deliver(server, settings, message)
            return
        with smtplib.SMTP(settings.host, settings.port, timeout=SECONDS) as server:
            if settings.security == "starttls":
                server.starttls(context=context)
            _deliver(server, settings, message)
    except smtplib.SMTPAuthenticationError as error:
        raise MailError(f"{settings.host} refused the user name or password ({error.smtp_code}).") from error
    except smtplib.SMTPRecipientsRefused as error:
        raise MailError(f"{settings.host} does not take e-mail for this address.") from error
    except smtplib.SMTPResponseException as error:
        raise MailError(f"{settings.host} answered {error.smtp_code}.") from error
    except (OSError, smtplib.SMTPException) as error:
        raise MailError(f"{settings.host}, port {settings.port}: {error}") from error


def _deliver(server: smtplib.SMTP, settings: MailSettings, message: EmailMessage) -> None:
    if settings.user:
        server.login(settings.user, settings.password.get_secret_value())
    server.send_message(message)
