"""A server that behaves like Jira, for tests, for the demonstration, and for anyone who builds a connector."""

from jira_simulator.clock import Clock
from jira_simulator.faults import Fault
from jira_simulator.records import Body, Switches
from jira_simulator.server import running
from jira_simulator.site import Site

__all__ = ["Body", "Clock", "Fault", "Site", "Switches", "running"]
