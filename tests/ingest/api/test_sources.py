"""`/admin/kb/sources`: listing, editing, deleting and indexing again, and who may do it."""

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from ingest.models import Job
from kb_project.configuration.roles import REVIEWER
from kb_project.models import AuditEntry
from labels import assign
from labels.models import LabelAlias
from sources.models import Source
from tests.factories import first_topic, make_filed_source, make_label, make_source, make_staff, make_topic
from tests.ingest.library.documents import found, make_document
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db
PATH = "/admin/kb/sources"
NASTY = 'חוק "הגנה" \u200f<b>O\'Neil</b> 100%_\\'


@pytest.fixture
def client() -> APIClient:
    return client_with_key(admin=True)


def patch(client: APIClient, source: Source, **fields: Any) -> Any:
    return client.patch(f"{PATH}/{source.pk}", fields, format="json")


def ids(client: APIClient, path: str = PATH, **query: Any) -> list[int]:
    response = client.get(path, query)
    assert response.status_code == 200, response.json()
    page = response.json()
    assert page["count"] >= len(page["results"])
    return [source["id"] for source in page["results"]]


@pytest.mark.parametrize("path", [PATH, "/kb/sources"])
def test_sources_are_listed_newest_first_and_filtered(client: APIClient, path: str) -> None:
    other = make_topic()
    label = make_label("Ports")
    a = make_source(title="Harbour Act", subject="pilots")
    b = make_source(topic=other, identifier="12/2024", kind="tool")
    c = make_source(title=NASTY, subject="חובת הנמל")
    assign.start_with(b, [label])
    assign.start_with(c, [label])
    everything = [c.pk, b.pk, a.pk]
    assert ids(client, path) == everything
    assert ids(client, path, topic_id=other.pk) == [b.pk]
    assert ids(client, path, kind="law") == [c.pk, a.pk]
    assert ids(client, path, label_id=label.pk) == [c.pk, b.pk]
    assert ids(client, path, label_id=label.pk, topic_id=first_topic().pk, kind="law", q="נמל") == [c.pk]
    for text, wanted in {
        "HARBOUR": [a.pk],
        "pilot": [a.pk],
        "2/20": [b.pk],
        "נמל": [c.pk],
        "%": [c.pk],
        "_": [c.pk],
        "\\": [c.pk],
        "o'neil": [c.pk],
        "actpilots": [],
        "A law": [b.pk],
    }.items():
        assert ids(client, path, q=text) == wanted, text


@pytest.mark.parametrize("path", [PATH, "/kb/sources"])
def test_pages_of_any_place_follow_one_another(client: APIClient, path: str) -> None:
    newest_first = [make_source(title=f"Law {number}").pk for number in range(11)][::-1]
    for limit in (1, 3, 4, 11, 200):
        pages = [ids(client, path, limit=limit, offset=offset) for offset in range(0, 11, limit)]
        assert [one for page in pages for one in page] == newest_first
    assert ids(client, path, limit=3, offset=9) == newest_first[9:]
    assert ids(client, path, limit=3, offset=11) == ids(client, path, offset=2**31 - 1) == []
    assert ids(client, path, limit=4, offset=6, q="law") == newest_first[6:10]


@pytest.mark.parametrize("path", [PATH, "/kb/sources"])
@pytest.mark.parametrize("sort", ["newest", "title"])
def test_pages_go_on_while_documents_come_and_go(client: APIClient, path: str, sort: str) -> None:
    first = [make_source(title=f"Law {number % 5}").pk for number in range(20)]
    page = client.get(f"{path}?limit=3&sort={sort}").json()
    seen = [one["id"] for one in page["results"]]
    gone = []
    while page["next"]:
        gone.append(seen[-1])
        Source.objects.filter(pk=gone[-1]).delete()
        make_source(title="A law before all others")
        page = client.get(page["next"]).json()
        seen += [one["id"] for one in page["results"]]
    assert sorted(seen) == first
    assert page["count"] == Source.objects.count() == len(first)
    assert len(gone) == 6


TITLES = [
    "Act No. 2",
    "Act No. 10 of 1990",
    "Act No. 10 of 2001",
    "Act No. 123456789",
    "Anti-Money Laundering Act",
    "anti money laundering rules",
    "Éclairage Act",
    "Ecology Act",
    "“Electricity” Act",
    "The Anti-Money Act",
    "חוק איסור הלבנת הון",
    "חוק הגז (תיקון מס' 9)",
    "חוק הגז (תיקון מס׳ 10)",
    "חוֹק הַגַּנָּנוּת",
    "חוק 'הגנת הצרכן'",
    "חוק ״הגשרים״",
]
"""As a person sorts them."""


