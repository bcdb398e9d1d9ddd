"""What documents explain is kept while they can be searched."""

import pytest

from law.words.analysis import terms
from search import abbreviations
from search.abbreviations import find_long_forms
from search.index import engine
from sources.scope import Scope
from tests.factories import make_topic
from tests.search.corpus import add_document, passage, replace_text

pytestmark = pytest.mark.django_db
TEXT = "A Harbour Safety Board (HSB) is set up."


def known(topic_id: int | None = 1) -> dict[str, list[str]]:
    return find_long_forms(terms("HSB"), scope=Scope(topic_id=topic_id)).fetch()


def test_it_follows_the_text_and_the_topic_of_a_document() -> None:
    source = add_document(TEXT)
    assert known() == known(None) == {"hsb": ["Harbour Safety Board"]}
    assert known(make_topic().pk) == {}
    replace_text(source, "A House of Sea Birds (HSB) is set up.")
    assert known() == {"hsb": ["House of Sea Birds"]}
    engine().withdraw(source.pk)
    assert known() == {}


def test_the_commonest_comes_first_and_one_form_of_its_words_is_shown() -> None:
    add_document("A House of Sea Birds (HSB) is set up.")
    for text in (TEXT, "Harbour Safety Boards (HSBs) report."):
        add_document(text)
    assert known() == {"hsb": ["Harbour Safety Board", "House of Sea Birds"]}


def test_of_a_document_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abbreviations, "MAX_OF_A_DOCUMENT", 1)
    found = abbreviations.Explained()
    drafts = [passage(TEXT), passage("A Register of Pilots (ROP) is kept."), passage(TEXT)]
    assert list(abbreviations.noting(drafts, found)) == drafts
    assert found == {("hsb", "Harbour Safety Board"): 2}
