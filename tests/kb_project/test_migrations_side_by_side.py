"""During an upgrade the release before works on the new tables, so migrations only add to what it knows."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tests.kb_project.migrating import Database, database, role, template
from tests.releases import packed, restore

pytestmark = pytest.mark.deep

__all__ = ["database", "role", "template"]  # fixtures

# Tables and columns that may go or change, with the release that stopped using them: never the one that is being made.
UNUSED_SINCE: dict[str, str] = {}

COLUMNS = """
SELECT table_name || '.' || column_name, data_type, is_nullable = 'YES' OR column_default IS NOT NULL OR
    is_identity = 'YES' FROM information_schema.columns WHERE table_schema = 'public'
"""


class Column(NamedTuple):
    type: str
    may_be_left_out: bool  # by a row that the release before inserts


def columns(database: Database) -> dict[str, Column]:
    return {name: Column(kind, bool(optional)) for name, kind, optional in database.rows(COLUMNS)}


def breaks(before: Mapping[str, Column], after: Mapping[str, Column]) -> list[str]:
    """What the release before would stumble over, by column."""
    found = []
    tables = {name.partition(".")[0] for name in before}
    for name in sorted({*before, *after} - set(UNUSED_SINCE)):
        was, now = before.get(name), after.get(name)
        if now is None:
            found.append(f"{name} is gone or renamed")
        elif was is None:
            if name.partition(".")[0] in tables and not now.may_be_left_out:
                found.append(f"{name} is new, and neither nullable nor with a default")
        elif was.type != now.type:
            found.append(f"{name} was {was.type} and is {now.type}")
        elif was.may_be_left_out and not now.may_be_left_out:
            found.append(f"{name} could be left out of a row and cannot any more")
    return found


def test_the_release_before_can_work_on_the_tables_of_this_one(database: Database) -> None:
    with database.connect() as connection:
        restore(packed()[-1], connection)
    before = columns(database)
    assert len(before) > 200
    database.migrate()
    after = columns(database)
    assert breaks(before, after) == []

    # The check itself: each kind of mistake is found, and what only adds is not.
    for statement in (
        "TRUNCATE kb_source, kb_ingest_job CASCADE",
        "ALTER TABLE kb_source DROP COLUMN description",
        "ALTER TABLE kb_label RENAME COLUMN slug TO address",
        "ALTER TABLE kb_ingest_event ADD COLUMN weight int NOT NULL",
        "ALTER TABLE kb_source ALTER COLUMN size TYPE text",
        "ALTER TABLE kb_ingest_job ALTER COLUMN heartbeat_at SET NOT NULL",
        "ALTER TABLE kb_ingest_job ADD COLUMN note text, ADD COLUMN rank int NOT NULL DEFAULT 0",
        "CREATE TABLE kb_new (id int NOT NULL)",
    ):
        database.execute(statement)
    assert breaks(after, columns(database)) == [
        "kb_ingest_event.weight is new, and neither nullable nor with a default",
        "kb_ingest_job.heartbeat_at could be left out of a row and cannot any more",
        "kb_label.address is new, and neither nullable nor with a default",
        "kb_label.slug is gone or renamed",
        "kb_source.description is gone or renamed",
        "kb_source.size was bigint and is text",
    ]
