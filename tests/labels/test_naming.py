"""Finding, making, renaming and deleting labels."""

from functools import partial

import pytest

from kb_project.errors import Invalid, NotFound
from kb_project.models import AuditEntry
from labels import assign, naming
from labels.models import Label, LabelAlias, SourceLabel
from tests.factories import make_label, make_source
from tests.labels.counting import assert_no_slug_is_both_a_label_and_an_alias
from tests.racing import all_done_at_once

pytestmark = pytest.mark.django_db


def entries(action: str) -> list[tuple[str, dict[str, object], dict[str, object]]]:
    return list(AuditEntry.objects.filter(action=action).values_list("by", "before", "after"))


def test_names_of_one_slug_are_one_label_made_once() -> None:
    first, made = naming.get_or_create("Life Insurance", by="dana")
    again, made_again = naming.get_or_create(" life  insurance ", by="omer")
    assert (first, made, made_again) == (again, True, False)
    assert entries("label.create") == [("dana", {}, {"name": "Life Insurance", "slug": "life-insurance"})]


def test_an_alias_leads_to_its_label_and_is_not_made_anew() -> None:
    label = make_label("ביטוח")
    LabelAlias.objects.create(label=label, slug="byttvchym", name="ביטוחים")
    assert naming.find("byttvchym") == label
    assert [naming.get_or_create(name, by="dana") for name in ("ביטוחים", "ביטוח")] == [(label, False)] * 2
    assert Label.objects.count() == 1


@pytest.mark.parametrize("name", ["", "   ", "\x00", "\u202e", "x" * 121])
def test_an_empty_or_endless_name_is_refused(name: str) -> None:
    label = make_label("there")
    with pytest.raises(Invalid) as refused:
        naming.get_or_create(name, by="dana")
    assert list(refused.value.errors) == ["name"]
    with pytest.raises(Invalid):
        naming.rename(label.pk, name, by="dana")
    assert list(Label.objects.values_list("name", flat=True)) == ["there"]


@pytest.mark.parametrize("name", ["x" * 120, "<b>מודגש</b>", "\"מע''מ\" ו'שונות'", "ש" * 120, "%_\\"])
def test_any_other_name_is_kept_as_written(name: str) -> None:
    label, _made = naming.get_or_create(name, by="dana")
    label.refresh_from_db()
    assert label.name == name
    assert naming.get_or_create(name, by="dana") == (label, False)


def test_control_characters_are_left_out_of_a_name() -> None:
    assert naming.get_or_create("דיני\x00\u202e \t\n עבודה", by="dana")[0].name == "דיני עבודה"


def test_a_renamed_label_answers_to_its_former_name() -> None:
    label = make_label("ביטוח")
    renamed = naming.rename(label.pk, "דיני ביטוח", by="dana")
    assert (renamed.pk, renamed.name, renamed.slug) == (label.pk, "דיני ביטוח", "dyny-byttvch")
    assert naming.get_or_create("ביטוח", by="omer") == (label, False)
    assert [(alias.slug, alias.name) for alias in renamed.aliases.all()] == [("byttvch", "ביטוח")]
    assert entries("label.rename") == [
        ("dana", {"name": "ביטוח", "slug": "byttvch"}, {"name": "דיני ביטוח", "slug": "dyny-byttvch"})
    ]


def test_a_label_may_take_a_former_name_back() -> None:
    label = make_label("first")
    naming.rename(label.pk, "second", by="dana")
    naming.rename(label.pk, "first", by="dana")
    label.refresh_from_db()
    assert label.slug == "first"
    assert [alias.slug for alias in label.aliases.all()] == ["second"]
    assert_no_slug_is_both_a_label_and_an_alias()


def test_a_name_of_the_same_slug_changes_the_name_alone() -> None:
    label = make_label("life insurance")
    naming.rename(label.pk, "Life Insurance", by="dana")
    label.refresh_from_db()
    assert (label.name, label.slug, label.aliases.count()) == ("Life Insurance", "life-insurance", 0)
    naming.rename(label.pk, "Life Insurance", by="dana")
    assert entries("label.rename") == [("dana", {"name": "life insurance"}, {"name": "Life Insurance"})]


