"""A page that is followed, with a question box; what is asked is written to the file in the environment."""

import os
from pathlib import Path

import streamlit as st

from ui.shared import components


def keep() -> None:
    with Path(os.environ["ASKED"]).open("a") as file:
        file.write(f"{st.session_state['question']}\n")


for number in range(30):
    st.markdown(f"Line {number}")
components.follow("chats/1/changes", "what was seen", key="follow")
st.chat_input(key="question", on_submit=keep)
