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
    return {hit.source.title: words(hit) for hit in found}


def words(hit: SearchHit) -> list[str]:
    return [hit.text[start:end] for start, end in hit.highlights]


def test_words_of_a_name_tell_in_other_documents_and_with_others() -> None:
    add_source(section("1", "מטרה", "המטרה של חוק זה היא הגנת הצרכן."), title=TITLE, kind="law")
    add_source(section("1", "הגדרות", "כהגדרתו בחוק הגנת הצרכן."), title="תקנות המכר", kind="regulation")
    assert marked("חוק הגנת הצרכן")[TITLE] == []
    assert marked(TITLE)[TITLE] == []
    assert marked("חוק הגנת הצרכן")["תקנות המכר"] == ["בחוק", "הגנת", "הצרכן"]
    assert marked("חוק הגנת הצרכן מטרה")[TITLE] == ["המטרה"]
    assert marked("הצרכן")[TITLE] == ["הצרכן"], "a word of the name alone is asked for"
