"""The tab Aliases of the settings: a list is uploaded, told what is wrong with it, used and dropped."""

from __future__ import annotations

from tests.ui.settings.test_page import page, said
from ui.server.tools import tools


def test_a_list_of_aliases_is_uploaded_and_dropped() -> None:
    app = page()
    app.query_params["settings_tab"] = "Aliases"
    app.run()
    assert "There are no aliases" in said(app)
    app.file_uploader[0].upload("mine.csv", b"short,long\n", "text/csv").run()
    assert "Line 1: the columns have to be" in said(app)
    app.file_uploader[0].upload("mine.csv", b"alias,name\ngate app,Turnstile\n", "text/csv").run()
    assert "1 alias" in said(app)
    assert (tools().workspace.home / "aliases.csv").exists()
    app.button(key="aliases_remove").click().run()
    assert "There are no aliases" in said(app)
