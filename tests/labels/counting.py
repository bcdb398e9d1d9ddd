"""What must be true of labels whatever was done to them."""

from django.db.models import Count

from labels.models import Label, LabelAlias


def assert_counts_are_right() -> None:
    wrong = [
        (label.slug, label.usage_count, label.real)
        for label in Label.objects.annotate(real=Count("assignments"))
        if label.usage_count != label.real
    ]
    assert wrong == []


def assert_no_slug_is_both_a_label_and_an_alias() -> None:
    slugs = set(Label.objects.values_list("slug", flat=True))
    assert not LabelAlias.objects.filter(slug__in=slugs).exists()
