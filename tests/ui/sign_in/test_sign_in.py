"""Signing in with a password and with links: who gets in, who is slowed down, and what nobody can find out."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.databases import break_audit_log
from tests.ui.people import ADMIN, MEMBER, PASSWORD, token_of
from tree.accounts.accounts import Accounts
from tree.accounts.tokens import id_of
from ui.server import tools as opened
from ui.server.middleware import middleware
from ui.server.rate_limit import RateLimit, network_of
from ui.sign_in import routes
from ui.sign_in.browser_session import local_path

HERE = "http://127.0.0.1"


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet(home: Path, _cheap_passwords: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An app with an admin and a member, each with a password."""
    for name in ("_guesses", "_account_guesses", "_address_guesses"):
        limit: RateLimit = getattr(routes, name)
        monkeypatch.setattr(routes, name, RateLimit(limit.tries, limit.seconds))
    token_of(ADMIN, password=PASSWORD)
    token_of(MEMBER, password=PASSWORD)
    yield


def accounts() -> Accounts:
    return opened.tools().accounts


def app() -> Starlette:
    return Starlette(
        routes=[*routes.routes(), Route("/{rest:path}", lambda _: PlainTextResponse("page"))], middleware=middleware()
    )


def browser(address: str = "192.0.2.1", base: str = HERE) -> TestClient:
    return TestClient(app(), base_url=base, follow_redirects=False, client=(address, 50_000))


def guess(client: TestClient, email: str = ADMIN, password: str = "not the password", **form: str) -> Any:
    return client.post("/sign-in", data={"email": email, "password": password, **form})


# ---- in and out


def test_the_right_password_signs_in_and_leads_on(home: Path) -> None:
    client = browser()
    answer = guess(client, ADMIN.upper(), PASSWORD, next="/tree?at=x")
    assert (answer.status_code, answer.headers["location"]) == (303, "/tree?at=x")
    assert answer.headers["cache-control"] == "no-store" and client.get("/").text == "page"


@pytest.mark.parametrize(("base", "is_tls"), [("http://127.0.0.1", False), ("https://127.0.0.1", True)])
def test_the_cookie_cannot_be_read_by_a_script_nor_sent_by_another_site(base: str, is_tls: bool) -> None:
    flags = guess(browser(base=base), password=PASSWORD).headers["set-cookie"]
    assert "HttpOnly" in flags and "SameSite=lax" in flags and "Path=/" in flags and "Domain" not in flags
    assert ("Secure" in flags) is is_tls and flags.startswith("__Host-knowledge_tree_") is is_tls


def test_a_session_that_was_foisted_on_a_browser_is_not_the_one_it_gets(home: Path) -> None:
    """Session fixation: neither a made-up token is taken, nor one of the attacker's own account kept."""
    attackers = token_of(MEMBER)
    name = guess(browser(), password=PASSWORD).headers["set-cookie"].partition("=")[0]
    for token in ("chosen-by-somebody-else", attackers):
        client = browser()
        client.headers["cookie"] = f"{name}={token}"
        given = guess(client, password=PASSWORD).headers["set-cookie"].partition("=")[2].partition(";")[0]
        assert given != token and accounts().sessions.find(given).email == ADMIN
    assert accounts().sessions.find(attackers) is None, "the one the browser had before has ended"


@pytest.mark.parametrize(
    "wanted",
    ["//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "\t//evil.example", "https://evil.example",
     "https:evil.example", "http:///evil.example", "//evil.example\\@127.0.0.1", "/%09/evil.example\n", "javascript:alert(1)",
     "data:text/html,x", "@evil.example", "evil.example", ".evil.example", "/sign-in", "/sign-in/with/oidc", "/link/x",
     "/_stcore/stream", "/" + "a" * 2_000, "///evil.example", "/\u2028/evil.example", "", " /x", "/\x00"],
)  # fmt: skip
def test_nobody_is_led_to_another_site(wanted: str) -> None:
    assert local_path(wanted) == "/"
    client = browser()
    assert guess(client, password=PASSWORD, next=wanted).headers["location"] == "/"
    assert client.get(f"/sign-in?next={quote(wanted, safe='')}").headers["location"] == "/"


@pytest.mark.parametrize(
    "wanted", ["/tree?at=a%2Fb", "/?c=42#t", "/%2f%2fevil.example", "/@evil.example", "/%5cevil.example", "/a//b"]
)
def test_a_page_of_ours_is_led_to_as_it_was_written(wanted: str) -> None:
    """What is encoded stays so: a browser takes these for paths on our host."""
    assert local_path(wanted) == wanted


