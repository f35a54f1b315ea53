"""The launcher: run by Streamlit it is the page wiring, imported by the server it is the app with its routes and worker."""

import streamlit as st

if __name__ == "__main__":
    from ui.shell import draw

    draw()
else:
    from ui.api import mcp as routes_mcp
    from ui.api import routes as routes_api
    from ui.chat import routes as routes_chats
    from ui.explorer import routes as routes_tree
    from ui.server import health, routes
    from ui.server import webhook_routes as routes_hooks
    from ui.server.service import lifespan, middleware
    from ui.sign_in import routes as routes_sign_in

    app = st.App(
        __file__,
        lifespan=lifespan,
        routes=[
            *health.routes(),
            *routes_sign_in.routes(),
            *routes.routes(),
            *routes_chats.routes(),
            *routes_tree.routes(),
            *routes_hooks.routes(),
            *routes_api.routes(),
            *routes_mcp.routes(),
            *routes.others(),
        ],
        middleware=middleware(),
    )
