"""The S3 storage where it differs from django-storages."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

CHECKSUMS = ("x-amz-checksum", "x-amz-trailer", "x-amz-sdk-checksum")


def test_threads_share_one_connection_also_when_they_start_together(s3_storage: Any) -> None:
    storage: Any = storages["default"]
    with ThreadPoolExecutor(4) as threads:
        connections = list(threads.map(lambda _: storage.connection, range(8)))
    assert {id(connection) for connection in connections} == {id(storage.connection)}


def test_an_upload_asks_for_no_checksum_that_older_servers_do_not_know(s3_storage: Any) -> None:
    storage: Any = storages["default"]
    sent: list[dict[str, str]] = []

    def note(request: Any, **_options: Any) -> None:
        sent.append({name.lower(): str(value) for name, value in request.headers.items()})

    events = storage.connection.meta.client.meta.events
    events.register("before-send.s3", note)
    try:
        key = storage.save("inbox/general/law/a.txt", ContentFile(b"text"))
        assert b"".join(storage.blocks(key)) == b"text"
    finally:
        events.unregister("before-send.s3", note)
    assert len(sent) >= 2
    for headers in sent:
        assert not [
            name for name in headers if name.startswith(("x-amz-checksum", "x-amz-trailer", "x-amz-sdk-checksum"))
        ]
        assert "trailer" not in headers.get("x-amz-content-sha256", "").lower()


def test_what_a_store_shows_late_is_waited_for(s3_storage: Any) -> None:
    """The store has the file when it is asked for the third time."""
    backend: Any = storages["default"]
    key, asked = "library/general/law/late.txt", 0

    def show(**_options: Any) -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            s3_storage.put_object(Bucket="kb-tests", Key=key, Body=b"text")

    events = backend.connection.meta.client.meta.events
    events.register("before-send.s3", show)
    try:
        for read in (
            lambda: backend.open(key).read(),
            lambda: b"".join(backend.blocks(key)),
            lambda: backend.copy(key, f"{key}.copy") or b"text",
        ):
            asked = 0
            s3_storage.delete_object(Bucket="kb-tests", Key=key)
            assert read() == b"text"
            assert asked >= 3
    finally:
        events.unregister("before-send.s3", show)


def test_what_no_store_has_is_not_there(s3_storage: Any) -> None:
    backend: Any = storages["default"]
    for read in (backend.open, lambda key: list(backend.blocks(key)), lambda key: backend.copy(key, "x")):
        with pytest.raises(FileNotFoundError):
            read("library/general/law/none.txt")
    assert not backend.exists("library/general/law/none.txt")
