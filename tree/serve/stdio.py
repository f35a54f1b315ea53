"""`python -m tree serve`: the MCP server on standard input and output, as assistants start it."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server

from tree.accounts.accounts import open_accounts
from tree.accounts.principal import OPERATOR, Principal
from tree.serve.mcp_server import Caller, Context, make_server
from tree.serve.requests import Refused
from tree.store.database import StoreError
from tree.workspace import Workspace

TOKEN_VARIABLE = "KNOWLEDGE_TREE_TOKEN"
NO_TOKEN = "The token does not hold, or not any more. Make a new one on the page Account."


def serve(opened: Workspace, options: argparse.Namespace) -> int:
    """Answers until standard input is closed. Raises StoreError for a token that does not hold."""
    token = options.token or os.environ.get(TOKEN_VARIABLE, "")
    if token and _owner(opened, token) is None:
        raise StoreError(NO_TOKEN)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
    if sys.stdin.isatty():
        print("An assistant starts this and speaks to it; the README says how. Ctrl+C ends it.", file=sys.stderr)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a thread that waits for a line of input hears of no KeyboardInterrupt
    # the transport takes the real output for itself, and sends to stderr whatever else is printed
    with contextlib.redirect_stdout(sys.__stdout__):
        anyio.run(_serve, opened, token)
    return 0


async def _serve(opened: Workspace, token: str) -> None:
    async def find_caller(_context: Context, _tool: str) -> Caller:
        principal = OPERATOR if not token else await anyio.to_thread.run_sync(_owner, opened, token)
        if principal is None:
            raise Refused(NO_TOKEN)
        return Caller(opened, principal)

    server = make_server(find_caller)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _owner(opened: Workspace, token: str) -> Principal | None:
    accounts = open_accounts(opened.database)
    return accounts.tokens.principal(token, accounts.people)
