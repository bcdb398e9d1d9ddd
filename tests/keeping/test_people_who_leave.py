"""What becomes of what somebody keeps when their account is deactivated, and when it is deleted for good."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from keeping.matters.becoming import mark_looked
from keeping.matters.items import put_in
from keeping.models import (
    Channel,
    Highlight,
    Note,
    Notebook,
    NotebookLook,
    NotebookReader,
    NotebookWatch,
    NoteCitation,
    NoteEvent,
    Watch,
    Watcher,
    WatchEvent,
    WatchWebhook,
)
from keeping.notebooks import editing as notebooks
from keeping.people import owner_of
from keeping.watches.notifications.links import feed_path
from keeping.watches.webhook import editing as webhook
from sources.models import Source
from tests.factories import first_topic
from tests.integrity import all_found
from tests.keeping.notebooks.notes import gardens_act, kept, look, notebook
from tests.keeping.notebooks.test_looking import amend
from tests.keeping.watches.watchers import person, watch, work
from topics.keys import make_personal_key
from topics.models import ApiKey

pytestmark = pytest.mark.django_db
OF_PEOPLE = (
    *(Notebook, NotebookReader, NotebookWatch, NotebookLook, Note, NoteCitation, NoteEvent),
    *(Watcher, Watch, WatchWebhook, Highlight),
)
HOOK = "https://example.org/hook"


@dataclass
class House:
    """Noa shares notebooks with Dan and with whoever sees a topic, and watches, marks, and reads Dan's notebook."""

    noa: User
    dan: User
    act: Source
    private: Notebook
    to_dan: Notebook
    to_topic: Notebook
    of_dan: Notebook
    key: str


@pytest.fixture
def house(settings: Any) -> House:
    settings.EMAIL_URL = "memorymail://"
    noa, dan, act = person(), person("dan"), gardens_act()
    private, to_dan, to_topic = (notebook(noa, name) for name in ("Private", "For Dan", "For all"))
    of_dan = notebook(dan, "Dan's")
    notebooks.share(to_dan, topic=None, usernames=["dan"])
    notebooks.share(to_topic, topic=first_topic(), usernames=[])
    notebooks.share(of_dan, topic=None, usernames=["noa"])
    for book in (private, to_dan, to_topic, of_dan):
        kept(book, act, "sec_3", "between six and nine")
    for who in (noa, dan):
        for book in (to_dan, of_dan):
            watch(who, notebook_id=book.pk)
        watch(who, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
        watch(who, query="allotment gardens")
        put_in(private if who == noa else of_dan, Watch.objects.get(watcher=who.pk, kind="search"))
        mark_looked(of_dan, owner_of(who), upto=0, upto_news=0)
        webhook.give(Watcher.objects.get(person=who), HOOK)
        Highlight.objects.create(
            person=who, work_id=act.work_id, source=act, day=timezone.localdate(), start=0, exact="x"
        )
    amend(act)
    look()
    work()
    assert NoteEvent.objects.count() == 4
    assert WatchEvent.objects.filter(notebook=to_dan).exists()
    _key, plaintext = make_personal_key(noa, "program", with_rights=True, last_day=None)
    return House(noa, dan, act, private, to_dan, to_topic, of_dan, plaintext)


def session(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


def seen(client: APIClient) -> set[str]:
    return {one["name"] for one in client.get("/kb/notebooks").json()["results"]}


def status(client: APIClient, book: Notebook) -> int:
    return int(client.get(f"/kb/notebooks/{book.pk}").status_code)


def test_who_is_deactivated_leaves_what_they_shared(house: House) -> None:
    feed = feed_path(Watcher.objects.get(person=house.noa))
    held = {model: model._default_manager.count() for model in OF_PEOPLE}
    User.objects.filter(pk=house.noa.pk).update(is_active=False)
    theirs, client = APIClient(headers={"authorization": f"Api-Key {house.key}"}), session(house.dan)
    assert theirs.get("/kb/notebooks").status_code == 401
    assert APIClient().get(feed).status_code == 404
    assert seen(client) == {"For Dan", "For all", "Dan's"}
    assert [status(client, book) for book in (house.to_dan, house.private)] == [200, 404]
    assert client.patch(f"/kb/notebooks/{house.to_dan.pk}", {"name": "Mine"}, format="json").status_code == 404
    assert len(client.get("/kb/watches").json()["results"]) == 4
    assert client.get(f"/kb/highlights?source_id={house.act.pk}").json()["results"] != []
    assert {model: model._default_manager.count() for model in OF_PEOPLE} == held


def test_who_is_deleted_takes_everything_along(house: House) -> None:
    feed, noa = feed_path(Watcher.objects.get(person=house.noa)), house.noa.pk
    User.objects.get(pk=noa).delete()
    connection.check_constraints()
    assert [one.name for one in Notebook.objects.all()] == ["Dan's"]
    assert not NotebookReader.objects.exists()
    assert [one.notebook_id for one in NotebookWatch.objects.all()] == [house.of_dan.pk]
    assert [one.person_id for one in NotebookLook.objects.all()] == [house.dan.pk]
    assert set(Note.objects.values_list("notebook", flat=True)) == {house.of_dan.pk}
    assert NoteCitation.objects.count() == NoteEvent.objects.count() == 1
    assert list(Watcher.objects.values_list("pk", flat=True)) == [house.dan.pk]
    assert sorted(Watch.objects.values_list("kind", flat=True)) == ["notebook", "search", "topic"]
    assert not WatchEvent.objects.filter(notebook__isnull=False).exclude(notebook=house.of_dan.pk).exists()
    assert list(WatchWebhook.objects.values_list("watcher", flat=True)) == [house.dan.pk]
    assert list(Highlight.objects.values_list("person", flat=True)) == [house.dan.pk]
    assert not ApiKey.objects.filter(personal=True).exists()
    client = session(house.dan)
    assert seen(client) == {"Dan's"}
    assert client.get(f"/kb/notebooks/{house.of_dan.pk}").json()["shared_with"] == []
    assert [status(client, book) for book in (house.to_dan, house.to_topic)] == [404, 404]
    assert client.get("/watches/").status_code == 200
    assert APIClient().get(feed).status_code == 404
    work()  # what was noted of what is gone does no harm
    look()
    assert all_found() == {}
