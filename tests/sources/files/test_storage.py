"""Keys, names and moves of stored files, on local files and on S3."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from sources.files import deletions, storage
from sources.files.storage import Area
from sources.models import FileDeletion

JOB = UUID("6f9619ff-8b86-d011-b42d-00c04fc964ff")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("חוק המים.pdf", "חוק המים.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\docs\\law.pdf", "law.pdf"),
        ("law\x00\x1b[31m.pdf", "law[31m.pdf"),
        ("\u202egnp.exe", "gnp.exe"),
        ("", "file"),
        ("..", "file"),
    ],
)
def test_a_file_name_is_shown_without_folders_and_control_characters(given: str, shown: str) -> None:
    assert storage.display_name(given) == shown


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("חוק המים.pdf", "חוק-המים.pdf"),
        ('התשס"ד 2004?.docx', "התשס-ד-2004.docx"),
        ("a b  c.TXT", "a-b-c.TXT"),
        ("...", "file"),
        ("x" * 500 + ".pdf", "x" * 116 + ".pdf"),
        ("ש" * 500 + ".pdf", "ש" * 58 + ".pdf"),
    ],
)
def test_a_stored_name_is_safe_in_a_path_and_keeps_its_letters(given: str, safe: str) -> None:
    assert storage.safe_name(given) == safe
    assert len(storage.safe_name(given).encode()) <= storage.MAX_NAME_BYTES


def test_a_key_names_area_topic_kind_and_job() -> None:
    key = storage.key_for(area=Area.INBOX, topic_slug="water", kind="law", job_id=JOB, filename="../חוק.pdf")
    assert key == f"inbox/water/law/{JOB}-חוק.pdf"
    assert storage.moved_key(key, Area.PROCESSED, kind="tool") == f"processed/water/tool/{JOB}-חוק.pdf"


def test_each_copy_has_key_of_its_own_beside_job_and_the_name() -> None:
    key = storage.key_for(area=Area.INBOX, topic_slug="water", kind="law", job_id=JOB, filename="חוק.pdf")
    first, second = (storage.fresh_key(key, Area.PROCESSED, kind="tool") for _ in range(2))
    assert first != second
    for copied in (first, second, storage.fresh_key(first, Area.PROCESSED, kind="tool")):
        assert copied.startswith(f"processed/water/tool/{JOB}-")
        assert copied.endswith("-חוק.pdf")
        assert len(copied) == len(first), "keys do not grow from copy to copy"
    assert storage.is_in_area(first, Area.PROCESSED, kind="tool")
    assert not storage.is_in_area(first, Area.PROCESSED, kind="law")
    assert not storage.is_in_area(first, Area.FAILED, kind="tool")


@pytest.fixture(params=["filesystem", "s3"])
def either_storage(request: pytest.FixtureRequest) -> str:
    if request.param == "s3":
        request.getfixturevalue("s3_storage")
    return request.param


def test_file_is_kept_copied_read_and_deleted_in_either_storage(either_storage: str, tmp_path: Path) -> None:
    path = tmp_path / "law.txt"
    path.write_text("סעיף 1", encoding="utf-8")
    key = storage.key_for(area=Area.INBOX, topic_slug="t", kind="law", job_id=JOB, filename="חוק.txt")
    storage.save(key, path)
    target = storage.moved_key(key, Area.FAILED, kind="law")
    storage.copy(key, target)
    storage.copy(key, target)  # as after a crash between copy and commit
    storage.delete(key)
    storage.delete(key)
    assert not storage.exists(key)
    assert storage.exists(target)
    with storage.local_copy(target) as local:
        assert local.read_text(encoding="utf-8") == "סעיף 1"
    with storage.open_stored(target) as stored:
        assert stored.read().decode() == "סעיף 1"
    storage.delete(target)


def test_reading_or_copying_what_is_not_there_says_so(either_storage: str) -> None:
    with pytest.raises(FileNotFoundError), storage.local_copy("inbox/t/law/none.txt"):
        pass
    with pytest.raises(FileNotFoundError):
        storage.copy("inbox/t/law/none.txt", "failed/t/law/none.txt")


@pytest.mark.django_db(transaction=True)
def test_a_deletion_that_failed_is_repeated_until_it_works(s3_storage: Any, settings: Any, tmp_path: Path) -> None:
    path = tmp_path / "law.txt"
    path.write_text("x")
    storage.save("inbox/t/law/a.txt", path)
    working = settings.STORAGES
    broken = {**working["default"]["OPTIONS"], "endpoint_url": "http://127.0.0.1:9"}
    settings.STORAGES = {**working, "default": {**working["default"], "OPTIONS": broken}}
    deletions.delete_on_commit("inbox/t/law/a.txt")
    settings.STORAGES = working
    assert storage.exists("inbox/t/law/a.txt")
    FileDeletion.objects.update(requested_at="2020-01-01T00:00:00Z")
    assert deletions.retry_failed() == 1
    assert not storage.exists("inbox/t/law/a.txt")
    assert not FileDeletion.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_file_is_deleted_after_the_commit_and_stays_when_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "law.txt"
    path.write_text("x")
    storage.save("inbox/t/law/b.txt", path)
    with transaction.atomic():
        deletions.delete_on_commit("inbox/t/law/b.txt")
        transaction.set_rollback(True)
    assert storage.exists("inbox/t/law/b.txt")
    assert not FileDeletion.objects.exists()
    with transaction.atomic():
        deletions.delete_on_commit("inbox/t/law/b.txt")
        assert storage.exists("inbox/t/law/b.txt")
    assert not storage.exists("inbox/t/law/b.txt")
