"""References as laws, judgments and circulars write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.references.mentions import read_references
from tests.law.citations.test_parsing import HOSTILE
from tests.law.references.mentioned import ACT, Section, sections, shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("כאמור בסעיף 5(א)(2).", ["בסעיף 5(א)(2) → here 5(א)(2)"]),
        (f"לפי סעיף 63א ל{ACT};", [f"סעיף 63א ל{ACT} → {ACT} 63א"]),
        ("בחוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983,", [
            "בחוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983 → חוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983"]),
        ("סעיפים 3, 5(ב) ו־7 לחוק זה", ["סעיפים 3 → here 3", "5(ב) → here 5(ב)", "7 לחוק זה → here 7"]),
        (f"סעיפים 3 עד 7 ל{ACT}", [f"סעיפים 3 עד → {ACT} 3 up to 7", f"7 ל{ACT} → {ACT} 7"]),
        (f"סעיף 5א(1) עד סעיף 5ד(ב) ל{ACT}", [
            f"סעיף 5א(1) עד → {ACT} 5א(1) up to 5ד", f"סעיף 5ד(ב) ל{ACT} → {ACT} 5ד(ב)"]),
        ("§§ 12 through 18, 20 and 22–24(b) of the Pier Act 1974", [
            "§§ 12 through → Pier Act 1974 12 up to 18", "18 → Pier Act 1974 18", "20 → Pier Act 1974 20",
            "22– → Pier Act 1974 22 up to 24", "24(b) of the Pier Act 1974 → Pier Act 1974 24(b)"]),
        ("paragraphs 3 to 8 of Schedule 2 to the Pier Act 1974", [
            "paragraphs 3 to → Pier Act 1974 3 up to 8 schedule 2",
            "8 of Schedule 2 to the Pier Act 1974 → Pier Act 1974 8 schedule 2"]),
        ("paragraph 2 of Articles 4 to 6 of the Pier Code", [
            "paragraph 2 of Articles 4 to → Pier Code 4(2) up to 6", "6 of the Pier Code → Pier Code 6"]),
        ("section 4(1) to (3) of the Pier Act 1974", [
            "section 4(1) to → Pier Act 1974 4(1) up to 4", "(3) of the Pier Act 1974 → Pier Act 1974 4(3)"]),
        ("section 5 – 7 days, section 6 - 2020, of the Pier Act 1974", [
            "section 5 → here 5", "section 6 → here 6", "Pier Act 1974 → Pier Act 1974"]),
        (f"פסקה (1) של סעיף 4(א) ל{ACT}", [f"פסקה (1) של סעיף 4(א) ל{ACT} → {ACT} 4(א)(1)"]),
        ("סימן ב׳ לפרק ג׳", ["סימן ב׳ לפרק ג׳ → here סימן 2 פרק 3"]),
        ("פרט 2 לתוספת השנייה לחוק הגנים, והכל", ["פרט 2 לתוספת השנייה לחוק הגנים → חוק הגנים 2 תוספת 2"]),
        ("הגופים המנויים בתוספת, וכן", ["בתוספת → here תוספת"]),
        (f"סעיף 3 או פרק ב׳ ל{ACT}", [f"סעיף 3 → {ACT} 3", f"פרק ב׳ ל{ACT} → {ACT} פרק 2"]),
        (f"{ACT}, סעיפים 4 ו־6;", [f"{ACT} → {ACT}", f"סעיפים 4 → {ACT} 4", f"6 → {ACT} 6"]),
        ("בסעיף 5 לפקודת הדיג. באותו סעיף", ["בסעיף 5 לפקודת הדיג → פקודת הדיג 5", "באותו סעיף → פקודת הדיג 5"]),
        (f"לפי {ACT}. סעיף 6 לחוק האמור", [f"{ACT} → {ACT}", f"סעיף 6 לחוק האמור → {ACT} 6"]),
        ('כפי שנפסק בע"א 1234/05 ובחוזר מס׳ 2019-1-5', [
            'ע"א 1234/05 → ע"א 1234/05', "חוזר מס׳ 2019-1-5 → חוזר מס׳ 2019-1-5"]),
        ("שנת המס 1982, ב־5 בחודש, חוק אחר, לפי כל חוק", []),
        ("section 7(b) of the Loans (Fees) Act 1998 applies", [
            "section 7(b) of the Loans (Fees) Act 1998 → Loans (Fees) Act 1998 7(b)"]),
        ("Under the Loans Act 1998 a lender may", ["Loans Act 1998 → Loans Act 1998"]),
        ("as section 12(3) of this Act and Part 4 say", [
            "section 12(3) of this Act → here 12(3)", "Part 4 → here part 4"]),
        ("section 5 of the Loans Act 1998. Section 6 of that Act", [
            "section 5 of the Loans Act 1998 → Loans Act 1998 5", "Section 6 of that Act → Loans Act 1998 6"]),
        ("as recital 4 and recitals (5) and (6) of Directive 2031/65/EU say", [
            "recital 4 → Directive 2031/65/EU recital 4", "recitals (5) → Directive 2031/65/EU recital 5",
            "(6) of Directive 2031/65/EU → Directive 2031/65/EU recital 6"]),
        ("Section II of the Pier Act 1998, SECTION I of this Act", [
            "Section II of the Pier Act 1998 → Pier Act 1998 II", "SECTION I of this Act → here I"]),
        (f'סעיף ט"ו ל{ACT}; לפי סעיפים י״ב ו־כ"ג', [
            f'סעיף ט"ו ל{ACT} → {ACT} 15', "סעיפים י״ב → here 12", 'כ"ג → here 23']),
        ("in subsection 83.01(2) of that Act", ["subsection 83.01(2) of that Act → ? 83.01(2)"]),
        ("sections 3, 4A and 9 of the Pier Code", [
            "sections 3 → Pier Code 3", "4A → Pier Code 4A", "9 of the Pier Code → Pier Code 9"]),
        ("See [2019] UKSC 5 and Case C-131/12; COBS 3.4.1(2) differs.", [
            "[2019] UKSC 5 → [2019] UKSC 5", "Case C-131/12 → Case C-131/12", "COBS 3.4.1(2) → COBS 3.4.1(2)"]),
        ("The Act of parties in part; in order 5 of them, 12/05/2019", []),
    ],
)  # fmt: skip
def test_every_citation_is_a_mention_with_its_act(text: str, found: list[str]) -> None:
    assert shown(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("section 2, subsection (1), paragraph (b)", ["section 2, subsection (1), paragraph (b) → here 2(1)(b)"]),
        ("under paragraph 2 of this Article", ["paragraph 2 → here 1(2)"]),
        ("under paragraphs 6 and 7 of Article 4, whereby", ["paragraphs 6 → here 4(6)", "7 of Article 4 → here 4(7)"]),
        ("in paragraph 17(1)(b) or subsection 10(1.1) or section 15.2", [
            "paragraph 17(1)(b) → here 17(1)(b)", "10(1.1) → here 10(1.1)", "15.2 → here 15.2"]),
        ("in sub-item (2) or (3) of item (i) of clause (e) of section 2", [
            "sub-item (2) → here 2(e)(i)(2)", "(3) of item (i) of clause (e) of section 2 → here 2(e)(i)(3)"]),
        ("section 5, 30 days after; § 6, 62 Stat. 673; sections 7, 8 and 9", [
            "section 5 → here 5", "§ 6 → here 6", "62 Stat. 673 → ?", "sections 7 → here 7", "8 → here 8",
            "9 → here 9"]),
        ("sections 28-3803, 28-3814", ["sections 28-3803 → here 28-3803", "28-3814 → here 28-3814"]),
        ("That regulation applies, by those Rules.", []),
        ("The duty (Chapter 3 of this Act) applies", ["Chapter 3 of this Act → here chapter 3"]),
        ("It applies under this Act (Chapter 3)", ["Chapter 3 → here chapter 3"]),
    ],
)  # fmt: skip
def test_clauses_and_lists_of_the_document(text: str, found: list[str]) -> None:
    whole, placed = sections(text)
    assert shown(whole, placed) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Division 2A of Part 5.3 of the Pier Act 2001", [
            "Division 2A of Part 5.3 of the Pier Act 2001 → Pier Act 2001 division 2a part 5.3"]),
        ("Part IV of the Pier Act 1974", ["Part IV of the Pier Act 1974 → Pier Act 1974 part 4"]),
        ("Parts II and IV.1 of the Pier Act 1974", [
            "Parts II → Pier Act 1974 part 2", "IV.1 of the Pier Act 1974 → Pier Act 1974 part 4.1"]),
        ("Schedules 1, 2 and 4 to the Pier Act 1974", [
            "Schedules 1 → Pier Act 1974 schedule 1", "2 → Pier Act 1974 schedule 2",
            "4 to the Pier Act 1974 → Pier Act 1974 schedule 4"]),
        ("Part II of the Second Schedule to the Pier Act 1974", [
            "Part II of the Second Schedule to the Pier Act 1974 → Pier Act 1974 part 2 schedule 2"]),
        (f"פרקים ב' ו-ג' ל{ACT}", [f"פרקים ב' → {ACT} פרק 2", f"ג' ל{ACT} → {ACT} פרק 3"]),
    ],
)  # fmt: skip
def test_parts_are_cited_by_any_number_and_in_lists(text: str, found: list[str]) -> None:
    assert shown(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("section 3 of Cap 57A; Cap. 57, s. 12", [
            "section 3 of Cap 57A → Cap 57A 3", "Cap. 57 → Cap. 57", "s. 12 → Cap. 57 12"]),
        ("section 3 of Republic Act No. 9999", ["section 3 of Republic Act No. 9999 → Republic Act No. 9999 3"]),
        ("section 4 of P.N.D.C.L. 99; section 7 of Act 284", [
            "section 4 of P.N.D.C.L. 99 → P.N.D.C.L. 99 4", "section 7 of Act 284 → Act 284 7"]),
        ("section 3 of the Pier Ordinance (Cap. 57)", ["section 3 of the Pier Ordinance → Pier Ordinance 3"]),
        ("Order XX rule 9 of the Code of Pier Procedure, 1908", [
            "Order XX rule 9 of the Code of Pier Procedure, 1908 → Code of Pier Procedure, 1908 9 order 20"]),
        ("Article 5 of the Constitution of Atlantis, 2010, applies", [
            "Article 5 of the Constitution of Atlantis, 2010 → Constitution of Atlantis, 2010 5"]),
        ("Article 8 § 2 and Article 6 §§ 1 and 3 (c) of the Convention", [
            "Article 8 § 2 → ? 8(2)", "6 §§ 1 → ? 6(1)", "3 (c) of the Convention → ? 6(3)(c)"]),
        ("clause (b) of the Explanation to section 13 of the Pier Act, 1961", [
            "clause (b) of the Explanation to section 13 of the Pier Act, 1961 → Pier Act, 1961 13(b)"]),
        ("the Pier Act 1961 and section 4 thereof", [
            "Pier Act 1961 → Pier Act 1961", "section 4 thereof → Pier Act 1961 4"]),
        ("rule 14 of the said rules", ["rule 14 of the said rules → ? 14"]),
        ("CPR r 24.2 and Cal. Pier Code § 179.1(a)", [
            "r 24.2 → CPR 24.2", "Cal. Pier Code → Cal. Pier Code", "§ 179.1(a) → Cal. Pier Code 179.1(a)"]),
        ("Section 12-34-101, C.R.S., and Fla. Stat. § 327.33", [
            "Section 12-34-101, C.R.S. → C.R.S. title 12 12-34-101",
            "Fla. Stat. § 327.33 → Fla. Stat. chapter 327 327.33"]),
        ("Case C-131/12, paragraph 45", ["Case C-131/12 → Case C-131/12", "paragraph 45 → Case C-131/12 45"]),
        ("§ 1.401(a)-1(b) and 17 CFR 240.10b-5(a)", [
            "§ 1.401(a)-1(b) → here 1.401(a)-1(b)", "17 CFR 240.10b-5(a) → 17 CFR 240 240.10b-5(a)"]),
    ],
)  # fmt: skip
def test_acts_are_named_by_numbers_and_short_names(text: str, found: list[str]) -> None:
    assert shown(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("סעיף 4 להחלטת הממשלה מס' 567", ["סעיף 4 להחלטת הממשלה מס' 567 → החלטת הממשלה מס' 567 4"]),
        ("סעיף 5 להוראת ניהול בנקאי תקין 313", [
            "סעיף 5 להוראת ניהול בנקאי תקין 313 → הוראת ניהול בנקאי תקין 313 5"]),
        ("סעיף 6(1)(ו) לתקנה (EU) 2016/679 וסעיף 7 ל-GDPR", [
            "סעיף 6(1)(ו) לתקנה (EU) 2016/679 → תקנה (EU) 2016/679 6(1)(ו)", "וסעיף 7 ל-GDPR → GDPR 7"]),
        ("סעיף 14 להסכם המזח וסעיף 3 להסכם זה", ["סעיף 14 להסכם → ? 14", "וסעיף 3 להסכם זה → here 3"]),
        ('תקנה 201 לתקסד"א', ['תקנה 201 לתקסד"א → תקסד"א 201']),
        ("סעיפים 4 ו-9(א) לחוק-יסוד: כבוד האדם וחירותו", [
            "סעיפים 4 → חוק-יסוד: כבוד האדם וחירותו 4",
            "9(א) לחוק-יסוד: כבוד האדם וחירותו → חוק-יסוד: כבוד האדם וחירותו 9(א)"]),
        (f"סעיף 3 יחד עם סעיף 9 ל{ACT}", [f"סעיף 3 → {ACT} 3", f"9 ל{ACT} → {ACT} 9"]),
        ("תקנה 5 לתקנות שהותקנו מכוחו", ["תקנה 5 לתקנות → ? 5"]),
    ],
)  # fmt: skip
def test_what_is_no_act_is_named_or_unknown_and_never_here(text: str, found: list[str]) -> None:
    assert shown(text) == found


def test_the_number_at_the_head_of_an_act_is_no_reference() -> None:
    assert shown("Cap. 57\nPiers\n1. Under Cap. 58 none is.") == ["Cap. 58 → Cap. 58"]


def test_paragraphs_of_schedule_are_not_the_sections_of_the_act() -> None:
    text = "1. Short\nSCHEDULE 1\n3. As paragraph 2 says."
    placed = [
        Section("sec_1", "section", "1", 0, 8),
        Section("sched_1", "schedule", "1", 9, len(text)),
        Section("sched_1__item_3", "item", "3", 20, len(text)),
    ]
    assert shown(text, placed) == ["paragraph 2 → here 2 תוספת 1"]
    assert shown("As paragraph 2 says.") == ["paragraph 2 → ? 2"]
    assert shown("As subsection 17(2) says.") == ["subsection 17(2) → here 17(2)"]


def test_a_section_that_another_begins_with_is_no_reference() -> None:
    text = "§ 28-401. Title.\n§ 4 applies."
    assert shown(text, [Section("sec_28-401", "section", "28–401", 0, len(text))]) == ["§ 4 → here 4"]
    assert shown("CHAPTER 395\nPIERS\nSection 5\tFees\nsee section 5") == ["section 5 → here 5"]
    assert shown("Rules\nPart I – GENERAL\nas Part I – as amended – says") == ["Part I → here part 1"]


def test_clauses_without_a_section_are_those_around_them() -> None:
    text, placed = sections("(א) כללי:\n(1) כאמור בפסקה (2);\n(2) אחר.\n(ב) לפי סעיף קטן (א)(1), ופסקה (9).")
    assert shown(text, placed) == [
        "בפסקה (2) → here 1(א)(2)",
        "סעיף קטן (א)(1) → here 1(א)(1)",
        "ופסקה (9) → here 1(9)",
    ]
    text, placed = sections("(1) As subsection (2) says.\n(2) In cases of:\n(a) paragraph (b); or\n(b) others.")
    assert shown(text, placed) == ["subsection (2) → here 1(2)", "paragraph (b) → here 1(2)(b)"]


def test_a_clause_is_a_section_where_sections_are_called_so() -> None:
    text = "Clause (1) Hours\nThe week has five days.\nClause (2) Leave\nLeave under clause (1) is not counted."
    second = text.index("Clause (2)")
    provisions = [Section("sec_1", "section", "1", 0, second), Section("sec_2", "section", "2", second, len(text))]
    assert shown(text, provisions, kind="regulation") == ["clause (1) → here 1"]
    text = "(1) Hours are set by paragraph (2).\n(2) A mate:\n(a) keeps paragraph (1);\n(b) tells of paragraph (a)."
    second = text.index("(2) A")
    provisions = [Section("sec_1", "section", "1", 0, second), Section("sec_2", "section", "2", second, len(text))]
    assert shown(text, provisions, kind="regulation") == [
        "paragraph (2) → here 2",
        "paragraph (1) → here 1",
        "paragraph (a) → here 2(a)",
    ]


def test_titles_of_parts_and_of_the_document_are_no_references() -> None:
    text = f"{ACT}\nפרק ב׳: כללי\nסעיף 7\nבפרק ב׳ לא ייאמר"
    chapter = Section("chp_2", "chapter", "ב׳", text.index("פרק"), len(text))
    assert shown(text, [chapter], title=ACT) == ["בפרק ב׳ → here פרק 2"]


def test_places_are_those_of_the_text_as_it_is() -> None:
    text = "לְפִי  סָעִיף\u00a05  לחוק\u00a0הגנים,   התשמ״ג–1983, וגם סעיף 6"
    one, other = read_references(text, (), title="", kind="law")
    assert text[one.start : one.end] == "סָעִיף\u00a05  לחוק\u00a0הגנים,   התשמ״ג–1983"
    assert (one.title, text[other.start : other.end]) == (ACT, "סעיף 6")


PIECES = st.sampled_from(
    [*HOSTILE, f"ל{ACT}", "\n", "”החוק“ – ", "(להלן – החוק)", "of the Loans Act 1998", "אותו סעיף"]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_whatever_the_text_mentions_are_in_order_and_apart(text: str) -> None:
    last = 0
    for one in read_references(text, (), title="", kind=""):
        assert last <= one.start < one.end <= len(text)
        last = one.end


@pytest.mark.deep
@pytest.mark.timeout(100)  # some seconds; what grows with the square takes an hour
@pytest.mark.parametrize(
    "part",
    [*HOSTILE, f"ל{ACT} ", f"{ACT} (להלן – החוק) ", "חוק ", "חוק א (ב ", "Loans of ", "Act ", "סעיף 5, ", "\n(א) "],
)
def test_reading_takes_time_in_proportion_to_the_text(part: str) -> None:
    text = "סעיף 1" + part * (100_000 // len(part))
    _, placed = sections(text)
    found = read_references(text, placed, title="", kind="law")
    assert all(0 <= one.start < one.end <= len(text) for one in found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Articles 101 and 102 TFEU", ["Articles 101 → TFEU 101", "102 TFEU → TFEU 102"]),
        ("sections 5 and 7 Ports Act 2000 apply", [
            "sections 5 → Ports Act 2000 5", "7 Ports Act 2000 → Ports Act 2000 7"]),
        ("the Kilns Act No. 61 of 1973 applies", ["Kilns Act No. 61 of 1973 → Kilns Act No. 61 of 1973"]),
        ("in section 5 of the Kilns Act 61 of 1973", [
            "section 5 of the Kilns Act 61 of 1973 → Kilns Act 61 of 1973 5"]),
        ("under Article 3 of Regulation (EC) No 1/2031", [
            "Article 3 of Regulation (EC) No 1/2031 → Regulation (EC) No 1/2031 3"]),
    ],
)  # fmt: skip
def test_the_act_right_behind_a_list_and_its_number_are_read(text: str, found: list[str]) -> None:
    assert shown(text) == found


@pytest.mark.timeout(100)
def test_clauses_in_clauses_are_read_to_a_depth_only() -> None:
    found = shown("point (a)" + " of point (b)" * 8_000 + " of section 5")
    assert found[0].count("point") <= 7
