"""`/watches/`, the bell and the *Watch* button."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from keeping.models import Channel, Notebook, Watch
from labels import naming
from tests.factories import first_topic
from tests.keeping.watches.watchers import person, rules, watch

pytestmark = pytest.mark.django_db
BELL = re.compile(r'href="/watches/" title=.*?</a>', re.DOTALL)


@pytest.fixture
def noa() -> User:
    return person()


@pytest.fixture
def client(noa: User) -> Client:
    client = Client()
    client.force_login(noa)
    return client


def page(client: Client, path: str = "/watches/") -> str:
    return client.get(path, follow=True).content.decode()


def bell(client: Client, path: str = "/documents/") -> str:
    found = BELL.search(page(client, path))
    return re.sub(r"<[^>]*>|[^>]*>", "", found[0], count=1) if found else ""


def test_the_bell_counts_what_is_new_until_it_is_read(client: Client, noa: User) -> None:
    assert 'class="waiting"' not in bell(client)
    watch(noa, topic_id=first_topic().pk)
    watch(noa, query="quiet readers")
    for number in range(3):
        rules(f"Rules {number}")
    assert '<bdi class="waiting">3</bdi>' in bell(client)  # each once, though two watches tell of it
    shown = page(client)
    upto = re.search(r'name="upto" value="(\d+)"', shown)
    assert shown.count("Rules 1") == 2
    rules("Later Rules")
    client.post(reverse("watches-read"), {"upto": upto[1]})  # type: ignore[index]
    assert '<bdi class="waiting">1</bdi>' in bell(client)  # what came since was not seen
    client.post(reverse("watches-read"), {"upto": "9" * 18})
    assert 'class="waiting"' not in bell(client)
    rules("Last Rules")
    assert '<bdi class="waiting">1</bdi>' in bell(client)


def test_the_bell_is_of_who_is_signed_in(client: Client, noa: User) -> None:
    watch(noa, topic_id=first_topic().pk)
    rules()
    assert BELL.search(page(Client(), "/documents/")) is None
    dan = Client()
    dan.force_login(person("dan"))
    assert 'class="waiting"' not in bell(dan)
    assert page(dan).count("Quiet Rules") == 0


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_button_watches_what_its_page_is_of(client: Client, noa: User, language: str) -> None:
    client.cookies["django_language"] = language
    source = rules()
    [label, _made] = naming.get_or_create_within([first_topic().pk], "Light", by="test")
    notebook = Notebook.objects.create(owner=noa, name="Loans")
    said = {"en": ("Watch", "You watch this"), "he": ("מעקב", "במעקב שלכם")}[language]
    for path, kind in (
        (f"/documents/{source.pk}/", "work"),
        (f"/changes/?topic={first_topic().pk}", "topic"),
        (f"/documents/?label={label.slug}", "label"),
        ("/?q=quiet+readers&kind=regulation", "search"),
        ("/?q=nothing+of+this&kind=law", "search"),
        (f"/notebooks/{notebook.pk}/", "notebook"),
    ):
        form = re.search(r'<form method="post" action="/watches/add/">(.*?)</form>', page(client, path), re.DOTALL)
        assert form, path
        assert f"<button>{said[0]}</button>" in form[1]
        given = dict(re.findall(r'name="([a-z_]+)" value="([^"]*)"', form[1].replace("&amp;", "&")))
        assert client.post("/watches/add/", given).headers["Location"] == path
        assert Watch.objects.latest("pk").kind == kind
        assert said[1] in page(client, path)
    assert Watch.objects.count() == 6
    assert page(client).count('<li class="hit"') == 6


def test_a_provision_is_watched_from_the_page_that_has_it(client: Client) -> None:
    source = rules()
    assert 'name="eid"' in page(client, f"/documents/{source.pk}/")
    given = {"work_id": source.work_id, "eid": "sec_1", "next": f"/documents/{source.pk}/"}
    client.post("/watches/add/", given)
    assert "rule 1 · Quiet Rules" in page(client)
    client.post("/watches/add/", {**given, "eid": "sec_77"})
    assert Watch.objects.count() == 1


def test_there_is_no_button_without_signing_in() -> None:
    source = rules()
    assert "/watches/add/" not in page(Client(), f"/documents/{source.pk}/")
    for path in ("/watches/", "/watches/add/", "/watches/read/", "/watches/1/end/", "/watches/feed/renew/"):
        answer = Client().get(path) if path == "/watches/" else Client().post(path)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/sign-in/")


def test_mail_is_offered_where_some_can_be_sent(client: Client, noa: User, settings: Any) -> None:
    mine = watch(noa, topic_id=first_topic().pk)
    assert "This service sends no mail" in page(client)
    assert client.post(f"/watches/{mine.pk}/change/", {"how": "mail_now"}).status_code == 400
    settings.EMAIL_URL = "memorymail://"
    assert 'value="mail_weekly"' in page(client)
    client.post(f"/watches/{mine.pk}/change/", {"how": "mail_weekly"})
    assert Watch.objects.get().how == Channel.MAIL_WEEKLY
    noa.email = ""
    noa.save()
    assert "your account needs an e-mail address" in page(client)


def test_a_watch_is_ended_by_its_person_alone(client: Client, noa: User) -> None:
    mine = watch(noa, topic_id=first_topic().pk)
    dan = Client()
    dan.force_login(person("dan"))
    assert dan.post(f"/watches/{mine.pk}/end/").status_code == 404
    assert dan.post(f"/watches/{mine.pk}/change/", {"how": "page"}).status_code == 404
    client.post(f"/watches/{mine.pk}/end/")
    assert not Watch.objects.exists()
    assert "You watch nothing yet." in page(client)


def test_what_a_form_names_wrongly_is_said(client: Client) -> None:
    source = rules()
    for given in (
        {},
        {"topic_id": "x"},
        {"topic_id": "9" * 30},
        {"work_id": "999999"},
        {"search": "?kind=poem&q=x"},
        {"search": "?q="},
        {"search": "&".join(["a=1"] * 2000)},
        {"work_id": str(source.work_id), "how": "pigeon"},
        {"work_id": str(source.work_id), "how": "mail_now"},
    ):
        answer = client.post("/watches/add/", given, follow=True)
        assert answer.status_code == 200
        assert "message error" in answer.content.decode(), given
    assert not Watch.objects.exists()


def test_the_page_asks_as_much_for_many_watches_as_for_few(client: Client, noa: User) -> None:
    counts = []
    for number in range(6):
        source = rules(f"Rules {number}")
        watch(noa, work_id=source.work_id)
        watch(noa, work_id=source.work_id, eid="sec_1")
        if number in (1, 5):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                page(client)
            counts.append(len(queries))
    assert counts[0] == counts[1]
