"""Questions what something is find the passage that defines it first."""

import pytest

from search.retrieval import Match, Scope, retrieve
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


@pytest.mark.parametrize(
    ("question", "definition", "others"),
    [
        (
            "What is a shell bank?",
            "Shell Bank\tMeans a bank that has no office.",
            "A shell bank: shell banks, no shell bank.",
        ),
        (
            "מה זה משכון?",
            "מישכון הוא זכות בנכס של אחר, בין שקיים ובין שיהיה.",
            "משכון, רישום של משכון וביטול משכון.",
        ),
        ("מי נחשב קטין במשפט?", "”קטין“ – מי שלא מלאו לו שמונה עשרה.", "קטין במשפט: משפט של קטין, קטין במשפט."),
        (
            "What is an SPV?",
            "“Special Purpose Vehicle” means a body of one purpose.",
            "A special purpose vehicle (SPV); SPV fees.",
        ),
    ],
)
def test_the_passage_that_defines_comes_first(question: str, definition: str, others: str) -> None:
    add_source(others, definition, others)
    found = retrieve(question, scope=TOPIC)
    assert found.hits[0].text == definition
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    assert retrieve(question, scope=TOPIC, mode="lexical").hits[0].text == others
    assert [hit.text for hit in retrieve(question, scope=TOPIC, limit=1).hits] == [definition]


def test_what_is_cited_stays_before_it() -> None:
    add_source(
        section("1", "Banks", "A shell bank is not served."),
        section("2", "Terms", "A shell bank is a bank that has no office."),
        title="Banks Act",
        kind="law",
    )
    hits = retrieve("What is a shell bank in section 1 of the Banks Act?", scope=TOPIC).hits
    assert (hits[0].match, hits[0].section) == (Match.CITATION, "1")
