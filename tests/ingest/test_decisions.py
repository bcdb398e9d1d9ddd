"""Labels of a decision."""

import pytest
from django.db import transaction

from ingest.decisions import LabelChoice, resolve
from tests.factories import make_label


@pytest.mark.django_db
def test_new_names_are_resolved_in_the_order_given() -> None:
    old = make_label("middle")
    with transaction.atomic():
        labels = resolve([LabelChoice(name=name) for name in ("zebra", "middle", "apple", "zebra")], by="dana")
    assert [label.name for label in labels] == ["zebra", "middle", "apple"]
    assert labels[1] == old
