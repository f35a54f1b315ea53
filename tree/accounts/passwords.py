"""Passwords: what may be one, and their hashes (argon2id, RFC 9106)."""

from __future__ import annotations

import threading

from argon2 import PasswordHasher  # its maintainers follow the RFC's parameters; passlib is no longer kept, pwdlib wraps this one
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 200  # characters; OWASP ASVS 2.1
HASHED_AT_ONCE = 2  # each takes 64 megabytes while it is
_hashing = threading.BoundedSemaphore(HASHED_AT_ONCE)
_hasher = PasswordHasher()
# Written out, because making one takes a tenth of a second of each program that starts; a test holds it to the parameters of today.
_NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$uONeswEjofVMAzgIURW3Lw$uZY8SFsK61HHGGrXxAV2CMwq0WiGCZyVe90u+/b+rA8"


def fault(password: str, *about: str) -> str:
    """What is wrong with a password, as a sentence; empty when nothing is. `about` is what it may not be made of."""
    if len(password) < SHORTEST:
        return f"Use at least {SHORTEST} characters. A sentence is easy to remember."
    if len(password) > LONGEST:
        return f"Use at most {LONGEST} characters."
    rest = password.casefold()
    for said in (
        "password",
        "passwort",
        "qwertyuiop",
        "qwertzuiop",
        "1234567890",
        "abcdefghijkl",
        "knowledge",
        "letmein",
        *about,
    ):
        rest = rest.replace(said.casefold(), "") if said else rest
    if len(set(rest)) < 5:
        return "That is easy to guess. Use a few words that have nothing to do with you."
    return ""


def hashed(password: str) -> str:
    with _hashing:
        return _hasher.hash(password)


def matches(hash_: str | None, password: str) -> bool:
    """Takes as long for somebody who has no password as for somebody who has one."""
    try:
        with _hashing:
            return _hasher.verify(hash_ or _NOBODYS, password[: LONGEST + 1]) and hash_ is not None
    except (VerificationError, InvalidHashError):
        return False


def is_dated(hash_: str) -> bool:
    """Whether it was made with weaker parameters than today's."""
    return _hasher.check_needs_rehash(hash_)
