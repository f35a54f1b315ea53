from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from ingestion.sources import Sources
from tree.store.database import Database
from tree.store.models import Source, table_of


def test_ids_sort_as_sources_were_added(tmp_path: Path) -> None:
    database = Database(tmp_path)
    sources = Sources(database)
    sources.add("folder", "Old", {})
    with database.write() as connection:  # as an earlier release named it
        connection.execute(sa.update(table_of(Source)).values(id="ffffffff"))
    added = [sources.add("folder", f"Docs {number}", {}).id for number in range(20)]

    assert ["ffffffff", *added] == sorted(["ffffffff", *added]) == [source.id for source in sources.all()]
