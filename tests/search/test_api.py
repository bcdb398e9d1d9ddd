"""POST /kb/search."""

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from rest_framework.test import APIClient

from labels import assign
from search.embedders.spaces import active_space
from tests.factories import make_label, make_topic
from tests.search.corpus import add_document, add_source, section
from topics.keys import issue_key

pytestmark = pytest.mark.django_db


def post(body: Any, *, key: str = "") -> Any:
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    return APIClient().post("/kb/search", body, format="json", headers=headers)


def test_the_answer_has_the_form_of_the_contract() -> None:
    source = add_source(
        section("5", "תשלום", "הבנק ישלם ריבית"),
        title="חוק הבנקים",
        identifier="ח-1",
        kind="law",
        published_at=dt.date(1981, 3, 4),
    )
    label = make_label("בנקאות")
    assign.add(source, [label], by="test")
    response = post({"query": "ריבית", "topic_id": 1})
    assert response.status_code == 200
    answer = response.json()
    (result,) = answer.pop("results")
    assert answer.pop("took_ms") >= 0
    today = timezone.localdate()
    told: dict[str, Any] = {
        "query": "ריבית",
        "mode": "hybrid",
        "expanded": [],
        "phrases": [],
        "as_of": str(today),
        "meaning": None,
    }
    assert answer == told
    assert (chunk_id := result.pop("chunk_id")) > 0
    assert result.pop("score") > 0
    card = result.pop("source")
    assert result == {
        "rank": 1,
        "match": "lexical",
        "meaning": None,
        "text": "הבנק ישלם ריבית",
        "highlights": [[10, 15]],
        "page": 1,
        "section": "5",
        "place": "סעיף 5",
        "heading": "תשלום",
        "path": [],
        "eid": "",
        "tables": [],
        "more": None,
        "url": f"/documents/{source.pk}/?chunk={chunk_id}",
    }
    contract = {
        "id": source.pk,
        "topic_id": 1,
        "kind": "law",
        "title": "חוק הבנקים",
        "identifier": "ח-1",
        "published_at": "1981-03-04",
        "labels": [{"id": label.pk, "slug": label.slug, "name": "בנקאות"}],
        "work_id": source.work_id,
        "valid_from": None,
        "valid_to": None,
        "status": "undated",
        "holds": f"as of {date_format(today, 'DATE_FORMAT')}; no day in force is stated",
    }
    assert card | contract == card  # a field may come, and none goes


def test_filters_narrow_the_results() -> None:
    wanted = add_source("bank", kind="circular", published_at=dt.date(2020, 1, 2))
    add_source("bank", kind="law", published_at=dt.date(2020, 1, 2))
    label = make_label("one")
    assign.add(wanted, [label], by="test")
    for narrow in (
        {"kind": "circular"},
        {"kind": ["circular", "tool"]},
        {"label_id": label.pk},
        {"source_id": wanted.pk},
        {"kind": "circular", "published_from": "2020-01-02", "published_to": "2020-01-02"},
    ):
        results = post({"query": "bank", **narrow}).json()["results"]
        assert [result["source"]["id"] for result in results] == [wanted.pk], narrow


def test_a_null_filter_does_not_narrow() -> None:
    add_source("bank")
    body = {"query": "bank", "topic_id": None, "label_id": None, "kind": None, "source_id": None}
    assert len(post(body).json()["results"]) == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"query": ""}, "invalid"),
        ({"query": "   "}, "invalid"),
        ({"query": "a" * 2001}, "invalid"),
        ({"query": 5}, "invalid"),
        ({"query": "a", "limit": 0}, "invalid"),
        ({"query": "a", "limit": 101}, "invalid"),
        ({"query": "a", "mode": "magic"}, "invalid"),
        ({"query": "a", "kind": "novel"}, "invalid"),
        ({"query": "a", "kind": ["law", "novel"]}, "invalid"),
        ({"query": "a", "label_id": 999_999}, "invalid"),
        ({"query": "a", "label_ids": [999_999]}, "invalid"),
        ({"query": "a", "label_ids": list(range(1, 22))}, "invalid"),
        ({"query": "a", "label_ids": 1}, "invalid"),
        ({"query": "a", "label_ids": ["x"]}, "invalid"),
        ({"query": "a", "group": "label"}, "invalid"),
        ({"query": "a", "sort": "best"}, "invalid"),
        ({"query": "a", "facets": 1}, "invalid"),
        ({"query": " ".join(f'"a{n}"' for n in range(11))}, "invalid"),
        ({"query": "a", "published_from": "yesterday"}, "invalid"),
        ({"query": "a", "topik": 1}, "unknown_parameter"),
        ({"query": "a", "topic_id": 999_999}, "unknown_topic"),
        ({"topic_id": 999_999, "topik": 1}, "unknown_topic"),
        ([], "invalid"),
    ],
)
def test_wrong_requests_are_refused(body: Any, code: str) -> None:
    response = post(body)
    assert (response.status_code, response.json()["code"]) == (400, code)


