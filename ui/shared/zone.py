"""The time zone of whoever looks at a page."""

from __future__ import annotations

from datetime import tzinfo

import streamlit as st

from tree.ask.snapshot.zones import read_zone


def viewers_zone() -> tzinfo:
    """As their browser says it; UTC where it says none that is known. Its text is its name: "Europe/Berlin"."""
    return read_zone(str(st.context.timezone or ""))
