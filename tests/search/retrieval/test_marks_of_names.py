"""A query that is the name of an act marks nothing in that act, whose every section has words of it."""

import pytest

from search.results import SearchHit
from search.retrieval import retrieve
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db
TITLE = 'חוק הגנת הצרכן, התשמ"א–1981'


def marked(query: str) -> dict[str, list[str]]:
    found = retrieve(query, scope=Scope(topic_id=first_topic().pk, within=None)).hits
    return {hit.source.title: words(hit) for hit in reversed(found)}


def words(hit: SearchHit) -> list[str]:
    return [hit.text[start:end] for start, end in hit.highlights]


def test_words_of_a_name_tell_in_other_documents_and_with_others() -> None:
    sections = section("1", "מטרה", "המטרה של חוק זה היא הגנת הצרכן."), section("2", "תחולה", "החל ביום פרסום.")
    add_source(*sections, title=TITLE, kind="law")
    add_source(section("1", "הגדרות", "כהגדרתו בחוק הגנת הצרכן."), title="תקנות המכר", kind="regulation")
    assert marked("חוק הגנת הצרכן")[TITLE] == []
    assert marked(TITLE)[TITLE] == []
    assert marked("חוק הגנת הצרכן")["תקנות המכר"] == ["בחוק", "הגנת", "הצרכן"]
    assert marked("חוק הגנת הצרכן מטרה")[TITLE] == ["המטרה"]
    assert marked("הצרכן")[TITLE] == ["הצרכן"], "a word of the name alone is asked for"


@pytest.mark.parametrize(
    ("title", "kind", "query", "expected"),
    [
        ("Rent Act 1977", "law", "the Rent Act 1977", []),
        ("Rent Act 1977", "law", '"rent act"', ["rent", "act"]),
        ("Rent Act 1977", "law", "Rent Act 1985", ["rent", "act"]),
        ("Rent Act 1977", "law", "which act limits rent", ["limits", "rent", "act"]),
        (
            "Data Protection Act 2018",
            "law",
            "how does the act say that data get protection",
            ["act", "data", "protection"],
        ),
        ("Inside information", "regulation", "What is inside information?", ["inside", "information"]),
        ("Inside information", "regulation", "inside information", ["inside", "information"]),
        ("Client money", "regulation", "how is client money kept", ["client", "money", "kept"]),
        ("חוק החזקת כספים", "law", "איזה חוק דורש החזקת כספים", ["חוק", "החזקת", "כספים"]),
    ],
)
def test_words_that_only_occur_in_a_title_are_told(title: str, kind: str, query: str, expected: list[str]) -> None:
    text = "It limits rent: an act on data protection, inside information and client money kept. חוק על החזקת כספים."
    add_source(section("1", "", text), title=title, kind=kind)
    assert sorted(marked(query)[title]) == sorted(expected)
