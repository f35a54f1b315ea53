"""What is around every page: title, icon, navigation, and the status line."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from tree.store.database import StoreError
from tree.store.errors import words_for
from ui.server.administration import NotAllowed
from ui.server.tools import tools
from ui.server.visitor import Browser
from ui.shared import account, chat_list, components, dialogs, pages
from ui.shared.gone_widgets import forget_gone_widgets

ASSETS = Path(__file__).parent / "assets"
STYLE = """<style>
.st-key-history button { justify-content: flex-start; text-align: left; min-height: 2.1rem; padding: 0.15rem 0.6rem; }
.st-key-history button > div, .st-key-history button [data-testid="stMarkdownContainer"] { width: 100%; justify-content: flex-start; text-align: left; }
.st-key-history { max-height: max(9rem, calc(100vh - 45rem)); overflow-y: auto; flex-wrap: nowrap; }  /* the state of the sources is below, in sight */
.st-key-history > div { flex: none; }
[data-testid="stSidebarUserContent"] { padding: 1rem 0 0.6rem; }
.st-key-account-menu { position: sticky; bottom: 0; z-index: 1; padding-block: 0.5rem; background: light-dark(#f6f9f8, #0e1413); }  /* in sight below any number of chats and sources */
.st-key-history button p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
:is(.st-key-suggestions, .st-key-follow-ups) button { border-radius: 1.2rem; }
[data-testid^="stBaseButton-primary"]:not(:disabled) { background-color: #0f766e; border-color: #0f766e; color: #fff; }  /* readable in the dark too */
[data-testid^="stBaseButton-primary"]:not(:disabled):hover { background-color: #0b5f58; border-color: #0b5f58; }
:is([data-testid="stChatMessage"] p, textarea, [data-testid="stTextInput"] input) { unicode-bidi: plaintext; text-align: start; }  /* each begins where its script begins */
[data-testid="stBottomBlockContainer"] { padding-bottom: 1.2rem; padding-top: 0.6rem; }
#kt-busy:not(:empty) { position: fixed; inset: 0.6rem 0 auto 0; width: fit-content; max-width: min(34rem, calc(100vw - 2rem)); margin-inline: auto; z-index: 1000001; padding: 0.55rem 1rem; border-radius: 0.5rem; border: 1px solid light-dark(#d9c9a3, #5c4d26); background: light-dark(#fff8e6, #2b2412); color: light-dark(#5c4410, #f3dfae); font-size: 0.9rem; }
.st-key-place-actions { gap: 0 0.9rem; margin-bottom: 0.4rem; }
.st-key-place-actions :is(a, button) { padding-inline: 0; min-height: 2rem; white-space: nowrap; }
@media (max-width: 640px) {
  [data-testid="stHorizontalBlock"][class*="st-key-group_"] { flex-wrap: wrap; }
  [data-testid="stHorizontalBlock"][class*="st-key-group_"] > :first-child { flex: 1 0 100%; }
  [data-testid="stTable"] td :is(p, div) { overflow-wrap: anywhere !important; }  /* Streamlit sets another on each text */
}
@media (max-width: 640px) { .st-key-place-actions { gap: 0 0.45rem; } .st-key-place-actions a { gap: 0.25rem; } .st-key-place-actions p { font-size: 0.8rem; } }
[class*="st-key-asked-"] { scroll-margin-top: 4rem; }
div[data-testid="stCaptionContainer"] { color: light-dark(#5b6766, #a6b2b0); opacity: 1; }  /* Streamlit's own is too pale on white (WCAG 1.4.3) */
.st-key-source-panel { --passage-height: max(16rem, calc(100vh - 21rem)); position: fixed; inset: 0 0 0 auto; width: var(--beside); z-index: 999991; overflow: auto; padding: 1rem 1.25rem; background: light-dark(#ffffff, #121817); border-left: 1px solid light-dark(#d6e0de, #2f3c3a); gap: 0.6rem; }
.st-key-source-panel:focus { outline: none; }
:is(.st-key-source-head, [class*="st-key-versions-"]) button p { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }  /* icons, with names */
:root { --beside: clamp(24rem, 36vw, 44rem); }
@media (min-width: 1000px) { body:has(.st-key-source-panel) [data-testid="stAppViewContainer"] { padding-right: var(--beside); } }
@media (min-width: 1000px) and (max-width: 1279px) { body:has(.st-key-source-panel) [data-testid="stSidebar"] { display: none; } }  /* no room for three */
@media (max-width: 999px) { :root { --beside: 100vw; } }  /* the window became narrow meanwhile */
[data-testid="stSidebarNavLink"]::before { font-family: "Material Symbols Rounded"; font-size: 1.15rem; line-height: 1; font-feature-settings: "liga"; font-weight: 400; content: "forum"; }
[data-testid="stSidebarNavLink"][href$="/tree"]::before { content: "account_tree"; }
[data-testid="stSidebarNavLink"][href$="/activity"]::before { content: "history"; }
[data-testid="stSidebarNavLink"][href$="/following"]::before { content: "notifications"; }
[data-testid="stSidebarNavLink"][href$="/sources"]::before { content: "folder_open"; }
[data-testid="stSidebarNavLink"][href$="/settings"]::before { content: "tune"; }
[data-testid="stSidebarNavLink"][href$="/help"]::before { content: "help"; }
[data-testid="stSidebarNavLink"][href$="/admin"]::before { content: "admin_panel_settings"; }
</style>"""


def draw() -> None:
    """Draws the page that the address names, with what is around it; where the database cannot be reached, says that alone."""
    try:
        _draw()
    except StoreError as error:
        _say(words_for(error))


def _draw() -> None:
    opened = tools()
    told = {name: str(st.user.get(name) or "") for name in ("session", "address")}  # by ui/server/guard.py
    seen = opened.seen_by(Browser(opened.accounts.sessions, told["session"], told["address"]))
    if not seen.principal.person_id:
        _sign_in_again()
        return
    is_admin = seen.principal.is_admin
    st.html(STYLE)
    dialogs.page_begins()
    page = st.navigation(pages.all_pages(seen))
    # a local picture: a material icon here would make the browser fetch it from an outside host
    st.set_page_config(
        page_title=f"{page.title} · Knowledge Tree",
        page_icon=str(ASSETS / "favicon.png"),
        layout="wide" if page.url_path == "tree" else "centered",
    )
    st.logo(str(ASSETS / "logo.svg"), size="large")
    chat_list.draw(seen, st.query_params.get("c"))
    try:
        page.run()
    except NotAllowed as error:
        st.error(str(error), icon=":material/lock:")
        st.page_link(pages.chat(), label="To the chat", icon=":material/forum:")
    except StoreError as error:
        _say(words_for(error, is_admin))
    with st.sidebar:
        st.caption("Sources")
        components.status()
        account.menu(seen)
        components.drawer()
    forget_gone_widgets()


def _say(words: str) -> None:
    st.error(words, icon=":material/error:")
    st.button("Try again", icon=":material/refresh:", key="try-again")


def _sign_in_again() -> None:
    """The session of an open page has ended: the browser asks for the page anew, and the guard shows it where to sign in."""
    st.html("<script>location.reload()</script>", unsafe_allow_javascript=True)
    st.info("You are signed out. Reload the page to sign in.", icon=":material/lock:")
