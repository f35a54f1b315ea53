"""The launcher: run by Streamlit it is the page wiring, imported by the server it is the app with its routes and worker."""

import streamlit as st

if __name__ == "__main__":
    from ui.shell import draw

    draw()
else:
    from tree.garbage import loading

    with loading():
        from ui.routes import all_routes
        from ui.server.middleware import middleware
        from ui.server.service import lifespan
        from ui.shared import pages

    app = st.App(__file__, lifespan=lifespan(pages.load), routes=all_routes(), middleware=middleware())
