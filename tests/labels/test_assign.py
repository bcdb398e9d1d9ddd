"""Naming and assigning labels; the counts are right after any interleaving."""

from __future__ import annotations

import random
import threading

import pytest
from django.db import connection
from django.db.models import Count

from kb_project.errors import Invalid
from labels import assign
from labels.models import Label, LabelAlias
from tests.factories import make_label, make_source


def assert_counts_are_right() -> None:
    wrong = [
        (label.slug, label.usage_count, label.real)
        for label in Label.objects.annotate(real=Count("assignments"))
        if label.usage_count != label.real
    ]
    assert wrong == []


@pytest.mark.django_db
def test_names_of_one_slug_are_one_label() -> None:
    first, made = assign.get_or_create("Life Insurance")
    again, made_again = assign.get_or_create(" life  insurance ")
    assert (first, made, made_again) == (again, True, False)


@pytest.mark.django_db
def test_an_alias_leads_to_its_label_and_is_not_made_anew() -> None:
    label = make_label("ביטוח")
    LabelAlias.objects.create(label=label, slug="bytvchym", name="ביטוחים")
    assert assign.resolve(["bytvchym", "ביטוחים", "ביטוח"]) == [label]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "   ", "\x00", "x" * 121])
def test_an_empty_or_endless_name_is_refused(name: str) -> None:
    with pytest.raises(Invalid):
        assign.get_or_create(name)


@pytest.mark.django_db
def test_adding_twice_counts_once_and_replacing_counts_both_ways() -> None:
    source, a, b = make_source(), make_label("a"), make_label("b")
    assert assign.add(source, [a]) == 1
    assert assign.add(source, [a, b]) == 1
    assert_counts_are_right()
    assign.replace(source, [b])
    assert list(source.labels.all()) == [b]
    assert_counts_are_right()
    assign.replace(source, [])
    assert not source.labels.exists()
    assert_counts_are_right()


@pytest.mark.django_db(transaction=True)
def test_counts_are_right_after_adding_and_replacing_from_many_threads() -> None:
    sources = [make_source() for _ in range(10)]
    labels = [make_label(f"label {number}") for number in range(6)]
    errors: list[Exception] = []

    def shuffle(seed: int) -> None:
        chance = random.Random(seed)
        try:
            for _ in range(25):
                chosen = chance.sample(labels, chance.randint(0, 4))
                chance.choice([assign.add, assign.replace])(chance.choice(sources), chosen)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=shuffle, args=[seed]) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []
    assert_counts_are_right()


@pytest.mark.django_db(transaction=True)
def test_twenty_who_name_the_same_new_label_at_once_get_one() -> None:
    barrier, ids = threading.Barrier(20), []

    def name() -> None:
        barrier.wait(10)
        try:
            ids.append(assign.get_or_create("רישוי עסקים")[0].pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=name) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(ids) == 20
    assert len(set(ids)) == 1
