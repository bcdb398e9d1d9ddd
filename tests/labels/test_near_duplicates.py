"""Labels proposed for merging, and labels like a name."""

import random

import pytest

from labels import assign
from labels.models import Label, LabelAlias
from labels.near_duplicates import LikenessReason, Spelling, like, likeness, near_duplicates
from tests.factories import make_label, make_source

pytestmark = pytest.mark.django_db


def test_pairs_come_surest_first_and_the_more_used_label_first() -> None:
    make_label("ביטוח")
    often = make_label("בטוח")
    assign.start_with(make_source(), [often])
    for name in ("תקנה", "תקנות", "בית משפט", "ביתמשפט", "something else"):
        make_label(name)
    found = [(pair.first.name, pair.second.name, pair.reason) for pair in near_duplicates()]
    assert found == [
        ("בית משפט", "ביתמשפט", LikenessReason.SAME_LETTERS),
        ("תקנה", "תקנות", LikenessReason.FORMS),
        ("בטוח", "ביטוח", LikenessReason.SPELLING),
    ]
    assert [pair.reason for pair in near_duplicates(1)] == [LikenessReason.SAME_LETTERS]


def test_the_short_way_finds_what_comparing_all_pairs_finds() -> None:
    chance = random.Random(7)
    words = ["ביטוח", "בטוח", "הביטוח", "ביטוחים", "זכות", "זכויות", "חיים", "החיים", "מס", "המס", "מיסים", "תקנה"]
    words += ["תקנות", "חברה", "חברת", "tax", "taxes", "policy", "policies", "insurance", "insurence", "2023", "2024"]
    texts = [" ".join(chance.choices(words, k=chance.choice([1, 2, 2, 3]))) for _ in range(300)]
    Label.objects.bulk_create(Label(name=name, slug=f"l{place}") for place, name in enumerate(dict.fromkeys(texts)))
    labels = list(Label.objects.order_by("pk"))
    spellings = [Spelling.of(label.name) for label in labels]
    expected = {
        frozenset((labels[i].pk, labels[j].pk))
        for i in range(len(labels))
        for j in range(i)
        if likeness(spellings[i], spellings[j])
    }
    assert len(expected) > 50
    assert {frozenset((pair.first.pk, pair.second.pk)) for pair in near_duplicates()} == expected


def test_a_name_is_like_labels_by_their_names_and_aliases() -> None:
    label, other = make_label("הגנת הצרכן"), make_label("הגנת צרכנים")
    LabelAlias.objects.create(label=label, slug="consumers", name="Consumers")
    make_label("דיני עבודה")
    assert like("הגנת צרכן") == [label, other]
    assert like("consumer") == [label]
    assert like("something else") == []
    assert like("") == []
    assert like("!") == []
