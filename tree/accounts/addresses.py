"""E-mail addresses and their domains: when two of them are the same. Whoever proves that one is theirs gets the account of it."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

import idna  # str.encode("idna") is of 2003: it makes "strasse" of "straße", which is another's domain

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def folded(email: str) -> str:
    """As it is kept and compared. Only A to Z have small letters here: Unicode makes "ss" of "ß" and "k" of the sign for Kelvin,
    and the two would be addresses of different people."""
    return email.strip().translate(_SMALL)


def as_typed(written: str) -> str:
    """An address that somebody typed, or copied from one of our pages: those have a word joiner before the "@", which nobody sees, so
    that it becomes no link. It is taken away where people write, and not in `folded`: a provider's address is what it is."""
    return written.replace("\u2060", "").strip()


def domain_name(written: str) -> str | None:
    """A domain as it is looked up (IDNA 2008): "straße.example" is "xn--strae-oqa.example". None for what cannot be one."""
    try:
        return ".".join(
            part if part.isascii() else idna.alabel(part).decode("ascii") for part in written.translate(_SMALL).split(".")
        )
    except idna.IDNAError:
        return None