@pytest.mark.parametrize("path", [PATH, "/kb/sources"])
def test_titles_are_sorted_as_people_sort_them(client: APIClient, path: str) -> None:
    for title in [*TITLES[::2], *TITLES[1::2]]:
        make_source(title=title)
    found = client.get(path, {"sort": "title"}).json()["results"]
    assert [one["title"] for one in found] == TITLES
    walked: list[str] = []
    url = f"{path}?sort=title&limit=3"
    while url:
        page = client.get(url).json()
        walked, url = walked + [one["title"] for one in page["results"]], page["next"]
    assert walked == TITLES
    by_title = client.get(f"{path}?sort=title&limit=3").json()["next"]
    response = client.get(by_title.replace("sort=title", "sort=newest"))
    assert (response.status_code, list(response.json()["errors"])) == (400, ["cursor"])


def test_the_longest_titles_fit_into_a_cursor(client: APIClient) -> None:
    letters = [chr(code) for code in range(0x4E00, 0x4E00 + 490)]  # which no compression makes much shorter
    for number in range(3):
        make_source(title="".join(letters) + str(number))
    for title in ("1 " * 250, "\ufdfa" * 500, "\U00020000" * 500):  # which are longer when they are folded
        make_source(title=title)
    first = client.get(f"{PATH}?sort=title&limit=1").json()
    seen = [one["id"] for one in first["results"]]
    while first["next"]:
        first = client.get(first["next"]).json()
        seen += [one["id"] for one in first["results"]]
    assert sorted(seen) == sorted(Source.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("path", [PATH, "/kb/sources"])
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"topic_id": 987}, "unknown_topic"),
        ({"label_id": 987}, "invalid"),
        ({"label_id": "x"}, "invalid"),
        ({"kind": "poem"}, "invalid"),
        ({"q": "x" * 201}, "invalid"),
        ({"q": "a\0b"}, "invalid"),
        ({"offset": -1}, "invalid"),
        ({"limit": 201}, "invalid"),
        ({"cursor": "eyJ4IjoxfQ"}, "invalid"),
        ({"sort": "colour"}, "invalid"),
        ({"colour": "red"}, "unknown_parameter"),
    ],
)
def test_a_list_that_cannot_be_is_refused(client: APIClient, path: str, query: dict[str, Any], code: str) -> None:
    response = client.get(path, query)
    assert (response.status_code, response.json()["code"]) == (400, code)


@pytest.mark.parametrize("path", [PATH, "/kb/sources"])
def test_a_list_costs_the_same_however_many_sources_and_labels_there_are(
    staff_client: Any, path: str, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        source = make_source(title=f"Law {number}")
        labels = [make_label(f"Label {number} {place}") for place in range(3)]
        LabelAlias.objects.create(label=labels[0], slug=f"alias-{number}", name=f"alias {number}")
        assign.start_with(source, labels)
    staff_client.get(path)  # what is asked for once in a while, such as who is logged in
    with django_assert_max_num_queries(9) as few:
        staff_client.get(path, {"limit": 1})
    with django_assert_max_num_queries(9) as many:
        page = staff_client.get(path, {"limit": 200}).json()
    assert len(few) == len(many)
    assert [len(source["labels"]) for source in page["results"]] == [3] * 30
    assert page["results"][0]["labels"][0]["aliases"] == ["alias-29"]


def test_a_source_is_read_edited_and_comes_back_as_it_is(client: APIClient) -> None:
    source, label = make_source(title="Old"), make_label("Ports")
    response = patch(
        client,
        source,
        title=NASTY,
        subject="",
        identifier="12/2024",
        description="Said.",
        published_at="2024-02-29",
        kind="regulation",
        label_ids=[label.pk],
    )
    assert response.status_code == 200
    edited = response.json()
    assert edited == client.get(f"{PATH}/{source.pk}").json()
    assert (edited["title"], edited["published_at"], edited["kind"]) == (NASTY, "2024-02-29", "regulation")
    assert [one["id"] for one in edited["labels"]] == [label.pk]
    again = patch(client, source, published_at=None, label_ids=[]).json()
    assert again == {**edited, "published_at": None, "labels": []}
    assert set(AuditEntry.objects.filter(object_type="source").values_list("action", "by")) == {
        ("source.edit", "Api-Key test"),
        ("source.labels", "Api-Key test"),
    }
    assert Job.objects.get().reindex is True


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"title": " "}, "invalid"),
        ({"title": None}, "invalid"),
        ({"title": "x" * 501}, "invalid"),
        ({"subject": "x" * 501}, "invalid"),
        ({"identifier": "x" * 201}, "invalid"),
        ({"description": "x" * 2001}, "invalid"),
        ({"description": None}, "invalid"),
        ({"published_at": "29.2.2024"}, "invalid"),
        ({"published_at": "2023-02-29"}, "invalid"),
        ({"kind": "poem"}, "invalid"),
        ({"label_ids": [987654]}, "invalid"),
        ({"label_ids": "1"}, "invalid"),
        ({"label_ids": list(range(51))}, "invalid"),
        ({"topic_id": 1}, "unknown_parameter"),
        ({"file_key": "x"}, "unknown_parameter"),
    ],
)
def test_a_field_that_cannot_be_is_named_and_nothing_changes(
    client: APIClient, fields: dict[str, Any], code: str
) -> None:
    source = make_source(title="Old")
    response = patch(client, source, **fields)
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert set(response.json()["errors"]) == set(fields)
    assert Source.objects.get().title == "Old"
    assert not Job.objects.exists()


