"""Citations in the forms of several countries, of their rules, notices and pleadings."""

import pytest

from tests.law.references.mentioned import ACT, Section, sections, shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Fed. R. Civ. P. 12(b)(6)", ["Federal Rules of Civil Procedure 12(b)(6)"]),
        ("Fed.R.Crim.P. 11; Fed. R. Evid. 401 and 403", [
            "Federal Rules of Criminal Procedure 11", "Federal Rules of Evidence 401",
            "Federal Rules of Evidence 403"]),
        ("Tex. R. App. P. 38.1(a)", ["Tex. R. App. P. 38.1(a)"]),
        ("5 ILCS 120/2(a)", ["5 ILCS 120 2(a)"]),
        ("720 ILCS 5/9-1", ["720 ILCS 5 9-1"]),
        ("By-law 7(2) of the Pier Council (Markets) By-laws, 2015", ["Pier Council (Markets) By-laws, 2015 7(2)"]),
        ("By-law 3 of the Pier Parking Bye-Laws 2012", ["Pier Parking Bye-Laws 2012 3"]),
        ("section 34 of the Act respecting the Board of Piers", ["Act respecting the Board of Piers 34"]),
        ("rule 1 of the Rules of the Pier Court (Cap. 4A)", ["Rules of the Pier Court 1"]),
        ("section 4 of the Pier Reforms Act, 1961 (Goa Act 10 of 1962)", ["Pier Reforms Act, 1961 4"]),
        ("Article 9 of the Pier Code, Chapter 16 of the Laws of Malta", ["Pier Code 9"]),
        ("by-law 4 of these By-laws", ["here 4"]),
        ("under By-law 12 of 2015", ["By-law 12 of 2015"]),
        ("regulation 4 of Legal Notice No. 46 of 2031", ["Legal Notice No. 46 of 2031 4"]),
        ("as amended by Act XVI of 2006", ["Act XVI of 2006"]),
        ("regulation 4 of S.L. 460.33", ["S.L. 460.33 4"]),
        ("section 1 of Batas Pambansa Blg. 22", ["Batas Pambansa Blg. 22 1"]),
        ("Article 9 r/w Article 14 of the Pier Code", ["Pier Code 9", "Pier Code 14"]),
        ("Article 5 of 32016R0679", ["32016R0679 5"]),
        ("The Pier Act 2031, section 3 (Act 12 of 2031)", ["Pier Act 2031", "Pier Act 2031 3", "Act 12 of 2031"]),
        ("the Pier Act 2031 applies: in section A4 paper is kept, and sections A1 to A3 of the sheet are blue", [
            "Pier Act 2031"]),
        ("section 2 of the Pier Act 2031, Rule A1 of the club and Article A1 of the list", ["Pier Act 2031 2"]),
        ("Roe v Doe [2031] eKLR, paragraph 14", ["[2031] eKLR", "[2031] eKLR 14"]),
        ("Opinion 2/13, paragraph 170", ["Opinion 2/13", "Opinion 2/13 170"]),
        ("G.R. No. 123456, 4A_123/2031, FACV 5/2031, ILR 2031 KAR 12", [
            "G.R. No. 123456", "4A_123/2031", "FACV 5/2031", "ILR 2031 KAR 12"]),
    ],
)  # fmt: skip
def test_an_act_is_known_by_the_form_of_its_country(text: str, found: list[str]) -> None:
    assert [one.split(" → ")[1] for one in shown(text, kind="")] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("section 2, Article 5 of the Pier Code", ["Pier Code 5(2)"]),
        ("Rule 65, Section 1 of the Pier Code", ["Pier Code 65(1)"]),
        ("Section 5(1), Article 3(2) of the Pier Code", ["Pier Code 3(2)(5)(1)"]),
        ("Section 1, Article III of the Pier Code", ["Pier Code 1 article 3"]),
        ("section 2, Articles 5 and 6 of the Pier Code", ["Pier Code 2", "Pier Code 5", "Pier Code 6"]),
        ("section 2, article 5 and rule 7 of the Pier Code", ["Pier Code 2", "Pier Code 5", "Pier Code 7"]),
        ("section 2, regulation 5 of the Pier Code", ["Pier Code 2", "Pier Code 5"]),
        ("Annex II, point 3, to the Pier Code", ["Pier Code (3) annex 2"]),
        ("פסקה (1) לסעיף קטן (א) של סעיף 2 לחוק הספנות", ["חוק הספנות 2(א)(1)"]),
        ("פסקה (1) לסעיף קטן (א) לסעיף 2 לחוק הספנות", ["חוק הספנות 2(א)(1)"]),
        ("סעיף קטן 2(א) לחוק הספנות", ["חוק הספנות 2(א)"]),
    ],
)
def test_a_number_may_stand_inside_of_another(text: str, found: list[str]) -> None:
    assert [one.split(" → ")[1] for one in shown(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("section 4 of the Pier Uses Act. Harbour Dues Act 1988 says", ["Pier Uses Act 4", "Harbour Dues Act 1988"]),
        ("Recital 26 GDPR. Annex II of the Pier Code", ["GDPR recital 26", "Pier Code annex 2"]),
        ("section 4 of the St. Mary Pier (Misc. Fees) Act", ["St. Mary Pier (Misc. Fees) Act 4"]),
    ],
)
def test_a_name_ends_with_its_sentence(text: str, found: list[str]) -> None:
    assert [one.split(" → ")[1] for one in shown(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "paragraphs 5 to 9 inclusive of the Particulars of Claim", "paragraph 4 of the Affidavit of Jane Roe",
        "section 3 of the amended Defence", "סעיף 14 לכתב ההגנה", "בנספח 3 לתצהיר", "סעיף 6 לבקשה",
        "סעיף ג' לכתב התביעה",
    ],
)  # fmt: skip
def test_a_pleading_is_not_the_document(text: str) -> None:
    assert {one.split(" → ")[1][0] for one in shown(text, kind="")} == {"?"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"סעיף א ל{ACT}", [f"{ACT} א"]),
        (f"סעיפים א' ו-ב' ל{ACT}", [f"{ACT} א'", f"{ACT} ב'"]),
        (f"תקנה ג׳ ל{ACT}", [f"{ACT} ג׳"]),
        (f"לפי {ACT}. סעיף ב׳ קובע", [ACT, "? ב׳"]),
        ("לפי סעיפים א, ב ו-ג", ["? א", "? ב", "? ג"]),
        (f"סעיפים ב.3 ו-ב.4.1 ל{ACT}", [f"{ACT} ב.3", f"{ACT} ב.4.1"]),
        ("המנהל הכללי, כללי האתיקה, סעיף אחר, סעיף ב.3, חלק V, סעיף א", ["? ב.3"]),
    ],
)
def test_a_lone_letter_is_a_section_of_an_act_that_is_named(text: str, found: list[str]) -> None:
    assert [one.split(" → ")[1] for one in shown(text)] == found


