"""How a document is numbered is told at review, on the source and to readers."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from ingest.stages.run import run_job
from tests.factories import upload_text
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)
NUMBERS = (1, 2, 3, 4, 5, 6, 9, 10, 11, 12)
ACT = "Kites Act 2031\n" + "\n".join(
    f"{number}. Winding of string {number}\nThe keeper of a kite shall wind its string." for number in NUMBERS
)


@pytest.mark.parametrize("in_batch", [True, False])
def test_what_is_missing_is_said(tmp_path: Path, staff_client: Client, in_batch: bool) -> None:
    options: dict[str, Any] = {"metadata": None, "batch_id": uuid4()} if in_batch else {}
    job = upload_text(tmp_path, ACT, **options)
    run_job(job.pk)
    client = client_with_key(admin=True)
    told = client.get(f"/admin/kb/jobs/{job.pk}").json()["numbering"]
    assert (told["form"], told["gaps"]) == ("1.", ["7–8"])
    assert 0 < told["certainty"] <= 1
    said = "Numbers that its sections leave out: 7–8."
    if in_batch:
        page = staff_client.get(reverse("review-job", args=[job.batch_id, job.pk])).content.decode()
        assert said in page
        assert (
            client.post(f"/admin/kb/jobs/{job.pk}/commit", {"kind": "law", "title": "K"}, format="json").status_code
            == 202
        )
        run_job(job.pk)
    job.refresh_from_db()
    assert job.source is not None
    assert client.get(f"/kb/sources/{job.source.pk}").json()["numbering"] == told
    assert said in staff_client.get(f"/documents/{job.source.pk}/").content.decode()


def test_of_a_law_without_numbers_it_is_said_and_of_a_letter_not(tmp_path: Path, staff_client: Client) -> None:
    told = {}
    for kind in ("law", "circular"):
        job = upload_text(tmp_path, f"A {kind}\n\nDear reader, nothing is numbered here.", kind=kind)
        run_job(job.pk)
        job.refresh_from_db()
        assert job.source is not None
        page = staff_client.get(f"/documents/{job.source.pk}/").content.decode()
        told[kind] = job.numbering, "No numbered section was recognised" in page
    assert told == {"law": ({"form": "", "certainty": 0.0, "gaps": []}, True), "circular": (None, False)}
