"""References as laws, judgments and circulars write them."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.references.mentions import ActMention, read_references
from tests.law.citations.test_parsing import HOSTILE


class Section(NamedTuple):
    eid: str
    kind: str
    number: str
    span_start: int
    span_end: int


def sections(*texts: str) -> tuple[str, list[Section]]:
    """A law made of these sections, numbered from 1."""
    text, placed = "", []
    for number, one in enumerate(texts, 1):
        line = f"{number}. {one}"
        placed.append(Section(f"sec_{number}", "section", str(number), len(text), len(text) + len(line)))
        text += line + "\n"
    return text, placed


def shown(text: str, provisions: Sequence[Section] = (), *, title: str = "", kind: str = "law") -> list[str]:
    """What each mention spans, and what it cites."""
    mentions = read_references(text, provisions, title=title, kind=kind)
    return [f"{text[one.start : one.end]} → {cited(one)}" for one in mentions]


def cited(mention: ActMention) -> str:
    act = "here" if mention.internal else mention.title or mention.identifier or "?"
    divisions = [f"{one.kind} {one.number}".strip() for one in mention.divisions]
    clauses = "".join(f"({clause})" for clause in mention.clauses)
    return " ".join([act, *filter(None, [mention.number + clauses]), *divisions])


ACT = "חוק הגנים, התשמ״ג–1983"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("כאמור בסעיף 5(א)(2).", ["בסעיף 5(א)(2) → here 5(א)(2)"]),
        (f"לפי סעיף 63א ל{ACT};", [f"סעיף 63א ל{ACT} → {ACT} 63א"]),
        ("בחוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983,", [
            "בחוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983 → חוק הגנים (אגרות) [נוסח חדש], תשמ״ג–1983"]),
        ("סעיפים 3, 5(ב) ו־7 לחוק זה", ["סעיפים 3 → here 3", "5(ב) → here 5(ב)", "7 לחוק זה → here 7"]),
        (f"סעיפים 3 עד 7 ל{ACT}", [f"סעיפים 3 עד 7 ל{ACT} → {ACT} 3"]),
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
        ("Under Article 6(1) of Law No. 4 of 2013", ["Article 6(1) of Law No. 4 of 2013 → Law No. 4 of 2013 6(1)"]),
        ("[Repealed, 2011, c. 15, s. 17]", ["2011, c. 15 → 2011, c. 15", "s. 17 → 2011, c. 15 17"]),
        ("(June 2, 1948, ch. 644, § 6, 62 Stat. 673)", ["1948, ch. 644 → 1948, ch. 644", "§ 6 → 1948, ch. 644 6"]),
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
        ("Annex III to Directive 2008/98/EC", [
            "Annex III to Directive 2008/98/EC → Directive 2008/98/EC annex 3"]),
        ("Art. 9 GDPR, and Article 16(1) of the TFEU", [
            "Art. 9 GDPR → GDPR 9", "Article 16(1) of the TFEU → TFEU 16(1)"]),
        ("in 5 U.S.C. 552(a) and 12 CFR 1072.101", [
            "5 U.S.C. 552(a) → 5 U.S.C. 552(a)", "12 CFR 1072.101 → 12 CFR 1072 1072.101"]),
        ("paragraph 3 of Schedule 2 to the Grain Act", [
            "paragraph 3 of Schedule 2 to the Grain Act → Grain Act 3 schedule 2"]),
        ("ss. 3–5 of the Grain Act 1990", ["ss. 3–5 of the Grain Act 1990 → Grain Act 1990 3"]),
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


def test_an_act_of_a_year_is_the_one_of_that_year_that_the_document_names() -> None:
    text = "The Grain Act 1990, the Oats Act 1995 and the Grain Act 1995."
    assert shown(f"{text} Section 3 of the 1990 Act, section 4 of the 1995 Act")[-2:] == [
        "Section 3 of the 1990 Act → Grain Act 1990 3",
        "section 4 of the 1995 Act → ? 4",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("section 2, subsection (1), paragraph (b)", ["section 2, subsection (1), paragraph (b) → here 2(1)(b)"]),
        ("under paragraph 2 of this Article", ["paragraph 2 → here 1(2)"]),
        ("under paragraphs 6 and 7 of Article 4, whereby", ["paragraphs 6 → here 4(6)", "7 of Article 4 → here 4(7)"]),
        ("in paragraph 17(1)(b) or subsection 10(1.1) or section 15.2", [
            "paragraph 17(1)(b) → here 17(1)(b)", "10(1.1) → here 10(1.1)", "15.2 → here 15.2"]),
        ("in sub-item (2) or (3) of item (i) of clause (e) of section 2", [
            "sub-item (2) or (3) of item (i) of clause (e) of section 2 → here 2(e)(i)(2)"]),
        ("section 5, 30 days after; § 6, 62 Stat. 673; sections 7, 8 and 9", [
            "section 5 → here 5", "§ 6 → here 6", "sections 7 → here 7", "8 → here 8", "9 → here 9"]),
        ("sections 28-3803, 28-3814", ["sections 28-3803 → here 28-3803", "28-3814 → here 28-3814"]),
        ("That regulation applies, by those Rules.", []),
        ("The duty (Chapter 3 of this Act) applies", ["Chapter 3 of this Act → here chapter 3"]),
        ("It applies under this Act (Chapter 3)", ["Chapter 3 → here chapter 3"]),
    ],
)  # fmt: skip
def test_clauses_and_lists_of_the_document(text: str, found: list[str]) -> None:
    whole, placed = sections(text)
    assert shown(whole, placed) == found


def test_the_paragraphs_of_a_schedule_are_not_the_sections_of_the_act() -> None:
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
    assert shown("Rules\nPart I – GENERAL\nas Part I – as amended – says") == ["Part I → here part 1"]


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


def test_clauses_without_a_section_are_those_around_them() -> None:
    text, placed = sections("(א) כללי:\n(1) כאמור בפסקה (2);\n(2) אחר.\n(ב) לפי סעיף קטן (א)(1), ופסקה (9).")
    assert shown(text, placed) == [
        "בפסקה (2) → here 1(א)(2)",
        "סעיף קטן (א)(1) → here 1(א)(1)",
        "ופסקה (9) → here 1(9)",
    ]
    text, placed = sections("(1) As subsection (2) says.\n(2) In cases of:\n(a) paragraph (b); or\n(b) others.")
    assert shown(text, placed) == ["subsection (2) → here 1(2)", "paragraph (b) → here 1(2)(b)"]


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
