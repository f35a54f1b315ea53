"""Where people reach the app: the addresses of links that are handed on."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from ui.server.address import own_address


def app_address(page: str) -> str:
    """With the host by which `page`, the URL of an open page, was reached."""
    seen = urlsplit(page)
    return (f"{seen.scheme}://{seen.netloc}" if seen.netloc else own_address()) + base_path()


def base_path() -> str:
    """What stands before every path of the app: "/tree", or nothing."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""
