"""Where the words of a query stand in texts: as a scan of each text would find them, whatever was looked at before."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import analysis
from search.analysis import Place, Places, terms

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
    found = Places(stems)
    for text in [*texts, *texts]:
        assert found.of(text) == scanned(text, stems)


@given(TEXT)
def test_every_token_of_a_text_has_its_place(text: str) -> None:
    stems = [term.stem for term in terms(text)]
    assert [stem for _, _, stem in Places(frozenset(stems)).of(text)] == stems


@given(TEXT)
def test_a_word_is_its_token_folded_and_without_marks_and_quotes(text: str) -> None:
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
    assert [(start, end) for start, end, _ in Places(frozenset({"ab"})).of(text)] == [(at, at + 2) for at in expected]


def test_words_too_long_to_be_remembered_are_found_as_well() -> None:
    long = "q" * (analysis._LONGEST_REMEMBERED + 1)
    text = f"water {long} water."
    places = Places(frozenset(term.stem for term in terms(f"water {long}")))
    for _ in range(2):
        assert [text[start:end] for start, end, _ in places.of(text)] == ["water", long, "water"]
    assert "water." in analysis._met.words
    assert long not in analysis._met.words


def test_words_that_another_search_meets_meanwhile_are_found() -> None:
    wanted, others = Places(frozenset({"reservoir"})), Places(frozenset({"dam"}))
    assert wanted.of("(reservoir),") == [(1, 10, "reservoir")]
    assert others.of("dam reservoir; reservoir?!") == [(0, 3, "dam")]
    assert [start for start, _, _ in wanted.of("reservoir; reservoir?! dam")] == [0, 11]


def test_when_too_many_words_are_remembered_all_are_forgotten_and_still_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analysis, "_REMEMBERED_WORDS", 5)
    text = " ".join(f"w{number} water" for number in range(20))
    places = Places(frozenset({"water"}))
    assert len(places.of(text)) == 20
    assert len(places.of(text)) == 20
    assert len(analysis._met.words) < 5
    assert len(Places(frozenset({"water"})).of(text)) == 20


def test_texts_of_one_search_share_what_was_found_in_their_words() -> None:
    found = Places(frozenset(term.stem for term in terms("בנק")))
    for text in ("הבנק ישלם", "ישלם הבנק", "אין", "", "לבנק, לבנקים ולבנק"):
        assert found.of(text) == scanned(text, frozenset({terms("בנק")[0].stem}))


def test_without_stems_nothing_is_found() -> None:
    assert Places(frozenset()).of("water of the river") == []


def test_many_like_words_are_found_in_no_long_time() -> None:
    """Every word is looked for behind the last, and none of them twice."""
    text = " ".join(["ab"] * 20_000)
    assert len(Places(frozenset({"ab"})).of(text)) == 20_000
