"""Each step of a search by itself, and how a search is explained."""

from contextlib import nullcontext
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from search.results import Match, Mode
from search.retrieval import Scope, parse_query, retrieve
from search.retrieval.candidates import Candidates, QuerySlot, choose_candidates
from search.retrieval.fusing import fuse
from search.retrieval.planning import build_query_plan
from search.retrieval.query_plan import QueryPlan
from search.retrieval.reading import read_results
from tests.search.corpus import add_document, add_source, section

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def planned(text: str, mode: Mode = Mode.HYBRID) -> QueryPlan:
    return build_query_plan(parse_query(text), scope=TOPIC, mode=mode)


def chosen(plan: QueryPlan) -> Candidates:
    with QuerySlot(nullcontext) as slot:
        return choose_candidates(plan, limit=10, slot=slot)


def test_a_plan_counts_the_words_of_the_query_in_the_topic() -> None:
    add_source("water of the river", "tax on land")
    plan = planned("water and zeppelins")
    counts = {term.word: plan.words.frequencies.get(term.stem_hash, 0) for term in plan.parsed.terms}
    assert plan.words.chunks == 2
    assert counts["water"] == 1
    assert counts["zeppelins"] == 0


def test_candidates_say_which_way_found_them() -> None:
    add_source(section("1", "", "The first."), section("2", "", "It is measured in litres."), title="Water Act 2031")
    by_citation = chosen(planned("section 2 of the Water Act 2031"))
    assert len(by_citation.cited.chunk_ids) == 1
    by_words = chosen(planned("measured in litres"))
    assert not by_words.cited.chunk_ids
    assert by_words.by_words == {*by_citation.cited.chunk_ids}
    assert not chosen(planned("litres", Mode.LEXICAL)).by_meaning


def test_fusing_asks_the_database_nothing(django_assert_num_queries: Any) -> None:
    add_source(section("1", "", "The first."), section("2", "", "It is measured in litres."), title="Water Act 2031")
    plan = planned("What is a litre in the Water Act 2031?")
    candidates = chosen(plan)
    assert candidates.named.ranking
    with django_assert_num_queries(0):
        assert fuse(candidates)


def test_what_is_cited_stands_before_what_fits_better() -> None:
    add_source(section("1", "", "Nothing."), section("2", "", "It is measured in litres."), title="Water Act 2031")
    plan = planned("section 1 of the Water Act 2031, measured in litres")
    ranked = fuse(chosen(plan))
    assert ranked[0].match is Match.CITATION
    assert [row.score for row in ranked] == sorted((row.score for row in ranked), reverse=True)


def test_the_steps_give_what_a_search_gives() -> None:
    add_source("water of the river", "tax on land", "land beside water")
    plan = planned("water")
    candidates = chosen(plan)
    found = read_results(plan, candidates, fuse(candidates))
    assert [hit.text for hit in found.hits] == [hit.text for hit in retrieve("water", scope=TOPIC).hits]


def test_a_search_is_explained_step_by_step() -> None:
    add_source("water of the river", "tax on land")
    told = StringIO()
    call_command("explain_search", "water", "--topic", "general", stdout=told)
    steps = [line.split()[0] for line in told.getvalue().splitlines() if line and not line.startswith(" ")]
    assert steps == ["plan", "candidates", "fuse", "read"]
    assert "water in 1" in told.getvalue()
    assert " ms " in told.getvalue()


@pytest.mark.parametrize("arguments", [[" "], ["water", "--topic", "nowhere"], ["w" * 3_000]])
def test_what_cannot_be_explained_is_refused(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("explain_search", *arguments)


def test_what_is_cited_and_not_here_is_told_in_words() -> None:
    add_document("1. First\nThe first.\n2. Litres\nIn litres.\n3. Last\nThe last.", kind="law", title="Water Act 2031")
    told = StringIO()
    call_command("explain_search", "section 7 of the Water Act 2031", "--topic", "general", stdout=told)
    assert "cited and not here: Section 7 does not exist in Water Act 2031. The nearest are" in told.getvalue()
    told = StringIO()
    call_command("explain_search", "section 7 of Q.S.I. 2031/12", "--topic", "general", stdout=told)
    assert "cited and not read: Q.S.I. 2031/12\n" in told.getvalue()
