"""Secret words that stand for somebody: 256 random bits, kept as their SHA-256 alone."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_token() -> str:
    return secrets.token_urlsafe(32)


def id_of(token: str) -> str:
    """What is kept of it. The token is random, so a plain hash cannot be guessed back."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()
