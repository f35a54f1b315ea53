"""Small sites for the tests, and a client that is signed in to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from jira_simulator import Clock, Site, Switches, running

NOON = "2026-08-03T12:00:00+00:00"
TOKEN = "a token nobody may see"
EMAIL = "ines@example.com"


def small_site(personality: str = "cloud", tickets: int = 3, zone: str = "Etc/UTC", **switches: Any) -> Site:
    """A project BOAT with tickets BOAT-1 to BOAT-n, created a minute apart, and Ines, who has a token."""
    site = Site(personality, clock=Clock(NOON), switches=Switches(**switches))
    ines = site.add_user("Ines Okafor", EMAIL, "ines", "acc-ines", zone)
    site.add_user("Bo Lindgren", "bo@example.com", "bo", "acc-bo")
    site.add_token(ines, TOKEN, "api" if personality == "cloud" else "pat")
    site.add_project("BOAT", "Boats", lead="acc-ines", roles={"Crew": frozenset({"acc-ines"})})
    for number in range(1, tickets + 1):
        site.create("BOAT", f"Ticket number {number}", "Bo Lindgren", description=f"What number {number} is about.")
        site.clock.advance(60)
    return site


def headers(site: Site) -> dict[str, str]:
    return {} if site.personality == "cloud" else {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def client(site: Site, **options: Any) -> Iterator[httpx.Client]:
    """A client signed in as Ines; its paths are those of the REST interface, `search/jql`."""
    with running(site) as url:
        auth = (EMAIL, TOKEN) if site.personality == "cloud" else None
        given = {"auth": auth, "headers": headers(site), "timeout": 10, "verify": False, **options}
        version = "3" if site.personality == "cloud" else "2"
        with httpx.Client(base_url=f"{url}/rest/api/{version}/", **given) as made:
            yield made


def walk(http: httpx.Client, jql: str, most: int = 2, fields: tuple[str, ...] = ("key",), **more: Any) -> list[list[str]]:
    """Every page of a search, as keys."""
    pages: list[list[str]] = []
    token: dict[str, str] = {}
    while True:
        answer = http.post("search/jql", json={"jql": jql, "maxResults": most, "fields": list(fields), **token, **more})
        assert answer.status_code == 200, answer.text
        body = answer.json()
        pages.append([each["key"] for each in body["issues"]])
        if body["isLast"]:
            return pages
        token = {"nextPageToken": body["nextPageToken"]}


def keys(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [each["key"] for each in answer.json()["issues"]]
