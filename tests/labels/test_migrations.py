"""The migrations give labels of an older installation the slug of their name."""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from labels import naming
from labels.models import Label, LabelAlias

pytestmark = pytest.mark.django_db


def renew_slugs() -> None:
    loader = MigrationLoader(connection)
    with connection.schema_editor() as editor:
        name = "012_topic_labels"
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
