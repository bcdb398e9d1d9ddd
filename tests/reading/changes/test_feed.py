"""`/changes/feed/`: what changed, for programs that read Atom."""

from datetime import date, timedelta
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from django.test import Client
from django.utils import timezone

from labels import assign
from sources.changes.listing import feed_entries
from sources.models import Change, ChangeWork, Source
from tests.factories import make_label, make_topic
from tests.sources.changes.laws import NEW, act, citing, work
from topics.keys import issue_key

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
TODAY = timezone.localdate()


def feed(client: Client, *, status: int = 200, **query: Any) -> Element:
    response = client.get("/changes/feed/", query)
    assert response.status_code == status
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)


def texts(of: Element, *path: str) -> list[str]:
    return [one.text or "" for one in of.findall("/".join(f"{ATOM}{name}" for name in path))]


@pytest.fixture
def amendment() -> tuple[Any, Any]:
    """An act that was amended last week, and regulations that cite what was changed."""
    day = TODAY - timedelta(days=7)
    old = act(valid_from=date(2001, 1, 1), valid_to=day, title="A law of books & <reading>")
    new = act(NEW, valid_from=day, work_id=old.work_id, title="A law of books & <reading>")
    work()
    return old, new


def test_an_entry_says_what_changed_and_leads_there(client: Client, amendment: tuple[Any, Any]) -> None:
    old, new = amendment
    assign.add(new, [make_label("Reading")], by="test")
    found = feed(client)
    [entry] = found.findall(f"{ATOM}entry")  # the first version is of 2001, and no news
    change = Change.objects.get(source=new)
    assert texts(entry, "title")[0].startswith("A law of books & <reading>: New version, ")
    assert texts(entry, "id") == [f"urn:uuid:{change.pk}"]
    assert texts(entry, "updated") == texts(found, "updated") == [change.noted_at.isoformat()]
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.attrib["href"] == f"http://testserver/documents/{old.pk}/compare/{new.pk}/"
    assert {one.attrib["term"] for one in entry.findall(f"{ATOM}category")} == {"Law", "General", "Reading"}
    [summary] = texts(entry, "summary")
    assert "Changed: 1" in summary
    assert f'<a href="http://testserver/documents/{new.pk}/#sec_2"' in summary
    links = {one.attrib["rel"]: one.attrib["href"] for one in found.findall(f"{ATOM}link")}
    assert links == {
        "alternate": "http://testserver/changes/?",
        "self": "http://testserver/changes/feed/?language=en",
    }
    assert texts(found, "id") == [links["self"]]
    assert texts(found, "author", "name") == ["Legal knowledge base"]


def test_a_document_and_its_day_are_one_entry(client: Client, amendment: tuple[Any, Any]) -> None:
    """However often it is looked at, and before its day as on it."""
    old, new = amendment
    day = TODAY + timedelta(days=1)
    Source.objects.filter(pk=new.pk).update(valid_to=day)
    coming = act(NEW.replace("תשעה", "עשרה"), valid_from=day, work_id=old.work_id)
    work()
    entries = [texts(one, "id") for one in feed(client).findall(f"{ATOM}entry")]
    assert len(entries) == len({*map(str, entries)}) == 2
    ChangeWork.objects.create(work_id=old.work_id, source_id=coming.pk)
    work()
    assert [texts(one, "id") for one in feed(client).findall(f"{ATOM}entry")] == entries
    known, begun = (feed_entries(Change.objects.filter(source=coming), today=one).get() for one in (TODAY, day))
    assert (known.pk, begun.updated_at > known.updated_at) == (begun.pk, True)  # type: ignore[attr-defined]


def test_who_cites_is_told_with_addresses(client: Client) -> None:
    old = act(valid_from=date(2001, 1, 1), valid_to=TODAY)
    act(NEW, valid_from=TODAY, work_id=old.work_id)
    source = citing("2", title="תקנות")
    work()
    [entry] = feed(client).findall(f"{ATOM}entry")
    [summary] = texts(entry, "summary")
    assert "Cited by 1 document:" in summary
    assert f'href="http://testserver/documents/{source.pk}/#sec_1"' in summary


