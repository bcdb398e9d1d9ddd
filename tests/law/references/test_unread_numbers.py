"""Numbers of instruments and chapters that no form reads, and what is said beside them, alone and of sections."""

import pytest

from law.references.mentions import read_references
from tests.law.references.mentioned import TITLE, sections, shown, unread


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The fee is set by Q.S.I. No. 12 of 2031. Boats", "Q.S.I. No. 12 of 2031"),
        ("Resolution of the Harbour Council No. 95-31 sets dues.", "Resolution of the Harbour Council No. 95-31"),
        ("a rate that QBC Circular No. 1105 gives", "QBC Circular No. 1105"),
        ("It follows Harbour Law No. (25) on piers.", "Harbour Law No. (25)"),
        ("By Law No. 21.719 it is", "Law No. 21.719"),
        ("as QMF Instruction DOC-2031-19 says", "QMF Instruction DOC-2031-19"),
        ("The Gazette of Atlantis, No. 36/2031 has it.", "Gazette of Atlantis, No. 36/2031"),
        ("enacted at 110 Stat. 1936 then", "110 Stat. 1936"),
        ("as provided in QD 2031/0143 and", "QD 2031/0143"),
        ("a day (QR 16/2031) is fixed", "QR 16/2031"),
        ("Harbour Department Order No. 174-31 applies", "Harbour Department Order No. 174-31"),
        ("Harbour Regulations No. 2-31 apply", "Harbour Regulations No. 2-31"),
        ("האגרה תשולם לפי תע\"ג 38.", 'תע"ג 38'),
        ("האגרה נקבעה בנוהל 5.2.0012.", "בנוהל 5.2.0012"),
        ("בהתאם להנחיית הממונה על הנמלים מס' 2031-7.", "להנחיית הממונה על הנמלים מס' 2031-7"),
        ("The Ports Act 2030 (QD 2031/143) applies, and QD 2031/144 too; by QD 2031/145.", "QD 2031/145"),
    ],
)  # fmt: skip
def test_an_instrument_that_is_cited_by_itself_is_said_not_to_be_read(text: str, words: str) -> None:
    assert unread(text) == [words]


@pytest.mark.parametrize(
    "text",
    [
        "By the Act, No. 2 of the boats lies at No. 5, and Rules 25.326 m long.",
        "It is under 40 USD 60, pursuant to 6 SEP 2031, in 12 KMH 30 and by 20 CHF 30.",
        "He wrote 2 Laws 3 times, in 5 Laws 20 ways. The Law 14.500 boats obey, in Rules 1.234 and in Act 2.500.",
        "Notice No. 7 was sent with Work Order No. 45678 and Court Order No. 12/B, as Guidelines 2031-2032 say.",
        "By Resolution No. 95 it was said, and Directive No. 4 of the chair. By-Law No. 5 is here.",
        "THE CIRCULAR No. 5 was sent, see Notice of Default No. 12-345 and the Order of the Court No. 5.",
        "In FY 2031/32 it spent (AY 2030/31) in Q3 2031/32.",
        "The invoice INV 12/2031 was paid to Room B 12/2031 in Tower A 4/5.",
        "Windows 95/98, ISO/IEC 27001:2031 and vessel IMO 9123456 of class A1 2031 by 12/05/2031.",
        "Table 5 of 2031 shows Figure 3/2031, Lot 12/2031 and cheque No. 5/2031.",
        "The order must be served within 30 days. A notice of 5-7 days is given by rule.",
        "Orders for 12/2031 were late, as said by ISO 2031-1 and by CVE-2031-1234 (B 2031/3).",
        "לפי סה\"כ 120, לפי ת\"ז 01234 ולפי ק\"מ 12.",
        "הודעה ביום 12.5.2031 בתוך 30-60 ימים. החלטה מיום 12/5/2031 בדבר 3.5 אחוזים.",
        "It is required by May 2031, made in Part 5-1, set by Table 12-3, and subject to Schedule 4.5.",
        "Boats are made by hand in 2031 and sold in accordance with 12/05/2031, covered by 20 USD 30.",
        "לפי הודעה של 30 ימים, לפי צו שניתן תוך 12 ימים, ובהתאם להוראות 30 ימים מראש.",
        "זכאי לפי חוק זה יהיה 1,040 שקלים, לפי תקנות אלה במשך 30 שנים, לפי חוק התקציב לשנים 2031 ו־2032.",
        "דמי ביטוח לפי חוק הנמלים בעד חודש ספטמבר 2031. הליכים לפי החוק לאחר שחלפו 3 שנים.",
        "QD 2031/143\nPiers Act 2031",
    ],
)  # fmt: skip
def test_numbers_of_prose_are_of_no_instrument(text: str) -> None:
    assert unread(text) == []


