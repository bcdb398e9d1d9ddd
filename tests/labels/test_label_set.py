"""What the slugs and names of a form lead to."""

import pytest

from labels import naming
from labels.label_set import LabelSet
from tests.factories import first_topic, make_label, make_topic

pytestmark = pytest.mark.django_db


def test_a_name_counts_before_the_slug_of_an_earlier_choice() -> None:
    rent, deposits = make_label("Rent"), make_label("Deposits")
    chosen = LabelSet([rent.slug, "gone"], names=["Deposits", "Keys"])
    assert chosen.resolve(rent.slug) == chosen.resolve(rent.slug, "Rent") == rent
    assert chosen.resolve(rent.slug, "Deposits") == chosen.resolve("", "Deposits") == deposits
    assert chosen.resolve("gone", "Deposits") == deposits
    assert chosen.resolve("gone") is chosen.resolve(rent.slug, "Keys") is chosen.resolve("", "") is None


def test_what_is_known_in_none_of_the_topics_is_no_label() -> None:
    here, there = first_topic(), make_topic()
    label, _made = naming.get_or_create_within([here.pk], "Rent", by="test")
    assert LabelSet([label.slug], within=[here.pk, there.pk]).resolve(label.slug) == label
    assert LabelSet([label.slug], within=[there.pk]).resolve(label.slug) is None
    assert LabelSet([label.slug]).resolve(label.slug) == label
