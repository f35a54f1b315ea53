"""An answering process: `python -m ui.server.answering --home FOLDER [--ask MODULE:FUNCTION]`. The app starts it, and talks to it.

Each line of standard input is a JSON object: {"id", "job", "arguments"} begins a job, {"stop": id} gives one up. Each line of
standard output is one too: {"ready": true} first, then {"id", "told"} for whatever a job yields and {"id", "ended", "kind", "message"} for
its end, where `ended` is "done", "refused" (with the name of an error in refusals.py) or "failed" (a fault of ours, which the log
tells). It ends with its standard input: however the app ended, nothing is left behind.
"""

from __future__ import annotations

import gc

if __name__ == "__main__":
    gc.disable()  # until all is loaded (`tree.garbage.loaded`)

import argparse
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import IO, Any

from prompts.stop import Stop
from tree import logs
from tree.ask.ask import AskError
from tree.garbage import collect_seldom, loaded
from tree.store.database import StoreError
from tree.workspace import Workspace, open_workspace
from ui.server.answering.jobs import ASK, JOBS
from ui.server.answering.refusals import kind_of
from ui.server.heaps import share_heaps

AT_ONCE = 32  # questions; the app asks fewer at a time
NICENESS = 5  # pages come first

log = logging.getLogger("knowledge-tree")


class Answering:
    """Does what it is told to, several things at a time; what no person waits for one after the other."""

    def __init__(self, workspace: Workspace, out: IO[bytes], ask: Any = None) -> None:
        self.workspace = workspace
        self._out = out
        self._writing = threading.Lock()
        self._given = {"ask": ask} if ask is not None else {}
        self._stops: dict[int, Stop] = {}
        self._questions = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="ask")
        self._others = ThreadPoolExecutor(1, thread_name_prefix="other")

    def listen(self, lines: IO[bytes]) -> None:
        """Until they end."""
        self._tell(ready=True)
        for line in lines:
            told = json.loads(line)
            if "stop" in told:
                if (stop := self._stops.get(told["stop"])) is not None:
                    stop.set()
                continue
            self._stops[told["id"]] = stop = Stop()
            pool = self._questions if told["job"] == ASK else self._others
            pool.submit(self._work, told["id"], told["job"], told["arguments"], stop)

    def _work(self, id_: int, job: str, arguments: dict[str, Any], stop: Stop) -> None:
        ended, kind, message = "done", "", ""
        try:
            if not stop.is_set:
                for told in self._events(job, arguments, stop):
                    self._tell(id=id_, told=told)
                    if stop.is_set:
                        break
        except (AskError, StoreError) as error:
            ended, kind, message = "refused", kind_of(error), str(error)
        except Exception:  # noqa: BLE001
            # a fault of ours: whoever asked is told so, the log has the details
            log.exception("a job of the answering process failed: %s", job)
            ended = "failed"
        finally:
            del self._stops[id_]
        self._tell(id=id_, ended=ended, kind=kind, message=message)

    def _events(self, job: str, arguments: dict[str, Any], stop: Stop) -> Iterator[Any]:
        return JOBS[job](self.workspace, **arguments, stop=stop, **(self._given if job == ASK else {}))

    def _tell(self, **told: Any) -> None:
        line = json.dumps(told, separators=(",", ":")).encode() + b"\n"
        try:
            with self._writing:
                self._out.write(line)
                self._out.flush()
        except OSError:  # the app has ended
            os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ui.server.answering")
    parser.add_argument("--home", required=True)
    parser.add_argument("--ask", default="", help="module:function that is called in place of `ask`")
    options = parser.parse_args()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no message of ours
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app, which ends us
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    share_heaps()
    logs.set_up()
    answering = Answering(open_workspace(options.home), out, _named(options.ask) if options.ask else None)
    collect_seldom()
    answering.listen(sys.stdin.buffer)
    os._exit(0)  # nobody is left whom an answer that is under way could reach


def _named(where: str) -> Any:
    """What is called so: "module:name"."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


if __name__ == "__main__":
    loaded()
    main()
