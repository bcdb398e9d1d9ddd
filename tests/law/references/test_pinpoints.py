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
        ("under 42 U.S.C. §§ 1983 and 1985", ["42 U.S.C. §§ 1983 → 42 U.S.C. 1983", "1985 → 42 U.S.C. 1985"]),
        ("Bus. & Prof. Code § 6068", [
            "Bus. & Prof. Code → Bus. & Prof. Code", "§ 6068 → Bus. & Prof. Code 6068"]),
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
    assert shown("Article 3 of the Grain Act 1990. SWD(2020) 767, Art. 5", kind="")[-1] == "Art. 5 → ? 5"


@pytest.mark.parametrize(
    ("between", "pinpoint", "of"),
    [
        ("A person is liable under 35 U.S.C. § 22. See", "§ 77", "35 U.S.C."),
        ("Title 44, United States Code, section 507 binds all, and", "section 77", "Title 44, United States Code"),
        ("N.C. Gen. Stat. § 75-1.1 applies, as does", "§ 90-95", "N.C.G.S. chapter 90"),
        ("N.C. Gen. Stat. § 75-1.1 applies, as does", "§ 77", "?"),
        ("Article 4 of Edict 39/2016-X requires a licence.", "Article 77", "?"),
        ("Section 5 of Chapter 7:07 requires a bond.", "Section 77", "Chapter 7:07"),
        ("Under the Ruritanian Ports Law section 4 is mandatory.", "Section 77", "?"),
        ("Section 3 of Circular 2031-1-7 is spent.", "Section 77", "Circular 2031-1-7"),
        ("סעיף 6 לאמנת האג דן בכך.", "סעיף 77", "?"),
        ("נוהל 5.2.0012, סעיף 4, נקבע לעובדים.", "סעיף 77", "?"),
    ],
)
def test_a_bare_section_is_of_what_was_cited_last_or_of_nothing(between: str, pinpoint: str, of: str) -> None:
    number = pinpoint.rpartition(" ")[2]
    text = f"The Grain Act 1990, section 3, binds all. {between} {pinpoint} too."
    assert shown(text, kind="")[-1] == f"{pinpoint} → {of} {number}"


def test_what_has_no_sections_takes_none_from_the_act_before_it() -> None:
    text = "The Grain Act 1990, section 3, binds all. Clause 9 of the lease is void. Section 77 too."
    assert shown(text, kind="")[-1] == "Section 77 → Grain Act 1990 77"


def test_that_act_is_the_one_that_is_not_read_where_its_word_is_the_same() -> None:
    text = "The Grain Ordinance 1990 binds all. Section 8 of the wharf ordinance is void. {} too."
    assert shown(text.format("Section 77 of that Ordinance"), kind="")[-1].partition(" → ")[2] == "? 77"


def test_the_act_behind_which_a_number_stands_is_that_of_the_number() -> None:
    for number, of in (("R.S.A. c. H50", "? 6"), ("Cap. 57", "Cap. 57 6"), ("Part 2", "Grain Act 1990 6")):
        text = f"The Grain Act 1990 binds all. Section 6 of the Act ({number}) is void."
        assert shown(text, kind="")[1].partition(" → ")[2] == of, number


def test_the_number_of_a_section_may_follow_the_name_of_its_code_without_a_sign() -> None:
    assert shown("under C.R.S. 18-3-102, and section 28-3803, A.R.S., it is so", kind="") == [
        "C.R.S. 18-3-102 → C.R.S. title 18 18-3-102",
        "section 28-3803, A.R.S. → A.R.S. title 28 28-3803",
    ]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Sections 18-3-101 and 18-3-102, C.R.S., apply.", ["C.R.S. title 18 18-3-101", "C.R.S. title 18 18-3-102"]),
        ("C.R.S. 18-3-102 and 18-3-103 apply.", ["C.R.S. title 18 18-3-102", "C.R.S. title 18 18-3-103"]),
        ("C.R.S. 18-3-102 and section 4 of the Piers Act 1990", ["C.R.S. title 18 18-3-102", "Piers Act 1990 4"]),
        ("A.R.S. 28-3803 and section 4 of this Act", ["A.R.S. title 28 28-3803", "here 4"]),
        ("K.S.A. 21-5402, and sections 4 and 5 of this act", ["K.S.A. chapter 21 21-5402", "here 4", "here 5"]),
        ("section 5 of G.S. 20-138.1", ["? 5"]),
        ("RSA § 630:1 applies", ["N.H. Rev. Stat. chapter 630 630:1"]),
    ],
)
def test_each_section_of_a_list_is_of_its_own_code(text: str, of: list[str]) -> None:
    assert [one.partition(" → ")[2] for one in shown(text, title="Wharves Act 2020")] == of


