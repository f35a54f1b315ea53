"""A page that is followed, with a question box and a dialog; what is asked is written to the file in the environment."""

import os
import time
from pathlib import Path

import streamlit as st

from ui.shared import components, dialogs
from ui.shared.gone_widgets import forget_gone_widgets

DRAWING_SECONDS = 0.05  # before the question box is there


def keep() -> None:
    with Path(os.environ["ASKED"]).open("a") as file:
        file.write(f"{st.session_state['question']}\n")


@dialogs.dialog("A dialog")
def opened() -> None:
    st.text_input("Typed")


def page() -> None:
    for number in range(30):
        st.markdown(f"Line {number}")
    components.follow("chats/1/changes", "what was seen", key="follow")
    if st.button("Open"):
        opened()
    time.sleep(DRAWING_SECONDS)
    st.chat_input(key="question", on_submit=keep)


dialogs.page_begins()
st.navigation([st.Page(page)]).run()
forget_gone_widgets()
