"""GET /kb/sources/{id}.akn.xml."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from sources.models import Chunk, Source
from tests.factories import make_topic
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document, replace_text
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


def get(source: Source, client: APIClient | None = None, **headers: str) -> Any:
    return (client or APIClient()).get(f"/kb/sources/{source.pk}.akn.xml", headers=headers)


def test_a_document_is_sent_as_a_file() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    response = get(law, Accept="application/akn+xml")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/akn+xml; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{law.pk}.akn.xml"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert b'eId="sec_3"' in response.getvalue()


def test_a_file_that_is_known_is_not_sent_again() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    etag = get(law)["ETag"]
    again = get(law, **{"If-None-Match": etag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    Source.objects.filter(pk=law.pk).update(title="חוק הספרים")
    assert get(law, **{"If-None-Match": etag}).status_code == 200
    replace_text(law, "1. אחר")
    assert get(law)["ETag"] != etag


def test_who_may_not_see_the_document_may_not_have_it_as_xml() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    elsewhere = client_with_key(name="elsewhere", topic=make_topic(name="Elsewhere"))
    assert get(law, elsewhere).status_code == 404
    assert get(Source(pk=999_999)).json()["code"] == "not_found"


def test_query_is_refused_and_so_is_a_document_that_is_too_long() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    response = APIClient().get(f"/kb/sources/{law.pk}.akn.xml", {"version": 1})
    assert (response.status_code, response.json()["code"]) == (400, "unknown_parameter")
    Chunk.objects.filter(source=law, seq=1).update(span_end=30_000_001)
    assert (get(law).status_code, get(law).json()["code"]) == (413, "too_large")


def test_the_pages_of_a_document_link_to_it(client: Client, staff_client: Client) -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    link = f'href="/kb/sources/{law.pk}.akn.xml" download>'
    assert link in client.get(f"/documents/{law.pk}/").content.decode()
    assert link in staff_client.get(reverse("library-source", args=[law.pk])).content.decode()