def test_what_is_said_of_a_number_that_is_not_read_is_not_of_the_act_before() -> None:
    text = "The Ports Act 2030 applies to ships. The fee is set by QD 2031/0143 and regulation 5 thereof."
    assert [(one.title, one.unread, one.number) for one in read_references(text, (), title="", kind="")] == [
        ("Ports Act 2030", "", ""),
        ("", "QD 2031/0143", ""),
        ("", "QD 2031/0143", "5"),
    ]


@pytest.mark.parametrize(
    ("cites", "leads_to"),
    [
        ("section 3 of [that Act]", "Ports Act 1990"),
        ("section 3 of (that Act)", "Ports Act 1990"),
        ("section 3 of [the said Act]", "Ports Act 1990"),
        ("section 3 of “the Hoists Act 1998”", "Hoists Act 1998"),
        ("section 3 of the “Hoists Act 1998”", "Hoists Act 1998"),
        ("section 3 of [this Act]", "here"),
        ("section 3 of “that Act”", "Ports Act 1990"),
        ("section 3 of “Chapter 9:23”", "Chapter 9:23"),
        ("section 3 of [that Order]", "?"),
    ],
)
def test_marks_around_a_name_change_nothing(cites: str, leads_to: str) -> None:
    text, placed = sections("A boat.", "A pier.", f"The Ports Act 1990 applies. See {cites} on boats.")
    assert shown(text, placed, title=TITLE)[-1].partition(" → ")[2] == f"{leads_to} 3"


def test_hebrew_marks_around_a_name_change_nothing() -> None:
    for cites in ('סעיף 3 ל"חוק המזחים"', "סעיף 3 ל[חוק המזחים]", "סעיף 3 של “חוק המזחים”"):
        assert [one.title for one in read_references(f"לפי {cites}.", (), title=TITLE, kind="law")] == ["חוק המזחים"]


@pytest.mark.parametrize("mark", ['"', "״"])
def test_a_name_that_is_defined_in_any_quotation_marks_is_of_that_act(mark: str) -> None:
    name = f"{mark}החוק העיקרי{mark}"
    text = f"בחוק זה, {name} – חוק הדוברות, התש״ן–1990. לפי סעיף 3 ל{name.replace('ה', '', 1)} תשולם אגרה."
    assert [(one.title, one.number) for one in read_references(text, (), title=TITLE, kind="law")][1:] == [
        ("חוק הדוברות, התש״ן–1990", "3")
    ]


def test_a_name_behind_a_closing_mark_is_not_the_documents_own() -> None:
    [one] = read_references("לפי סעיף 3 ל”חוק הדוברות“ תשולם", (), title=TITLE, kind="law")
    assert not one.internal


def test_a_number_that_the_document_has_not_makes_a_list_unread() -> None:
    text, placed = sections("A boat.", "A pier.", "Sections 1 to B.7 apply.", "Sections 1 to 3 apply.")
    assert [one.partition(" → ")[2][0] for one in shown(text, placed, title=TITLE)] == ["?", "?", "h", "h"]


