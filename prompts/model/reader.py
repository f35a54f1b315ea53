"""The reader that asks a language model, and hands each decision it does not get to the reader that needs none."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from prompts.errors import ModelError
from prompts.extractive import ExtractiveReader, tell_procedure
from prompts.model import answer, choose, compose, look, read, read_several, rewrite, summarize
from prompts.model.budget import QuestionBudget
from prompts.model.call_slots import CallSlots
from prompts.model.material import tokens_in
from prompts.model.prompt import Prompt, ReplyForm
from prompts.model.retrying_client import MOST_CALLS, RetryingClient, StreamEnd, shared_client
from prompts.model.settings import ModelSettings
from prompts.records import (
    NO_NOTES,
    Child,
    Chosen,
    Cited,
    Evidence,
    LeafAnswer,
    LeafText,
    Looked,
    Notes,
    Option,
    Question,
    Reader,
    Reading,
    SummaryRecord,
)
from prompts.stop import Stop
from prompts.usage import Decision, MadeBy, Spent, Tally, Usage

CUT_SHORT = "\n\n*The answer breaks off here. Ask again to have it written anew.*"
VERSIONS: Mapping[Decision, str] = {
    "read": read_several.VERSION,
    "summarize": summarize.VERSION,
    "choose": choose.VERSION,
    "answer": answer.VERSION,
    "look": look.VERSION,
    "compose": compose.VERSION,
    "rewrite": rewrite.VERSION,
}
UNTOLD = 0.55  # of the tokens we count ourselves: a server that reports fewer has cut the prompt
LEAST_TELLING = 1_500  # tokens below which the two counts may differ by chance


class _Request(Protocol):
    @property
    def prompt(self) -> Prompt: ...


S = TypeVar("S", bound=_Request)
F = TypeVar("F", bound=ReplyForm)
BuildPrompt = Callable[[int, Usage], S]  # from the context size of a model, in tokens, to what it will be shown


@dataclass(frozen=True)
class ModelReader(Reader):
    """The five decisions, and `rewrite`. Safe to use from several threads.

    `without` makes a decision that no model makes; with None the ModelError rises, as upgrades in the background
    need it: what was made without the model must not be kept as the model's. `for_query` gives a copy with a meter
    and a stop button of its own. `forbidden` is where a budget comes in: what it says is the sentence of a ModelError.
    """

    settings: ModelSettings
    without: Reader | None = field(default_factory=ExtractiveReader)
    usage: Usage = field(default_factory=Usage)
    stop: Stop | None = None
    open_client: Callable[[ModelSettings], RetryingClient] = shared_client
    forbidden: Callable[[], str] = str  # why nothing more may be asked, asked before every decision; empty where it may
    budget: QuestionBudget | None = None  # of the question that is being answered
    slots: CallSlots | None = None  # limits what all processes together ask at once

    @property
    def name(self) -> str:
        return "model"

    @property
    def model_label(self) -> str:
        return self.settings.label

    @property
    def takes_outlines(self) -> bool:
        return True

    @property
    def version(self) -> str:
        """Of everything it makes. `versions` has the finer ones: of each decision by itself."""
        return hashlib.sha256("".join(self.versions.values()).encode()).hexdigest()[:12]

    @property
    def versions(self) -> dict[Decision, str]:
        """Which model and which prompt makes each decision: a changed prompt makes only its own records stale."""
        return {decision: f"{self.settings.label} {version}" for decision, version in VERSIONS.items()}

    def for_query(self, usage: Usage | None = None, stop: Stop | None = None) -> ModelReader:
        """The same reader for one question, or one run of upgrades."""
        return replace(self, usage=usage or Usage(), stop=stop)

    def strict(self) -> ModelReader:
        """The same reader without anybody to take over: errors rise."""
        return replace(self, without=None)

    # ---- the decisions

    def read(self, leaf: LeafText) -> Reading:
        if not any(map(str.isalnum, leaf.text)):
            return Reading(SummaryRecord(), leaf.units)
        made = self._made("read", lambda context, usage: read.build_prompt(leaf, context, usage), read.Record)
        if made is None:
            return self._reader_without.read(leaf)
        return read.parse_reply(*made, self.usage)

    def read_several(self, leaves: Sequence[LeafText]) -> list[Reading | None]:
        """The readings of a few small leaves of one document, asked for in one call; None for each that has to be read alone."""
        made = self._made("read", lambda context, usage: read_several.build_prompt(leaves, context, usage), read_several.Records)
        if made is None:
            return [None] * len(leaves)
        return read_several.parse_reply(*made, self.usage)

    def summarize(self, title: str, children: Sequence[Child]) -> SummaryRecord:
        if not children:
            return SummaryRecord()
        made = self._made(
            "summarize", lambda context, usage: summarize.build_prompt(title, children, context, usage), summarize.Branch
        )
        if made is None:
            return self._reader_without.summarize(title, children)
        return summarize.parse_reply(*made, self.usage)

    def choose(self, question: Question, options: Sequence[Option], notes: Notes = NO_NOTES) -> Chosen:
        if not options:
            return Chosen()
        made = self._made(
            "choose", lambda context, usage: choose.build_prompt(question, options, notes, context, usage), choose.Ways
        )
        if made is None:
            return self._reader_without.choose(question, options, notes)
        return choose.parse_reply(*made, self.usage)

    def answer(self, question: Question, leaf: LeafText, notes: Notes = NO_NOTES) -> LeafAnswer:
        if not any(map(str.isalnum, leaf.text)):
            return LeafAnswer("none", (), 0.0, "Nothing to read.")
        made = self._made(
            "answer",
            lambda context, usage: answer.build_prompt(question, leaf, notes, context, usage),
            answer.Judgement,
            lambda judgement, request: request.problem(judgement),
        )
        if made is None:
            return replace(self._reader_without.answer(question, leaf, notes), is_fallback=True)
        return answer.parse_reply(*made, self.usage)

    def look(
        self, question: Question, passages: Sequence[LeafText], options: Sequence[Option], notes: Notes = NO_NOTES
    ) -> Looked:
        """One passage alone, or options alone, take the shorter prompt of that decision."""
        if not passages:
            return Looked((), self.choose(question, options, notes))
        if not options and len(passages) == 1:
            return Looked((self.answer(question, passages[0], notes),))
        made = self._made(
            "look",
            lambda context, usage: look.build_prompt(question, passages, options, notes, context, usage),
            look.Findings,
            lambda findings, request: request.problem(findings),
        )
        if made is None:
            looked = self._reader_without.look(question, passages, options, notes)
            return replace(looked, answers=tuple(replace(one, is_fallback=True) for one in looked.answers))
        return look.parse_reply(*made, self.usage)

    def compose(self, question: Question, evidence: Sequence[Evidence], notes: Notes = NO_NOTES) -> Iterator[Cited]:
        speaking = [one for one in evidence if one.answer.verdict != "none" and one.answer.quotes]
        if not speaking or any(one.answer.is_stated for one in speaking):  # a named fact needs nobody to put it in words
            yield from (self.without or ExtractiveReader()).compose(question, _with_text(evidence))
            return
        if len(notes.parts) <= 1 and (steps := list(tell_procedure(question, _with_text(evidence)))):
            yield from steps  # the steps of a procedure are told as they stand: nothing is put between them
            return
        failure = self._refusal("compose")
        for client, made_by in self._clients() if failure is None else ():
            request = compose.build_prompt(question, speaking, notes, client.settings.context, self.usage)
            with self._metered("compose", client, made_by) as meter:
                begun = False
                try:
                    for piece in request.citations.read(self._written(client, request.prompt, meter)):
                        begun = True
                        yield piece
                except ModelError as error:
                    failure = meter.failure = error
                    if not begun:
                        continue
                    meter.is_cut = True
            if failure is not None and not meter.is_cut:
                self._note_instead(failure, client)
            if meter.is_cut:
                self.usage.break_off()
                yield Cited(CUT_SHORT, aside="cut")
            self._watch(client, request.prompt, meter.tally)
            return
        self._fall_back("compose", failure)
        yield from self._reader_without.compose(question, _with_text(evidence))

    def sum_up(self, question: Question, evidence: Sequence[Evidence]) -> Iterator[Cited]:
        """As `compose`; but where no model writes it, nothing: quotes of a record are better listed than ranked by words."""
        try:
            yield from self.strict().compose(question, evidence)
        except ModelError as error:
            self.usage.count_without_model("compose", error.message)

    def rewrite(self, question: Question) -> str:
        """The question with what the chat before it lets it leave out. Itself where there was no chat."""
        if not question.history:
            return question.text
        made = self._made("rewrite", lambda context, usage: rewrite.build_prompt(question, context, usage), rewrite.Rewritten)
        return question.text if made is None else rewrite.parse_reply(*made)

    # ---- calls

    def _refusal(self, decision: Decision) -> ModelError | None:
        if why_not := self.forbidden():
            return ModelError("budget", why_not)
        return self.budget.refusal(decision, self.usage) if self.budget else None

    def _seconds(self, decision: Decision) -> float | None:
        """That are left for a decision; None where only the timeout of the settings counts."""
        return self.budget.left(decision) if self.budget else None

    def _most_calls(self, decision: Decision) -> int:
        return self.budget.calls_for(decision, self.usage) if self.budget else MOST_CALLS

    def _clients(self) -> Iterator[tuple[RetryingClient, MadeBy]]:
        yield self.open_client(self.settings), "model"
        if self.settings.fallback is not None:
            yield self.open_client(self.settings.fallback), "fallback model"

    def _made(
        self,
        decision: Decision,
        build: BuildPrompt[S],
        form: type[F],
        problem: Callable[[F, S], str | None] = lambda found, request: None,
    ) -> tuple[F, S] | None:
        """The reply of the first model that gives one, with what it was shown; None where none does."""
        failure = self._refusal(decision)
        for client, made_by in self._clients() if failure is None else ():
            request = build(client.settings.context, self.usage)

            def wrong(found: F, request: S = request) -> str | None:
                return problem(found, request)

            with self._metered(decision, client, made_by) as meter:
                try:
                    found = client.complete(
                        request.prompt, form, meter.tally, self.stop, wrong, self._seconds(decision), self._most_calls(decision),
                        self.slots,
                    )  # fmt: skip
                except ModelError as error:
                    failure = meter.failure = error
                    continue
            self._watch(client, request.prompt, meter.tally)
            if failure is not None:
                self._note_instead(failure, client)
            return found, request
        self._fall_back(decision, failure)
        return None

    def _written(self, client: RetryingClient, prompt: Prompt, meter: _Meter) -> Iterator[str]:
        """The text of a stream. One that breaks off before its first word is asked for once more."""
        most = self._most_calls("compose")
        for is_second in (False, True):
            begun, is_last = False, is_second or most <= 1
            for piece in client.stream(prompt, meter.tally, self.stop, self._seconds("compose"), most, self.slots):
                if not isinstance(piece, StreamEnd):
                    begun = True
                    yield piece
                elif piece.is_cut and (begun or is_last):
                    meter.is_cut = True
            if begun or meter.is_cut or is_last:
                return

    def _metered(self, decision: Decision, client: RetryingClient, made_by: MadeBy) -> _Meter:
        return _Meter(self.usage, decision, client.settings, made_by)

    def _note_instead(self, failure: ModelError, client: RetryingClient) -> None:
        self.usage.note(f"{failure.message} {client.settings.label} was asked instead.")

    def _fall_back(self, decision: Decision, failure: ModelError | None) -> None:
        if failure is None:
            raise RuntimeError("there is no model to ask")
        if self.without is None:
            raise failure
        self.usage.count_without_model(decision, failure.message)

    @property
    def _reader_without(self) -> Reader:
        if self.without is None:
            raise RuntimeError("a strict reader has nobody to take over")
        return self.without

    def _watch(self, client: RetryingClient, prompt: Prompt, tally: Tally) -> None:
        """Some servers cut a prompt that is too long and say nothing; the number of tokens they count tells."""
        ours = tokens_in(prompt.system + prompt.user)
        theirs = tally.input_tokens / max(tally.replies, 1)
        if tally.unmeasured or ours < LEAST_TELLING or theirs >= UNTOLD * ours:
            return
        settings = client.settings
        cure = "raise num_ctx in its Modelfile" if settings.provider == "ollama" else "raise the context of the server"
        self.usage.note(
            f"{settings.label} has read only about {theirs:,.0f} of {ours:,} tokens, so it may have missed something; {cure}, "
            "or set a smaller context size under Settings."
        )


def _with_text(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Without quotes of headers, which only a model puts into words."""
    return [
        replace(one, answer=replace(one.answer, quotes=tuple(quote for quote in one.answer.quotes if quote.end)))
        for one in evidence
    ]


class _Meter:
    """Times one decision and writes down what it took, however it ends."""

    def __init__(self, usage: Usage, decision: Decision, settings: ModelSettings, made_by: MadeBy) -> None:
        self.usage, self.decision, self.settings, self.made_by = usage, decision, settings, made_by
        self.tally = Tally()
        self.failure: ModelError | None = None
        self.is_cut = False
        self.began = 0.0

    def __enter__(self) -> _Meter:
        self.began = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        tally = self.tally
        self.usage.add(
            Spent(
                self.decision, self.made_by, tally.calls, tally.input_tokens, tally.output_tokens, tally.cached_tokens,
                time.perf_counter() - self.began, tally.output_mode, tally.model or self.settings.model, tally.cost,
                self.failure.kind if self.failure else None,
            )
        )  # fmt: skip
