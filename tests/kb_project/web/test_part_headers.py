"""Names of files that older programs send in windows-1255."""

from typing import Any

import pytest

from ingest.models import Job
from tests.factories import first_topic
from topics.keys import issue_key

BOUNDARY = "kb-boundary"
NAME = "תקנות המעליות.txt"


def form(name: bytes, *, field: str = "file", kind: str = "law") -> bytes:
    return (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="kind"\r\n\r\n{kind}\r\n'
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="topic_id"\r\n\r\n{first_topic().pk}\r\n'
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="'
    ).encode() + b'%s"\r\nContent-Type: text/plain\r\n\r\nA lift is checked.\r\n--%s--\r\n' % (name, BOUNDARY.encode())


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "codec"), [(NAME, "utf-8"), (NAME, "cp1255"), ("מעלית " * 120 + ".txt", "cp1255")])
def test_name_in_hebrew_is_read_in_either_encoding(client: Any, name: str, codec: str) -> None:
    key = issue_key(name="tests", by="tests", admin=True)[1]
    response = client.generic(
        "POST",
        "/admin/kb/upload",
        form(name.encode(codec)),
        content_type=f"multipart/form-data; boundary={BOUNDARY}",
        HTTP_AUTHORIZATION=f"Api-Key {key}",
    )
    assert response.status_code == 202, response.content
    assert Job.objects.get().filename[:100] == name[:100]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("תקנות %22המעליות%22, התשס%22ד.txt", 'תקנות "המעליות", התשס"ד.txt'),
        ("a%0D%0Ab %0ac.txt", "ab c.txt"),
        ("100%25 of %2022.txt", "100%25 of %2022.txt"),
    ],
)
def test_what_browsers_escape_in_a_name_is_what_it_was(client: Any, sent: str, read: str) -> None:
    key = issue_key(name="tests", by="tests", admin=True)[1]
    response = client.generic(
        "POST",
        "/admin/kb/upload",
        form(sent.encode()),
        content_type=f"multipart/form-data; boundary={BOUNDARY}",
        HTTP_AUTHORIZATION=f"Api-Key {key}",
    )
    assert response.status_code == 202, response.content
    assert Job.objects.get().filename == read


def test_name_in_hebrew_is_read_on_the_screen(staff_client: Any) -> None:
    response = staff_client.generic(
        "POST",
        "/review/upload/",
        form(NAME.encode("cp1255"), field="files"),
        content_type=f"multipart/form-data; boundary={BOUNDARY}",
    )
    assert response.status_code == 302, response.content.decode()
    assert Job.objects.get().filename == NAME
