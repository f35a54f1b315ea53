"""The keyboard shortcuts of the chat, as they are told on the page of help.

Each has a modifier: they work while somebody types, and none is set off by dictation or a single key (WCAG 2.2, 2.1.4).
"""

from __future__ import annotations

NEW_CHAT = "Mod+Shift+O"  # Streamlit's own: Cmd on a Mac, else Ctrl

SHORTCUTS = (  # the others are in frontend/shortcuts.js
    ("Ctrl or Cmd + Shift + O", "Start a new chat"),
    ("Alt + Q", "Go to the question box"),
    ("Alt + Up", "Go to the answer before"),
    ("Alt + Down", "Go to the next answer"),
    ("Alt + Shift + C", "Copy the last answer"),
    ("Escape", "Close an opened source"),
)
