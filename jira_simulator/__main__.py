"""Starts a Jira simulator: `python -m jira_simulator`."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from jira_simulator.archive_loader import load_archive
from jira_simulator.model.clock import Clock
from jira_simulator.model.records import User
from jira_simulator.sample_loader import SAMPLE, load_sample, load_script
from jira_simulator.scenario import ScenarioPlayer
from jira_simulator.server import configured
from jira_simulator.site import Site
from jira_simulator.steps import Step
from jira_simulator.tls import Certificate, make_certificate

DESCRIPTION = """\
A server that behaves like Jira: Cloud (REST v2 and v3, /rest/api/3/search/jql, ADF) or Data Center (v2 below /jira,
wiki markup, PATs). It keeps everything in memory and forgets it when it stops.

Point a connector at the address it prints, with the credentials it prints. Things happen to it over its control
interface (GET /simulator lists the calls):

  curl -s -X POST ADDRESS/simulator/do -d '{"do": "comment", "ticket": "LAMP-3", "by": "Kwame Lindahl", "text": "Fixed."}'
  curl -s -X POST ADDRESS/simulator/faults -d '{"path": "*/search/jql", "status": 429, "headers": {"Retry-After": "5"}, "count": 3}'
  curl -s -X POST ADDRESS/simulator/clock -d '{"advance": 3600}'
"""
EPILOGUE = """\
examples:
  python -m jira_simulator                             the sample project, Cloud, clock standing still
  python -m jira_simulator --play                      and a working day of eight hours in two minutes
  python -m jira_simulator --personality dc --port 8081
  python -m jira_simulator --tls                       HTTPS, with a certificate that it prints the place of
  python -m jira_simulator --project none --load tickets.jsonl.gz --adf tickets.adf.jsonl.gz

More in the README of the package: the steps, the faults, webhooks, use in tests.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        listener = socket.create_server((given.host, given.port))
    except OSError as error:
        print(
            f"It cannot listen on {given.host}:{given.port} ({error.strerror}); choose another --port, 0 for any.",
            file=sys.stderr,
        )
        return 1
    with listener, TemporaryDirectory(prefix="jira-simulator-") as folder:
        site = Site(given.personality, clock=Clock())
        try:
            _fill(site, given)
            me = _account(site, given.account)
            certificate = _certificate(given, Path(folder))
        except (OSError, ValueError, LookupError) as error:
            print(f"It cannot start: {error}", file=sys.stderr)
            return 1
        secret = given.token or secrets.token_urlsafe(24)
        site.add_token(me, secret, "api" if given.personality == "cloud" else "pat")
        site.clock.speed = given.speed if given.speed is not None else 240 if given.play else 0
        site.index.lag = given.index_lag
        site.certificate = certificate.certificate if certificate else None
        scheme = "https" if certificate else "http"
        site.url = f"{scheme}://{'127.0.0.1' if given.host == '0.0.0.0' else given.host}:{listener.getsockname()[1]}"
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl+C; the server stops by itself and then raises it
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what is in the background without it
            print(_greeting(site, me, secret), flush=True)
            _serve(site, given, listener, certificate)
    return 0


def _certificate(given: argparse.Namespace, folder: Path) -> Certificate | None:
    """Raises ValueError where only one of the two files is named."""
    if bool(given.certificate) != bool(given.key):
        raise ValueError("--certificate and --key belong together.")
    if given.certificate:
        for path in (given.certificate, given.key):
            path.read_bytes()
        return Certificate(given.certificate, given.key)
    return make_certificate(folder, given.host) if given.tls else None


def _serve(site: Site, given: argparse.Namespace, listener: socket.socket, certificate: Certificate | None) -> None:
    """Until somebody stops it."""
    try:
        with suppress(KeyboardInterrupt):  # before the server listens for signals itself
            site.webhooks.start()
            if given.play:
                site.players.append(ScenarioPlayer(site, load_script(given.sample), _tell))
                site.players[0].start()
            uvicorn.Server(configured(site, given.host, given.port, certificate)).run([listener])
    finally:
        for player in site.players:
            player.stop()
        site.webhooks.stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m jira_simulator", description=DESCRIPTION, epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--host", default="127.0.0.1", help="where it listens (default: this machine only)")
    parser.add_argument("--port", type=int, default=8090, help="default: 8090; 0: any free one")
    parser.add_argument("--personality", choices=("cloud", "dc"), default="cloud", help="Jira Cloud or Data Center")
    parser.add_argument("--project", choices=("sample", "none"), default="sample", help="start with the sample project, or empty")
    parser.add_argument(
        "--sample",
        type=Path,
        default=SAMPLE,
        metavar="FOLDER",
        help="a project as YAML files (default: the small one of the package)",
    )
    parser.add_argument(
        "--load",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="tickets as REST bodies, one a line (.jsonl or .jsonl.gz)",
    )
    parser.add_argument(
        "--adf", type=Path, action="append", default=[], metavar="FILE", help="the texts of the --load at the same place, in ADF"
    )
    parser.add_argument("--play", action="store_true", help="play the scripted working day of the sample project")
    parser.add_argument(
        "--speed", type=float, help="seconds of the site's clock for each real one (default: 0, it stands still; with --play 240)"
    )

    parser.add_argument("--index-lag", type=float, default=0.0, metavar="SECONDS", help="how long searches do not see a change")
    parser.add_argument("--tls", action="store_true", help="speak HTTPS, with a certificate made now and signed by itself")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="speak HTTPS with this certificate (PEM) and --key")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the private key (PEM) of --certificate")
    parser.add_argument("--account", default="", metavar="NAME", help="whose eyes the token has (default: the first person)")
    parser.add_argument("--token", default="", help="the token to accept (default: a new one)")
    return parser


def _fill(site: Site, given: argparse.Namespace) -> None:
    if given.project == "sample":
        load_sample(site, given.sample)
    for number, path in enumerate(given.load):
        load_archive(site, path, given.adf[number] if number < len(given.adf) else None)
    if not site.projects:
        site.add_project("TEST", "Test project")


def _account(site: Site, name: str) -> User:
    if name:
        return site.user(name)
    return next(iter(site.users.values()), None) or site.add_user("Simulator Reader")


def _greeting(site: Site, me: User, secret: str) -> str:
    address = site.url + site.context
    sign_in = [f"  e-mail   {me.email}", f"  token    {secret}"] if site.personality == "cloud" else [f"  PAT      {secret}"]
    projects = ", ".join(
        f"{each.key} ({sum(t.project == each.id for t in site.tickets.values())})" for each in site.projects.values()
    )
    clock = f"{site.clock.now():%Y-%m-%d %H:%M} UTC, " + (
        f"{site.clock.speed:g} times as fast" if site.clock.speed else "standing still"
    )
    lines = [f"Jira simulator ({'Cloud' if site.personality == 'cloud' else 'Data Center'}): {address}", *sign_in,
             *([f"  trust    {site.certificate}"] if site.certificate else []), f"  tickets  {projects}", f"  clock    {clock}", f"  control  {site.url}/simulator", "Ctrl+C stops it."]  # fmt: skip
    return "\n".join(lines)


def _tell(step: Step) -> None:
    key = step.get("ticket") or step.get("key") or step.get("project") or ""
    print(f"{step['at']:%H:%M} {key:9} {step.get('why') or step['do']}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
