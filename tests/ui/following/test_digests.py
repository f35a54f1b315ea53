"""What changed by e-mail: sent by a real server, with the rights of that moment, tried again, ended by one click."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from ingestion.digest_mailer import DigestMailer
from jira_simulator.tls import make_certificate
from tests.mail_server import MailServer, mail_server
from tests.ui.chat.test_turns import answered
from tests.ui.conftest import read_again
from tests.ui.following.test_following import follow, write
from tests.ui.opened import page
from tests.ui.people import ADMIN, MEMBER, tools_of
from tree.accounts.digests import next_due
from tree.accounts.models import Digest, Follow
from tree.browse.digest import digest_text
from tree.browse.following import Change, News
from tree.mail import VARIABLES, MailError, mail_settings
from tree.store.models import Source
from ui.routes import all_routes
from ui.server.middleware import middleware
from ui.server.tools import Tools

ADDRESS = "https://tree.example.org"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
    """With a certificate that only this test trusts, and a password."""
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
    with mail_server(certificate, "a heron") as running:
        given = {
            "host": "localhost",
            "port": str(running.port),
            "user": "tree",
            "password": "a heron",
            "sender": "Tree <tree@example.org>",
        }
        for name, value in given.items():
            monkeypatch.setenv(VARIABLES[name], value)
        yield running


@pytest.fixture
def mailer(tools: Tools, server: MailServer) -> DigestMailer:
    settings = mail_settings()
    assert settings is not None
    return DigestMailer(tools.workspace, tools.chats, tools.accounts, settings, ADDRESS)


@pytest.fixture
def member(tools: Tools, source: Source) -> Tools:
    """Who follows the glossary and wants to be told daily."""
    seen = tools_of(MEMBER)
    follow(seen, "place", f"{source.id}/glossary.md", "Glossary")
    seen.accounts.digests.choose(seen.principal.person_id, "daily")
    return seen


def change(
    tools: Tools, source: Source, folder: Path, text: str = "# Glossary\n\n**Drift**: a secret of 61,000 crowns.\n"
) -> None:
    write(folder, "glossary.md", text)
    read_again(tools, source)


def tomorrow() -> float:
    return time.time() + 86_400


def served() -> TestClient:
    return TestClient(Starlette(routes=all_routes(), middleware=middleware()), base_url="http://127.0.0.1")


# ---- sending


def test_what_changed_is_sent_encrypted_to_whoever_follows_it_once(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    assert mailer.send_due(time.time()) == 0, "not yet"
    assert mailer.send_due(tomorrow()) == 1 and server.encrypted == [True]
    [(to, message)] = server.messages
    text = message.get_content()
    assert to == MEMBER and message["From"] == "Tree <tree@example.org>" and "lossary" not in message["Subject"]
    assert "Glossary was changed" in text and f"{ADDRESS}/tree?at={source.id}%2Fglossary.md" in text
    assert "crowns" not in message.as_string(), "no word of a document"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mailer.send_due(tomorrow() + 86_400) == 0, "nothing changed since"


def test_an_e_mail_names_the_question_and_what_it_cites_and_holds_neither_text(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    """As docs/security.md says of every e-mail that is sent."""
    turn = answered(member, "What is drift?")
    follow(member, "answer", turn.id, turn.question)
    change(tools, source, folder)
    assert mailer.send_due(tomorrow()) == 1
    [(_, message)] = server.messages
    text = message.get_content()
    assert "What is drift?" in text and "[1] Glossary was edited where it is cited" in text
    assert "between a change" in turn.answer["answer"] and "between a change" not in text and "crowns" not in text
    assert "drift" not in message["Subject"]


def test_a_line_of_a_ticket_is_told_with_its_values() -> None:
    followed = Follow(id=1, person_id="ben", kind="place", target="s/1", title="Board", created_at=0.0, seen_at=0.0)
    line = Change(1.0, "Rafael: status from Open to Done", "s/1")
    assert "Rafael: status from Open to Done" in digest_text([News(followed, "Board", changes=(line,))], ADDRESS)


def test_nothing_of_what_one_may_not_see_any_more_is_sent(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    tools.admin.set_audience(source.id, [])
    assert mailer.send_due(tomorrow()) == 0 and server.messages == []


def test_somebody_who_was_deactivated_gets_none(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    tools.admin.set_active(member.principal.person_id, False)
    assert mailer.send_due(tomorrow()) == 0 and server.messages == []


def test_one_that_fails_is_tried_again_and_admins_are_told(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    server.refuses = "550 no such box"
    now = tomorrow()
    assert mailer.send_due(now) == 0 and mailer.send_due(now) == 0, "not at once"
    [failing] = tools.accounts.digests.failing()
    assert failing.tries == 1 and "does not take" in failing.error
    assert "E-mails to 1 person could not be sent" in "".join(one.value for one in page("admin", ADMIN).run().warning)
    assert mailer.send_due(now + 301) == 0 and tools.accounts.digests.failing()[0].tries == 2
    server.refuses = ""
    assert mailer.send_due(now + 3_600) == 1 and len(server.messages) == 1 and tools.accounts.digests.failing() == []


def test_the_link_that_ends_them_stands_in_its_header_letter_by_letter(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder, "# Größen\n\nOther words.\n")
    assert mailer.send_due(tomorrow()) == 1
    token = member.accounts.digests.of(member.principal.person_id).token
    head, _, body = server.written[0].partition(b"\r\n\r\n")
    assert f"List-Unsubscribe: <{ADDRESS}/unsubscribe/{token}>" in head.decode("ascii").split("\r\n")
    assert body.isascii() and "Größen was changed" in server.messages[0][1].get_content()


def test_names_and_passwords_may_have_any_letter(tools: Tools, source: Source, folder: Path, member: Tools, server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    server.password = "ein Gänsehals"
    monkeypatch.setenv(VARIABLES["password"], server.password)
    monkeypatch.setenv(VARIABLES["sender"], "Bäume, die wissen <tree@example.org>")
    change(tools, source, folder)
    settings = mail_settings()
    assert settings is not None
    assert DigestMailer(tools.workspace, tools.chats, tools.accounts, settings, ADDRESS).send_due(tomorrow()) == 1
    [sender] = server.messages[0][1]["From"].addresses
    assert (sender.display_name, sender.addr_spec) == ("Bäume, die wissen", "tree@example.org")


def test_a_server_that_lets_nobody_in_is_asked_once_and_not_for_each_person(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    follow(tools, "place", f"{source.id}/glossary.md", "Glossary")
    tools.accounts.digests.choose(tools.principal.person_id, "daily")
    change(tools, source, folder)
    server.password, now = "another one", tomorrow()
    assert mailer.send_due(now) == 0 and server.refused == 1
    assert [one.tries for one in tools.accounts.digests.failing()] == [1, 1]
    server.password = "a heron"
    assert mailer.send_due(now + 400) == 2


def test_a_server_that_asks_to_come_again_is_told_so(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    server.refuses, now = "450 4.2.0 Greylisted, try later.", tomorrow()
    assert mailer.send_due(now) == 0
    [failing] = tools.accounts.digests.failing()
    assert failing.error == "localhost does not take this e-mail now: 450 4.2.0 Greylisted, try later."


def test_one_that_was_taken_is_sent_whatever_the_server_says_at_the_end(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    server.parts = "421 too busy for that"
    assert mailer.send_due(tomorrow()) == 1 and tools.accounts.digests.failing() == []


def test_one_that_is_sent_again_as_it_was_not_noted_is_known_by_its_id(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    digests, now = tools.accounts.digests, tomorrow()
    before = digests.of(member.principal.person_id)
    assert mailer.send_due(now) == 1
    digests.mark_sent(before, before.sent_until)  # as if whoever sent it had been killed before it was noted
    assert mailer.send_due(now) == 1
    first, again = (message["Message-ID"] for _, message in server.messages)
    assert first == again
    write(folder, "glossary.md", "# Terms\n\nOther words.\n")
    read_again(tools, source)
    digests.mark_sent(before, before.sent_until)
    assert mailer.send_due(now) == 1
    assert server.messages[-1][1]["Message-ID"] != first, "it tells more"


def test_whoever_is_told_to_stop_begins_no_other_one(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    change(tools, source, folder)
    assert mailer.send_due(tomorrow(), lambda: True) == 0 and server.messages == []


def test_a_fault_with_one_of_them_keeps_nobody_else_from_theirs(tools: Tools, source: Source, folder: Path, member: Tools, mailer: DigestMailer, server: MailServer) -> None:  # fmt: skip
    class Faulty(DigestMailer):
        def _message(self, digest: Digest, now: float) -> EmailMessage | None:
            if digest.person_id == tools.principal.person_id:
                raise LookupError("a fault")
            return super()._message(digest, now)

    follow(tools, "place", f"{source.id}/glossary.md", "Glossary")
    tools.accounts.digests.choose(tools.principal.person_id, "daily")
    change(tools, source, folder)
    faulty = Faulty(tools.workspace, tools.chats, tools.accounts, mailer.settings, ADDRESS)
    assert faulty.send_due(tomorrow()) == 1 and [to for to, _ in server.messages] == [MEMBER]
    [failing] = tools.accounts.digests.failing()
    assert failing.person_id == tools.principal.person_id and "inside the app" in failing.error


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"password": "wrong"}, "refused the user name or password (535 no)"),
        ({"port": "1"}, "port 1"),
        ({"SSL_CERT_FILE": "/dev/null"}, "ertificate"),
        ({"host": "mail..example.org"}, "mail..example.org"),
    ],
)
def test_why_it_could_not_be_sent_is_said(tools: Tools, source: Source, folder: Path, member: Tools, server: MailServer, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], words: str) -> None:  # fmt: skip
    for name, value in changed.items():
        monkeypatch.setenv(VARIABLES.get(name, name), value)
    change(tools, source, folder)
    settings = mail_settings()
    assert settings is not None
    DigestMailer(tools.workspace, tools.chats, tools.accounts, settings, ADDRESS).send_due(tomorrow())
    assert words in tools.accounts.digests.failing()[0].error and server.messages == []


def test_no_server_means_no_choice_and_bad_settings_are_said(
    tools: Tools, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mail_settings() is None and "digest-" not in str(page("following").run().main)
    monkeypatch.setenv(VARIABLES["host"], "mail.example.org")
    for name, value, said in (
        ("sender", "nobody", "SMTP_FROM"), ("sender", "a b@example.org", "SMTP_FROM"), ("sender", "Tree <tree@example.org", "SMTP_FROM"),
        ("sender", "a@b.c\r\nBcc: x@y.z", "SMTP_FROM"), ("port", "x", "SMTP_PORT"), ("security", "no", "SMTP_SECURITY"),
    ):  # fmt: skip
        monkeypatch.setenv(VARIABLES["sender"], "tree@example.org")
        with monkeypatch.context() as other:
            other.setenv(VARIABLES[name], value)
            with pytest.raises(MailError, match=said):
                mail_settings()
    monkeypatch.setenv(VARIABLES["user"], "tree")
    monkeypatch.setenv(VARIABLES["security"], "none")
    with pytest.raises(MailError, match="in the clear"):
        mail_settings()


# ---- choosing and ending


def test_people_choose_how_often_on_the_page(tools: Tools, source: Source, server: MailServer) -> None:
    person = tools.principal.person_id
    app = page("following").run()
    assert "digest-off" in str(app.main)
    app.get_by_key("digest-off").set_value("weekly").run()
    assert tools.accounts.digests.of(person).every == "weekly"
    app.get_by_key("digest-weekly").set_value("off").run()
    assert tools.accounts.digests.of(person) is None


def test_one_click_without_a_session_ends_them_and_opening_the_link_does_not(member: Tools) -> None:
    person = member.principal.person_id
    client, token = served(), member.accounts.digests.of(person).token
    opened = client.get(f"/unsubscribe/{token}")
    assert opened.status_code == 200 and member.accounts.digests.of(person) is not None
    ended = client.post(f"/unsubscribe/{token}", data={"List-Unsubscribe": "One-Click"})
    assert ended.status_code == 200 and member.accounts.digests.of(person) is None
    assert client.post("/unsubscribe/guess").text == ended.text, "nobody learns whether there is such a token"
    refused = client.post(f"/unsubscribe/{token}", headers={"Origin": "https://evil.example"})
    assert refused.status_code == 403


def test_an_unsubscribe_link_of_before_does_not_end_those_chosen_anew(member: Tools) -> None:
    person, digests = member.principal.person_id, member.accounts.digests
    before = digests.of(person).token
    digests.choose(person, None)
    digests.choose(person, "weekly")
    digests.end(before)
    assert digests.of(person).every == "weekly"


def test_when_the_next_one_is_due() -> None:
    at = datetime(2026, 11, 25, 6, 0, tzinfo=UTC)  # a Wednesday
    assert datetime.fromtimestamp(next_due("daily", at.timestamp()), UTC) == at.replace(day=26)
    assert datetime.fromtimestamp(next_due("daily", at.timestamp() - 1), UTC) == at
    assert datetime.fromtimestamp(next_due("weekly", at.timestamp()), UTC) == at.replace(day=30)


def test_two_processes_do_not_send_the_same_one(member: Tools) -> None:
    digests, now = member.accounts.digests, tomorrow()
    assert digests.take_due(now) is not None and digests.take_due(now) is None
    assert digests.take_due(now + 901) is not None, "whoever took it has died"
