"""A body of the wrong types is refused: never a 500, whatever is sent where."""

from __future__ import annotations

import inspect
import random
import re
import sys
from typing import Any

import pytest

from jira_simulator.rest import routes
from tests.jira_simulator.sites import client, small_site

VALUES: list[Any] = [
    None, 1, -1, "x", "", [], {}, [1], ["x"], {"a": 1}, True, [None], {"id": None}, {"name": []}, {"key": 5}, [{}], {"id": "10000"},
    "BOAT-1", {"type": "doc", "content": []}, {"add": 1}, [{"add": None}], [{"add": {"body": 1}}], [{"set": [{"name": 3}]}],
]  # fmt: skip
PLACES = {"key": "BOAT-1", "project": "BOAT", "type": "10002", "name": "p", "role": "10002", "id": "10100", "filter": "10000",
          "field": "summary", "scheme": "10000", "level": "10000", "board:int": "1", "sprint:int": "1", "epic": "BOAT-2",
          "comment": "10000", "worklog": "10000", "link": "10000", "attachment": "10000"}  # fmt: skip


@pytest.mark.parametrize("personality", ["cloud", "dc"])
def test_no_body_makes_the_server_fail(personality) -> None:
    chance, failed = random.Random(7), {}
    site = small_site(personality)
    site.add_sprint("s", site.add_board("b", "BOAT"))
    site.comment("BOAT-1", "x", "acc-ines")
    site.log_work("BOAT-1", 60, "acc-ines")
    site.remote_link("BOAT-1", "https://x.example", "t")
    site.add_filter("f", "acc-ines", "project = BOAT")
    site.add_group("g", ["acc-ines"])
    site.add_named("versions", "1", project="BOAT")
    site.add_named("components", "c", project="BOAT")
    site.add_level("l", ["acc-ines"])
    own = routes.CLOUD if personality == "cloud" else routes.DC
    tables = (("api/2", own + routes.ISSUES + routes.PROJECTS + routes.SITE), ("agile/1.0", routes.AGILE))
    with client(site) as http:
        for base, table in tables:
            for methods, path, handler in table:
                names = sorted(set(re.findall(r'"([a-zA-Z]{2,24})"', inspect.getsource(sys.modules[handler.__module__]))))
                places = {**PLACES, **({"key": "BOAT"} if path.startswith("/project/") else {})}
                url = f"{site.url}{site.context}/rest/{base}{re.sub(r'{([^}]+)}', lambda m, p=places: p[m[1]], path)}"
                for method in sorted(set(methods.split()) - {"DELETE"}):
                    for _ in range(4 if method == "GET" else 12):
                        given = {chance.choice(names): chance.choice(VALUES) for _ in range(chance.randint(0, 3))}
                        if method == "GET":
                            answer = http.get(url, params={name: str(value) for name, value in given.items()})
                        else:
                            fields = {chance.choice([*site.fields, *names]): chance.choice(VALUES)}
                            update = {chance.choice(("comment", "issuelinks", "worklog", "labels")): chance.choice(VALUES)}
                            new = {"project": {"key": "BOAT"}, "summary": "s", "issuetype": {"name": "Task"}}
                            whole = {"fields": {**new, **fields}, "update": update}
                            given = chance.choice((given, given, whole, chance.choice(VALUES)))  # type: ignore[assignment]
                            answer = http.request(method, url, json=given)
                        if answer.status_code >= 500:
                            failed.setdefault((method, path), given)
    assert {place: given for place, given in failed.items() if "reconcileIssues" not in str(given)} == {}
