"""Merging labels: assignments, counts, names and what is written down."""

from collections.abc import Callable
from typing import Any

import pytest

from kb_project.errors import Invalid, NotFound
from kb_project.models import AuditEntry
from labels import assign, naming
from labels.models import Label, LabelAlias, SourceLabel
from labels.naming import merge, preview
from tests.factories import make_label, make_source
from tests.labels.counting import assert_counts_are_right, assert_no_slug_is_both_a_label_and_an_alias

pytestmark = pytest.mark.django_db


def merged_pair() -> tuple[Label, Label]:
    """Labels on three and two sources, of which one carries both; the first has an alias."""
    label, target = make_label("שכירות"), make_label("דיור")
    LabelAlias.objects.create(label=label, slug="rent", name="Rent")
    for labels in ([label], [label], [label, target], [target]):
        assign.add(make_source(), labels, by="setup")
    return label, target


def test_assignments_move_and_doubles_fall_together() -> None:
    label, target = merged_pair()
    merged = merge(label.pk, target.pk, by="dana")
    assert (merged.pk, merged.usage_count) == (target.pk, 4)
    assert set(SourceLabel.objects.values_list("label_id", flat=True)) == {target.pk}
    assert SourceLabel.objects.count() == 4
    assert not Label.objects.filter(pk=label.pk).exists()
    assert_counts_are_right()


def test_all_former_names_lead_to_the_target() -> None:
    label, target = merged_pair()
    merge(label.pk, target.pk, by="dana")
    for name in ("שכירות", "Rent", "rent"):
        assert naming.get_or_create(name, by="omer") == (target, False)
    assert set(target.aliases.values_list("slug", "name")) == {("rent", "Rent"), ("shkyrvth", "שכירות")}
    assert_no_slug_is_both_a_label_and_an_alias()


def test_merges_may_follow_each_other() -> None:
    first, second, third = (make_label(name) for name in ("first", "second", "third"))
    merge(first.pk, second.pk, by="dana")
    merge(second.pk, third.pk, by="dana")
    assert {naming.find(slug) for slug in ("first", "second", "third")} == {third}


def test_the_preview_says_what_the_merge_then_does() -> None:
    label, target = merged_pair()
    seen = preview(label.pk, target.pk)
    assert (seen.label, seen.target, seen.moving, seen.already) == (label, target, 2, 1)
    assert seen.aliases == ["שכירות", "Rent"]
    assert Label.objects.count() == 2
    merge(label.pk, target.pk, by="dana")
    assert set(target.aliases.values_list("name", flat=True)) == set(seen.aliases)
    assert SourceLabel.objects.filter(label=target).count() == 2 + seen.moving


def test_a_merge_leaves_one_entry_that_says_what_went_where() -> None:
    label, target = merged_pair()
    merge(label.pk, target.pk, by="dana")
    entry = AuditEntry.objects.get(action="label.merge")
    assert (entry.by, entry.object_id, entry.object_name) == ("dana", str(label.pk), "שכירות")
    assert entry.before == {
        "name": "שכירות",
        "slug": "shkyrvth",
        "usage_count": 3,
        "aliases": ["Rent"],
        "target_usage_count": 2,
    }
    assert entry.after == {
        "target_id": target.pk,
        "target": "דיור",
        "moved": 2,
        "already": 1,
        "target_usage_count": 4,
    }


@pytest.mark.parametrize("verb", [preview, lambda label_id, target_id: merge(label_id, target_id, by="dana")])
def test_a_label_is_not_merged_with_itself_or_with_what_is_not_there(verb: Callable[[int, int], object]) -> None:
    label = make_label("שכירות")
    with pytest.raises(Invalid) as itself:
        verb(label.pk, label.pk)
    assert list(itself.value.errors) == ["target_id"]
    with pytest.raises(NotFound) as no_target:
        verb(label.pk, 10**30)
    assert list(no_target.value.errors) == ["target_id"]
    with pytest.raises(NotFound):
        verb(0, label.pk)
    with pytest.raises(NotFound):
        verb(0, 0)
    assert Label.objects.count() == 1
    assert not AuditEntry.objects.filter(action="label.merge").exists()


def test_number_of_statements_does_not_grow_with_the_sources(django_assert_max_num_queries: Any) -> None:
    label, target = make_label("a"), make_label("b")
    for number in range(30):
        assign.start_with(make_source(), [label, target] if number % 3 else [label])
    with django_assert_max_num_queries(18):
        merge(label.pk, target.pk, by="dana")
    assert_counts_are_right()
