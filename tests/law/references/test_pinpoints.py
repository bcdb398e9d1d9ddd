"""Sections in forms that stand apart from the name of their act, before it and behind it."""

import pytest

from tests.law.references.mentioned import shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("סעיף 12, סעיף קטן (א), לחוק המזחים, התשכ\"ז–1967", [
            'סעיף 12, סעיף קטן (א), לחוק המזחים, התשכ"ז–1967 → חוק המזחים, התשכ"ז–1967 12(א)']),
        ("section 5, subsection (2), of the Loans Act 1998", [
            "section 5, subsection (2), of the Loans Act 1998 → Loans Act 1998 5(2)"]),
        ("9 U.S.C. § 12 (2012) and 9 U.S.C. § 10(a) (2018)", [
            "9 U.S.C. § 12 → 9 U.S.C. 12", "9 U.S.C. § 10(a) → 9 U.S.C. 10(a)"]),
        ("Title 44, United States Code, Section 507R", [
            "Title 44, United States Code → Title 44, United States Code",
            "Section 507R → Title 44, United States Code 507R"]),
        ("5 U.S.C., section 3 of the Loans Act 1998", [
            "section 3 of the Loans Act 1998 → Loans Act 1998 3"]),
        ("Pear Boats Act, SC 2015, c 23, s 29, s 2(3)(b)", [
            "Pear Boats Act → Pear Boats Act", "SC 2015, c 23, s 29 → Pear Boats Act",
            "s 2(3)(b) → Pear Boats Act 2(3)(b)"]),
        ("Pear Boats Act, SC 2009, c 14, s 126 at s 15", [
            "Pear Boats Act → Pear Boats Act", "SC 2009, c 14, s 126 → Pear Boats Act", "s 15 → Pear Boats Act 15"]),
        ("the Loans Act 1998 at s 4 (“the Loans Law” or “LLA”). See s 9 LLA and section 2 of the Loans Law.", [
            "Loans Act 1998 → Loans Act 1998", "s 4 → Loans Act 1998 4", "s 9 LLA → Loans Act 1998 9",
            "section 2 of the Loans Law → Loans Act 1998 2"]),
    ],
)  # fmt: skip
def test_a_section_is_of_the_act_that_stands_apart_from_it(text: str, found: list[str]) -> None:
    assert shown(text, kind="") == found


@pytest.mark.parametrize("called", ['(להלן: "חוק השחמט")', "(להלן – חוק השחמט)"])
def test_an_act_is_called_as_is_said_behind_a_section_of_it(called: str) -> None:
    text = f'לפי חוק המשחקים, התשנ"ח–1998, סעיף 4 {called}, כך. סעיף 6א לחוק השחמט קובע אחרת.'
    assert shown(text, kind="")[-1] == 'סעיף 6א לחוק השחמט → חוק המשחקים, התשנ"ח–1998 6א'


def test_what_is_called_behind_other_words_is_not_the_act() -> None:
    text = 'לפי חוק המשחקים, התשנ"ח–1998, סעיף 4 והכללים (להלן – חוק השחמט), כך. סעיף 6א לחוק השחמט קובע אחרת.'
    assert shown(text, kind="")[-1] == "סעיף 6א לחוק השחמט → חוק השחמט 6א"


@pytest.mark.parametrize("before", ['ה"ח 817', 'ק"ת התשע"ט 2511', "נוהל 5.2.0012"])
def test_a_section_behind_an_unread_number_is_of_no_other_act(before: str) -> None:
    text = f'סעיף 3 לחוק המשחקים, התשנ"ח–1998 קובע כך. כך גם {before}, סעיף 5.'
    assert shown(text, kind="")[-1] == "סעיף 5 → ? 5"


def test_the_year_of_a_proposal_in_brackets_belongs_to_its_number() -> None:
    assert shown("Article 3 of the Grain Act 1990. COM(2020) 767, Art. 5", kind="")[-1] == "Art. 5 → ? 5"
