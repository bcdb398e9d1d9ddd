"""A name keeps its own direction on a screen, and programs read the sentence without marks."""

from collections.abc import Callable

import pytest

from ingest.similar.duplicates import DuplicateDocument
from kb_project.api.problem import problem_of
from kb_project.errors import ApiError
from kb_project.isolates import isolated, unmarked
from labels import assign, naming
from labels.models import Label
from search.synonyms import editing
from sources.work_versions import VersionOverlap
from tests.factories import first_topic, make_label, make_source

TITLE = "חוק הגנים (תיקון) 2019"


def test_the_marks_stand_around_the_name_and_are_taken_off_again() -> None:
    said = f"“{isolated(TITLE)}” is in force."
    assert said == f"“\u2068{TITLE}\u2069” is in force."
    assert unmarked(said) == f"“{TITLE}” is in force."


def other_days() -> None:
    raise VersionOverlap(make_source(title=TITLE))


def same_bytes() -> None:
    raise DuplicateDocument(make_source(title=TITLE))


def label_in_use() -> None:
    assign.add(make_source(), [label := make_label(TITLE)], by="test")
    naming.delete(label.pk, by="test")


def label_of_that_name() -> None:
    make_label(TITLE)
    naming.rename(make_label("gardens").pk, name=TITLE, by="test")


def label_that_is_gone() -> None:
    label = make_label(TITLE)
    Label.objects.all().delete()
    assign.add(make_source(), [label], by="test")


def synonym_with_a_comma() -> None:
    editing.create(topic=first_topic(), words=[f"{TITLE},"], means=["גן"], by="test")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "refused", [other_days, same_bytes, label_in_use, label_of_that_name, label_that_is_gone, synonym_with_a_comma]
)
def test_a_refusal_isolates_the_name_told_to_a_person_alone(refused: Callable[[], None]) -> None:
    with pytest.raises(ApiError) as refusal:
        refused()
    assert f"“\u2068{TITLE}" in refusal.value.detail
    said = problem_of(refusal.value).content.decode()
    assert f"“{TITLE}" in said
    assert said == unmarked(said)
