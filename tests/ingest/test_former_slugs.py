"""A topic's slug changes while files are about: none is lost, wherever each of them lies."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingest.job_states import DONE
from ingest.models import Job
from ingest.stages.run import run_job
from tests.factories import LAW, first_topic, make_topic, place_of, upload_text
from tests.topics.keys import client_with_key
from topics.edit import edit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("either_storage")]


def stored(area: str, topic_id: int) -> list[str]:
    answer = client_with_key(admin=True).get(f"/admin/kb/storage/{area}", {"topic_id": topic_id}).json()
    return sorted(file["key"] for files in answer["kinds"].values() for file in files)


def test_a_file_uploaded_before_a_change_is_processed_after_it(tmp_path: Path) -> None:
    topic = make_topic(slug="water")
    job = upload_text(tmp_path, topic=topic)
    edit(topic.pk, {"slug": "rivers"}, by="tests")
    topic.refresh_from_db()
    assert stored("inbox", topic.pk) == [f"inbox/water/law/{job.pk}-law.txt"]
    done = run_job(job.pk)
    assert done is not None
    assert (done.state, place_of(done.file_key)) == (DONE, f"processed/water/law/{job.pk}-law.txt")
    later = upload_text(tmp_path, LAW + "4. סוף", topic=topic)
    assert later.file_key == f"inbox/rivers/law/{later.pk}-law.txt"
    assert stored("processed", topic.pk) == [done.file_key]
    assert stored("inbox", topic.pk) == [later.file_key]
    assert stored("processed", 1) == []
    client = client_with_key()
    assert client.get(f"/kb/sources/{done.source_id}/file").status_code == 200


def test_legacy_inbox_is_scanned_after_first_topic_was_renamed() -> None:
    default_storage.save("inbox/law/a.txt", ContentFile(LAW.encode()))
    edit(1, {"slug": "consumers"}, by="tests")
    queued = client_with_key(admin=True).post("/admin/kb/scan-inbox").json()["queued"]
    job = Job.objects.get()
    assert [row["job_id"] for row in queued] == [str(job.pk)]
    assert job.file_key == f"inbox/{first_topic().slug}/law/{job.pk}-a.txt"
    assert stored("inbox", 1) == [job.file_key]
