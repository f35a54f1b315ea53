"""The addresses of a site: which handler answers where, in Cloud and in Data Center."""

from __future__ import annotations

from starlette.routing import BaseRoute, Mount, Route

from jira_simulator.rest import (
    attachments,
    boards,
    catalogues,
    changelog,
    comments,
    components,
    fields,
    filters,
    groups,
    issues,
    jql,
    links,
    permissions,
    projects,
    search,
    server_info,
    sprints,
    users,
    versions,
    watchers,
    webhooks,
    worklogs,
)
from jira_simulator.rest.errors import RestError, envelope, no_endpoint
from jira_simulator.rest.request import Call, Handler, endpoint
from jira_simulator.site import Site

METHODS = ("GET", "POST", "PUT", "DELETE")
Table = tuple[tuple[str, str, Handler], ...]  # methods, path, who answers

ISSUES: Table = (
    ("POST", "/issue", issues.create),
    ("POST", "/issue/bulk", issues.create_many),
    ("GET", "/issue/picker", issues.picker),
    ("GET", "/issue/createmeta/{project}/issuetypes", issues.create_types),
    ("GET", "/issue/createmeta/{project}/issuetypes/{type}", issues.create_fields),
    ("GET", "/issue/{key}", issues.ticket),
    ("PUT", "/issue/{key}", issues.edit),
    ("DELETE", "/issue/{key}", issues.delete),
    ("PUT", "/issue/{key}/assignee", issues.assign),
    ("GET", "/issue/{key}/transitions", issues.transitions),
    ("POST", "/issue/{key}/transitions", issues.transition),
    ("GET", "/issue/{key}/editmeta", issues.edit_metadata),
    ("GET", "/issue/{key}/properties", issues.properties),
    ("GET PUT DELETE", "/issue/{key}/properties/{name}", issues.property_of),
    ("POST", "/issue/{key}/notify", issues.notify),
    ("GET", "/issue/{key}/comment", comments.comments),
    ("POST", "/issue/{key}/comment", comments.create),
    ("GET", "/issue/{key}/comment/{comment}", comments.comment),
    ("PUT", "/issue/{key}/comment/{comment}", comments.edit),
    ("DELETE", "/issue/{key}/comment/{comment}", comments.delete),
    ("GET", "/issue/{key}/worklog", worklogs.worklogs),
    ("POST", "/issue/{key}/worklog", worklogs.create),
    ("GET", "/issue/{key}/worklog/{worklog}", worklogs.worklog),
    ("PUT", "/issue/{key}/worklog/{worklog}", worklogs.edit),
    ("DELETE", "/issue/{key}/worklog/{worklog}", worklogs.delete),
    ("GET POST DELETE", "/issue/{key}/remotelink", links.remote_links),
    ("GET PUT DELETE", "/issue/{key}/remotelink/{link}", links.remote_link),
    ("GET POST DELETE", "/issue/{key}/watchers", watchers.watchers),
    ("GET POST DELETE", "/issue/{key}/votes", watchers.votes),
    ("POST", "/issue/{key}/attachments", attachments.create),
    ("GET", "/attachment/meta", attachments.settings),
    ("GET", "/attachment/{attachment}", attachments.attachment),
    ("DELETE", "/attachment/{attachment}", attachments.delete),
    ("POST", "/issueLink", links.create),
    ("GET DELETE", "/issueLink/{link}", links.one),
    ("GET POST", "/issueLinkType", links.types),
    ("GET", "/issueLinkType/{type}", links.link_type),
    ("GET", "/worklog/updated", worklogs.updated),
    ("GET", "/worklog/deleted", worklogs.deleted),
    ("POST", "/worklog/list", worklogs.listed),
)
PROJECTS: Table = (
    ("GET POST", "/project", projects.projects),
    ("GET", "/project/type", projects.types),
    ("GET", "/project/type/{type}", projects.types),
    ("GET", "/projectvalidate/key", projects.validate_key),
    ("GET", "/projectCategory", projects.none),
    ("GET PUT DELETE", "/project/{key}", projects.project),
    ("GET", "/project/{key}/components", components.of_project),
    ("GET", "/project/{key}/versions", versions.of_project),
    ("GET", "/project/{key}/version", versions.page_of_project),
    ("GET", "/project/{key}/statuses", projects.statuses),
    ("GET", "/project/{key}/role", projects.roles),
    ("GET POST PUT DELETE", "/project/{key}/role/{role}", projects.role),
    ("GET", "/project/{key}/avatars", projects.avatars),
    ("GET", "/project/{key}/properties", projects.properties),
    ("GET PUT DELETE", "/project/{key}/properties/{name}", projects.property_of),
    ("POST PUT", "/project/{key}/archive", projects.archive),
    ("POST PUT", "/project/{key}/restore", projects.archive),
    ("GET", "/project/{key}/permissionscheme", permissions.project_scheme),
    ("GET", "/project/{key}/securitylevel", permissions.project_levels),
    ("GET", "/project/{key}/issuesecuritylevelscheme", permissions.security_scheme),
    ("GET", "/role", projects.site_roles),
    ("GET", "/role/{role}", projects.site_role),
    ("POST", "/component", components.create),
    ("GET PUT DELETE", "/component/{id}", components.one),
    ("GET", "/component/{id}/relatedIssueCounts", components.count),
    ("POST", "/version", versions.create),
    ("GET PUT DELETE", "/version/{id}", versions.one),
    ("POST", "/version/{id}/removeAndSwap", versions.remove_and_swap),
    ("GET", "/version/{id}/relatedIssueCounts", versions.count),
    ("GET", "/version/{id}/unresolvedIssueCount", versions.unresolved),
)
SITE: Table = (
    ("GET", "/serverInfo", server_info.server_info),
    ("GET", "/configuration", server_info.configuration),
    ("GET", "/settings/columns", server_info.columns),
    ("GET", "/application-properties", server_info.application_properties),
    ("GET", "/myself", users.myself),
    ("GET", "/user", users.user),
    ("POST", "/user", users.create),
    ("DELETE", "/user", users.delete),
    ("GET", "/user/search", users.search),
    ("GET", "/user/assignable/search", users.assignable),
    ("GET", "/user/assignable/multiProjectSearch", users.assignable),
    ("GET", "/user/viewissue/search", users.viewers),
    ("GET", "/user/picker", users.picker),
    ("GET", "/user/properties", users.properties),
    ("GET PUT DELETE", "/user/properties/{name}", users.property_of),
    ("GET POST DELETE", "/group", groups.group),
    ("GET", "/group/member", groups.members),
    ("POST DELETE", "/group/user", groups.membership),
    ("GET", "/groups/picker", groups.picker),
    ("GET", "/permissions", permissions.everything),
    ("GET", "/mypermissions", permissions.mine),
    ("GET", "/permissionscheme", permissions.schemes),
    ("GET", "/permissionscheme/{scheme}", permissions.scheme),
    ("GET", "/permissionscheme/{scheme}/permission", permissions.grants),
    ("GET", "/securitylevel/{level}", permissions.security_level),
    ("GET", "/issuesecurityschemes", permissions.security_schemes),
    ("GET", "/issuesecurityschemes/{scheme}", permissions.security_scheme),
    ("POST", "/filter", filters.create),
    ("GET", "/filter/favourite", filters.favourites),
    ("GET", "/filter/defaultShareScope", filters.share_scope),
    ("GET PUT DELETE", "/filter/{filter}", filters.one),
    ("GET", "/filter/{filter}/columns", filters.columns),
    ("GET", "/filter/{filter}/permission", filters.shares),
    ("GET", "/dashboard", filters.dashboards),
    ("GET POST", "/field", fields.fields),
    ("GET", "/status", catalogues.statuses),
    ("GET", "/status/{id}", catalogues.status),
    ("GET", "/statuscategory", catalogues.categories),
    ("GET", "/statuscategory/{id}", catalogues.category),
    ("GET", "/issuetype", catalogues.issue_types),
    ("GET", "/issuetype/{id}", catalogues.issue_type),
    ("GET", "/priority", catalogues.priorities),
    ("GET", "/priority/{id}", catalogues.priority),
    ("GET", "/resolution", catalogues.resolutions),
    ("GET", "/resolution/{id}", catalogues.resolution),
    ("GET", "/jql/autocompletedata", jql.autocompletion),
    ("GET", "/jql/autocompletedata/suggestions", jql.suggestions),
)
CLOUD: Table = (
    ("GET POST", "/search/jql", search.search_cloud),
    ("GET POST", "/search", search.removed),
    ("POST", "/search/approximate-count", search.approximate_count),
    ("POST", "/jql/match", jql.match),
    ("POST", "/jql/parse", jql.parse_queries),
    ("POST", "/jql/autocompletedata", jql.autocompletion),
    ("POST", "/issue/bulkfetch", search.bulk_fetch),
    ("GET", "/issue/createmeta", issues.create_metadata),
    ("GET", "/project/search", projects.search),
    ("GET", "/project/recent", projects.projects),
    ("GET", "/project/{key}/component", components.page_of_project),
    ("GET", "/project/{key}/roledetails", projects.role_details),
    ("POST", "/comment/list", comments.comment_list),
    ("GET", "/issue/{key}/changelog", changelog.changelog),
    ("POST", "/issue/{key}/changelog/list", changelog.changelog_list),
    ("POST", "/changelog/bulkfetch", changelog.changelog_bulk),
    ("GET", "/attachment/content/{attachment}", attachments.content),
    ("GET", "/users", users.everybody),
    ("GET", "/users/search", users.everybody),
    ("GET", "/user/bulk", users.bulk),
    ("GET", "/user/groups", users.groups),
    ("GET", "/group/bulk", groups.bulk),
    ("POST", "/permissions/check", permissions.check),
    ("POST", "/permissions/project", permissions.permitted_projects),
    ("GET", "/filter/my", filters.mine),
    ("GET", "/filter/search", filters.search),
    ("PUT DELETE", "/filter/{filter}/favourite", filters.favourite),
    ("GET", "/dashboard/search", filters.dashboards),
    ("GET", "/field/search", fields.search),
    ("GET", "/field/{field}/context", fields.contexts),
    ("GET", "/statuses/search", catalogues.status_search),
    ("GET", "/issuetype/project", catalogues.project_issue_types),
    ("GET", "/priority/search", catalogues.priority_search),
    ("GET", "/resolution/search", catalogues.resolution_search),
    ("GET", "/label", catalogues.labels),
    ("GET", "/configuration/timetracking", server_info.time_tracking),
    ("GET POST", "/webhook", webhooks.dynamic),
)
DC: Table = (
    ("GET POST", "/search", search.search_dc),
    ("GET", "/customFields", fields.custom_fields),
)
AGILE: Table = (
    ("GET POST", "/board", boards.boards),
    ("GET DELETE", "/board/{board:int}", boards.board),
    ("GET", "/board/filter/{filter}", boards.of_filter),
    ("GET", "/board/{board:int}/configuration", boards.configuration),
    ("GET", "/board/{board:int}/sprint", sprints.of_board),
    ("GET", "/board/{board:int}/sprint/{sprint:int}/issue", boards.sprint_issues),
    ("GET", "/board/{board:int}/issue", boards.issues),
    ("GET", "/board/{board:int}/backlog", boards.backlog),
    ("GET", "/board/{board:int}/epic", boards.epics),
    ("GET", "/board/{board:int}/epic/none/issue", boards.epic_issues),
    ("GET", "/board/{board:int}/epic/{epic}/issue", boards.epic_issues),
    ("GET", "/board/{board:int}/project", boards.projects),
    ("GET", "/board/{board:int}/version", boards.versions),
    ("GET", "/board/{board:int}/properties", boards.properties),
    ("POST", "/sprint", sprints.create),
    ("GET PUT POST DELETE", "/sprint/{sprint:int}", sprints.sprint),
    ("GET POST", "/sprint/{sprint:int}/issue", sprints.issues),
    ("POST", "/backlog/issue", sprints.to_backlog),
    ("POST", "/backlog/{board:int}/issue", sprints.to_backlog),
    ("PUT", "/issue/rank", sprints.rank),
    ("GET", "/issue/{key}", sprints.issue),
    ("GET POST", "/epic/{epic}", sprints.epic),
    ("GET POST", "/epic/{epic}/issue", sprints.epic_issues),
)
HOOKS = ("/rest/webhooks/1.0/webhook", "/rest/jira-webhook/1.0/webhooks")


