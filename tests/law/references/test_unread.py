"""A provision of what is named in a form that is not read is of nothing known, least of all of this document."""

import pytest

from extraction import Page
from law.chunking import chunk
from law.references.mentions import read_references
from law.structure.provisions import Outline
from tests.law.references.mentioned import TITLE, sections, shown, unread


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("under regulation 5 of WXI 2031/351.", "WXI 2031/351"),
        ("under section 3 of Q.L. 111-148 in each port", "Q.L. 111-148"),
        ("under section 3 of [WXI 2031/351] and", "WXI 2031/351"),
        ("by section 8 of Edict XVIII of 1950 may", "Edict XVIII of 1950"),
        ("under section 4 of No. 12 of 2031.", "No. 12 of 2031"),
        ("article 5 of Q.O. No. 127 of 1972.", "Q.O. No. 127 of 1972"),
        ("within section 5 of c. 42 (1998).", "c. 42"),
        ("section 7 of the Act of August 13, 1946", "the Act of August 13"),
        ("regulation 3 of the said Regulations of 2011", "the said Regulations of 2011"),
        ("section 4 of the harbour ordinance", "harbour ordinance"),
        ("clause 2 of the lease", "lease"),
        ("paragraph 3 of Part 2 of the Schedule to the lease", "lease"),
        ("section 9 of Private Law 98-12 is barred", "Private Law 98-12"),
        ("sections 4 and 5 of Q.A. 10863.", "Q.A. 10863"),
        ("WXI 2031/123 reg. 4 applies", "WXI 2031/123"),
        ("Under QOR/2031-108, s 3, boats", "QOR/2031-108"),
        ("the words of W.X. 1977, § 12 then", "W.X. 1977"),
        ("as 1902, No. 66 , § 1 said", "1902, No. 66"),
        ("efter straffelovens § 50", "straffelovens"),
        ("under Kanpō, art. 709", "Kanpō"),
        ("by 23 Geo. 5, c. 12, s. 4 boats", "c. 12"),
        ("לפי סעיף 6 מתוך נוהל עגינה", "נוהל"),
        ("לפי סעיף 2 של צו תעריף העגינה", "צו"),
        ("לפי ס' 4 לתק' הנמלים", "תק'"),
        ("סעיף 6 לעמדת הממונה 2031-55 קובע", "עמדת הממונה 2031-55"),
        ("סעיף 997 למג׳לה", "מג׳לה"),
        ("See Section 12, Cap Q5 WXI 2031.", "Cap Q5"),
        ("section 5, Chapter 50A, 2031 Revised Edition", "2031 Revised Ed"),
        ("Section 3, Chapter 1041, Acts of the Assembly", "Acts of the Assembly"),
        ("Article 40.3.2° of Bunreacht na hÉireann", "Bunreacht"),
        ("ובצו העגינה סעיף 3 שבו קובע", "ובצו העגינה"),
        ("Dues (No. 24 of 2031 [Atlantis], s 5) are", "No. 24 of 2031 [Atlantis]"),
        ("Dues (Q.R.O. No. 197-Law/2031, section 5) are", "Q.R.O. No. 197-Law/2031"),
        (
            "Dues (Notification No. 12/2031-Central Piers (Rate), section 5)",
            "Notification No. 12/2031-Central Piers (Rate)",
        ),
        ("Dues (Q.W. Comp. Codes R. & Regs. tit. 23, section 5)", "Regs. tit. 23"),
        ("Dues (30 giugno 2003, n. 196, section 5) are", "2003, n. 196"),
        ("Dues are in QWGl. I S. 2097 now", "QWGl. I"),
        ("Dues (Federal Law No. 152-QZ, section 5) are", "Federal Law No. 152-QZ"),
        ("Section 12 of Chapter No. 245 of the Revised Laws.", "Revised Laws"),
        ("Paragraph 7 of (2031) 12 QWLR (Pt. 1049) 499 says", "(2031) 12 QWLR (Pt. 1049) 499"),
        ("WXI 2031/351 (section 5) binds", "WXI 2031/351"),
        ("Private Law No. 6698 (section 5) binds", "Private Law No. 6698"),
        ('סעיף 3 לתקקק"יר 16.421 מסדיר', 'תקקק"יר 16.421'),
        ("סעיף 2 לפקודות עגינה 14.01.34 חל", "פקודות עגינה 14.01.34"),
        ("לפי הנחיית יועץ העגינה מס' 1.1555, סעיף 5, יש", "הנחיית יועץ העגינה מס' 1.1555"),
        ("(צו מס' 1651 (איי הים), ס' 5)", "צו מס' 1651 (איי הים)"),
        ('לפי חוזר מנכ"ל משרד העגינה תשע"ה/8(א), סעיף 5, יש', 'חוזר מנכ"ל משרד העגינה תשע"ה/8(א)'),
        ("לפי הנחיית פרקליט העגינה 8/2031, סעיף 5, יש", "הנחיית פרקליט העגינה 8/2031"),
        ("סעיף 22 לתיקון מס' 21 קובע", "תיקון מס' 21"),
        ("Paragraph 3 of MAS Notice 626 applies", "MAS Notice"),
        ("Dues (Royal Edict M/132, section 5) are", "Royal Edict M/132"),
        ("Dues (Private Law No. 6698 dated 24 March 2031, section 5)", "Private Law No. 6698 dated 24 March 2031"),
        ("כמפורט בתקן עגינה 4373, סעיף 2, יש", "בתקן עגינה 4373"),
        ("לפי החלטת עגינה 1234/18 (סעיף 5) יש", "החלטת עגינה 1234/18"),
        ("סעיף 4 לאמנת העגינה השלישית מיום 12 באוגוסט 2031", "אמנת העגינה השלישית מיום 12"),
        ("RQ II, 2031, 22, 108 section 5 binds", "RQ II, 2031, 22, 108"),
        ("section 5 of Legislative Edict No. (21) of 2031", "Legislative Edict No. (21) of 2031"),
        ("section 5 of Law of Atlantis No. 2297-VI", "Law of Atlantis No. 2297-VI"),
        ("section 5 of the Harbour Code No. (21) of 2031", "the Harbour Code No. (21) of 2031"),
        ("110 Stat. 1936 section 5 binds", "110 Stat. 1936"),
        ("Qakon br. 120/2031 section 5 binds", "Qakon br. 120/2031"),
        ("Qla. Xdmin. Code r. 660-3-1-.05 section 5", "Qla. Xdmin. Code r. 660-3-1-.05"),
        ("section 5 of Royal Edict-Law 5/2031", "Royal Edict-Law 5/2031"),
        ("section 5 of QBC Decision 12/2031", "QBC Decision 12/2031"),
        ("צו אלוף העגינה הצפוני 378, סעיף 5 חל", "צו אלוף העגינה הצפוני 378"),
        ("section 5 of QBC Circular A-130", "QBC Circular A-130"),
        ("section 5 of QRC Generic Letter 88-20", "QRC Generic Letter 88-20"),
        ("section 5 of 11 QZC § 33", "11"),
        ("section 5 of “WXI 2031/351” on boats", "WXI 2031/351"),
        ("section 5 of “the lease” on boats", "lease"),
        ("Chapter 4 of that Part of that Act", "Act"),
    ],
)
def test_what_is_named_in_a_form_that_is_not_read_is_unread(text: str, words: str) -> None:
    said = unread(text)  # once where the number stands, without what is in brackets behind it
    assert said[-1] == words
    assert all(words.startswith(one) for one in said)


