"""Searches read no more of what grows where Postgres has not looked at the tables."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from psycopg import sql
from rest_framework.test import APIClient

from kb_project.database.rows import Parameters
from labels import assign
from search.embedders.spaces import active_space
from search.index import engine
from search.models import ChunkEmbedding, Posting
from search.retrieval import Mode
from sources.models import Chunk, Provision, Reference, Source
from tests.factories import make_label
from tests.search.corpus import replace_text

pytestmark = pytest.mark.django_db

LAWS, TIMES = 12, 300  # laws of three sections, and how often each has these
MAX_READ = 3_000  # rows of a table of which there are more than 10,000
GROWING: tuple[type[Model], ...] = (Chunk, ChunkEmbedding, Provision, Reference, Posting)
TABLES = [model._meta.db_table for model in GROWING]
PLACE = re.compile(r"%%|%s|%\((?P<name>\w+)\)s")
TEXT = """1. הגדרות
בחוק זה, "מקור מים {number}" – נחל {number} או מעיין, כאמור בסעיף 2.

2. זכות השאיבה
כל תושב זכאי לשאוב מים ממקור מים {number} לפי סעיף 3 לחוק המים {number}.

3. היטל {number}
השואב מים ישלם היטל בעד השאיבה."""
QUERIES: Mapping[str, Mapping[str, Any]] = {
    "words": {"query": "היטל שאיבה"},
    "a citation": {"query": "סעיף 2 לחוק המים 3"},
    "a citation of what is missing": {"query": "סעיף 90 לחוק המים 3"},
    "an act": {"query": "חוק המים 3"},
    "an act and words": {"query": "חוק המים 3 זכות שאיבה"},
    "a definition": {"query": "מהו מקור מים 4?"},
    "an abbreviation": {"query": "מהי זכות של מ״מ?"},
    "a phrase": {"query": '"היטל בעד השאיבה"'},
    "by meaning": {"query": "היטל שאיבה", "mode": Mode.SEMANTIC.value},
    "a kind": {"query": "היטל שאיבה", "kind": "law"},
    "years": {"query": "היטל שאיבה", "published_from": "2001-01-01", "published_to": "2003-12-31"},
    "a label": {"query": "היטל שאיבה", "label_id": None},
    "a day": {"query": "היטל שאיבה", "as_of": "2004-01-01"},
    "all versions": {"query": "היטל שאיבה", "versions": "all"},
    "a misspelled word": {"query": "היטל שאיבח"},
    "a citation of what has ended": {"query": "סעיף 2 לחוק המים 11"},
    "words of what had not begun": {"query": "היטל שאיבה", "as_of": "1999-01-01", "published_from": "2011-01-01"},
    "documents with facets": {"query": "היטל שאיבה", "group": "document", "facets": True},
    "the newest": {"query": "היטל שאיבה", "sort": "newest"},
}


@pytest.fixture
def label_id() -> int:
    """Twelve laws of nine hundred passages each, one of them not in force, one with a label, which is returned."""
    space = active_space()
    laws = [Source(topic_id=1, kind="law", title=f"חוק המים {number}") for number in range(LAWS)]
    for number, source in enumerate(laws):
        source.published_at = date(2000 + number, 1, 1)
        source.save()
        replace_text(source, TEXT.format(number=number))
    Source.objects.filter(pk=laws[-1].pk).update(valid_from=date(2001, 1, 1), valid_to=date(2003, 1, 1))
    label = make_label("מים")
    assign.add(laws[0], [label], by="test")
    multiply(Chunk, seq="seq + 10 * n")
    multiply(Provision, eid="eid || '-' || n", position="position + 10 * n")
    multiply(Reference, span_start="span_start + 10 * n")
    run("UPDATE kb_source s SET chunk_count = (SELECT count(*) FROM kb_chunk WHERE source_id = s.id)")
    run(
        "INSERT INTO kb_chunk_embedding (space_id, chunk_id, topic_id, embedding)"
        f" SELECT {space.pk}, c.id, c.topic_id, e.embedding FROM kb_chunk c"
        " CROSS JOIN (SELECT embedding FROM kb_chunk_embedding LIMIT 1) AS e ON CONFLICT DO NOTHING"
    )
    run("DELETE FROM kb_segment")
    engine().fill()
    return label.pk


def multiply(model: type[Model], **changed: str) -> None:
    """Add every row of a table again and again. `changed` are what its columns become, with the count `n`."""
    table = model._meta.db_table
    columns = [str(field.column) for field in model._meta.concrete_fields if field.column != "id"]
    values = ", ".join(changed.get(column, f'"{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    again = f"{table}, generate_series(1, {TIMES - 1}) AS n ORDER BY source_id"  # a source at a time, as they come in
    run(f"INSERT INTO {table} ({names}) SELECT {values} FROM {again}")


def run(statement: str, parameters: Parameters = ()) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def forget_statistics(*, but: tuple[type[Model], ...] = ()) -> None:
    """Leave the tables as they are before anything has analysed them."""
    kept = [model._meta.db_table for model in but]
    tables = "FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> ALL(%s)"
    run(f"SELECT pg_clear_relation_stats('public', relname) {tables}", [kept])
    run(f"DELETE FROM pg_statistic WHERE starelid IN (SELECT oid {tables})", [kept])


def analyse_all() -> None:
    run("ANALYZE")


def analyse_growing() -> None:
    """Autovacuum looks at a table when fifty rows of it have changed: never at one of a few."""
    forget_statistics()
    run(f"ANALYZE {', '.join(TABLES)}, kb_source, kb_source_key")


@pytest.mark.deep
@pytest.mark.parametrize("statistics", [forget_statistics, analyse_growing, analyse_all])
@pytest.mark.parametrize("topic", [{"topic_id": 1}, {}], ids=["a topic", "all topics"])
def test_a_search_reads_few_rows(statistics: Callable[[], None], topic: dict[str, int], label_id: int) -> None:
    statistics()
    assert run("SELECT count(*) FROM kb_chunk_embedding")[0][0] > 10_000
    too_many = []
    for name, body in QUERIES.items():
        body = {**body, **topic, **({"label_id": label_id} if "label_id" in body else {})}
        for statement, parameters in statements_of(body):
            for plans in ("force_custom_plan", "force_generic_plan"):
                read = rows_read(statement, parameters, plans=plans)
                if worst := {table: rows for table, rows in read.items() if rows > MAX_READ}:
                    too_many.append((name, plans, worst, " ".join(statement.split())[:200]))
    assert not too_many


def statements_of(body: dict[str, Any]) -> list[tuple[str, Any]]:
    """What a search asks the database for, as it is bound by the server."""
    asked: list[tuple[str, Any]] = []

    def watch(execute: Callable[..., Any], statement: str, parameters: Any, *rest: Any) -> Any:
        asked.append((statement, parameters))
        return execute(statement, parameters, *rest)

    APIClient().post("/kb/search", body, format="json")  # what segments hold is remembered from now on
    with connection.execute_wrapper(watch):
        answer = APIClient().post("/kb/search", body, format="json")
    found = answer.json()
    assert found["results"] or found.get("not_found") or found.get("other_versions")
    return [
        (statement, parameters) for statement, parameters in asked if statement.lstrip().startswith(("SELECT", "WITH"))
    ]


def rows_read(statement: str, parameters: Any, *, plans: str) -> Counter[str]:
    """How many rows of each growing table its plan reads: one for these parameters, or one for any."""
    numbers: dict[str, int] = {}
    found = count(1)

    def numbered(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return "%"
        return f"${numbers.setdefault(place['name'] or f'{next(found)}', len(numbers) + 1)}"

    prepared = PLACE.sub(numbered, statement)
    values = [parameters[name] for name in numbers] if isinstance(parameters, Mapping) else list(parameters)
    given = ", ".join(sql.Literal(value).as_string(connection.connection) for value in values)
    run(f"SET LOCAL plan_cache_mode = {plans}")
    with connection.connection.cursor() as cursor:
        cursor.execute(f"PREPARE of_search AS {prepared}".replace("%", "%%"), ())
        try:
            cursor.execute(
                f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE of_search{f'({given})' if given else ''}"
            )
            [[[plan]]] = cursor.fetchall()
        finally:
            cursor.execute("DEALLOCATE of_search")
    read = Counter[str]()
    for node in nodes(plan["Plan"]):
        if (table := node.get("Relation Name")) in TABLES:
            dropped = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
            rows = round((node["Actual Rows"] + dropped) * node["Actual Loops"])
            # What goes through a whole index may meet what it looks for at once, or at its end.
            is_bound = "Index Cond" in node or "Recheck Cond" in node
            read[table] += rows if is_bound else max(rows, node["Plan Rows"])
    return read


def nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)
