"""Searches see their scope and nothing else."""

import datetime as dt
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from labels import assign
from search.retrieval import Scope, retrieve
from sources.models import Source
from tests.factories import make_label, make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db

MODES = ("hybrid", "lexical", "semantic")


def found(mode: str = "hybrid", **scope: Any) -> set[int]:
    hits = retrieve("bank deposits", scope=Scope(**{"topic_id": 1, **scope}), limit=100, mode=mode).hits
    return {hit.source.id for hit in hits}


def source(**fields: Any) -> Source:
    return add_source("bank deposits and more", **fields)


@pytest.mark.parametrize("mode", MODES)
def test_one_topic_does_not_see_another(mode: str) -> None:
    other = make_topic()
    mine, theirs = source(), source(topic=other)
    assert found(mode) == {mine.pk}
    assert found(mode, topic_id=other.pk) == {theirs.pk}


@pytest.mark.parametrize("mode", MODES)
def test_no_topic_means_all_topics(mode: str) -> None:
    both = {source().pk, source(topic=make_topic()).pk}
    assert found(mode, topic_id=None) == both


@pytest.mark.parametrize("mode", MODES)
def test_labels_narrow_to_the_sources_that_carry_one(mode: str) -> None:
    one, other, _bare = source(), source(), source()
    first, second = make_label("ראשונה"), make_label("second")
    assign.add(one, [first], by="test")
    assign.add(other, [first, second], by="test")
    assert found(mode, label_ids=(second.pk,)) == {other.pk}
    assert found(mode, label_ids=(first.pk, second.pk)) == {one.pk, other.pk}


@pytest.mark.parametrize("mode", MODES)
def test_kinds_sources_and_dates_narrow_together(mode: str) -> None:
    wanted = source(kind="circular", published_at=dt.date(2020, 5, 1))
    source(kind="circular", published_at=dt.date(2020, 5, 2))
    source(kind="law", published_at=dt.date(2020, 5, 1))
    undated = source(kind="circular")
    narrow = {
        "kinds": ("circular", "tool"),
        "published_from": dt.date(2020, 5, 1),
        "published_to": dt.date(2020, 5, 1),
    }
    assert found(mode, **narrow) == {wanted.pk}
    assert found(mode, **narrow, source_ids=(undated.pk,)) == set()


def test_a_narrow_scope_is_searched_by_all_words_not_only_the_rare_ones() -> None:
    """The rare word occurs often enough outside the scope to use up the candidates of the whole topic."""
    wanted = add_source("the common word")
    hits = retrieve("common zebra", scope=Scope(topic_id=1, source_ids=(wanted.pk,))).hits
    assert [hit.source.id for hit in hits] == [wanted.pk]


def test_a_scope_must_be_given_and_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        retrieve("bank")  # type: ignore[call-arg]
    with pytest.raises(FrozenInstanceError):
        Scope(topic_id=1).topic_id = 2  # type: ignore[misc]