@pytest.mark.parametrize(
    "text",
    [
        "a notice under section 5 to the Secretary of State",
        "the directors appointed under section 7 to act as Governor",
        "an order made under section 3 in England",
        "paragraph (a) of the definition agreement in section 2",
        "under section 5 of this Act",
        "the definition in section 5 of “order”",
        "Hoists Act 2031 (Cth) section 5",
        "In 2031 section 5 was amended",
        "under section 12 of the Act",
        "section 5 of this title",
        "In 2030, section 5 was amended",
        "the matters in section 3, Parliament may",
        "section 4 of Part II",
        "סעיף 5 לא יחול",
        "לפי סעיף 5 לשר",
        "כאמור בסעיף 5 של המבקש",
        "מידע שהתקבל לפי סעיף 5 לפי הוראות אלה",
        "לפי סעיף 5 לחוק זה",
        "דוח מיידי כאמור בסעיף 5 שבו נקבע",
        "לפי תקנות 5.1, סעיף 3 חל",
        "On 5 May 2031, section 5 was amended",
        "Article 3 of Part II, section 5",
        "בהוראה שניתנה ביום 14.1.2031, סעיף 5 חל",
        "הודעה תינתן בטופס מספר 6 שבתוספת",
        "In Chapter No. 5, section 3 applies",
        "Under PART A-1, section 5",
        "See Appendix B-2, section 5",
        "In Category No. 5 (section 3)",
        "Group N 2 (section 8)",
        "Each Lot No. 5 (section 3)",
        "Route A-1, section 3",
        "Table 5-1 (section 3)",
        "FORM 5 (section 3)",
        "Form 5 dated 3 May 2031, section 5",
        "a fee of QWD 500 (section 5)",
        "On Monday 10:30 (section 5)",
        "No. 5, section 3 applies",
        "CHAP. II, section 5",
        "On Feb. 2031, 14, section 5 applied",
        "the Council (2031) 5 (section 4)",
        "Claim 5, section 3",
        "תשובה בתוך 14 (סעיף 7)",
        "תשובה תוך 14, סעיף 7",
        "הודעה בשיעור 14, סעיף 7",
        "היתר ל-14, סעיף 5",
        "כתב ערבות בסכום של 5.5 (סעיף 4)",
        "החלטה לגבי 5-7, סעיף 4",
        "בקשה שהוגשה 14.1.2031, סעיף 5",
    ],
)
def test_ordinary_words_behind_a_citation_name_nothing(text: str) -> None:
    assert unread(text) == []


