"""The label chooser's options: what fits, in which order, and when a new label is offered."""

import pytest
from django.test import Client

from labels.models import Label, LabelAlias
from labels.screens.labels import find_options
from tests.factories import make_label

pytestmark = pytest.mark.django_db


def names(typed: str) -> list[str]:
    return [option.name for option in find_options(typed)[0]]


def test_labels_are_found_by_name_and_slug_most_used_first() -> None:
    make_label("ביטוח חיים")
    make_label("חוזה ביטוח")
    Label.objects.filter(pk=make_label("ביטוח רכב").pk).update(usage_count=7)
    assert names("ביטוח") == ["ביטוח רכב", "ביטוח חיים", "חוזה ביטוח"]
    assert names("byttvch") == ["ביטוח רכב", "ביטוח חיים", "חוזה ביטוח"]
    assert names("רכב") == ["ביטוח רכב"]
    assert names("100%") == []


def test_an_alias_leads_to_its_label_and_is_shown() -> None:
    label = make_label("הגנת הצרכן")
    LabelAlias.objects.create(label=label, slug="consumers", name="Consumers")
    option = find_options("consum")[0][0]
    assert (option.slug, option.name, option.alias) == (label.slug, "הגנת הצרכן", "Consumers")
    assert find_options("consumers")[1] is True


def test_creating_is_offered_last_and_only_for_what_is_not_there(staff_client: Client) -> None:
    make_label("Insurance")
    page = staff_client.get("/labels/options/", {"q": "insur"}).content.decode()
    assert page.index("slug:insurance") < page.index("name:insur")
    assert "name:" not in staff_client.get("/labels/options/", {"q": "INSURANCE"}).content.decode()
    page = staff_client.get("/labels/options/", {"q": "<b>חדש</b>"}).content.decode()
    assert page.index("No label like this yet") < page.index("name:&lt;b&gt;חדש&lt;/b&gt;")
    assert "name:" not in staff_client.get("/labels/options/").content.decode()


def test_strangers_see_no_labels(client: Client) -> None:
    assert client.get("/labels/options/", {"q": "a"}).status_code == 302
