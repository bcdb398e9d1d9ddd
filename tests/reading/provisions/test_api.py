"""GET /kb/sources/{id}/provisions and /kb/sources/{id}/provisions/{eid}."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from labels import assign
from search.embedders import vector_notes
from search.models import ChunkEmbedding
from sources.models import Chunk
from tests.factories import make_label, make_topic
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document
from topics.keys import issue_key

pytestmark = pytest.mark.django_db


def get(path: str, *, key: str = "") -> Any:
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    return APIClient().get(path, headers=headers)


def test_all_provisions_come_in_order() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    answer = get(f"/kb/sources/{law.pk}/provisions").json()
    assert answer["count"] == len(answer["results"]) == 11
    assert answer["results"][1] == {
        "eid": "sec_1",
        "kind": "section",
        "number": "1",
        "heading": "הגדרות",
        "parent": "chp_1",
        "order": 1,
        "page": None,
        "depth": 1,
        "valid_from": None,
        "valid_to": None,
    }
    assert answer["results"][0]["parent"] is None


def test_a_provision_comes_with_its_text_and_its_place() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    answer = get(f"/kb/sources/{law.pk}/provisions/sec_3__subsec_b").json()
    assert answer["kind"] == "clause"
    assert answer["text"].startswith("(ב) הספרן רשאי")
    assert answer["truncated"] is False
    assert [one["eid"] for one in answer["ancestors"]] == ["chp_2", "sec_3"]
    assert [one["eid"] for one in answer["children"]] == ["sec_3__subsec_b__para_1", "sec_3__subsec_b__para_2"]
    assert (answer["previous"], answer["next"]) == ("sec_3__subsec_a", "sec_3__subsec_b__para_1")
    assert answer["url"] == f"/documents/{law.pk}/#sec_3__subsec_b"


def test_what_is_not_there_is_404_and_what_is_asked_wrongly_400() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    assert get(f"/kb/sources/{law.pk}/provisions/sec_99").json()["code"] == "not_found"
    assert get("/kb/sources/999999/provisions").status_code == 404
    assert get(f"/kb/sources/{law.pk}/provisions?limit=5").json()["code"] == "unknown_parameter"


def test_a_pinned_key_sees_no_provision_of_another_topic() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    _, key = issue_key(name="reader", topic=make_topic(), by="test")
    assert get(f"/kb/sources/{law.pk}/provisions", key=key).status_code == 404
    assert get(f"/kb/sources/{law.pk}/provisions/sec_1", key=key).status_code == 404


def test_a_hit_says_the_address_of_its_provision() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    answer = APIClient().post("/kb/search", {"query": "סעיף 3א לחוק הספריות", "topic_id": 1}, format="json").json()
    assert answer["results"][0]["eid"] == "sec_3a"
    assert answer["results"][0]["url"] == f"/documents/{law.pk}/#sec_3a"


def test_similar_provisions_are_those_of_other_works_first_without_itself() -> None:
    law = add_document("1. Moorings\nA boat pays a mooring fee.\n2. Fees\nA mooring fee is paid at once.", kind="law")
    other = add_document("7. Boats\nA boat pays a mooring fee in advance.\n8. Cats\nNo cat may bark.", kind="law")
    add_document("1. Moorings\nA boat pays a mooring fee.", kind="law", topic=make_topic())
    results = get(f"/kb/sources/{law.pk}/provisions/sec_1/similar").json()["results"]
    places = [(one["source"]["id"], one["provision"]["eid"]) for one in results]
    assert places[0] == (other.pk, "sec_7")
    assert set(places) <= {(other.pk, "sec_7"), (other.pk, "sec_8"), (law.pk, "sec_2")}
    assert places[-1] == (law.pk, "sec_2")
    assert 0 < results[0]["similarity"] <= 1
    assign.add(other, [make_label("Boats")], by="test")
    assert len(get(f"/kb/sources/{law.pk}/provisions/sec_1/similar?limit=1").json()["results"]) == 1


def test_similar_provisions_are_found_by_their_words_while_vectors_are_lacking() -> None:
    law = add_document("1. Moorings\nA boat pays a mooring fee.", kind="law")
    other = add_document("7. Boats\nA boat pays a mooring fee in advance.\n8. Cats\nNo cat may bark.", kind="law")
    made = list(ChunkEmbedding.objects.all())
    nearest = Chunk.objects.get(source=other, eid="sec_7").pk
    for lacking in ({nearest}, {one.chunk_id for one in made}):
        ChunkEmbedding.objects.filter(chunk_id__in=lacking).delete()
        vector_notes.note(other.pk, topic_id=other.topic_id)
        first = get(f"/kb/sources/{law.pk}/provisions/sec_1/similar").json()["results"][0]
        assert (first["source"]["id"], first["provision"]["eid"], first["similarity"]) == (other.pk, "sec_7", None)


def test_similar_provisions_need_vectors_and_a_provision_that_there_is() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    assert get(f"/kb/sources/{law.pk}/provisions/sec_99/similar").status_code == 404
    assert get(f"/kb/sources/{law.pk}/provisions/sec_1/similar?limit=0").status_code == 400
    ChunkEmbedding.objects.all().delete()
    assert get(f"/kb/sources/{law.pk}/provisions/sec_1/similar").json() == {"results": []}
