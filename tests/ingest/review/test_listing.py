"""A batch filtered and ordered, its review inside the filter, and its name."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from ingest.intake.batches import name_batch, name_of
from ingest.job_states import JobStatus
from ingest.models import Draft, Job
from ingest.review.batch_table import ROWS_A_PAGE
from kb_project.models import AuditEntry

MakeWaiting = Callable[..., Job]


@pytest.fixture
def files(make_waiting: MakeWaiting) -> dict[str, Job]:
    """Four files by name. The first two have no summary, the last is decided."""
    summary, decided = "x" * 90, {"kind": "law", "title": "Decided"}
    jobs = [
        make_waiting(filename="b.txt", title="Beehives", published_at="2024-01-02", identifier="ע״א 7/20"),
        make_waiting(filename="a.txt", title="", kind="circular", published_at=""),
        make_waiting(filename="C.txt", title="Apiaries", summary=summary, published_at="2020-01-01"),
        make_waiting(filename="d.txt", title="Zoos", status=JobStatus.DONE),
    ]
    Job.objects.filter(filename="d.txt").update(confirmed=decided)
    return {job.filename: job for job in jobs}


def shown(client: Client, batch_id: UUID, **query: str) -> list[str]:
    """The names of the files, in their order."""
    page = client.get(reverse("review-batch", args=[batch_id]), query).content.decode()
    at = {job.filename: page.find(f'id="job-{job.pk}"') for job in Job.objects.all()}
    return sorted((name for name, place in at.items() if place >= 0), key=lambda name: at[name])


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["b.txt", "a.txt", "C.txt", "d.txt"]),
        ({"q": "BEEH"}, ["b.txt"]),
        ({"q": 'ע"א 7'}, ["b.txt"]),
        ({"q": "decided"}, ["d.txt"]),
        ({"q": "zoos"}, []),
        ({"q": ".txt", "warning": "no_summary"}, ["b.txt", "a.txt"]),
        ({"kind": "circular"}, ["a.txt"]),
        ({"kind": "nonsense"}, []),
        ({"status": "done"}, ["d.txt"]),
        ({"sort": "file"}, ["a.txt", "b.txt", "C.txt", "d.txt"]),
        ({"sort": "-file"}, ["d.txt", "C.txt", "b.txt", "a.txt"]),
        ({"sort": "title"}, ["C.txt", "b.txt", "d.txt", "a.txt"]),
        ({"sort": "-title"}, ["d.txt", "b.txt", "C.txt", "a.txt"]),
        ({"sort": "date"}, ["C.txt", "b.txt", "a.txt", "d.txt"]),
        ({"sort": "kind"}, ["a.txt", "b.txt", "C.txt", "d.txt"]),
        ({"sort": "-warnings"}, ["a.txt", "b.txt", "C.txt", "d.txt"]),
        ({"sort": "-status"}, ["d.txt", "b.txt", "a.txt", "C.txt"]),
        ({"sort": "nonsense"}, ["b.txt", "a.txt", "C.txt", "d.txt"]),
    ],
)
def test_filters_and_columns(
    staff_client: Client, files: dict[str, Job], batch_id: UUID, query: dict[str, str], names: list[str]
) -> None:
    assert shown(staff_client, batch_id, **query) == names


def test_a_review_goes_on_inside_its_filter_and_ends_with_it(
    staff_client: Client, files: dict[str, Job], batch_id: UUID
) -> None:
    query = "?q=.txt&warning=no_summary&sort=title"

    def at(name: str) -> str:
        return reverse("review-job", args=[batch_id, files[name].pk]) + query

    start = reverse("review-start", args=[batch_id])
    assert staff_client.get(start + query).headers["Location"] == at("b.txt")
    page = staff_client.get(at("b.txt")).content.decode()
    assert "File 1 of 2" in page
    assert "<bdi>No summary</bdi>, <bdi>“.txt”</bdi>" in page
    assert at("a.txt").replace("&", "&amp;") in page
    sent: dict[str, Any] = {"kind": "law", "title": "Zebras", "do": "confirm"}
    answer = staff_client.post(at("b.txt"), sent)
    assert answer.headers["Location"] == at("a.txt")
    answer = staff_client.post(at("a.txt"), sent, follow=True)
    assert answer.redirect_chain == [(reverse("review-batch", args=[batch_id]) + query, 302)]
    page = answer.content.decode()
    assert "Nothing else that the filter finds awaits review. Other files of the batch do." in page
    assert "No file fits the filter." in page
    page = staff_client.get(at("d.txt")).content.decode()
    assert "File 1 of" not in page, "it is not one of those that the filter finds"


def test_actions_take_all_that_the_filter_finds_on_every_page(
    staff_client: Client,
    make_waiting: MakeWaiting,
    batch_id: UUID,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    job = make_waiting(filename="other.txt")
    rows = {"topic": job.topic, "kind": "law", "status": job.status, "ai_suggestions": job.ai_suggestions}
    Job.objects.bulk_create([Job(batch_id=batch_id, filename=f"{n}.pdf", **rows) for n in range(ROWS_A_PAGE + 5)])
    page = staff_client.get(reverse("review-batch", args=[batch_id]), {"q": ".pdf", "page": "2"}).content.decode()
    assert page.count('<tr id="job-') == 5
    assert f"Select all {ROWS_A_PAGE + 5}" in page
    act = reverse("review-act", args=[batch_id]) + "?q=.pdf"
    with django_assert_max_num_queries(20):
        asked = staff_client.post(act, {"action": "confirm", "found": "1"}).content.decode()
    assert f"Confirm {ROWS_A_PAGE + 5} files as proposed?" in asked
    (chosen,) = [line for line in asked.splitlines() if 'name="jobs"' in line]
    ids = chosen.partition('value="')[2].partition('"')[0]
    answer = staff_client.post(act, {"action": "kind", "kind": "circular", "jobs": ids})
    assert answer.headers["Location"].endswith("/?q=.pdf")
    assert Draft.objects.filter(kind="circular").count() == ROWS_A_PAGE + 5
    assert not Draft.objects.filter(job=job).exists()


def test_a_batch_has_a_name_which_is_found_and_changed(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    make_waiting()
    url = reverse("review-batch-name", args=[batch_id])
    assert staff_client.post(f"{url}?q=x", {"name": "  חוקי   <b>ספריות "}).headers["Location"].endswith("/?q=x")
    assert name_of(batch_id) == "חוקי <b>ספריות"
    for page in ("/review/?q=ספר", reverse("review-batch", args=[batch_id])):
        assert "<bdi>חוקי &lt;b&gt;ספריות</bdi>" in staff_client.get(page).content.decode()
    assert "No batch fits the filter." in staff_client.get("/review/", {"q": "%"}).content.decode()
    assert "at most 120" in staff_client.post(url, {"name": "x" * 121}, follow=True).content.decode()
    assert staff_client.post(reverse("review-batch-name", args=[uuid4()]), {"name": "x"}).status_code == 404
    name_batch(batch_id, "", topic_id=1, by="dana")
    assert name_of(batch_id) == ""
    entries = AuditEntry.objects.filter(action="batch.name").order_by("id").values_list("before__name", "after__name")
    assert list(entries) == [("", "חוקי <b>ספריות"), ("חוקי <b>ספריות", "")]
