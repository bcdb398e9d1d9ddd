"""A stored file is handed out whole or in parts, and not again to who has it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import pytest
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.test import AsyncRequestFactory, RequestFactory

from sources.files import storage
from sources.files.serving import BLOCK, file_response

CONTENT = bytes(range(32, 127)) * (2 * BLOCK // 95 + 1)
SIZE = len(CONTENT)


@pytest.fixture
def key(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "a.txt").write_bytes(CONTENT)
    stored = storage.key_for(area=storage.Area.PROCESSED, topic_slug="t", kind="law", job_id=uuid4(), filename="a.txt")
    storage.save(stored, tmp_path / "a.txt")
    yield stored
    storage.delete(stored)


async def _read(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


def _body(response: HttpResponseBase) -> bytes:
    assert isinstance(response, StreamingHttpResponse)
    pieces: Any = response.streaming_content
    return asyncio.run(_read(pieces)) if response.is_async else b"".join(pieces)


def ask(key: str, headers: dict[str, str], *, loop: bool = False, method: str = "GET") -> HttpResponseBase:
    factory: Any = AsyncRequestFactory() if loop else RequestFactory()
    return file_response(factory.generic(method, "/", headers=headers), key=key, filename="a.txt")


@pytest.mark.django_db
@pytest.mark.parametrize("loop", [False, True])
def test_a_part_is_what_was_asked_for(key: str, loop: bool) -> None:
    for given, start, end in (
        ("bytes=0-99", 0, 100),
        (f"bytes={BLOCK - 10}-{BLOCK + 9}", BLOCK - 10, BLOCK + 10),
        ("bytes=-50", SIZE - 50, SIZE),
        (f"bytes={SIZE - 5}-", SIZE - 5, SIZE),
        (f"bytes=10-{SIZE * 2}", 10, SIZE),
        (f"bytes=-{SIZE * 2}", 0, SIZE),
    ):
        response = ask(key, {"Range": given}, loop=loop)
        assert response.status_code == 206, given
        assert response["Content-Range"] == f"bytes {start}-{end - 1}/{SIZE}"
        assert response["Content-Length"] == str(end - start)
        assert _body(response) == CONTENT[start:end]


@pytest.mark.django_db
@pytest.mark.parametrize("given", ["", "bytes=0-1,4-5", "bytes=9-3", "lines=1-2", "bytes=-", "bytes=x-"])
def test_what_is_no_range_of_one_part_is_given_whole(key: str, given: str) -> None:
    response = ask(key, {"Range": given})
    assert (response.status_code, response["Content-Length"], response["Accept-Ranges"]) == (200, str(SIZE), "bytes")
    assert _body(response) == CONTENT


@pytest.mark.django_db
@pytest.mark.parametrize("given", [f"bytes={SIZE}-", f"bytes={SIZE + 5}-{SIZE + 9}", "bytes=-0"])
def test_what_lies_beyond_the_end_is_refused(key: str, given: str) -> None:
    response = ask(key, {"Range": given})
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{SIZE}")


@pytest.mark.django_db
def test_who_has_the_file_is_not_sent_it_again(key: str) -> None:
    whole = ask(key, {})
    etag = whole["ETag"]
    for sent in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        assert ask(key, {"If-None-Match": sent}).status_code == 304, sent
    assert ask(key, {"If-None-Match": '"x"'}).status_code == 200
    assert ask(key, {"Range": "bytes=0-9", "If-Range": etag}).status_code == 206
    assert ask(key, {"Range": "bytes=0-9", "If-Range": '"x"'}).status_code == 200
    assert ask(key, {"Range": "bytes=0-9"}, method="HEAD")["Content-Length"] == str(SIZE)
    cast(Any, whole).close()
