"""The migrations of topics can be run again, and adopt an older table."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.utils import IntegrityError

from topics.models import Topic

pytestmark = pytest.mark.django_db
NAMES = ["001_topics", "008_keys_and_former_slugs"]


def apply(name: str) -> None:
    """Run one migration's database operations, whether or not it was run before."""
    loader = MigrationLoader(connection)
    rows("SET CONSTRAINTS ALL IMMEDIATE")  # a migration begins with no check of a foreign key outstanding
    with connection.schema_editor() as editor:
        loader.get_migration("topics", name).apply(loader.project_state(("topics", name), at_end=False), editor)


def rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


@pytest.fixture
def old_schema() -> Iterator[None]:
    """An empty schema in which the names of tables are free."""
    rows("CREATE SCHEMA old")
    rows("SET LOCAL search_path TO old")
    rows(import_module("sources.migrations.000_baseline").SQL)
    yield
    rows("SET LOCAL search_path TO public")


def columns(table: str) -> list[tuple[Any, ...]]:
    return rows(
        "SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns"
        f" WHERE table_schema = current_schema() AND table_name = '{table}' ORDER BY column_name"
    )


@pytest.mark.parametrize("name", NAMES)
def test_running_it_again_changes_nothing(name: str) -> None:
    Topic.objects.create(name="Second", slug="second")
    before = columns("kb_topic"), columns("kb_api_key"), list(Topic.objects.values())
    apply(name)
    assert (columns("kb_topic"), columns("kb_api_key"), list(Topic.objects.values())) == before


def test_ids_are_not_given_twice_after_running_it_again() -> None:
    gone = Topic.objects.create(name="Gone", slug="gone")
    gone_id = gone.pk
    gone.delete()
    apply("001_topics")
    assert Topic.objects.create(name="New", slug="new").pk > gone_id


@pytest.mark.usefixtures("old_schema")
def test_an_empty_database_gets_topic_1_and_the_next_is_2() -> None:
    rows(import_module("topics.migrations.001_topics").SQL)
    assert rows("SELECT id, system_prompt_addendum FROM kb_topic") == [(1, "")]
    assert rows("INSERT INTO kb_topic (name, slug) VALUES ('b', 'b') RETURNING id") == [(2,)]


@pytest.mark.usefixtures("old_schema")
def test_older_table_keeps_its_rows_and_gets_missing_columns() -> None:
    rows("CREATE TABLE kb_topic (id serial PRIMARY KEY, name text NOT NULL, slug text NOT NULL UNIQUE)")
    rows("INSERT INTO kb_topic (id, name, slug) VALUES (1, 'Insurance', 'insurance_il'), (7, 'Tax', 'tax')")
    sql = import_module("topics.migrations.001_topics").SQL
    rows(sql)
    rows(sql)
    assert rows("SELECT id, name, system_prompt_addendum FROM kb_topic ORDER BY id") == [
        (1, "Insurance", ""),
        (7, "Tax", ""),
    ]
    assert rows("INSERT INTO kb_topic (name, slug) VALUES ('b', 'b') RETURNING id") == [(8,)]


def test_the_database_itself_refuses_a_slug_that_means_something_in_a_path() -> None:
    with pytest.raises(IntegrityError):
        Topic.objects.create(name="Bad", slug="../x")
