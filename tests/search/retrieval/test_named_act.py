"""A query that is the name of an act."""

from typing import Any

import pytest

from search.retrieval import Mode, Scope, retrieve
from search.retrieval.reading import read_act
from tests.factories import make_topic
from tests.search.citing import law
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db


def named(query: str, **options: Any) -> str:
    """The title of the act that the query names."""
    scope = Scope(topic_id=options.pop("topic_id", 1))
    act = read_act(retrieve(query, scope=scope, **options).named_id)
    return act.title if act else ""


def add_acts() -> None:
    for title in (
        'חוק הגנת הפרטיות, התשמ"א–1981',
        "תקנות הגנת הפרטיות (אבטחת מידע)",
        'חוק סדר הדין הפלילי (סמכויות אכיפה – מעצרים), התשנ"ו–1996',
        'תקנות סדר הדין האזרחי, התשמ"ד–1984',
        'תקנות סדר הדין האזרחי, התשע"ט–2018',
        "חוק הנוער (שפיטה)",
        "חוק הנוער (עבודה)",
        "Companies Act 2006",
    ):
        law(title)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("חוק הגנת הפרטיות", 'חוק הגנת הפרטיות, התשמ"א–1981'),
        ("חוק הגנת הפרטיות, תשמ״א-1981", 'חוק הגנת הפרטיות, התשמ"א–1981'),
        ("הגנת הפרטיות", 'חוק הגנת הפרטיות, התשמ"א–1981'),
        ("חוק סדר הדין הפלילי", 'חוק סדר הדין הפלילי (סמכויות אכיפה – מעצרים), התשנ"ו–1996'),
        ("חוק המעצרים", 'חוק סדר הדין הפלילי (סמכויות אכיפה – מעצרים), התשנ"ו–1996'),
        ("תקנות סדר הדין האזרחי, התשע״ט–2018", 'תקנות סדר הדין האזרחי, התשע"ט–2018'),
        ("companies act", "Companies Act 2006"),
        ("תקנות סדר הדין האזרחי", ""),
        ("חוק הנוער", ""),
        ("פרטיות", ""),
        ("חוק הגנת הפרטיות כותרת", ""),
        ("סעיף 2 לחוק הגנת הפרטיות", ""),
        ("סעיף 90 לחוק הגנת הפרטיות", ""),
    ],
)
def test_the_one_act_that_a_query_names_is_told(query: str, title: str) -> None:
    add_acts()
    assert named(query) == title


def test_name_leads_to_no_other_topic_kind_or_way_of_searching() -> None:
    other = make_topic()
    law("חוק המים", topic=other)
    add_source("inside information", "more of it", title="Inside information", kind="circular")
    assert named("חוק המים") == named("inside information") == ""
    assert named("חוק המים", topic_id=None) == named("חוק המים", topic_id=other.pk) == "חוק המים"
    assert named("חוק המים", topic_id=other.pk, mode=Mode.SEMANTIC) == ""
