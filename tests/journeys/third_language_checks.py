"""What is read in a language that was added: run by `test_third_language` with the toy in place."""

import pytest

from extraction import Page
from ingest.stages.classify.rules_classifier import RulesClassifier
from law.chunking import chunk
from law.chunking.packing import ChunkDraft
from law.languages.scripts import main_language
from law.metadata.head import DocumentHead, HeadPage
from law.words.analysis import terms
from law.words.stop_words import content_terms
from search.retrieval import Match, Scope, retrieve
from sources.citations import find_references
from tests.factories import first_topic
from tests.search.corpus import add_source

LAW = """ሕግ ገነትዎች ከተማ
ክፍል 1: ገነት
አንቀጽ 1. ስም
ገነት ነው ቦታ ሲሆን አበባዎች ይበቅላል.
አንቀጽ 2. ደረጃ
ደረጃዎች እና በር ክፍት ነው ጠዋት.
አንቀጽ 3. ቅጣት
ቅጣት ነው አምስት."""


def drafts() -> list[ChunkDraft]:
    return list(chunk([Page(number=1, paragraphs=tuple(LAW.split("\n")))], kind="law"))


def test_a_section_and_the_chapter_above_it_are_recognised() -> None:
    sections = [(draft.section, draft.heading, draft.path) for draft in drafts() if draft.section]
    headings = (("1", "ስም"), ("2", "ደረጃ"), ("3", "ቅጣት"))
    assert sections == [(number, heading, ("ክፍል 1: ገነት",)) for number, heading in headings]


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["አንቀጽ 2 ሕግ ገነትዎች ከተማ", "ሕግ ገነት ከተማ, አንቀጽ 2"])
def test_a_citation_is_resolved(query: str) -> None:
    source = add_source(*drafts(), title="ሕግ ገነትዎች ከተማ", kind="law")
    add_source("ሕግ አበባዎች", title="ሕግ አበባዎች", kind="law")
    first = retrieve(query, scope=Scope(topic_id=first_topic().pk)).hits[0]
    assert (first.source.id, first.section, first.match) == (source.pk, "2", Match.CITATION)


def test_a_list_of_sections_and_a_chapter_are_read() -> None:
    (reference,) = find_references("አንቀጽ 2 እና 3 ክፍል 1")
    assert [item.number for item in reference.items] == ["2", "3"]
    assert [(division.kind, division.number) for division in reference.divisions] == [("ክፍል", "1")]


def test_stop_words_tell_nothing() -> None:
    assert [term.word for term in content_terms(terms("ምን ነው ደረጃ እና ገነት"))] == ["ደረጃ", "ገነት"]


@pytest.mark.django_db
def test_forms_of_a_word_meet_in_the_languages_own_stem() -> None:
    add_source(*drafts(), title="ሕግ ገነትዎች ከተማ", kind="law")
    hits = retrieve("ምን ነው አበባ", scope=Scope(topic_id=first_topic().pk)).hits
    assert hits[0].section == "1"
    assert [hits[0].text[start:end] for start, end in hits[0].highlights] == ["አበባዎች"]


def test_the_rules_read_kind_and_date() -> None:
    head = DocumentHead(pages=(HeadPage(1, f"ወጣ: 5 ማርች 2020\n{LAW}"),), labels=())
    proposal = RulesClassifier().classify(head, deadline_s=1, is_unwanted=lambda: False)
    assert (proposal.kind, proposal.published_at) == ("law", "2020-03-05")


def test_question_without_an_answer_is_refused_in_its_language() -> None:
    assert main_language("ምን ነው ደረጃ?").no_evidence == "መልስ አል ነው."


def test_the_other_languages_are_read_as_before() -> None:
    cited = [reference.items[0].number for reference in find_references("סעיף 5א לחוק; section 7 of the Act")]
    assert cited == ["5א", "7"]
    assert [term.stem for term in terms("החוזים sections")] == ["חוז", "section"]
