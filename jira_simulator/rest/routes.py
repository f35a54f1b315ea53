"""The addresses of a site: which handler answers where, in Cloud and in Data Center."""

from __future__ import annotations

from starlette.routing import BaseRoute, Mount, Route

from jira_simulator.rest import about, issues, search, webhooks
from jira_simulator.rest.errors import no_endpoint
from jira_simulator.rest.request import Call, Handler, endpoint
from jira_simulator.site import Site

GET, POST, BOTH = ("GET",), ("POST",), ("GET", "POST")
Table = tuple[tuple[str, tuple[str, ...], Handler], ...]  # path, methods, who answers
REST: Table = (
    ("/serverInfo", GET, about.server_info),
    ("/myself", GET, about.myself),
    ("/user", GET, about.user),
    ("/field", GET, about.fields),
    ("/status", GET, about.statuses),
    ("/issuetype", GET, about.issue_types),
    ("/priority", GET, about.priorities),
    ("/resolution", GET, about.resolutions),
    ("/issueLinkType", GET, about.link_types),
    ("/mypermissions", GET, about.permissions),
    ("/project", GET, about.projects),
    ("/project/{key}", GET, about.project),
    ("/project/{key}/components", GET, about.project_components),
    ("/project/{key}/versions", GET, about.project_versions),
    ("/issue/{key}", GET, issues.ticket),
    ("/issue/{key}/comment", GET, issues.comments),
    ("/issue/{key}/comment/{comment}", GET, issues.comment),
    ("/issue/{key}/remotelink", GET, issues.remote_links),
    ("/issue/{key}/worklog", GET, issues.worklogs),
    ("/attachment/{attachment}", GET, issues.attachment),
)
CLOUD: Table = (
    ("/search", BOTH, search.removed),
    ("/search/jql", BOTH, search.search_cloud),
    ("/search/approximate-count", POST, search.approximate_count),
    ("/jql/match", POST, search.match),
    ("/issue/bulkfetch", POST, search.bulk_fetch),
    ("/project/search", GET, about.project_search),
    ("/comment/list", POST, issues.comment_list),
    ("/issue/{key}/changelog", GET, issues.changelog),
    ("/changelog/bulkfetch", POST, issues.changelog_bulk),
    ("/worklog/deleted", GET, issues.deleted_worklogs),
    ("/attachment/content/{attachment}", GET, issues.attachment_content),
    ("/webhook", BOTH, webhooks.dynamic),
)
DC: Table = (("/search", BOTH, search.search_dc),)
AGILE: Table = (
    ("/board", GET, about.boards),
    ("/board/{board:int}", GET, about.board),
    ("/board/{board:int}/configuration", GET, about.board_configuration),
    ("/board/{board:int}/sprint", GET, about.board_sprints),
    ("/sprint/{sprint:int}", GET, about.sprint),
)
HOOKS = ("/rest/webhooks/1.0/webhook", "/rest/jira-webhook/1.0/webhooks")


def routes(site: Site) -> list[BaseRoute]:
    """Everything a Jira of this personality answers; the rest is a 404 in its own words."""
    cloud = site.personality == "cloud"
    rest = (CLOUD if cloud else DC) + REST  # the fixed words before what a parameter would swallow
    inner: list[BaseRoute] = [
        Mount("/rest/api/{version:str}", routes=_routes(site, rest)),
        Mount("/rest/agile/1.0", routes=_routes(site, AGILE)),
    ]
    for place in HOOKS:
        inner.append(Route(place, endpoint(site, webhooks.collection), methods=["GET", "POST"]))
        inner.append(Route(place + "/{hook}", endpoint(site, webhooks.one), methods=["GET", "DELETE"]))
    if not cloud:
        inner.append(Route("/secure/attachment/{attachment}/{name:path}", endpoint(site, issues.attachment_file)))
    missing = Route("/{rest:path}", endpoint(site, nothing_here), methods=["GET", "POST", "PUT", "DELETE"])
    found: list[BaseRoute] = [Route("/simulator-media/{attachment}/{name:path}", endpoint(site, issues.media))]
    if cloud:
        found.append(Mount("/ex/jira/{cloud_id}", routes=[*inner, missing]))
        found.append(Route("/_edge/tenant_info", endpoint(site, about.tenant_info)))
    if site.context:
        return [*found, Mount(site.context, routes=[*inner, missing]), missing]
    return [*found, *inner, missing]


def nothing_here(call: Call) -> object:
    raise no_endpoint(call.method, call.url_path)


def _routes(site: Site, table: Table) -> list[Route]:
    listed = [Route(path, endpoint(site, handler), methods=list(methods)) for path, methods, handler in table]
    return [*listed, Route("/{rest:path}", endpoint(site, nothing_here), methods=["GET", "POST", "PUT", "DELETE"])]
