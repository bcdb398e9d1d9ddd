"""Which act is meant: the document itself, the act it amends or is made under, or one that it gave a name."""

import pytest

from tests.law.references.mentioned import ACT, Section, sections, shown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Under Article 6(1) of Law No. 4 of 2013", ["Article 6(1) of Law No. 4 of 2013 → Law No. 4 of 2013 6(1)"]),
        ("[Repealed, 2011, c. 15, s. 17]", ["2011, c. 15 → 2011, c. 15", "s. 17 → 2011, c. 15 17"]),
        ("(June 2, 1948, ch. 644, § 6, 62 Stat. 673)", [
            "1948, ch. 644 → 1948, ch. 644", "§ 6 → 1948, ch. 644 6"]),
        ("[Act No. 15 of 2021 , s. 7, Act No. 20 of 2024 , s. 12.]", [
            "Act No. 15 of 2021 → Act No. 15 of 2021", "s. 7 → Act No. 15 of 2021 7",
            "Act No. 20 of 2024 → Act No. 20 of 2024", "s. 12 → Act No. 20 of 2024 12"]),
        ("2. Ins. by s. 13 and the Schedule, ibid.", ["s. 13 → ? 13", "the Schedule, ibid → ? schedule"]),
        ("Pub. L. 100–202, § 101(i) [title III, § 308]", [
            "Pub. L. 100–202 → Pub. L. 100–202", "§ 101(i) → Pub. L. 100–202 101(i)",
            "title III, § 308 → Pub. L. 100–202 308 title 3"]),
        ("Regulation (EU) 2020/852, Article 3. Article 5 of that Regulation", [
            "Regulation (EU) 2020/852 → Regulation (EU) 2020/852", "Article 3 → Regulation (EU) 2020/852 3",
            "Article 5 of that Regulation → Regulation (EU) 2020/852 5"]),
        ("A. The Grain (Sale) Act (Northern Ireland) 2022 says more. See s 2 of the 2022 Act", [
            "Grain (Sale) Act (Northern Ireland) 2022 → Grain (Sale) Act (Northern Ireland) 2022",
            "s 2 of the 2022 Act → Grain (Sale) Act (Northern Ireland) 2022 2"]),
        ("Annex III to Directive 2008/98/EC", [
            "Annex III to Directive 2008/98/EC → Directive 2008/98/EC annex 3"]),
        ("Art. 9 GDPR, and Article 16(1) of the TFEU", [
            "Art. 9 GDPR → GDPR 9", "Article 16(1) of the TFEU → TFEU 16(1)"]),
        ("in 5 U.S.C. 552(a) and 12 CFR 1072.101", [
            "5 U.S.C. 552(a) → 5 U.S.C. 552(a)", "12 CFR 1072.101 → 12 CFR 1072 1072.101"]),
        ("paragraph 3 of Schedule 2 to the Grain Act", [
            "paragraph 3 of Schedule 2 to the Grain Act → Grain Act 3 schedule 2"]),
        ("section 22 of the Pear Bay Final Agreement Act applies", [
            "section 22 of the Pear Bay Final Agreement Act → Pear Bay Final Agreement Act 22"]),
        ("section 3 of the Grain Treaty", ["section 3 of the Grain Treaty → Grain Treaty 3"]),
        ("ss. 3–5 of the Grain Act 1990", [
            "ss. 3– → Grain Act 1990 3 up to 5", "5 of the Grain Act 1990 → Grain Act 1990 5"]),
        ("section 25 of, and paragraph 7 of Schedule 2 to, the Grain Act 1990", [
            "section 25 → Grain Act 1990 25",
            "paragraph 7 of Schedule 2 to, the Grain Act 1990 → Grain Act 1990 7 schedule 2"]),
        ("section 11 of the Local Government: Grain Act, 2000 (Act No. 32 of 2000), here", [
            "section 11 of the Local Government: Grain Act, 2000 → Local Government: Grain Act, 2000 11"]),
        ("section 4 read with Schedule 5 of the Grain Act", [
            "section 4 → Grain Act 4", "Schedule 5 of the Grain Act → Grain Act schedule 5"]),
        ("Section 7 (inserted by section 6 of the Oats Act 2010) of the Grain Act 1990", [
            "Section 7 → Grain Act 1990 7", "section 6 of the Oats Act 2010 → Oats Act 2010 6",
            "Grain Act 1990 → Grain Act 1990"]),
        ("section 17 of the Act of 2010 and section 5 of that Act", [
            "section 17 of the Act of 2010 → ? 17", "section 5 of that Act → ? 5"]),
        ("section 5 of the principal Act", ["section 5 of the principal Act → ? 5"]),
        ("clause 5 of the lease; section 4 of Acme’s Statement", [
            "clause 5 of the lease → ? 5", "section 4 of Acme’s Statement → ? 4"]),
        ("art 9 of the Grain Act 1998 (Vertical Stores) Order 2022", [
            "art 9 of the Grain Act 1998 (Vertical Stores) Order 2022 → "
            "Grain Act 1998 (Vertical Stores) Order 2022 9"]),
        ("section 7 of the Pier Act 2011, section 8 of the Pier Act 2020", [
            "section 7 of the Pier Act 2011 → Pier Act 2011 7", "section 8 of the Pier Act 2020 → here 8"]),
    ],
)  # fmt: skip
def test_what_is_of_another_act_is_never_of_the_document(text: str, found: list[str]) -> None:
    assert shown(text, title="Pier Act 2020") == found


