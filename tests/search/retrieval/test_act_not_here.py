"""What is found for a citation whose act is not here."""

import pytest

from search.retrieval import Scope, retrieve
from search.retrieval.listing import Listing
from tests.search.citing import search
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "query",
    [
        "section 2 of the Penal Act 1990",
        "Penal Act 1990, s. 2",
        "What does section 2 of the Penal Act 1990 say?",
        "סעיף 2 לחוק העונשין, התשל״ז–1977",
        "מה קובע סעיף 2 לחוק העונשין?",
    ],
)
@pytest.mark.parametrize("listing", [None, Listing(facets=True)])
def test_nothing_is_found_by_its_number_alone(query: str, listing: Listing | None) -> None:
    add_source(section("2", "Boats", "Section 2 of the act of 1990: 2 boats."), title="Harbour Act 1990")
    add_source(section("2", "סירות", "סעיף 2 לחוק, התשל״ז–1977: 2 סירות"), title="חוק הנמלים, התשל״ז–1977")
    found = retrieve(query, scope=Scope(topic_id=1), listing=listing)
    assert found.not_found
    assert found.not_found.source_id is None
    assert found.hits == ()


@pytest.mark.parametrize("query", ["theft in section 2 of the Penal Act 1990", "section 2 of the Penal Act 1990"])
def test_its_telling_words_and_those_of_the_query_are_searched_for(query: str) -> None:
    wanted = add_source("The penal code speaks of theft.", title="Handbook")
    add_source(section("2", "Boats", "Section 2 of the act of 1990 says: 2 boats."), title="Harbour Act 1990")
    assert [hit.source.id for hit in search(query).hits] == [wanted.pk]


def test_another_citation_that_is_here_is_found_with_all_its_words() -> None:
    here = add_source(section("3", "Boats", "Boats are hired."), title="Harbour Act 1990")
    found = search("section 3 of the Harbour Act 1990 and section 2 of the Penal Act 1990")
    assert found.hits[0].source.id == here.pk