CHAPTERS = ("section 1 of Ch. 308", "Chapter No. 262", "Chapter 308", "Chapters 308 and 309")


@pytest.mark.parametrize("cites", CHAPTERS)
def test_a_chapter_that_the_document_has_not_may_be_an_act(cites: str) -> None:
    text, placed = sections("A boat.", f"See {cites} on boats.")
    assert all(" → ?" in one for one in shown(text, placed, title=TITLE))


def test_a_chapter_of_this_act_or_of_few_is_its_own() -> None:
    text, placed = sections("A boat.", "See Chapter 308 of this Act, this Act (Chapter 308) and Chapter 3.")
    assert [one.partition(" → ")[2] for one in shown(text, placed, title=TITLE)] == [
        "here chapter 308",
        "here chapter 308",
        "here chapter 3",
    ]
    placed[0] = placed[0]._replace(eid="chp_308__sec_1")
    own = shown("1. A boat.\n2. See Chapter 308 and Chapter 3.\n", placed[:1], title=TITLE)
    assert [one.partition(" → ")[2] for one in own] == ["here chapter 308", "? chapter 3"]


def test_a_code_whose_form_tells_no_part_has_no_such_section() -> None:
    said = "WAC 296-128-010 section 4 and WAC 296-128-020"
    cited = [(one.identifier, one.number) for one in read_references(said, (), title="", kind="law")]
    assert cited == [("WAC chapter 296-128", "296-128-010"), ("", "4"), ("WAC chapter 296-128", "296-128-020")]


def test_a_section_behind_a_number_in_square_brackets_is_of_it() -> None:
    assert shown("[CAP. 212] section 4 binds", title=TITLE) == ["CAP. 212 → CAP. 212", "section 4 → CAP. 212 4"]


def test_a_coded_rule_behind_letters_is_of_no_document_by_itself() -> None:
    text, placed = sections("A boat.", "The fee is fixed by QSC Rule 1-501 here.")
    assert shown(text, placed, title=TITLE)[0].partition(" → ")[2].startswith("QSC 1")


@pytest.mark.parametrize(
    "said",
    [
        "The Winches Act 2012 (c. 31) section 3 defines it.",
        "The Winches Act 2012 (c. 31) s. 3 binds.",
        "The Winches Act 2012 (No. 8) section 3 binds.",
        "The Winches Act 2012 (Act 8) section 3 binds.",
        "The Winches Act 2012 (WA 2012) section 3 binds.",
        "The Winches Act 2012 (WIN12) section 3 binds.",
        "The Winches Act 2012 (QKPGA 2012/31) section 3 binds.",
        "The Winches Act 2012 (5 & 6 Qeo. 7) section 3 binds.",
        "The QDPR (Winches Act 2012) Article 3 binds.",
    ],
)
def test_a_section_behind_the_number_or_letters_of_an_act_is_of_it(said: str) -> None:
    text, placed = sections("A boat.", "A pier.", "A raft.", said)
    assert shown(text, placed, title=TITLE)[-1].endswith("→ Winches Act 2012 3")
    assert shown(said, (), title="", kind="opinion")[-1].endswith("→ Winches Act 2012 3")


@pytest.mark.parametrize(
    ("said", "to"),
    [
        ("The Act on Winches (Act No. 57 of 2003) section 3 binds.", "Act No. 57 of 2003 3"),
        ("Winches Act (Act No. 57 of 2003) section 3 binds.", "Act No. 57 of 2003 3"),
        ("A raft lies, amended (Act 12 of 2031) s. 3 repealed.", "here 3"),
        ("A raft (see Act No. 57 of 2003) lies. Section 3 binds.", "here 3"),
        ("A raft (see Act No. 57 of 2003) as section 3 binds.", "here 3"),
    ],
)
def test_a_section_behind_a_number_in_brackets(said: str, to: str) -> None:
    text, placed = sections("A boat.", "A pier.", "A raft.", said)
    assert shown(text, placed, title=TITLE)[-1].partition(" → ")[2] == to


