"""`/kb/surveys`: the lists, the certificate, and who may what."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from keeping.models import Survey
from keeping.surveys import making
from keeping.surveys.reading import judging, surveying
from sources.models import Source
from tests.factories import first_topic, make_topic
from tests.search.corpus import add_document
from tests.topics.keys import client_with_key
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db
FERRY = """Ferries Act 1991
1. Council
There is a council of ferries, which meets in the harbour.
2. Accounts
The council shall, within three months after the end of each financial year, send the minister a report on the ferries.
3. Passengers
A passenger shall not feed the gulls.
4. Misconduct
Whoever steers a ferry asleep is guilty of an offence and is liable to a fine not exceeding 900 crowns.
5. Complaints
A person refused a berth may, within a week, appeal to the harbour court."""
HEBREW = """חוק המעבורות
1. מועצה
מוקמת בזה מועצת מעבורות.
2. חשבונות
המועצה תגיש לשר, בתום כל שנה, דין וחשבון על המעבורות.
3. שינה
המשיט מעבורת תוך כדי שינה, דינו – מאסר שנה."""


@pytest.fixture
def rina(db: None) -> APIClient:
    client = APIClient()
    client.force_login(User.objects.create_user("rina", password="x"))
    return client


def law(text: str = FERRY, **fields: Any) -> Source:
    return add_document(text, **{"kind": "law", "title": text.partition("\n")[0], "unread_pages": [], **fields})


def surveyed(client: APIClient, description: str, **more: Any) -> Any:
    made = client.post("/kb/surveys", {"description": description, **more}, format="json")
    assert made.status_code == 202
    assert made.json()["status"] == "queued"
    while making.run_next():
        pass
    return client.get(f"/kb/surveys/{made.json()['id']}").json()


@pytest.mark.parametrize(
    ("description", "eid", "quote"),
    [
        ("Every provision that requires an annual report", "sec_2", "a report on the ferries"),
        ("penalties", "sec_4", "liable to a fine"),
        ("a right of appeal", "sec_5", "appeal to the harbour court"),
        ("חובת דין וחשבון", "sec_2", "דין וחשבון על המעבורות"),
        ("עונשין", "sec_3", "דינו – מאסר שנה"),
        ("feed the gulls", "sec_3", "A passenger shall not feed the gulls."),
    ],
)
def test_what_says_a_rule_is_found_without_the_words_of_its_heading(
    rina: APIClient, description: str, eid: str, quote: str
) -> None:
    law()
    law(HEBREW)
    found = surveyed(rina, description)
    assert found["status"] == "done"
    [one] = found["yes"]
    assert one["eid"] == eid
    assert quote in one["quote"]
    assert "read" in one["ways"]


def test_other_words_of_the_description_must_be_there_too(rina: APIClient) -> None:
    law()
    assert [one["eid"] for one in surveyed(rina, "penalties for sleeping at the wheel of a ferry")["yes"]] == []
    assert [one["eid"] for one in surveyed(rina, "penalties for a ferry")["yes"]] == ["sec_4"]


def test_the_certificate_says_what_was_looked_at(rina: APIClient) -> None:
    law()
    unread = law(HEBREW, unread_pages=[4])
    out = surveyed(rina, "penalties")["certificate"]
    assert (out["documents"], out["documents_read"]) == (2, 2)
    assert out["provisions_read"] >= 8
    assert out["unread"] == [{"source_id": unread.pk, "title": "חוק המעבורות", "pages": [4]}]
    assert out["unread_documents"] == 1
    assert (out["model"], out["calls"], out["rules"]) == ("", 0, ["penalty"])
    assert (out["has_meaning"], out["missing"]) == (False, None)
    assert out["as_of"] == timezone.localdate().isoformat()


def test_the_filter_bounds_the_scope_and_a_bound_is_told(rina: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    one = law()
    law(HEBREW)
    out = surveyed(rina, "penalties", rows={"source_ids": [one.pk]})
    assert {row["source_id"] for row in out["yes"]} == {one.pk}
    assert out["certificate"]["documents"] == 1
    monkeypatch.setattr(surveying, "MAX_DOCUMENTS", 1)
    out = surveyed(rina, "penalties")["certificate"]
    assert (out["documents"], out["documents_read"], out["unread_documents"]) == (2, 1, 1)
    monkeypatch.setattr(judging, "MAX_YES", 0)
    out = surveyed(rina, "penalties")
    assert (out["yes"], out["certificate"]["counts"]["yes"]) == ([], 1)


def test_the_same_words_twice_hide_nothing_that_is_new_or_gone() -> None:
    twice: dict[str, Any] = {"place": "-1:the same words"}
    other: dict[str, Any] = {"place": "-1:other words"}
    before = {"certificate": {"counts": {"yes": 2}, "made_at": "2026-01-01"}, "yes": [twice, {**twice}]}
    now = judging.Lists(yes=[twice, other], counts={"yes": 2})
    since = surveying._since(before, now)
    assert since is not None
    assert (since["new"], since["lost"], other["is_new"]) == (1, 0, True)
    since = surveying._since(before, judging.Lists(counts={"yes": 0}))
    assert since is not None
    assert since["lost"] == 2
    now.counts["yes"] = judging.MAX_YES + 1
    assert surveying._since(before, now) is None


def test_lists_hold_the_nearest_and_count_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_YES", "MAX_UNDECIDED", "MAX_NEAR"):
        monkeypatch.setattr(judging, name, 2)
    lists = judging.Lists()
    for number in range(5):
        lists.put_yes({"eid": number})
        lists.put_undecided({"eid": number})
        lists.put_near(number / 10, {"eid": number})
    assert [[row["eid"] for row in some] for some in (lists.yes, lists.undecided)] == [[0, 1], [0, 1]]
    assert lists.counts == {"yes": 5, "undecided": 5}
    assert [row["eid"] for _worth, row in lists.near] == [4, 3]


def test_only_what_is_being_made_can_be_paused(rina: APIClient) -> None:
    law()
    out = surveyed(rina, "penalties")
    assert rina.patch(f"/kb/surveys/{out['id']}", {"paused": True}, format="json").status_code == 409
    assert rina.get(f"/kb/surveys/{out['id']}").json()["paused"] is False


def test_what_moved_away_is_not_told(rina: APIClient) -> None:
    one = law()
    out = surveyed(rina, "penalties")
    Source.objects.filter(pk=one.pk).update(topic=make_topic())
    assert rina.get(f"/kb/surveys/{out['id']}").json()["yes"] == []


def test_a_survey_of_a_lost_classifier_is_made_by_another_once(rina: APIClient) -> None:
    law()
    made = rina.post("/kb/surveys", {"description": "penalties"}, format="json").json()
    lost = making._claimed()
    assert lost is not None
    assert not making.run_next()
    Survey.objects.update(progress_at=timezone.now() - timedelta(hours=1))
    assert making.run_next()
    making._record(lost, status="failed")
    assert rina.get(f"/kb/surveys/{made['id']}").json()["status"] == "done"


def test_one_that_ends_its_program_each_time_has_failed(rina: APIClient) -> None:
    made = rina.post("/kb/surveys", {"description": "penalties"}, format="json").json()
    for _ in range(making.MAX_ATTEMPTS):
        assert making._claimed() is not None
        Survey.objects.update(progress_at=timezone.now() - timedelta(hours=1))
    assert making._claimed() is None
    out = rina.get(f"/kb/surveys/{made['id']}").json()
    assert (out["status"], out["certificate"]) == ("failed", None)


def test_who_may_what(rina: APIClient) -> None:
    law()
    out = surveyed(rina, "penalties")
    path = f"/kb/surveys/{out['id']}"
    other = APIClient()
    other.force_login(User.objects.create_user("other", password="x"))
    assert APIClient().get(path).status_code == 401
    assert other.get(path).status_code == 200
    assert other.delete(path).status_code == 403
    elsewhere = client_with_key(admin=True, topic=make_topic())
    assert elsewhere.get(path).status_code == 404
    assert elsewhere.get("/kb/surveys").json()["count"] == 0
    assert client_with_key().post("/kb/surveys", {"description": "x"}, format="json").status_code == 403
    Topic.objects.filter(pk=first_topic().pk).update(open_to=OpenTo.MEMBERS)
    assert rina.get(path).status_code == 404
    Topic.objects.update(open_to=OpenTo.EVERYBODY)
    assert rina.delete(path).status_code == 204
    assert rina.get(f"/kb/surveys/{uuid4()}").status_code == 404


def test_what_cannot_be_is_refused(rina: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for body in (
        {},
        {"description": " "},
        {"description": "x" * 501},
        {"description": "x", "rows": {"label_ids": [9]}},
    ):
        assert rina.post("/kb/surveys", body, format="json").status_code == 400, body
    monkeypatch.setattr(making, "MAX_WAITING", 1)
    assert rina.post("/kb/surveys", {"description": "penalties"}, format="json").status_code == 202
    assert rina.post("/kb/surveys", {"description": "penalties"}, format="json").status_code == 409


@pytest.mark.parametrize("description", ["...", "of the", "של את"])
def test_a_description_that_tells_nothing_is_refused(rina: APIClient, description: str) -> None:
    refused = rina.post("/kb/surveys", {"description": description}, format="json")
    assert refused.status_code == 400
    assert "description" in refused.json()["errors"]
    assert not Survey.objects.exists()
