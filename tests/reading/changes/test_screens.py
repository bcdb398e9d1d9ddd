"""`/changes/`: what changed, by topic, label and work, with who cites it."""

import re
from datetime import date, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from labels import assign
from reading.changes.shown import MAX_LISTED, shown
from sources.models import Change, Source
from tests.factories import make_label, make_topic
from tests.pages import facets, page, titles
from tests.sources.changes.laws import AMENDED, BEGAN, act, amended, citing, work

pytestmark = pytest.mark.django_db


def entry(text: str, source: Source) -> str:
    """The change of a version, as HTML."""
    [found] = [one for one in text.split('<li class="hit change">')[1:] if f'"/documents/{source.pk}/"' in one]
    return unescape(found)


def test_a_new_version_names_what_differs_and_who_cites_it(client: Client) -> None:
    old, new = amended(identifier="ס״ח 2900")
    regulations = [citing("2", title=f"תקנות {n}") for n in range(4)]
    work()
    text = page(client, "/changes/")
    assert len(titles(text)) == 2
    assert 'aria-current="page">Changes' in text
    found = entry(text, new)
    assert "New version" in found
    assert 'datetime="2023-01-01"' in found
    assert "Changed: 1" in found
    assert f'href="/documents/{old.pk}/compare/{new.pk}/"' in found
    assert re.findall(
        r'class="became (\w+)">(\w+)</span> <a href="([^"]+)" dir="auto" lang="he">([^<]+)</a>', found
    ) == [
        ("changed", "Changed", f"/documents/{new.pk}/#sec_2", "סעיף 2 · זכות השאלה"),
        ("removed", "Removed", f"/documents/{old.pk}/#sec_3", "סעיף 3 · פיקדון"),
        ("added", "Added", f"/documents/{new.pk}/#sec_5", "סעיף 5 · דיווח"),
    ]
    assert "Cited by 4 documents" in found
    assert re.findall(r'<li><a href="/documents/(\d+)/#sec_1" dir="auto" lang="he">([^<]+)</a>', found) == [
        (str(one.pk), f"{one.title} · תקנה 1") for one in regulations[:0:-1]
    ]
    assert f'<a href="/documents/{new.pk}/cited-by/?eid=sec_2">and 1 more' in found
    assert "First version here" in entry(text, old)
    assert "Cited by 4 documents" in entry(text, old)


def test_changes_come_by_month_and_what_is_to_come_first(client: Client) -> None:
    for day in (date(2023, 3, 1), date(2023, 3, 20), date(2022, 5, 1), timezone.localdate() + timedelta(days=9)):
        act(title=f"חוק {day}", valid_from=day)
    work()
    months = re.findall(r'<h2 id="month-\d+">([^<]+)</h2>', page(client, "/changes/"))
    assert months == ["Coming", "March 2023", "May 2022"]


def test_what_is_still_to_come_says_so_and_a_repeal_is_one(client: Client) -> None:
    today = timezone.localdate()
    coming = act(title="חוק שיבוא", valid_from=today + timedelta(days=1))
    ended = act(title="חוק שהיה", valid_to=today)
    work()
    text = page(client, "/changes/")
    assert titles(text) == ["חוק שיבוא", "חוק שהיה"]
    assert '<span class="days not_yet">coming</span>' in entry(text, coming)
    assert "Repealed or expired" in entry(text, ended)
    assert "coming" not in entry(text, ended)


def test_what_is_not_compared_yet_and_what_says_same_is_told(client: Client) -> None:
    _, new = amended()
    work()
    Change.objects.filter(source=new).update(provisions=[], counts={})
    assert "The text says the same as before." in entry(page(client, "/changes/"), new)
    Change.objects.filter(source=new).update(counts={"too_large": 1})
    assert "too long to be compared" in entry(page(client, "/changes/"), new)
    Change.objects.filter(source=new).update(provisions=None)
    assert "is being compared" in entry(page(client, "/changes/"), new)


def test_filters_narrow_together_and_stay_in_the_address(client: Client) -> None:
    old, _ = amended()
    other = act(title="Waste law", topic=make_topic(name="Waste & water"), valid_from=date(2020, 1, 1))
    assign.add(old, [make_label("Reading")], by="test")
    work()
    text = page(client, "/changes/")
    assert len(titles(text)) == 3
    assert facets(text, "label") == {}  # one value does not narrow
    assert facets(text, "topic") == {"General": 2, "Waste & water": 1}
    assert facets(text, "work") == {old.title: 2, "Waste law": 1}
    assert facets(page(client, "/changes/", label="reading"), "label") == {"Reading": 2}
    assert titles(page(client, "/changes/", topic=other.topic_id)) == ["Waste law"]
    assert len(titles(page(client, "/changes/", label="reading"))) == 2  # the new version is of a labelled work
    assert len(titles(page(client, "/changes/", work=old.work_id))) == 2
    text = page(client, "/changes/", work=old.work_id, label="reading")
    assert f'<a href="/changes/?label=reading&amp;work={old.work_id}" aria-current="true">' not in text
    assert 'href="/changes/?label=reading" aria-current="true"' in text
    assert f'href="/changes/?work={old.work_id}" aria-current="true"' in text
    feed = re.search(r'<link rel="alternate" type="application/atom\+xml" href="([^"]+)"', text)
    assert feed
    assert unescape(feed[1]) == f"/changes/feed/?label=reading&work={old.work_id}&language=en"
    assert titles(page(client, "/changes/", topic=other.topic_id, label="reading")) == []


@pytest.mark.parametrize(
    "query", [{"topic": "999999"}, {"label": "none"}, {"work": "999999"}, {"work": "x"}, {"work": str(2**70)}]
)
def test_what_is_not_there_is_told(client: Client, query: dict[str, str]) -> None:
    for address in ("/changes/", "/changes/feed/"):
        text = page(client, address, status=400, **query)
        assert 'role="alert"' in text
        assert 'href="/changes/">Show all' in text


def test_a_page_of_fifty_changes_takes_as_many_queries_as_one_of_two(client: Client) -> None:
    amended()
    citing("2", title="תקנות")
    work()

    def queries(*, expected: int) -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            text = page(client, "/changes/")
        assert len(titles(text)) == expected
        return len(captured)

    few = queries(expected=2)
    for n in range(30):
        _, new = amended(title=f"חוק {n}")
        assign.add(new, [make_label(f"Label {n}")], by="test")
    work()
    many = queries(expected=50)
    assert (many, many) <= (few + 1, 16)
    assert len(titles(page(client, "/changes/", page=2))) == 12


def test_of_many_provisions_the_first_are_listed_and_the_rest_counted() -> None:
    rules = "\n".join(f"{n}. Lamp {n}\nLamp {n} is lit by keeper {n} at dusk." for n in range(1, 71))
    old = act(rules, valid_from=BEGAN, valid_to=AMENDED)
    new = act(rules.replace("dusk", "dawn"), valid_from=AMENDED, work_id=old.work_id)
    work()
    change = Change.objects.get(source=new)
    assert len(change.provisions or ()) == 70
    [one] = shown([change], today=AMENDED)
    assert (len(one.listed), one.left_out) == (MAX_LISTED, 70 - MAX_LISTED)
