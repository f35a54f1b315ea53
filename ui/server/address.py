"""Where the app is: as this machine sees it, and as people reach it."""

from __future__ import annotations

import os

import streamlit as st

from tree.mail import PUBLIC_ADDRESS
from tree.store.database import StoreError


def check_base_path() -> None:
    """Raises StoreError where the app is to be served below a path: its sign-in, files and cookies are those of a whole host."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    if path:
        raise StoreError(
            f"server.baseUrlPath is “{path}”, but the app cannot be served below a path. Take the setting out "
            "(STREAMLIT_SERVER_BASE_URL_PATH too) and give the app a host name of its own, such as tree.example.org."
        )


def public_address() -> str:
    """Where people reach the app, for links in what is sent."""
    return os.environ.get(PUBLIC_ADDRESS, own_address()).rstrip("/")


def own_address() -> str:
    """Where we listen, as seen from this machine."""
    host = str(st.get_option("server.address") or "127.0.0.1")
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    return f"{scheme}://{host}:{st.get_option('server.port')}"
