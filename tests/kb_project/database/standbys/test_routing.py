"""Which server is asked for what."""

import pytest
from django.db import DEFAULT_DB_ALIAS, transaction

from kb_project.database.standbys.reading import begin_request, from_standby, has_only_read
from kb_project.database.standbys.routing import ReadElsewhere, StandbyRouter, read_alias, require_primary, using
from labels.models import Label
from sources.models import Chunk, Source
from topics.models import ApiKey, Topic

ROUTER = StandbyRouter()


def test_documents_are_read_from_the_standby_in_use() -> None:
    with using("replica1"):
        assert {ROUTER.db_for_read(model) for model in (Source, Chunk, Label, Topic)} == {"replica1"}
        assert ROUTER.db_for_read(ApiKey) == DEFAULT_DB_ALIAS
    assert ROUTER.db_for_read(Source) == DEFAULT_DB_ALIAS


def test_all_is_written_to_the_primary_wherever_it_was_read() -> None:
    source = Source()
    source._state.db = "replica1"
    with using("replica1"):
        assert ROUTER.db_for_write(Source, instance=source) == DEFAULT_DB_ALIAS
        assert ROUTER.allow_relation(source, Topic())
    assert not ROUTER.allow_migrate("replica1", "sources")


@pytest.mark.django_db(transaction=True)
def test_a_transaction_reads_from_the_primary() -> None:
    with using("replica1"):
        assert read_alias() == "replica1"
        with transaction.atomic():
            assert read_alias() == DEFAULT_DB_ALIAS
        assert read_alias() == "replica1"


def test_what_must_be_the_primary_says_so() -> None:
    require_primary()
    with using("replica1"), pytest.raises(ReadElsewhere):
        require_primary()


def test_without_standbys_a_view_is_called_as_it_is() -> None:
    calls: list[str] = []

    @from_standby
    def view(name: str) -> str:
        calls.append(name)
        return read_alias()

    begin_request()  # the tests before it share this context
    assert view("one") == DEFAULT_DB_ALIAS
    assert calls == ["one"]
    assert not has_only_read()
