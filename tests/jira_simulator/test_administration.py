"""People, groups, permissions, filters, projects, components, versions and fields over REST."""

from __future__ import annotations

import pytest

from jira_simulator import Site
from tests.jira_simulator.contract import check, check_each
from tests.jira_simulator.sites import client, small_site


@pytest.fixture(params=["cloud", "dc"])
def site(request) -> Site:
    site = small_site(request.param)
    site.add_group("jira-administrators", ["acc-ines"])
    site.add_group("crew", ["acc-ines", "acc-bo"])
    return site


@pytest.fixture
def http(site):
    with client(site) as made:
        yield made


@pytest.fixture
def cloud():
    site = small_site()
    site.add_group("crew", ["acc-ines", "acc-bo"])
    site.add_level("Officers", ["acc-ines"])
    site.add_named("versions", "1.0", project="BOAT")
    site.add_named("components", "Ramp", project="BOAT")
    site.add_filter("Mine", "acc-ines", "assignee = currentUser()", favourite=True)
    site.edit("BOAT-1", labels=["red"], fix_versions=["1.0"], components=["Ramp"])
    site.set_property("BOAT-1", "p", 1)
    site.vote("BOAT-2", "acc-ines")
    with client(site) as made:
        yield made


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("user/bulk?accountId=acc-ines&accountId=acc-bo", "PageBeanUser"), ("user?accountId=acc-bo&expand=groups", "User"),
        ("user/picker?query=bo", "FoundUsers"), ("group?groupname=crew&expand=users", "Group"),
        ("group/member?groupname=crew", "PageBeanUserDetails"), ("group/bulk", "PageBeanGroupDetails"), ("groups/picker", "FoundGroups"),
        ("permissions", "Permissions"), ("permissionscheme", "PermissionSchemes"), ("permissionscheme/10000", "PermissionScheme"),
        ("project/BOAT/permissionscheme", "PermissionScheme"), ("issuesecurityschemes", "SecuritySchemes"),
        ("issuesecurityschemes/10000", "SecurityScheme"), ("project/BOAT/securitylevel", "ProjectIssueSecurityLevels"),
        ("securitylevel/10000", "SecurityLevel"), ("filter/10000", "Filter"), ("filter/search?expand=jql,owner", "PageBeanFilterDetails"),
        ("field/search?type=custom", "PageBeanField"), ("jql/autocompletedata", "JQLReferenceData"),
        ("issue/BOAT-1/properties", "PropertyKeys"), ("issue/BOAT-1/properties/p", "EntityProperty"), ("issue/BOAT-2/votes", "Votes"),
        ("issue/BOAT-1/editmeta", "IssueUpdateMetadata"), ("project/BOAT/role/10002", "ProjectRole"), ("statuscategory/2", "StatusCategory"),
        ("issueLinkType/10000", "IssueLinkType"), ("version/10100/relatedIssueCounts", "VersionIssueCounts"),
        ("version/10100/unresolvedIssueCount", "VersionUnresolvedIssuesCount"), ("component/10100/relatedIssueCounts", "ComponentIssuesCount"),
        ("configuration", "Configuration"), ("label", "PageBeanString"), ("project/BOAT/version", "PageBeanVersion"),
        ("project/BOAT/component", "PageBeanComponentWithIssueCount"), ("attachment/meta", "AttachmentSettings"),
        ("statuses/search", "PageOfStatuses"), ("issue/picker?query=boat", "IssuePickerSuggestions"), ("version/10100", "Version"),
        ("component/10100", "ProjectComponent"),
    ],
)  # fmt: skip
def test_an_answer_is_what_the_schema_says(cloud, path, schema) -> None:
    answer = cloud.get(path)
    assert answer.status_code == 200, answer.text
    check(schema, answer.json())


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("users/search", "User"), ("user/search?query=bo", "User"), ("user/assignable/search?project=BOAT", "User"),
        ("filter/favourite", "Filter"), ("filter/my", "Filter"), ("project/BOAT/statuses", "IssueTypeWithStatus"), ("role", "ProjectRole"),
        ("statuscategory", "StatusCategory"), ("user/groups?accountId=acc-bo", "GroupName"),
    ],
)  # fmt: skip
def test_a_list_is_of_what_the_schema_says(cloud, path, schema) -> None:
    check_each(schema, cloud.get(path).json())


