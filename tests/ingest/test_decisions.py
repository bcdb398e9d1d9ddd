"""Labels of a decision."""

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from ingest.decisions import LabelChoice, get_or_create_labels, resolve
from labels.models import Label, LabelAlias
from tests.factories import make_label

pytestmark = pytest.mark.django_db


def test_new_names_are_resolved_in_the_order_given() -> None:
    old = make_label("middle")
    with transaction.atomic():
        labels = resolve([LabelChoice(name=name) for name in ("zebra", "middle", "apple", "zebra")], by="dana")
    assert [label.name for label in labels] == ["zebra", "middle", "apple"]
    assert labels[1] == old


def test_labels_are_found_by_their_names_with_as_many_queries_for_one_as_for_many(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    made = [make_label(name) for name in ("Rent", "Bees", "מטה")]
    choices = [{"slug": label.slug, "name": label.name} for label in made]
    for some in (choices[:1], choices):
        with transaction.atomic(), django_assert_num_queries(2):  # the lock, and the labels
            found = get_or_create_labels({"labels": some}, by="dana")
        with transaction.atomic(), django_assert_num_queries(2):
            chosen = resolve([LabelChoice(name=choice["name"]) for choice in some], by="dana")
    assert {label.pk for label in found} == {label.pk for label in made}
    assert chosen == made


def test_a_name_is_not_led_by_an_alias_whose_own_name_has_another_slug_by_now() -> None:
    headquarters = make_label("מטה")
    LabelAlias.objects.create(label=headquarters, slug="mth", name="מטה")
    with transaction.atomic():
        [found] = get_or_create_labels({"labels": [{"slug": "mth", "name": "mth"}]}, by="dana")
    assert (found.name, found.slug) == ("mth", "mth")
    assert Label.objects.count() == 2
