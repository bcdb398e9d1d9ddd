"""Made laws: the same from everywhere, each its own, and still laws."""

import pytest

from bench.scale.laws import YEAR, Corpus
from extraction.document import in_parts
from law.chunking import chunk

ANY = 10**6


def test_a_law_is_the_same_every_time_and_differs_by_number(corpus: Corpus) -> None:
    def text(topic: int, number: int) -> str:
        return corpus.text(topic, number, outline=corpus.outline(topic, number, most_sections=ANY))

    assert text(1, 5) == text(1, 5)
    assert len({text(topic, number) for topic in range(2) for number in range(5)}) == 10


def test_sections_of_a_law_are_recognised_as_those_of_its_frame(corpus: Corpus) -> None:
    outline = corpus.outline(0, 0, most_sections=ANY)
    lines = (line.strip() for line in corpus.text(0, 0, outline=outline).split("\n"))
    drafts = list(chunk(in_parts(lines), kind=outline.kind))
    assert [draft.section for draft in drafts if draft.section] == [str(number) for number in range(1, 9)]
    assert all(draft.heading for draft in drafts if draft.section)


def test_words_are_replaced_but_most_stay(corpus: Corpus) -> None:
    outline = corpus.outline(0, 1, most_sections=ANY)
    made = corpus.text(0, 1, outline=outline).split()
    words = set(corpus.words.words)
    assert 0.4 < sum(word.strip("().,") in words for word in made) / len(made) < 1


def test_the_year_of_the_title_is_that_of_the_date(corpus: Corpus) -> None:
    dated = 0
    for number in range(30):
        outline = corpus.outline(2, number, most_sections=ANY)
        year = YEAR.search(outline.title)
        assert year
        if outline.published_at:
            dated += 1
            assert outline.published_at.year == int(year["year"])
    assert 20 < dated <= 30


@pytest.mark.parametrize(("count", "title"), [(1, 'חוק המים, התשל"ה–1975'), (3, "חוק המים (מס' 3), התשל\"ה–1975")])
def test_a_title_that_was_there_gets_a_number_before_its_year(corpus: Corpus, count: int, title: str) -> None:
    outline = corpus.outline(0, 0, most_sections=ANY)
    named = type(outline)(outline.frame, outline.kind, 'חוק המים, התשל"ה–1975', None)
    assert named.numbered(count).title == title