def test_an_address_that_was_copied_from_a_page_is_the_same() -> None:
    """Pages have a word joiner in it, which nobody sees; tries with it count for the same account."""
    copied = ADMIN.replace("@", "\u2060@")
    assert guess(browser(), f" {copied} ", PASSWORD).status_code == 303
    client = browser()
    for number in range(6):
        guess(client, copied if number % 2 else ADMIN)
    assert guess(client, copied.replace("\u2060", "\u2060\u2060"), PASSWORD).status_code == 429


# ---- what nobody can find out


def test_the_words_are_the_same_whether_there_is_somebody_or_not() -> None:
    accounts().people.add("without@example.org", "Without a password", subject="https://id.example.org x")
    gone = accounts().people.add("gone@example.org", "Gone", PASSWORD)
    accounts().people.set_active(gone.id, False)
    said = {
        guess(browser(), email, password).text.replace(email, "")
        for email, password in (
            (MEMBER, "not the password"),
            ("unknown@example.org", PASSWORD),
            ("without@example.org", PASSWORD),
            ("without@example.org", ""),
            ("gone@example.org", PASSWORD),
            ("gone@example.org", "x"),
            ("no address", PASSWORD),
        )  # fmt: skip
    }
    assert len(said) == 1 and routes.WRONG in said.pop()


def test_it_takes_as_long_whether_there_is_somebody_or_not(monkeypatch: pytest.MonkeyPatch, full_cost_passwords: None) -> None:
    for name in ("_guesses", "_account_guesses", "_address_guesses"):
        monkeypatch.setattr(routes, name, RateLimit(1_000, 1))
    accounts().people.add("without@example.org", "Without a password", subject="https://id.example.org x")
    client, took = browser(), {MEMBER: [], "unknown@example.org": [], "without@example.org": []}
    for _ in range(9):
        for email, times in took.items():
            began = time.process_time()
            guess(client, email)
            times.append(time.process_time() - began)
    middle = {email: statistics.median(times) for email, times in took.items()}
    assert max(middle.values()) < 1.5 * min(middle.values()), middle


def test_the_reply_does_not_wait_for_the_note_that_is_written_of_somebody_there_is() -> None:
    """Writing takes longer than not writing; and while others write, much longer."""
    replied = threading.Event()
    sent: list[dict[str, Any]] = []

    async def ask() -> None:
        body = f"email={quote(MEMBER)}&password=x".encode()
        incoming = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return incoming.pop() if incoming else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                replied.set()

        scope = {
            "type": "http", "method": "POST", "path": "/sign-in", "raw_path": b"/sign-in", "query_string": b"", "scheme": "http",
            "headers": [(b"host", b"127.0.0.1")], "client": ("192.0.2.1", 1), "server": ("127.0.0.1", 80), "http_version": "1.1", "root_path": "",
        }  # fmt: skip
        await app()(scope, receive, send)

    before = len(accounts().audit.entries())
    thread = threading.Thread(target=lambda: asyncio.run(ask()))
    with opened.tools().workspace.database.write():
        thread.start()
        assert replied.wait(20), "it waited"
    thread.join()
    assert sent[0]["status"] == 401 and len(accounts().audit.entries()) == before + 1


def test_the_log_never_says_what_a_stranger_typed(home: Path) -> None:
    guess(browser(), "my password by mistake", "x")
    assert "mistake" not in accounts().audit.as_csv()


# ---- who is slowed down


def test_one_address_guesses_one_account_a_few_times_a_minute() -> None:
    client = browser()
    statuses = [guess(client).status_code for _ in range(8)]
    assert statuses == [401] * 6 + [429] * 2
    assert guess(client, password=PASSWORD).status_code == 429, "not even the right one"
    assert guess(client, MEMBER, PASSWORD).status_code == 303
    assert guess(browser("192.0.2.2"), password=PASSWORD).status_code == 303


def test_many_addresses_that_guess_one_account_are_slowed_down_together() -> None:
    statuses = [guess(browser(f"198.51.100.{number}")).status_code for number in range(62)]
    assert statuses[:60] == [401] * 60 and statuses[60:] == [429] * 2


def test_one_address_that_tries_many_names_is_slowed_down() -> None:
    client = browser()
    statuses = [guess(client, f"name{number}@example.org").status_code for number in range(62)]
    assert statuses == [401] * 60 + [429] * 2


def test_names_that_are_made_up_do_not_wipe_out_what_was_counted() -> None:
    limit = routes._account_guesses
    flood = browser("203.0.113.9")
    for number in range(300):
        guess(flood, f"name{number}@example.org")
    assert len(limit._tried) <= 60, "an address that is refused makes no new entries"


