"""GET /kb/sources/{id}/references and POST /kb/resolve."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from sources import references
from sources.models import Reference, Source
from tests.factories import first_topic, make_topic
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document
from tests.sources.references.test_background import CITING, TITLE
from topics.keys import issue_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def library(db: None) -> Source:
    return add_document(LAW, kind="law", title=TITLE)


@pytest.fixture
def lending(library: Source) -> Source:
    source = add_document(CITING, kind="law", title="חוק ההשאלות", published_at="2020-02-02")
    while references.run_pending():
        pass
    return source


def get(path: str, *, key: str = "") -> Any:
    return APIClient().get(path, headers={"Authorization": f"Api-Key {key}"} if key else {})


def resolve(text: str, *, key: str = "", **more: Any) -> Any:
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    return APIClient().post("/kb/resolve", {"text": text, **more}, format="json", headers=headers)


def test_what_a_document_cites(library: Source, lending: Source) -> None:
    answer = get(f"/kb/sources/{lending.pk}/references").json()
    assert answer["count"] == 3
    first = answer["results"][0]
    provision = get(f"/kb/sources/{lending.pk}/provisions/sec_1").json()
    assert provision["text"][first["start"] : first["end"]] == first["text"] == f"סעיף 3(ב) ל{TITLE}"
    assert (provision["references"], provision["cited_by"]) == (2, 1)
    assert first["from"] == {"source_id": lending.pk, "title": "חוק ההשאלות", "eid": "sec_1", "number": "1"}
    assert first["to"] == {"source_id": library.pk, "title": TITLE, "eid": "sec_3__subsec_b", "number": "3"}
    assert first["cites"] == {"title": TITLE, "number": "3", "last": "", "unread": ""}
    assert (first["status"], first["internal"]) == ("resolved", False)
    assert (first["why"], first["certainty"]) == ("named", 1)
    of_one = get(f"/kb/sources/{lending.pk}/references?eid=sec_2&limit=1").json()
    assert [one["text"] for one in of_one["results"]] == ["סעיף 1"]


def test_pages_of_references_go_on_while_documents_come_and_go(library: Source, lending: Source) -> None:
    path = f"/kb/sources/{library.pk}/references?direction=in"
    add_document(CITING, kind="law", title="חוק הלוואות")  # without a date
    last = add_document(CITING, kind="law", title="חוק שאילות")
    newer = add_document(CITING, kind="law", title="חוק הספרים", published_at="2021-01-01")
    while references.run_pending():
        pass
    everything = [one["id"] for one in get(path).json()["results"]]
    starts = {one["from"]["source_id"] for one in get(path).json()["results"]}
    assert len(starts) == 4

    def walked(url: str, by: str) -> list[int]:
        page = get(url).json()
        ids = [one["id"] for one in page["results"]]
        if not page[by]:
            return ids
        return ids + walked(page[by], by) if by == "next" else walked(page[by], by) + ids

    for limit in (1, 2, 3):
        assert walked(f"{path}&limit={limit}", "next") == everything
        assert walked(f"{path}&limit={limit}&offset=99", "previous") == everything
    page = get(f"{path}&limit=1").json()
    assert page["results"][0]["from"]["source_id"] == newer.pk
    newer.delete()
    rest = walked(page["next"], "next")
    assert rest == [one["id"] for one in get(path).json()["results"]]
    out = f"/kb/sources/{last.pk}/references"
    assert walked(f"{out}?limit=1", "next") == [one["id"] for one in get(out).json()["results"]]


def test_clauses_in_words_lead_to_one_provision() -> None:
    text = "1. Names\nA rope.\n2. Register\n(1) Of:\n(a) ropes; and\n(b) hooks.\n(2) Of fees.\n3. Fees\n"
    text += "(1) See section 2, subsection (1), paragraph (b); paragraph 2 of section 2; and subsection (1).\n"
    source = add_document(text + "(2) Not section 2, subsection (9).", kind="law", title="Hooks Act 2018")
    while references.run_pending():
        pass
    answer = APIClient().get(f"/kb/sources/{source.pk}/references").json()
    assert [(one["text"], one["to"]["eid"], one["to"]["number"]) for one in answer["results"]] == [
        ("section 2, subsection (1), paragraph (b)", "sec_2__subsec_1__para_b", "2"),
        ("paragraph 2 of section 2", "sec_2__subsec_2", "2"),
        ("subsection (1)", "sec_3__subsec_1", "3"),
        ("section 2, subsection (9)", "sec_2", "2"),
    ]


def test_what_cites_a_document(library: Source, lending: Source) -> None:
    incoming = get(f"/kb/sources/{library.pk}/references?direction=in&eid=sec_3&status=resolved").json()
    assert [one["from"]["source_id"] for one in incoming["results"]] == [lending.pk]
    assert get(f"/kb/sources/{library.pk}/references?direction=in&eid=sec_2").json()["count"] == 0
    assert get(f"/kb/sources/{library.pk}/references?direction=in&status=not_here").json()["count"] == 0


@pytest.mark.parametrize("cited", [f"סעיפים 1 עד 3 ל{TITLE}", f"סעיפים 1–3 ל{TITLE}"])
def test_a_range_cites_what_is_between_its_ends(library: Source, cited: str) -> None:
    source = add_document(f"{cited} – כאן.", kind="circular", title="חוזר")
    while references.run_pending():
        pass
    for eid, times in (("sec_1", 1), ("sec_2", 1), ("sec_3", 1), ("sec_4", 0)):
        if library.provisions.filter(eid=eid).exists():
            incoming = get(f"/kb/sources/{library.pk}/references?direction=in&eid={eid}").json()
            assert [one["from"]["source_id"] for one in incoming["results"]] == [source.pk] * times
            assert get(f"/kb/sources/{library.pk}/provisions/{eid}").json()["cited_by"] == times
    both = get(f"/kb/sources/{source.pk}/references").json()["results"]
    assert [(one["to"]["number"], one["cites"]["last"]) for one in both] == [("1", "3"), ("3", "")]
    found = resolve(cited).json()["references"]
    assert [(one["to"]["eid"], one["cites"]["last"]) for one in found] == [("sec_1", "3"), ("sec_3", "")]


def test_why_a_document_was_chosen_can_be_required() -> None:
    text = "1. Old\nSee section 2. See section 1 of this Act.\n2. New\nSee regulation 5 of WXI 2031/351."
    source = add_document(text, kind="law", title="Hooks Act 2018")
    while references.run_pending():
        pass
    path = f"/kb/sources/{source.pk}/references"
    told = [(one["why"], one["certainty"]) for one in get(path).json()["results"]]
    assert told == [("own", 0.9), ("own", 1), (None, None)]
    assert get(f"{path}?least_certainty=0.95").json()["count"] == 1
    assert get(f"{path}?least_certainty=0.1").json()["count"] == 2
    assert get(f"{path}?least_certainty=2").json()["code"] == "invalid"
    Reference.objects.filter(source=source).update(reason="")  # as the release before wrote them
    assert {one["why"] for one in get(path).json()["results"]} == {None}


def test_why_a_text_is_taken_to_cite_a_document(library: Source) -> None:
    for text, certainty in ((f"סעיף 3 ל{TITLE}", 1), (f"סעיף 3 ל{TITLE}, וכך נאמר גם " + "א" * 300, 1)):
        [one] = resolve(text).json()["references"]
        assert (one["why"], one["certainty"]) == ("named", certainty)
    add_document("1. Carts\nA cart.", kind="law", title="Oxbow Municipal Code Title 1 - Carts")
    [uncertain] = resolve("section 3 of the Oxbow Code").json()["references"]
    assert (uncertain["status"], uncertain["cites"]["unread"]) == ("unread", "Oxbow Code")
    [unread] = resolve("under regulation 5 of WXI 2031/351").json()["references"]
    assert (unread["status"], unread["why"], unread["certainty"]) == ("unread", None, None)


def test_what_is_asked_wrongly_is_refused(lending: Source) -> None:
    path = f"/kb/sources/{lending.pk}/references"
    assert get(f"{path}?eid=sec_99").json()["code"] == "not_found"
    assert get(f"{path}?direction=up").json()["code"] == "invalid"
    assert get(f"{path}?of=1").json()["code"] == "unknown_parameter"
    assert resolve("א" * 100_001).json()["code"] == "invalid"
    assert resolve("סעיף 1", eid="sec_1").json()["code"] == "unknown_parameter"
    assert resolve("סעיף 1", topic_id=999).json()["code"] == "unknown_topic"


def test_any_text_is_resolved_within_topics_that_caller_sees(library: Source) -> None:
    text = f"אני שואל על סעיף 3(ב) ל{TITLE}, ועל סעיף 9 לחוק הטיס."
    found = resolve(text).json()["references"]
    assert [(one["text"], one["status"]) for one in found] == [
        (f"סעיף 3(ב) ל{TITLE}", "resolved"),
        ("סעיף 9 לחוק הטיס", "not_here"),
    ]
    assert text[found[0]["start"] : found[0]["end"]] == found[0]["text"]
    assert found[0]["to"] == {"source_id": library.pk, "title": TITLE, "eid": "sec_3__subsec_b", "number": "3"}
    assert found[1]["cites"] == {"title": "חוק הטיס", "number": "9", "last": "", "unread": ""}
    elsewhere = make_topic()
    assert resolve(text, topic_id=elsewhere.pk).json()["references"][0]["status"] == "not_here"
    _, key = issue_key(name="reader", topic=elsewhere, by="test")
    assert resolve(text, key=key).json()["references"][0]["status"] == "not_here"
    assert resolve(text, key=key, topic_id=first_topic().pk).status_code == 403


def test_a_short_text_loses_none_of_its_citations(library: Source) -> None:
    found = resolve(f"לפי חוק הטיס, התש״ן–1990, ולפי סעיף 3 ל{TITLE}.").json()["references"]
    assert [(one["cites"]["number"], one["status"]) for one in found] == [("", "not_here"), ("3", "resolved")]


def test_a_pinned_key_sees_no_reference_of_another_topic(lending: Source) -> None:
    _, key = issue_key(name="reader", topic=make_topic(), by="test")
    assert get(f"/kb/sources/{lending.pk}/references", key=key).status_code == 404
