"""What the explorer asks for: children, search, version; and what it must never be told."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.reading import read
from tests.ui.opened import add_folder, open_tools
from tests.ui.people import sign_in
from ui.explorer import routes as routes_tree
from ui.server import tools
from ui.server.middleware import middleware

FILES = {
    "runbooks/disk.md": "# Disk is full\n\nDelete the old logs of the gateway.\n\n## Steps\n\n1. Stop the writer.\n2. Delete the old logs.\n",
    "runbooks/queue.md": "# Queue is stuck\n\nRestart the consumer of the gateway.\n",
    "decisions/two copies.md": "# Two copies\n\nWe decided on 3 May 2026 to keep two copies of every booking.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A data folder that the tests of this file only read."""
    root = tmp_path_factory.mktemp("read")
    with pytest.MonkeyPatch.context() as patch:
        add_folder(open_tools(patch, root / "home"), root / "docs", FILES)
    yield root / "home"
    tools.close()


@pytest.fixture
def opened(monkeypatch, home):
    return open_tools(monkeypatch, home)


@pytest.fixture
def source(opened):
    return opened.sources.named("Docs")


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    yield open_tools(monkeypatch, tmp_path / "home")
    tools.close()


@pytest.fixture
def client(opened):
    return sign_in(TestClient(Starlette(routes=routes_tree.routes(), middleware=middleware()), base_url="http://127.0.0.1"))


@pytest.fixture
def changing(fresh, tmp_path):
    """A source of its own for a test that changes it."""
    return add_folder(fresh, tmp_path / "docs", FILES)


@pytest.fixture
def changing_client(changing):
    return sign_in(TestClient(Starlette(routes=routes_tree.routes(), middleware=middleware()), base_url="http://127.0.0.1"))


def test_without_a_place_the_sources_are_told(client, source):
    said = client.get("/api/tree").json()
    assert [row["title"] for row in said["levels"][""]] == ["Docs"]
    assert said["levels"][""][0] | {"place": "", "types": []} == {
        "place": "", "title": "Docs", "kind": "root", "leaves": said["levels"][""][0]["leaves"], "types": [],
    }  # fmt: skip


def test_several_branches_are_told_at_once(client, source):
    root, runbooks = f"{source.id}/", f"{source.id}/runbooks/"
    said = client.get("/api/tree", params={"place": [root, runbooks]}).json()
    assert {row["place"] for row in said["levels"][runbooks]} == {
        f"{source.id}/runbooks/disk.md",
        f"{source.id}/runbooks/queue.md",
    }
    assert set(said["levels"]) == {root, runbooks} and said["gone"] == []


def test_an_older_version_is_told_as_it_was(changing_client, fresh, changing, tmp_path):
    before = fresh.workspace.store.versions.newest()
    (tmp_path / "docs/runbooks/queue.md").unlink()
    read(fresh.workspace, fresh.sources, fresh.sources.get(changing.id))
    place = f"{changing.id}/runbooks/queue.md"
    now = changing_client.get("/api/tree", params={"place": [f"{changing.id}/", place]}).json()
    then = changing_client.get("/api/tree", params={"place": place, "version": before})
    assert now["gone"] == [place]
    assert then.status_code == 200 and then.json()["version"] == before


@pytest.mark.parametrize(
    "place",
    [
        "nothing/",
        "../../etc/passwd",
        "/etc/passwd",
        "%00",
        "\x00",
        "a" * 7_999,
        "' OR 1=1 --",
        "‮/x",
        "{source}/../",
        "{source}/runbooks/disk.md/..%2f",
    ],
)
def test_a_crafted_place_is_not_found_and_nothing_is_told(client, source, tmp_path, place):
    answer = client.get("/api/tree", params={"place": place.replace("{source}", source.id)})
    assert answer.status_code == 404
    assert answer.json() == {"error": "This place is not in the tree."}
    assert str(tmp_path) not in answer.text


@pytest.mark.parametrize(
    "query",
    [
        {"place": "x" * 8_001},
        {"place": ["x"] * 201},
        {"version": "-1"},
        {"version": "one"},
        {"version": "9" * 30},
        {"version": "²"},
    ],
)
def test_what_makes_no_sense_is_refused(client, query):
    assert client.get("/api/tree", params=query).status_code == 400


def test_bytes_that_are_no_text_are_only_not_found(client):
    assert client.get("/api/tree?place=%ff%fe%ed%a0%80").status_code == 404