def test_permissions_are_checked_for_projects_and_issues(cloud) -> None:
    asked = {
        "projectPermissions": [{"projects": [10000], "issues": [10000, 99], "permissions": ["EDIT_ISSUES"]}],
        "globalPermissions": ["ADMINISTER"],
    }
    found = cloud.post("permissions/check", json=asked).json()
    check("BulkPermissionGrants", found)
    assert found["projectPermissions"] == [{"permission": "EDIT_ISSUES", "issues": [10000], "projects": [10000]}]
    permitted = cloud.post("permissions/project", json={"permissions": ["BROWSE_PROJECTS"]}).json()
    check("PermittedProjects", permitted)
    assert permitted["projects"] == [{"id": 10000, "key": "BOAT"}]
    assert cloud.get("mypermissions").status_code == 400
    assert cloud.get("mypermissions?permissions=FLY").json()["errorMessages"] == ["Unrecognized permission(s): FLY"]


def test_queries_are_parsed_into_their_structure_or_their_errors(cloud) -> None:
    queries = [
        "project = BOAT AND (status was Done BY currentUser() OR labels in (a, b)) order by key desc",
        "colour = red",
        "assignee is empty and",
    ]
    parsed = cloud.post("jql/parse", json={"queries": queries}).json()
    check("ParsedJqlQueries", parsed)
    first, unknown, broken = parsed["queries"]
    project, either = first["structure"]["where"]["clauses"]
    assert project == {"field": {"name": "project"}, "operator": "=", "operand": {"value": "BOAT"}}
    assert either["operator"] == "or" and either["clauses"][0]["predicates"][0]["operand"]["function"] == "currentUser"
    assert first["structure"]["orderBy"]["fields"] == [{"field": {"name": "key"}, "direction": "desc"}]
    assert unknown["errors"] == ["Field 'colour' does not exist or you do not have permission to view it."]
    assert "ended before it was complete" in broken["errors"][0]
    loose = cloud.post("jql/parse?validation=none", json={"queries": ["colour = red"]}).json()["queries"][0]
    assert "errors" not in loose


def test_users_are_found_by_the_words_of_their_name(site, http) -> None:
    name = "query" if site.personality == "cloud" else "username"
    assert [each["displayName"] for each in http.get("user/search", params={name: "lind"}).json()] == ["Bo Lindgren"]
    assert http.get("user/search", params={name: "x"}).json() == []
    assert http.get("user", params={"accountId" if site.personality == "cloud" else "username": "nobody"}).status_code == 404
    other = "username" if site.personality == "cloud" else "accountId"
    assert http.get("user", params={other: "bo"}).status_code == 400


def test_a_group_is_made_and_gets_members(site, http) -> None:
    assert http.post("group", json={"name": "hands"}).status_code == 201
    who = {"accountId": "acc-bo"} if site.personality == "cloud" else {"name": "bo"}
    assert http.post("group/user", params={"groupname": "hands"}, json=who).status_code == 201
    assert [each["displayName"] for each in http.get("group/member", params={"groupname": "hands"}).json()["values"]] == [
        "Bo Lindgren"
    ]
    given = {"accountId": "acc-bo"} if site.personality == "cloud" else {"username": "bo"}
    assert http.delete("group/user", params={"groupname": "hands", **given}).status_code == 200
    assert http.delete("group", params={"groupname": "hands"}).status_code == 200
    assert http.get("group", params={"groupname": "hands"}).status_code == 404


