"""People who watch, and what the background does for them."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.utils import timezone

from keeping.models import Channel, Watch, WatchEvent, WatchKind, WatchWork
from keeping.watches import background, saved_searches, watching
from keeping.watches.notifications.lines import Lines, NewsLine
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import VisibleTargets, WatchTarget
from sources import changes, references
from sources.models import Source
from tests.factories import make_topic
from tests.search.corpus import add_document
from topics.models import OpenTo, Topic, TopicMember, TopicRole

SERVICE = "https://kb.example/"


def work() -> None:
    """All that the background does of changes and of watches."""
    while changes.work() or references.run_pending() or background.work():
        pass
    assert not WatchWork.objects.exists()
    assert not background.is_work_left()


def person(name: str = "noa", **fields: Any) -> User:
    return User.objects.create_user(name, password="x", **{"email": f"{name}@acme.example", **fields})


def watch(who: User, *, how: Channel = Channel.PAGE, language: str = "en", **of: Any) -> Watch:
    """A watch of a topic, a work, a provision, a label or a search, by the columns of its target."""
    kinds = {"topic_id": WatchKind.TOPIC, "label_slug": WatchKind.LABEL, "notebook_id": WatchKind.NOTEBOOK}
    kinds |= {"table_id": WatchKind.TABLE}
    if "query" in of:
        target = WatchTarget(WatchKind.SEARCH, search=saved_searches.stored(**of))
    elif "work_id" in of:
        target = WatchTarget(WatchKind.PROVISION if "eid" in of else WatchKind.WORK, **of)
    else:
        [name] = of
        target = WatchTarget(kinds[name], **of)
    watcher = watching.note_watcher(who, language=language, service=SERVICE)
    return watching.begin(watcher, target, how)[0]


def lines(who: User, *, since: str = "read") -> list[NewsLine]:
    """What a person is told, the newest watch first."""
    visible = VisibleTargets(who)
    mine = {one.pk: one for one in watching.watches_of(who)}
    return Lines().say(news_of(visible, since=since, each=50), mine, visible=visible)


def told(who: User, *, since: str = "read") -> list[tuple[str, str]]:
    """Which documents a person is told of, and what of each."""
    return [(line.title, line.said) for line in lines(who, since=since)]


def join(who: User, topic_id: int) -> TopicMember:
    return TopicMember.objects.create(topic_id=topic_id, person=who, role=TopicRole.READER)


TODAY = timezone.localdate


def rules(title: str = "Quiet Rules", **fields: Any) -> Source:
    source = add_document("1. Quiet\nReaders are quiet.", title=title, kind="regulation", **fields)
    work()
    return source


def settled() -> None:
    """As if half a minute had passed since the last event."""
    WatchEvent.objects.update(at=Now() - timedelta(minutes=1))


def sealed() -> Topic:
    """A topic for its members alone."""
    topic = make_topic(name="Sealed")
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    return topic
