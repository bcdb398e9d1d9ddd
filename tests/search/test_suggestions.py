"""GET /kb/suggest: what somebody may mean who is still typing."""

from datetime import date
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from labels import assign
from sources.models import Source
from tests.factories import make_label, make_topic
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document
from topics.keys import issue_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def law() -> Source:
    law = add_document(LAW, kind="law", title='חוק הספריות הציבוריות, התשל"ה–1975')
    assign.add(law, [make_label("ספרייה")], by="test")
    return law


def ask(q: str, *, key: str = "", status: int = 200, **query: Any) -> Any:
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    response = APIClient().get("/kb/suggest", {"q": q, **query}, headers=headers)
    assert response.status_code == status, response.content
    return response.json()


def titles(q: str, **query: Any) -> list[str]:
    return [one["title"] for one in ask(q, **query)["titles"]]


def headings(q: str, **query: Any) -> list[str]:
    return [one["heading"] for one in ask(q, **query)["provisions"]]


def test_every_sort_is_suggested_with_its_address(law: Source) -> None:
    assert ask("ספרי") == {
        "titles": [{"source_id": law.pk, "title": law.title, "url": f"/documents/{law.pk}/"}],
        "provisions": [],
        "labels": [{"id": law.labels.get().pk, "name": "ספרייה", "slug": law.labels.get().slug}],
    }
    assert ask("איחו")["provisions"] == [
        {
            "source_id": law.pk,
            "eid": "sec_3a",
            "kind": "section",
            "number": "3א",
            "heading": "איחור",
            "title": law.title,
            "url": f"/documents/{law.pk}/#sec_3a",
        }
    ]


@pytest.mark.parametrize(
    "typed",
    ["חו", "חוק הספ", "ציבוריות", "הציבוריות חו", "לחוק הספריות", "שבחוק הספ", "התשלה", 'התשל"ה', "  ספר,", "1975"],
)
def test_a_title_is_found_by_the_beginnings_of_its_words(law: Source, typed: str) -> None:
    add_document("1. Other\nOther.", kind="law", title="Another Act")
    assert titles(typed) == [law.title]


@pytest.mark.parametrize("typed", ["רישיון", "רשיון", "לרשיון ס", "תכנית", "תוכנית"])
def test_full_and_short_spelling_are_alike(typed: str) -> None:
    wanted = "תוכנית" if "כנית" in typed else "רישיון"
    add_document("1. כותרת\nהוראה.", kind="law", title=f"חוק {wanted} סירה")
    assert titles(typed) == [f"חוק {wanted} סירה"]


def test_what_begins_so_comes_first_and_shorter_before_longer() -> None:
    for title in ("Act on Loans of Books", "Loans Act 1980", "The Loans", "Loans (Amendment) Act", "loans act"):
        add_document("1. Scope\nText.", kind="law", title=title)
    assert titles("loans") == [
        "loans act", "Loans Act 1980", "Loans (Amendment) Act", "The Loans", "Act on Loans of Books",
    ]  # fmt: skip
    assert titles("LOANS AC") == ["loans act", "Loans Act 1980", "Loans (Amendment) Act", "Act on Loans of Books"]


@pytest.mark.parametrize("typed", ["סעיף 3א לחוק הס", "סעיף 3א ל-חוק הספריות", "חוק הספריות, סעיף 3א", "ס' 3א לחוק"])
def test_a_section_that_is_cited_is_suggested(law: Source, typed: str) -> None:
    found = ask(typed)["provisions"]
    assert [(one["source_id"], one["eid"]) for one in found] == [(law.pk, "sec_3a")]


def test_a_section_is_suggested_of_acts_that_have_it(law: Source) -> None:
    add_document("1. Scope\nText.", kind="law", title="Loans Act")
    assert headings("section 1 of the loans") == ["Scope"]
    assert headings("section 2 of the loans") == []
    assert headings("סעיף 99 לחוק הספריות") == []


@pytest.mark.parametrize("typed", ["", " ", "a", '"', "'", "׳״", "(", "\\", "' | 'x", "זבל & !ספר", "%", "a" * 200])
def test_what_says_nothing_finds_nothing_and_breaks_nothing(law: Source, typed: str) -> None:
    assert ask(typed) == {"titles": [], "provisions": [], "labels": []}


def test_a_topic_shows_its_own_alone(law: Source) -> None:
    other = make_topic()
    elsewhere = add_document(LAW, kind="law", title="חוק הספריות האחרות", topic=other)
    foreign = make_label("ספרים אחרים")
    assign.add(elsewhere, [foreign], by="test")
    assert len(titles("חוק הספ")) == len(headings("איחור")) == len(ask("ספר")["labels"]) == 2
    _, key = issue_key(name="reader", topic=other, by="test")
    for scoped in ({"topic_id": other.pk}, {"key": key}):
        assert titles("חוק הספ", **scoped) == [elsewhere.title]
        assert {one["source_id"] for one in ask("איחור", **scoped)["provisions"]} == {elsewhere.pk}
        assert {one["source_id"] for one in ask("סעיף 3א לחוק", **scoped)["provisions"]} == {elsewhere.pk}
        assert [one["slug"] for one in ask("ספר", **scoped)["labels"]] == [foreign.slug]
    assert ask("חוק", key=key, topic_id=1, status=403)["code"] == "permission_denied"


def test_only_what_is_in_force_today_is_suggested(law: Source) -> None:
    today = timezone.localdate()
    Source.objects.filter(pk=law.pk).update(valid_from=date(1975, 1, 1), valid_to=today)
    new = add_document(LAW, kind="law", title=law.title, work_id=law.work_id, valid_from=today)
    add_document(LAW, kind="law", title=law.title, work_id=law.work_id, valid_from=None, valid_to=date(1975, 1, 1))
    assert [one["source_id"] for one in ask("חוק הספ")["titles"]] == [new.pk]
    for typed in ("איחור", "סעיף 3א לחוק הספריות"):
        assert {one["source_id"] for one in ask(typed)["provisions"]} == {new.pk}


def test_what_is_asked_wrongly_is_refused() -> None:
    assert ask("x", topic_id=999_999, status=400)["code"] == "unknown_topic"
    assert ask("x", limit=3, status=400)["code"] == "unknown_parameter"
    assert ask("x" * 201, status=400)["code"] == "invalid"
    assert APIClient().get("/kb/suggest").json()["errors"] == {"q": ["This field is required."]}


def test_changed_title_and_text_are_suggested_and_not_what_was(law: Source) -> None:
    Source.objects.filter(pk=law.pk).update(title="פקודת הארכיונים")
    assert (titles("ספריות"), titles("ארכיונים")) == ([], ["פקודת הארכיונים"])
