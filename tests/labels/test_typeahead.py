"""Which labels fit what is typed, and in which order."""

import pytest

from labels import assign
from labels.models import Label, LabelAlias
from labels.topic_labels import matching
from tests.factories import make_label, make_source

pytestmark = pytest.mark.django_db


def names(q: str) -> list[str]:
    return [label.name for label in matching(q, queryset=Label.objects.all())]


def use(label: Label, times: int) -> None:
    for _ in range(times):
        assign.start_with(make_source(), [label])


def test_exact_names_come_first_then_beginnings_then_parts() -> None:
    for name in ("חוזה ביטוח", "ביטוח חיים", "ביטוח"):
        make_label(name)
    use(make_label("ביטוח רכב"), 2)
    use(make_label("דיני ביטוח"), 3)
    assert names("ביטוח") == ["ביטוח", "ביטוח רכב", "ביטוח חיים", "דיני ביטוח", "חוזה ביטוח"]


def test_an_alias_counts_as_much_as_a_name() -> None:
    label = make_label("הגנת הצרכן")
    LabelAlias.objects.create(label=label, slug="consumers", name="Consumers")
    LabelAlias.objects.create(label=label, slug="consumer-law", name="Consumer law")
    use(make_label("Consumers abroad"), 5)
    use(make_label("For consumers"), 5)
    assert names("consumers") == ["הגנת הצרכן", "Consumers abroad", "For consumers"]
    assert names("mer-l") == ["הגנת הצרכן"]


def test_slugs_are_found_by_prefix_and_part() -> None:
    make_label("ביטוח חיים")
    assert names("byttvch") == names("CHYYM") == ["ביטוח חיים"]
    assert names("life") == []


@pytest.mark.parametrize("q", ["%", "_", "\\", "'", "<b>", "100%"])
def test_signs_stand_for_themselves(q: str) -> None:
    make_label("plain")
    make_label(f"a {q} sign")
    assert names(q) == [f"a {q} sign"]


@pytest.mark.parametrize("q", ["", "  ", "\u202e"])
def test_nothing_typed_fits_every_label_the_most_used_first(q: str) -> None:
    make_label("b")
    make_label("a")
    use(make_label("z"), 1)
    assert names(q) == ["z", "a", "b"]


def test_the_queryset_given_is_narrowed() -> None:
    make_label("one")
    other = make_label("one more")
    assert list(matching("one", queryset=Label.objects.filter(pk=other.pk))) == [other]
