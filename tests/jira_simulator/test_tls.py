"""HTTPS: with a certificate of its own that clients can trust, or with one that is given."""

from __future__ import annotations

import signal
import ssl
import subprocess
from pathlib import Path

import httpx
import pytest

from jira_simulator import running
from jira_simulator.tls import Certificate, make_certificate
from tests.jira_simulator.sites import EMAIL, TOKEN, small_site
from tests.jira_simulator.test_command_line import COMMAND, ROOT


def test_a_client_that_trusts_the_certificate_is_served_and_another_is_not() -> None:
    site = small_site()
    with running(site, tls=True) as url:
        assert url.startswith("https://127.0.0.1:") and site.certificate is not None
        trusting = ssl.create_default_context(cafile=str(site.certificate))
        for address in (url, url.replace("127.0.0.1", "localhost")):
            shown = httpx.get(f"{address}/rest/api/3/myself", auth=(EMAIL, TOKEN), verify=trusting).json()
            assert shown["displayName"] == "Ines Okafor"
        with pytest.raises(httpx.ConnectError, match="self-signed certificate"):
            httpx.get(f"{url}/rest/api/3/myself")
        site.faults.set(path="*/myself", kind="reset")
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{url}/rest/api/3/myself", verify=trusting)
    assert not site.certificate.exists()


def test_a_certificate_of_ones_own_is_served(tmp_path: Path) -> None:
    made = make_certificate(tmp_path, "jira.example.com")
    assert made.key.stat().st_mode & 0o077 == 0
    site = small_site("dc")
    with running(site, certificate=Certificate(made.certificate, made.key)) as url:
        trusting = ssl.create_default_context(cafile=str(made.certificate))
        shown = httpx.get(f"{url}/rest/api/2/serverInfo", verify=trusting).json()
    assert shown["baseUrl"] == url and made.certificate.exists()


def test_the_command_line_prints_which_certificate_to_trust() -> None:
    with subprocess.Popen([*COMMAND, "--port", "0", "--tls"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        lines = list(iter(started.stdout.readline, "Ctrl+C stops it.\n"))
        place = next(line.split()[1] for line in lines if line.startswith("  trust"))
        assert lines[0].rpartition(" ")[2].startswith("https://") and Path(place).exists()
        started.send_signal(signal.SIGINT)
    assert started.returncode == 0 and not Path(place).exists()


def test_a_certificate_without_its_key_is_refused_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--port", "0", "--certificate", str(tmp_path / "x.pem")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "It cannot start: --certificate and --key belong together.\n")
