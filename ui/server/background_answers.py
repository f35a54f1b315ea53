"""Questions being answered: in threads or processes of their own, so that no page that comes or goes can stop one.

A page asks for the answer of a turn and draws what there is so far. Any number of pages may do so at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from prompts.model import Stop
from tree.ask.ask import AskError, ask, check_question
from tree.ask.snapshot.trail import sources_named
from tree.ask.walk.stopped_walk import has_read
from tree.store.chats import Chats
from tree.store.database import StoreError
from tree.store.errors import words_for
from tree.store.models import Turn, TurnEnd
from tree.workspace import Workspace
from ui.server.answer_queue import AnswerQueue, AnswerState
from ui.server.answering.jobs import ASK
from ui.server.answering.processes import AnsweringProcesses, ProcessEnded
from ui.server.answering.question import Ask, Told, answer_question, asking
from ui.server.chat_files import READ_SECONDS
from ui.server.prometheus import Histogram
from ui.server.scope import QuestionScope, parse_scope

AT_ONCE = 10  # questions answered at the same time; with a language model most of them wait for it
OF_ONE = 4  # of them of one person: the next ones wait for these, and keep nobody else waiting
MOST_OF_ONE = 20  # of one person that are not answered yet
KEPT = 200  # runs remembered after their end, for pages that still look at them; their answers are with the chats
SHUTDOWN_SECONDS = 3.0
TELL_SECONDS = 1.0  # between two looks whether somebody asks elsewhere to stop; so often steps are written down for others,
TOLD_SECONDS = 2.0  # of what takes longer than this
SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)  # the limits between which answers are counted

DIED = "The process that answered this ended twice: perhaps this machine has too little memory. Ask again."

log = logging.getLogger("knowledge-tree")


class FilesOfChats(Protocol):
    """Who knows whether there are files of a chat that are still to be read."""

    def are_unread(self, files_chat: str) -> bool: ...


@dataclass(slots=True)
class BackgroundAnswer:
    """One question being answered. Written by its thread alone, read by any page."""

    turn_id: str
    question: str
    scope: QuestionScope
    asker: str  # a person's id
    is_version: bool = False  # asked elsewhere than before: kept beside the answers that there are
    state: AnswerState = "waiting"
    message: str = ""
    steps: list[dict[str, Any]] = field(default_factory=list)
    text: str = ""
    answer: dict[str, Any] | None = None
    stop: Stop = field(default_factory=Stop)
    ended: threading.Event = field(default_factory=threading.Event)
    before: list[dict[str, Any]] = field(default_factory=list)  # the steps from before a stop, where it goes on from them
    asked_at: float = field(default_factory=time.monotonic)
    files_by: float | None = None  # when it goes on without the files of its chat, where it waits for them
    is_kept: bool = False  # with its chat

    def steps_to_keep(self) -> list[dict[str, Any]]:
        """Its steps; those from before a stop until they are told again."""
        return list(self.steps if has_read(self.steps) or not self.before else self.before)

    def forget(self) -> None:
        """What is kept with its chat: an answer with its trail takes hundreds of kilobytes. The text of one that was stopped is not."""
        self.steps, self.before, self.text, self.answer = [], [], "" if self.answer else self.text, None


class BackgroundAnswers:
    """With `processes` those answer whenever many questions are under way (ui/server/answering/)."""

    def __init__(
        self,
        workspace: Workspace,
        chats: Chats,
        ask: Ask = ask,
        processes: AnsweringProcesses | None = None,
        files: FilesOfChats | None = None,
    ) -> None:
        self.workspace = workspace
        self.chats = chats
        self.ask = ask
        self.processes = processes
        self.files = files
        self.seconds = Histogram(SECONDS)  # from question to answer, by verdict or how it ended
        self._queue = AnswerQueue(self._answer, AT_ONCE, OF_ONE)
        self._runs: OrderedDict[str, BackgroundAnswer] = OrderedDict()
        self._lock = threading.Lock()
        self._asking_again = threading.Lock()
        self._closing = False
        self._has_others = workspace.database.backend.server is not None  # other processes of the app, on the same database
        self._telling: threading.Thread | None = None

    def start(self, question: str, scope: QuestionScope, asker: str, chat_id: str | None = None, *, opens: bool = False) -> Turn:
        """Keeps the question of this person as a turn and begins to answer it; `opens` as for `Chats.begin`. Raises AskError and
        StoreError."""
        question = question.strip()
        check_question(question, chat_id is not None)
        self.check_number(asker)
        turn = self.chats.running.begin(question, scope.as_text(), chat_id, owner=asker, opens=opens)
        self._begin(BackgroundAnswer(turn.id, question, scope, asker))
        return turn

    def check_number(self, asker: str) -> None:
        """Raises AskError where this person waits for as many answers as anybody may."""
        with self._lock:
            number = sum(run.asker == asker and not run.ended.is_set() for run in self._runs.values())
        if number >= MOST_OF_ONE:
            raise AskError(
                f"{number} of your questions are not answered yet. Wait for some of them, or stop them, then ask again."
            )

    def start_again(self, turn_id: str, asker: str) -> Turn | None:
        """Answers a turn of this person anew, in its place; None where that is not theirs to ask, or is being answered. Raises
        AskError and StoreError."""
        return self._start_over(turn_id, asker)

    def go_on(self, turn_id: str, asker: str) -> Turn | None:
        """Goes on answering a turn of this person that was stopped, from what was read by then; None as for `start_again`."""
        with self._asking_again:
            self.check_number(asker)
            run = self.run_of(turn_id)
            turn = self.chats.running.go_on(turn_id, asker) if run is None or run.ended.is_set() else None
            if turn is not None:
                scope = parse_scope(turn.scope)
                self._begin(BackgroundAnswer(turn.id, turn.question, scope, asker, before=list(turn.steps)))
            return turn

    def start_in(self, place: str, turn_id: str, asker: str) -> Turn | None:
        """Answers a turn of this person in the branch at this place, as one more version; None as for `start_again`."""
        return self._start_over(turn_id, asker, place)

    def _start_over(self, turn_id: str, asker: str, place: str = "") -> Turn | None:
        with self._asking_again:
            self.check_number(asker)
            run = self.run_of(turn_id)
            turn = self.chats.running.ask_again(turn_id, asker) if run is None or run.ended.is_set() else None
            if turn is not None:
                versions = {one.number: one.scope for one in self.chats.turns.versions([turn.id]).get(turn.id, [])}
                scope = parse_scope(versions.get(turn.shown, turn.scope))
                scope = replace(scope, source="", place=place) if place else scope
                self._begin(BackgroundAnswer(turn.id, turn.question, scope, asker, is_version=bool(place)))
            return turn

    def _begin(self, run: BackgroundAnswer) -> None:
        with self._lock:
            self._runs[run.turn_id] = run
            self._runs.move_to_end(run.turn_id)
            while len(self._runs) > KEPT and next(iter(self._runs.values())).ended.is_set():
                self._runs.popitem(last=False)
        self._queue.add(run)
        if self._has_others:
            self._tell_others()

    def of(self, turn_id: str) -> BackgroundAnswer | None:
        """The run of a turn in this process."""
        with self._lock:
            return self._runs.get(turn_id)

    def run_of(self, turn_id: str) -> BackgroundAnswer | None:
        """The run of a turn, also where another process of the app answers it: then as far as that has told."""
        run = self.of(turn_id)
        if not self._has_others or (run is not None and not run.ended.is_set()):
            return run
        turn = self.chats.running.answered_elsewhere(turn_id)
        if turn is None:
            return run
        asker = self.chats.rows.owner(turn.chat_id)
        principal = asking(self.workspace, asker, turn.chat_id)
        visible = {source.id for source in principal.visible(self.workspace.store.sources.askable(principal.chat_id))}
        steps = list(turn.steps) if sources_named(turn.steps) <= visible else []
        return BackgroundAnswer(turn.id, turn.question, parse_scope(turn.scope), asker, state="running", steps=steps)

    def count_unfinished(self) -> int:
        with self._lock:
            return sum(not run.ended.is_set() for run in self._runs.values())

    def stop(self, turn_id: str) -> None:
        """Whichever process answers it."""
        if (run := self.of(turn_id)) is not None and not run.ended.is_set():
            self._stop(run)
        elif self._has_others:
            self.chats.running.ask_to_stop(turn_id)

    def _stop(self, run: BackgroundAnswer) -> None:
        run.stop.set()
        if self._queue.withdraw(run):
            self._end(run, "stopped", "Stopped.")

    def close(self) -> None:
        """Stops what is running and marks it as interrupted; waits for it only a moment."""
        self._closing = True
        with self._lock:
            unfinished = [run for run in self._runs.values() if not run.ended.is_set()]
        for run in unfinished:
            run.stop.set()
        self._queue.close()
        for run in unfinished:
            if run.state in ("waiting", "reading") or not run.ended.wait(SHUTDOWN_SECONDS):
                self._end(run, "interrupted", "The app was stopped while this was being answered. Ask again.")
        if self.processes is not None:
            self.processes.close()

    # ---- for other processes of the app

    def _tell_others(self) -> None:
        with self._lock:
            if self._telling is None or not self._telling.is_alive():
                self._telling = threading.Thread(target=self._keep_telling, name="answers-of-others", daemon=True)
                self._telling.start()

    def _keep_telling(self) -> None:
        """While anything is answered here: its steps are written down, and who asks elsewhere to stop is heard."""
        told: dict[str, int] = {}
        while not self._closing:
            with self._lock:
                runs = [run for run in self._runs.values() if not run.ended.is_set()]
                if not runs:
                    self._telling = None
                    return
            try:
                for turn_id in self.chats.running.to_be_stopped([run.turn_id for run in runs]):
                    if (run := self.of(turn_id)) is not None:
                        self._stop(run)
                for run in runs:
                    if len(run.steps) != told.get(run.turn_id, 0) and time.monotonic() - run.asked_at > TOLD_SECONDS:
                        told[run.turn_id] = len(run.steps)
                        self.chats.running.keep_steps(run.turn_id, run.steps_to_keep())
            except StoreError as error:
                log.error("%s", error)
            time.sleep(TELL_SECONDS)

    # ---- in the thread of a run

    def _answer(self, run: BackgroundAnswer) -> None:
        run.state = "running"
        try:
            if self._waits_for_files(run):
                return
            for told in self._told(run):
                self._note(run, told)
                if run.stop.is_set:
                    break
        except (AskError, StoreError) as error:
            log.error("%s", error)
            self._end(run, "failed", words_for(error))
        except ProcessEnded:
            self._end(run, "failed", DIED)
        except Exception:  # noqa: BLE001
            # a fault of ours: the page says so and offers to ask again, the log has the details
            log.exception("answering turn %s failed", run.turn_id)
            self._end(run, "failed", "Something went wrong inside the app while this was being answered. Ask again.")
        else:
            if run.answer is not None:
                self._end(run, "done")
            elif self._closing:
                self._end(run, "interrupted", "The app was stopped while this was being answered. Ask again.")
            else:
                self._end(run, "stopped", "Stopped.")

    def _told(self, run: BackgroundAnswer) -> Iterator[Told]:
        arguments = {"turn": run.turn_id, "question": run.question, "scope": run.scope.as_text(), "asker": run.asker}
        if self.processes is not None and self.processes.are_wanted(self.count_unfinished()):
            return self.processes.told(ASK, arguments, run.stop)
        return answer_question(self.workspace, **arguments, stop=run.stop, ask=self.ask)

    def _waits_for_files(self, run: BackgroundAnswer) -> bool:
        """Whether it is to be answered once the files of its chat are read, as far as they can be: others have its thread then."""
        turn = self.chats.turns.get(run.turn_id) if self.files is not None else None
        chat = self.chats.rows.get(turn.chat_id, run.asker) if turn is not None else None
        if self.files is None or chat is None:
            return False
        files, files_chat = self.files, chat.files_chat
        run.files_by = by = run.files_by or time.monotonic() + READ_SECONDS

        def goes_on() -> bool:
            return run.stop.is_set or time.monotonic() >= by or not files.are_unread(files_chat)

        if goes_on():
            return False
        run.state = "reading"
        self._queue.park(run, goes_on)
        return True

    @staticmethod
    def _note(run: BackgroundAnswer, told: Told) -> None:
        match told:
            case "step", step:
                run.steps.append(step)
            case "text", text:
                run.text += text
            case "restart", _:
                run.steps.clear()
                run.text = ""
            case "answer", answer:
                run.answer = answer

    def _end(self, run: BackgroundAnswer, state: TurnEnd, message: str = "") -> None:
        if run.ended.is_set():
            return
        run.message = message
        steps = run.steps_to_keep() if run.answer is None else ()
        try:
            version_in = run.scope.as_text() if run.is_version else None
            self.chats.running.finish(run.turn_id, state, run.answer, list(steps), message, version_in=version_in)
            run.is_kept = True
        except StoreError as error:
            # it cannot be kept, but whoever is looking still gets it
            state, run.message = ("done", "") if run.answer else ("failed", words_for(error))
            log.error("%s", error)
        run.state = state
        self.seconds.add(str(run.answer["verdict"]) if run.answer else state, time.monotonic() - run.asked_at)
        run.ended.set()
        if run.is_kept:  # after its end: until then pages look here for what has been found so far
            run.forget()
