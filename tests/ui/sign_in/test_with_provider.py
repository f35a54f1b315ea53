"""Signing in with an identity provider: who gets in, as whom, and every reply that must be refused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.ui.people import ADMIN, PASSWORD, token_of
from tests.ui.sign_in.identity_provider import IdentityProvider, running
from tree.accounts.accounts import Accounts
from tree.accounts.models import Person
from tree.accounts.tokens import id_of
from ui.server import tools as opened
from ui.server.middleware import middleware
from ui.sign_in import oidc, with_provider
from ui.sign_in import routes as routes_sign_in

HERE = "http://127.0.0.1"
CARLA = {"sub": "f:1:carla", "email": "Carla@harbour.example", "email_verified": True, "name": "Carla Quist"}
Start = Callable[..., TestClient]


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    with running() as started:
        started.claims = dict(CARLA)
        yield started


@pytest.fixture
def start(home: Path, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Begins an app with these settings of the provider, which has an admin, and gives a browser that nobody uses yet."""

    def begin(*, has_admin: bool = True, **settings: str) -> TestClient:
        for name, value in provider.environment(**settings).items():
            monkeypatch.setenv(name, value)
        opened.close()
        if has_admin:
            token_of(ADMIN)
        return browser()

    return begin


def browser() -> TestClient:
    app = Starlette(
        routes=[*routes_sign_in.routes(), Route("/{rest:path}", lambda request: PlainTextResponse("page"))],
        middleware=middleware(),
    )  # fmt: skip
    return TestClient(app, base_url=HERE, follow_redirects=False)


def accounts() -> Accounts:
    return opened.tools().accounts


def go(client: TestClient, path: str = "/sign-in/with/oidc") -> str:
    """Is sent to the provider, signs in there, and is sent back here: to this address."""
    sent = client.get(path)
    assert sent.status_code == 303, sent.text
    return httpx.get(sent.headers["location"]).headers["location"]


def sign_in(client: TestClient, path: str = "/sign-in/with/oidc") -> Response:
    return client.get(go(client, path))


def signed_in(client: TestClient) -> Person:
    """Who is signed in in this browser."""
    for name, value in client.cookies.items():
        if (found := accounts().sessions.find(value)) is not None and name:
            person = accounts().people.get(found.principal.person_id)
            assert person is not None
            return person
    raise AssertionError("nobody")


def is_refused(client: TestClient, answer: Any, words: str) -> bool:
    """Refused in these words, with nobody signed in and nobody made."""
    assert answer.status_code in (400, 403, 502) and words in answer.text, answer.text
    assert [person.email for person in accounts().people.all()] == [ADMIN]
    return client.get("/", headers={"accept": "text/html"}).headers.get("location", "").startswith("/sign-in")


# ---- who gets in


