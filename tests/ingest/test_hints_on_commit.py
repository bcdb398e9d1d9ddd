"""A hint leaves after its transaction: sent inside, it would tell a worker of what nobody else can see yet."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import redis
from django.db import transaction

from ingest.jobs import dispatch
from ingest.webhooks import editing, outbox
from ingest.webhooks.models import Delivery, Event
from tests.factories import first_topic, make_job

pytestmark = pytest.mark.django_db(transaction=True)
QUEUES = ("celery*", "classify*", "webhooks*")


class Undone(Exception):
    """Ends a transaction without a commit."""


@pytest.fixture
def hints(settings: Any) -> Iterator[Callable[[], int]]:
    """How many hints the broker has."""
    with redis.Redis.from_url(settings.REDIS_URL) as broker:

        def queues() -> list[bytes]:
            return [name for pattern in QUEUES for name in broker.scan_iter(pattern, _type="list")]

        for name in queues():
            broker.delete(name)
        yield lambda: sum(broker.llen(name) for name in queues())
        for name in queues():
            broker.delete(name)


@pytest.fixture
def delivery(hints: Callable[[], int]) -> Delivery:
    """One to the only webhook, behind the hint that is sent with it."""
    values = {"url": "https://example.org/hook", "events": [Event.SOURCE_PUBLISHED]}
    return editing.ping(editing.create(topic=None, values=values, by="test").pk)


def tell(delivery: Delivery) -> None:
    assert outbox.announce(Event.SOURCE_PUBLISHED, topic_id=first_topic().pk, data={}) == 1


def ping(delivery: Delivery) -> None:
    outbox.ping(delivery.webhook)


def put_back(delivery: Delivery) -> None:
    outbox.put_back(delivery)


def index(delivery: Delivery) -> None:
    dispatch.send_on_commit(make_job())


def classify(delivery: Delivery) -> None:
    dispatch.send_on_commit(make_job(confirmed=None))


def postpone(delivery: Delivery) -> None:
    make_job(confirmed=None)
    dispatch.postpone(make_job())


@pytest.mark.parametrize("change", [tell, ping, put_back, index, classify, postpone])
def test_a_hint_is_sent_when_its_change_is_committed_and_never_before(
    change: Callable[[Delivery], None], delivery: Delivery, hints: Callable[[], int]
) -> None:
    before = hints()
    with suppress(Undone), transaction.atomic():
        change(delivery)
        raise Undone
    assert hints() == before
    with transaction.atomic():
        change(delivery)
        assert hints() == before
    assert hints() == before + 1
