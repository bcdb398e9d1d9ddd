"""Deletions that stay undone are found and done."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from sources.files import storage
from sources.models import FileDeletion
from tests.integrity import found, mended

pytestmark = pytest.mark.django_db


def test_file_that_should_be_gone_for_long_is_found_and_deleted() -> None:
    key = default_storage.save("failed/general/law/old.txt", ContentFile(b"x"))
    FileDeletion.objects.create(key=key, requested_at=timezone.now() - timedelta(hours=2), attempts=3)
    FileDeletion.objects.create(key="failed/general/law/young.txt")
    (sentence,) = found("old_deletions").values()
    assert list(found("old_deletions")) == [f"file {key}"]
    assert "failed: 3." in sentence
    outcome = mended("old_deletions")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 1, 0)
    assert not storage.exists(key)
    assert [row.key for row in FileDeletion.objects.all()] == ["failed/general/law/young.txt"]


def test_what_the_storage_refuses_to_delete_remains(settings: Any, tmp_path: Path) -> None:
    backend = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path, "allow_overwrite": True},
    }
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    (tmp_path / "failed" / "folder" / "inner").mkdir(parents=True)  # a folder that is not empty cannot be deleted
    old = timezone.now() - timedelta(hours=2)
    FileDeletion.objects.create(key="failed/folder", requested_at=old)
    outcome = mended("old_deletions")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 0, 1)
    assert FileDeletion.objects.get().attempts == 1