def test_an_article_behind_a_code_in_another_language_is_not_its_own() -> None:
    text, placed = sections("A boat.", "A pier.", "A raft.", "By Code civil, art. 3, it binds. Article 3 binds.")
    assert [one.partition(" → ")[2] for one in shown(text, placed, title=TITLE)] == ["? 3", "here 3"]


def test_a_section_behind_the_number_of_a_revised_code_is_of_it() -> None:
    text, placed = sections("A boat.", "A pier.", "A raft.", "Harbour Code R.S.W. 1985 c. C-46 section 3 binds.")
    assert shown(text, placed, title=TITLE)[-1] == "section 3 → Harbour Code 3"


@pytest.mark.parametrize(
    "said",
    [
        "Where Article 4 section 3 applies, it binds.",
        "At p. 14 section 3 is read.",
        "In Roe v Doe (1994) section 3 was read.",
        "On Tuesday 6 section 3 starts.",
        "Stage 2 section 3 binds.",
        "In Room 14 section 3 hangs.",
        "Where Table 5 section 3 differs, it binds.",
        "Exhibit 6 section 3 binds.",
        "In case 12/2031 section 3 was read.",
        "On 5 Jan. 2031 section 3 starts.",
        "As of 5 March 2031, section 3 binds.",
        "Since 1 May 2031 section 3 binds.",
        "At a rate of 12.500 section 3 binds.",
        "Registered under QMSI235012345, section 3 binds.",
        "In FY 2024 12 section 3 binds.",
        "The Code requires, art. 3, a lamp.",
        "Fees are due (Ports Act 1998), section 3 binds.",
        "PART II 2031, 22 section 3 binds.",
        "It is under the Winches Act 2012 (2) section 3 applies to rafts.",
    ],
)
def test_a_section_behind_a_number_of_prose_is_the_documents_own(said: str) -> None:
    text, placed = sections("A boat.", "A pier.", "A raft.", said)
    assert shown(text, placed, title=TITLE)[-1].partition(" → ")[2] == "here 3"


@pytest.mark.parametrize(
    "mark",
    [
        "QQN II 2031, 22",
        "UNQX/POP/CON.1/31",
        "UNQX(DEPI)/MED IG.22/28",
        "QKMA Guideline 3.3",
        "2031 Q.J. (L 119) 1",
        "110 Stat. 1936",
        "Q.X. 2031, c. 25",
        "No. 119, 2031",
        "81 Qed. Weg. 42001",
        "QJ L 119, 4.5.2031, p. 1",
        "QKGBl. S. 195",
        "Lov nr. 502 af 23/05/2031",
        "Zákon č. 110/2031 Sb.",
        "Sl. v. QS, br. 94/07",
        "QOST R 34.10-2031",
        "Ukaz iz 12/2031",
        "Arrêté royal du 8 juillet 2031",
        "Ustawa z dnia 10 maja 2031 r.",
        "Act A1533",
        "Q.J.A.C. 13:45A-26",
    ],
)
def test_a_section_behind_a_number_that_is_surely_of_an_instrument_is_not_its_own(mark: str) -> None:
    text, placed = sections("A boat.", "A pier.", "A raft.", f"By {mark} section 3 binds.")
    assert shown(text, placed, title=TITLE)[-1].partition(" → ")[2] == "? 3"


@pytest.mark.parametrize("cites", ["Chapter 12 below", "chapter 15 above", "Chapter 150, above"])
def test_a_chapter_above_or_below_is_the_documents_own(cites: str) -> None:
    text, placed = sections("A boat.", f"As in {cites} it lies.")
    assert " → here chapter" in shown(text, placed, title=TITLE)[-1]


