"""Where the words of a query stand in texts: as a scan of each text would find them, whatever was looked at before."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.words import analysis
from law.words.analysis import Place, term_positions, terms

# Letters with prefixes and endings, marks, every kind of quote and space, and letters that fold or decompose.
LETTERS = "אבהוכלמיםתןq aSsß ﬁİŉſ1203²٣_-־.,/\"'’״׳\u05b0\u05bc\u0301 \t\n\r\x1c\x85\u00a0\u2003\u200b\u200f"
TEXT = st.text(st.sampled_from(LETTERS), max_size=60) | st.text(max_size=40)


def scanned(text: str, stems: frozenset[str]) -> list[Place]:
    """The same by a plain look at the whole text."""
    found = [(*match.span(), terms(match[0])[0].stem) for match in analysis._TOKEN.finditer(text)]
    return [place for place in found if place[2] in stems]


@given(st.lists(TEXT, min_size=1, max_size=4), st.data())
def test_words_are_found_where_a_scan_of_the_text_finds_them(texts: list[str], data: st.DataObject) -> None:
    held = sorted({term.stem for text in texts for term in terms(text)})
    stems = frozenset(data.draw(st.sets(st.sampled_from(held)) if held else st.just(set())))
    for _ in range(2):
        assert term_positions(texts, stems) == [scanned(text, stems) for text in texts]


@given(TEXT)
def test_every_token_of_a_text_has_its_place(text: str) -> None:
    stems = [term.stem for term in terms(text)]
    [found] = term_positions([text], frozenset(stems))
    assert [stem for _, _, stem in found] == stems


@given(TEXT)
def test_word_is_its_token_folded_and_without_marks_and_quotes(text: str) -> None:
    for token, term in zip(analysis._TOKEN.findall(text), terms(text), strict=True):
        bare = analysis._MARKS.sub("", unicodedata.normalize("NFKD", token)).casefold()
        expected = analysis._QUOTES.sub("", bare)
        if expected[:1].isdigit():
            expected = analysis._THOUSANDS.sub("", expected)
        assert term.word == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab abc xab ab", [0, 11]),
        ("xab ab", [4]),
        ("abab ab abab ab", [5, 13]),
        ("ab", [0]),
        ("  ab  ", [2]),
        ("ab\nab\u00a0ab", [0, 3, 6]),
        ("(ab) ab, -ab- ab/ab", [1, 5, 10, 14, 17]),
        ("xab (ab) ab", [5, 9]),
    ],
)
def test_a_word_is_not_met_inside_another(text: str, expected: list[int]) -> None:
    [found] = term_positions([text], frozenset({"ab"}))
    assert found == [(at, at + 2, "ab") for at in expected]


def test_words_too_long_to_be_remembered_are_found_as_well() -> None:
    long = "q" * (analysis._MAX_REMEMBERED_LENGTH + 1)
    text = f"water {long} water."
    stems = frozenset(term.stem for term in terms(f"water {long}"))
    for _ in range(2):
        [found] = term_positions([text], stems)
        assert [text[start:end] for start, end, _ in found] == ["water", long, "water"]
    assert "water." in analysis._seen_words.words
    assert long not in analysis._seen_words.words


def test_forgotten_words_are_found_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysis, "_REMEMBERED_WORDS", 5)
    text = " ".join(f"w{number} water" for number in range(20))
    for _ in range(3):
        assert [len(found) for found in term_positions([text, text], frozenset({"water"}))] == [20, 20]
        assert len(analysis._seen_words.words) < 5


def test_words_that_were_met_with_other_stems_are_found() -> None:
    assert term_positions(["dam reservoir; reservoir?!"], frozenset({"dam"})) == [[(0, 3, "dam")]]
    [found] = term_positions(["reservoir; reservoir?! dam"], frozenset({"reservoir"}))
    assert [start for start, _, _ in found] == [0, 11]


def test_each_text_has_its_own_places() -> None:
    stems = frozenset(term.stem for term in terms("בנק"))
    texts = ["הבנק ישלם", "ישלם הבנק", "אין", "", "לבנק, לבנקים ולבנק"]
    assert term_positions(texts, stems) == [scanned(text, stems) for text in texts]
    assert term_positions([], stems) == []


def test_without_stems_nothing_is_found() -> None:
    assert term_positions(["water of the river"], frozenset()) == [[]]


def test_many_like_words_are_found_in_no_long_time() -> None:
    """Every word is looked for behind the last, and none of them twice."""
    [found] = term_positions([" ".join(["ab"] * 20_000)], frozenset({"ab"}))
    assert len(found) == 20_000