def test_act_of_year_is_one_of_that_year_that_document_names() -> None:
    text = "The Grain Act 1990, the Oats Act 1995 and the Grain Act 1995."
    assert shown(f"{text} Section 3 of the 1990 Act, section 4 of the 1995 Act")[-2:] == [
        "Section 3 of the 1990 Act → Grain Act 1990 3",
        "section 4 of the 1995 Act → ? 4",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"”חוק הפארקים“ – {ACT};\nלפי סעיף 2 לחוק הפארקים", f"סעיף 2 לחוק הפארקים → {ACT} 2"),
        (f"לפי סעיף 2 לחוק הפארקים\n”חוק הפארקים“ – {ACT};", f"סעיף 2 לחוק הפארקים → {ACT} 2"),
        (f"”החוק“ – {ACT};\nכאמור בסעיף 9 לחוק,", f"בסעיף 9 לחוק → {ACT} 9"),
        ("”הפקודה“ – פקודת הדיג הימי;\nלפי הפקודה.", "הפקודה → פקודת הדיג הימי"),
        (f"{ACT} (להלן – החוק העיקרי); סעיף 9 לחוק העיקרי", f"סעיף 9 לחוק העיקרי → {ACT} 9"),
        (f"{ACT}; סעיף 4 לחוק הגנים", f"סעיף 4 לחוק הגנים → {ACT} 4"),
        ("The Loans Act 1998 (in this Act referred to as “the principal Act”). Section 3 of the principal Act",
         "Section 3 of the principal Act → Loans Act 1998 3"),
        ('"the Fees Act" means the Loans (Fees) Act 1998. Under the Fees Act', "Fees Act → Loans (Fees) Act 1998"),
    ],
)  # fmt: skip
def test_a_name_that_the_document_gives_stands_for_the_act(text: str, found: str) -> None:
    assert found in shown(text)


def test_a_definition_for_one_section_ends_with_it() -> None:
    other = "חוק הנמלים, התש״ל–1970"
    text, placed = sections(
        f"{other} (להלן – החוק); סעיף 1 לחוק.", f"{ACT} (להלן בסעיף זה – החוק); סעיף 2 לחוק.", "סעיף 3 לחוק."
    )
    found = shown(text, placed)
    assert f"סעיף 1 לחוק → {other} 1" in found
    assert f"סעיף 2 לחוק → {ACT} 2" in found
    assert f"סעיף 3 לחוק → {other} 3" in found


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("תקנות הגנים (אגרות), התש״ן–1990", "לפי סעיף 4 לחוק,", "סעיף 4 לחוק → חוק הגנים 4"),
        ("תקנות הגנים (אגרות), התש״ן–1990", "כאמור בסעיף 7 תהיה", "בסעיף 7 → חוק הגנים 7"),
        ("תקנות הגנים (אגרות), התש״ן–1990", "כאמור בתקנה 7 תהיה", "בתקנה 7 → here 7"),
        ("Loans (Fees) Regulations 2001", "under section 4 of the Act", "section 4 of the Act → Loans Act 4"),
        ("Loans (Fees) Regulations 2001", "by regulation 4.", "regulation 4 → here 4"),
    ],
)
def test_regulations_speak_of_the_act_they_are_made_under(title: str, text: str, found: str) -> None:
    assert shown(text, title=title, kind="regulation") == [found]


def test_what_a_section_amends_is_of_the_amended_act() -> None:
    text, placed = sections(
        f"תיקון חוק הגנים\nב{ACT} –\n(1) בסעיף 4, במקום סעיף קטן (ב) יבוא:\n”(ב) לפי סעיף 6.“;\n(2) סעיף 9 יימחק.",
        "על אף סעיף 4.",
    )
    assert shown(text, placed)[1:] == [
        f"ב{ACT} → {ACT}", f"בסעיף 4 → {ACT} 4", f"סעיף קטן (ב) → {ACT} 4(ב)", f"סעיף 6 → {ACT} 6",
        f"סעיף 9 → {ACT} 9", "סעיף 4 → here 4",
    ]  # fmt: skip
    text, placed = sections("In the Loans Act 1998, in section 5 for “6 days” substitute “7 days”.", "See section 5.")
    assert shown(text, placed)[1:] == ["section 5 → Loans Act 1998 5", "section 5 → here 5"]


