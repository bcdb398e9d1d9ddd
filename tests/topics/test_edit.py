"""Topics are made and edited with an audit entry; a slug once given to a topic stays its own."""

from functools import partial

import pytest

from kb_project.errors import Invalid, NotFound, UnknownParameter
from kb_project.models import AuditEntry
from sources.kinds import SourceKind
from tests.factories import make_topic
from tests.racing import at_once
from topics.edit import create, edit
from topics.models import MAX_ADDENDUM_LENGTH, FormerSlug, Topic

pytestmark = pytest.mark.django_db


def test_a_new_topic_is_written_down() -> None:
    topic = create(name="Tax", slug="tax", by="dana")
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.action, entry.topic_id) == ("dana", "topic.create", topic.pk)
    assert entry.after == {"name": "Tax", "slug": "tax", "system_prompt_addendum": "", "open_to": "everybody"}


def test_an_edit_keeps_what_was_not_named_and_writes_down_what_changed() -> None:
    topic = create(name="Tax", slug="tax", system_prompt_addendum="Be brief.", by="dana")
    edited = edit(topic.pk, {"name": "מס", "slug": "tax"}, by="miri")
    assert (edited.name, edited.slug, edited.system_prompt_addendum) == ("מס", "tax", "Be brief.")
    entry = AuditEntry.objects.get(action="topic.edit")
    assert (entry.by, entry.before, entry.after) == ("miri", {"name": "Tax"}, {"name": "מס"})
    assert not FormerSlug.objects.exists()


def test_an_edit_that_changes_nothing_is_not_written_down() -> None:
    edit(1, {"slug": "general"}, by="miri")
    edit(1, {}, by="miri")
    assert not AuditEntry.objects.exists()


def test_a_topic_keeps_its_former_slugs_and_may_take_one_back() -> None:
    topic = make_topic(slug="one")
    edit(topic.pk, {"slug": "two"}, by="dana")
    edit(topic.pk, {"slug": "three"}, by="dana")
    assert Topic.objects.get(pk=topic.pk).slugs() == ["three", "two", "one"]
    edit(topic.pk, {"slug": "one"}, by="dana")
    assert Topic.objects.get(pk=topic.pk).slugs() == ["one", "three", "two"]


def test_a_slug_that_another_topic_has_or_had_is_refused() -> None:
    other = make_topic(slug="first")
    edit(other.pk, {"slug": "second"}, by="dana")
    mine = make_topic(slug="mine")
    for slug in ("first", "second"):
        with pytest.raises(Invalid) as refused:
            edit(mine.pk, {"slug": slug}, by="dana")
        assert list(refused.value.errors) == ["slug"]
        with pytest.raises(Invalid):
            create(name="New", slug=slug, by="dana")
    assert Topic.objects.get(pk=mine.pk).slug == "mine"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "  "),
        ("name", "\u200f\u200e"),
        ("name", "a\nb"),
        ("name", "a\u2028b"),
        ("name", "x" * 201),
        ("slug", ""),
        ("slug", "../x"),
        ("slug", "a b"),
        ("slug", "מס"),
        ("slug", "x\n"),
        ("slug", "x" * 51),
        ("system_prompt_addendum", "x" * (MAX_ADDENDUM_LENGTH + 1)),
    ],
)
def test_what_cannot_be_is_refused_by_field(field: str, value: str) -> None:
    with pytest.raises(Invalid) as refused:
        edit(1, {field: value}, by="dana")
    assert list(refused.value.errors) == [field]
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("slug", ["Tax", "TAX", *SourceKind.values])
def test_a_new_slug_is_in_small_letters_and_no_kind_of_document(slug: str) -> None:
    with pytest.raises(Invalid) as refused:
        create(name="Tax", slug=slug, by="dana")
    assert list(refused.value.errors) == ["slug"]
    with pytest.raises(Invalid):
        edit(1, {"slug": slug}, by="dana")
    before = make_topic(slug=slug)  # one that has it already
    assert edit(before.pk, {"name": "Taxes"}, by="dana").slug == slug


def test_what_is_no_topic_or_no_field_is_refused() -> None:
    with pytest.raises(NotFound):
        edit(999, {"name": "x"}, by="dana")
    with pytest.raises(UnknownParameter):
        edit(1, {"id": 7}, by="dana")


@pytest.mark.django_db(transaction=True)
def test_of_several_for_one_slug_at_once_one_gets_it() -> None:
    outcomes = at_once([partial(create, name=f"Topic {number}", slug="wanted", by="dana") for number in range(4)])
    assert sorted(type(outcome) is Invalid for outcome in outcomes) == [False, True, True, True]
