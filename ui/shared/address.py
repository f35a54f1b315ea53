"""Where people reach the app: the addresses of links that are handed on."""

from __future__ import annotations

from urllib.parse import urlsplit

from ui.server.address import own_address


def app_address(page: str) -> str:
    """With the host by which `page`, the URL of an open page, was reached."""
    seen = urlsplit(page)
    return f"{seen.scheme}://{seen.netloc}" if seen.netloc else own_address()