@pytest.mark.parametrize(
    "passing",
    [
        "The Council drew up the Harbour Plan.",
        "The National Standard was set in 2004.",
        "It binds the Rope Safety Scheme.",
        "Paragraph 4 of the Rope Safety Plan and paragraph 4 of the National Standard say more.",
        "Having regard to the Harbour Plan,",
    ],
)
def test_a_plan_in_passing_takes_no_section_from_the_act_before(passing: str) -> None:
    said = f"The Hoists Act 1998 applies. {passing} section 5 provides for dues."
    act, *_, section = read_references(said, (), title="", kind="caselaw")
    assert (act.title, section.title, section.number) == ("Hoists Act 1998", "Hoists Act 1998", "5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Under section 4 of the plan boats wait.", "plan"),
        ("Paragraph 4 of the National Standard. Boats wait.", "National Standard"),
        ("Under the Harbour Plan section 4 binds.", "Under the Harbour Plan"),
    ],
)
def test_what_is_said_to_be_of_a_plan_is(text: str, words: str) -> None:
    assert unread(text) == [words]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("See s 12 Malta Cap 386 on boats.", "Cap 386"),
        ("See s 12 Hong Kong Cap 386 on boats.", "Cap 386"),
        ("Section 12 Fees Cap 386 has others.", ""),
        ("The duty in section 12 See Cap 386 for fees.", ""),
        ("Section 12 Amends SI 2010/123", ""),
        ("section 12 Kenya Act 29", ""),
    ],
)
def test_only_a_land_may_stand_before_the_number_of_an_act(text: str, title: str) -> None:
    section = read_references(text, (), title="", kind="law")[0]
    assert (section.title, section.number) == (title, "12")


def test_what_follows_an_unread_name_in_its_list_is_unread_too() -> None:
    said = "regulation 3 of, and paragraph 3 of Schedule 2 to, WXI 2031/1234"
    assert unread(said) == ["WXI 2031/1234", "WXI 2031/1234"]


def test_an_unread_name_ends_with_its_sentence() -> None:
    said = "paragraph 39 of Obi-Ezekpazu. (WSI 2020/55 is in like terms.)"
    assert unread(said) == ["Obi-Ezekpazu."]
    assert [one.title for one in read_references(said, (), title="", kind="")] == ["", "WSI 2020/55"]
    assert unread("section 3 of the Q.A. (Piers) then") == ["Q.A. (Piers)"]


def test_an_unread_name_is_not_the_act_named_before() -> None:
    said = "the Hoists Act 1990, section 4. WXI 2031/123, reg. 4"
    assert [one.title for one in read_references(said, (), title="", kind="") if one.number] == ["Hoists Act 1990", ""]


def test_nothing_in_a_note_on_the_history_of_a_section_is_of_the_document() -> None:
    text, placed = sections("A boat lies under section 2.", "Fee.\nHistory.\nAdded as section 7 then.\nSee section 1.")
    assert shown(text, placed, title=TITLE) == ["section 2 → here 2", "section 7 → ? 7", "section 1 → ? 1"]
    text, placed = sections(
        "A boat lies.\nAmendments\nSee section 2 of this title.", "Fee.\nHistory lies in section 1."
    )
    assert shown(text, placed, title=TITLE) == ["section 2 → here 2", "section 1 → here 1"]


def test_a_title_has_the_year_that_follows_it() -> None:
    said = "section 3 of the Hoists (Piers And Boats) Act, 1973 (Act No. VIII of 1973)"
    assert shown(said)[0].endswith("→ Hoists (Piers And Boats) Act, 1973 3")


AMENDS = """Piers Amendment Act 2031
3. Section 5 of the Piers Act is replaced by the following:
5. The Minister may act under section 4.
6. Rafts need no licence under subsection 3(2).
(2) Section 7 of the Act is repealed.
4. Despite section 3, a licence stays in force."""


def _read_as_law(text: str) -> dict[str, tuple[bool, str]]:
    """Of each reference of a law, whether it is to the law itself, and the act it is to."""
    outline = Outline()
    list(chunk([Page(number=None, paragraphs=tuple(text.split("\n")))], kind="law", outline=outline))
    assert [one.number for one in outline.provisions] == ["3", "4"]
    mentions = read_references(text, outline.provisions, title="Piers Amendment Act 2031", kind="law")
    return {text[one.start : one.end]: (one.internal, one.title) for one in mentions}


def test_new_law_without_quotation_marks_is_not_of_the_act_that_brings_it() -> None:
    read = _read_as_law(AMENDS)
    assert read["section 4"] == read["subsection 3(2)"] == (False, "Piers Act")
    assert read["section 3"] == (True, "")


def test_new_law_for_what_is_not_named_is_of_nothing_known() -> None:
    read = _read_as_law(AMENDS.replace("Section 5 of the Piers Act", "The schedule"))
    assert read["section 4"] == read["subsection 3(2)"] == (False, "")
