"""What is deleted on a screen is gone from search at once, and comes back whole."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from ingest.decide.commit import commit
from ingest.decide.reopen import reopen
from ingest.decisions import Decision, LabelChoice
from ingest.documents import trash
from ingest.documents.reindex import reindex
from ingest.models import Job
from ingest.stages.run import run_job
from ingest.webhooks import editing as webhooks
from ingest.webhooks.models import Delivery
from kb_project.errors import NotFound
from kb_project.models import AuditEntry
from sources.models import Source, TrashedSource
from tests.factories import LAW, make_source, make_topic, upload_text
from tests.search.citing import search
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = ["source.deleted", "source.published"]
ASKED = "ספרייה מושאלים ספרים"


def indexed(directory: Path, text: str = LAW, **decided: Any) -> Source:
    """A source of a batch, confirmed with labels."""
    job = upload_text(directory, text, metadata=None, batch_id=uuid4())
    run_job(job.pk)
    decision = Decision(kind="law", title="Libraries", labels=(LabelChoice(name="Books"),), **decided)
    commit(job.pk, decision, by="dana", allow_duplicate=False)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.source is not None
    return job.source


def shown(source_id: int) -> dict[str, Any]:
    answer: dict[str, Any] = client_with_key(admin=True).get(f"/admin/kb/sources/{source_id}").json()
    return answer


def test_it_is_gone_at_once_and_comes_back_whole(tmp_path: Path) -> None:
    source = indexed(tmp_path, aliases=("Libraries Act",), summary="Two\nlines")
    before = shown(source.pk)
    trash.throw_away(source.pk, by="rina")
    assert not search(ASKED).hits
    assert not Source.objects.exists()
    assert default_storage.exists(source.file_key)
    job = trash.restore(source.pk, by="rina")
    run_job(job.pk)
    assert {hit.source.id for hit in search(ASKED).hits} == {source.pk}
    after = shown(source.pk)
    assert after == before
    assert after["deleted_at"] is None
    assert not TrashedSource.objects.exists()
    told = AuditEntry.objects.filter(object_type="source", object_id=str(source.pk)).order_by("id")
    assert [(one.action, one.by) for one in told][-2:] == [("source.delete", "rina"), ("source.restore", "rina")]
    assert Job.objects.filter(source_id=source.pk, reindex=False).count() == 1


def test_same_bytes_may_come_in_meanwhile_and_then_both_stay(tmp_path: Path) -> None:
    source = indexed(tmp_path)
    trash.throw_away(source.pk, by="rina")
    other = indexed(tmp_path)
    run_job(trash.restore(source.pk, by="rina").pk)
    assert set(Source.objects.values_list("pk", flat=True)) == {source.pk, other.pk}
    assert {hit.source.id for hit in search(ASKED).hits} <= {source.pk, other.pk}


def test_it_is_a_version_of_its_work_again_if_its_days_are_free(tmp_path: Path, staff_client: Client) -> None:
    first = make_source(title="Old", valid_from="2020-01-01", valid_to="2024-01-01")
    source = indexed(tmp_path)
    Source.objects.filter(pk=source.pk).update(work=first.work, valid_from="2024-01-01")
    trash.throw_away(source.pk, by="rina")
    trash.restore(source.pk, by="rina")
    assert Source.objects.get(pk=source.pk).work_id == first.work_id
    trash.throw_away(source.pk, by="rina")
    Source.objects.filter(pk=first.pk).update(valid_to="2024-01-01")
    make_source(title="New", work=first.work, valid_from="2024-01-01")
    told = staff_client.post(reverse("library-restore", args=[source.pk]), follow=True).content.decode()
    assert "it stands by itself" in told
    assert Source.objects.get(pk=source.pk).work_id != first.work_id


def test_versions_that_all_come_back_are_one_work_again(tmp_path: Path) -> None:
    first = make_source(title="Old", valid_from="2020-01-01", valid_to="2024-01-01")
    second = make_source(title="New", valid_from="2024-01-01", work=first.work)
    for source in (first, second):
        trash.throw_away(source.pk, by="rina")
    for source in (first, second):
        trash.restore(source.pk, by="rina")
    assert Source.objects.values("work").distinct().count() == 1


def test_a_version_finds_its_work_whichever_others_are_left() -> None:
    first = make_source(title="Old", valid_from="2020-01-01", valid_to="2022-01-01")
    second = make_source(title="New", valid_from="2022-01-01", valid_to="2024-01-01", work=first.work)
    third = make_source(title="Newest", valid_from="2024-01-01", work=first.work)
    trash.throw_away(second.pk, by="rina")
    trash.throw_away(first.pk, by="rina")
    trash.restore(second.pk, by="rina")
    assert Source.objects.get(pk=second.pk).work_id == third.work_id


def test_a_job_that_ended_with_the_source_does_not_get_its_file(tmp_path: Path) -> None:
    """Discarding it would delete the file of the source."""
    source = indexed(tmp_path)
    job = Job.objects.get(reindex=False)
    reopen(job.pk, by="dana")
    trash.throw_away(source.pk, by="rina")
    trash.restore(source.pk, by="rina")
    job.refresh_from_db()
    assert (job.error_code, job.file_key, job.source) == ("source_deleted", "", None)


def test_what_was_thrown_away_before_a_column_came_has_its_default(tmp_path: Path) -> None:
    source = indexed(tmp_path)
    trash.throw_away(source.pk, by="rina")
    trashed = TrashedSource.objects.get()
    trashed.row = {name: value for name, value in trashed.row.items() if name not in ("lost", "aliases")}
    trashed.save()
    trash.restore(source.pk, by="rina")
    source.refresh_from_db()
    assert (source.lost, source.aliases) == ([], [])


def test_it_is_announced_once_it_can_be_searched(tmp_path: Path) -> None:
    source = indexed(tmp_path)
    webhooks.create(topic=None, values={"url": "https://example.org/hook", "events": EVENTS}, by="dana")
    trash.throw_away(source.pk, by="rina")
    job = trash.restore(source.pk, by="rina")
    assert announced() == ["source.deleted"]
    run_job(job.pk)
    run_job(reindex(source.pk, by="rina").pk)
    assert announced() == ["source.deleted", "source.published"]


def announced() -> list[str]:
    return list(Delivery.objects.order_by("id").values_list("event", flat=True))


def test_what_is_let_go_of_takes_its_file_with_it(tmp_path: Path) -> None:
    source = indexed(tmp_path)
    trash.throw_away(source.pk, by="rina")
    trash.destroy(source.pk, by="rina")
    assert not default_storage.exists(source.file_key)
    for verb in (trash.restore, trash.destroy):
        with pytest.raises(NotFound):
            verb(source.pk, by="rina")


def test_after_its_days_it_is_gone(tmp_path: Path, settings: Any) -> None:
    source = indexed(tmp_path)
    trash.throw_away(source.pk, by="rina")
    assert trash.empty() == 0
    TrashedSource.objects.update(deleted_at=F("deleted_at") - timedelta(days=settings.KB_TRASH_DAYS, seconds=1))
    assert trash.empty() == 1
    assert AuditEntry.objects.filter(action="source.destroy", object_id=str(source.pk)).count() == 1
    assert not default_storage.exists(source.file_key)


def test_without_a_trash_deleting_is_final(tmp_path: Path, settings: Any) -> None:
    settings.KB_TRASH_DAYS = 0
    source = indexed(tmp_path)
    trash.throw_away(source.pk, by="rina")
    assert not TrashedSource.objects.exists()
    assert not default_storage.exists(source.file_key)


def test_the_screens_delete_into_it_and_put_back(tmp_path: Path, staff_client: Client) -> None:
    source = indexed(tmp_path)
    address = reverse("library-source", args=[source.pk])
    assert (
        "For 30 days it can be put back"
        in staff_client.get(reverse("library-source-delete", args=[source.pk])).content.decode()
    )
    assert staff_client.post(reverse("library-source-delete", args=[source.pk])).status_code == 302
    assert "Libraries" in staff_client.get(reverse("library-trash")).content.decode()
    gone = staff_client.get(address)
    assert gone.status_code == 404
    assert reverse("library-restore", args=[source.pk]) in gone.content.decode()
    put_back = staff_client.post(reverse("library-restore", args=[source.pk]), follow=True)
    assert (put_back.redirect_chain, "by itself" in put_back.content.decode()) == ([(address, 302)], False)
    assert staff_client.post(reverse("library-restore", args=[source.pk])).status_code == 302
    trash.throw_away(source.pk, by="rina")
    assert "cannot be brought back" in staff_client.get(reverse("library-let-go", args=[source.pk])).content.decode()
    assert staff_client.post(reverse("library-let-go", args=[source.pk])).status_code == 302
    assert "The trash is empty." in staff_client.get(reverse("library-trash")).content.decode()


def test_the_api_lists_puts_back_and_deletes_for_good(tmp_path: Path) -> None:
    source = indexed(tmp_path)
    client, elsewhere = client_with_key(admin=True), client_with_key(admin=True, topic=make_topic())
    trash.throw_away(source.pk, by="rina")
    [listed] = client.get("/admin/kb/sources?deleted=true").json()["results"]
    assert (listed["id"], listed["title"], [label["name"] for label in listed["labels"]]) == (
        source.pk,
        "Libraries",
        ["Books"],
    )
    assert listed["deleted_at"]
    assert client.get("/admin/kb/sources").json()["results"] == []
    assert elsewhere.get("/admin/kb/sources?deleted=true").json()["results"] == []
    assert elsewhere.post(f"/admin/kb/sources/{source.pk}/restore").status_code == 404
    assert client.post(f"/admin/kb/sources/{source.pk}/restore").status_code == 202
    assert client.post(f"/admin/kb/sources/{source.pk}/restore").status_code == 404
    assert client.delete(f"/admin/kb/sources/{source.pk}").status_code == 204  # final
    assert client.get("/admin/kb/sources?deleted=true").json()["results"] == []
    other = indexed(tmp_path)
    trash.throw_away(other.pk, by="rina")
    assert client.delete(f"/admin/kb/sources/{other.pk}").status_code == 204
    assert not TrashedSource.objects.exists()


def test_the_api_lists_many_in_as_many_queries_as_one() -> None:
    client = client_with_key(admin=True)

    def queries(*, expected: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            listed = client.get("/admin/kb/sources?deleted=true").json()["results"]
        assert len(listed) == expected
        return len(captured)

    trash.throw_away(make_source().pk, by="rina")
    few = queries(expected=1)
    for _ in range(5):
        trash.throw_away(make_source().pk, by="rina")
    assert queries(expected=6) <= few
