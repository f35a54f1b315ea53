"""The app with walks that wait after each step until a file called GATE exists, so that a browser can watch one."""

import streamlit as st

if __name__ == "__main__":
    from ui.shell import draw

    draw()
else:
    import os
    import time
    from functools import partial

    import ui.server.tools
    from tree.ask.ask import ask
    from ui.explorer import routes as routes_tree
    from ui.server import routes
    from ui.server.background_answers import BackgroundAnswers
    from ui.server.service import lifespan, middleware

    def slowly(*arguments, stop, **options):
        for event in ask(*arguments, stop=stop, **options):
            yield event
            while not os.path.exists(os.environ["GATE"]) and not stop.is_set:
                time.sleep(0.02)

    ui.server.tools.BackgroundAnswers = partial(BackgroundAnswers, ask=slowly)
    app = st.App(__file__, lifespan=lifespan, routes=[*routes.routes(), *routes_tree.routes()], middleware=middleware())
