"""Searches see their scope and nothing else."""

import datetime as dt
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from kb_project.database.rows import fetch
from labels import assign
from search.retrieval import Scope, retrieve
from sources.models import Chunk, Source
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


def condition_of(**scope: Any) -> tuple[str, dict[str, Any]]:
    return Scope(**{"topic_id": None, **scope}).condition("c")


def seen(**scope: Any) -> set[int]:
    """The sources of the passages for which the condition is true."""
    condition, parameters = condition_of(**scope)
    return {pk for (pk,) in fetch(f"SELECT c.source_id FROM kb_chunk c WHERE {condition}", parameters)}


def test_a_condition_asks_only_for_what_is_given() -> None:
    assert condition_of() == ("TRUE AND TRUE", {})
    assert condition_of(topic_id=7) == ("TRUE AND c.topic_id = %(scope_topic)s::bigint AND TRUE", {"scope_topic": 7})
    assert condition_of(as_of=dt.date(2020, 1, 1), all_versions=True) == condition_of()
    assert condition_of(as_of=dt.date(2020, 1, 1))[1] == {"scope_day": dt.date(2020, 1, 1)}
    assert set(condition_of(topic_id=7, kinds=("law",), source_ids=(1,), label_ids=(2,))[1]) == {
        "scope_topic",
        "scope_kinds",
        "scope_sources",
        "scope_labels",
    }


def test_a_condition_alone_is_true_for_passages_of_the_scope() -> None:
    other, label = make_topic(), make_label("ראשונה")
    law = source(kind="law", published_at=dt.date(2020, 5, 1))
    tool = source(kind="tool", valid_from=dt.date(2020, 1, 1), valid_to=dt.date(2021, 1, 1))
    theirs = source(kind="law", topic=other)
    assign.add(tool, [label], by="test")
    every = {law.pk, tool.pk, theirs.pk}
    assert seen() == every
    assert seen(topic_id=other.pk) == {theirs.pk}
    assert seen(kinds=("law", "circular")) == {law.pk, theirs.pk}
    assert seen(topic_id=1, kinds=("law",)) == {law.pk}
    assert seen(source_ids=(tool.pk, theirs.pk)) == {tool.pk, theirs.pk}
    assert seen(label_ids=(label.pk,)) == {tool.pk}
    assert seen(published_from=dt.date(2020, 5, 1)) == seen(published_to=dt.date(2020, 5, 1)) == {law.pk}
    assert seen(published_to=dt.date(2020, 4, 30)) == set()


@pytest.mark.parametrize("narrow", [{}, {"kinds": ("tool", "law")}])
def test_a_condition_with_a_day_leaves_out_what_is_not_in_force(narrow: dict[str, Any]) -> None:
    undated = source(kind="law")
    dated = source(kind="tool", valid_from=dt.date(2020, 1, 1), valid_to=dt.date(2021, 1, 1))
    both = {undated.pk, dated.pk}
    days = {dt.date(2019, 12, 31): {undated.pk}, dt.date(2020, 1, 1): both, dt.date(2021, 1, 1): {undated.pk}}
    assert {day: seen(as_of=day, **narrow) for day in days} == days
    assert seen(as_of=dt.date(2019, 12, 31), all_versions=True, **narrow) == both
    Chunk.objects.filter(source=undated).update(valid_from=dt.date(2020, 6, 1))  # a passage with days of its own
    assert seen(as_of=dt.date(2020, 1, 1), **narrow) == {dated.pk}
    assert seen(as_of=dt.date(2020, 6, 1), **narrow) == both


def test_a_scope_made_of_another_does_not_take_that_one_s_sources_for_its_own() -> None:
    mine, other = source(kind="law"), source(kind="regulation")
    laws = Scope(topic_id=1, kinds=("law",))
    known = replace(laws, known=laws.sources_query().fetch())
    assert known.sources()[0].tolist() == [mine.pk]
    assert replace(known, kinds=("regulation",)).sources()[0].tolist() == [other.pk]
