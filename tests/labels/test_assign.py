"""Putting labels on sources and taking them off; the counts are right after any interleaving."""

from copy import copy

import pytest
from django.db import transaction

from kb_project.errors import Invalid, NotFound
from kb_project.models import AuditEntry
from labels import assign, naming
from labels.models import Label
from tests.factories import make_label, make_source
from tests.labels.counting import assert_counts_are_right

pytestmark = pytest.mark.django_db


def test_adding_twice_counts_once_and_replacing_counts_both_ways() -> None:
    source, a, b = make_source(), make_label("a"), make_label("b")
    assert assign.add(source, [a], by="dana") == 1
    assert assign.add(source, [a, b], by="dana") == 1
    assert_counts_are_right()
    assign.replace(source, [b], by="dana")
    assert list(source.labels.all()) == [b]
    assert_counts_are_right()
    assign.replace(source, [], by="dana")
    assert not source.labels.exists()
    assert_counts_are_right()


def test_removing_takes_off_what_is_there_and_no_more() -> None:
    source, other, a, b = make_source(), make_source(), make_label("a"), make_label("b")
    assign.add(source, [a], by="dana")
    assign.add(other, [a, b], by="dana")
    assert assign.remove(source, [a, b], by="dana") == 1
    assert not source.labels.exists()
    assert other.labels.count() == 2
    assert_counts_are_right()


def test_many_sources_change_in_one_transaction_each_with_its_entry() -> None:
    first, second, third = make_source(), make_source(), make_source()
    a, b = make_label("a"), make_label("b")
    assign.add(first, [a, b], by="test")
    assign.add(second, [a], by="test")
    ids = [first.pk, second.pk, third.pk, 999_999]
    assert assign.add_to_all(ids, [a, b], by="dana") == (3, 2)
    assert assign.add_to_all(ids, [a, b], by="dana") == (3, 0)
    assert {source.labels.count() for source in (first, second, third)} == {2}
    assert_counts_are_right()
    assert assign.remove_from_all([first.pk, third.pk], [a], by="dana") == (2, 2)
    assert list(second.labels.all()) == [a, b]
    assert_counts_are_right()
    entries = AuditEntry.objects.filter(by="dana", action="source.labels").order_by("id")
    assert [(entry.object_id, entry.after["labels"]) for entry in entries] == [
        (str(second.pk), ["a", "b"]),
        (str(third.pk), ["a", "b"]),
        (str(first.pk), ["b"]),
        (str(third.pk), ["b"]),
    ]


def test_each_change_is_written_down_with_set_before_and_after() -> None:
    source, a, b = make_source(), make_label("a"), make_label("b")
    assign.add(source, [b], by="dana")
    assign.add(source, [b], by="nobody: nothing changes")
    assign.replace(source, [a], by="omer")
    assign.replace(source, [a], by="nobody: nothing changes")
    assign.remove(source, [a], by="noa")
    entries = AuditEntry.objects.filter(action="source.labels").order_by("id")
    assert list(entries.values_list("by", "before", "after")) == [
        ("dana", {"labels": []}, {"labels": ["b"]}),
        ("omer", {"labels": ["b"]}, {"labels": ["a"]}),
        ("noa", {"labels": ["a"]}, {"labels": []}),
    ]
    assert {(entry.object_id, entry.topic_id) for entry in entries} == {(str(source.pk), source.topic_id)}


def test_a_new_sources_first_labels_are_left_to_the_history_of_its_job() -> None:
    source, a = make_source(), make_label("a")
    assign.start_with(source, [a])
    assert list(source.labels.all()) == [a]
    assert_counts_are_right()
    assert not AuditEntry.objects.filter(action="source.labels").exists()


def test_releasing_takes_all_labels_off_and_names_them() -> None:
    source = make_source()
    assign.start_with(source, [make_label("b"), make_label("a")])
    assert assign.release(source) == ["a", "b"]
    assert not source.labels.exists()
    assert_counts_are_right()
    assert not AuditEntry.objects.filter(action="source.labels").exists()


def test_a_label_merged_since_it_was_read_is_the_one_it_was_merged_into() -> None:
    read_before, target = make_label("old"), make_label("new")
    added, replaced, removed = make_source(), make_source(), make_source()
    assign.add(removed, [read_before, target], by="dana")
    naming.merge(read_before.pk, target.pk, by="dana")
    assign.add(added, [copy(read_before), target], by="dana")
    assign.replace(replaced, [copy(read_before)], by="dana")
    assign.remove(removed, [copy(read_before)], by="dana")
    assert [list(source.labels.all()) for source in (added, replaced, removed)] == [[target], [target], []]
    assert_counts_are_right()


def test_a_label_deleted_meanwhile_is_refused() -> None:
    source, kept, deleted = make_source(), make_label("kept"), make_label("deleted")
    assign.add(source, [kept], by="dana")
    naming.delete(deleted.pk, by="dana")
    for change in (assign.add, assign.replace):
        with pytest.raises(Invalid, match="deleted"):
            change(source, [deleted], by="dana")
    assert assign.remove(source, [deleted], by="dana") == 0
    assert list(source.labels.all()) == [kept]
    assert_counts_are_right()


def test_a_source_that_is_gone_is_refused() -> None:
    source, label = make_source(), make_label("a")
    gone = copy(source)
    source.delete()
    for change in (assign.add, assign.replace, assign.remove):
        with pytest.raises(NotFound):
            change(gone, [label], by="dana")
    assert Label.objects.get().usage_count == 0


def test_a_change_undone_leaves_neither_a_count_nor_an_entry() -> None:
    source, label = make_source(), make_label("a")
    with transaction.atomic():
        assign.add(source, [label], by="dana")
        transaction.set_rollback(True)
    assert Label.objects.get().usage_count == 0
    assert not AuditEntry.objects.filter(action="source.labels").exists()
