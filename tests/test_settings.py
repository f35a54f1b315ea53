"""docs/settings.md names every variable that the code reads, and no other; the files to deploy with name what is there."""

from __future__ import annotations

import re
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
import yaml

from tree.accounts.provider_settings import PREFIX, ProviderSettings

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "docs" / "deploy"
CODE = ("app.py", "connectors", "ingestion", "prompts", "tree", "ui")
NOT_FOR_PEOPLE = {"KNOWLEDGE_TREE_ENDS_WITH_INPUT"}  # said by one process of ours to another
VARIABLE = re.compile(r"KNOWLEDGE_TREE_[A-Z_]*[A-Z]\b")


def in_code() -> set[str]:
    files = [path for name in CODE for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))]
    assert len(files) > 100
    found = {name for path in files for name in VARIABLE.findall(path.read_text("utf-8"))}
    return found - NOT_FOR_PEOPLE | {f"{PREFIX}{name.upper()}" for name in ProviderSettings.model_fields}


def test_the_table_of_settings_names_exactly_what_the_code_reads() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) == len(set(rows)) and set(rows) == in_code()


@pytest.fixture(params=["compose.yaml", "compose.workers.yaml"])
def compose(request: pytest.FixtureRequest) -> dict:
    return yaml.safe_load((DEPLOY / request.param).read_text("utf-8"))


def test_workers_have_the_database_the_key_and_the_folders_of_the_app() -> None:
    services = yaml.safe_load((DEPLOY / "compose.workers.yaml").read_text("utf-8"))["services"]
    app, worker = services["app"], services["worker"]
    shared = ("KNOWLEDGE_TREE_DATABASE", "KNOWLEDGE_TREE_KEY", "KNOWLEDGE_TREE_URL")
    assert all(app["environment"][name] == worker["environment"][name] for name in shared)
    assert (
        app["volumes"] == worker["volumes"]
        and app["image"] == worker["image"]
        and worker["command"][1:] == ["-m", "ingestion.worker", "--stay"]
    )
    assert services["database"]["networks"] == ["inside"]


def test_what_is_set_in_the_files_to_deploy_with_is_a_setting() -> None:
    written = "".join(path.read_text("utf-8") for path in DEPLOY.iterdir())
    assert set(VARIABLE.findall(written)) <= in_code()


def test_no_server_is_asked_for_the_address_of_this_machine() -> None:
    assert tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["logger"]["hideWelcomeMessage"] is True


def test_the_container_is_made_of_what_is_there() -> None:
    lines = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    paths = [path for paths in copied for path in paths if not path.startswith("--")]
    assert paths and not [path for path in paths if not (ROOT / path).exists()]
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"bench", "jira_simulator", "tests"}
    assert {*packages, "app.py", ".streamlit", "sample", "requirements.txt"} <= {path.rstrip("/") for path in paths}
    last = [line for line in lines if line.startswith("FROM ")][-1]
    after = lines[lines.index(last) :]
    assert [line for line in after if line.startswith("USER ")] == ["USER 10001:10001"]
    assert sum(line.startswith("VOLUME ") for line in after) == 1 and any("/health" in line for line in after)


def test_only_the_proxy_can_be_reached_from_outside(compose) -> None:
    services = compose["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    app, proxy = services["app"], services["proxy"]
    assert set(app["networks"]) & set(proxy["networks"]) == {"inside"} and compose["networks"]["inside"]["internal"]
    assert app["environment"]["FORWARDED_ALLOW_IPS"] == proxy["networks"]["inside"]["ipv4_address"]
    assert app["environment"]["KNOWLEDGE_TREE_URL"].startswith("https://${TREE_HOST"), "the link that is printed can be opened"
    [config] = compose["networks"]["inside"]["ipam"]["config"]
    subnet, others = (ip_network(config[name]) for name in ("subnet", "ip_range"))
    proxy_at = ip_address(proxy["networks"]["inside"]["ipv4_address"])
    assert proxy_at in subnet and proxy_at not in others, "whoever starts first takes the first address of the range"
    assert app["read_only"] and app["cap_drop"] == ["ALL"] and "no-new-privileges:true" in app["security_opt"]
    assert (DEPLOY / app["build"]["context"]).resolve() == ROOT
    assert (ROOT / app["build"]["dockerfile"]).is_file()
    for service in services.values():
        for mount in service.get("volumes", ()):
            place = mount.split(":")[0]
            assert (DEPLOY / place).exists() if place.startswith(".") else place in compose["volumes"], mount
