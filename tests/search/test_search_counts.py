"""Counts of searches wait for a database that was lost, and nothing waits for what it never takes."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client

from search import search_counts
from search.models import SearchCount
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_counted(transactional_db: None) -> Iterator[None]:
    """What other tests searched for."""
    search_counts.write()
    SearchCount.objects.all().delete()
    yield
    connection.close()


def counts() -> dict[str, int]:
    return {one.query: one.searches for one in SearchCount.objects.all()}


def test_a_lost_connection_costs_no_count(client: Client) -> None:
    client.get("/", {"q": "dog licence"})
    with suppress(OperationalError, InterfaceError), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    for _ in ("it is found to be lost", "it is known to be lost"):
        assert search_counts.write() == 0
    connection.close()
    client.get("/", {"q": "dog licence"})
    assert search_counts.write() == 1
    assert counts() == {"dog licence": 2}


def test_what_can_never_be_written_is_not_kept(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.get("/", {"q": "dog licence"})
    with monkeypatch.context() as broken:
        broken.setattr(search_counts, "WRITE", "INSERT INTO kb_search_count DEFAULT VALUES")
        assert search_counts.write() == 0
    assert search_counts.write() == 0
    assert counts() == {}


def test_a_search_that_found_what_it_was_corrected_to_is_no_gap(client: Client) -> None:
    add_document("Lighthouse Act 2026\n1. Lamps\nThe lighthouse keeper lights each lamp at dusk.")
    for query in ("lighthuose", "zzqqxx"):
        client.get("/", {"q": query})
    search_counts.write()
    assert {one.query: one.unanswered for one in SearchCount.objects.all()} == {"lighthuose": 0, "zzqqxx": 1}
