"""Deletions that stay undone, and what the radar lists wrongly, are found and mended."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from sources.files import storage
from sources.models import FileDeletion, RadarWork, Reference, Source, StaleReference
from tests.factories import first_topic, make_topic
from tests.integrity import damage, found, mended, undefended
from tests.sources.test_radar import BETWEEN, circular, work
from tests.sources.test_standing import gardens

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE kb_stale_reference SET topic_id = %(topic)s",
        "UPDATE kb_stale_reference SET text = 'section 50'",
        "UPDATE kb_stale_reference SET cited_id = source_id",
        "UPDATE kb_stale_reference SET now_id = 987654",
        "DELETE FROM kb_reference WHERE source_id = %(source)s",
        "DELETE FROM kb_source WHERE id = %(source)s",
    ],
)
def test_what_the_radar_lists_wrongly_is_found_and_mended(harm: str) -> None:
    gardens()
    source = circular("5", day=BETWEEN)
    work()
    assert found("false_stale_references") == {}
    with undefended(), connection.cursor() as cursor:
        cursor.execute(harm, {"topic": make_topic().pk, "source": source.pk})
    assert list(found("false_stale_references")) == [f"source {source.pk}"]
    assert mended("false_stale_references").repaired == 1
    work()
    assert found("false_stale_references") == {}
    is_cited = Reference.objects.filter(source=source).exists() and Source.objects.filter(pk=source.pk).exists()
    assert StaleReference.objects.filter(source=source, topic=first_topic()).count() == is_cited


def test_a_work_that_is_looked_at_anew_is_no_finding() -> None:
    gardens()
    circular("5", day=BETWEEN)
    work()
    damage("UPDATE kb_stale_reference SET text = 'section 50'")
    RadarWork.objects.create(work_id=StaleReference.objects.get().work_id)
    assert found("false_stale_references") == {}


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
