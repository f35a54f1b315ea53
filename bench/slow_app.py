"""The app, whose answers wait between their steps as they would for a language model, so that many run at the same time."""

import streamlit as st

if __name__ == "__main__":
    from ui.shell import draw

    draw()
else:
    from bench.slow_ask import slowly
    from ui.routes import all_routes
    from ui.server.middleware import middleware
    from ui.server.service import lifespan
    from ui.server.tools import answer_with
    from ui.shared import pages

    answer_with(slowly, "bench.slow_ask:slowly")
    app = st.App(__file__, lifespan=lifespan(pages.load), routes=all_routes(), middleware=middleware())
