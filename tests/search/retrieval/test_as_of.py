"""As of a day only what was in force is found, cited, quoted and counted; of a work one version at most."""

from datetime import date
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from answers.agent.read_tool import ReadTool
from answers.agent.search_tool import SearchTool
from search.retrieval import retrieve
from sources.models import Source
from sources.scope import Scope
from sources.validity import ValidityStatus
from tests.answers.asking.asking import ask_both
from tests.search.corpus import add_document, add_source

TITLE = 'חוק השאלת ספרים, התשפ"א–2021'
THEN, CHANGED, NOW = date(2020, 1, 1), date(2023, 1, 1), date(2024, 1, 1)
QUESTION = "כמה ספרים זכאי תושב לשאול?"


def act(number: str, **days: Any) -> Source:
    text = f"{TITLE}\n1. זכות השאלה\nתושב זכאי לשאול {number} ספרים בכל חודש מן הספרייה."
    return add_document(text, kind="law", title=TITLE, **days)


@pytest.fixture
def versions(transactional_db: None) -> tuple[Source, Source]:
    old = act("חמישה", valid_from=date(2021, 1, 1), valid_to=CHANGED)
    return old, act("תשעה", work_id=old.work_id, valid_from=CHANGED)


def search(**more: Any) -> dict[str, Any]:
    answer = APIClient().post("/kb/search", {"query": QUESTION, **more}, format="json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def found(**more: Any) -> list[int]:
    return list(dict.fromkeys(hit["source"]["id"] for hit in search(**more)["results"]))


@pytest.mark.usefixtures("transactional_db")
def test_each_day_has_its_version(versions: tuple[Source, Source]) -> None:
    old, new = versions
    for query in (QUESTION, f"סעיף 1 ל{TITLE}", TITLE):
        for more in ({}, {"mode": "semantic"}, {"group": "document"}, {"kind": "law"}, {"facets": True}):
            assert found(query=query, **more) == [new.pk]
            assert found(query=query, as_of="2023-01-01", **more) == [new.pk]
            assert found(query=query, as_of="2022-12-31", **more) == [old.pk]
            assert found(query=query, as_of="2020-12-31", **more) == []
    assert sorted(found(versions="all")) == sorted([old.pk, new.pk])
    counted = search(as_of="2022-12-31", facets=True)["facets"]["kind"]
    assert counted == [{"value": "law", "count": 1}]


def test_a_hit_says_from_when_until_when_and_what_that_is_today(versions: tuple[Source, Source]) -> None:
    old, new = versions
    by_id = {hit["source"]["id"]: hit["source"] for hit in search(versions="all")["results"]}
    told = {pk: (one["work_id"], one["valid_from"], one["valid_to"], one["status"]) for pk, one in by_id.items()}
    assert told == {
        old.pk: (old.work_id, "2021-01-01", "2023-01-01", "superseded"),
        new.pk: (old.work_id, "2023-01-01", None, "in_force"),
    }


def test_a_document_without_days_is_in_force_as_far_as_is_known(transactional_db: None) -> None:
    source = act("חמישה")
    for day in (THEN, NOW):
        [hit, *_] = retrieve(QUESTION, scope=Scope(topic_id=1, as_of=day)).hits
        assert (hit.source.id, hit.source.status) == (source.pk, ValidityStatus.UNDATED)


def test_as_many_results_as_there_are_in_force_are_found(transactional_db: None) -> None:
    """Though what is not in force scores higher."""
    for number in range(60):
        add_source("water of the river", title=f"River Act {number}", valid_to=THEN)
    rest = [add_source("a long text that mentions water once, among other things", valid_from=THEN) for _ in range(12)]
    for mode in ("lexical", "hybrid", "semantic"):
        hits = retrieve("water river", scope=Scope(topic_id=1, as_of=NOW), limit=12, mode=mode).hits
        assert {hit.source.id for hit in hits} == {source.pk for source in rest}, mode


def test_an_answer_quotes_the_law_in_force_or_names_versions(
    versions: tuple[Source, Source],
) -> None:
    old, new = versions
    for day, source, number in (("2022-06-01", old, "חמישה"), (None, new, "תשעה")):
        answer, _ = ask_both(QUESTION, as_of=day)
        assert answer["status"] == "answered"
        assert {citation["source_id"] for citation in answer["citations"]} == {source.pk}
        assert number in answer["citations"][0]["quote"]
        assert answer["citations"][0]["status"] == "in_force" if day is None else True
        assert (answer["reason"], answer["versions"]) == (None, [])
    answer, _ = ask_both(QUESTION, as_of="2020-06-01")
    assert (answer["status"], answer["reason"], answer["citations"]) == ("insufficient_evidence", "not_in_force", [])
    assert {version["source_id"] for version in answer["versions"]} == {old.pk, new.pk}
    assert {version["status"] for version in answer["versions"]} == {"not_yet"}
    nothing, _ = ask_both("What is the orbit of Jupiter?", as_of="2020-06-01")
    assert (nothing["status"], nothing["reason"], nothing["versions"]) == ("insufficient_evidence", "nothing_near", [])


def test_tools_give_the_text_of_the_day(versions: tuple[Source, Source]) -> None:
    for tool, about in ((SearchTool, {"query": QUESTION}), (ReadTool, {"reference": f"סעיף 1 ל{TITLE}"})):
        made = tool(topic_id=1, topic_name="General")
        for day, there, gone in (("2022-06-01", "חמישה", "תשעה"), (None, "תשעה", "חמישה")):
            text = made.call(about | ({"as_of": day} if day else {})).text
            assert there in text
            assert gone not in text
        assert made.call(about | {"as_of": "yesterday"}).is_error


def test_sources_and_their_work_tell_their_days(versions: tuple[Source, Source]) -> None:
    old, new = versions
    client = APIClient()

    def listed(**query: str) -> list[tuple[int, str]]:
        return [(one["id"], one["status"]) for one in client.get("/kb/sources", query).json()["results"]]

    assert listed() == [(new.pk, "in_force")]
    assert listed(as_of="2022-12-31") == [(old.pk, "in_force")]
    assert listed(versions="all") == [(new.pk, "in_force"), (old.pk, "superseded")]
    assert listed(versions="all", as_of="2020-12-31") == [(new.pk, "not_yet"), (old.pk, "not_yet")]
    work = client.get(f"/kb/works/{old.work_id}").json()
    assert (work["id"], work["title"], work["kind"]) == (old.work_id, TITLE, "law")
    assert [(one["id"], one["status"]) for one in work["versions"]] == [(old.pk, "superseded"), (new.pk, "in_force")]
    new.valid_to = timezone.localdate()
    new.save()
    assert client.get(f"/kb/sources/{new.pk}").json()["status"] == "repealed"
    assert client.get("/kb/works/0").status_code == 404