def test_only_an_administrator_administers(site) -> None:
    site.edit_group("jira-administrators", ["acc-bo"])
    with client(site) as http:
        assert http.post("group", json={"name": "hands"}).status_code == 403
        assert http.post("project", json={"key": "SHIP", "name": "Ships"}).status_code == 403
        assert http.get("application-properties").status_code == 403


def test_a_filter_is_saved_changed_searched_and_deleted(site, http) -> None:
    made = http.post("filter", json={"name": "Boats", "jql": "project = BOAT", "favourite": True}).json()
    assert made["favourite"] and made["owner"]["displayName"] == "Ines Okafor"
    assert http.put(f"filter/{made['id']}", json={"name": "Boats", "jql": "key = BOAT-2"}).json()["jql"] == "key = BOAT-2"
    path = "search/jql" if site.personality == "cloud" else "search"
    found = http.get(path, params={"jql": f"filter = {made['id']}", "fields": "key"}).json()["issues"]
    assert [each["key"] for each in found] == ["BOAT-2"]
    assert http.post("filter", json={"name": "Broken", "jql": "colour = red"}).status_code == 400
    assert http.post("filter", json={"jql": "key = BOAT-2"}).status_code == 400
    assert http.delete(f"filter/{made['id']}").status_code == 204
    assert http.get(f"filter/{made['id']}").status_code == (404 if site.personality == "cloud" else 400)


def test_a_project_with_components_versions_roles_and_properties(site, http) -> None:
    assert http.post("project", json={"key": "SHIP", "name": "Ships", "projectTypeKey": "software"}).status_code == 201
    wrong = http.post("project", json={"key": "ship", "name": "Ships"})
    assert wrong.status_code == 400 and "projectKey" in wrong.json()["errors"]
    component = http.post("component", json={"name": "Mast", "project": "SHIP"}).json()
    version = http.post("version", json={"name": "2.0", "project": "SHIP", "releaseDate": "2026-10-01"}).json()
    assert http.post("version", json={"name": "2.0", "project": "SHIP"}).status_code == 400
    assert http.put(f"version/{version['id']}", json={"released": True, "name": None}).json()["released"] is True
    assert http.put(f"component/{component['id']}", json={"description": "Tall"}).json()["description"] == "Tall"
    site.create("SHIP", "Sail", components=["Mast"], fix_versions=["2.0"])
    assert http.delete(f"component/{component['id']}").status_code == 204 == http.delete(f"version/{version['id']}").status_code
    assert site.find("SHIP-1").components == () == site.find("SHIP-1").fix_versions
    assert http.put("project/SHIP/properties/p", json=[1]).status_code == 201
    assert http.get("project/SHIP/properties/p").json()["value"] == [1]
    who = "acc-bo" if site.personality == "cloud" else "bo"
    actors = http.post("project/BOAT/role/10002", json={"user": [who]}).json()["actors"]
    assert [each["displayName"] for each in actors] == ["Bo Lindgren", "Ines Okafor"]
    assert http.put("project/SHIP", json={"key": "YACHT"}).json()["key"] == "YACHT"
    assert http.get("issue/SHIP-1").json()["key"] == "YACHT-1"
    assert http.delete("project/YACHT").status_code == 204 and "SHIP-1" not in {each.key for each in site.tickets.values()}


def test_a_custom_field_is_made_and_set(site, http) -> None:
    kind = "com.atlassian.jira.plugin.system.customfieldtypes:float"
    field = http.post("field", json={"name": "Knots", "type": kind}).json()
    assert field["schema"]["type"] == "number"
    assert http.put("issue/BOAT-1", json={"fields": {field["id"]: "fast"}}).json()["errors"] == {
        field["id"]: "Operation value must be a number"
    }
    assert http.put("issue/BOAT-1", json={"fields": {field["id"]: 7}}).status_code == 204
    path = "search/jql" if site.personality == "cloud" else "search"
    found = http.get(path, params={"jql": "project = BOAT and Knots > 6", "fields": "key"}).json()["issues"]
    assert [each["key"] for each in found] == ["BOAT-1"]