def test_a_lone_letter_is_a_section_of_a_document_that_has_it() -> None:
    text = "א. שם\nב. תחולה, לפי סעיף א׳ ולא כסעיף ג"
    placed = [Section("sec_a", "section", "א", 0, 5), Section("sec_b", "section", "ב", 6, len(text))]
    assert [one.split(" → ")[1] for one in shown(text, placed)] == ["here א׳", "? ג"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Clause (1) of Article (2), or Article (8)", ["Clause (1) of Article (2) → here 2(1)", "(8) → here 8"]),
        ("Articles (2) and (3)(a) and Article (16) BIS", [
            "Articles (2) → here 2", "(3)(a) → here 3(a)", "(16) BIS → here 16bis"]),
        ("paragraph (b) of subsection 2 of NRS 432B.198", [
            "paragraph (b) of subsection 2 of NRS 432B.198 → N.R.S. chapter 432B 432B.198(2)(b)"]),
        ("section 3 of the Tides, Boats and Long-term Piers Act", [
            "section 3 of the Tides, Boats and Long-term Piers Act → Tides, Boats and Long-term Piers Act 3"]),
        ("By Kenya, Evidence Act, section 5", ["Evidence Act → Evidence Act", "section 5 → Evidence Act 5"]),
    ],
)  # fmt: skip
def test_numbers_in_brackets_and_titles_with_commas_are_read(text: str, found: list[str]) -> None:
    assert shown(text, title="Piers Act 2031") == found


def test_new_law_for_another_act_cites_nothing_of_the_act_that_inserts_it() -> None:
    inserted = "“4A. A boat lies as section 1 says.\n(2) As in subsection (1).”"
    rest = f"Boats.—The following is inserted after section 4:\n{inserted}\nIt lies as section 1 says."
    text, placed = sections("Fees are due.", rest)
    told = shown(text, placed, title="Piers Act 2031")
    assert told == ["section 4 → here 4", "section 1 → ? 1", "subsection (1) → ? (1)", "section 1 → here 1"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("under section 4 of the said Evidence Act.", "section 4 of the said Evidence Act → Evidence Act 4"),
        (
            "under Section 10b-5 of the Exchange Act Rules.",
            "Section 10b-5 of the Exchange Act Rules → Exchange Act Rules 10b-5",
        ),
    ],
)
def test_what_stands_around_a_name_is_not_left_to_another_act(text: str, found: str) -> None:
    whole, placed = sections("Ports are open.", text)
    assert shown(whole, placed, title="Ports Act 2019") == [found]