def test_somebody_of_a_domain_joins_and_comes_back_as_the_same_person(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="harbour.example")
    assert "Sign in with Harbour ID" in client.get("/sign-in").text
    answer = sign_in(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    carla = signed_in(client)
    assert (carla.email, carla.name, carla.password, carla.is_admin) == ("carla@harbour.example", "Carla Quist", None, False)
    assert client.get("/").text == "page"
    provider.claims["email"] = "carla.berg@harbour.example"  # who is known by the subject keeps the account
    other = browser()
    sign_in(other)
    assert signed_in(other).id == carla.id
    said = [entry.action for entry in accounts().audit.entries() if entry.person_id == carla.id]
    assert said == ["signed in with Harbour ID", "signed in with Harbour ID", "person joined"]


def test_where_somebody_wanted_to_go_is_kept(start: Start) -> None:
    client = start(DOMAINS="*")
    page = client.get("/?c=42&x=a%20b", headers={"accept": "text/html"}).headers["location"]
    assert "/sign-in/with/oidc?next=" in (form := client.get(page).text)
    link = form.partition('href="/sign-in/with')[2].partition('"')[0]
    assert sign_in(client, f"/sign-in/with{link}").headers["location"] == "/?c=42&x=a%20b"


@pytest.mark.parametrize(
    "next_", ["https://evil.example/", "//evil.example", "/\\evil.example", "/\t/evil.example", "%2f%2fevil.example", "/\r\nSet-Cookie: a=b",
              "/sign-in", "javascript:alert(1)", "http:evil.example", "/" + "a" * 5_000, "@evil.example", "///evil.example", "\\\\evil.example"]
)  # fmt: skip
def test_nobody_is_led_elsewhere_afterwards(start: Start, next_: str) -> None:
    client = start(DOMAINS="*")
    assert sign_in(client, f"/sign-in/with/oidc?next={quote(next_, safe='')}").headers["location"] == "/"


def test_the_session_is_shorter_than_one_of_a_password_and_replaces_the_one_before(start: Start) -> None:
    client = start(DOMAINS="*", HOURS="2")
    sign_in(client)
    [session] = accounts().sessions.of(signed_in(client).id)
    assert session.ends_at == pytest.approx(time.time() + 7_200, abs=60)
    sign_in(client)
    [second] = accounts().sessions.of(signed_in(client).id)
    assert second.id != session.id


def test_without_a_domain_only_who_is_invited_joins(start: Start) -> None:
    client = start()
    assert is_refused(client, sign_in(client), "Nobody has invited")
    crew = accounts().people.add_group("Crew")
    accounts().links.for_invitation("carla@HARBOUR.example", "C", groups=[crew], is_admin=True)
    assert sign_in(client).status_code == 303
    carla = signed_in(client)
    assert carla.is_admin and accounts().people.groups_of(carla.id) == {crew}


def test_an_invitation_by_link_is_taken_up_with_the_provider_once(start: Start, provider: IdentityProvider) -> None:
    client = start(ONLY="1")
    token = accounts().links.for_invitation(name="The new one")
    page = client.get(f"/link/{token}").text
    assert f"/sign-in/with/oidc?invitation={token}" in page and "<form" not in page
    assert client.post(f"/link/{token}", data={"email": "x@y.example", "name": "X", "password": PASSWORD}).status_code == 403
    assert sign_in(client, f"/sign-in/with/oidc?invitation={token}").status_code == 303
    assert signed_in(client).email == "carla@harbour.example"
    provider.claims |= {"sub": "another", "email": "dora@harbour.example"}
    assert "Nobody has invited" in sign_in(browser(), f"/sign-in/with/oidc?invitation={token}").text


def test_an_invitation_of_an_address_is_not_for_who_merely_claims_it(start: Start, provider: IdentityProvider) -> None:
    client = start()
    provider.claims["email_verified"] = False
    accounts().links.for_invitation("carla@harbour.example", "Carla", is_admin=True)
    assert is_refused(client, sign_in(client), "does not say that the e-mail address is yours")


def test_the_set_up_link_can_be_used_with_the_provider(start: Start) -> None:
    client = start(has_admin=False)
    link = accounts().links.for_setup()
    assert sign_in(client, f"/sign-in/with/oidc?invitation={link}").status_code == 303
    assert signed_in(client).is_admin


def test_the_first_of_the_group_of_admins_sets_up_the_app(start: Start, provider: IdentityProvider) -> None:
    client = start(has_admin=False, DOMAINS="*", ADMIN_GROUP="/team/leads")
    provider.claims["groups"] = ["/team/leads"]
    assert "Sign in with Harbour ID" in client.get("/sign-in").text
    sign_in(client)
    assert signed_in(client).is_admin


# ---- accounts that are there already


def test_an_account_is_linked_by_an_address_that_is_verified_and_its_password_ends(start: Start) -> None:
    client = start()
    carla = accounts().people.add("carla@harbour.example", "Carla", PASSWORD)
    before, token = accounts().sessions.start(carla.id), accounts().tokens.add(carla.id, "script")
    sign_in(client)
    assert signed_in(client).id == carla.id
    assert accounts().people.signed_in_with("carla@harbour.example", PASSWORD) is None
    assert accounts().sessions.find(before) is None and accounts().tokens.principal(token, accounts().people) is None


@pytest.mark.parametrize("verified", [False, None, "false", 0, "yes", []])
def test_an_address_that_is_not_verified_links_nothing(start: Start, provider: IdentityProvider, verified: object) -> None:
    client = start(DOMAINS="*")
    provider.claims |= {"email": ADMIN, "email_verified": verified}
    assert is_refused(client, sign_in(client), "does not say that the e-mail address is yours")
    assert accounts().people.with_email(ADMIN).subject is None


def test_an_address_of_a_provider_that_lets_nobody_choose_one_is_taken(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*", TRUST_EMAIL="1")
    del provider.claims["email_verified"]
    assert sign_in(client).status_code == 303


def test_an_account_with_another_subject_is_not_taken_over(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    sign_in(client)
    carla = signed_in(client)
    provider.claims["sub"] = "somebody who got the address later"
    other = browser()
    assert "belongs to another account" in sign_in(other).text
    assert accounts().people.get(carla.id).subject.endswith(" f:1:carla")


def test_somebody_who_was_deactivated_is_refused_by_subject_and_by_address(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    sign_in(client)
    accounts().people.set_active(signed_in(client).id, False)
    assert "deactivated" in sign_in(browser()).text
    dora = accounts().people.add("dora@harbour.example", "Dora", PASSWORD)
    accounts().people.set_active(dora.id, False)
    provider.claims |= {"sub": "dora", "email": "dora@harbour.example"}
    assert "deactivated" in sign_in(browser()).text and accounts().people.get(dora.id).subject is None


# ---- groups and admins


def test_groups_come_and_go_with_the_claims_and_those_set_by_hand_stay(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    by_hand, quay = accounts().people.add_group("Divers"), accounts().people.add_group("/team/quay")
    provider.claims["groups"] = ["/team/quay", "/team/crane", " /team/quay", "", 7, "x" * 400, "a\nb"]
    sign_in(client)
    carla = signed_in(client).id

    def names() -> set[str]:
        known = accounts().people.groups()
        return {known[id_] for id_ in accounts().people.groups_of(carla)}

    assert names() == {"/team/quay", "/team/crane"} and quay in accounts().people.claimed_groups_of(carla)
    accounts().people.set_groups(carla, [by_hand])
    assert names() == {"/team/quay", "/team/crane", "Divers"}, "an admin cannot take away what the provider says"
    provider.claims["groups"] = ["/team/crane", "Divers"]
    sign_in(client)
    assert names() == {"/team/crane", "Divers"}
    del provider.claims["groups"]
    sign_in(client)
    assert names() == {"Divers"}, "set by hand, though the provider said so too"


def test_a_group_of_admins_makes_admins_and_unmakes_them_but_for_the_last(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*", ADMIN_GROUP="/team/leads", GROUPS_CLAIM="resource.roles")
    provider.claims["resource"] = {"roles": ["/team/leads"]}
    sign_in(client)
    carla = signed_in(client)
    assert carla.is_admin
    provider.claims["resource"] = {"roles": ["/team/leads/former"]}
    sign_in(client)
    assert not signed_in(client).is_admin
    accounts().people.set_admin(carla.id, True)
    accounts().people.set_admin(accounts().people.with_email(ADMIN).id, False)
    sign_in(client)
    assert signed_in(client).is_admin
    assert {"person made an admin", "person is no admin any more"} <= {entry.action for entry in accounts().audit.entries()}


def test_what_the_id_token_does_not_say_is_asked_for(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="harbour.example")
    provider.claims, provider.userinfo = {"sub": "f:1:carla"}, {**CARLA, "groups": ["quay"]}  # as Authelia says it
    sign_in(client)
    assert list(accounts().people.groups().values()) == ["quay"] and signed_in(client).email == "carla@harbour.example"


def test_what_is_asked_for_must_be_of_the_same_person(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    provider.claims, provider.userinfo = {"sub": "somebody"}, dict(CARLA)
    assert is_refused(client, sign_in(client), "could not be verified")


def test_a_verified_address_of_one_reply_does_not_verify_that_of_another(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    provider.claims, provider.userinfo = {"sub": "f:1:carla", "email": ADMIN}, dict(CARLA)
    assert is_refused(client, sign_in(client), "does not say that the e-mail address is yours")


def test_a_provider_without_groups_and_with_a_hosted_domain(start: Start, provider: IdentityProvider) -> None:
    """Google's shape: an issuer without a path; anybody can have an account there with an address of any domain."""
    provider.realm = ""
    client = start(DOMAINS="harbour.example")
    provider.claims["hd"] = "other.example"
    assert is_refused(client, sign_in(client), "Nobody has invited")
    provider.claims["hd"] = "harbour.example"
    assert sign_in(client).status_code == 303 and accounts().people.groups() == {}


# ---- attacks


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "of another sign-in"}, {"nonce": None}, {"aud": "another app"}, {"aud": ["another app"]}, {"aud": None},
        {"aud": ["knowledge-tree", "another app"]}, {"azp": "another app"}, {"exp": 1_700_000_000}, {"exp": None}, {"exp": "never"},
        {"iss": "https://evil.example/realms/team"}, {"iss": None}, {"iss": "other realm"}, {"sub": None}, {"sub": ""},
        {"iat": 4_000_000_000}, {"nbf": 4_000_000_000}, {"at_hash": "of another token"},
    ],
    ids=str,
)  # fmt: skip
def test_a_token_with_a_wrong_claim_is_refused(start: Start, provider: IdentityProvider, wrong: dict[str, Any]) -> None:
    client = start(DOMAINS="*")
    provider.wrong = wrong
    assert is_refused(client, sign_in(client), "could not be verified")


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_without_a_signature_of_the_provider_is_refused(start: Start, provider: IdentityProvider, algorithm: str) -> None:
    client = start(DOMAINS="*")
    provider.algorithm = algorithm
    assert is_refused(client, sign_in(client), "could not be verified")


def test_a_token_signed_by_another_key_is_refused(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    provider.signed_by = RSAKey.generate_key(2048)
    assert is_refused(client, sign_in(client), "could not be verified")


def test_a_new_key_of_the_provider_is_found(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    sign_in(client)
    provider.changes_its_key()
    assert sign_in(browser()).status_code == 303
    assert provider.asked.count("/.well-known/openid-configuration") == 1, "kept meanwhile"


def test_a_provider_that_calls_itself_otherwise_is_refused(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    provider.says_issuer = "https://evil.example/realms/team"
    answer = client.get("/sign-in/with/oidc")
    assert answer.status_code == 502 and "could not be verified" in answer.text


def test_a_reply_in_the_name_of_another_issuer_is_refused(start: Start) -> None:
    client = start(DOMAINS="*")
    back = go(client).replace("iss=http", "iss=https")
    assert is_refused(client, client.get(back), "could not be verified")


def test_who_was_not_sent_from_here_does_not_come_back(start: Start) -> None:
    """A reply of the attacker's own sign-in, opened in somebody else's browser, signs nobody in."""
    client = start(DOMAINS="*")
    back = go(client)
    victim = browser()
    assert is_refused(victim, victim.get(back), "took longer than ten minutes")
    state = parse_qs(urlsplit(back).query)["state"][0]
    for forged in ("", "x", state[:-1], state + "x", "é", "a;b"):
        answer = client.get("/sign-in/with/oidc/callback", params={"state": forged, "code": "code"})
        assert is_refused(client, answer, "took longer than ten minutes")
    assert client.get(back).status_code == 303


def test_a_reply_is_used_once(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    sent = client.get("/sign-in/with/oidc")
    kept = dict(client.cookies)
    back = httpx.get(sent.headers["location"]).headers["location"]
    assert client.get(back).status_code == 303
    thief = browser()
    thief.cookies.update(kept)  # even with the cookie of before
    assert thief.get(back).status_code == 400
    assert client.get(back).headers["location"] == "/", "who goes back in the browser is still signed in"


def test_a_code_of_somebody_else_is_of_no_use(start: Start, provider: IdentityProvider) -> None:
    """PKCE and the nonce bind the code to the browser that asked for it."""
    client, attacker = start(DOMAINS="*"), browser()
    stolen = parse_qs(urlsplit(go(attacker)).query)["code"][0]
    back = urlsplit(go(client))
    own = parse_qs(back.query)
    answer = client.get(back.path, params={"state": own["state"][0], "code": stolen})
    assert is_refused(client, answer, "did not accept this sign-in")


def test_a_sign_in_that_took_too_long_is_over(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    client = start(DOMAINS="*")
    back = go(client)
    later = time.time() + 700
    monkeypatch.setattr("cryptography.fernet.time.time", lambda: later)
    assert client.get(back).status_code == 400


def test_what_is_kept_in_the_browser_cannot_be_read_or_made(start: Start) -> None:
    client = start(DOMAINS="*")
    sent = client.get("/sign-in/with/oidc?next=/private")
    asked = parse_qs(urlsplit(sent.headers["location"]).query)
    flags = sent.headers["set-cookie"].lower()
    assert "httponly" in flags and "samesite=lax" in flags and "max-age=600" in flags
    kept = "".join(client.cookies.values())
    assert asked["state"][0] not in kept and asked["nonce"][0] not in kept and "private" not in kept


def test_two_tabs_can_be_on_their_way_at_once(start: Start) -> None:
    client = start(DOMAINS="*")
    first, second = go(client, "/sign-in/with/oidc?next=/tree"), go(client, "/sign-in/with/oidc?next=/sources")
    assert client.get(first).headers["location"] == "/tree"
    assert client.get(second).headers["location"] == "/sources"


def test_what_the_provider_says_of_a_failure_is_not_put_on_the_page(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*")
    for provider.error, words in (("access_denied", "did not let you in"), ("<b>server_error", "could not sign you in")):
        answer = sign_in(client)
        assert words in answer.text and "evil" not in answer.text and "<b>" not in answer.text


# ---- when it is not there


def test_a_provider_that_is_down_is_said_with_what_to_do(start: Start, provider: IdentityProvider) -> None:
    client = start(DOMAINS="*", ISSUER="http://127.0.0.1:9/realms/team")
    answer = client.get("/sign-in/with/oidc")
    assert answer.status_code == 502 and "Harbour ID does not answer now. Try again in a minute" in answer.text


def test_a_provider_that_is_slow_is_not_waited_for(
    start: Start, provider: IdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = start(DOMAINS="*")
    settings = opened.tools().provider
    monkeypatch.setitem(with_provider._providers, settings, oidc.Provider(settings, seconds=0.3))
    back = go(client)
    provider.delay = threading.Event()
    try:
        assert is_refused(client, client.get(back), "does not answer now")
    finally:
        provider.delay.set()


def test_without_a_provider_there_is_no_such_page(home: Path) -> None:
    token_of(ADMIN)
    for path in ("/sign-in/with/oidc", "/sign-in/with/oidc/callback", "/sign-in/with/", "/sign-in/else", "/link/a/b"):
        assert browser().get(path).status_code == 404
    assert "Sign in with" not in browser().get("/sign-in").text


def test_passwords_can_be_turned_off(start: Start) -> None:
    client = start(ONLY="1", DOMAINS="*")
    accounts().people.add("carla@harbour.example", "Carla", PASSWORD)
    assert "password" not in client.get("/sign-in").text
    answer = client.post("/sign-in", data={"email": "carla@harbour.example", "password": PASSWORD})
    assert answer.status_code == 403 and "Sign in with Harbour ID" in answer.text and not client.cookies
    reset = accounts().links.for_reset(accounts().people.with_email("carla@harbour.example").id)
    assert client.post(f"/link/{reset}", data={"password": PASSWORD}).status_code == 403


def test_a_session_of_the_provider_ends_by_itself(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    client = start(DOMAINS="*", HOURS="1")
    sign_in(client)
    [session] = accounts().sessions.of(signed_in(client).id)
    later = time.time() + 3_700
    monkeypatch.setattr("tree.accounts.sessions.time.time", lambda: later)
    assert accounts().sessions.with_id(session.id) is None and id_of(session.id) != session.id