def test_the_addresses_of_one_network_count_as_one() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9%eth0") != network_of("2001:db8:1:3::1")
    assert network_of("192.0.2.1") != network_of("192.0.2.2") and network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("") == "" and network_of("testclient") == "testclient"
    statuses = [guess(browser(f"2001:db8::{number}"), f"name{number}@example.org").status_code for number in range(62)]
    assert statuses[-1] == 429


def test_upper_case_and_spaces_are_no_other_account() -> None:
    client = browser()
    statuses = [guess(client, email).status_code for email in (ADMIN, ADMIN.upper(), f" {ADMIN}", f"{ADMIN} ", ADMIN.title(), ADMIN, ADMIN)]  # fmt: skip
    assert statuses[-1] == 429


def test_links_are_not_guessed() -> None:
    client = browser()
    statuses = {client.get(f"/link/{number}").status_code for number in range(62)}
    assert statuses == {404, 429}


# ---- forms that are no good


@pytest.mark.parametrize(
    "body", [b"a=b&" * 5_000, b"email=" + b"a" * 100_000, b"\xff\xfe=\x00", b"", b"email=a&email=b&password", b"&" * 8_000, b"[]"]
)
def test_a_form_that_is_no_good_signs_nobody_in(body: bytes) -> None:
    answer = browser().post("/sign-in", content=body, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 401 and "set-cookie" not in answer.headers


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_are_refused(method: str) -> None:
    assert browser().request(method, "/sign-in").status_code == 405
    assert browser().request(method, "/link/x").status_code == 405


XSS = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def test_nothing_that_was_typed_becomes_markup() -> None:
    answer = guess(browser(), XSS, next="/" + XSS)
    assert "<script" not in answer.text and "<img" not in answer.text and "&lt;script&gt;" in answer.text
    link = accounts().links.for_invitation("eve@example.org", XSS)
    page = browser().get(f"/link/{link}")
    assert "<script" not in page.text and "<img" not in page.text
    assert browser().get(f"/link/{quote(XSS)}").status_code == 404
    refused = browser().post(f"/link/{link}", data={"name": XSS, "password": "short"})
    assert refused.status_code == 400 and "<script" not in refused.text


# ---- links


def test_looking_at_a_link_does_not_use_it_up_and_a_second_use_does_nothing() -> None:
    link = accounts().links.for_sign_in(accounts().people.with_email(MEMBER).id)
    assert browser().get(f"/link/{link}").status_code == 200 and browser().head(f"/link/{link}").status_code == 200
    client = browser()
    assert client.post(f"/link/{link}").status_code == 303 and client.get("/").text == "page"
    assert browser().post(f"/link/{link}").status_code == 404


def test_nobody_joins_or_signs_in_without_a_line_in_the_audit_log() -> None:
    link = accounts().links.for_invitation("eve@example.org", "Eve")
    break_audit_log(accounts().audit.database)
    client = browser()
    for attempt in (
        lambda: client.post(f"/link/{link}", data={"name": "Eve", "password": PASSWORD}),
        lambda: guess(client, password=PASSWORD),
    ):
        with pytest.raises(sa.exc.IntegrityError, match="the audit log is broken"):
            attempt()
    assert accounts().people.with_email("eve@example.org") is None and accounts().links.look(link) is not None
    assert len(accounts().sessions.of(accounts().people.with_email(ADMIN).id)) == 1, "the one that this test began with"


def test_an_address_that_another_account_has_is_not_taken_by_an_invitation() -> None:
    link = accounts().links.for_invitation()
    answer = browser().post(f"/link/{link}", data={"email": ADMIN, "name": "Eve", "password": "nine barrels of tar"})
    assert answer.status_code == 400 and accounts().people.signed_in_with(ADMIN, PASSWORD)
    assert accounts().links.look(link) is not None


def test_a_session_ends_for_every_tab_at_once() -> None:
    client = browser()
    guess(client, password=PASSWORD)
    [token] = client.cookies.values()
    accounts().sessions.end(id_of(token))
    assert client.get("/", headers={"accept": "text/html"}).headers["location"] == "/sign-in"


def test_a_link_for_somebody_else_says_who_is_signed_in_before_it_takes_their_place(home: Path) -> None:
    client = browser()
    guess(client, password=PASSWORD)
    links, member = accounts().links, accounts().people.with_email(MEMBER)
    assert member is not None
    invitation = client.get(f"/link/{links.for_invitation('cy@example.org', '')}").text
    assert "This browser is signed in as Ada" in invitation
    assert "signed in as" in client.get(f"/link/{links.for_reset(member.id)}").text
    own = accounts().people.with_email(ADMIN)
    assert own is not None and "signed in as" not in client.get(f"/link/{links.for_reset(own.id)}").text
    assert "signed in as" not in browser().get(f"/link/{links.for_reset(own.id)}").text
