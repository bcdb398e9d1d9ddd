"""What the home page shows below its question."""

import re
from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_job, make_topic
from tests.pages import page
from tests.search.corpus import add_document
from tests.sources.changes.laws import amended, work

pytestmark = pytest.mark.django_db


def test_what_was_followed_since_is_no_news(client: Client) -> None:
    _, new = amended()
    work()
    text = page(client)
    changed = re.search(r'<section aria-labelledby="changed-title">.*?</section>', text, re.DOTALL)
    assert changed
    assert re.findall(r'class="t" href="/documents/(\d+)/"', changed[0]) == [str(new.pk)]


def test_topics_say_how_many_documents_are_in_force(client: Client) -> None:
    topic = make_topic(name="Waste")
    add_document("1. Bins\nA bin.", kind="law", title="Bins Act", topic=topic)
    add_document("1. Bags\nA bag.", kind="law", title="Bags Act", topic=topic, valid_to=date(2020, 1, 1))
    assert re.search(rf'topic={topic.pk}"><bdi>Waste</bdi></a> <p class="row">1 document<', page(client))


def test_examples_are_in_the_readers_language(client: Client) -> None:
    add_document("1. מטרה\nמטרת חוק זה.", kind="law", title="חוק הספריות")
    add_document("1. Bins\nA bin.", kind="law", title="Bins Act")
    for language, mine in (("he", "חוק הספריות"), ("en", "Bins Act")):
        client.cookies["django_language"] = language
        [example] = re.findall(r'<a class="chip" href="/\?q=[^"]+"><bdi>([^<]+)</bdi>', page(client))
        assert mine.removeprefix("חוק ") in example


def test_the_version_in_force_is_the_example(client: Client) -> None:
    begins = date(2020, 1, 1)
    add_document("7. Old bins\nA bin.", kind="law", title="Bins Act", valid_to=begins)
    add_document("8. Bins\nA bin.", kind="law", title="Bins Act", valid_from=begins)
    add_document("9. New bins\nA bin.", kind="law", title="Bins Act", valid_from=date(2999, 1, 1))
    assert "section 8, Bins Act" in page(client)
    add_document("5. Bins\nA bin.", kind="law", title="Bins Act")
    text = page(client)
    assert "section 5, Bins Act" in text
    assert not re.search("section [789], Bins Act", text)


def test_two_short_names_are_the_examples_of_many_and_no_more_is_read(client: Client) -> None:
    with CaptureQueriesContext(connection) as of_none:
        page(client)
    for name in ("The Bins and Bags (Collection) Act", "Bags Act", "Bins Act", "The Carts (Collection) Act"):
        add_document("1. Names\nA name.", kind="law", title=name)
        add_document("1. Names\nA name.", kind="law", title=name)
    with CaptureQueriesContext(connection) as of_many:
        text = page(client)
    examples = re.findall(r'<a class="chip" href="/\?q=[^"]+"><bdi>([^<]+)</bdi>', text)
    assert sorted(examples) == ["section 1, Bags Act", "section 1, Bins Act"]
    assert sum("kb_provision" in one["sql"] for one in of_many) == 2
    assert not any("kb_provision" in one["sql"] for one in of_none)


def test_files_that_wait_are_said_to_who_may_review(reviewer_client: Client) -> None:
    add_document("1. Bins\nA bin.", kind="law", title="Bins Act")
    make_job(status="awaiting_review", batch_id=uuid4())
    assert "What waits for you" not in page(Client())
    waits = re.search(r'<section aria-labelledby="waits-title">.*?</section>', page(reviewer_client), re.DOTALL)
    assert waits
    assert "Files that await review: <bdi>1</bdi>" in waits[0]
