"""The time zone of whoever looks at a page."""

from __future__ import annotations

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def viewers_zone() -> tzinfo:
    """As their browser says it; UTC where it says none that is known. Its text is its name: "Europe/Berlin"."""
    try:
        return ZoneInfo(str(st.context.timezone or "UTC"))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
