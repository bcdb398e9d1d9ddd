"""A stored file that no row came to name: announced before it is stored, kept when it is named, else deleted."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F
from django.db.models.functions import Now

from sources.files import deletions, storage
from sources.models import FileDeletion

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "inbox/general/law/announced.txt"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "law.txt"
    path.write_text("a law")
    return path


def pass_time(**time: int) -> None:
    FileDeletion.objects.update(requested_at=F("requested_at") - timedelta(**time))


def test_a_file_that_a_row_names_stays_for_good(document: Path) -> None:
    with deletions.reserved(KEY):
        storage.save(KEY, document)
        deletions.confirm(KEY)
    assert not FileDeletion.objects.exists()
    deletions.release(KEY)
    assert storage.exists(KEY)


def test_a_file_whose_row_fails_goes_at_once(document: Path) -> None:
    def store_without_a_row() -> None:
        with deletions.reserved(KEY):
            storage.save(KEY, document)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store_without_a_row()
    assert not storage.exists(KEY)
    assert not FileDeletion.objects.exists()


def test_a_file_of_a_killed_process_is_deleted_after_an_hour(document: Path) -> None:
    deletions.reserve(KEY)
    storage.save(KEY, document)
    assert deletions.retry_failed() == 0
    pass_time(minutes=59)
    assert deletions.retry_failed() == 0
    assert storage.exists(KEY)
    pass_time(minutes=2)
    assert deletions.retry_failed() == 1
    assert not storage.exists(KEY)
    assert not FileDeletion.objects.exists()


def test_file_cannot_be_named_any_more_once_it_is_to_be_deleted(document: Path) -> None:
    deletions.reserve(KEY)
    storage.save(KEY, document)
    pass_time(minutes=61)
    with pytest.raises(OSError, match="too long"):
        deletions.confirm(KEY)
    assert FileDeletion.objects.count() == 1


def test_a_request_from_far_ahead_is_left_of_a_wrong_clock_and_is_done(document: Path) -> None:
    storage.save(KEY, document)
    FileDeletion.objects.create(key=KEY, requested_at=Now() + timedelta(hours=6))
    with pytest.raises(OSError, match="too long"):
        deletions.confirm(KEY)
    assert deletions.retry_failed() == 1
    assert not storage.exists(KEY)
