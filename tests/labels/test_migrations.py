"""The migrations give labels of an older installation the slug of their name."""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from labels import assign, naming
from labels.models import Label, LabelAlias, TopicLabel
from tests.factories import make_source, make_topic

pytestmark = pytest.mark.django_db


def renew_slugs() -> None:
    apply("012_topic_labels")


def apply(name: str) -> None:
    loader = MigrationLoader(connection)
    with connection.schema_editor() as editor:
        loader.get_migration("labels", name).apply(loader.project_state(("labels", name), at_end=False), editor)


def test_a_label_gets_its_own_slug_and_keeps_the_one_it_had() -> None:
    headquarters = Label.objects.create(slug="mth", name="מטה")
    rent = Label.objects.create(slug="rent", name="Rent")
    LabelAlias.objects.create(label=headquarters, slug="qthvlv", name="קטהולו")
    for _ in range(2):  # running it again changes nothing
        renew_slugs()
        assert dict(Label.objects.values_list("name", "slug")) == {"מטה": "mtth", "Rent": "rent"}
        assert set(LabelAlias.objects.values_list("label", "slug")) == {
            (headquarters.pk, "mth"),
            (headquarters.pk, "qthvlv"),
            (headquarters.pk, "qtthvlv"),
        }
    assert naming.find("mth") == naming.get_or_create("מטה", by="dana")[0] == headquarters
    assert naming.find("rent") == rent


def test_a_label_whose_new_slug_is_taken_stays_as_it_is() -> None:
    Label.objects.create(slug="mth", name="מטה")
    Label.objects.create(slug="mtth", name="Mtth")
    renew_slugs()
    assert dict(Label.objects.values_list("name", "slug")) == {"מטה": "mth", "Mtth": "mtth"}


def test_an_alias_with_the_slug_of_a_label_does_not_stop_it() -> None:
    headquarters, other = (Label.objects.create(slug=slug, name=name) for slug, name in (("mth", "מטה"), ("b", "B")))
    LabelAlias.objects.create(label=other, slug="mth", name="Leads nowhere")
    renew_slugs()
    assert list(LabelAlias.objects.values_list("label", "slug", "name")) == [(headquarters.pk, "mth", "מטה")]


def test_names_from_before_are_known_where_their_labels_are() -> None:
    used, unused = Label.objects.create(slug="rent", name="Rent"), Label.objects.create(slug="b", name="B")
    mine, other = make_topic(), make_topic()
    assign.add(make_source(topic=mine), [used], by="test")
    TopicLabel.objects.create(topic=other, label=used)
    LabelAlias.objects.create(label=used, slug="lease", name="Lease")
    LabelAlias.objects.create(label=used, slug="let", name="Let", known_in=[mine.pk])
    LabelAlias.objects.create(label=unused, slug="c", name="C")
    for _ in range(2):
        apply("028_alias_topics")
        known_in = dict(LabelAlias.objects.values_list("slug", "known_in"))
        assert {slug: sorted(topics) for slug, topics in known_in.items()} == {
            "lease": sorted([mine.pk, other.pk]),
            "let": [mine.pk],
            "c": [],
        }
