"""docs/triggers.md against the database: each trigger, its table, when it runs, what it writes, who reads that."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb_project.database.rows import fetch

PROJECT = Path(__file__).resolve().parents[3]
TRIGGERS = """
SELECT t.tgname, c.relname, pg_get_triggerdef(t.oid), p.prosrc
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace ORDER BY 1
"""


@dataclass(frozen=True)
class Trigger:
    """`events` are such as `update of kind, topic_id`. `writes` are the tables that its function writes."""

    table: str
    moment: str
    events: frozenset[str]
    has_condition: bool
    writes: frozenset[str]


def of_the_database() -> dict[str, Trigger]:
    found = {}
    for name, table, definition, body in fetch(TRIGGERS, []):
        said = re.match(r"CREATE TRIGGER \S+ (BEFORE|AFTER) (.*?) ON ", definition)
        assert said, definition
        moment, events = said.groups()
        written = re.findall(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(kb_\w+)", body)
        found[name] = Trigger(
            table=table,
            moment=moment.lower(),
            events=frozenset(events.lower().split(" or ")),
            has_condition=" WHEN (" in definition,
            writes=frozenset(written),
        )
    return found


def of_the_page() -> tuple[dict[str, Trigger], dict[str, str]]:
    """The triggers, and the reader of each."""
    found, readers = {}, {}
    lines = (PROJECT / "docs" / "triggers.md").read_text(encoding="utf-8").splitlines()
    for line in (line for line in lines if line.startswith("| `")):
        name, table, when, notes, reader = (cell.strip() for cell in line.strip("|").split("|"))
        said = re.fullmatch(r"(.*?)(, if .*)?", when)
        assert said, line
        events, condition = said.groups()
        moment, _, events = events.partition(" ")
        found[name.strip("`")] = Trigger(
            table=table.strip("`"),
            moment=moment,
            events=frozenset(re.split(r", (?=insert|update|delete|truncate)", events)),
            has_condition=bool(condition),
            writes=frozenset(re.findall(r"`(kb_\w+)`", notes)),
        )
        readers[name.strip("`")] = reader.strip("`")
    return found, readers


@pytest.mark.django_db
def test_the_page_lists_each_trigger_of_the_database_as_it_is() -> None:
    assert of_the_page()[0] == of_the_database()


def test_each_reader_reads_what_is_noted() -> None:
    """What notes no work, as it refuses or has other triggers run, has no reader."""
    triggers, readers = of_the_page()
    tables = {trigger.table for trigger in triggers.values()}
    for name, trigger in triggers.items():
        if work := trigger.writes - tables:
            text = (PROJECT / readers[name]).read_text(encoding="utf-8")
            assert all(table in text for table in work), name
        else:
            assert readers[name] == "", name