def test_a_source_that_is_not_there_is_404_on_every_method(client: APIClient) -> None:
    for missing in ("987654", str(2**70)):
        assert client.get(f"{PATH}/{missing}").status_code == 404
        assert client.patch(f"{PATH}/{missing}", {"title": "x"}, format="json").status_code == 404
        assert client.delete(f"{PATH}/{missing}").status_code == 404
        assert client.post(f"{PATH}/{missing}/reindex").status_code == 404
    assert client.get(f"{PATH}/x").status_code == 404


def test_a_deleted_source_is_gone_at_once_and_deleting_it_again_is_404(client: APIClient) -> None:
    source = make_source()
    response = client.delete(f"{PATH}/{source.pk}")
    assert (response.status_code, response.content) == (204, b"")
    assert client.delete(f"{PATH}/{source.pk}").status_code == 404
    assert client.get(f"/kb/sources/{source.pk}").status_code == 404
    assert ids(client) == []


def test_a_reindex_is_a_job_that_the_lists_of_jobs_show(client: APIClient) -> None:
    source = make_filed_source(title="A law", filename="law.txt", size=17)
    response = client.post(f"{PATH}/{source.pk}/reindex")
    assert response.status_code == 202
    job = response.json()
    assert (job["reindex"], job["source_id"], job["batch_id"], job["status"]) == (True, source.pk, None, "queued")
    assert (job["filename"], job["size"], job["confirmed"]["title"]) == ("law.txt", 17, "A law")
    assert client.post(f"{PATH}/{source.pk}/reindex").json()["id"] == job["id"]
    assert [one["id"] for one in client.get("/admin/kb/jobs").json()["results"]] == [job["id"]]
    assert client.post(f"{PATH}/{source.pk}/reindex", {"why": "x"}, format="json").status_code == 400


def test_who_may_do_what(db: None) -> None:
    source = make_filed_source()
    methods = {
        "list": lambda client: client.get(PATH),
        "read": lambda client: client.get(f"{PATH}/{source.pk}"),
        "edit": lambda client: patch(client, source, subject="x"),
        "reindex": lambda client: client.post(f"{PATH}/{source.pk}/reindex"),
        "delete": lambda client: client.delete(f"{PATH}/{source.pk}"),
    }

    def statuses(client: APIClient) -> list[int]:
        return [act(client).status_code for act in methods.values()]

    assert statuses(APIClient()) == [401] * 5
    assert statuses(client_with_key(admin=False)) == [403] * 5
    nobody, reviewer, manager = APIClient(), APIClient(), APIClient()
    nobody.force_login(make_staff("nobody", role=None))
    assert statuses(nobody) == [403] * 5
    reviewer.force_login(make_staff("rina", role=REVIEWER))
    assert statuses(reviewer) == [200, 200, 200, 202, 403]
    manager.force_login(make_staff("dana"))
    assert statuses(manager) == [200, 200, 200, 202, 204]


def test_a_pinned_key_sees_and_touches_its_topic_alone() -> None:
    topic = make_topic()
    inside, outside = make_source(topic=topic), make_source()
    pinned = client_with_key(admin=True, topic=topic)
    assert ids(pinned) == [inside.pk]
    assert pinned.get(PATH, {"topic_id": first_topic().pk}).status_code == 403
    assert pinned.get(f"{PATH}/{outside.pk}").status_code == 404
    assert patch(pinned, outside, title="x").status_code == 404
    assert pinned.delete(f"{PATH}/{outside.pk}").status_code == 404
    assert pinned.post(f"{PATH}/{outside.pk}/reindex").status_code == 404
    assert Source.objects.filter(pk=outside.pk, title="A law").exists()
    assert patch(pinned, inside, title="New").status_code == 200
    assert pinned.delete(f"{PATH}/{inside.pk}").status_code == 204


@pytest.mark.django_db(transaction=True)
def test_what_is_deleted_over_the_api_is_found_by_no_search(client: APIClient, tmp_path: Path) -> None:
    source = make_document(tmp_path)
    assert found("דמי איחור") == {source.pk}
    assert client.delete(f"{PATH}/{source.pk}").status_code == 204
    assert client.post("/kb/search", {"query": "דמי איחור"}, format="json").json()["results"] == []
