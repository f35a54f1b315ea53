"""A data folder with one synced folder of documents, opened the way the pages open it."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.reading import read
from tests.ui.people import ADMIN, tools_of
from tree.store.models import Source
from tree.store.nodes import Node
from ui.server.tools import Tools

PAGES = {
    "tree": "explorer.page",
    "activity": "activity.page",
    "following": "following.page",
    "sources": "sources.page",
    "admin": "admin.page",
    "account": "account.page",
    "help": "help.page",
}


def open_tools(monkeypatch, home: Path) -> Tools:
    monkeypatch.setenv("KNOWLEDGE_TREE_HOME", str(home))
    return tools_of()


def add_folder(opened: Tools, folder: Path, files: dict[str, str], name: str = "Docs") -> Source:
    """A synced folder source with these files."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    source = opened.sources.add("folder", name, {"path": str(folder)})
    read(opened.workspace, opened.sources, source)
    opened.workspace.index.catch_up()
    return opened.sources.get(source.id)


def leaf(opened: Tools, source: Source, title: str) -> Node:
    return next(node for node in leaves(opened, source) if node.title == title)


def leaves(opened: Tools, source: Source) -> list[Node]:
    return [node for node in opened.workspace.store.nodes.of_source(source.id) if node.kind == "leaf"]


def page(name: str, who: str = ADMIN, **query: str) -> AppTest:
    """The page as the app draws it for somebody, without the app around it."""

    def script(module: str, who: str) -> None:
        from importlib import import_module

        from tests.ui.people import tools_of

        import_module(module).page(tools_of(who))

    app = AppTest.from_function(script, default_timeout=20, args=(f"ui.{PAGES[name]}", who))
    for key, value in query.items():
        app.query_params[key] = value
    return app


def words(app: AppTest) -> str:
    """Everything that is written on a page."""
    kinds = (app.markdown, app.caption, app.error, app.warning, app.success, app.toast, app.title, app.subheader)
    return "\n".join(str(element.value) for kind in kinds for element in kind) + "\n".join(html(app))


def html(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.get("html")]
