"""How much of a question a text holds in other forms and in other words."""

from answers.writing.quotes.question_words import WeighedQuestion
from law.words.analysis import terms
from law.words.spellings import SpelledWords
from law.words.synonyms import Layer, SynonymEntry, SynonymTable
from search.ranking.term_coverage import query_weights
from tests.answers.asking.passages import weights_of


def test_an_infinitive_is_met_in_the_forms_of_statutes() -> None:
    question = "מתי יש להגיש ערעור?"
    words = WeighedQuestion(question, weights_of(question))
    assert words.count(terms("הערעור יוגש בתוך שלושים ימים")) == 2
    assert words.count(terms("הערעור יידון בתוך שלושים ימים")) == 1


def test_a_question_in_a_form_of_statutes_is_met_in_the_infinitive() -> None:
    question = "תוך כמה ימים יושב הפיקדון?"
    words = WeighedQuestion(question, weights_of(question))
    assert words.count(terms("המשכיר יורה להשיב את הפיקדון")) == words.count(terms("הפיקדון יושב")) == 2


def test_a_verb_behind_a_question_word_is_met_in_the_forms_of_statutes() -> None:
    question = "עד מתי מוסר השומר את היומן?"
    words = WeighedQuestion(question, weights_of(question))
    assert words.count(terms("היומן יימסר עד ליום 31 במרס")) == 2
    noun = "מה כותב מוסר השומר ביומן?"
    assert WeighedQuestion(noun, weights_of(noun)).count(terms("היומן יימסר")) == 1


def test_a_small_word_is_no_form_of_one_that_tells() -> None:
    question = "מה האחריות של השומר?"
    words = WeighedQuestion(question, weights_of(question))
    assert words.count(terms("לאחר מכן אחראי השומר")) == words.count(terms("השומר")) == 1
    joined = "עד מתי מערערים על הפסק שניתן?"
    assert WeighedQuestion(joined, weights_of(joined)).count(terms("הפסק ניתן")) == 2


def test_what_words_mean_too_counts_by_its_weight_where_all_of_it_stands() -> None:
    query = terms("Who mends the dinghy?")
    meanings = SynonymTable([Layer([SynonymEntry(("dinghy",), ("small boat",), 0.5)])]).meanings(query)
    weights = query_weights(SpelledWords(query), frequencies={}, chunks=100, meanings=meanings)
    words = WeighedQuestion("Who mends the dinghy?", weights)
    assert len(words) == 2
    assert words.share(terms("A boat is tied.")) == 0
    assert words.share(terms("A small boat is tied.")) == 0.25
    assert words.share(terms("A dinghy is tied.")) == 0.5
