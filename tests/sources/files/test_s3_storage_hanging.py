"""S3 that takes connections and never answers: whoever needs a file is told so soon, and nobody else waits."""

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from django.core.files.storage import default_storage

from tests.factories import make_job
from topics.keys import issue_key

SOON_S = 60  # on a busy machine; a call alone takes 9, and took 82 once
HANGING = 15  # more than the pool has connections


@pytest.fixture
def hanging_s3(settings: Any) -> Iterator[None]:
    """A server that lets everybody in, and says nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        options = {
            "bucket_name": "kb-tests",
            "endpoint_url": f"http://127.0.0.1:{listening.getsockname()[1]}",
            "region_name": "us-east-1",
            "access_key": "tests",
            "secret_key": "tests",
            "file_overwrite": True,
        }
        backend = {"BACKEND": "sources.files.s3_storage.DocumentS3Storage", "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, "default": backend}
        yield


@pytest.mark.usefixtures("hanging_s3")
def test_storage_that_hangs_is_told_soon_and_holds_up_no_search(asgi_server: str) -> None:
    assert default_storage.connection  # type: ignore[attr-defined]  # takes a second on a busy machine
    job = make_job(file_key="inbox/general/law/a.pdf", filename="a.pdf")
    headers = {"Authorization": f"Api-Key {issue_key(name='tests', by='tests', admin=True)[1]}"}
    http = httpx2.Client(timeout=SOON_S)  # here: making one takes a second on a busy machine
    told: dict[str, int] = {}

    def ask(name: str, method: str, path: str, **sent: Any) -> None:
        told[name] = http.request(method, f"{asgi_server}{path}", **sent).status_code

    form: dict[str, Any] = {
        "data": {"kind": "law", "topic_id": "1"},
        "files": {"file": ("a.txt", b"A lift is checked.")},
    }
    asked = [("upload", "POST", "/admin/kb/upload", form)]
    asked += [(f"file {n}", "GET", f"/admin/kb/jobs/{job.pk}/file", {}) for n in range(HANGING)]
    threads = [
        threading.Thread(target=ask, args=[name, method, path], kwargs={"headers": headers, **sent})
        for name, method, path, sent in asked
    ]
    for thread in threads:
        thread.start()
    time.sleep(2)
    ask("search", "POST", "/kb/search", json={"query": "lifts"})
    for thread in threads:
        thread.join()
    http.close()
    assert told.pop("search") == 200, "who waits for the storage holds no connection"
    assert set(told) == {name for name, *_ in asked}, "nobody waited longer"
    assert set(told.values()) == {503}
