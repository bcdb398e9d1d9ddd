"""One action on many sources: who is selected, what changes, what is said, and how it goes on where it stopped."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ingest.documents import bulk
from ingest.documents.bulk import BulkRun
from ingest.documents.edit import delete
from ingest.library.screens import bulk as bulk_views
from ingest.library.screens import sources as sources_views
from ingest.models import Job
from kb_project.configuration.roles import REVIEWER
from labels import assign
from labels.models import Label
from sources.models import Source
from tests.factories import make_filed_source, make_label, make_source, make_staff, make_topic
from topics.models import TopicMember, TopicRole

pytestmark = pytest.mark.django_db
BACK = "/library/?kind=law"


def act(client: Client, action: str, sources: Sequence[Source | int] = (), **more: Any) -> Any:
    ids = [source if isinstance(source, int) else source.pk for source in sources]
    return client.post(reverse("library-act"), {"action": action, "sources": ids, "next": BACK, **more})


def said(client: Client, action: str, sources: Sequence[Source | int] = (), **more: Any) -> str:
    """The page to which the action leads back."""
    answer = act(client, action, sources, **more)
    assert answer.headers["Location"] == BACK
    return str(client.get("/library/").content.decode())


def test_labels_are_put_on_many_and_the_count_is_said(staff_client: Client) -> None:
    first, second, third = make_source(), make_source(), make_source()
    rent = make_label("Rent")
    assign.add(first, [rent], by="test")
    page = said(staff_client, "add", [first, second, 999_999], labels=["slug:rent"])
    assert "1 source was changed. 1 was so already. 1 is not there any more." in page
    assert "2 sources were changed." in said(staff_client, "add", [first, third], more_labels="Deposit, פיקדון")
    assert sorted(label.name for label in third.labels.all()) == ["Deposit", "פיקדון"]
    rent.refresh_from_db()
    assert rent.usage_count == 2
    page = said(staff_client, "remove", [first, third], labels=["slug:rent", "name:No such label"])
    assert "1 source was changed. 1 was so already." in page
    rent.refresh_from_db()
    assert rent.usage_count == 1
    assert Label.objects.count() == 3


@pytest.mark.parametrize(
    ("action", "given", "sentence"),
    [
        ("add", {}, "Choose a label first."),
        ("kind", {}, "Choose a kind first."),
        ("move", {}, "Choose a topic first."),
        ("add", {"labels": ["slug:gone"]}, "There is no label “gone”."),
        ("kind", {"kind": "poem"}, "poem"),
        ("burn", {"labels": ["name:x"]}, "burn"),
    ],
)
def test_what_an_action_lacks_is_said_and_nothing_changes(
    staff_client: Client, action: str, given: dict[str, Any], sentence: str
) -> None:
    source = make_source()
    assert sentence in said(staff_client, action, [source], **given)
    assert "No sources were selected." in said(staff_client, "reindex")
    assert not source.labels.exists()
    assert not Job.objects.exists()


def test_kind_is_set_for_many_and_files_that_are_gone_are_named(staff_client: Client) -> None:
    law, tool, lost = make_filed_source(title="A"), make_filed_source(title="B", kind="tool"), make_source(title="Lost")
    page = said(staff_client, "kind", [law, tool], kind="tool")
    assert "1 source waits to be read again. 1 was so already." in page
    assert "1 source is being read again." in page
    assert Source.objects.get(pk=law.pk).kind == "tool"
    assert Job.objects.get().source == law

    answer = act(staff_client, "reindex", [tool, lost])
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "1 source waits to be read again. 1 was left out." in page
    assert f'<a href="/library/{lost.pk}/"><bdi>Lost</bdi></a></th><td dir="auto">Its stored file is not there' in page
    assert f'href="{BACK}"' in page
    assert Job.objects.filter(source=tool, reindex=True).count() == 1


def test_all_that_a_filter_finds_are_selected_and_changes_said(staff_client: Client) -> None:
    laws = [make_source(title=f"Law {number}") for number in range(60)]
    tool = make_source(kind="tool")
    page = staff_client.get("/library/?kind=law").content.decode()
    assert '<a class="all-found" href="?kind=law&amp;all=1">Select all 60 that the filter finds</a>' in page
    shown = staff_client.get("/library/?kind=law&all=1&page=2")
    assert sorted(shown.context["selected"]) == [law.pk for law in laws]
    assert shown.content.decode().count("checked disabled") == 11
    found = ",".join(map(str, shown.context["selected"]))

    delete(laws[0].pk, by="avi")
    Source.objects.filter(pk=laws[1].pk).update(kind="tool")
    new = make_source(title="Law 61")
    answer = staff_client.post(
        reverse("library-act"),
        {"action": "add", "labels": ["name:Rent"], "found": found, "next": "/library/?kind=law&all=1&page=2"},
    )
    assert answer.headers["Location"] == "/library/?kind=law&page=2"
    page = staff_client.get("/library/").content.decode()
    assert "1 source does not fit the filter any more and was left as it is." in page
    assert "1 source came into the filter meanwhile and was left as it is." in page
    assert "58 sources were changed. 1 is not there any more." in page
    assert Label.objects.get().usage_count == 58
    assert not any(source.labels.exists() for source in (tool, new, laws[1]))


def test_more_than_can_be_selected_are_not(staff_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources_views, "MAX_AT_ONCE", 40)
    for _number in range(41):
        make_source()
    answer = staff_client.get("/library/?all=1")
    assert answer.context["selected"] == []
    assert "More than 40 cannot be selected at once" in answer.content.decode()


def test_a_long_action_resumes_only_for_who_began_it(staff_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [make_source() for _number in range(45)]
    monkeypatch.setattr(bulk_views, "STEP_S", 0)
    monkeypatch.setattr(bulk, "AT_ONCE", 20)
    answer = act(staff_client, "add", sources, more_labels="Rent")
    assert "20 of 45 sources" in answer.content.decode()
    work = answer.context["work"].signed
    assert Label.objects.get().usage_count == 20
    answer = staff_client.post(reverse("library-act-on"), {"work": work}, headers={"HX-Request": "true"})
    page, work = answer.content.decode(), answer.context["work"].signed
    assert "<html" not in page
    assert '<progress max="45" value="40">' in page
    answer = staff_client.post(reverse("library-act-on"), {"work": work}, headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == BACK
    assert Label.objects.get().usage_count == 45
    staff_client.post(reverse("library-act-on"), {"work": work})  # sent twice
    assert Label.objects.get().usage_count == 45
    for sent in (work[:-1], ""):
        assert staff_client.post(reverse("library-act-on"), {"work": sent}).status_code == 400
    other = Client()
    other.force_login(make_staff("avi", role=REVIEWER))
    assert other.post(reverse("library-act-on"), {"work": work}).status_code == 400


def test_each_step_asks_again_where_its_person_may_do_this(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there, elsewhere = (make_topic(slug=slug) for slug in ("here", "there", "elsewhere"))
    person = User.objects.create_user("gil")
    for topic in (here, there):
        TopicMember.objects.create(topic=topic, person=person, role=TopicRole.REVIEWER)
    client.force_login(person)
    sources = [make_filed_source(topic=here) for _number in range(3)]
    monkeypatch.setattr(bulk_views, "STEP_S", 0)
    monkeypatch.setattr(bulk, "AT_ONCE", 1)
    moving = act(client, "move", sources, topic=there.pk).context["work"].signed
    labelling = act(client, "add", sources, more_labels="Rent").context["work"].signed
    TopicMember.objects.filter(topic=there).delete()
    Source.objects.filter(pk=sources[1].pk).update(topic=elsewhere)
    client.post(reverse("library-act-on"), {"work": moving})
    assert Job.objects.filter(confirmed__has_key="moves_to").count() == 1
    client.post(reverse("library-act-on"), {"work": labelling})
    assert [source.labels.count() for source in sources] == [1, 0, 0]


def test_deleting_many_says_once_what_goes(staff_client: Client) -> None:
    sources = [make_filed_source(title=f"Law {number:02}", chunk_count=3, size=100) for number in range(12)]
    assign.add(sources[0], [make_label("Rent")], by="test")
    kept = make_source(title="Kept")
    answer = act(staff_client, "delete", sources)
    page = answer.content.decode()
    assert Source.objects.count() == 13
    for shown in ("Delete 12 sources?", "Law 05", "… and 6 more", "<dd><bdi>36</bdi></dd>", "<dd><bdi>1</bdi></dd>"):
        assert shown in page
    assert "Law 06" not in page
    delete(sources[3].pk, by="avi")
    staff_client.post(reverse("library-act-on"), {"work": answer.context["work"].signed})
    page = staff_client.get("/library/").content.decode()
    assert "11 sources were deleted. 1 is not there any more." in page
    assert Source.objects.get() == kept
    assert Label.objects.get().usage_count == 0


def test_who_may_not_delete_is_refused_also_with_a_work_of_their_own(reviewer_client: Client) -> None:
    source = make_source()
    assert act(reviewer_client, "delete", [source]).status_code == 403
    work = BulkRun(action="delete", by="avi", back=BACK, waiting=[source.pk], total=1)
    assert reviewer_client.post(reverse("library-act-on"), {"work": work.signed}).status_code == 403
    assert "Delete…" not in reviewer_client.get("/library/").content.decode()
    assert Source.objects.exists()


def test_a_topic_is_chosen_only_where_there_are_several(staff_client: Client) -> None:
    make_source()
    assert 'value="move"' not in staff_client.get("/library/").content.decode()
    make_topic()
    assert 'value="move"' in staff_client.get("/library/").content.decode()
