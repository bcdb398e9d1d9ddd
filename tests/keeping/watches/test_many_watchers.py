"""Digests for 500 people who watch 40 things each, after 200 changes: statements, time and memory."""

import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from keeping.models import Channel, EventType, Watch, Watcher, WatchEvent, WatchKind, WatchWork
from keeping.watches import background, saved_searches
from keeping.watches.newest import newest_id
from keeping.watches.notifications.mailing import Mails
from keeping.watches.targets import WatchTarget
from labels import assign
from sources.models import Change, Source
from tests.factories import make_label, make_source, make_topic
from tests.keeping.watches.watchers import SERVICE
from tests.search.corpus import add_document
from tests.smtp_server import smtp_server

pytestmark = [pytest.mark.django_db, pytest.mark.deep, pytest.mark.timeout(1_200)]
PEOPLE, CHANGES = 500, 200
OF_EACH = {WatchKind.WORK: 24, WatchKind.PROVISION: 8, WatchKind.LABEL: 4, WatchKind.TOPIC: 2, WatchKind.SEARCH: 2}
QUERIES_A_PERSON = 25


@contextmanager
def counted() -> Iterator[Callable[[], int]]:
    count = 0

    def note(execute: Any, *rest: Any) -> Any:
        nonlocal count
        count += 1
        return execute(*rest)

    with connection.execute_wrapper(note):
        yield lambda: count


def change(source: Source) -> None:
    """A version in place of the source, which is found to differ in section 2."""
    day = timezone.localdate()
    Source.objects.filter(pk=source.pk).update(valid_to=day)
    new = make_source(topic=source.topic, title=source.title, valid_from=day, work_id=source.work_id)
    row = {"change": "changed", "kind": "section", "number": "2", "label": "Fee", "before": "sec_2", "since": "sec_2"}
    Change.objects.create(source=new, ends=False, day=day, before=source, provisions=[row], counts={"changed": 1})


def test_each_of_many_people_gets_one_digest(settings: Any) -> None:
    chance = random.Random(1)
    topics = [make_topic(name=f"Topic {number}") for number in range(10)]
    begun = timezone.localdate() - timedelta(days=900)
    works = [
        make_source(topic=chance.choice(topics), title=f"Act {number}", valid_from=begun) for number in range(1000)
    ]
    labels = [make_label(f"Label {number}") for number in range(20)]
    for source in works[:200]:
        assign.add(source, [chance.choice(labels)], by="test")
    people = User.objects.bulk_create(
        User(username=f"p{number}", email=f"p{number}@acme.example") for number in range(PEOPLE)
    )
    Watcher.objects.bulk_create(
        Watcher(person=who, language=chance.choice(["en", "he"]), service=SERVICE, feed_nonce="x") for who in people
    )
    Watch.objects.bulk_create(
        Watch(watcher_id=who.pk, how=Channel.MAIL_DAILY, **target.columns())
        for who in people
        for target in targets(chance, works, topics, labels)
    )
    assert Watch.objects.count() == PEOPLE * sum(OF_EACH.values())
    WatchWork.objects.all().delete()
    for number in range(CHANGES):
        change(works[number])
        if number < 20:
            add_document(f"1. Light\nLantern number {number} is lit.", topic=topics[0], title=f"Lantern {number}")
    Watch.objects.update(read_id=newest_id(), mailed_id=newest_id())
    began = time.perf_counter()
    with counted() as queries:
        while background.work(longest_s=5.0):
            pass
    print(f"\nfound: {seconds(began)}, {queries()} statements, {by_what()}")
    WatchEvent.objects.update(at=Now() - timedelta(minutes=1))
    Watcher.objects.update(daily_at=Now() - timedelta(days=2))
    connection.cursor().execute("ANALYZE")
    with smtp_server() as server:
        settings.EMAIL_URL, settings.DEFAULT_FROM_EMAIL = server.url, "kb@acme.example"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
        with counted() as queries:
            assert Mails.send(turn_s=600.0) == PEOPLE
            asked = queries()
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"sent: {len(server.messages)} mails in {seconds(began)}, {asked} statements, {asked / PEOPLE:.1f} each")
        print(f"memory: {before // 1024} MB at most before, {after // 1024} MB after")
        assert Counter(message["To"] for message in server.messages) == {who.email: 1 for who in people}
        assert asked <= QUERIES_A_PERSON * PEOPLE
        assert Mails.send() == 0


def targets(chance: random.Random, works: list[Source], topics: list[Any], labels: list[Any]) -> Iterator[WatchTarget]:
    """What one person watches."""
    for source in chance.sample(works, OF_EACH[WatchKind.WORK]):
        yield WatchTarget(WatchKind.WORK, work_id=source.work_id)
    for source in chance.sample(works, OF_EACH[WatchKind.PROVISION]):
        yield WatchTarget(WatchKind.PROVISION, work_id=source.work_id, eid="sec_2")
    for label in chance.sample(labels, OF_EACH[WatchKind.LABEL]):
        yield WatchTarget(WatchKind.LABEL, label_slug=label.slug)
    for topic in chance.sample(topics, OF_EACH[WatchKind.TOPIC]):
        yield WatchTarget(WatchKind.TOPIC, topic_id=topic.pk)
    for number in chance.sample(range(20), OF_EACH[WatchKind.SEARCH]):
        yield WatchTarget(WatchKind.SEARCH, search=saved_searches.stored(query=f"lantern number {number}"))


def seconds(began: float) -> str:
    return f"{time.perf_counter() - began:.1f} s"


def by_what() -> dict[str, int]:
    found = Counter(WatchEvent.objects.exclude(what=EventType.LOOK).values_list("what", flat=True))
    return dict(found)
