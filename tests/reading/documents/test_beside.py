"""`/documents/{id}/beside/`: a provision beside another one, that is named by its citation or its address."""

import pytest
from django.test import Client

from sources.models import Source
from tests.factories import make_topic
from tests.search.corpus import add_document
from topics.models import OpenTo

pytestmark = pytest.mark.django_db
HOISTS = "Hoists Act 1990\n1. Definitions\nA hoist is a lift.\n2. Inspection\nA hoist is inspected each year."
SHEDS = "Sheds Act 1991\n1. Height\nA shed is no higher than two metres."


@pytest.fixture
def acts(db: None) -> tuple[Source, Source]:
    hoists = add_document(HOISTS, title="Hoists Act 1990", kind="law")
    return hoists, add_document(SHEDS, title="Sheds Act 1991", kind="law")


def test_the_second_is_named_by_its_citation(client: Client, acts: tuple[Source, Source]) -> None:
    hoists, sheds = acts
    page = f"/documents/{hoists.pk}/beside/"
    alone = client.get(page, {"eid": "sec_2"})
    assert "inspected each year" in alone.content.decode()
    for words, other in (("section 1 of the Sheds Act 1991", sheds), ("section 1", hoists)):
        answer = client.get(page, {"eid": "sec_2", "q": words}, follow=True)
        assert answer.redirect_chain == [(f"{page}?eid=sec_2&other={other.pk}&other_eid=sec_1", 302)]
        assert [one.source.pk for one in answer.context["columns"]] == [hoists.pk, other.pk]
    assert (
        "no higher than two metres" in client.get(f"{page}?eid=sec_2&other={sheds.pk}&other_eid=sec_1").content.decode()
    )


def test_what_is_not_there_is_said_so(client: Client, acts: tuple[Source, Source]) -> None:
    hoists, _sheds = acts
    page = f"/documents/{hoists.pk}/beside/"
    assert client.get(page).status_code == 404
    assert client.get(page, {"eid": "sec_9"}).status_code == 404
    unknown = client.get(page, {"eid": "sec_2", "q": "section 77 of the Moon Act"})
    assert len(unknown.context["columns"]) == 1
    assert "No single provision" in unknown.content.decode()
    gone = client.get(f"{page}?eid=sec_2&other={hoists.pk}&other_eid=x")
    assert "not here any more" in gone.content.decode()


def test_a_provision_of_a_hidden_topic_is_not_shown(client: Client, acts: tuple[Source, Source]) -> None:
    hoists, _sheds = acts
    topic = make_topic(name="Sealed")
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    hidden = add_document("Secret Act 1999\n1. Secret\nNobody knows.", title="Secret Act 1999", topic=topic)
    page = f"/documents/{hoists.pk}/beside/"
    by_place: dict[str, str | int] = {"other": hidden.pk, "other_eid": "sec_1"}
    by_citation: dict[str, str | int] = {"q": "section 1 of the Secret Act 1999"}
    for asked in (by_place, by_citation):
        assert "Nobody knows" not in client.get(page, {"eid": "sec_2", **asked}, follow=True).content.decode()
