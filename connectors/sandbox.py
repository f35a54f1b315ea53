"""Runs a function over many inputs in child processes, so that no input can stall, bloat or kill the app.

Plain `subprocess` children with a pipe, rather than `multiprocessing` or pebble: a spawned multiprocessing child runs
the parent's `__main__` again, which under Streamlit is the page script; and a child that answers file by file lets
exactly the one input be blamed that was being read when time or memory ran out, with nothing tried twice.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, Literal, TypeVar
from weakref import WeakSet

from connectors.base import AccessLost, Cancelled
from connectors.packing import Answer, pack, pack_error, unpack

Task = TypeVar("Task")
Result = TypeVar("Result")

START_SECONDS = 120  # for a child to start and import the parsers, on a slow and busy machine
TASKS_AT_ONCE = 16  # handed to a child at most; the next ones follow when half are done, so that it never waits for us;
FIRST_TASKS = 2  # fewer before it is known how long one takes,
QUEUE_SECONDS = 0.5  # and where so many take longer: what was handed over is another child's no more, and is waited for
RECYCLE_AFTER = 2_000  # answers after which a child is replaced: parsers leak
MIDDLING_MEGABYTES = 400  # a child that once needed more than this does not stay around
IDLE_SECONDS = 60.0  # after which a child that nobody needs ends: each holds 20 MB, and every source has some;
MOST_IDLE = 4  # but so many, of all sandboxes of a process, stay for what is saved next: one takes half a second to start
LOOK_SECONDS = 15.0

NOT_STARTED = "The program that reads files could not be started. Check free memory, then try again."
NO_ANSWER = "The program that reads this kind of file answered with something that is no text of a file."

BOOT = (
    "import os, sys; sys.path[:] = sys.argv[3].split(os.pathsep);"
    "from connectors.sandbox import serve; serve(*map(int, sys.argv[1:3]), seconds=int(sys.argv[4]))"
)

log = logging.getLogger("knowledge-tree")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one input may cost."""

    seconds: float = 60
    megabytes: int = 2_048  # address space of the child


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why there is no result: the input broke a limit or the child, or the child was killed.

    `memory` and `killed` may be the fault of what else runs on the machine, so a later try can succeed.
    """

    why: Literal["time", "memory", "killed", "crash"]
    reason: str

    @property
    def may_pass(self) -> bool:
        return self.why in ("memory", "killed")


class Sandbox:
    """A few child processes, started when first needed, safe to use from several threads."""

    def __init__(self, workers: int = 2, limits: Limits = Limits(), at_once: int = TASKS_AT_ONCE) -> None:
        """`at_once` inputs are handed to a child together. It has to be 1 where an input and a result may each be larger
        than a pipe holds: a child that cannot get rid of a result takes no more inputs, and both would wait for ever."""
        self.workers = workers
        self.limits = limits
        self.at_once = at_once
        self._idle: list[_Child[Any]] = []
        self._busy: set[_Child[Any]] = set()
        self._closings = 0  # who began before the last one is cancelled
        self._lock = threading.Lock()
        idle_children.watch(self)

    def run(self, function: Callable[[Task], Result], task: Task) -> Result | Stopped:
        """The result for one input."""
        [(_, result)] = self.map(function, [task])
        return result

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[tuple[Task, Result | Stopped]]:
        """Each input with its result, as they are done. `function` must be importable, inputs picklable, and
        results made of plain values and classes that are taken from a child (connectors/packing.py).

        An input whose child ran out of memory or was killed is tried once more at the end, alone in a fresh child.
        Raises Cancelled when the sandbox is closed meanwhile, by whatever thread.
        """
        starved: list[Task] = []
        closings = self._closings
        for task, result in self._run(function, tasks, self.workers, closings):
            if isinstance(result, Stopped) and result.may_pass:
                starved.append(task)
            else:
                yield task, result
        if starved:
            self._end_idle()  # children that wait for work hold memory too
        for task in starved:
            yield from self._run(function, [task], 1, closings)

    def _run(
        self, function: Callable[[Task], Result], tasks: Iterable[Task], workers: int, closings: int
    ) -> Iterator[tuple[Task, Result | Stopped]]:
        waiting = iter(tasks)
        children: list[_Child[Task]] = []
        try:
            while True:
                self._feed(children, waiting, function, workers)
                if not any(child.tasks for child in children):
                    return
                for answer in self._answers(children, closings):
                    self._refuse_closed(closings)  # it may be no answer but the end of a child that was killed for it
                    yield answer
        except AccessLost:
            self._refuse_closed(closings)
            raise
        finally:
            for child in children:
                self._put_back(child, is_wanted=closings == self._closings)

    def close(self) -> None:
        """Ends the children, and with them what is under way in other threads. The sandbox can be used again."""
        with self._lock:
            self._closings += 1
            for child in self._busy:
                child.process.kill()  # whoever waits for it notices, and puts it away
        self._end_idle()

    def idle(self) -> list[tuple[float, _Child[Any]]]:
        """Children that wait for work, and since when (monotonic seconds)."""
        with self._lock:
            return [(child.idle_since, child) for child in self._idle]

    def dismiss(self, child: _Child[Any]) -> None:
        """Ends it, unless it has got work meanwhile."""
        with self._lock:
            if child not in self._idle:
                return
            self._idle.remove(child)
        child.kill()

    def _end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for child in idle:
            child.kill()

    def _refuse_closed(self, closings: int) -> None:
        if closings != self._closings:
            raise Cancelled

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _feed(self, children: list[_Child[Any]], waiting: Iterator[Any], function: Callable[[Any], Any], workers: int) -> None:
        for number in range(workers):
            if number < len(children) and not children[number].has_room:
                continue
            depth = children[number].depth if number < len(children) else min(FIRST_TASKS, self.at_once)
            tasks = list(islice(waiting, depth))
            if not tasks:
                return
            if number == len(children):
                children.append(self._take())
            child = children[number]
            if child.worn_out:
                child.kill()
                child = children[number] = self._at_work(_Child(self.limits, self.at_once), instead_of=child)
            child.send(function, tasks)

    def _answers(self, children: list[_Child[Task]], closings: int) -> Iterator[tuple[Task, Any]]:
        busy = [child for child in children if child.tasks]
        patience = max(0.0, min(child.deadline for child in busy) - time.monotonic())
        ready = wait([child.pipe for child in busy], patience)
        for child in busy:
            self._refuse_closed(closings)
            if child.pipe in ready and not child.greeted:
                child.greet()
            elif child.pipe in ready:
                yield child.receive()
            elif time.monotonic() > child.deadline:
                yield child.stop_for_time()

    def _take(self) -> _Child[Any]:
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.alive:
                    self._busy.add(child)
                    return child
                child.kill()
        return self._at_work(_Child(self.limits, self.at_once))

    def _at_work(self, child: _Child[Any], instead_of: _Child[Any] | None = None) -> _Child[Any]:
        with self._lock:
            self._busy -= {instead_of}
            self._busy.add(child)
        return child

    def _put_back(self, child: _Child[Any], is_wanted: bool) -> None:
        with self._lock:
            self._busy.discard(child)
            if is_wanted and not child.tasks and not child.worn_out:
                child.idle_since = time.monotonic()
                self._idle.append(child)
                return
        child.kill()


class _Child(Generic[Task]):
    """One child process, the inputs it has not answered yet and the time by which it must."""

    def __init__(self, limits: Limits, at_once: int) -> None:
        self.limits = limits
        self.at_once = at_once
        self.tasks: deque[Task] = deque()
        self.function: Callable[[Task], Any] | None = None
        self.idle_since = 0.0
        self._start()

    def _start(self) -> None:
        self.greeted = False
        self.answered = 0
        self.peak_megabytes = 0
        self.mean_seconds = 0.0  # of an input, the last ones counting most
        seconds = max(1, int(self.limits.seconds))
        with contextlib.ExitStack() as where_it_fails:
            try:
                self.pipe, theirs = Pipe()
                where_it_fails.callback(self.pipe.close)
                with theirs:
                    numbers = [str(theirs.fileno()), str(self.limits.megabytes)]
                    self.process = subprocess.Popen(
                        [sys.executable, "-c", BOOT, *numbers, os.pathsep.join(sys.path), str(seconds)],
                        pass_fds=[theirs.fileno()],
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        start_new_session=True,  # a Ctrl-C for the app must not look like a file that kills its reader
                    )
            except OSError as error:  # no memory, no file descriptor, or no more processes
                raise AccessLost(f"{NOT_STARTED} ({error.strerror})") from error
            where_it_fails.pop_all()
        self.deadline = time.monotonic() + START_SECONDS

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def depth(self) -> int:
        """How many inputs are handed to it together."""
        if not self.answered:
            return min(FIRST_TASKS, self.at_once)
        return max(1, min(self.at_once, int(QUEUE_SECONDS / max(self.mean_seconds, 1e-6))))

    @property
    def has_room(self) -> bool:
        """Whether to hand it more; one that is to be replaced first finishes what it has."""
        return not self.tasks if self.worn_out else len(self.tasks) <= self.depth // 2

    @property
    def worn_out(self) -> bool:
        return self.answered >= RECYCLE_AFTER or self.peak_megabytes > MIDDLING_MEGABYTES

    def send(self, function: Callable[[Task], Any], tasks: Iterable[Task]) -> None:
        if self.greeted and not self.tasks:
            self.deadline = time.monotonic() + self.limits.seconds
        self.function = function
        self.tasks.extend(tasks)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a dead child is noticed when it should answer
            self.pipe.send((function, list(tasks)))

    def greet(self) -> None:
        """Notes that the child has started. Raises AccessLost if it could not: that is no fault of an input."""
        try:
            self.pipe.recv_bytes()
        except (EOFError, ConnectionResetError) as error:
            raise AccessLost(NOT_STARTED) from error
        self.greeted = True
        self.deadline = time.monotonic() + self.limits.seconds

    def receive(self) -> tuple[Task, Any]:
        try:
            result, self.peak_megabytes, seconds = unpack(self.pipe.recv_bytes())
        except (EOFError, ConnectionResetError):
            return self._replace(self._cause_of_death())
        except pickle.UnpicklingError as error:
            log.error("a child process that reads files answered with what is not taken from one, and was ended: %s", error)
            return self._replace(Stopped("crash", NO_ANSWER))
        self.mean_seconds = (self.mean_seconds + seconds) / 2 if self.answered else seconds
        self.answered += 1
        self.deadline = time.monotonic() + self.limits.seconds
        task = self.tasks.popleft()
        if isinstance(result, Exception):
            raise result
        return task, result

    def stop_for_time(self) -> tuple[Task, Stopped]:
        if not self.greeted:
            raise AccessLost(f"The program that reads files did not start within {START_SECONDS} seconds. Try again later.")
        return self._replace(Stopped("time", f"It took longer than {self.limits.seconds:g} seconds to read."))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.pipe.close()

    def _cause_of_death(self) -> Stopped:
        status = self.process.wait()
        if status in (-signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP):
            raise AccessLost("Reading was interrupted from outside. It goes on at the next attempt.")
        if status == -signal.SIGALRM:
            return Stopped("time", f"It took longer than {self.limits.seconds:g} seconds to read.")
        if status == MEMORY_STATUS:
            return Stopped("memory", f"It needs more than {self.limits.megabytes:,} MB of memory to read.")
        if status == -signal.SIGKILL:  # nobody but the kernel does so, mostly because the machine's memory was used up
            return Stopped("killed", "The system ended the program that read it, as it does when memory runs out.")
        return Stopped("crash", "The program that reads this kind of file stopped unexpectedly on it.")

    def _replace(self, stopped: Stopped) -> tuple[Task, Stopped]:
        """Blames the input that was being read and hands the others to a fresh process."""
        self.kill()
        blamed = self.tasks.popleft()
        rest, self.tasks = list(self.tasks), deque()
        self._start()
        if rest and self.function:
            self.send(self.function, rest)
        return blamed, stopped


class _IdleChildren:
    """Ends the children of all sandboxes of this process that nobody has needed for a while, but for the last few."""

    def __init__(self) -> None:
        self._sandboxes: WeakSet[Sandbox] = WeakSet()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def watch(self, sandbox: Sandbox) -> None:
        with self._lock:
            self._sandboxes.add(sandbox)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="idle-children", daemon=True)
                self._thread.start()

    def end_some(self, now: float) -> None:
        with self._lock:
            sandboxes = list(self._sandboxes)
        waiting = [(since, sandbox, child) for sandbox in sandboxes for since, child in sandbox.idle()]
        waiting.sort(key=lambda one: one[0], reverse=True)
        for since, sandbox, child in waiting[MOST_IDLE:]:
            if now - since > IDLE_SECONDS:
                sandbox.dismiss(child)

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self.end_some(time.monotonic())


idle_children = _IdleChildren()


# ---------------------------------------------------------------- inside the child

MEMORY_STATUS = 3
COLLECTED_AFTER = (5_000, 10, 10)  # objects; with Python's 700 an eighth of the work is looking for garbage


def serve(descriptor: int, megabytes: int, seconds: int) -> None:
    """The child's life: answer every input, in order, until the parent hangs up."""
    _limit_memory(megabytes)
    with contextlib.suppress(OSError):
        os.nice(5)  # questions come before reading
    pipe = Connection(descriptor)
    greeted = False
    while True:
        try:
            function, tasks = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        if not greeted:  # only now: receiving the function imported the parsers, which takes its time
            gc.freeze()  # what is imported by now need not be looked through for garbage, nor what is made so often
            gc.set_threshold(*COLLECTED_AFTER)
            pipe.send_bytes(b"ready")
            greeted = True
        for task in tasks:
            signal.alarm(seconds + 5)  # should the parent be gone, nothing else would end us
            answer = _answer(function, task)
            signal.alarm(0)
            try:
                pipe.send_bytes(answer)
            except (BrokenPipeError, ConnectionResetError):
                return


def _answer(function: Callable[[Any], Any], task: Any) -> bytes:
    began = time.perf_counter()
    try:
        result = function(task)
        return pack(Answer(result, _peak_megabytes(), time.perf_counter() - began))
    except MemoryError:
        os._exit(MEMORY_STATUS)
    except Exception as error:  # noqa: BLE001  (raised again in the parent, where there is someone to tell)
        return pack_error(Answer(error, _peak_megabytes(), time.perf_counter() - began))


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    limit = megabytes * 1024 * 1024
    with contextlib.suppress(ValueError, OSError):  # macOS refuses a limit on address space
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _peak_megabytes() -> int:
    """The most memory this process has held. `getrusage` says no less, and on Linux it may say what the parent has held: where that
    is much, /proc knows better, which takes thirty times as long to ask."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024 if sys.platform == "darwin" else 1024)
    if peak > MIDDLING_MEGABYTES:
        with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) // 1024
    return peak
