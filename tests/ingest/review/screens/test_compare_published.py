"""What a reviewer is shown of the provisions that a file changes of a document that is here."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from ingest.models import Job, Similar
from ingest.review.screens import compare
from sources import comparison
from sources.models import Source
from tests.extraction.isolation.processes import SLOW_HTML
from tests.factories import make_topic
from tests.ingest.review.screens.test_job import url_of
from tests.search.corpus import add_document

MakeWaiting = Callable[..., Job]
BEFORE = """חוק המזחים
1. אגרה
בעל סירה ישלם אגרה של עשרה שקלים לכל יום.
2. פטור
סירת הצלה פטורה מאגרה."""
AFTER = BEFORE.replace("עשרה", "עשרים") + "\n3. ביטול\nהאגרות הקודמות בטלות."


@pytest.fixture
def here(db: None) -> Source:
    return add_document(BEFORE, title="חוק <b>המזחים", kind="law")


@pytest.fixture
def job(here: Source, make_waiting: MakeWaiting) -> Job:
    made = make_waiting(file_key=keep("piers.txt", AFTER.encode()), filename="piers.txt")
    Similar.objects.create(job=made, source=here, similarity=0.9)
    return made


def keep(name: str, content: bytes) -> str:
    key = f"inbox/general/law/{name}"
    default_storage.delete(key)
    return default_storage.save(key, ContentFile(content))


def address_of(job: Job, source: Source) -> str:
    return reverse("review-compare", args=[job.batch_id, job.pk, source.pk])


@pytest.mark.parametrize("view", ["", "columns"])
def test_the_review_leads_to_what_the_file_changes_by_provision(
    staff_client: Client, job: Job, here: Source, view: str
) -> None:
    address = address_of(job, here)
    assert f'href="{address}"' in staff_client.get(url_of(job)).content.decode()
    page = staff_client.get(address, {"view": view} if view else {}).content.decode()
    assert "חוק &lt;b&gt;המזחים" in page
    assert "<bdi>piers.txt</bdi>" in page
    assert page.count('<article class="change"') == 2
    assert "סעיף 1" in page
    assert ">עשרה</del>" in page
    assert ">עשרים</ins>" in page
    assert "האגרות הקודמות בטלות" in page
    assert "The other way round" not in page


def test_a_file_that_says_the_same_changes_nothing(staff_client: Client, here: Source, make_waiting: Any) -> None:
    same = make_waiting(file_key=keep("same.txt", BEFORE.replace("\n", "\n\n").encode()), filename="same.txt")
    assert "Both say the same." in staff_client.get(address_of(same, here)).content.decode()


def test_what_cannot_be_read_or_is_too_long_is_said(
    staff_client: Client, here: Source, make_waiting: MakeWaiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = make_waiting(file_key="inbox/gone.txt", filename="gone.txt")
    assert "The file is not there any more." in staff_client.get(address_of(gone, here)).content.decode()
    broken = make_waiting(file_key=keep("broken.pdf", b"%PDF-1.7 broken"), filename="broken.pdf")
    assert 'class="message error"' in staff_client.get(address_of(broken, here)).content.decode()
    long = make_waiting(file_key=keep("long.txt", AFTER.encode()), filename="long.txt")
    monkeypatch.setattr(comparison.sources, "MAX_CHARACTERS", len(BEFORE) + 5)
    assert "characters is not compared" in staff_client.get(address_of(long, here)).content.decode()


def test_a_file_that_takes_too_long_is_said_to(
    staff_client: Client, here: Source, make_waiting: MakeWaiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = make_waiting(file_key=keep("slow.html", SLOW_HTML), filename="slow.html")
    monkeypatch.setattr(compare, "MAX_SECONDS", 0.5)
    assert "took longer than" in staff_client.get(address_of(slow, here)).content.decode()


def test_only_with_what_is_in_its_topic(staff_client: Client, client: Client, job: Job, here: Source) -> None:
    elsewhere = add_document(BEFORE, topic=make_topic(), title="x")
    assert staff_client.get(address_of(job, elsewhere)).status_code == 404
    assert staff_client.get(reverse("review-compare", args=[job.batch_id, job.pk, 2**70])).status_code == 404
    assert staff_client.post(address_of(job, here)).status_code == 405
    client.logout()
    assert client.get(address_of(job, here)).status_code == 302
