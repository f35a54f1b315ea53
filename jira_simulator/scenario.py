"""Plays a scripted day: steps that happen to a site at their times on its clock.

`play_until` is for tests: it sets the clock to each step's time and takes it. `ScenarioPlayer` follows a running clock.
The same script on the same site always gives the same state.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Sequence

from jira_simulator.site import Site
from jira_simulator.steps import Step, perform


def play_until(site: Site, steps: Sequence[Step], until: dt.datetime | None = None) -> int:
    """Takes every step that is due until then (without it: all of them); how many comes back."""
    due = [each for each in steps if until is None or each["at"] <= until]
    for step in due:
        if step["at"] > site.clock.true():
            site.clock.set(step["at"])
        perform(site, step)
    if until is not None and until > site.clock.true():
        site.clock.set(until)
    return len(due)


class ScenarioPlayer:
    """Takes steps in a thread, as the site's clock comes to them. `told` hears of each step as it is taken."""

    def __init__(self, site: Site, steps: Sequence[Step], told: Callable[[Step], None] = lambda step: None) -> None:
        self.site = site
        self.steps = list(steps)
        self.told = told
        self.taken = 0
        self.failed: list[str] = []  # steps that could not be taken, in words
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="simulator-player", daemon=True)
        site.clock.on_change(self._wake)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join(5)

    @property
    def is_over(self) -> bool:
        return self.taken + len(self.failed) >= len(self.steps)

    def wait(self, timeout: float) -> bool:
        """Waits until every step has been taken."""
        with self._changed:
            return self._changed.wait_for(lambda: self.is_over, timeout)

    def _run(self) -> None:
        for step in self.steps:
            if not self._comes(step["at"]):
                return
            try:
                perform(self.site, step)
            except (LookupError, ValueError) as error:  # somebody has changed the site by hand; the day goes on
                self.failed.append(f"{step['at']:%H:%M} {step['do']}: {error}")
            else:
                self.taken += 1
                self.told(step)
            with self._changed:
                self._changed.notify_all()

    def _comes(self, moment: dt.datetime) -> bool:
        """Waits until then on the site's clock; False when stopped before."""
        with self._changed:
            while not self._stopping:
                wait = self.site.clock.real_seconds_until(moment)
                if wait == 0:
                    return True
                self._changed.wait(wait)
            return False

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
