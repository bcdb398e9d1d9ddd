"""Phrases: which quotation marks make one, and where its words stand."""

import pytest

from law.questions.phrases import find_phrases, quoted_places, texts_with_phrase, without_marks


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('"נכס משותף"', ["נכס משותף"]),
        ("מס על “joint property”", ["joint property"]),
        ("„נכס משותף” ו«מס שבח»", ["נכס משותף"]),
        ("«נכס משותף», ״מס שבח״", ["נכס משותף", "מס שבח"]),
        ('"one" two "three four" "one"', ["one", "three four"]),
        ('על-"נכס משותף".', ["נכס משותף"]),
        ('צה"ל, תשנ"ט ודו״חות', []),
        ('צה"ל ו"דו"ח כספי" ', []),
        ('"דו"ח כספי של צה"ל"', ['דו"ח כספי של צה"ל']),
        ('חוק "המים, התשי"ט–1959"', ['המים, התשי"ט–1959']),
        ('ב"נכס משותף"', []),
        ('"" "?!" "one"', ["one"]),
        ('"נכס משותף', []),
        ("Shari'a 'law of the land'", []),
        ('"two\nlines"', ["two\nlines"]),
    ],
)
def test_quotation_marks_make_a_phrase_unless_they_are_part_of_a_word(query: str, phrases: list[str]) -> None:
    assert [phrase.text for phrase in find_phrases(query)] == phrases
    assert not find_phrases(without_marks(query))


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("בנכס המשותף", True),
        ("נכס – משותף, כאמור", True),
        ("נכס שאינו משותף", False),
        ("משותף נכס", False),
        ("נכס נכס משותף", True),
        ("נכס 7 משותף", False),
        ("נכס", False),
        ("", False),
    ],
)
def test_text_holds_a_phrase_where_its_words_stand_side_by_side(text: str, held: bool) -> None:
    [phrase] = find_phrases('"נכס משותף"')
    assert texts_with_phrase([text, ""], phrase) == [held, False]


@pytest.mark.parametrize(
    ("query", "quoted"),
    [
        ('the "income tax" act', {1, 2}),
        ("«tax» “on income” x", {0, 1, 2}),
        ('צה"ל tax', set()),
        ("tenants' tax", set()),
    ],
)
def test_the_words_of_phrases_have_their_places(query: str, quoted: set[int]) -> None:
    assert quoted_places(query) == quoted
