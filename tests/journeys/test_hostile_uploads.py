"""The upload door: hostile files and hostile requests over HTTP, with a worker at work behind it."""

import os
import random
import socket
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from urllib.parse import urlsplit

import psutil
import pytest
from django.core.files.storage import default_storage

import tests.fuzz.reading  # noqa: F401  the kinds register themselves
from ingest.job_states import AWAITING_REVIEW, DONE, FAILED
from ingest.models import Job
from sources.models import Chunk
from tests.factories import LAW
from tests.fuzz.hostile import KINDS, file_of
from tests.fuzz.reading import CODES
from tests.journeys.client import Client
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(7200), pytest.mark.deep]

FILES = int(os.environ.get("KB_FUZZ_UPLOADS", "16"))
SEED = int(os.environ.get("KB_FUZZ_SEED", "1"))
LIGHT = [name for name, kind in KINDS.items() if kind.weight >= 1]
LINE = "\r\n"
NAMES = ("../../../etc/passwd", "..\\..\\x.txt", "‮fdp.exe", "a\x00b.txt", "x" * 4_000 + ".txt", "", ".", "/", "con.txt",
         "שלום עולם.txt", "<script>.html", 'quote".txt', "line\nbreak.txt", "%2e%2e%2f.txt", " ", "🏠.md")  # fmt: skip


def hostile_files() -> Iterator[tuple[str, bytes]]:
    warnings.filterwarnings("ignore", "Duplicate name")
    chance = random.Random(SEED)
    for number in range(FILES):
        filename, content = file_of(chance.choice(LIGHT), seed=SEED, number=number)
        yield filename, content + str(number).encode() * (not filename.endswith("docx"))


def workers(process: Popen[bytes]) -> set[int]:
    """The worker and the processes in which it works."""
    return {process.pid, *(child.pid for child in psutil.Process(process.pid).children())}


def wait_for_rest() -> None:
    moving = Job.objects.exclude(status__in=("done", "failed", "awaiting_review"))
    wait_until(lambda: not moving.exists(), within_s=60 + FILES * 5)


def test_hostile_files_end_at_rest_with_code_and_workers_live(
    asgi_server: str, start_worker: Callable[..., Popen[bytes]], start_classifier: Callable[..., Popen[bytes]]
) -> None:
    process = start_worker(concurrency=2)
    classifier = start_classifier()
    client = Client(asgi_server)
    client.upload("law.txt", LAW.encode())
    wait_for_rest()
    before = workers(process)
    batch: list[tuple[str, bytes]] = []
    for number, (filename, content) in enumerate(hostile_files()):
        if number % 2:
            batch.append((filename, content))
            continue
        status, answer = client.upload(filename, content)
        assert status in (202, 400, 409, 415), answer
        assert status == 202 or answer["code"]
    for start in range(0, len(batch), 20):
        status, answer = client.upload_batch(batch[start : start + 20])
        assert status in (202, 400), answer
        assert {refused["code"] for refused in answer["rejected"]} <= {*CODES, "unsupported_type", "too_large"}
    wait_for_rest()
    assert workers(process) == before
    assert classifier.poll() is None
    for job in Job.objects.all():
        assert job.state in (DONE, FAILED, AWAITING_REVIEW)
        if job.state == FAILED:
            assert job.error_code in CODES, job.error_message
        if job.state == DONE:
            assert Chunk.objects.filter(source=job.source_id).exists()


def multipart(*parts: tuple[str, bytes], boundary: str = "b") -> bytes:
    """A body of parts, each with its own head lines."""
    heads = (f"--{boundary}{LINE}{head}{LINE}{LINE}".encode() for head, _ in parts)
    contents = (content + LINE.encode() for _, content in parts)
    return b"".join(map(bytes.__add__, heads, contents)) + f"--{boundary}--{LINE}".encode()


def file_part(name: str, field: str = "file") -> str:
    return f'Content-Disposition: form-data; name="{field}"; filename="{name}"'