def test_it_speaks_the_language_it_was_asked_for(client: Client, amendment: tuple[Any, Any]) -> None:
    found = feed(client, language="he")
    assert found.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "he"
    assert "נוסח חדש" in texts(found, "entry", "title")[0]
    assert feed(client, language="xx").attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "en"


def test_filters_narrow_it_and_are_named(client: Client, amendment: tuple[Any, Any]) -> None:
    other = act(topic=make_topic(name="Waste"), valid_from=TODAY, title="Waste law")
    work()
    assert len(texts(feed(client), "entry", "id")) == 2
    found = feed(client, topic=other.topic_id)
    assert texts(found, "title") == ["What changed · Waste"]
    assert [title.partition(":")[0] for title in texts(found, "entry", "title")] == ["Waste law"]
    assert texts(feed(client, work=amendment[0].work_id), "title") == ["What changed · A law of books & <reading>"]


def test_the_same_feed_is_not_sent_again(client: Client, amendment: tuple[Any, Any]) -> None:
    first = client.get("/changes/feed/")
    again = client.get("/changes/feed/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    act(title="Another law", valid_from=TODAY)
    work()
    assert client.get("/changes/feed/", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_an_empty_feed_is_one_and_the_same_each_time(client: Client) -> None:
    assert texts(feed(client), "updated") == ["1970-01-01T00:00:00+00:00"]
    assert client.get("/changes/feed/").content == client.get("/changes/feed/").content


def test_it_is_bounded_the_newest_first(client: Client) -> None:
    for n in range(53):
        act(title=f"Law {n}", valid_from=TODAY - timedelta(days=1))
    act(title="Control \x0b characters", valid_from=TODAY + timedelta(days=5))
    work()
    Change.objects.filter(source__title="Law 3").update(noted_at=timezone.now() + timedelta(hours=1))
    titles = texts(feed(client), "entry", "title")
    assert len(titles) == 50
    assert titles[0].startswith("Law 3:")


def test_programs_read_it_with_key_and_of_the_keys_topic_alone(
    client: Client, amendment: tuple[Any, Any], settings: Any
) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    topic = make_topic(name="Waste")
    act(topic=topic, valid_from=TODAY, title="Waste law")
    assign.add(amendment[1], [make_label("Reading")], by="test")
    work()
    refused = client.get("/changes/feed/")
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, 'Api-Key realm="kb"')
    assert client.get("/changes/feed/", headers={"Authorization": "Api-Key wrong"}).status_code == 401
    _, key = issue_key(name="reader", topic=topic, by="test")
    client = Client(headers={"Authorization": f"Api-Key {key}"})
    assert [title.partition(":")[0] for title in texts(feed(client), "entry", "title")] == ["Waste law"]
    for hidden in ({"topic": 1}, {"label": "reading"}, {"work": amendment[0].work_id}):
        assert client.get("/changes/feed/", hidden).status_code == 400


def test_an_empty_feed_says_why(client: Client) -> None:
    act(valid_from=date(2001, 1, 1))
    work()
    said = "The feed is empty: it tells of no change that was over a year ago"
    assert said in client.get("/changes/feed/").content.decode()
    act(valid_from=TODAY)
    work()
    assert said not in client.get("/changes/feed/").content.decode()


def test_no_cache_gives_what_a_key_saw_to_others(client: Client) -> None:
    _, key = issue_key(name="reader", by="tests")
    for headers in ({}, {"authorization": f"Api-Key {key}"}):
        answer = client.get("/changes/feed/", headers=headers)
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))


@pytest.mark.usefixtures("amendment")
def test_links_name_this_service_and_no_port_that_somebody_asks_for(client: Client, settings: Any) -> None:
    host = {"HTTP_HOST": "testserver:4711"}
    assert client.get("/changes/feed/", **host).status_code == 400  # type: ignore[arg-type]
    settings.KB_PUBLIC_URL = "https://kb.acme.example"
    said = client.get("/changes/feed/", **host).content.decode()  # type: ignore[arg-type]
    assert "https://kb.acme.example/changes/" in said
    assert "testserver" not in said
