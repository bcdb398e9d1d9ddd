"""Wrong counts of labels and slugs that are taken twice are found and mended."""

import pytest

from labels import assign
from labels.models import Label, LabelAlias
from tests.factories import make_label, make_source
from tests.integrity import damage, found, mended

pytestmark = pytest.mark.django_db


def test_a_wrong_usage_count_is_found_and_counted_again() -> None:
    right, wrong, unused = make_label("right"), make_label("Not right"), make_label("unused")
    for _ in range(2):
        assign.add(make_source(), [right, wrong], by="test")
    assert found("label_counts") == {}
    damage("UPDATE kb_label SET usage_count = 7 WHERE id = %s", wrong.pk)
    damage("UPDATE kb_label SET usage_count = 1 WHERE id = %s", unused.pk)
    sentences = found("label_counts")
    assert list(sentences) == [f"label {wrong.pk} (Not right)", f"label {unused.pk} (unused)"]
    assert sentences[f"label {wrong.pk} (Not right)"] == "It is on 2 sources and says 7."
    assert mended("label_counts").remaining == 0
    assert dict(Label.objects.values_list("slug", "usage_count")) == {"right": 2, "not-right": 2, "unused": 0}


def test_an_alias_with_the_slug_of_a_label_is_found_and_dropped() -> None:
    label, other = make_label("water"), make_label("rivers")
    kept = LabelAlias.objects.create(label=other, slug="streams", name="Streams")
    assert found("label_slugs") == {}
    damage("INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, 'water', 'Water')", other.pk)
    taken = LabelAlias.objects.get(slug="water")
    assert found("label_slugs") == {
        f"alias {taken.pk} (Water)": f"It is to lead to label {other.pk}, but label {label.pk} has that slug."
    }
    assert mended("label_slugs").remaining == 0
    assert list(LabelAlias.objects.all()) == [kept]
