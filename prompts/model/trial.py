"""Five decisions on fixed material, asked as the product asks them: whether a model is fit to answer questions, and how fast.

What comes back goes through the same prompts, forms and parsers as a question of a person does. The material is made up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from typing import Literal

from pydantic import BaseModel, ConfigDict

from prompts.errors import ErrorKind, ModelError
from prompts.language import terms
from prompts.model.budget import WRITING
from prompts.model.reader import ModelReader
from prompts.model.retrying_client import RetryingClient
from prompts.model.settings import ModelSettings
from prompts.records import Evidence, LeafAnswer, LeafText, Option, Question, Quote, SummaryRecord
from prompts.stop import Stop
from prompts.usage import Usage

Verdict = Literal["fit", "too slow", "unfit"]
Name = Literal["choose", "judge", "quote", "write", "none"]
OF_FORM: frozenset[ErrorKind] = frozenset({"invalid_output", "truncated", "timeout", "refused", "context"})
FEWEST_PASSED = 4  # of the five; one may be a matter of opinion
MOST_FORMLESS = 2  # decisions without a usable reply, after which no more are asked
OUTPUT_WEIGHT = 8  # a token written takes about as long as so many tokens read
# An ordinary question, in the median of those of docs/figures.md and of the sample; and one of its longer calls, which judges
# passages and chooses among branches in one reply.
USUAL_CALLS, USUAL_READ, USUAL_WRITTEN = 2, 5_000, 450
LONGEST_READ, LONGEST_WRITTEN = 4_100, 250


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """How many seconds a question, and one reply within it, may take of the model."""

    question: float
    reply: float


class Tried(BaseModel):
    """One decision: whether what came back was right, in words, and what it took."""

    model_config = ConfigDict(frozen=True)

    name: Name
    state: Literal["passed", "failed", "not asked"]
    words: str
    seconds: float = 0.0
    tokens: int = 0  # read and written
    written: int = 0  # of these
    failure: ErrorKind | None = None  # where no usable reply came


class Trial(BaseModel):
    """All five, of one model."""

    model_config = ConfigDict(frozen=True)

    label: str  # of the model that was asked, as provider:model
    address: str = ""  # where it was asked; empty of a trial that was kept before this was
    decisions: tuple[Tried, ...]
    output_mode: str = ""  # by which the last reply was asked for
    seconds_of_a_token: float | None = None  # of one that is read; one that is written takes OUTPUT_WEIGHT times as long

    @property
    def passed(self) -> int:
        return sum(one.state == "passed" for one in self.decisions)

    @property
    def server_failure(self) -> Tried | None:
        """What says nothing about the model, but that it could not be asked: a refused key, a server that fails."""
        return next((one for one in self.decisions if one.failure is not None and one.failure not in OF_FORM), None)

    @property
    def holds_form(self) -> bool:
        return all(one.failure is None and one.state != "not asked" for one in self.decisions)

    @property
    def is_able(self) -> bool:
        """Whether it makes the decisions well enough, however long it takes."""
        return self.holds_form and self.passed >= FEWEST_PASSED

    def fits(self, limits: AnswerLimits) -> bool:
        """Whether questions should be answered with it."""
        return self.verdict(limits) == "fit"

    def verdict(self, limits: AnswerLimits) -> Verdict:
        """What it is for answers."""
        if not self.is_able:
            return "unfit"
        return "too slow" if self._slowness(limits) else "fit"

    def _slowness(self, limits: AnswerLimits) -> str:
        """What of a question takes longer than it may, in words; empty where nothing does, or the speed is not known."""
        answer, reply = self.answer_seconds, self._longest_reply
        if answer is not None and answer > limits.question:
            return f"Answers would take {about_seconds(answer)}, and a question may take {limits.question:g} s"
        if reply is not None and reply > limits.reply:
            return f"One reply would take {about_seconds(reply)}, and the timeout for one reply is {limits.reply:g} s"
        if reply is not None and reply > limits.question * (1 - WRITING):  # the rest is kept for writing the answer
            seconds = f"{limits.question * (1 - WRITING):.0f} of the {limits.question:g} s of a question"
            return f"One reply would take {about_seconds(reply)}, and it may take {seconds}"
        return ""

    def why_unfit(self, limits: AnswerLimits, raising: str = "raise the limit in Settings") -> str:
        """What keeps it from answering questions and what to do, as sentences; empty where it fits. `raising` says how a limit
        is raised."""
        told = f"It passed {self.passed} of {len(self.decisions)} decisions."
        if any(one.failure == "timeout" for one in self.decisions):
            return f"{told} Its replies took longer than the timeout: choose a smaller model, or {raising}."
        if not self.holds_form:
            return f"{told} It does not keep to the form of a reply. Answers are better without it."
        if not self.is_able:
            return f"{told} Answers are better without it."
        slowness = self._slowness(limits)
        return slowness and f"{slowness}: choose a smaller model, or {raising}."

    @property
    def answer_seconds(self) -> float | None:
        """About how long an ordinary question takes of it; None where its speed was not measured."""
        return self.seconds_for(USUAL_READ, max(USUAL_WRITTEN, USUAL_CALLS * self._mean_written))

    @property
    def _longest_reply(self) -> float | None:
        return self.seconds_for(LONGEST_READ, max(LONGEST_WRITTEN, self._mean_written))

    @property
    def _mean_written(self) -> float:
        """Tokens of a reply: many where a model thinks first."""
        made = [one.written for one in self.decisions if one.failure is None and one.state != "not asked"]
        return sum(made) / len(made) if made else 0.0

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.decisions)

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.decisions)

    def seconds_for(self, input_tokens: float, output_tokens: float) -> float | None:
        """About how long this model takes for so many tokens, one request after the other; None where it was not measured."""
        if self.seconds_of_a_token is None:
            return None
        return self.seconds_of_a_token * (input_tokens + OUTPUT_WEIGHT * output_tokens)


def try_decisions(settings: ModelSettings, stop: Stop | None = None) -> Trial:
    """Asks the five, one after the other. Raises ModelCallCancelled when stopped; what a model or its server does is told."""
    settings = settings.model_copy(update={"fallback": None})
    client = RetryingClient(settings)
    client.output_modes.forget(settings.address, settings.model)
    with suppress(ModelError):  # which the first decision then meets
        client.open()
    found: list[Tried] = []
    spent = Usage()
    for name, decide in _DECISIONS:
        formless = sum(one.failure is not None for one in found)
        if formless >= MOST_FORMLESS or any(one.failure not in (None, *OF_FORM) for one in found):
            found.append(Tried(name=name, state="not asked", words="Not asked any more."))
            continue
        usage = Usage()
        reader = ModelReader(settings, None, usage, stop, open_client=lambda _: client)
        found.append(_tried(name, decide, reader))
        spent.spent.extend(usage.spent)
    mode = next((one.output_mode for one in reversed(spent.spent) if one.failure is None and one.output_mode != "stream"), "")
    return Trial(
        label=settings.label, address=settings.address, decisions=tuple(found), output_mode=mode, seconds_of_a_token=_pace(spent)
    )


def _tried(name: Name, decide: Callable[[ModelReader], str], reader: ModelReader) -> Tried:
    began = time.perf_counter()
    failure: ErrorKind | None = None
    try:
        wrong = decide(reader)
    except ModelError as error:
        wrong, failure = error.message, error.kind
    seconds, tokens = time.perf_counter() - began, reader.usage.tokens
    words = wrong or RIGHT[name]
    return Tried(
        name=name, state="failed" if wrong else "passed", words=words, seconds=round(seconds, 2), tokens=tokens,
        written=reader.usage.output_tokens, failure=failure,
    )  # fmt: skip


def _pace(usage: Usage) -> float | None:
    """Seconds of a token that is read, in the median of the decisions that came back: the first one may wait until the server
    has loaded the model."""
    whole = [one for one in usage.spent if one.failure is None]
    work = [one.input_tokens - one.cached_tokens + OUTPUT_WEIGHT * one.output_tokens for one in whole]
    paces = [one.seconds / tokens for one, tokens in zip(whole, work, strict=True) if tokens > 0]
    return median(paces) if paces else None


def about_seconds(seconds: float) -> str:
    """A span of time that is estimated: "about 20 s", "about 3 minutes"."""
    if seconds < 100:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} minutes"


# ---------------------------------------------------------------- the material

_HEADING = ("Runbooks", "Bilge pump")
_PUMP = (
    "The bilge pump of the Petrel is tested every Monday at 07:30. "
    "If the bilge pump fails its test, call the duty engineer on extension 4417. "
    "The spare impeller is in locker 12."
)
_CALL = "If the bilge pump fails its test, call the duty engineer on extension 4417."
_RESTORE = (
    "Restore the bookings database from the last dump with this command:\n\n"
    "```\npg_restore --clean --dbname=bookings /backup/bookings-0402.dump\n```\n\n"
    "It takes about four minutes."
)
_RESTORING = ("Runbooks", "Bookings database")
_COMMAND = "pg_restore --clean --dbname=bookings /backup/bookings-0402.dump"
_OPTIONS = (
    ("canteen", "Canteen", "The menu of the week and the opening hours of the canteen."),
    ("leave", "Leave", "How to ask for leave, who agrees to it and how many days there are."),
    ("pump", "Bilge pump", "When the bilge pump is tested, and whom to call when it fails its test."),
    ("radio", "Radio check", "How the daily radio check is made and written down."),
)

RIGHT: dict[Name, str] = {
    "choose": "It chose the right one of four branches.",
    "judge": "It saw which of two passages answers the question.",
    "quote": "It quoted a command character by character.",
    "write": "It wrote an answer in which each sentence names its source.",
    "none": "It saw that a passage does not answer a question.",
}


def _question(text: str) -> Question:
    return Question(text, dict.fromkeys(terms(text), 3.0))


def _options() -> list[Option]:
    return [
        Option(place, title, "branch", SummaryRecord(summary=summary), 1.0 if place == "pump" else 0.0, summary)
        for place, title, summary in _OPTIONS
    ]


def _choose(reader: ModelReader) -> str:
    chosen = reader.choose(_question("Whom do I call when the bilge pump fails its test?"), _options()).ways
    if not chosen:
        return "It chose none of four branches, one of which is right."
    return "" if chosen[0].place == "pump" else "It chose a wrong one of four branches first."


def _judge(reader: ModelReader) -> str:
    """As most of a question is asked: passages to read and options beside them, in one reply."""
    question = _question("Whom do I call when the bilge pump fails its test?")
    passages = [LeafText(_PUMP, _HEADING), LeafText(_RESTORE, _RESTORING)]
    found = reader.look(question, passages, _options()[:2]).answers[0]
    if found.verdict == "none":
        return "It took a passage that answers the question for one that does not."
    said = any("extension 4417" in quote.text for quote in found.quotes)
    return "" if said else "It did not quote the sentence that answers the question."


def _quote(reader: ModelReader) -> str:
    leaf = LeafText(_RESTORE, _RESTORING)
    found = reader.answer(_question("Which command restores the bookings database?"), leaf)
    if reader.usage.losses["lost_quotes"]:
        return "It quoted words that do not stand in the passage."
    said = any(_COMMAND in quote.text for quote in found.quotes)
    return "" if said else "It did not quote the command that was asked for."


def _write(reader: ModelReader) -> str:
    start = _PUMP.index(_CALL)
    quote = Quote(text=_CALL, start=start, end=start + len(_CALL))
    evidence = Evidence(1, LeafText(_PUMP, _HEADING), LeafAnswer("complete", (quote,), 1.0), 1.0)
    question = _question("Whom do I call when the bilge pump fails its test?")
    pieces = list(reader.compose(question, [evidence]))
    text = "".join(piece.text for piece in pieces)
    if reader.usage.cut:
        return "Its answer broke off."
    if any(piece.unsupported for piece in pieces) or not any(piece.number for piece in pieces):
        return "It wrote sentences without naming their source."
    return "" if "4417" in text else "Its answer leaves out what was asked for."


def _none(reader: ModelReader) -> str:
    question = _question("How many days of parental leave are there in Norway?")
    found = reader.answer(question, LeafText(_PUMP, _HEADING))
    return "" if found.verdict == "none" else "It took a passage about something else for an answer."


_DECISIONS: tuple[tuple[Name, Callable[[ModelReader], str]], ...] = (
    ("choose", _choose), ("judge", _judge), ("quote", _quote), ("write", _write), ("none", _none),
)  # fmt: skip
