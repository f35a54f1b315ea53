"""What must hold of a data folder at any moment: nothing refers to what is not there, and the index is a fresh one.

Read with plain SQL from the files themselves, or from a plain copy of the tables of PostgreSQL, so that no code of the app vouches for itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from bench.databases import read_file, rows_of

# of a source of which the first version that is kept is not its first, nothing is known of what was before that;
# one that is being removed is shown to nobody while its rows go, some of them first (`left_behind` looks at them at the end)
LIVE = """{0}.live_from <= :version AND ({0}.live_to IS NULL OR {0}.live_to > :version) AND :version >= coalesce((
    SELECT iif(k.ordinal > 1, k.number, 0) FROM version k WHERE k.source_id = {0}.source_id ORDER BY k.number LIMIT 1), 0)
    AND EXISTS (SELECT 1 FROM source s WHERE s.id = {0}.source_id AND NOT s.removing)"""

# each gives one row for each thing that is wrong, whatever the version
ALWAYS = {
    "a node whose record is not there": """
        SELECT n.place FROM node n LEFT JOIN record r ON r.hash = n.record WHERE r.hash IS NULL""",
    "a node whose leaf is not there": """
        SELECT n.place FROM node n LEFT JOIN leaf l ON l.key = n.leaf WHERE n.leaf IS NOT NULL AND l.key IS NULL""",
    "a document whose text is not there": """
        SELECT d.source_id || '/' || d.document_id FROM document d, json_each(d.outline) o
            LEFT JOIN leaf l ON l.key = json_extract(o.value, '$[3]') WHERE l.key IS NULL""",
    "a reading whose record is not there": """
        SELECT g.key FROM reading g LEFT JOIN record r ON r.hash = g.record WHERE r.hash IS NULL""",
    "a row of a version that was never published": """
        SELECT place FROM node WHERE max(live_from, coalesce(live_to, 0)) > (SELECT coalesce(max(number), 0) FROM version)
        UNION ALL SELECT document_id FROM document
            WHERE max(live_from, coalesce(live_to, 0)) > (SELECT coalesce(max(number), 0) FROM version)""",
}

# each is asked at one version
AT_A_VERSION = {
    "a node below one that is not there": f"""
        SELECT n.place FROM node n LEFT JOIN node p
            ON p.place = n.parent AND p.source_id = n.source_id AND {LIVE.format("p")}
            WHERE {LIVE.format("n")} AND n.parent IS NOT NULL AND p.id IS NULL""",
    "a node that stands for one that is not there": f"""
        SELECT n.place FROM node n LEFT JOIN node t
            ON t.place = n.target AND t.source_id = n.source_id AND {LIVE.format("t")}
            WHERE {LIVE.format("n")} AND n.target IS NOT NULL AND t.id IS NULL""",
    "a node of a document that is not there": f"""
        SELECT n.place FROM node n LEFT JOIN document d
            ON d.document_id = n.document_id AND d.source_id = n.source_id AND {LIVE.format("d")}
            WHERE {LIVE.format("n")} AND n.document_id IS NOT NULL AND d.id IS NULL""",
    "a text of a document that no node shows": f"""
        SELECT d.source_id || '/' || d.document_id FROM document d, json_each(d.outline) o
            LEFT JOIN node n ON n.source_id = d.source_id AND n.document_id = d.document_id
                AND n.leaf = json_extract(o.value, '$[3]') AND {LIVE.format("n")}
            WHERE {LIVE.format("d")} AND n.id IS NULL""",
    "a branch that counts other leaves than it has": f"""
        SELECT p.place FROM node p JOIN node n ON n.parent = p.place AND n.source_id = p.source_id AND {LIVE.format("n")}
            WHERE {LIVE.format("p")} AND p.kind != 'pass' AND NOT EXISTS (
                SELECT 1 FROM node t WHERE t.parent = p.place AND t.kind = 'pass' AND {LIVE.format("t")})
            GROUP BY p.place HAVING sum(n.leaves) != p.leaves""",
}

VERSIONS = 10  # that are looked at: those before them were looked at when they were the last
OF_SOURCES = ("node", "document", "checkpoint", "failure", "tombstone", "hint", "claim")
NOT_OF_DOCUMENTS = ("chat", "turn", "source", "setting", "spending")  # people's own words, and settings


def dangling(home: Path) -> list[str]:
    """What refers to something that is not there, now and at the last versions that are kept; one line for each kind."""
    with rows_of(home) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'node'").fetchone() is None:
            return []  # killed before the tables were made
        found = [(words, connection.execute(query).fetchall()) for words, query in ALWAYS.items()]
        for (version,) in connection.execute("SELECT number FROM version ORDER BY number DESC LIMIT ?", (VERSIONS,)).fetchall():
            at = {"version": version}
            found += [
                (f"{words}, at version {version}", connection.execute(query, at).fetchall())
                for words, query in AT_A_VERSION.items()
            ]
    return [f"{words}: {rows[0][0]} ({len(rows)} of them)" for words, rows in found if rows]


def left_behind(home: Path) -> list[str]:
    """Rows of sources that were removed."""
    with rows_of(home) as connection:
        known = {id_ for (id_,) in connection.execute("SELECT id FROM source")}
        found = []
        for table in OF_SOURCES:
            of_sources = {id_ for (id_,) in connection.execute(f"SELECT DISTINCT source_id FROM {table}")}
            found += [f"rows of {table} of a source that was removed: {id_}" for id_ in sorted(of_sources - known)]
    return found


def tables_with(home: Path, words: Collection[str]) -> list[str]:
    """Which tables of the database hold one of these words anywhere in a row; one line for each."""
    found = []
    with rows_of(home) as connection:
        named = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in named:
            if table in NOT_OF_DOCUMENTS or table.startswith("sqlite_"):
                continue
            text = "\n".join(map(repr, connection.execute(f'SELECT * FROM "{table}"')))
            found += [f"{word} in the table {table}" for word in sorted(words) if word in text][:1]
    return found


def index_rows(path: Path) -> dict[str, set[object]]:
    """What an index holds, without the numbers of its rows: two indexes of the same tree are equal."""
    with read_file(path) as connection:
        entries = connection.execute(
            "SELECT e.place, e.source_id, e.leaf, e.length, w.heading, w.body FROM entry e LEFT JOIN words w ON w.rowid = e.id"
        )
        stray = connection.execute("SELECT rowid FROM words WHERE rowid NOT IN (SELECT id FROM entry)")
        vocabulary: set[object] = set()
        for number, source_id in connection.execute("SELECT number, id FROM source").fetchall():
            rows = connection.execute(f"SELECT ?, term, doc, cnt FROM vocabulary_{number}", (source_id,))
            vocabulary.update(rows.fetchall())
        sizes = connection.execute("SELECT id, leaves, terms FROM source WHERE leaves > 0").fetchall()
        return {
            "entries": set(entries.fetchall()),
            "texts without an entry": set(stray.fetchall()),
            "names": set(connection.execute("SELECT name, place, source_id FROM name").fetchall()),
            "sizes": set(sizes),
            "version": set(connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchall()),
            "vocabulary": vocabulary,
        }


def index_differences(path: Path, fresh: Path) -> list[str]:
    """In what an index is not the fresh one; one line for each kind of row."""
    mine, right = index_rows(path), index_rows(fresh)
    found = []
    for name, rows in right.items():
        more, missing = mine[name] - rows, rows - mine[name]
        if more or missing:
            found.append(f"{name}: {len(more)} too many {_some(more)}, {len(missing)} missing {_some(missing)}")
    return found


def _some(rows: Iterable[object]) -> str:
    return ", ".join(str(row)[:120] for row in sorted(map(str, rows))[:2])