def test_a_heading_may_stand_before_the_amended_act() -> None:
    text, placed = sections(
        "(a) In General.— Section 4 of the Grain Act (42 U.S.C. 51) is amended to read:\n“(2) Under paragraph (1)."
    )
    assert shown(text, placed)[-1] == "paragraph (1) → Grain Act 4(1)"


def test_a_judgment_speaks_of_the_act_it_named() -> None:
    text = f"לפי סעיף 3 ל{ACT} ולפי סעיף 8. ראו פסקה 12 לעיל"
    assert shown(text, kind="caselaw")[1:] == [f"סעיף 8 → {ACT} 8", "פסקה 12 → here 12"]
    assert shown("לפי סעיף 8 בלבד", kind="caselaw") == ["סעיף 8 → ? 8"]
    text = "Under the Loans Act 1998, in X at paragraph 40 and in paragraph 12 above; regulation 5 and subsection (2)"
    placed = [Section("para_1", "paragraph", "1", 0, len(text))]
    assert shown(text, placed, kind="caselaw")[1:] == [
        "paragraph 40 → ? 40", "paragraph 12 → here 12", "regulation 5 → ? 5", "subsection (2) → ? (2)"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("The Grain Act 1990 (hereinafter, “the 1990 Act” or “GRA”). See s 4 of the GRA", "Grain Act 1990 4"),
        ("the Grain Act 1990 (the Act). See section 4 of the Act", "Grain Act 1990 4"),
        ("the Grain Act 1990 (hereafter GA 1990) and the Oats Act 1991. See GA 1990, s 4", "Grain Act 1990 4"),
        ("the Grain Act 1990 (hereafter the GA) and the Oats Act 1991. See section 4 of the GA", "Grain Act 1990 4"),
        ("the Grain Act 1990 (the GA) and the Oats Act 1991. See section 4 of the GA", "GA 4"),
        (
            "the Grain Act 1990 (henceforth, the 1990 Act) and the Oats Act 1990. See s 4 of the 1990 Act",
            "Grain Act 1990 4",
        ),
        (
            "Oats Regulations 2008 under Oats Act 1991 (the 2008 Regulations). See reg 4 of the 2008 Regulations",
            "Oats Regulations 2008 4",
        ),
        ("the Grain Act 1990 (GA 1990, s 7) and the Oats Act 1991. See s 4 of the GA 1990", "GA 4"),
        ("the Grain Act 1990. See section 4 of the Act", "Grain Act 1990 4"),
        ("the Grain Act 1990 and the Oats Act 1991. See section 4 of the Act", "? 4"),
        ("Grain Act, R.S.C. 1985, c. G-2, s. 4", "Grain Act 4"),
        ("The Oats and Rye Act 1991 (OARA) applies. See section 4 OARA on rye", "Oats and Rye Act 1991 4"),
        ("reg 4 of the Grain Code Regulations 1990, reg 5", "Grain Code Regulations 1990 5"),
        ('חוק הגנים, התשמ"ג–1983 (להלן: "חוק הגנים" או "החוק"). ראו סעיף 4 לחוק', 'חוק הגנים, התשמ"ג–1983 4'),
        ('חוק הגנים, התשמ"ג–1983 ("החוק"). ראו סעיף 4 לחוק', 'חוק הגנים, התשמ"ג–1983 4'),
        ("חוק הגנים, התשמ״ג–1983 (להלן: 'החוק'). סעיף 4 לחוק קובע את הסכום", "חוק הגנים, התשמ״ג–1983 4"),
        ('חוק הגנים, התשמ"ג–1983 (להלן "חוק הנטיעות"). סעיף 4 לחוק הנטיעות', 'חוק הגנים, התשמ"ג–1983 4'),
        ('חוק הגנים, התשמ"ג–1983 (הידוע כ"חוק הנטיעות"). סעיף 4 לחוק הנטיעות', 'חוק הגנים, התשמ"ג–1983 4'),
        ('חוק הגנים, התשמ"ג–1983 (בניגוד ל"חוק היערות"). סעיף 4 לחוק היערות', "חוק היערות 4"),
        ('חוק הגנים, התשמ"ג–1983 (שבוטל ב"תקנות היערות"). תקנה 4 לתקנות היערות', "תקנות היערות 4"),
        ('(סעיף 3 לחוק הגנים, התשמ"ג–1983, להלן: חוק הגנים הקטן). סעיף 4 לחוק הגנים הקטן', 'חוק הגנים, התשמ"ג–1983 4'),
    ],
)
def test_what_a_text_without_a_title_calls_acts(text: str, last: str) -> None:
    assert shown(text, kind="")[-1].partition(" → ")[2] == last
