"""How good the proposals were, week by week, on the page of insights."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from ingest.models import JobEvent
from tests.factories import make_job, make_staff, make_topic
from tests.pages import page
from topics.models import Topic

pytestmark = pytest.mark.django_db


def confirmed(topic: Topic, why: str, *, weeks_ago: int = 0) -> None:
    at = datetime.now(UTC) - timedelta(weeks=weeks_ago)
    JobEvent.objects.create(job=make_job(topic=topic), at=at, to_state="embedding", by="dana", why=why)


def test_files_confirmed_as_proposed_count_by_week_and_topic(client: Client) -> None:
    client.force_login(make_staff("dana"))
    rent, waste = make_topic(name="Rent"), make_topic(name="Waste")
    assert "Proposals for files" not in page(client, "/insights/")
    confirmed(rent, "confirmed; as proposed")
    confirmed(rent, "confirmed; as proposed; replaces source_id 4")
    confirmed(rent, "confirmed; changed: title, labels")
    confirmed(rent, "confirmed")  # there was no proposal
    confirmed(waste, "confirmed; changed: kind", weeks_ago=1)
    confirmed(waste, "confirmed; as proposed", weeks_ago=30)
    text = page(client, "/insights/")
    assert text.index("<bdi>2 (67%)</bdi>") < text.index("<bdi>0 (0%)</bdi>")
    assert "100%" not in text
    assert 'class="s2"' in text
    assert "67%" not in page(client, "/insights/", topic=str(waste.pk))
