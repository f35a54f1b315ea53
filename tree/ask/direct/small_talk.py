"""Greetings and questions about the app itself: what can be asked here, with what there is to ask about."""

from __future__ import annotations

import re

from prompts.extractive import as_text
from prompts.regex import regex
from tree.ask.snapshot.direct_answer import DirectAnswer, Line
from tree.ask.snapshot.snapshot import Snapshot
from tree.ask.understanding.understand import Understanding

_TALK = regex(
    r"\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|bonjour|hola)\b[\w\s,!.]{0,30}"
    r"|(?:help|help me)|thanks?(?: you)?[\w\s,!.]{0,20}"
    r"|(?:what|how) (?:can|could|do|does) (?:you|this|it) (?:do|help|work|answer)(?: me| us| for me| for us| with)?"
    r"|what (?:can|could|should) i ask(?: you| here| about)?|how (?:do|can) i (?:use|ask) (?:this|you|it)"
    r"|(?:what|which) (?:sources|documents|folders|projects|data) (?:do|can) you (?:have|know|read|see|search|use)|where do you look"
    r"|what do you know|what (?:do|can) you know about|(?:what|which) (?:data )?sources (?:are (?:there|connected)|do we have)|list (?:all |the |your )*sources"
    r"|who are you|what are you|how does this work)\W*",
    re.IGNORECASE,
)
_THANKS = regex(r"\W*(?:thanks?|thx|cheers|danke|merci)\b", re.IGNORECASE)


def is_small_talk(text: str) -> bool:
    """Whether it asks nothing of the sources."""
    return _TALK.fullmatch(text.strip()) is not None


def talk(snapshot: Snapshot, understanding: Understanding) -> DirectAnswer | None:
    """The shortcut for a greeting or a call for help; None for a question."""
    if not is_small_talk(understanding.text):
        return None
    if _THANKS.match(understanding.text):
        return DirectAnswer(None, (Line("You are welcome. Ask on whenever you like."),), "complete")
    sources = ", ".join(f"**{as_text(source.name)}**" for source in snapshot.sources.values())
    kinds = {source.kind for source in snapshot.sources.values()}
    lines = [
        f"Ask me about {sources}. I answer with the passages that say so, and say when nothing does. For example:\n",
        "\n- one thing: “What does … mean?”, “Who owns …?”, “How many … does … have?”",
        "\n- how to do something: “How do I …?”",
        "\n- a whole: “What is in the folder …?”, “Summarise …”",
        "\n- what was decided, and what is new: “What was decided about …?”, “What changed since Monday?”",
    ]
    if "jira" in kinds:
        lines.append(
            "\n- tickets: “Which bugs are open?”, “What is due next week?”, “My open tickets”, “Who has the most open tickets?”, “What was the status of … before?”"
        )
    return DirectAnswer(None, tuple(map(Line, lines)))
