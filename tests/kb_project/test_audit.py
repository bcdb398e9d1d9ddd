"""The audit: what an entry holds, that it stands or falls with its change, and that nobody alters it."""

import datetime as dt

import pytest
from django.db import DatabaseError, transaction

from kb_project import audit
from kb_project.models import AuditEntry
from tests.factories import first_topic

pytestmark = pytest.mark.django_db


def test_an_entry_holds_only_what_differs() -> None:
    topic = first_topic()
    entry = audit.record(
        by="dana",
        action="topic.edit",
        thing=topic,
        before={"name": "צרכנות", "slug": "one", "day": None},
        after={"name": "צרכנות", "slug": "two", "day": dt.date(2026, 1, 2)},
        topic_id=topic.pk,
    )
    assert entry is not None
    entry.refresh_from_db()
    assert (entry.before, entry.after) == ({"slug": "one", "day": None}, {"slug": "two", "day": "2026-01-02"})
    assert (entry.by, entry.object_type, entry.object_id, entry.topic_id) == ("dana", "topic", "1", 1)
    assert entry.object_name == topic.name


def test_a_change_that_changes_nothing_leaves_no_entry() -> None:
    assert audit.record(by="dana", action="topic.edit", thing=first_topic(), before={"a": 1}, after={"a": 1}) is None
    assert not AuditEntry.objects.exists()


def test_a_deletion_is_kept_with_all_that_was_there() -> None:
    entry = audit.record(by="dana", action="label.delete", thing=first_topic(), before={"aliases": {"b", "a"}})
    assert entry is not None
    assert entry.before == {"aliases": ["a", "b"]}


def test_an_entry_is_never_changed_nor_deleted() -> None:
    entry = audit.record(by="dana", action="topic.edit", thing=first_topic(), after={"a": 1})
    assert entry is not None
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        AuditEntry.objects.update(by="somebody else")
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        entry.delete()


@pytest.mark.django_db(transaction=True)
def test_an_entry_outside_a_transaction_is_refused() -> None:
    with pytest.raises(transaction.TransactionManagementError):
        audit.record(by="dana", action="topic.edit", thing=first_topic(), after={"a": 1})