def routes(site: Site) -> list[BaseRoute]:
    """Everything a Jira of this personality answers; the rest is a 404 in its own words."""
    cloud = site.personality == "cloud"
    rest = (CLOUD if cloud else DC) + ISSUES + PROJECTS + SITE  # the fixed words before what a parameter would swallow
    inner: list[BaseRoute] = [
        Mount("/rest/api/{version:str}", routes=_routes(site, rest)),
        Mount("/rest/agile/1.0", routes=_routes(site, AGILE)),
    ]
    for place in HOOKS:
        inner.append(Route(place, endpoint(site, webhooks.collection), methods=["GET", "POST"]))
        inner.append(Route(place + "/{hook}", endpoint(site, webhooks.one), methods=["GET", "DELETE"]))
    if not cloud:
        inner.append(Route("/secure/attachment/{attachment}/{name:path}", endpoint(site, attachments.file)))
    missing = Route("/{rest:path}", endpoint(site, nothing_here), methods=METHODS)
    found: list[BaseRoute] = [Route("/simulator-media/{attachment}/{name:path}", endpoint(site, attachments.media))]
    if cloud:
        found.append(Mount("/ex/jira/{cloud_id}", routes=[*inner, missing]))
        found.append(Route("/_edge/tenant_info", endpoint(site, server_info.tenant_info)))
    if site.context:
        return [*found, Mount(site.context, routes=[*inner, missing]), missing]
    return [*found, *inner, missing]


def nothing_here(call: Call) -> object:
    raise no_endpoint(call.method, call.url_path)


def wrong_method(call: Call) -> object:
    raise RestError(405, envelope(f"HTTP 405 Method Not Allowed: {call.method} {call.url_path}"))


def _routes(site: Site, table: Table) -> list[BaseRoute]:
    """A path that is there answers 405 to methods it does not have, unless a later path has them."""
    listed = [Route(path, endpoint(site, handler), methods=methods.split()) for methods, path, handler in table]
    others = [Route(path, endpoint(site, wrong_method), methods=METHODS) for path in dict.fromkeys(path for _, path, _ in table)]
    return [*listed, *others, Route("/{rest:path}", endpoint(site, nothing_here), methods=METHODS)]
