"""Uploaded files: what they are served as, what they are called in the storage, and that no name leads out of it."""

import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ingest.backup import archive
from ingest.backup.archive import BackupRefused, Manifest
from ingest.models import Job
from kb_project.errors import Invalid
from sources.files import storage
from sources.models import Source
from tests.factories import first_topic, make_source
from topics.edit import edit
from topics.models import Topic

pytestmark = pytest.mark.django_db

HOSTILE_NAMES = (
    "../../../../etc/cron.d/law.txt",
    "..\\..\\windows\\law.txt",
    "/etc/passwd",
    "law.txt\0.html",
    "a\r\nSet-Cookie: sessionid=x\r\n.txt",
    '"; filename="x.html',
    "%2e%2e%2flaw.txt",
    "....//law.txt",
    "..",
    ".",
    "",
    "\u202etxt.exe",
    "CON",
    "a" * 400 + ".txt",
    "חוק/../../ספריות.txt",
    "law.txt;.html",
    "<img src=x onerror=alert(1)>.txt",
)
CONTENTS = {
    "html": b"<!DOCTYPE html><html><body><script>alert(1)</script></body></html>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
    "xml": b'<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)"?><a/>',
    "markdown": b"# A law\n\n[click](javascript:alert(1)) <script>alert(1)</script>",
    "script": b"alert(document.cookie)//",
    "utf-7": b"+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "html after the start of a PDF": b"x%PDF-1.7\n<script>alert(1)</script>",
    "html in a zip": b"PK\x03\x04<script>alert(1)</script>",
    "nothing": b"",
}
SAFE_TYPES = {
    "application/pdf": "inline",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "attachment",
    "text/plain": "inline",
}


def stored(content: bytes, filename: str) -> Source:
    key = f"processed/general/law/{uuid4()}-law.txt"
    default_storage.save(key, ContentFile(content))
    return make_source(file_key=key, filename=filename)


@pytest.mark.parametrize("what", CONTENTS)
@pytest.mark.parametrize("extension", ["html", "svg", "txt"])
def test_whatever_a_file_is_it_goes_out_as_something_no_browser_runs(client: Client, what: str, extension: str) -> None:
    source = stored(CONTENTS[what], f"law.{extension}")
    response = client.get(f"/kb/sources/{source.pk}/file")
    media_type = response.headers["Content-Type"].partition(";")[0]
    assert media_type in SAFE_TYPES
    assert response.headers["Content-Disposition"].startswith(SAFE_TYPES[media_type])
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy
    assert ("sandbox" in policy) is (media_type != "application/pdf")
    if media_type == "text/plain":
        assert "charset=" in response.headers["Content-Type"]
        assert "utf-7" not in response.headers["Content-Type"].lower()


@pytest.mark.parametrize(
    ("content", "filename", "media_type"),
    [
        (b"<!DOCTYPE html><title>%PDF-1.4</title><p>1. A library lends books.</p>", "law.html", "text/plain"),
        (b"PK is short for public key.\n1. A library lends books.", "law.txt", "text/plain"),
        (b"It begins with\n%PDF-1.4\n1. A library lends books.", "law.md", "text/plain"),
        (b"%PDF-1.4\n1 0 obj\n<< /Root 1 0 R >>\n", "law.txt", "application/pdf"),
    ],
)
def test_an_accepted_file_goes_out_as_what_it_is_read_as(
    staff_client: Client, content: bytes, filename: str, media_type: str
) -> None:
    answer = staff_client.post("/admin/kb/upload", {"file": SimpleUploadedFile(filename, content), "kind": "law"})
    assert answer.status_code == 202, answer.content
    served = staff_client.get(f"/admin/kb/jobs/{answer.json()['job_id']}/file")
    assert b"".join(served.streaming_content) == content  # type: ignore[attr-defined]
    assert served.headers["Content-Type"].partition(";")[0] == media_type


def test_a_picture_of_text_is_refused(staff_client: Client) -> None:
    drawn = SimpleUploadedFile("law.svg", CONTENTS["svg"], content_type="image/svg+xml")
    answer = staff_client.post("/admin/kb/upload", {"file": drawn, "kind": "law"})
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_type")
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_file_name_leads_out_of_its_folder_or_into_a_header(staff_client: Client, name: str) -> None:
    uploaded = SimpleUploadedFile("law.txt", b"1. A library lends books to whoever lives here.")
    uploaded._name = name  # type: ignore[attr-defined]  # Django's own setter would clean it before it is sent
    answer = staff_client.post("/admin/kb/upload", {"file": uploaded, "kind": "law"})
    if answer.status_code == 400:  # a file that has no name at all
        assert Job.objects.count() == 0
        return
    assert answer.status_code == 202, answer.content
    job = Job.objects.get(pk=answer.json()["job_id"])
    area, slug, kind, last = job.stored_key.split("/")
    assert (area, slug, kind) == ("inbox", "general", "law")
    assert last.startswith(f"{job.pk}-")
    assert not set(last) & set('<>"\\\0\r\n%')
    root = Path(default_storage.path("")).resolve()
    assert Path(default_storage.path(job.stored_key)).resolve().parent == root / "inbox/general/law"
    response = staff_client.get(f"/admin/kb/jobs/{job.pk}/file")
    assert "sessionid" not in response.cookies
    assert not set(response.headers["Content-Disposition"]) & set("\r\n")


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_are_safe_wherever_they_come_from(name: str) -> None:
    """The inbox on disk and on S3 hands names over as they are."""
    for safe in (storage.safe_name(name), storage.display_name(name)):
        assert safe
        assert "/" not in safe
        assert "\\" not in safe
        assert safe not in (".", "..")
        assert not [character for character in safe if ord(character) < 32 or character == "\u202e"]
    key = storage.key_for(area=storage.Area.INBOX, topic_slug="general", kind="law", job_id=UUID(int=1), filename=name)
    assert len(key.split("/")) == 4