KIND = ('Content-Disposition: form-data; name="kind"', b"law")
ODD_BODIES: dict[str, bytes] = {
    "no file name": multipart(KIND, ('Content-Disposition: form-data; name="file"', LAW.encode())),
    "no field name": multipart(KIND, ("Content-Disposition: form-data", b"x")),
    "no head": multipart(KIND, ("", b"x")),
    "ten thousand fields": multipart(*((f'Content-Disposition: form-data; name="f{n}"', b"x") for n in range(10_000))),
    "ten thousand files": multipart(*((file_part(f"{n}.txt", "files"), b"x") for n in range(10_000))),
    "another boundary": multipart(KIND, (file_part("a.txt"), b"x"), boundary="other"),
    "an empty file": multipart(KIND, (file_part("a.txt"), b"")),
    "nothing": b"",
    "no end": multipart(KIND, (file_part("a.txt"), b"x"))[:-8],
    "the file twice": multipart(KIND, (file_part("a.txt"), b"x"), (file_part("b.txt"), b"y")),
    "a head of 100 KB": multipart(KIND, (file_part("a" * 100_000), b"x")),
    "base64 that is none": multipart(KIND, (file_part("a.txt") + f"{LINE}Content-Transfer-Encoding: base64", b"\xff!")),
    "a charset that is none": multipart(('Content-Disposition: form-data; name="kind"; charset=x', b"\xff\xfe")),
    "a name in two ways": multipart(KIND, (file_part("a.txt") + "; filename*=UTF-8''%00%FF%2e%2e%2fx", b"odd name")),
}


def test_odd_requests_are_refused_or_taken_in_and_never_break_the_server(asgi_server: str) -> None:
    session = Client(asgi_server).session
    requests = [(what, body, "; boundary=b") for what, body in ODD_BODIES.items()]
    requests += [("no boundary", ODD_BODIES["no head"], ""), ("a long boundary", b"", "; boundary=" + "b" * 300)]
    for path in ("/admin/kb/upload", "/admin/kb/upload-batch"):
        for what, body, boundary in requests:
            headers = {"Content-Type": f"multipart/form-data{boundary}"}
            answer = session.post(asgi_server + path, data=body, headers=headers, timeout=60)
            assert answer.status_code in (202, 400, 413, 415), (what, answer.text[:300])
    assert session.get(asgi_server + "/healthz", timeout=60).status_code == 200


def test_no_name_leads_out_of_the_store(asgi_server: str) -> None:
    client = Client(asgi_server)
    for number, name in enumerate(NAMES):
        body = multipart(KIND, (file_part(name), f"{LAW} {number}".encode()))
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        answer = client.session.post(asgi_server + "/admin/kb/upload", data=body, headers=headers, timeout=60)
        assert answer.status_code in (202, 400), (name, answer.text[:300])
    root = Path(default_storage.path("")).resolve()
    for job in Job.objects.all():
        assert Path(default_storage.path(job.file_key)).resolve().is_relative_to(root / "inbox" / "general" / "law")
        assert "\x00" not in job.filename
        assert len(job.filename.encode()) <= 255, job.filename[:80]
        status, shown = client.get(f"/admin/kb/jobs/{job.pk}")
        assert (status, shown["filename"]) == (200, job.filename)
        file = client.session.get(f"{asgi_server}/admin/kb/jobs/{job.pk}/file", timeout=60)
        assert file.status_code == 200
        assert file.headers["X-Content-Type-Options"] == "nosniff"


def test_an_upload_that_lies_or_breaks_off_leaves_nothing(asgi_server: str) -> None:
    client = Client(asgi_server)
    body = multipart(KIND, (file_part("a.txt"), LAW.encode() * 20))
    address = urlsplit(asgi_server)
    for claimed, sent in ((1_000_000, 0.5), (50, 1.0), (-1, 1.0), (10**15, 0.2)):
        head = (
            f"POST /admin/kb/upload HTTP/1.1{LINE}Host: localhost{LINE}Content-Length: {claimed}{LINE}"
            f"Authorization: {client.session.headers['Authorization']}{LINE}"
            f"Content-Type: multipart/form-data; boundary=b{LINE}{LINE}"
        )
        with socket.create_connection((address.hostname, address.port), timeout=60) as connection:
            connection.sendall(head.encode() + body[: int(len(body) * sent)])
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(4_096)
        assert not answer or 400 <= int(answer.split()[1]) < 500, answer
    assert client.get("/healthz")[0] == 200
    assert not Job.objects.exists()
