"""GET /admin/kb/stats: counts by topic, the queue, the index, the latest integrity run."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from ingest.job_states import AWAITING_REVIEW, DONE, FAILED
from kb_project.operations.integrity.run import CheckOutcome, record
from labels import assign
from search.embedders.spaces import active_space
from tests.factories import make_job, make_label, make_source, make_staff, make_topic
from tests.search.corpus import add_source
from tests.topics.keys import client_with_key
from topics.models import Topic

pytestmark = pytest.mark.django_db
PATH = "/admin/kb/stats"


@pytest.fixture
def client() -> APIClient:
    return client_with_key(admin=True)


@pytest.fixture
def water() -> Topic:
    """A topic with documents and jobs, beside the first one, which has some too."""
    water = make_topic(slug="water", name="Water")
    law = add_source("one", "two", topic=water, kind="law")
    add_source("three", topic=water, kind="tool")
    make_source(topic=water, kind="tool")
    add_source("four", "five", "six", kind="circular")
    assign.add(law, [make_label("a"), make_label("b")], by="test")
    assign.add(make_source(), [make_label("a")], by="test")
    for state in (AWAITING_REVIEW, AWAITING_REVIEW, FAILED, DONE):
        make_job(topic=water, status=state.status)
    for stage in ("embedding", "embedding", "classifying"):
        make_job(topic=water, status="processing", processing_stage=stage)
    make_job(topic=water)
    make_job()
    return water


def test_everything_is_counted_by_topic(client: APIClient, water: Topic) -> None:
    answer = client.get(PATH).json()
    first, second = answer["topics"]
    assert second == {
        "topic_id": water.pk,
        "slug": "water",
        "name": "Water",
        "sources": 3,
        "sources_by_kind": {"law": 1, "regulation": 0, "circular": 0, "caselaw": 0, "tool": 2},
        "chunks": 3,
        "labels": 2,
        "jobs": {
            "queued": 1,
            "processing": 3,
            "classifying": 1,
            "embedding": 2,
            "awaiting_review": 2,
            "done": 1,
            "failed": 1,
        },
    }
    assert (first["topic_id"], first["sources"], first["chunks"], first["labels"]) == (1, 2, 3, 1)
    totals = answer["totals"]
    assert (totals["sources"], totals["chunks"], totals["jobs"]["queued"], totals["jobs"]["processing"]) == (5, 6, 2, 3)
    assert totals["sources_by_kind"] == {"law": 2, "regulation": 0, "circular": 1, "caselaw": 0, "tool": 2}


def test_an_empty_installation_has_zeros_and_nulls(client: APIClient) -> None:
    answer = client.get(PATH).json()
    (topic,) = answer["topics"]
    assert (topic["sources"], topic["chunks"], set(topic["jobs"].values())) == (0, 0, {0})
    assert answer["queue"] == {
        "queued": 0,
        "oldest_queued_at": None,
        "oldest_queued_age_s": None,
        "awaiting_review": 0,
        "oldest_awaiting_review_at": None,
        "oldest_awaiting_review_age_s": None,
    }
    assert answer["integrity"] is None
    assert answer["index"]["embedding_space"] is None


def test_the_queue_has_its_length_and_its_oldest(client: APIClient) -> None:
    now = timezone.now()
    make_job(created_at=now - timedelta(hours=3))
    make_job(created_at=now - timedelta(hours=1))
    make_job(created_at=now - timedelta(days=2), status=AWAITING_REVIEW.status)
    make_job(created_at=now - timedelta(days=9), status=DONE.status)
    queue = client.get(PATH).json()["queue"]
    assert (queue["queued"], queue["awaiting_review"]) == (2, 1)
    assert datetime.fromisoformat(queue["oldest_queued_at"]) == now - timedelta(hours=3)
    assert queue["oldest_queued_age_s"] == pytest.approx(3 * 3600, abs=60)
    assert queue["oldest_awaiting_review_age_s"] == pytest.approx(2 * 86400, abs=60)


def test_the_index_has_its_size_and_its_space(client: APIClient) -> None:
    active_space()
    index = client.get(PATH).json()["index"]
    sizes = index["size_bytes"]
    assert sizes.pop("total") == sum(sizes.values())
    assert all(size > 0 for size in sizes.values())
    assert set(sizes) == {"chunks", "terms", "embeddings"}
    assert index["embedding_space"]["provider"] == "hashing"


def test_the_latest_integrity_run_is_told(client: APIClient) -> None:
    kept = record([CheckOutcome(name="a", found=2, remaining=2)], started_at=timezone.now(), by="beat")
    told = client.get(PATH).json()["integrity"]
    assert datetime.fromisoformat(told.pop("checked_at")) == kept.finished_at
    assert told == {"findings": 2, "failed": 0}


def test_one_topic_can_be_asked_for(client: APIClient, water: Topic) -> None:
    answer = client.get(PATH, {"topic_id": water.pk}).json()
    assert [topic["slug"] for topic in answer["topics"]] == ["water"]
    assert (answer["totals"]["sources"], answer["queue"]["queued"]) == (3, 1)
    assert answer["index"]["size_bytes"]["total"] > 0


def test_pinned_key_sees_its_topic_and_not_how_large_index_is(water: Topic) -> None:
    pinned = client_with_key(admin=True, topic=water)
    answer = pinned.get(PATH).json()
    assert [topic["topic_id"] for topic in answer["topics"]] == [water.pk]
    assert (answer["totals"]["jobs"]["queued"], answer["queue"]["queued"]) == (1, 1)
    assert answer["index"]["size_bytes"] is None
    assert pinned.get(PATH, {"topic_id": 1}).status_code == 403


def test_what_is_no_topic_and_no_parameter_is_refused(client: APIClient) -> None:
    assert client.get(PATH, {"topic_id": 999_999}).json()["code"] == "unknown_topic"
    assert client.get(PATH, {"topic_id": "x"}).json()["code"] == "invalid"
    assert client.get(PATH, {"kind": "law"}).json()["code"] == "unknown_parameter"
    assert client.post(PATH).status_code == 405


def test_it_is_for_staff_who_may_look_at_jobs(client: Client) -> None:
    assert APIClient().get(PATH).status_code == 401
    assert client_with_key().get(PATH).status_code == 403
    session = Client()
    session.force_login(make_staff("nobody", role=None))
    assert session.get(PATH).status_code == 403
    session.force_login(make_staff("dana"))
    assert session.get(PATH).status_code == 200


def test_the_number_of_queries_does_not_grow_with_the_topics(
    client: APIClient, water: Topic, django_assert_max_num_queries: Any
) -> None:
    for _ in range(10):
        add_source("text", topic=make_topic())
    with django_assert_max_num_queries(14):
        assert len(client.get(PATH).json()["topics"]) == 12
