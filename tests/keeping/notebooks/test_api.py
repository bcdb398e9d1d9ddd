"""`/kb/notebooks`: what a person keeps, changes, shares and finds again."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from answers.models import AnswerTrace
from keeping.models import Notebook, NoteWork
from keeping.notebooks import editing
from sources.models import Source
from tests.keeping.notebooks.notes import TITLE, gardens_act, look
from tests.keeping.notebooks.requests import keep, made, quote_of, signed_in
from tests.sources.changes.laws import AMENDED
from tests.sources.test_standing import SECOND, gardens
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db


def answered(act: Source, *, by: str = "ruth", topic: Topic | None = None) -> AnswerTrace:
    cited = [{"n": 1, "source_id": act.pk, "eid": "sec_3", "quote": "Water is drawn between six and nine"}]
    return AnswerTrace.objects.create(
        answer_id=uuid4(),
        by=by,
        topic=topic,
        question="When is water drawn?",
        answer="Water is drawn between six and nine in the morning [1].",
        citations=cited,
        status="answered",
        provider="x",
        model="",
        retrieval_ms=1,
        took_ms=1,
    )


def test_a_quote_is_pinned_to_version_address_and_words() -> None:
    act, client = gardens_act(), signed_in()
    answer = keep(client, made(client), **quote_of(act), remark="Ask Dan.", tags=["water", " water "], day="2022-05-01")
    note = answer.json()
    assert answer.status_code == 201
    assert (note["kind"], note["day"], note["remark"], note["tags"]) == ("quote", "2022-05-01", "Ask Dan.", ["water"])
    assert (note["text"], note["title"], note["hidden"]) == ("between six and nine", f"section 3 · {TITLE}", False)
    [cited] = note["citations"]
    assert (cited["source_id"], cited["work_id"], cited["eid"], cited["n"]) == (act.pk, act.work_id, "sec_3", 1)
    assert (cited["status"], cited["now"], cited["quote"]) == ("stands", None, "between six and nine")
    assert len(cited["quote_sha256"]) == 64
    assert cited["text"].startswith("3. Water")


def test_an_answer_is_kept_with_all_that_it_quotes() -> None:
    act, client = gardens_act(), signed_in()
    book, trace = made(client), answered(act)
    note = keep(client, book, kind="answer", answer_id=str(trace.answer_id)).json()
    assert (note["title"], note["text"]) == (trace.question, trace.answer)
    assert note["citations"][0]["eid"] == "sec_3"
    assert "ask=1" in note["url"]
    one = keep(client, book, kind="quote", answer_id=str(trace.answer_id), n=1).json()
    assert one["text"] == "Water is drawn between six and nine"
    assert keep(client, book, kind="quote", answer_id=str(trace.answer_id), n=2).status_code == 400
    others = answered(act, by="dana")
    assert keep(client, book, kind="answer", answer_id=str(others.answer_id)).status_code == 404
    by_hand = {"title": "Who?", "text": "Someone [1].", "citations": quote_of(act)["citations"]}
    assert keep(client, book, kind="answer", **by_hand).status_code == 201


def test_what_its_reader_cannot_read_again_is_not_kept() -> None:
    act, client = gardens_act(), signed_in()
    book, broken_off, of_one = made(client), answered(act), answered(act)
    AnswerTrace.objects.filter(pk=broken_off.pk).update(status=AnswerTrace.LEFT)
    Topic.objects.filter(pk=act.topic_id).update(open_to=OpenTo.MEMBERS)
    for trace in (broken_off, of_one):
        assert client.get(f"/kb/answers/{trace.answer_id}.md").status_code == 404
        assert keep(client, book, kind="answer", answer_id=str(trace.answer_id)).status_code == 404


def test_a_provision_a_search_and_a_comparison_are_kept() -> None:
    old, new = gardens()
    client = signed_in()
    book = made(client)
    provision = keep(client, book, kind="provision", citations=[{"source_id": new.pk, "eid": "sec_6"}]).json()
    assert "Three hives" in provision["text"]
    found = keep(client, book, kind="search", query="bees", filters={"kind": ["law"], "published_from": "2020-01-01"})
    assert found.json()["url"].startswith("/?q=bees&as_of=")
    assert "kind=law&published_from=2020-01-01" in found.json()["url"]
    compared = keep(client, book, kind="comparison", citations=[{"source_id": old.pk}, {"source_id": new.pk}]).json()
    assert compared["url"] == f"/documents/{old.pk}/compare/{new.pk}/"
    assert "section 3: changed" in compared["text"].lower()
    listed = client.get(f"/kb/notebooks/{book}").json()
    assert [note["kind"] for note in listed["notes"]] == ["provision", "search", "comparison"]
    assert (listed["count"], listed["found"]) == (3, 3)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "quote", "citations": []}, "citations"),
        ({"kind": "quote", "citations": [{"source_id": 999_999, "quote": "x"}]}, "citations"),
        ({"kind": "provision", "citations": [{"source_id": "act", "eid": "sec_99"}]}, "citations"),
        ({"kind": "quote", "citations": [{"source_id": "act", "eid": "sec_3", "quote": "at noon"}]}, "citations"),
        ({"kind": "quote", "citations": [{"source_id": "act", "quote": "nowhere at all"}]}, "citations"),
        ({"kind": "comparison", "citations": [{"source_id": "act"}]}, "citations"),
        ({"kind": "search"}, "query"),
        ({"kind": "answer", "title": "Who?"}, "answer_id"),
        ({"kind": "search", "query": "x", "tags": ["y"] * 21}, "tags"),
        ({"kind": "search", "query": "x", "remark": "y" * 10_001}, "remark"),
        ({"kind": "poem"}, "kind"),
        ({"kind": "search", "query": "x", "colour": "red"}, "colour"),
    ],
)
def test_what_makes_no_note_is_refused_by_its_field(given: dict[str, Any], field: str) -> None:
    act, client = gardens_act(), signed_in()
    for cited in given.get("citations", ()):
        cited["source_id"] = act.pk if cited["source_id"] == "act" else cited["source_id"]
    answer = keep(client, made(client), **given)
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [field]


def test_what_became_of_it_is_told_with_both_texts() -> None:
    act, client = gardens_act(), signed_in()
    book = made(client)
    keep(client, book, **quote_of(act))
    Source.objects.filter(pk=act.pk).update(valid_to=AMENDED)
    later = gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    look()
    [cited] = client.get(f"/kb/notebooks/{book}").json()["notes"][0]["citations"]
    assert (cited["status"], cited["since"], cited["words_stand"]) == ("changed", AMENDED.isoformat(), False)
    assert (cited["now"]["source_id"], cited["now"]["eid"]) == (later.pk, "sec_3")
    assert "between five and ten" in cited["now"]["text"]
    assert "between six and nine" in cited["text"]


def test_words_that_stand_in_a_provision_that_changed_elsewhere_are_told_so() -> None:
    act, client = gardens_act(), signed_in()
    book = made(client)
    keep(client, book, **quote_of(act, quote="the consent of the neighbours"))
    Source.objects.filter(pk=act.pk).update(valid_to=AMENDED)
    gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    look()
    [cited] = client.get(f"/kb/notebooks/{book}").json()["notes"][0]["citations"]
    assert (cited["status"], cited["words_stand"]) == ("changed", True)
    assert "quote_stands" not in cited
    for path in (f"/notebooks/{book}/", f"/kb/notebooks/{book}.md"):
        assert "The quoted words stand. The provision changed elsewhere." in client.get(path).content.decode()


def test_whether_words_stand_is_not_said_before_it_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    act, client = gardens_act(), signed_in()
    Source.objects.filter(pk=act.pk).update(valid_to=AMENDED)
    gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    book = made(client)

    def cited() -> dict[str, Any]:
        return dict(client.get(f"/kb/notebooks/{book}").json()["notes"][0]["citations"][0])

    [made_now] = keep(client, book, **quote_of(act)).json()["citations"]
    assert [(one["words_stand"], one["looked_at"]) for one in (made_now, cited())] == [(None, None)] * 2
    assert "not there any more" not in client.get(f"/notebooks/{book}/").content.decode()
    look()
    assert cited()["words_stand"] is False
    with monkeypatch.context() as small:
        small.setattr("sources.standing.MAX_CHARACTERS", 10)
        NoteWork.objects.create(work_id=act.work_id)
        look()
    assert (cited()["not_compared"], cited()["words_stand"]) == (True, None)


def test_words_and_tags_find_notes() -> None:
    act, client = gardens_act(), signed_in()
    book, other = made(client), made(client, "Other")
    keep(client, book, **quote_of(act), tags=["water"])
    keep(client, other, kind="search", query="bees", remark="Hives")

    def found(**query: str) -> int:
        return int(client.get(f"/kb/notebooks/{book}", query).json()["found"])

    assert (found(q="SIX AND NINE"), found(q="bees"), found(tag="water"), found(tag="bees")) == (1, 0, 1, 0)
    assert [one["name"] for one in client.get("/kb/notebooks", {"q": "hives"}).json()["results"]] == ["Other"]


def test_notes_are_put_in_order_moved_and_deleted() -> None:
    client = signed_in()
    book, other = made(client), made(client, "Other")
    ids = [keep(client, book, kind="search", query=word).json()["id"] for word in "abc"]

    def order(notebook_id: int) -> list[int]:
        return [note["id"] for note in client.get(f"/kb/notebooks/{notebook_id}").json()["notes"]]

    path = f"/kb/notebooks/{book}/notes/{ids[2]}"
    assert client.patch(path, {"position": 0}, format="json").json()["position"] == 0
    assert order(book) == [ids[2], ids[0], ids[1]]
    client.patch(path, {"position": 99}, format="json")
    assert order(book) == ids
    assert client.patch(path, {"notebook_id": other, "tags": ["x"]}, format="json").json()["notebook_id"] == other
    assert (order(book), order(other)) == (ids[:2], ids[2:])
    assert client.delete(f"/kb/notebooks/{book}/notes/{ids[0]}").status_code == 204
    assert client.delete(f"/kb/notebooks/{book}/notes/{ids[0]}").status_code == 404
    assert order(book) == [ids[1]]
    assert client.delete(f"/kb/notebooks/{book}").status_code == 204
    assert Notebook.objects.count() == 1


def test_there_is_an_end_to_notebooks_and_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editing, "MAX_NOTES", 1)
    monkeypatch.setattr(editing, "MAX_NOTEBOOKS", 1)
    client = signed_in()
    book = made(client)
    assert client.post("/kb/notebooks", {"name": "x"}, format="json").status_code == 409
    assert keep(client, book, kind="search", query="a").status_code == 201
    assert keep(client, book, kind="search", query="b").status_code == 409


def test_the_day_of_a_note_is_today_unless_it_is_said() -> None:
    client = signed_in()
    book = made(client)
    assert keep(client, book, kind="search", query="a").json()["day"] == date.today().isoformat()
    assert keep(client, book, kind="search", query="a", day="2019-03-01").json()["url"] == "/?q=a&as_of=2019-03-01"
