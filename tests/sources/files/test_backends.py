"""The S3 storage where it differs from django-storages."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.files.storage import storages


def test_threads_share_one_connection_also_when_they_start_together(s3_storage: Any) -> None:
    storage: Any = storages["default"]
    with ThreadPoolExecutor(4) as threads:
        connections = list(threads.map(lambda _: storage.connection, range(8)))
    assert {id(connection) for connection in connections} == {id(storage.connection)}
