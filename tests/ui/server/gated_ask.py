"""`ask` as answering processes of the tests call it: after each event it waits until the file that GATE names is there."""

import os
import time
from collections.abc import Iterator
from typing import Any

from prompts.stop import Stop
from tree.ask.ask import Event, ask


def gated(*arguments: Any, stop: Stop, **options: Any) -> Iterator[Event]:
    for event in ask(*arguments, stop=stop, **options):
        yield event
        while not os.path.exists(os.environ["GATE"]) and not stop.is_set:
            time.sleep(0.01)
