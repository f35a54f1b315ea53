"""Decision "rewrite": a question that leans on the chat before it becomes one that stands alone."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from prompts.model.material import cut_fairly, one_line, room_for
from prompts.model.prompt import FENCED, Prompt, ReplyForm, content_version, fenced
from prompts.records import Question
from prompts.regex import regex
from prompts.usage import Usage

SYSTEM = f"""You rewrite the last question of a chat so that it can be understood without the chat.

Put in the names that words such as "it", "there", "that one" or "and who …?" stand for, as the chat spells them. Ask for \
nothing more and nothing less than the question does, in its language. A question that can be understood alone stays as \
it is, word for word. Do not answer it. {FENCED}

Reply with one JSON object:
- "question": the rewritten question."""

MOST_TURNS, MOST_TOKENS = 6, 1_000
LONGEST, MORE = 300, 100  # characters; of a long question, so many more than it has
_FENCE = regex("MATERIAL|BEGINS|ENDS")


class Rewritten(ReplyForm):
    question: str = Field(min_length=1)


VERSION = content_version(SYSTEM, Rewritten)


@dataclass(frozen=True, slots=True)
class Request:
    prompt: Prompt
    question: str


def build_prompt(question: Question, context: int, usage: Usage) -> Request:
    turns = [one_line(turn) for turn in question.history[-MOST_TURNS:]]
    cut = cut_fairly(turns, room_for(context, SYSTEM + question.text, MOST_TOKENS))
    usage.lose("shortened", cut.shortened)
    chat = "\n".join(f"- {turn}" for turn in cut.texts)
    material = fenced(f"chat before it:\n{chat}")
    return Request(Prompt("rewrite", SYSTEM, f"Question: {question.text}\n\n{material}"), question.text)


def parse_reply(rewritten: Rewritten, request: Request) -> str:
    """One line that is no fence: from here on it stands outside of one, and its words may come from a document."""
    text = one_line(_FENCE.sub(lambda word: word.group().lower(), rewritten.question))
    longest = max(LONGEST, len(request.question) + MORE)
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0]
