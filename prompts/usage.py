"""What calls of a model cost: one entry for each decision, and what was lost or left out on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from threading import Lock
from typing import Any, Literal

from prompts.errors import ErrorKind

Decision = Literal["read", "summarize", "choose", "answer", "look", "compose", "rewrite"]
MadeBy = Literal["model", "fallback model"]
Loss = Literal[
    "unknown_ids",  # the model named something it was not shown
    "lost_quotes",  # words it gave as a quote that do not stand in the text
    "unknown_types",  # content types that no name of the taxonomy comes near to
    "shortened",  # pieces of material that did not fit whole into the prompt
    "left_out",  # pieces of material that did not fit at all
    "unsupported",  # sentences of an answer without a citation
    "unknown_links",  # web addresses in an answer that stand in no evidence
    "cut_summaries",  # summaries longer than a record holds
]

WITHOUT: Mapping[Decision, str] = {
    "read": "A passage was read without the model.",
    "summarize": "A branch was summarized without the model.",
    "choose": "A choice of the walk was made without the model.",
    "answer": "A passage was judged without the model.",
    "look": "Passages were judged, and others chosen, without the model.",
    "compose": "The answer was put together from quotes, without the model.",
    "rewrite": "The question was taken as it stands.",
}
ALL_WITHOUT = "This was answered without the model."
BROKEN_OFF = "The answer broke off before its end; ask again to have it written anew."


@dataclass(slots=True)
class Tally:
    """What one decision has used so far. Filled in while it is made, so that a failure is counted too.

    A request whose reply never came counts by the estimate of its prompt: providers charge for what they were sent.
    """

    calls: int = 0
    replies: int = 0  # calls that were answered, and so paid for
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    unmeasured: int = 0  # requests of which nobody told the counts; their tokens are estimated
    cost: float | None = None
    output_mode: str = ""
    model: str = ""

    def become(self, other: Tally) -> None:
        for one in fields(self):
            setattr(self, one.name, getattr(other, one.name))


@dataclass(frozen=True, slots=True)
class Spent:
    """One decision asked of one model, and what it took."""

    decision: Decision
    made_by: MadeBy  # which model was asked; where `failure` is set, it did not make it
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    seconds: float
    output_mode: str
    model: str
    cost: float | None
    failure: ErrorKind | None = None


@dataclass(slots=True)
class Usage:
    """Collects over one question, or one run of upgrades. May be filled from several threads."""

    spent: list[Spent] = field(default_factory=list)
    said: list[str] = field(default_factory=list)  # sentences for the person who asked, none twice
    reasons: dict[str, Counter[Decision]] = field(default_factory=dict)  # why no model made these decisions
    losses: Counter[Loss] = field(default_factory=Counter)
    without_model: Counter[Decision] = field(default_factory=Counter)  # decisions that no model made
    cut: bool = False  # the answer broke off: offer to write it again
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add(self, spent: Spent) -> None:
        with self._lock:
            self.spent.append(spent)

    def note(self, sentence: str) -> None:
        with self._lock:
            if sentence not in self.said:
                self.said.append(sentence)

    def break_off(self) -> None:
        """The text that is being written ended before its end."""
        self.cut = True
        self.note(BROKEN_OFF)

    def start_over(self, why: str) -> None:
        """What was written is thrown away, and something else takes its place."""
        with self._lock:
            self.cut = False
            self.said = [sentence for sentence in self.said if sentence != BROKEN_OFF]
        self.note(why)

    def lose(self, what: Loss, number: int = 1) -> None:
        if number:
            with self._lock:
                self.losses[what] += number

    def count_without_model(self, decision: Decision, why: str) -> None:
        with self._lock:
            self.without_model[decision] += 1
            self.reasons.setdefault(why, Counter())[decision] += 1

    @property
    def notes(self) -> list[str]:
        """What the person who asked should know: each reason why no model decided is told once."""
        with self._lock:
            return [*(f"{why} {_told(decisions)}" for why, decisions in self.reasons.items()), *self.said]

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.spent)

    @property
    def input_tokens(self) -> int:
        return sum(one.input_tokens for one in self.spent)

    @property
    def output_tokens(self) -> int:
        return sum(one.output_tokens for one in self.spent)

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    @property
    def cached_tokens(self) -> int:
        return sum(one.cached_tokens for one in self.spent)

    @property
    def seconds(self) -> float:
        """Time spent on decisions; more than has passed where several were made at once."""
        return sum(one.seconds for one in self.spent)

    @property
    def cost(self) -> float | None:
        """None where the price of anything it took is not known. What reached no server has none, and took nothing."""
        costs = [one.cost for one in self.spent if one.input_tokens or one.output_tokens]
        return None if not costs or None in costs else sum(cost for cost in costs if cost is not None)

    def as_json(self) -> dict[str, Any]:
        return {
            "model_calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens,
            "cost": self.cost,
            "without_model": dict(self.without_model),
            "losses": dict(self.losses),
        }


def _told(decisions: Collection[Decision]) -> str:
    if "compose" in decisions and not {"choose", "look"}.isdisjoint(decisions):
        return ALL_WITHOUT
    return " ".join(WITHOUT[decision] for decision in decisions)
