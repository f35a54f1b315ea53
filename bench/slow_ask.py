"""`ask`, which waits between its steps as it would for a language model."""

import os
import time
from collections.abc import Iterator
from typing import Any

from tree.ask.ask import Event, ask


def slowly(*arguments: Any, **options: Any) -> Iterator[Event]:
    for event in ask(*arguments, **options):
        time.sleep(float(os.environ["STEP_SECONDS"]))
        yield event
