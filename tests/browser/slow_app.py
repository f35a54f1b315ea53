"""The app with walks that wait after each step until a file called GATE exists, so that a browser can watch one."""

import streamlit as st

if __name__ == "__main__":
    from ui.shell import draw

    draw()
else:
    import os
    import time

    from tree.ask.ask import ask
    from ui.routes import all_routes
    from ui.server.middleware import middleware
    from ui.server.service import lifespan
    from ui.server.tools import answer_with
    from ui.shared import pages

    def slowly(*arguments, stop, **options):
        for event in ask(*arguments, stop=stop, **options):
            yield event
            while not os.path.exists(os.environ["GATE"]) and not stop.is_set:
                time.sleep(0.02)

    answer_with(slowly)
    app = st.App(__file__, lifespan=lifespan(pages.load), routes=all_routes(), middleware=middleware())
