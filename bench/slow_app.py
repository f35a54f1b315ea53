"""The app, whose answers wait between their steps as they would for a language model, so that many run at the same time."""

import streamlit as st

if __name__ == "__main__":
    from ui.shell import draw

    draw()
else:
    import os
    import time
    from collections.abc import Iterator
    from typing import Any

    from tree.ask.ask import Event, ask
    from ui.routes import all_routes
    from ui.server.service import lifespan, middleware
    from ui.server.tools import answer_with

    def slowly(*arguments: Any, **options: Any) -> Iterator[Event]:
        for event in ask(*arguments, **options):
            time.sleep(float(os.environ["STEP_SECONDS"]))
            yield event

    answer_with(slowly)
    app = st.App(__file__, lifespan=lifespan, routes=all_routes(), middleware=middleware())
