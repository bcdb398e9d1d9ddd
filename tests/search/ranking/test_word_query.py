"""What the words of a query weigh."""

import pytest

from law.words.analysis import terms
from law.words.spellings import SpelledWords
from law.words.synonyms import Meaning
from law.words.term_weights import FIELDS_OF_SENTENCE
from search.ranking.word_query import WEIGHT_IN_TOPIC, TermCounts, content_words, weigh


@pytest.mark.parametrize(("often", "capped"), [((10, 11), True), ((1, 90), True), ((95, 98), False)])
def test_the_words_of_a_meaning_weigh_no_more_than_those_they_stand_for(often: tuple[int, int], capped: bool) -> None:
    query, meant = terms("the sack"), terms("dismissal employment")
    sack, dismissal, employment = (term.stem_hash for term in (query[1], *meant))
    counts = TermCounts(100, {query[0].stem_hash: 99, sack: 10, dismissal: often[0], employment: often[1]})
    weighed = weigh(SpelledWords(query), counts, [Meaning("dismissal employment", tuple(meant), 0.5, 1, 2)])
    weights = {term.stem: term.weight for term in weighed.terms}
    together, most = weights[dismissal] + weights[employment], 0.5 * weights[sack]
    assert together == pytest.approx(most) if capped else 0 < together < most
    [word] = content_words(SpelledWords(query), weighed)
    assert [one.stem for one in word] == [sack, dismissal]


def test_a_word_of_the_topics_name_weighs_little() -> None:
    query = SpelledWords(terms("banking fees"))
    banking, fees = (term.stem_hash for term in query.terms)
    counts = TermCounts(100, {banking: 10, fees: 10})
    weights = {term.stem: term.weight for term in weigh(query, counts, topic_stems={banking}).terms}
    assert weights[banking] == pytest.approx(WEIGHT_IN_TOPIC * weights[fees])
    question = weigh(query, counts, fields=FIELDS_OF_SENTENCE).vector
    heading = weigh(query, counts).vector
    assert (question.indices == heading.indices).all()
    assert {round(float(share), 3) for share in question.values / heading.values} == {0.2, 1.0}
