"""The S3 storage where it differs from django-storages."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

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
