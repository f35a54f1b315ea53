"""A server that behaves like Jira, for tests, for the demonstration, and for anyone who builds a connector."""

from connectors.jira.standin.clock import Clock
from connectors.jira.standin.faults import Fault
from connectors.jira.standin.records import Body, Switches
from connectors.jira.standin.server import running
from connectors.jira.standin.site import Site

__all__ = ["Body", "Clock", "Fault", "Site", "Switches", "running"]
