"""Every route the server answers besides pages, in the order in which they are tried."""

from __future__ import annotations

from starlette.routing import Route

from ui.api import mcp
from ui.api import routes as api
from ui.chat import routes as chats
from ui.explorer import routes as explorer
from ui.server import health, routes, webhook_routes
from ui.sign_in import routes as sign_in
from ui.sign_in import unsubscribe


def all_routes() -> list[Route]:
    return [
        *health.routes(),
        *sign_in.routes(),
        *unsubscribe.routes(),
        *routes.routes(),
        *chats.routes(),
        *explorer.routes(),
        *webhook_routes.routes(),
        *api.routes(),
        *mcp.routes(),
        *routes.others(),
    ]
