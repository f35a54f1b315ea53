"""What is around every page: title, icon, navigation, and the status line."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from tree.store.database import StoreError
from ui.shared import components, pages

ASSETS = Path(__file__).parent / "assets"
STYLE = """<style>
.st-key-history button { justify-content: flex-start; text-align: left; min-height: 2.1rem; padding: 0.15rem 0.6rem; }
.st-key-history button > div, .st-key-history button [data-testid="stMarkdownContainer"] { width: 100%; justify-content: flex-start; text-align: left; }
.st-key-history button p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.st-key-suggestions button { border-radius: 1.2rem; }
[data-testid^="stBaseButton-primary"]:not(:disabled) { background-color: #0f766e; border-color: #0f766e; color: #fff; }  /* readable in the dark too */
[data-testid^="stBaseButton-primary"]:not(:disabled):hover { background-color: #0b5f58; border-color: #0b5f58; }
[data-testid="stBottomBlockContainer"] { padding-bottom: 1.2rem; padding-top: 0.6rem; }
[class*="st-key-asked-"] { scroll-margin-top: 4rem; }
[data-testid="stSidebarNavLink"]::before { font-family: "Material Symbols Rounded"; font-size: 1.15rem; line-height: 1; font-feature-settings: "liga"; font-weight: 400; content: "forum"; }
[data-testid="stSidebarNavLink"][href$="/tree"]::before { content: "account_tree"; }
[data-testid="stSidebarNavLink"][href$="/sources"]::before { content: "folder_open"; }
[data-testid="stSidebarNavLink"][href$="/settings"]::before { content: "tune"; }
</style>"""


def draw() -> None:
    """Draws the page that the address names, with what is around it."""
    st.html(STYLE)
    page = st.navigation(pages.all_pages())
    # a local picture: a material icon here would make the browser fetch it from an outside host
    st.set_page_config(
        page_title=f"{page.title} · Knowledge Tree",
        page_icon=str(ASSETS / "favicon.png"),
        layout="wide" if page.url_path == "tree" else "centered",
    )
    st.logo(str(ASSETS / "logo.svg"), size="large")
    try:
        page.run()
    except StoreError as error:
        st.error(str(error), icon=":material/error:")
    with st.sidebar:
        st.caption("Sources")
        components.status()
