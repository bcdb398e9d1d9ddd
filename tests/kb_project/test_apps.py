"""Names that Django derives from the code are translated where they are shown, and migrations never see that."""

from django.db.migrations.state import ModelState
from django.utils import translation

from ingest.models import Job
from sources.models import Chunk


def test_a_derived_name_is_said_in_the_reader_s_language() -> None:
    with translation.override("he"):
        assert str(Job._meta.get_field("created_at").verbose_name) == "נוצר"
        assert (str(Chunk._meta.verbose_name), str(Chunk._meta.verbose_name_plural)) == ("קטע", "קטעים")
        assert str(Job._meta.verbose_name_plural) == "עבודות קליטה"
    with translation.override("en"):
        assert str(Job._meta.get_field("created_at").verbose_name) == "created at"
        assert str(Chunk._meta.verbose_name_plural) == "chunks"


def test_migrations_read_only_what_was_declared() -> None:
    state = ModelState.from_model(Chunk)
    assert "verbose_name" not in state.options
    assert "verbose_name" not in state.fields["heading"].deconstruct()[3]