def test_a_stored_name_cannot_be_guessed_and_is_no_address(client: Client, staff_client: Client) -> None:
    uploaded = SimpleUploadedFile("law.txt", b"1. A library lends books.")
    staff_client.post("/admin/kb/upload", {"file": uploaded, "kind": "law"})
    key = Job.objects.get().stored_key
    assert UUID(key.split("/")[-1][:36]).version == 4  # 122 random bits
    for address in (f"/{key}", f"/static/{key}", f"/media/{key}", f"/static/../files/{key}", "/.git/config", "/.env"):
        assert Client().get(address).status_code in (400, 404), address


@pytest.mark.parametrize("slug", ["../x", "a/b", "..", "a\0b", "a b", "a\nb", "", "א", "x" * 51, "a%2fb"])
def test_a_slug_of_a_topic_is_a_plain_word(staff_client: Client, slug: str) -> None:
    answer = staff_client.post("/admin/kb/topics", {"name": "T", "slug": slug}, content_type="application/json")
    assert answer.status_code == 400
    with pytest.raises(Invalid):
        edit(first_topic().pk, {"slug": slug}, by="test")
    assert Topic.objects.count() == 1


@pytest.mark.parametrize(
    "path",
    [
        "/admin/kb/storage/..",
        "/admin/kb/storage/%2e%2e",
        "/admin/kb/storage/inbox%2f..",
        "/admin/kb/batch/../jobs",
        "/admin/kb/jobs/..%2f..%2fetc/file",
        "/review/../../etc/passwd",
        "/static/../kb_project/settings.py",
        "/static/%2e%2e/%2e%2e/.env",
        "/static//etc/passwd",
    ],
)
def test_no_address_leads_out(staff_client: Client, path: str) -> None:
    assert staff_client.get(path).status_code in (400, 404)


@pytest.mark.parametrize("kind", ["../law", "law/../..", "poem", ""])
def test_a_kind_is_one_of_five(staff_client: Client, kind: str) -> None:
    uploaded = SimpleUploadedFile("law.txt", b"1. A library lends books.")
    assert staff_client.post("/admin/kb/upload", {"file": uploaded, "kind": kind}).status_code == 400


def test_a_file_that_is_no_document_is_refused_whatever_it_is_called(staff_client: Client) -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive_:
        archive_.writestr("../../evil.txt", "x")
    for content in (b"MZ\x90\0" + bytes(64), zipped.getvalue(), b"GIF89a" + bytes(64)):
        uploaded = SimpleUploadedFile("law.pdf", content, content_type="application/pdf")
        answer = staff_client.post("/admin/kb/upload", {"file": uploaded, "kind": "law"})
        assert answer.status_code == 415, content[:4]


def test_a_file_may_be_so_large_and_no_larger(staff_client: Client, settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 1
    uploaded = SimpleUploadedFile("law.txt", b"x" * (1024 * 1024 + 1))
    assert staff_client.post("/admin/kb/upload", {"file": uploaded, "kind": "law"}).status_code == 413


def test_a_body_that_is_no_upload_may_be_so_large_and_no_larger(client: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    body = json.dumps({"query": "x" * 20_000})
    assert client.post("/kb/search", body, content_type="application/json").status_code == 413
    assert client.post("/mcp/general/", "x" * 70_000, content_type="application/json").status_code == 413


# --- restoring a backup -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", ["../x", "/etc/passwd", "inbox/../../x", "inbox//x", "other/x", "", ".", "inbox/./x", "inbox/x/.."]
)
def test_a_backup_names_no_file_outside_the_storage(key: str) -> None:
    given = {
        "made_at": "",
        "version": "",
        "postgres": "",
        "migrations": [],
        "tables": [],
        "sequences": {},
        "files": [{"key": key, "size": 1, "sha256": ""}],
        "format": 1,
    }
    with pytest.raises(BackupRefused):
        Manifest.from_json(json.dumps(given))


def test_members_of_archive_are_never_unpacked_by_their_names(tmp_path: Path) -> None:
    """Links and devices are not there for the reader; a member is read as a stream, wherever its name points."""
    path = tmp_path / "backup.tar"
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with tarfile.open(path, "w") as tar:
        for name, kind in (("files/link", tarfile.SYMTYPE), ("files/hard", tarfile.LNKTYPE), ("dev", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, str(secret)
            tar.addfile(info)
        info = tarfile.TarInfo("../../escaped")
        info.size = 1
        tar.addfile(info, io.BytesIO(b"x"))
    with archive.reading(path) as reader:
        for name in ("files/link", "files/hard", "dev"):
            with pytest.raises(BackupRefused):
                reader.open(name)
    assert not (tmp_path.parent / "escaped").exists()


def test_a_link_in_a_backup_directory_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    backup = tmp_path / "backup"
    (backup / "files").mkdir(parents=True)
    (backup / "files" / "link").symlink_to(secret)
    (backup / "linked").symlink_to(tmp_path)
    with archive.reading(backup) as reader:
        for name in ("files/link", "linked/secret", "../secret", "/etc/passwd"):
            with pytest.raises(BackupRefused):
                reader.open(name)
