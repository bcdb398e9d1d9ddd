"""The feed of a person: at an address of their own, that can be renewed, of what they see."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from keeping.models import Watcher
from keeping.watches.notifications.links import feed_path
from tests.factories import first_topic, make_topic
from tests.keeping.watches.watchers import person, watch, work
from tests.search.corpus import add_document
from topics.models import OpenTo

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def titles(answer: Any) -> list[str]:
    return [str(one.findtext(f"{ATOM}title")) for one in ET.fromstring(answer.content).iter(f"{ATOM}entry")]


def publish(title: str = "Quiet Rules", **fields: Any) -> None:
    add_document("1. Quiet\nReaders are quiet.", title=title, kind="regulation", **fields)
    work()


def path_of(who: User) -> str:
    return feed_path(Watcher.objects.get(person=who))


def test_news_are_read_without_signing_in() -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk, language="he")
    publish()
    answer = Client().get(path_of(noa))
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert titles(answer) == ["Quiet Rules: מסמך חדש"]
    assert Client().get(path_of(noa), headers={"if-none-match": answer["ETag"]}).status_code == 304
    publish("More Rules")
    assert len(titles(Client().get(path_of(noa), headers={"if-none-match": answer["ETag"]}))) == 2


def test_what_several_watches_tell_of_is_one_entry() -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk)
    watch(noa, query="quiet readers")
    publish()
    [entry] = ET.fromstring(Client().get(path_of(noa)).content).iter(f"{ATOM}entry")
    said = f"{entry.findtext(f'{ATOM}title')} {entry.findtext(f'{ATOM}summary')}"
    assert "Quiet Rules" in said
    assert "quiet readers" in said


def test_a_renewed_address_is_the_only_one() -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk)
    before = path_of(noa)
    client = Client()
    client.force_login(noa)
    page = client.get(reverse("watches")).content.decode()
    assert re.search(r'href="(http[^"]+/watches/feed/[^"]+)"', page)[1].endswith(before)  # type: ignore[index]
    assert client.post(reverse("watches-renew")).status_code == 302
    assert path_of(noa) != before
    assert (Client().get(before).status_code, Client().get(path_of(noa)).status_code) == (404, 200)
    for wrong in (before.replace("feed/", "feed/1"), "/watches/feed/x/", "/watches/feed/%00/"):
        assert Client().get(wrong).status_code == 404


def test_a_feed_tells_what_its_person_sees_and_ends_with_them() -> None:
    noa, topic = person(), make_topic(name="Sealed")
    watch(noa, topic_id=topic.pk)
    publish("Sealed Rules", topic=topic)
    assert titles(Client().get(path_of(noa))) == ["Sealed Rules: New document"]
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    answer = Client().get(path_of(noa))
    assert titles(answer) == []
    assert b"Sealed" not in answer.content
    noa.is_active = False
    noa.save()
    assert Client().get(path_of(noa)).status_code == 404
