"""What resolving citations may cost, and that it never leaves the scope."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from law.citations.parsing import ParsedQuery
from sources.citations import resolve
from sources.models import Chunk, Source
from sources.scope import Scope
from tests.factories import first_topic, make_topic
from tests.search.citing import law
from tests.search.corpus import add_source, section
from topics.models import Topic

pytestmark = pytest.mark.django_db
TODAY = date(2026, 1, 1)


@pytest.mark.parametrize("query", ["what is a deposit", "פיצוי על נזק לרכוש", "part of the board", "פרק זמן סביר"])
def test_a_query_without_a_citation_asks_the_database_nothing(
    query: str, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    law("חוק המים")
    with django_assert_num_queries(0):
        resolve(ParsedQuery(query), scope=Scope(topic_id=1))


def test_the_number_of_look_ups_is_bounded(
    django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    for _ in range(8):
        make_topic()
    query = " ".join(f"סעיף {number} לחוק דבר שלא היה ולא נברא," for number in range(1, 40))
    with django_assert_max_num_queries(27):
        resolve(ParsedQuery(query), scope=Scope(topic_id=None))


def test_an_act_that_is_not_here_is_looked_for_once() -> None:
    law("Oxbow Fees Act")
    code = law("Oxbow Code Title 5")
    scope = Scope(topic_id=1, as_of=TODAY)
    query = ParsedQuery("section 17 of the Ferry Act")
    with CaptureQueriesContext(connection) as on_any_day:
        resolve(query, scope=replace(scope, as_of=None))
    with CaptureQueriesContext(connection) as asked:
        assert resolve(query, scope=scope).not_found
    assert len(asked) == 1 + len(on_any_day), "nothing is not in force, which is read first"
    Source.objects.filter(pk=code.pk).update(valid_to=TODAY)
    query = ParsedQuery("section 17 of the Oxbow Code")
    with CaptureQueriesContext(connection) as asked:
        missing = resolve(query, scope=scope).not_found
    assert missing
    assert [one.source_id for one in missing.uncertain] == [code.pk]
    assert sum("title_stems" in one["sql"] and "title_stems @>" not in one["sql"] for one in asked) == 1


WORDS = [
    "סעיף",
    "סעיפים",
    "rule",
    "section",
    "Part",
    "Schedule",
    "1",
    "2א",
    "3.4.1",
    "(א)",
    "(1)",
    "עד",
    "–",
    "to",
    "and",
]
WORDS += [
    "לחוק",
    "המים",
    "of",
    "the",
    "Pier",
    "Act",
    "COBS",
    'ע"א',
    "1234/05",
    "[2019]",
    "UKSC",
    "5",
    "\u05b8",
    "%",
    "\\",
    "'",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=14), st.booleans())
def test_whatever_the_query_citations_stay_in_the_scope(mixed: Acts, words: list[str], glued: bool) -> None:
    query = ("" if glued else " ").join(words).replace("\0", "").encode("utf-8", "replace").decode()
    cited = resolve(ParsedQuery(query), scope=Scope(topic_id=mixed.topic.pk, kinds=("law",)))
    assert set(cited.chunk_ids) <= mixed.chunks
    assert set(cited.source_ids) <= mixed.sources


@dataclass
class Acts:
    """A topic, and the sources and chunks of the kind `law` in it."""

    topic: Topic
    sources: set[int]
    chunks: set[int]


@pytest.fixture
def mixed() -> Acts:
    """The same acts in two topics and of two kinds."""
    topic = make_topic()
    for place in (topic, first_topic()):
        for kind in ("law", "circular"):
            law("חוק המים", topic=place, kind=kind, identifier='ע"א 1234/05')
            add_source(
                *(section(number, "", "(1) Words.") for number in ("1", "3.4.1")),
                title="Pier Act 1999",
                identifier="COBS",
                topic=place,
                kind=kind,
            )
    sources = Source.objects.filter(topic=topic, kind="law")
    chunks = Chunk.objects.filter(source__in=sources)
    return Acts(topic, set(sources.values_list("pk", flat=True)), set(chunks.values_list("pk", flat=True)))
