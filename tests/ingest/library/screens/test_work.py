"""`/library/{source}/work/`: what a source is a version of, and the versions that its page and the list show."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from kb_project.models import AuditEntry
from sources.models import Source
from tests.factories import make_source, make_staff, make_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db
BOTH = [date(2015, 3, 1), date(2018, 1, 1)]


@pytest.fixture
def versions() -> list[Source]:
    first = make_source(title="Books Act", valid_from=BOTH[0], valid_to=BOTH[1])
    return [first, make_source(title="Books Act", work_id=first.work_id, valid_from=BOTH[1])]


def url(source: Source) -> str:
    return f"/library/{source.pk}/work/"


def offered(client: Client, source: Source, **query: str) -> list[int]:
    return [one.pk for one, _chosen in client.get(url(source), query).context["offered"]]


def send(client: Client, source: Source, **values: Any) -> Any:
    return client.post(url(source), {"valid_from": "", "valid_to": "", **values})


def test_other_works_are_offered_by_their_last_version(staff_client: Client, versions: list[Source]) -> None:
    same = make_source(title="Books Act")
    other = make_source(title="Harbours Act", identifier="H-1")
    make_source(title="Books Act", topic=make_topic())
    assert offered(staff_client, versions[0]) == [same.pk]
    assert offered(staff_client, same) == [versions[1].pk]
    assert offered(staff_client, same, q="act") == [versions[1].pk, other.pk]
    assert offered(staff_client, same, q="h-1") == [other.pk]
    assert offered(staff_client, same, q="nothing") == []
    for number in range(30):
        make_source(title=f"Fees Act {number}")
    page = staff_client.get(url(same), {"q": "fees"})
    assert len(page.context["offered"]) == 20
    assert "More documents fit" in page.content.decode()


def test_a_source_is_moved_to_another_work_with_its_days(staff_client: Client, versions: list[Source]) -> None:
    source = make_source(title="Books Act (as amended)")
    sent = send(staff_client, source, version_of=versions[0].pk, valid_from="2021-07-01")
    assert (sent.status_code, sent["Location"]) == (302, f"/library/{source.pk}/")
    source.refresh_from_db()
    assert (source.work_id, source.valid_from) == (versions[0].work_id, date(2021, 7, 1))
    page = staff_client.get(f"/library/{source.pk}/").content.decode()
    assert page.count('<ol class="version-list">') == 1
    assert all(f'href="/library/{one.pk}/"' in page for one in versions)
    assert "Made a version of another document" in page
    listed = staff_client.get("/library/").content.decode()
    assert listed.count('class="days superseded"') == 2
    assert listed.count('class="days in_force"') == 1


def test_what_does_not_fit_is_refused_and_nothing_typed_is_lost(staff_client: Client, versions: list[Source]) -> None:
    source = make_source(title="Another")
    sent = send(staff_client, source, version_of=versions[0].pk, valid_from="2018-01-01", q="boo")
    text = sent.content.decode()
    assert sent.status_code == 409
    assert f'href="/library/{versions[1].pk}/"' in text
    assert 'value="2018-01-01"' in text
    assert 'value="boo"' in text
    assert sent.context["offered"][0] == (versions[0], True)
    for values in ({}, {"version_of": "x"}, {"version_of": versions[0].pk, "valid_from": "yesterday"}):
        assert send(staff_client, source, **values).status_code == 400
    wrong = {"version_of": versions[0].pk, "valid_from": "2020-01-01", "valid_to": "2020-01-01"}
    assert send(staff_client, source, **wrong).status_code == 400
    assert send(staff_client, source, version_of=2**62).status_code == 400
    assert not AuditEntry.objects.exists()


def test_a_version_is_split_off_and_two_works_join_with_their_days(
    staff_client: Client, versions: list[Source]
) -> None:
    first, second = versions
    send(staff_client, second, split="1", valid_from="2018-01-01", version_of="")
    for one in versions:
        one.refresh_from_db()
    assert first.work_id != second.work_id
    assert (first.valid_to, second.valid_from) == (None, BOTH[1])
    assert "It is the only version." in staff_client.get(f"/library/{second.pk}/").content.decode()
    sent = send(staff_client, second, all="1", version_of=first.pk, valid_from="1999-01-01")
    assert sent.status_code == 302
    for one in versions:
        one.refresh_from_db()
    assert first.work_id == second.work_id
    assert (first.valid_to, second.valid_from) == (BOTH[1], BOTH[1])


def test_who_may_not_edit_changes_nothing(client: Client, versions: list[Source]) -> None:
    assert client.get(url(versions[0]))["Location"].startswith("/sign-in/")
    client.force_login(make_staff(role=None))
    assert client.get(url(versions[0])).status_code == 403
    assert send(client, versions[1], split="1").status_code == 403
    assert Source.objects.filter(work_id=versions[0].work_id).count() == 2


def test_the_api_moves_splits_and_joins(versions: list[Source]) -> None:
    first, second = versions
    key = client_with_key(admin=True)
    source = make_source(title="Another")

    def patch(source: Source, **body: Any) -> Any:
        return key.patch(f"/admin/kb/sources/{source.pk}", body, format="json")

    moved = patch(source, version_of=first.pk, valid_from="2021-07-01")
    assert (moved.status_code, moved.json()["work_id"]) == (200, first.work_id)
    assert key.get(f"/admin/kb/sources/{second.pk}").json()["valid_to"] == "2021-07-01"
    refused = patch(make_source(), version_of=first.pk, valid_from="2021-07-01").json()
    assert (refused["status"], refused["code"], refused["source_id"]) == (409, "version_overlap", source.pk)
    split = patch(source, version_of=None).json()
    assert split["work_id"] != first.work_id
    joined = key.post(f"/admin/kb/sources/{first.pk}/join", {"version_of": source.pk}, format="json")
    assert (joined.status_code, joined.json()["work_id"]) == (200, split["work_id"])
    versions_of = key.get(f"/kb/works/{split['work_id']}").json()["versions"]
    assert [one["id"] for one in versions_of] == [first.pk, second.pk, source.pk]
    elsewhere = make_source(topic=make_topic())
    for path in (f"/admin/kb/sources/{first.pk}/join", f"/admin/kb/sources/{2**62}/join"):
        body = {"version_of": elsewhere.pk}
        assert key.post(path, body, format="json").status_code == (404 if str(2**62) in path else 400)
    assert "version_of" in patch(first, version_of=elsewhere.pk).json()["errors"]
    wrong: tuple[dict[str, Any], ...] = ({}, {"version_of": None}, {"version_of": 2**70})
    for given in wrong:
        assert key.post(f"/admin/kb/sources/{first.pk}/join", given, format="json").status_code == 400
