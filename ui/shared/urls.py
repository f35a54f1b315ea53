"""What an address that somebody typed means for whoever uses it: is it read on its way, is it this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_unencrypted(url: str) -> bool:
    """Whether a token or a key sent there can be read on its way: plain http to another machine."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    return parts.scheme == "http" and bool(parts.hostname) and not _is_loopback(parts.hostname or "")


def is_this_machine(url: str) -> bool:
    """Whether only this machine itself can reach the address."""
    return _is_loopback(urlsplit(url).hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
