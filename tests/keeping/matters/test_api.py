"""`/kb/notebooks/{id}/items`: searches, watches and checks in a notebook, and what became of them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from answers.checking import checks
from answers.checking.checks import CheckRequest
from answers.models import TextCheck
from ingest.documents import edit
from keeping.models import Channel, Note, NoteKind, Watch
from keeping.notebooks import editing
from sources.models import Source
from sources.scope import Scope
from tests.keeping.notebooks.notes import TITLE, gardens_act, kept, look, notebook, person
from tests.keeping.watches.watchers import watch, work
from tests.search.corpus import add_document
from tests.sources.changes.laws import AMENDED
from tests.sources.test_standing import SECOND

pytestmark = pytest.mark.django_db
BRIEF = f"""Brief of the gardeners
By section 3 of the {TITLE}, water is drawn. Section 77 of the {TITLE} says more."""


def client(who: User) -> APIClient:
    made = APIClient()
    made.force_login(who)
    return made


def checked(who: User, act: Source) -> TextCheck:
    scope = Scope(topic_id=act.topic_id, within=None)
    one = checks.begin(CheckRequest(text=BRIEF, scope=scope, by=checks.owner_of(who)))
    while checks.are_waiting():
        checks.run_next(hint=lambda: None)
    one.refresh_from_db()
    return one


def amend(act: Source) -> Source:
    edit.edit(act.pk, {"valid_to": AMENDED}, by="test")
    later = gardens_act(SECOND, valid_from=AMENDED, work_id=act.work_id)
    work()
    look()
    return later


def items(who: User, pk: int) -> dict[str, Any]:
    answer = client(who).get(f"/kb/notebooks/{pk}/items")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def put(who: User, pk: int, *, status: int = 201, **item: Any) -> dict[str, Any]:
    answer = client(who).post(f"/kb/notebooks/{pk}/items", item, format="json")
    assert answer.status_code == status, answer.content
    return dict(answer.json())


def looked(who: User, pk: int, *, status: int = 204, upto: int = 0, upto_news: int = 0) -> None:
    given = {"upto": upto, "upto_news": upto_news}
    answer = client(who).post(f"/kb/notebooks/{pk}/looked", given, format="json")
    assert answer.status_code == status, answer.content


def test_a_matter_tells_what_became_of_all_of_it() -> None:
    act, ruth = gardens_act(), person()
    work()
    matter = notebook(ruth)
    kept(matter, act, "sec_3")
    check = put(ruth, matter.pk, kind="check", check_id=str(checked(ruth, act).pk))
    assert check["title"] == "Brief of the gardeners"
    of_work = put(ruth, matter.pk, kind="watch", watch_id=watch(ruth, work_id=act.work_id).pk)
    search = put(ruth, matter.pk, kind="search", search={"query": "hives"})
    again = put(ruth, matter.pk, kind="search", status=200, search={"query": "hives"})
    assert (search["watch_id"], search["kind"]) == (again["watch_id"], "search")
    before = items(ruth, matter.pk)
    assert before["since"] is None
    assert [one["kind"] for one in before["results"]] == ["watch", "search", "check"]
    assert not any(one["news"] for one in before["results"])

    amend(act)
    add_document("1. Hives\nEach garden has two hives.", title="Hives Rules", kind="regulation")
    work()
    after = items(ruth, matter.pk)
    news = {one["kind"]: [line["title"] for line in one["news"] if line["is_new"]] for one in after["results"]}
    assert news["watch"] == [TITLE]
    assert "Hives Rules" in news["search"]
    assert news["check"] == [TITLE]
    assert after["changed"] == 2  # what the note cites, and what the brief cites
    assert of_work["watch_id"]

    page = re.sub("<[^>]+>", "", client(ruth).get(f"/notebooks/{matter.pk}/since/").content.decode())
    page = " ".join(page.split())
    for said in ("between removed: six added: five and", "Hives Rules", "Check: Brief of the gardeners"):
        assert said in page
    became = client(ruth).get(f"/notebooks/{matter.pk}/since/").context["became"]
    upto = {"upto": became.upto, "upto_news": became.upto_news}
    assert client(ruth).post(f"/notebooks/{matter.pk}/looked/", upto).status_code == 302
    looked = items(ruth, matter.pk)
    assert looked["since"]
    assert looked["changed"] == 0
    assert not any(line["is_new"] for one in looked["results"] if one["kind"] != "check" for line in one["news"])


def test_a_check_in_a_notebook_keeps_what_was_found_and_no_words_of_the_law() -> None:
    act, ruth = gardens_act(), person()
    one = checked(ruth, act)
    put(ruth, notebook(ruth).pk, kind="check", check_id=str(one.pk))
    note = Note.objects.get(kind=NoteKind.CHECK)
    assert {cited.eid for cited in note.citations.all()} >= {"sec_3"}
    assert "Section 77" in note.text
    assert "no such provision" in note.text
    assert note.day == one.as_of
    one.delete()  # as it is after some days
    page = client(ruth).get(f"/notebooks/{note.notebook_id}/").content.decode()
    assert "Section 77" in page


def test_what_is_not_ones_own_is_not_put_in() -> None:
    act, ruth, noa = gardens_act(), person(), person("noa")
    matter = notebook(ruth)
    of_noa = watch(noa, work_id=act.work_id)
    put(ruth, matter.pk, kind="watch", status=404, watch_id=of_noa.pk)
    put(ruth, matter.pk, kind="check", status=404, check_id=str(checked(noa, act).pk))
    put(noa, matter.pk, kind="watch", status=404, watch_id=of_noa.pk)
    put(ruth, matter.pk, kind="watch", status=400, search={"query": "hives"})
    put(ruth, matter.pk, kind="poem", status=400)


def test_readers_see_no_watches_and_look_for_themselves() -> None:
    act, ruth, noa = gardens_act(), person(), person("noa")
    matter = notebook(ruth)
    editing.share(matter, topic=None, usernames=["noa"])
    kept(matter, act, "sec_3")
    put(ruth, matter.pk, kind="watch", watch_id=watch(ruth, work_id=act.work_id).pk)
    amend(act)
    seen = items(noa, matter.pk)
    assert seen["results"] == []
    assert seen["changed"] == 1
    upto = client(noa).get(f"/notebooks/{matter.pk}/since/").context["became"].upto
    client(noa).post(f"/notebooks/{matter.pk}/looked/", {"upto": upto, "upto_news": 99999})
    assert items(noa, matter.pk)["changed"] == 0
    assert items(ruth, matter.pk)["changed"] == 1
    assert any(line["is_new"] for one in items(ruth, matter.pk)["results"] for line in one["news"])


def test_looking_by_the_api_ends_what_was_told_and_nothing_that_comes_later() -> None:
    act, ruth = gardens_act(), person()
    work()
    matter = notebook(ruth)
    kept(matter, act, "sec_3")
    put(ruth, matter.pk, kind="watch", watch_id=watch(ruth, work_id=act.work_id).pk)
    before = items(ruth, matter.pk)
    looked(ruth, matter.pk, upto=2**63 - 1, upto_news=2**63 - 1)  # ahead of all that has happened
    assert before["since"] is None
    amend(act)
    told = items(ruth, matter.pk)
    assert told["changed"] == 1
    assert [line["is_new"] for one in told["results"] for line in one["news"]] == [True]
    looked(ruth, matter.pk, upto=before["upto"], upto_news=before["upto_news"])  # of the answer before
    assert items(ruth, matter.pk)["changed"] == 1
    looked(ruth, matter.pk, upto=told["upto"], upto_news=told["upto_news"])
    after = items(ruth, matter.pk)
    assert after["changed"] == 0
    assert after["since"]
    assert [line["is_new"] for one in after["results"] for line in one["news"]] == [False]


def test_looking_is_for_whoever_reads_the_notebook() -> None:
    act, ruth, noa = gardens_act(), person(), person("noa")
    matter = notebook(ruth)
    looked(noa, matter.pk, status=404)
    editing.share(matter, topic=None, usernames=["noa"])
    kept(matter, act, "sec_3")
    amend(act)
    looked(noa, matter.pk, upto=items(noa, matter.pk)["upto"])
    assert items(noa, matter.pk)["changed"] == 0
    assert items(ruth, matter.pk)["changed"] == 1
    looked(noa, matter.pk, status=400, upto=-1)


def test_a_watch_in_a_matter_is_told_as_before_and_goes_on_when_it_is_taken_out() -> None:
    act, ruth = gardens_act(), person()
    matter = notebook(ruth)
    mine = watch(ruth, query="hives")
    Watch.objects.filter(pk=mine.pk).update(how=Channel.MAIL_DAILY)
    assert put(ruth, matter.pk, kind="search", search={"query": "hives"})["watch_id"] == mine.pk
    assert Watch.objects.get().how == Channel.MAIL_DAILY
    for code in (204, 404):
        assert client(ruth).delete(f"/kb/notebooks/{matter.pk}/items/{mine.pk}").status_code == code
    assert Watch.objects.filter(pk=mine.pk).exists()
    assert act.pk


def test_one_file_has_all_of_the_matter() -> None:
    act, ruth = gardens_act(), person()
    work()
    matter = notebook(ruth)
    kept(matter, act, "sec_3")
    put(ruth, matter.pk, kind="search", search={"query": "hives"})
    put(ruth, matter.pk, kind="check", check_id=str(checked(ruth, act).pk))
    amend(act)
    text = client(ruth).get(f"/kb/notebooks/{matter.pk}.md").content.decode()
    for said in ("What has changed", "Searches and watches", "Search: hives", "Brief of the gardeners", "Section 77"):
        assert said in text, said
