"""An identity provider on this machine: a real server with real keys, in the shape of Keycloak, Google or Authelia."""

from __future__ import annotations

import base64
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "knowledge-tree", "a secret of the client"


@dataclass
class IdentityProvider:
    """`claims` are those of whoever signs in next; the rest is what a test makes it do wrong."""

    url: str = ""
    realm: str = "/realms/team"  # Keycloak's issuer has a path, Google's has none
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    wrong: dict[str, Any] = field(default_factory=dict)  # claims of the ID token instead of the right ones; None leaves one out
    algorithm: str = "RS256"  # or "none", or "HS256" with the public key as the secret
    says_issuer: str | None = None  # in the discovery document
    error: str = ""
    delay: threading.Event | None = None  # nothing is answered before it is set
    key: RSAKey = field(default_factory=lambda: signing_key())
    signed_by: RSAKey | None = None  # another key than the one it shows
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def issuer(self) -> str:
        return self.url + self.realm

    def environment(self, **more: str) -> dict[str, str]:
        settings = {"ISSUER": self.issuer, "CLIENT_ID": CLIENT, "CLIENT_SECRET": SECRET, "LABEL": "Harbour ID"} | more
        return {f"KNOWLEDGE_TREE_OIDC_{name}": value for name, value in settings.items()}

    def changes_its_key(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": f"key-{time.monotonic_ns()}", "use": "sig"})

    # ---- what it answers

    def metadata(self) -> dict[str, Any]:
        at = f"{self.issuer}/protocol/openid-connect"
        return {
            "issuer": self.says_issuer or self.issuer, "authorization_endpoint": f"{at}/auth", "token_endpoint": f"{at}/token",
            "jwks_uri": f"{at}/certs", "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        } | ({"userinfo_endpoint": f"{at}/userinfo"} if self.userinfo else {})  # fmt: skip

    def keys(self) -> dict[str, Any]:
        for_encryption = encryption_key()
        return {"keys": [for_encryption.as_dict(private=False), self.key.as_dict(private=False)]}

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser is sent back to."""
        back = {"state": asked["state"], "session_state": "1234", "iss": self.issuer}
        if self.error:
            return f"{asked['redirect_uri']}?{urlencode({'error': self.error, 'error_description': 'see https://evil.example'} | back)}"
        assert asked["client_id"] == CLIENT and asked["response_type"] == "code" and "openid" in asked["scope"].split()
        assert asked["code_challenge_method"] == "S256" and asked["nonce"]
        code = f"code-{len(self.codes)}-{time.monotonic_ns()}"
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code} | back)}"

    def token(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        if authorization != "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".replace(" ", "+").encode()).decode() and (
            authorization != "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        ):
            return 401, {"error": "invalid_client"}
        asked = self.codes.pop(form.get("code", ""), None)  # for one use
        if asked is None or asked["redirect_uri"] != form.get("redirect_uri"):
            return 400, {"error": "invalid_grant", "error_description": "Code not valid"}
        challenge = base64.urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if challenge != asked["code_challenge"]:
            return 400, {"error": "invalid_grant", "error_description": "PKCE verification failed"}
        return 200, {"access_token": "an access token", "token_type": "Bearer", "expires_in": 300, "id_token": self.id_token(asked["nonce"])}  # fmt: skip

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        right = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce} | self.claims
        claims = {name: value for name, value in (right | self.wrong).items() if value is not None}
        key = self.signed_by or self.key
        if self.algorithm == "none":
            return f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(claims)}."
        if self.algorithm == "HS256":
            signed = f"{_part({'alg': 'HS256', 'kid': self.key.kid})}.{_part(claims)}"  # by hand: the library would refuse to
            mac = hmac.digest(self.key.as_pem(private=False), signed.encode(), "sha256")
            return f"{signed}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
        return jwt.encode({"alg": self.algorithm, "kid": self.key.kid}, claims, key)


@cache
def signing_key() -> RSAKey:
    """The same for all tests: to make one takes longer than most of them."""
    return RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})


@cache
def encryption_key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "enc", "use": "enc", "alg": "RSA-OAEP"})


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@contextmanager
def running() -> Iterator[IdentityProvider]:
    provider = IdentityProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._wait()
            parts = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            place = parts.path.removeprefix(provider.realm)
            provider.asked.append(place)
            if place == "/.well-known/openid-configuration":
                self._reply(200, provider.metadata())
            elif place == "/protocol/openid-connect/certs":
                self._reply(200, provider.keys())
            elif place == "/protocol/openid-connect/userinfo":
                self._reply(200 if self.headers["Authorization"] == "Bearer an access token" else 401, provider.userinfo)
            elif place == "/protocol/openid-connect/auth":
                self.send_response(302)
                self.send_header("Location", provider.authorize(asked))
                self.end_headers()
            else:
                self._reply(404, {})

        def do_POST(self) -> None:
            self._wait()
            written = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(written).items()}
            self._reply(*provider.token(form, self.headers.get("Authorization", "")))

        def _wait(self) -> None:
            if provider.delay is not None:
                provider.delay.wait(30)

        def _reply(self, status: int, value: dict[str, Any]) -> None:
            written = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
