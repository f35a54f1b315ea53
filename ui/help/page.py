"""Help: what can be asked, what the words on an answer mean, shortcuts, and who sees what."""

from __future__ import annotations

import streamlit as st

from tree.ask.snapshot.answer import VERDICT_WORDS
from ui.server.tools import Tools
from ui.shared import pages
from ui.shared.shortcuts import SHORTCUTS

ASKING = """
Ask in your own words, as you would ask a colleague. For example:

- **how to do something:** “How do I restore the booking database?” Below such an answer “Step by step” shows one step after
  the other; “It failed” says what the document has for that.
- **an alert or an error:** its name alone, such as “foghorn_sms_undelivered”, tells what it means and what to do
- **one fact:** “Who owns Almanac?”, “When is the failover test?”
- **tickets:** a key such as “GWY-296”, “Which bugs are open?”, “How many tickets are there per status?”, “What is due next week?”, “My open tickets”
- **decisions and meetings:** “What was decided about retries?”
- **the answer before:** “Which of them are high priority?”

Above the question box you choose where is looked, once there are several sources, and as of which day, once something older than
today is kept; days end at midnight where you are. In the Tree you can ask about one branch alone.
"""
VERDICTS = f"""
- **{VERDICT_WORDS["complete"]}:** the cited passages say it. Open a number to read the words themselves.
- **{VERDICT_WORDS["partial"]}:** they belong to the question, but do not say everything. Read them before you rely on it.
- **{VERDICT_WORDS["none"]}:** no passage was found that answers it. Those nearest to it are shown: they may say it in other words.
- **Out of date:** a cited passage changed or went since. Ask again for a current answer.
- **Stopped:** “Continue” keeps what was read and goes on from there; “Ask again” begins anew.
- **Cut off:** the model stopped before its answer was complete.
- **no source**, behind a sentence: nothing that was read says this. The model added it.
"""
TRAIL = """
The line above an answer says where it was found. Open it to see where else was looked, which branches were offered, which were
chosen and why, and which passages were read; a name opens that place in the Tree. “Look in this branch
instead” asks the same question in a branch that was not taken; both answers stay, and you go back and forth between them.
"""
FOLLOWING = """
“Follow” at an answer, in the Tree or beside a source tells you on the page Following when something changes there, always with
what you may see at that moment. Where your admins have set up e-mail, you can choose there to get it daily or weekly.
"""
RIGHTS = """
You get answers only from sources that you may see; the others are not even counted. Your chats are yours: nobody else sees
them unless you share one, and whoever opens a shared chat sees in it only what they may see themselves. Admins choose who
sees a source. They see what is asked, to find what is missing, but not by whom; only where you say that an answer was not
helpful they see your name. They read an answer only if they may see the sources that it rests on.

Files that you drop into the question box belong to that chat: only you can ask about them, and they are deleted with it.
"""
MORE = """
Say with a thumb whether an answer helped: your admins see what is missing. If you miss a source, ask an admin to add it or to
let you see it.
"""


def page(tools: Tools) -> None:
    """Draws the page."""
    st.title("Help", anchor=False)
    for heading, words in (
        ("What you can ask", ASKING),
        ("What the words on an answer mean", VERDICTS),
        ("How an answer was found", TRAIL),
        ("How to hear of changes", FOLLOWING),
        ("Keyboard shortcuts", _shortcuts()),
        ("Who sees what", RIGHTS),
        ("How to get more", MORE),
    ):
        st.subheader(heading, anchor=False)
        st.markdown(words)
    if tools.principal.is_admin:
        st.page_link(pages.sources(), label="Add a source", icon=":material/folder_open:")


def _shortcuts() -> str:
    return "\n".join(("| Keys | What they do |", "|---|---|", *(f"| {keys} | {what} |" for keys, what in SHORTCUTS)))
