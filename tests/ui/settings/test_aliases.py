"""The tab Aliases of the settings: a list is uploaded, told what is wrong with it, used and dropped."""

from __future__ import annotations

from pathlib import Path

from tests.ui.settings.test_page import page, said


def test_a_list_of_aliases_is_uploaded_and_dropped(home: Path) -> None:
    app = page()
    app.query_params["settings_tab"] = "Aliases"
    app.run()
    assert "There are no aliases" in said(app)
    app.file_uploader[0].upload("mine.csv", b"short,long\n", "text/csv").run()
    assert "Line 1: the columns have to be" in said(app)
    app.file_uploader[0].upload("mine.csv", b"alias,name\ngate app,Turnstile\n", "text/csv").run()
    assert "1 alias" in said(app)
    assert (home / "aliases.csv").exists()
    app.text_input[0].input("the Quay people")
    app.text_input[1].input("Team Quay")
    app.button[0].click().run()
    assert "“the Quay people” stands for “Team Quay” from the next question on." in said(app) and "2 aliases" in said(app)
    app.text_input[0].input("Team Quay")
    app.text_input[1].input("the Quay people")
    app.button[0].click().run()
    assert app.error and "2 aliases" in said(app)
    app.button(key="aliases_remove").click().run()
    assert "There are no aliases" in said(app)
