"""Words of a query in the spelling that a document has."""

import pytest

from law.languages.hebrew.morphology import other_spellings as spellings_of
from law.languages.hebrew.morphology import skeleton, stem
from law.words.analysis import term_positions, terms
from law.words.spellings import MAX_SPELLINGS, SpelledWords, shown


@pytest.mark.parametrize(
    ("one", "other"),
    [("רישיון", "רשיון"), ("ביטחון", "בטחון"), ("תוכנית", "תכנית"), ("ביצוע", "בצוע"), ("עניין", "ענין")],
)
def test_full_and_short_spelling_are_spellings_of_each_other(one: str, other: str) -> None:
    assert stem(other) in spellings_of(stem(one))
    assert stem(one) in spellings_of(stem(other))


@pytest.mark.parametrize(("one", "other"), [("פיצויי", "פצויי"), ("פיטורים", "פטורין"), ("ניהול", "נהול")])
def test_names_are_compared_without_vowel_letters(one: str, other: str) -> None:
    assert skeleton(stem(one)) == skeleton(stem(other))


def test_a_word_is_no_spelling_of_itself_or_of_one_beside_it() -> None:
    asked = terms("רישיון רשיון ניסיון")
    found = SpelledWords(asked).spellings
    assert not {term.stem_hash for term in asked} & set(found)
    assert terms("נסיון")[0].stem_hash in found


@pytest.mark.parametrize("query", ["מתי", "של מי", "שר", "licence", "2024"])
def test_question_words_and_short_words_have_no_spelling(query: str) -> None:
    assert SpelledWords(terms(query)).spellings == {}


def test_the_number_of_spellings_is_bounded() -> None:
    letters = "אבגדהזחטכלמנסעפצקרשת"
    query = " ".join(f"ק{one}{other}ט{one}ק" for one in letters for other in letters)
    assert len(SpelledWords(terms(query)).spellings) == MAX_SPELLINGS


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("regulations", "The regulator made a regulation. Regulations apply.", ["regulation", "Regulations"]),
        ("filed studies", "File it. The filing of a study, studied.", ["File", "filing", "study", "studied"]),
        ("permitted dogs", "A permit permits one dog.", ["permit", "permits", "dog"]),
        ("פיטורים", "פטור מאגרה בשל הפיטורים, ולא פטורים.", ["הפיטורים", "פטורים"]),
        ("חוב", "חובת החוב, חובות, לחובת וחוב", ["החוב", "חובות", "וחוב"]),
        ("חובה", "החובה, חובת", ["החובה", "חובת"]),
        ("רישיון", "רשיון, ברישיונות וברשיון", ["רשיון", "ברישיונות", "וברשיון"]),
    ],
)
def test_words_and_their_forms_are_marked_and_no_others(query: str, text: str, marked: list[str]) -> None:
    asked = SpelledWords(terms(query))
    [found] = term_positions([text], asked.matched_stems)
    assert [text[start:end] for start, end in shown(asked.by_stem, text, found)] == marked