@pytest.mark.parametrize(
    "text",
    ["The GS 12-5 grade is paid.", "RSA 3:1 and RSA 4:2 differ", "take TCA 12-50 mg", "KSA 20-30 riyals",
     "HRS 24-10 is open", "ETS 100 allowances", "as Form S 5/2014 asks", "see Table S 1/2014"],
)  # fmt: skip
def test_grades_masses_and_forms_are_no_citations(text: str) -> None:
    assert shown(f"Section 12 of the Piers Act 1990 applies. {text}. Section 7 was considered.", kind="") == [
        "Section 12 of the Piers Act 1990 → Piers Act 1990 12",
        "Section 7 → Piers Act 1990 7",
    ]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Under the Act, section 4 is law.", "here 4"),
        ("Subject to the Act section 4 stands.", "here 4"),
        ("In the Act section 4 is law.", "here 4"),
        ("Under the Ports Law section 4 is mandatory.", "? 4"),
        ("Section 4 of the Act (Chapter 2) is law.", "here 4"),
        ("Section 4 of the Act [Chapter 24:31] is law.", "Chapter 24:31 4"),
        ("Section 4 of the Act (Part 2, chapter 4) is law.", "here 4"),
        ("Section 4 of the Act (R.S.A. c. H50) is law.", "? 4"),
        ("Section 4 of the Act (Chap. 22) is law.", "? 4"),
    ],
)
def test_the_act_alone_is_no_name_of_another(text: str, of: str) -> None:
    assert shown(text, title="Wharves Act 2020")[0].partition(" → ")[2] == of


@pytest.mark.parametrize(
    ("between", "pinpoint", "of"),
    [
        ("Under 12 CFR 1072.5 a fee is due.", "Section 1072.7", "12 CFR 1072 1072.7"),
        ("Under 12 CFR 1072.5 a fee is due.", "Section 1015.3", "? 1015.3"),
        ("Under 12 CFR 1072.5 a fee is due.", "Section 7", "? 7"),
        ("COM(2021) 206 final proposes more.", "Section 7", "? 7"),
        ("See TIAS 11212 for more.", "Section 7", "? 7"),
        ("Article 5 of ETS No. 108 is clear.", "Section 7", "? 7"),
        ("Article 5 of ETS No. 108 is clear.", "Article 7", "ETS No. 108 7"),
    ],
)
def test_a_bare_section_is_of_no_part_or_treaty_that_has_none_of_its_form(between: str, pinpoint: str, of: str) -> None:
    text = f"The Grain Act 1990, section 3, binds all. {between} {pinpoint} too."
    assert shown(text, kind="")[-1].partition(" → ")[2] == of


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("By section 5 of the Loans Act 1998 it is due. Paragraph (b) of that section binds.", "Loans Act 1998 5(b)"),
        ("By s 5(1) of the Loans Act 1998 it is due. Subsection (3) of the said section binds.", "Loans Act 1998 5(3)"),
        ("By section 5 it is due, and subsection (3) of that section binds.", "here 5(3)"),
        ("Subsection (3) of that section binds.", "? (3)"),
        ("By section 5 of the Loans Act 1998 it is due. Subsection (3) of this section binds.", "here (3)"),
        ('לפי סעיף 5 לחוק המזחים, התשכ"ז–1967, ובפסקה (4) לאותו סעיף', 'חוק המזחים, התשכ"ז–1967 5(4)'),
        ('לפי סעיף 5 לחוק המזחים, התשכ"ז–1967, ובסעיף קטן (ג) של הסעיף האמור', 'חוק המזחים, התשכ"ז–1967 5(ג)'),
        # Which subsection that is, no citation of a section tells.
        ('לפי סעיף 5 לחוק המזחים, התשכ"ז–1967, על אף סעיף קטן (א), בפסקה (4) של אותו סעיף קטן', None),
        ("By section 5 of the Loans Act 1998 it is due. Paragraph (3) of that Schedule binds.", None),
        ("Section 2 applies. Paragraph (a) of that section of the Boats Act 2001 applies.", None),
    ],
)
def test_clauses_of_that_section_are_of_the_one_cited_last(text: str, of: str | None) -> None:
    found = [one.partition(" → ")[2] for one in shown(text)]
    assert found[-1] == of if of else not any(one.endswith(("5(4)", "5(3)", "2(a)")) for one in found)
