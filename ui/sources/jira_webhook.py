"""The webhook of a Jira source: the address to enter in Jira, the secret, and a test delivery to ourselves."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets as random
import ssl
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import streamlit as st

from ingestion.webhooks import SECRET
from ingestion.words import ago
from tree.store.database import StoreError
from tree.store.models import Source
from ui.server.address import own_address
from ui.server.tools import Tools
from ui.shared.address import app_address
from ui.shared.markup import escaped
from ui.shared.urls import is_this_machine

NEW_SECRET = "jira_new_secret"  # in the session: (source, secret), for the one time that it is shown
TEST_SECONDS = 20  # the server may have much to do
EVENTS = "issue, comment, attachment, issue link, worklog, sprint, version and project events"


def section(tools: Tools, source: Source) -> None:
    st.markdown("With a webhook, Jira reports changes at once. Without one the app polls Jira, so this is optional.")
    page = st.context.url or ""
    address = address_of(source, page)
    st.markdown("**1. Address**, for Jira › *System* › *WebHooks*:")
    st.code(address, language=None, wrap_lines=True)
    if is_this_machine(address):
        st.caption(
            ":material/info: A Jira on another machine cannot reach this address. Open the app by its name in the network."
        )
    st.caption(f"Tick {EVENTS}.")
    st.markdown("**2. Secret**, with which Jira signs its deliveries:")
    has_secret = _secret(tools, source)
    st.markdown("**3. Test**")
    if st.button("Send a test", icon=":material/send:", key="jira_hook_test", disabled=not has_secret):
        _test(tools, source, page)
    heard = tools.sources.get(source.id).heard_at
    st.caption(f"The last delivery arrived {ago(time.time() - heard)}." if heard else "No delivery has arrived yet.")


def forget() -> None:
    """Hides the new secret: it is shown only until the settings are opened again."""
    st.session_state.pop(NEW_SECRET, None)


def address_of(source: Source, page: str) -> str:
    """The address of the webhook, with the host by which the page was opened; `page` is the URL of the page."""
    return f"{app_address(page)}/hooks/jira/{source.id}"


# ---------------------------------------------------------------- the secret


def _secret(tools: Tools, source: Source) -> bool:
    """Creates one, shows it this once; returns whether there is one."""
    has_secret = _saved(tools, source) is not None
    words = "Create another secret" if has_secret else "Create a secret"
    if st.button(words, icon=":material/key:", key="jira_hook_secret"):
        made = random.token_urlsafe(32)
        try:
            tools.admin.configure_source(source.id, source.config, {**tools.sources.secrets(source), SECRET: made})
        except StoreError as error:
            st.error(escaped(str(error)), icon=":material/error:")
            return has_secret
        st.session_state[NEW_SECRET] = (source.id, made)
        has_secret = True
    made_for, made = st.session_state.get(NEW_SECRET, ("", ""))
    if made_for == source.id:
        st.code(made, language=None, wrap_lines=True)
        st.warning("Copy it into Jira now: it is not shown again once this is closed.", icon=":material/content_copy:")
    elif has_secret:
        st.caption("A secret is saved. A new one replaces it at once and has to be entered in Jira too.")
    return has_secret


def _saved(tools: Tools, source: Source) -> str | None:
    try:
        return str(tools.sources.secrets(tools.sources.get(source.id)).get(SECRET) or "") or None
    except StoreError as error:
        st.error(escaped(str(error)), icon=":material/error:")
        return None


# ---------------------------------------------------------------- the test


def _test(tools: Tools, source: Source, page: str) -> None:
    """Sends a delivery over HTTP as Jira does, and checks that it was received."""
    began = time.time()
    secret = _saved(tools, source)
    with st.spinner("Sending …"):
        refused = send_test_delivery(f"{own_address()}/hooks/jira/{source.id}", secret or "", urlsplit(page).netloc)
    heard = tools.sources.get(source.id).heard_at
    if refused:
        st.error(escaped(refused), icon=":material/error:")
    elif heard is None or heard < began:
        st.error("The server accepted the delivery but did not record it. Restart the app, then try again.")
    else:
        st.success(
            "The test delivery arrived with a valid signature. Now enter the address and the secret in Jira.",
            icon=":material/check_circle:",
        )


def send_test_delivery(address: str, secret: str, host: str) -> str:
    """Sends a signed delivery that names no ticket. Returns an empty string when it was accepted, else the reason."""
    body = json.dumps({"webhookEvent": "knowledge_tree:test", "timestamp": round(time.time() * 1000)}).encode()
    headers = {
        "Content-Type": "application/json",
        "X-Hub-Signature": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        "X-Atlassian-Webhook-Identifier": f"test-{random.token_hex(8)}",
        **({"Host": host} if host else {}),  # the name that this server is known to answer to
    }
    certificate = st.get_option("server.sslCertFile")
    trust = ssl.create_default_context(cafile=certificate) if certificate else None
    if trust is not None:
        trust.check_hostname = False
    request = urllib.request.Request(address, body, headers, method="POST")
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust)).open(
            request, timeout=TEST_SECONDS
        ):
            return ""
    except urllib.error.HTTPError as error:
        return f"The server answered {error.code}: {_words(error.read())}"
    except OSError as error:
        return f"This server cannot be reached at {address} from where it runs ({error}). Look at its address and port."


def _words(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["message"])
    except (ValueError, KeyError, TypeError):
        return "it does not say why."
