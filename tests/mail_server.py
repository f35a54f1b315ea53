"""A server that takes e-mail by SMTP (RFC 5321) on a port of this machine, with STARTTLS and AUTH where it is given a certificate."""

from __future__ import annotations

import base64
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

from jira_simulator.tls import Certificate


@dataclass
class MailServer:
    """`messages` are those it took, each with its recipient, and `written` as they came; `refuses` is the reply to the next ones
    instead of taking them, `parts` the one at the end of a connection, `refused` how often a password was not taken."""

    port: int = 0
    certificate: Certificate | None = None
    password: str = ""  # asked for where it is set
    refuses: str = ""
    parts: str = "221 bye"
    refused: int = 0
    messages: list[tuple[str, EmailMessage]] = field(default_factory=list)
    written: list[bytes] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)  # of each of them: whether it came so


class _Connection(socketserver.StreamRequestHandler):
    server: _Listener

    def handle(self) -> None:
        mail, is_encrypted, is_known, recipient = self.server.mail, False, False, ""
        self._say("220 ready")
        while line := self.rfile.readline():
            verb, _, rest = line.decode().strip().partition(" ")
            match verb.upper():
                case "EHLO" | "HELO":
                    offers = (
                        ["there"]
                        + ["STARTTLS"] * (mail.certificate is not None and not is_encrypted)
                        + ["AUTH PLAIN"] * bool(mail.password)
                    )
                    self._say("\r\n".join([*(f"250-{one}" for one in offers[:-1]), f"250 {offers[-1]}"]))
                case "STARTTLS":
                    self._say("220 go on")
                    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                    context.load_cert_chain(mail.certificate.certificate, mail.certificate.key)
                    self.connection = context.wrap_socket(self.connection, server_side=True)
                    self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
                    is_encrypted = True
                case "AUTH":
                    given = base64.b64decode(rest.partition(" ")[2]).split(b"\0")
                    is_known = given[-1].decode() == mail.password
                    mail.refused += not is_known
                    self._say("235 welcome" if is_known else "535 no")
                case "MAIL" if mail.password and not is_known:
                    self._say("530 sign in first")
                case "RCPT":
                    recipient = rest.partition("<")[2].partition(">")[0]
                    self._say(mail.refuses or "250 ok")
                case "DATA":
                    self._say("354 go on")
                    lines = iter(self.rfile.readline, b".\r\n")
                    written = b"".join(one.removeprefix(b".") if one.startswith(b"..") else one for one in lines)
                    mail.messages.append((recipient, message_from_bytes(written, policy=policy.default)))
                    mail.written.append(written)
                    mail.encrypted.append(is_encrypted)
                    self._say("250 taken")
                case "QUIT":
                    self._say(mail.parts)
                    return
                case _:
                    self._say("250 ok")

    def _say(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())


class _Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    mail: MailServer


@contextmanager
def mail_server(certificate: Certificate | None = None, password: str = "") -> Iterator[MailServer]:
    with _Listener(("127.0.0.1", 0), _Connection) as listener:
        listener.mail = MailServer(listener.server_address[1], certificate, password)
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield listener.mail
        finally:
            listener.shutdown()
            thread.join()
