"""Which words of a query mean others."""

import pytest

from law.questions.phrases import quoted_places
from law.words.analysis import terms
from law.words.synonyms import Layer, SynonymEntry, SynonymTable

BASE = (
    SynonymEntry(("דייר", "דיירת"), ("שוכר",)),
    SynonymEntry(("sack", "get rid of"), ("termination of employment",), 0.5),
    SynonymEntry(("tax",), ("levy",)),
    SynonymEntry(("income tax",), ("tax on income",)),
)


def meant(query: str, *layers: tuple[SynonymEntry, ...]) -> list[tuple[str, float]]:
    table = SynonymTable(map(Layer, (BASE, *layers)))
    return [(one.text, one.weight) for one in table.meanings(terms(query), apart=quoted_places(query))]


def test_words_that_share_a_stem_by_chance_are_told_apart() -> None:
    assert terms("משכורת")[0].stem == terms("משמורת")[0].stem
    assert meant("במשמורת", (SynonymEntry(("משכורת",), ("שכר",)),)) == []
    assert meant("המשכורות", (SynonymEntry(("משכורת",), ("שכר",)),)) == [("שכר", 0.6)]


@pytest.mark.parametrize("query", ["הדייר לא שילם", "לדיירים", "מה זכויות הדיירת"])
def test_a_word_is_met_with_its_prefixes_and_endings(query: str) -> None:
    assert meant(query) == [("שוכר", 0.6)]


@pytest.mark.parametrize("query", ["לי", "בלי שכר", "על המים", "האם", "תוך שנה", "ממני", "לדווח", "אי"])
def test_small_words_and_likenesses_by_chance_are_no_forms(query: str) -> None:
    words = ("כבלים", "בעלי", "אם", "מתווך", "מניות", "דוח", "איים")
    assert meant(query, tuple(SynonymEntry((word,), (f"meaning of {word}",)) for word in words)) == []
    assert meant("אם", (SynonymEntry(("אם",), ("הורה",)),)) == [("הורה", 0.6)]


@pytest.mark.parametrize("query", ["תוך כמה זמן מחזירים ערובה", "מתי החזירו את הערובה", "יחזיר"])
def test_an_infinitive_is_met_as_others_say_it(query: str) -> None:
    assert meant(query, (SynonymEntry(("להחזיר",), ("השבה",)),)) == [("השבה", 0.6)]


def test_an_article_inside_a_phrase_may_be_left_out() -> None:
    card = (SynonymEntry(("גנבו לי את הכרטיס",), ("כרטיס חיוב",)),)
    assert meant("גנבו לי את כרטיס האשראי", card) == [("כרטיס חיוב", 0.6)]


def test_words_are_met_as_a_phrase_in_their_order() -> None:
    assert meant("can they get rid of me, or sacked") == [("termination of employment", 0.5)] * 2
    assert meant("rid of get") == []


def test_the_longest_words_are_taken_and_nothing_inside_them() -> None:
    assert meant("income tax") == [("tax on income", 0.6)]
    assert meant("tax of income") == [("levy", 0.6)]


def test_a_later_layer_replaces_an_earlier_one_or_ends_it() -> None:
    assert meant("tax", (SynonymEntry(("taxes",), ("duty",), 1.0),)) == [("duty", 1.0)]
    assert meant("tax and sack", (SynonymEntry(("tax",), ("levy",), 0.0),)) == [("termination of employment", 0.5)]
    assert meant("tax", (SynonymEntry(("tax",), ("levy",), 0.0),), (SynonymEntry(("tax",), ("duty",)),)) == [
        ("duty", 0.6)
    ]


def test_words_in_quotation_marks_mean_themselves() -> None:
    assert meant('the "income tax" act') == []
