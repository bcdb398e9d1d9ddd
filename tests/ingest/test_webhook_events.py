"""What webhooks are told of jobs and sources on their way."""

import json
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ingest.documents import edit
from ingest.documents.trash import throw_away
from ingest.intake.upload import Metadata
from ingest.job_states import AWAITING_REVIEW
from ingest.models import Job
from ingest.stages.run import run_job
from ingest.webhooks import editing
from ingest.webhooks.models import Delivery, Event
from sources.models import Source
from tests.factories import LAW, decision_of, upload_text
from tests.ingest.consolidation.acts import make, planned, ports, reform, stored

pytestmark = pytest.mark.django_db(transaction=True)


def told() -> list[tuple[str, dict[str, Any]]]:
    """The events so far with what they carry, and forgets them."""
    found = [(one.event, json.loads(one.body)["data"]) for one in Delivery.objects.order_by("pk")]
    Delivery.objects.all().delete()
    return found


def test_webhooks_are_told_of_jobs_and_sources(tmp_path: Path) -> None:
    editing.create(topic=None, values={"url": "https://example.org/", "events": Event.values}, by="test")
    job = upload_text(tmp_path)
    assert told() == []
    run_job(job.pk)
    source = Source.objects.get()
    card = {
        "id": source.pk,
        "topic_id": 1,
        "kind": "law",
        "title": source.title,
        "identifier": "",
        "published_at": None,
        "work_id": source.work_id,
        "origin": "uploaded",
        "valid_from": None,
        "valid_to": None,
    }
    assert told() == [("source.published", {"source": card})]
    other = upload_text(tmp_path, LAW.replace("חמישה", "שישה"), metadata=Metadata(title="חוק אחר"))
    Job.objects.filter(pk=other.pk).update(confirmed={**decision_of(other), "replaces": source.pk})
    run_job(other.pk)
    assert told() == [("source.replaced", {"source": {**card, "title": "חוק אחר"}})]
    edit.edit(source.pk, {"title": "חוק שבוטל"}, by="dana")
    assert told() == []
    edit.edit(source.pk, {"valid_to": date(2030, 1, 1), "title": "חוק אחר"}, by="dana")
    card["valid_to"] = "2030-01-01"
    assert told() == [("source.days_changed", {"source": {**card, "title": "חוק אחר"}})]
    edit.delete(source.pk, by="dana")
    assert told() == [("source.deleted", {"source": {**card, "title": "חוק אחר"}})]
    batch = uuid4()
    waiting = upload_text(tmp_path, "Another law.\n", filename="other.txt", batch_id=batch, metadata=None)
    run_job(waiting.pk)
    assert Job.objects.get(pk=waiting.pk).state == AWAITING_REVIEW
    names = {"id": str(waiting.pk), "batch_id": str(batch), "topic_id": 1, "kind": "law", "filename": "other.txt"}
    assert told() == [("job.awaiting_review", {"job": names})]


def test_a_version_that_is_made_of_an_amending_act_says_so(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    editing.create(topic=None, values={"url": "https://example.org/", "events": Event.values}, by="test")
    made = stored(make(amending, planned(amending, act)))
    [(event, data)] = told()
    assert (event, data["source"]["id"], data["source"]["origin"]) == ("source.published", made.pk, "consolidated")
    throw_away(made.pk, by="dana")
    [(event, data)] = told()
    assert (event, data["source"]["id"], data["source"]["origin"]) == ("source.deleted", made.pk, "consolidated")