def test_a_chapter_with_dotted_sections_or_that_begins_a_line_is_the_documents_own() -> None:
    text = "10.12.010. A boat.\n10.12.020. See chapter 10.12 and chapter 10.14.\nChapter 33. Rafts.\n"
    _, placed = sections("A boat.")
    placed = [placed[0]._replace(number="10.12.010", eid="sec_10.12.010", span_end=len(text))]
    assert [one.partition(" → ")[2] for one in shown(text, placed, title=TITLE)] == [
        "here chapter 10.12",
        "? chapter 10.14",
        "here chapter 33",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Pub. L. 104-191, title II, § 261, Aug. 21, 2031, 110 Stat. 1936", False),
        ("(Winches Act 2012, section 5, 110 Stat. 1936)", False),
        ("under the Winches Act 2012; 110 Stat. 1936 has it", True),
        ("under the Winches Act 2012, a boat lies. See 110 Stat. 1936", True),
    ],
)
def test_a_page_beside_the_act_that_is_printed_there_is_told_with_it(text: str, told: bool) -> None:
    assert ("110 Stat. 1936" in unread(text)) is told


def test_a_section_behind_the_page_of_an_act_is_of_it() -> None:
    for said in ("110 Stat. 1936, section 5 binds", "110 Stat. 1936, binds. Section 5 binds too"):
        read = read_references(f"The Winches Act 2012, {said}.", (), title="", kind="opinion")
        assert [(one.title, one.number) for one in read] == [("Winches Act 2012", ""), ("Winches Act 2012", "5")]


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("The QRR Regulation (EU) No 575/2013 applies.", "Regulation (EU) No 575/2013"),
        ("under QAR Regulation (EU) No 596/2014, article 5", "Regulation (EU) No 596/2014"),
        ("The QEACH Regulation (EC) No 1907/2006 applies.", "Regulation (EC) No 1907/2006"),
        ("The JHQ Decision 2002/584/JHA applies.", "Decision 2002/584/JHA"),
        ("The ABQ Directive No. 2009/65/EC applies.", "Directive No. 2009/65/EC"),
    ],
)
def test_the_union_or_its_body_says_whose_a_number_is_behind_letters(text: str, identifier: str) -> None:
    read = read_references(text, (), title="", kind="law")
    assert all(identifier in (one.title or one.identifier) for one in read)
    assert read


@pytest.mark.parametrize("rule", ["Rule 3.3.20(a)", "Rule 3.2", "Rules 9.2.1", "3.4.1", "Chapter 4"])
def test_a_rule_by_letters_is_read_behind_what_law_is_cited_with(rule: str) -> None:
    [one] = read_references(f"A fee is set out in QOBS {rule} for boats.", (), title="", kind="law")
    assert not one.unread


def test_a_regulation_behind_what_law_is_cited_with_is_the_documents_own() -> None:
    text, placed = sections("A boat.", "A fee is payable pursuant to Regulation 1 here.")
    assert [one.partition(" → ")[2] for one in shown(text, placed, title="Piers Regulations 2031")] == ["here 1"]


def test_hebrew_regulations_behind_what_law_is_cited_with_are_sections() -> None:
    found = read_references("ייעשה כאמור בתקנות 12, 13 ו־14.", (), title="תקנות המזחים", kind="regulation")
    assert [(one.number, one.internal) for one in found] == [("12", True), ("13", True), ("14", True)]


@pytest.mark.parametrize(
    "name", ["平成15年法律第57号", "법률 제16930호", "Закон № 152-ФЗ", "ν. 4624/2031", "القانون رقم 151 لسنة 2031"]
)
def test_a_section_of_or_behind_a_name_in_another_script_is_not_its_own(name: str) -> None:
    for said in (f"By section 3 of {name} a boat lies.", f"By {name} section 3 binds.", f"By {name}, section 3 binds."):
        text, placed = sections("A boat.", "A pier.", "A raft.", said)
        assert shown(text, placed, title=TITLE)[-1].partition(" → ")[2] == "? 3"
