"""What one question may take of a model. What is left of it then is done without the model, and the answer says so."""

from __future__ import annotations

import time
from dataclasses import dataclass

from prompts.errors import ModelError
from prompts.usage import Decision, Usage

FAILURES = 2  # decisions the model did not make; the rest of the question goes on without it
TROUBLED_CALLS = 8  # that a question may take once a reply could not be used, or a request was refused
WRITING = 1 / 3  # of the time is kept for writing the answer
WRITING_TOKENS = 1 / 4  # of the tokens


@dataclass(frozen=True, slots=True)
class QuestionBudget:
    """`ends` is on the monotonic clock. The last call, a third of the time and a fourth of the tokens are kept for writing
    the answer."""

    calls: int
    tokens: int  # read and written
    seconds: float
    ends: float

    @classmethod
    def begin(cls, calls: int, tokens: int, seconds: float) -> QuestionBudget:
        return cls(calls, tokens, seconds, time.monotonic() + seconds)

    def left(self, decision: Decision) -> float:
        """Seconds that a decision may take from now on."""
        kept = 0.0 if decision == "compose" else self.seconds * WRITING
        return max(0.0, self.ends - kept - time.monotonic())

    def calls_for(self, decision: Decision, usage: Usage) -> int:
        """Requests that a decision may take: one, and as many more as trouble with it may cost. Two passages are judged at once."""
        left = min(self.calls, TROUBLED_CALLS) - (decision != "compose") - usage.calls
        return max(1, left // 2 if decision == "answer" else left)

    def refusal(self, decision: Decision, usage: Usage) -> ModelError | None:
        """Why a decision is not asked of the model any more."""
        is_last = decision == "compose"
        if sum(one.failure is not None for one in usage.spent) >= FAILURES:
            return ModelError("budget", f"The model failed {FAILURES} times at this question.")
        if not is_last and usage.calls >= TROUBLED_CALLS - 2 and _is_troubled(usage):
            return ModelError("budget", f"The model took {usage.calls} calls for less than it should have.")
        if usage.calls >= self.calls - (not is_last):
            return ModelError("budget", f"The {self.calls} calls of the model that a question may take are used up.")
        if usage.tokens >= self.tokens * (1 if is_last else 1 - WRITING_TOKENS):
            return ModelError("budget", f"The {self.tokens:,} tokens that a question may take are used up.")
        if self.left(decision) <= 0:
            return ModelError("budget", f"The {self.seconds:g} seconds that the model may take for a question are over.")
        return None


def _is_troubled(usage: Usage) -> bool:
    """Whether anything had to be asked twice, or was not made."""
    return any(one.failure is not None or one.calls > 1 for one in usage.spent)
