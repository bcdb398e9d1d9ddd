"""What the words of a query weigh."""

import pytest

from search.ranking.word_query import TermCounts, telling_words, weigh
from search.text.analysis import terms
from search.text.synonyms import Meaning


@pytest.mark.parametrize(("often", "capped"), [((10, 11), True), ((1, 90), True), ((95, 98), False)])
def test_the_words_of_a_meaning_weigh_no_more_than_those_they_stand_for(often: tuple[int, int], capped: bool) -> None:
    query, meant = terms("the sack"), terms("dismissal employment")
    sack, dismissal, employment = (term.stem_hash for term in (query[1], *meant))
    counts = TermCounts(100, {query[0].stem_hash: 99, sack: 10, dismissal: often[0], employment: often[1]})
    weighed = weigh(query, counts, [Meaning("dismissal employment", tuple(meant), 0.5, 1, 2)])
    worths = {term.stem: term.worth for term in weighed.terms}
    together, most = worths[dismissal] + worths[employment], 0.5 * worths[sack]
    assert together == pytest.approx(most) if capped else 0 < together < most
    [word] = telling_words(query, weighed)
    assert [one.stem for one in word] == [sack, dismissal]
