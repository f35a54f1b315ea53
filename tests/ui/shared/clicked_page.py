"""A page that is slow to draw an answer; what is clicked in that is written to the file in the environment."""

import json
import os
import time
from pathlib import Path

import streamlit as st

from ui.shared import components, dialogs
from ui.shared.gone_widgets import forget_gone_widgets

DRAWING_SECONDS = 0.3  # before the answer is there
ANSWER = {"trail": [], "notes": [], "citations": [], "closest": [], "actions": ["up"]}


def keep(said: object) -> None:
    with Path(os.environ["ASKED"]).open("a") as file:
        file.write(f"{json.dumps(said)}\n")


def page() -> None:
    st.markdown("An answer follows.")
    time.sleep(DRAWING_SECONDS)
    clicked = components.turn(ANSWER, "answer", lambda said: keep(dict(said)))
    if clicked.act or clicked.look:
        keep(clicked.act or clicked.look)


dialogs.page_begins()
st.navigation([st.Page(page)]).run()
forget_gone_widgets()