@pytest.mark.parametrize("taken", ["Insurance", "Assurance"])
def test_a_name_of_another_label_is_refused_to_be_merged(taken: str) -> None:
    other, label = make_label("Insurance"), make_label("ביטוח")
    LabelAlias.objects.create(label=other, slug="assurance", name="Assurance")
    with pytest.raises(Invalid, match="Insurance") as refused:
        naming.rename(label.pk, taken, by="dana")
    assert list(refused.value.errors) == ["name"]
    assert refused.value.extra == {"label_id": other.pk}
    label.refresh_from_db()
    assert label.slug == "byttvch"
    assert entries("label.rename") == []


def test_an_unused_label_is_deleted_with_its_aliases() -> None:
    label = make_label("ביטוח")
    naming.rename(label.pk, "דיני ביטוח", by="dana")
    naming.delete(label.pk, by="dana")
    assert not Label.objects.exists()
    assert not LabelAlias.objects.exists()
    before = {"name": "דיני ביטוח", "slug": "dyny-byttvch", "aliases": ["ביטוח"]}
    assert entries("label.delete") == [("dana", before, {})]


def test_a_label_in_use_is_not_deleted() -> None:
    label = make_label("ביטוח")
    assign.add(make_source(), [label], by="dana")
    with pytest.raises(naming.LabelInUse) as refused:
        naming.delete(label.pk, by="dana")
    assert (refused.value.status, refused.value.code, refused.value.extra) == (409, "label_in_use", {"usage_count": 1})
    assert SourceLabel.objects.count() == 1
    # Even when its count has gone wrong: no assignment is lost.
    Label.objects.update(usage_count=0)
    with pytest.raises(naming.LabelInUse):
        naming.delete(label.pk, by="dana")
    assert entries("label.delete") == []


def test_a_label_that_is_not_there_can_be_neither_renamed_nor_deleted() -> None:
    with pytest.raises(NotFound):
        naming.rename(10**30, "x", by="dana")
    with pytest.raises(NotFound):
        naming.delete(1, by="dana")


@pytest.fixture
def headquarters() -> Label:
    """A label whose older slug is that of another name by now."""
    label = make_label("מטה")
    LabelAlias.objects.create(label=label, slug="mth", name="מטה")
    return label


def test_a_new_label_takes_its_slug_from_an_alias_that_has_another_name(headquarters: Label) -> None:
    assert naming.find("mth") == headquarters
    assert naming.find_named("מת") is None
    dead, made = naming.get_or_create("מת", by="dana")
    assert (made, dead.slug) == (True, "mth")
    assert naming.find("mth") == naming.find_named("מת") == naming.get_or_create("מת", by="dana")[0] == dead
    assert naming.find("mtth") == naming.get_or_create("מטה", by="dana")[0] == headquarters
    assert_no_slug_is_both_a_label_and_an_alias()


@pytest.mark.parametrize("own", [False, True])
def test_a_renamed_label_takes_its_slug_from_an_alias(headquarters: Label, own: bool) -> None:
    label = headquarters if own else make_label("dead")
    renamed = naming.rename(label.pk, "מת", by="dana")
    assert naming.find("mth") == renamed
    assert [alias.slug for alias in renamed.aliases.all()] == ["mtth" if own else "dead"]
    assert_no_slug_is_both_a_label_and_an_alias()


@pytest.mark.django_db(transaction=True)
def test_twenty_who_name_the_same_new_label_at_once_get_one() -> None:
    name = partial(naming.get_or_create, "רישוי עסקים", by="dana")
    ids = [label.pk for label, _ in all_done_at_once([name] * 20)]
    assert len(set(ids)) == 1
    assert len(entries("label.create")) == 1
