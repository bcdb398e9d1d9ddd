"""GET /kb/sources/{a}/compare/{b}."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from sources.comparison import sources
from tests.factories import make_topic
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document
from topics.keys import issue_key

pytestmark = pytest.mark.django_db


def get(path: str, *, key: str = "") -> Any:
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    return APIClient().get(path, headers=headers)


def test_two_versions_are_compared_by_provision() -> None:
    later = LAW.replace("דמי איחור.", "דמי איחור כפולים.").replace("2. פיקדון", "3. פיקדון")
    later = later.replace("2. תחולה\nחוק זה יחול על כל ספרייה.\n", "")
    before, after = add_document(LAW, kind="law"), add_document(later, kind="law")
    answer = get(f"/kb/sources/{before.pk}/compare/{after.pk}").json()
    found = {(one["change"], one["number"], one["eid"]) for one in answer["changes"]}
    assert ("removed", "2", "sec_2") in found
    assert ("changed", "3א", "sec_3a") in found
    removed = next(one for one in answer["changes"] if one["eid"] == "sec_2")
    assert removed == {
        "number": "2",
        "eid": "sec_2",
        "change": "removed",
        "before": "2. תחולה\nחוק זה יחול על כל ספרייה.",
        "after": None,
        "moved_from": None,
    }


def test_a_provision_that_moved_says_where_it_stood() -> None:
    before = add_document(LAW, kind="law")
    after = add_document(LAW.replace("3א. איחור", "3ב. איחור"), kind="law")
    (change,) = get(f"/kb/sources/{before.pk}/compare/{after.pk}").json()["changes"]
    assert (change["change"], change["number"], change["eid"]) == ("moved", "3ב", "sec_3b")
    assert change["moved_from"] == {"number": "3א", "eid": "sec_3a"}


def test_a_document_does_not_differ_from_itself() -> None:
    law = add_document(LAW, kind="law")
    assert get(f"/kb/sources/{law.pk}/compare/{law.pk}").json() == {"changes": []}


def test_document_without_provisions_is_compared_by_paragraphs() -> None:
    before = add_document("The court sat in May.\nIt heard two witnesses.", kind="caselaw")
    after = add_document("The court sat in May.\nIt heard three witnesses.", kind="caselaw")
    (change,) = get(f"/kb/sources/{before.pk}/compare/{after.pk}").json()["changes"]
    assert (change["change"], change["eid"], change["before"]) == ("changed", "", "It heard two witnesses.")


def test_what_is_not_there_is_404_and_what_is_asked_wrongly_400() -> None:
    law = add_document(LAW, kind="law")
    assert get(f"/kb/sources/{law.pk}/compare/999999").json()["code"] == "not_found"
    assert get(f"/kb/sources/999999/compare/{law.pk}").status_code == 404
    assert get(f"/kb/sources/{law.pk}/compare/{law.pk}?limit=5").json()["code"] == "unknown_parameter"


def test_a_pinned_key_compares_nothing_of_another_topic() -> None:
    topic = make_topic()
    own, other = add_document(LAW, kind="law", topic=topic), add_document(LAW, kind="law")
    _, key = issue_key(name="reader", topic=topic, by="test")
    assert get(f"/kb/sources/{own.pk}/compare/{own.pk}", key=key).status_code == 200
    assert get(f"/kb/sources/{own.pk}/compare/{other.pk}", key=key).status_code == 404
    assert get(f"/kb/sources/{other.pk}/compare/{own.pk}", key=key).status_code == 404


def test_a_document_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    law = add_document(LAW, kind="law")
    monkeypatch.setattr(sources, "MAX_CHARACTERS", len(LAW) - 1)
    answer = get(f"/kb/sources/{law.pk}/compare/{law.pk}")
    assert answer.status_code == 413
    assert (answer.json()["code"], answer.json()["source_id"]) == ("too_large", law.pk)
