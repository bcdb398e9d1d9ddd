"""Files that are missing and files that nobody names, on local files and on S3."""

import hashlib
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingest.integrity.files import delete_stray_file, find_changed_files, find_stray_files
from ingest.job_states import FAILED
from ingest.models import Job
from kb_project.errors import Conflict
from kb_project.operations.integrity.registry import CheckProgress, Finding
from sources.files import storage
from sources.models import FileDeletion
from tests.factories import make_job, make_source, make_topic
from tests.integrity import found, mended

pytestmark = pytest.mark.django_db
NOW = timedelta(seconds=-2)  # times on S3 are whole seconds


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    """A file store of the test's own."""
    backend = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path, "allow_overwrite": True},
    }
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    return tmp_path


def put(key: str) -> str:
    default_storage.save(key, ContentFile(b"12345"))
    return key


def age(files: Path, *keys: str) -> None:
    two_hours_ago = time.time() - 7200
    for key in keys:
        os.utime(files / key, (two_hours_ago, two_hours_ago))


@pytest.mark.usefixtures("either_storage")
def test_a_missing_file_that_a_source_or_job_names_is_found() -> None:
    source = make_source(file_key="processed/general/law/gone.txt")
    job = make_job(file_key="inbox/general/law/gone.txt")
    make_source(file_key=put("processed/general/law/חוק.txt"))
    make_source(file_key="")
    make_job(file_key="failed/general/law/gone.txt", status=FAILED.status)
    expected = {
        f"source {source.pk}": "Its stored file processed/general/law/gone.txt is not there.",
        f"job {job.pk}": "Its stored file inbox/general/law/gone.txt is not there.",
    }
    assert found("missing_files") == expected
    outcome = mended("missing_files")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (2, 0, 2)
    put("processed/general/law/gone.txt")
    put("inbox/general/law/gone.txt")
    assert found("missing_files") == {}


def test_a_file_that_lies_outside_the_areas_is_not_missing() -> None:
    make_source(file_key=put("archive/law.txt"))
    assert found("missing_files") == {}


@pytest.mark.usefixtures("either_storage")
def test_files_that_nobody_names_are_found_in_every_area() -> None:
    strays = [put(f"{area}/general/law/{uuid4()}-חוק.txt") for area in ("inbox", "processed", "failed")]
    strays.append(put("processed/lying about.txt"))
    make_source(file_key=put("processed/general/law/of-source.txt"))
    make_job(file_key=put("inbox/general/law/of-job.txt"))
    make_job(file_key=put("failed/general/law/of-failed-job.txt"), status=FAILED.status)
    FileDeletion.objects.create(key=put("failed/general/law/to-be-deleted.txt"))
    put("archive/of another program.txt")
    assert sorted(finding.key for finding in find_stray_files(young=NOW)) == sorted(strays)
    assert found("stray_files") == {}, "they are younger than an hour"


def test_old_strays_are_deleted_by_repair_and_nothing_else_is(files: Path) -> None:
    stray, named, young = (put(f"failed/general/law/{name}.txt") for name in ("stray", "named", "young"))
    make_job(file_key=named, status=FAILED.status)
    age(files, stray, named)
    (sentence,) = found("stray_files").values()
    assert list(found("stray_files")) == [f"file {stray}"]
    assert sentence.startswith("Nothing names it; 5 bytes, written on ")
    outcome = mended("stray_files")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 1, 0)
    assert [storage.exists(key) for key in (stray, named, young)] == [False, True, True]


def test_what_lies_in_the_legacy_inbox_is_never_a_stray(files: Path) -> None:
    make_topic(slug="law")
    legacy = [put("inbox/law/old.pdf"), put("inbox/tool/2019/older.pdf"), put("inbox/law/2019/deep/a.pdf")]
    of_topic = put(f"inbox/law/circular/{uuid4()}-a.pdf")
    age(files, *legacy, of_topic)
    assert list(found("stray_files")) == [f"file {of_topic}"]


def test_a_name_that_is_no_text_is_found_and_can_be_deleted(files: Path) -> None:
    folder = os.fsencode(files / "failed/general/law")
    os.makedirs(folder)
    name = os.path.join(folder, b"caf\xe9.txt")
    with open(name, "wb") as file:
        file.write(b"x")
    os.utime(name, (1, 1))
    assert list(found("stray_files")) == ["file failed/general/law/caf?.txt"]
    assert mended("stray_files").remaining == 0
    assert not os.path.exists(name)


def test_a_file_that_is_named_by_the_time_of_its_deletion_stays() -> None:
    key = put("processed/general/law/late.txt")
    make_source(file_key=key)
    with pytest.raises(Conflict):
        delete_stray_file(Finding(f"file {key}", "", key=key))
    assert storage.exists(key)
    assert not Job.objects.exists()


@pytest.mark.usefixtures("either_storage")
def test_a_file_that_holds_something_else_than_was_uploaded_is_found() -> None:
    right = hashlib.sha256(b"12345").hexdigest()
    make_source(file_key=put("processed/general/law/right.txt"), content_sha256=right)
    make_source(file_key=put("processed/general/law/of-before-hashes.txt"))
    make_source(file_key="processed/general/law/gone.txt", content_sha256=right)
    source = make_source(file_key=put("processed/general/law/חוק.txt"), content_sha256=right[::-1])
    job = make_job(file_key=put("inbox/general/law/job.txt"))
    make_job(file_key=put("failed/general/law/failed.txt"), status=FAILED.status)
    other = "is not what was uploaded: its SHA-256 is another one."
    assert found("file_contents") == {
        f"source {source.pk}": f"Its stored file processed/general/law/חוק.txt {other}",
        f"job {job.pk}": f"Its stored file inbox/general/law/job.txt {other}",
    }


@pytest.mark.usefixtures("either_storage")
def test_files_are_hashed_block_by_block_with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    content = os.urandom(3 * storage.BLOCK + 17)
    default_storage.save("processed/general/law/large.bin", ContentFile(content))
    assert storage.sha256("processed/general/law/large.bin") == hashlib.sha256(content).hexdigest()
    sizes = [len(block) for block in storage.blocks("processed/general/law/large.bin")]
    assert sum(sizes) == len(content)
    assert max(sizes) <= storage.BLOCK
    sha256 = hashlib.sha256(content).hexdigest()
    for _ in range(3):
        make_source(file_key="processed/general/law/large.bin", content_sha256=sha256)
    assert list(find_changed_files()) == [CheckProgress(1, 3), CheckProgress(2, 3), CheckProgress(3, 3)]


def test_file_that_cannot_be_read_is_found_and_next_one_is_read(files: Path) -> None:
    (files / "processed/general/law").mkdir(parents=True)
    (files / "processed/general/law/a.txt").symlink_to("a.txt")  # to itself
    first = make_source(file_key="processed/general/law/a.txt", content_sha256="0" * 64)
    second = make_source(file_key=put("processed/general/law/b.txt"), content_sha256="0" * 64)
    sentences = found("file_contents")
    assert set(sentences) == {f"source {first.pk}", f"source {second.pk}"}
    assert "a.txt cannot be read: Too many levels of symbolic links." in sentences[f"source {first.pk}"]
