"""Rows by SQL written by hand are what the ORM would have read."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from kb_project.database import rows
from tests.factories import first_topic
from topics.models import Topic

pytestmark = pytest.mark.django_db
ONE = f"SELECT {rows.columns(Topic, 't')} FROM kb_topic t WHERE t.id = %(id)s"


def test_an_object_is_the_one_that_the_orm_reads() -> None:
    expected = first_topic()
    found = rows.instance(Topic, rows.fetch(ONE, {"id": expected.pk})[0])
    assert found == expected
    assert [getattr(found, field.attname) for field in Topic._meta.concrete_fields] == [
        getattr(expected, field.attname) for field in Topic._meta.concrete_fields
    ]
    found.name = "changed"
    found.save()
    assert Topic.objects.get(pk=expected.pk).name == "changed"


def test_what_is_fetched_counts_among_the_queries() -> None:
    with CaptureQueriesContext(connection) as asked:
        assert rows.fetch("SELECT %s::int + 1", [41]) == [(42,)]
    assert len(asked) == 1


@pytest.mark.django_db(transaction=True)
def test_a_connection_broken_between_requests_is_made_anew() -> None:
    ((process,),) = rows.fetch("SELECT pg_backend_pid()", [])
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
    finally:
        other.close()
    connection.close_at = None  # it is kept from request to request, as by the web process and the workers
    connection.close_if_unusable_or_obsolete()  # as every request begins
    assert rows.fetch("SELECT 1", []) == [(1,)]


def test_a_statement_that_fails_raises_what_django_raises() -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.fetch("SELECT 1 / %s::int", [0])
    assert rows.fetch("SELECT 1", []) == [(1,)]
