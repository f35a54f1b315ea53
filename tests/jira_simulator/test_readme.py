"""The README names everything there is, and its example runs."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import jira_simulator as simulator
from jira_simulator import Fault, Site
from jira_simulator.control_api import ACTIONS
from jira_simulator.faults import Kind, Paging
from jira_simulator.steps import STEPS
from jira_simulator.webhook_sender import What

FOLDER = Path(simulator.__file__).parent
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_it_names_every_method_step_fault_call_and_file() -> None:
    methods = [
        name for name, _ in inspect.getmembers(Site, inspect.isfunction) if name in vars(Site) and not name.startswith("_")
    ]
    names = [*methods, *STEPS, *(each.name for each in fields(Fault) if each.name != "met"), *filter(None, get_args(Kind))]
    names += [*filter(None, get_args(Paging)), *get_args(What)]
    names += [each.stem for each in FOLDER.rglob("*.py") if not each.stem.startswith("_")]
    assert [each for each in names if f"`{each}`" not in README and f"`{each}," not in README and f", {each}" not in README] == []
    assert {path for _, path in ACTIONS if path} - set(re.findall(r"/simulator/([a-z-]+)", README)) == set()


def test_its_example_runs() -> None:
    (example,) = re.findall(r"```python\n(import httpx.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    site = names["site"]
    assert isinstance(site, Site) and site.find("BOAT-1").resolution is not None
