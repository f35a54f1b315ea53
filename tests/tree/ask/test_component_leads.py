"""Who leads a component, as Jira has it."""

from __future__ import annotations

from pathlib import Path

from tests.connectors.jira.world import jira, world
from tests.ingestion.workspaces import Following


def test_who_leads_a_component_of_jira_can_be_asked(tmp_path: Path) -> None:
    site, docs = jira(), Following(tmp_path)
    bob = next(user for user in site.users.values() if user.display_name == "Bob Roy")
    site.add_named("components", "Hinge Sensor", project="GANG", lead=bob.account_id)
    site.create("GANG", "Sensor is wet", components=["Hinge Sensor"])
    with world(site) as made:
        docs.sync(connector=made.connector)
    for question in ("Who leads the component Hinge Sensor?", "who is the lead of hinge sensor"):
        answer = docs.ask(question)
        assert answer.verdict == "complete" and answer.text.startswith("**Bob Roy**"), answer.text
    assert "Hinge Sensor" in docs.ask("What does Bob Roy lead?").text