def test_a_removed_source_is_told_nowhere(changing_client, fresh, changing):
    fresh.sources.mark_removing(changing.id)
    assert changing_client.get("/api/tree").json()["levels"][""] == []
    assert changing_client.get("/api/tree", params={"place": f"{changing.id}/"}).status_code == 404
    assert changing_client.get("/api/tree/search", params={"q": "gateway"}).json() == {"names": [], "passages": []}


def test_search_finds_names_by_a_part_and_passages_by_their_words(client):
    by_part = client.get("/api/tree/search", params={"q": "queu"}).json()
    assert [found["title"] for found in by_part["names"]] == ["Queue is stuck"]
    by_word = client.get("/api/tree/search", params={"q": "deleting logs"}).json()
    best = by_word["passages"][0]
    assert best["path"].startswith("Docs › runbooks")
    assert [text for text, hit in best["snippet"] if hit] == ["Delete", "logs"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        '"',
        "'",
        "NEAR(",
        "*",
        "a AND",
        "%",
        "_",
        "\x00",
        "(" * 400,
        "日本語",
        "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    ],
)
def test_a_search_for_anything_ends_well(client, text):
    answer = client.get("/api/tree/search", params={"q": text})
    assert answer.status_code == 200 and set(answer.json()) == {"names", "passages"}


def test_a_huge_search_is_refused(client):
    assert client.get("/api/tree/search", params={"q": "x" * 501}).status_code == 400


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/api/tree", "/api/tree/search", "/api/tree/version"])
def test_nothing_can_be_written(client, method, path):
    assert client.request(method, path).status_code == 405


def test_the_version_changes_with_the_tree(changing_client, fresh, changing, tmp_path):
    before = changing_client.get("/api/tree/version").json()
    (tmp_path / "docs/new.md").write_text("# New\n\nA new page about the harbour.\n")
    read(fresh.workspace, fresh.sources, fresh.sources.get(changing.id))
    assert changing_client.get("/api/tree/version").json() != before


# ---------------------------------------------------------------- narrowing


def _titles(rows: list[dict]) -> list[str]:
    return [row["title"] for row in rows]


def test_a_filter_leaves_the_branches_that_lead_to_a_decision_and_counts_what_is_below(client, source) -> None:
    told = client.get("/api/tree/filter", params={"has": "decision"}).json()
    assert told["matches"] == 1 and told["choices"]["sorts"]["decision"] == 1
    [root] = told["levels"][""]
    assert root["leaves"] == 1 and root["place"] in told["open"]
    leaves = [row for rows in told["levels"].values() for row in rows if row["kind"] == "leaf"]
    assert [leaf["said"] for leaf in leaves] == ["We decided on 3 May 2026 to keep two copies of every booking."]
    below = client.get("/api/tree", params={"place": root["place"], "has": "decision"}).json()["levels"][root["place"]]
    assert len(below) == 1 and "Two copies" in below[0]["title"]


def test_words_and_kinds_narrow_it_further(client) -> None:
    def matches(**asked: str) -> int:
        return client.get("/api/tree/filter", params=asked).json()["matches"]

    assert matches(has="decision", text="copy booking") == 1
    assert matches(has="decision", text="gateway") == 0
    kinds = client.get("/api/tree/filter").json()["choices"]["types"]
    assert all(matches(type=kind["id"]) == kind["count"] for kind in kinds)
    assert matches(type="no such type") == matches(has="nonsense") == 0


def test_without_a_filter_only_the_choices_are_told(client) -> None:
    told = client.get("/api/tree/filter").json()
    assert told["matches"] == 0 and told["levels"] == {} and set(told["choices"]["sorts"]) == {"decision", "action", "event"}


def test_what_was_edited_away_matches_no_more(changing_client, changing, fresh, tmp_path) -> None:
    assert changing_client.get("/api/tree/filter", params={"has": "decision"}).json()["matches"] == 1
    (tmp_path / "docs/decisions/two copies.md").write_text("# Two copies\n\nThere are two copies of every booking.\n")
    read(fresh.workspace, fresh.sources, fresh.sources.get(changing.id))
    assert changing_client.get("/api/tree/filter", params={"has": "decision"}).json()["matches"] == 0


def test_a_filter_that_is_too_long_is_refused(client) -> None:
    assert client.get("/api/tree/filter", params={"has": "decision", "text": "x" * 501}).status_code == 400