def test_facets_groups_and_order_are_answered_as_contract_says() -> None:
    one, other = make_label("one"), make_label("other")
    first = add_source("bank", "bank", kind="circular", published_at=dt.date(2020, 1, 2))
    second = add_source("bank", kind="law", published_at=dt.date(2021, 1, 2))
    bare = add_source("bank", kind="law")
    assign.add(first, [one], by="test")
    assign.add(second, [one, other], by="test")
    answer = post({"query": "bank", "facets": True, "group": "document", "sort": "newest"}).json()
    assert [(hit["source"]["id"], hit["more"]) for hit in answer["results"]] == [
        (second.pk, 0),
        (first.pk, 1),
        (bare.pk, 0),
    ]
    assert answer["facets"] == {
        "kind": [{"value": "law", "count": 2}, {"value": "circular", "count": 1}],
        "label": [
            {"value": one.pk, "name": "one", "slug": "one", "count": 2},
            {"value": other.pk, "name": "other", "slug": "other", "count": 1},
        ],
        "year": [{"value": 2021, "count": 1}, {"value": 2020, "count": 1}],
    }
    for labels, expected in (
        ({"label_ids": [one.pk, other.pk]}, {first.pk, second.pk}),
        ({"label_ids": [other.pk], "label_id": one.pk}, {first.pk, second.pk}),
        ({"label_ids": [other.pk, other.pk]}, {second.pk}),
        ({"label_ids": []}, {first.pk, second.pk, bare.pk}),
    ):
        results = post({"query": "bank", **labels}).json()["results"]
        assert {hit["source"]["id"] for hit in results} == expected
    assert post({"query": '"bank" tax'}).json()["phrases"] == ["bank"]
    assert "facets" not in post({"query": "bank"}).json()


def test_a_pinned_key_counts_its_own_topic_and_labels() -> None:
    mine, theirs = make_label("mine"), make_label("theirs")
    topic = make_topic()
    assign.add(add_source("bank", topic=topic), [mine], by="test")
    assign.add(add_source("bank"), [mine, theirs], by="test")
    key = issue_key(name="agent", topic=topic, by="tests")[1]
    facets = post({"query": "bank", "facets": True}, key=key).json()["facets"]
    assert [(one["slug"], one["count"]) for one in facets["label"]] == [("mine", 1)]
    assert post({"query": "bank", "label_ids": [mine.pk]}, key=key).status_code == 200
    refused = post({"query": "bank", "label_ids": [mine.pk, theirs.pk]}, key=key)
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["label_ids"])


def test_a_query_of_two_thousand_characters_is_answered() -> None:
    assert post({"query": "a" * 2000}).status_code == 200


def test_a_pinned_key_searches_its_topic_alone() -> None:
    mine, other = make_topic(), make_topic()
    wanted = add_source("bank", topic=mine)
    add_source("bank", topic=other)
    key = issue_key(name="agent", topic=mine, by="tests")[1]
    results = post({"query": "bank"}, key=key).json()["results"]
    assert [result["source"]["id"] for result in results] == [wanted.pk]
    assert post({"query": "bank", "topic_id": other.pk}, key=key).status_code == 403


def test_what_is_cited_and_not_there_is_said_before_the_results() -> None:
    law = add_document("1. שם\nזה החוק.\n2. השאלה\n(א) ראשון.\n(ב) שני.", kind="law", title="חוק הספריות")
    answer = post({"query": "סעיף 9 לחוק הספריות"}).json()
    nearest = [{"eid": "sec_1", "number": "1"}, {"eid": "sec_2", "number": "2"}]
    assert answer["not_found"] == {
        "source_id": law.pk,
        "title": "חוק הספריות",
        "number": "9",
        "certain": True,
        "nearest": nearest,
        "holds": "",
        "uncertain": [],
    }
    assert {result["match"] for result in answer["results"]} == {"lexical"}
    gone = post({"query": "סעיף 2 לחוק העונשין"}).json()["not_found"]
    nothing: dict[str, Any] = {"source_id": None, "certain": True, "nearest": [], "holds": "", "uncertain": []}
    assert gone == {"title": "חוק העונשין", "number": "2", **nothing}
    clause = post({"query": "סעיף 2(ב) לחוק הספריות"}).json()
    assert "not_found" not in clause
    first = clause["results"][0]
    assert (first["eid"], first["url"]) == ("sec_2__subsec_b", f"/documents/{law.pk}/#sec_2__subsec_b")
    assert [first["text"][start:end] for start, end in first["highlights"]] == ["(ב) שני."]


def test_name_of_an_act_leads_with_the_act_as_sources_print_it() -> None:
    law = add_document("1. שם\nזה החוק.", kind="law", title="חוק הספריות, התשכ״ז–1967")
    assign.add(law, [make_label("תרבות")], by="test")
    answer = post({"query": "חוק הספריות"}).json()
    assert answer["document"] == APIClient().get(f"/kb/sources/{law.pk}").json()
    assert answer["results"]
    assert "document" not in post({"query": "ספר בחוק הספריות"}).json()


def test_a_hit_that_was_compared_by_meaning_says_how_near_it_is() -> None:
    active_space()
    add_source("water of the river")
    [hit] = post({"query": "water of the river", "mode": "semantic", "topic_id": 1}).json()["results"]
    assert 0 < hit["meaning"] <= 1.001


@pytest.mark.parametrize(("query", "signs"), [("bank NOT river", ["NOT"]), ("bank -river", ["-"]), ("ban*", ["*"])])
def test_operators_are_named_and_score_nothing(query: str, signs: list[str]) -> None:
    source = add_source("The bank of a river.", "It is not allowed.", "A ban.")
    answer = post({"query": query, "expand": False}).json()
    assert answer["query"] == query
    assert answer["operators"] == signs
    assert "It is not allowed." not in [result["text"] for result in answer["results"]]
    assert {result["source"]["id"] for result in answer["results"]} == {source.pk}
    assert "operators" not in post({"query": "co-owner of the bank, 2023-05-01"}).json()


def test_a_misspelt_word_is_told_with_what_it_was_taken_for() -> None:
    add_source("The tenant pays.")
    answer = post({"query": "tenent"}).json()
    assert answer["corrected"] == [{"word": "tenent", "to": "tenant"}]
    assert [result["highlights"] for result in answer["results"]] == [[[4, 10]]]
    assert "corrected" not in post({"query": "tenent", "expand": False}).json()
    assert "corrected" not in post({"query": "tenant"}).json()
