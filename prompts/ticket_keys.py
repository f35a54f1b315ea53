"""How the key of a ticket is written, "GWY-1234": a project and a number."""

from __future__ import annotations

TICKET_KEY = (
    r"[A-Z][A-Z0-9]{0,14}-\d{1,8}"  # a part of patterns; Jira allows a project ten letters by default, and more by its settings
)
