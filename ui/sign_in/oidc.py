"""What is asked of the team's identity provider, and how its replies are checked (OpenID Connect Core 1.0, code flow).

PKCE (RFC 7636), the issuer in the reply (RFC 9207), and of an ID token the signature, issuer, audience, times and nonce.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import anyio
import httpx2
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from tree.accounts.provider_people import Identity
from tree.accounts.provider_settings import ProviderSettings

SECONDS = 10.0  # that the provider may take for one sign-in
KEPT_SECONDS = 3_600.0  # of what the provider says of itself
MOST_BYTES = 1_000_000  # of one reply
LEEWAY = 60  # seconds that the two clocks may differ
# with a public key alone: neither "none", nor a shared secret, for which the public key could be passed off
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")

log = logging.getLogger("knowledge-tree")


class ProviderError(Exception):
    """Nobody can be signed in now; the message says what to do."""


class Sent(NamedTuple):
    """What somebody was sent to the provider with, and must come back to."""

    state: str
    nonce: str
    verifier: str
    redirect_uri: str


class Provider:
    """One identity provider. What it says of itself is asked for once an hour, and its keys also when a new one is used."""

    def __init__(self, settings: ProviderSettings, seconds: float = SECONDS) -> None:
        self.settings = settings
        self.seconds = seconds
        self._kept: dict[str, tuple[float, dict[str, Any]]] = {}

    async def address(self, sent: Sent) -> str:
        """Where somebody signs in. Raises ProviderError."""
        with _in_words(self.settings.name):
            metadata = await self._metadata()
            at = _endpoint(metadata, "authorization_endpoint")
            async with self._client(metadata, sent.redirect_uri) as client:
                url, _ = client.create_authorization_url(at, state=sent.state, code_verifier=sent.verifier, nonce=sent.nonce)
            return str(url)

    async def identity(self, code: str, issuer: str, sent: Sent) -> Identity:
        """Who came back with this code. Raises ProviderError."""
        with _in_words(self.settings.name):
            with anyio.fail_after(self.seconds):
                metadata = await self._metadata()
                if (issuer or metadata.get("authorization_response_iss_parameter_supported")) and issuer != metadata["issuer"]:
                    raise ValueError("the reply is of another issuer")
                async with self._client(metadata, sent.redirect_uri) as client:
                    token = await client.fetch_token(
                        _endpoint(metadata, "token_endpoint"), code=code, code_verifier=sent.verifier
                    )
                claims = await self._verified(metadata, token, sent.nonce)
                if self._lacks_something(claims) and metadata.get("userinfo_endpoint"):
                    claims = _together(claims, await self._userinfo(metadata, token, claims["sub"]))
                return self._identity(claims)

    # ---- what it says of itself

    async def _metadata(self) -> dict[str, Any]:
        issuer = self.settings.issuer
        metadata = await self._asked(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if str(metadata.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
            raise ValueError(f"it calls itself {metadata.get('issuer')!r}, not {issuer!r}")
        return metadata

    async def _asked(self, url: str, is_fresh: bool = False) -> dict[str, Any]:
        at, kept = self._kept.get(url, (0.0, {}))
        if kept and not is_fresh and time.monotonic() - at < KEPT_SECONDS:
            return kept
        with anyio.fail_after(self.seconds):
            async with httpx2.AsyncClient(timeout=self.seconds) as client:
                found = await _json_of(client, url, {})
        self._kept[url] = (time.monotonic(), found)
        return found

    def _client(self, metadata: Mapping[str, Any], redirect_uri: str) -> AsyncOAuth2Client:
        secret = self.settings.client_secret.get_secret_value()
        known = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        method = "none" if not secret else "client_secret_basic" if "client_secret_basic" in known else "client_secret_post"
        return AsyncOAuth2Client(
            self.settings.client_id, secret or None, token_endpoint_auth_method=method, scope=self.settings.scopes,
            redirect_uri=redirect_uri, code_challenge_method="S256", timeout=self.seconds,
        )  # fmt: skip

    # ---- what it says of somebody

    async def _verified(self, metadata: Mapping[str, Any], token: Mapping[str, Any], nonce: str) -> dict[str, Any]:
        """The claims of the ID token. Raises JoseError and ValueError where anything is not as it must be."""
        written, keys_at = str(token.get("id_token") or ""), _endpoint(metadata, "jwks_uri")
        try:
            decoded = jwt.decode(written, _keys(await self._asked(keys_at)), algorithms=ALGORITHMS)
        except InvalidKeyIdError:  # a new key is in use
            decoded = jwt.decode(written, _keys(await self._asked(keys_at, is_fresh=True)), algorithms=ALGORITHMS)
        must_be = {
            "iss": {"essential": True, "value": metadata["issuer"]},
            "aud": {"essential": True, "value": self.settings.client_id},
            "sub": {"essential": True},
        }
        params = {"nonce": nonce, "client_id": self.settings.client_id, "access_token": token.get("access_token")}
        CodeIDToken(decoded.claims, decoded.header, must_be, params).validate(leeway=LEEWAY)
        return decoded.claims

    def _lacks_something(self, claims: Mapping[str, Any]) -> bool:
        return not claims.get("email") or _claim(claims, self.settings.groups_claim) is None

    async def _userinfo(self, metadata: Mapping[str, Any], token: Mapping[str, Any], subject: str) -> dict[str, Any]:
        """Some providers say the address and the groups here alone."""
        async with httpx2.AsyncClient(timeout=self.seconds) as client:
            headers = {"Authorization": f"Bearer {token.get('access_token', '')}"}
            found = await _json_of(client, _endpoint(metadata, "userinfo_endpoint"), headers)
        if found.get("sub") != subject:  # OpenID Connect Core 5.3.2
            raise ValueError("what it says is of somebody else")
        return found

    def _identity(self, claims: Mapping[str, Any]) -> Identity:
        groups = _claim(claims, self.settings.groups_claim)
        email, name = claims.get("email"), claims.get("name") or claims.get("preferred_username")
        return Identity(
            str(claims["sub"]),
            email if isinstance(email, str) else "",
            self.settings.trust_email or claims.get("email_verified") in (True, "true"),
            name if isinstance(name, str) else "",
            frozenset(group for group in ([groups] if isinstance(groups, str) else groups or ()) if isinstance(group, str)),
            str(claims.get("hd") or ""),
        )


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    """Whatever goes wrong with the provider becomes a ProviderError; the log has the reason, never what was said of somebody."""
    try:
        yield
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
        log.warning("sign-in with %s: no answer (%s: %s)", name, type(error).__name__, error)
        raise ProviderError(f"{name} does not answer now. Try again in a minute; if it stays so, tell an admin.") from error
    except OAuthError as error:
        log.warning("sign-in with %s: it refused (%s: %s)", name, error.error, error.description)
        raise ProviderError(f"{name} did not accept this sign-in. Try again; if it happens again, tell an admin.") from error
    except (JoseError, ValueError, KeyError, TypeError) as error:
        log.warning("sign-in with %s: its reply is not to be trusted (%s: %s)", name, type(error).__name__, error)
        raise ProviderError(
            f"The reply of {name} could not be verified, so you are not signed in. Try again; if it happens again, tell an "
            "admin: the log of the app has the reason."
        ) from error


def _endpoint(metadata: Mapping[str, Any], name: str) -> str:
    found = metadata.get(name)
    if not isinstance(found, str) or not found.startswith(("https://", "http://")):
        raise ValueError(f"it names no {name}")
    return found


def _keys(found: Mapping[str, Any]) -> KeySet:
    """Those that sign."""
    return KeySet.import_key_set({"keys": [key for key in found["keys"] if key.get("use", "sig") == "sig"]})


def _together(claims: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """What the ID token says goes first; an address stays with what was said of it."""
    if claims.get("email"):
        more = {name: value for name, value in more.items() if name != "email_verified"}
    return {**more, **claims}


def _claim(claims: Mapping[str, Any], name: str) -> Any:
    """A claim by its name; else, of one with dots, one inside another."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


async def _json_of(client: httpx2.AsyncClient, url: str, headers: Mapping[str, str]) -> dict[str, Any]:
    written = b""
    async with client.stream("GET", url, headers=dict(headers) | {"Accept": "application/json"}) as response:
        response.raise_for_status()
        async for piece in response.aiter_bytes():
            written += piece
            if len(written) > MOST_BYTES:
                raise ValueError("it says too much")
    found = json.loads(written)
    if not isinstance(found, dict):
        raise ValueError("its reply is no object of JSON")
    return found
