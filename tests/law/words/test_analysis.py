"""Text to terms."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.words.analysis import hash_text, term_positions, terms


def words(text: str) -> list[str]:
    return [term.word for term in terms(text)]


def stems(text: str) -> list[str]:
    return [term.stem for term in terms(text)]


@pytest.mark.parametrize("written", ["צה״ל", 'צה"ל', "צה”ל", "צה''ל".replace("''", '"'), "צהל"])
def test_gershayim_of_every_kind_stay_inside_the_word(written: str) -> None:
    assert words(f"חיילי {written} בגבול") == ["חיילי", "צהל", "בגבול"]


def test_quotation_marks_round_a_word_are_not_part_of_it() -> None:
    assert words('”אכיפה“ – "עיצום" ”כספי“;') == ["אכיפה", "עיצום", "כספי"]


def test_vowel_marks_are_stripped() -> None:
    assert words("הכַּשרוּת הַמִּשְׁפָּטִית") == words("הכשרות המשפטית")


def test_maqaf_and_hyphen_separate_words() -> None:
    assert words("על־תנאי co-operate 2009-2010") == ["על", "תנאי", "co", "operate", "2009", "2010"]


@pytest.mark.parametrize("number", ["18.8.2", "5א", "63א1", "1234/05", "1.5"])
def test_section_and_case_numbers_stay_whole(number: str) -> None:
    assert words(f"see {number}, and") == ["see", number, "and"]


def test_the_number_of_a_footnote_is_no_part_of_the_word() -> None:
    assert words("הפיקדון¹ deposit¹² 1999² x² ³") == ["הפיקדון", "deposit", "1999", "x"]
    assert words("rule 5ᵃ, 4ᵗʰ feeᵇ, Nº 6") == ["rule", "5", "4", "fee", "no", "6"]
    assert term_positions(["deposit¹ and"], frozenset({"deposit"})) == [[(0, 7, "deposit")]]


def test_thousands_separators_do_not_change_a_number() -> None:
    assert words("1,000,000 5,00") == ["1000000", "5,00"]


def test_a_sentence_end_is_not_part_of_a_number() -> None:
    assert words("rule 6.1.3.(a) and 7.") == ["rule", "6.1.3", "a", "and", "7"]


def test_english_words_meet_in_their_stem() -> None:
    assert set(stems("regulate Regulations regulated")) == {"regul"}


def test_english_possessives_meet_the_bare_word() -> None:
    assert stems("the company's") == stems("the company’s") == stems("the company")


def test_hebrew_words_meet_in_their_stem() -> None:
    assert len(set(stems("תקנות התקנות ובתקנות"))) == 1


def test_presentation_forms_equal_plain_letters() -> None:
    assert words("\ufb2aלום") == words("שלום")


def test_places_are_those_of_the_text_as_written() -> None:
    text = "הַבַּנְק ישלם; the Bank's duty"
    [found] = term_positions([text], frozenset(term.stem for term in terms("בנק bank")))
    assert [text[start:end] for start, end, _ in found] == ["הַבַּנְק", "Bank's"]


def test_hashes_are_the_same_in_another_process() -> None:
    code = "from law.words.analysis import hash_text; print(hash_text('חוק'))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(other.stdout) == hash_text("חוק")


@given(st.text(max_size=200))
def test_any_text_can_be_analysed(text: str) -> None:
    assert all(term.word and term.stem for term in terms(text) if any(c.isalnum() for c in term.word))


@pytest.mark.parametrize("written", ["דו''ח", "דו׳׳ח", "דו’’ח"])
def test_gershayim_typed_as_two_marks_are_those_typed_as_one(written: str) -> None:
    assert terms(f"ה{written} הוגש") == terms('הדו"ח הוגש')
    assert words("''דוח''") == ["דוח"]


@pytest.mark.parametrize("written", ["1,250,000.00", "1250000.00", "1,250,000", "12,50,000", "₪1,250,000.00"])
def test_an_amount_is_the_same_with_and_without_its_separators_and_cents(written: str) -> None:
    assert words(f"pays {written}.") == ["pays", "1250000"]


def test_an_amount_with_cents_and_the_number_of_a_section_stay_as_they_are() -> None:
    assert words("1,250.50 18.8.00 5.0") == ["1250.50", "18.8.00", "5.0"]
