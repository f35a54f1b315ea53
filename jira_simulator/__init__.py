"""A server that behaves like Jira, for tests, for the demonstration, and for anyone who builds a connector."""

from jira_simulator.archive_loader import load_archive
from jira_simulator.faults import Fault
from jira_simulator.model.clock import Clock
from jira_simulator.model.records import Body, Switches, Ticket
from jira_simulator.model.store import NotOnSite
from jira_simulator.sample_loader import load_sample, load_script
from jira_simulator.server import running
from jira_simulator.site import Site
from jira_simulator.steps import Step, perform

__all__ = [
    "Body",
    "Clock",
    "Fault",
    "NotOnSite",
    "Site",
    "Step",
    "Switches",
    "Ticket",
    "load_archive",
    "load_sample",
    "load_script",
    "perform",
    "running",
]
