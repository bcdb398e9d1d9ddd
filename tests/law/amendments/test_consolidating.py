"""An act and an amending act in, the act as it reads from a day on out."""

import datetime as dt

import pytest

from law.amendments.consolidating import ConsolidatedAct, consolidate, instructions_of
from law.amendments.finding import Failure
from tests.law.amendments.acts import GARDENS, PORTS

DAY = dt.date(2026, 1, 1)
HEAD = "Harbours Reform Act\nS.C. 2025, c. 7\nAssented to 2025-03-04\n"


def ports(*instructions: str, on: dt.date = DAY, days: dict[str, dt.date] | None = None) -> ConsolidatedAct:
    """The Ports Act after an amending act with these lines; each begins a section unless it goes on with the last."""
    amending = HEAD + "\n".join(instructions)
    return consolidate(text=PORTS.strip(), titles=["Ports Act 2010"], amending=amending, on=on, days=days)


def section(act: ConsolidatedAct, number: str) -> list[str]:
    """The lines of a section up to the next number."""
    lines = act.text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{number}."))
    end = next((at for at in range(start + 1, len(lines)) if lines[at][:1].isdigit()), len(lines))
    return lines[start:end]


def failure(act: ConsolidatedAct) -> Failure | None:
    [outcome] = act.outcomes
    return outcome.failure


def test_a_clause_is_replaced_with_its_note() -> None:
    act = ports(
        "1.",
        "Subsection 3(2) of the Ports Act 2010 is replaced by the following:",
        "[Duration]",
        "(2) A licence is valid for 45 days.",
    )
    assert section(act, "3")[1:4] == [
        "(1) No person shall moor a ship without a licence.",
        "[Duration]",
        "(2) A licence is valid for 45 days.",
    ]
    assert act.outcomes[0].sections == ("3",)


def test_the_words_before_a_list_are_replaced_and_the_list_stays() -> None:
    act = ports(
        "1.",
        "The portion of subsection 3(3) of the Ports Act 2010 before paragraph (a) is replaced by the following:",
        "(3) The registrar shall refuse a licence if",
    )
    assert section(act, "3")[4:7] == [
        "(3) The registrar shall refuse a licence if",
        "(a) the ship is not insured; or",
        "(b) a fee is owed.",
    ]


def test_a_list_goes_on_with_its_joining_word_in_the_right_place() -> None:
    act = ports(
        "1.",
        "Subsection 3(3) of the Ports Act 2010 is amended by striking out “or” at the end of paragraph (a), by adding"
        " “or” at the end of paragraph (b) and by adding the following after paragraph (b):",
        "(c) the berth is taken.",
    )
    assert section(act, "3")[5:8] == [
        "(a) the ship is not insured;",
        "(b) a fee is owed; or",
        "(c) the berth is taken.",
    ]


def test_words_behind_a_list_do_not_belong_to_its_last_clause() -> None:
    act = ports(
        "1.",
        "Paragraph (b) of the definition ship in section 2 of the Ports Act 2010 is replaced by the following:",
        "(b) carries goods,",
    )
    assert section(act, "2")[-3:] == ["(b) carries goods,", "but does not include a raft.", "Licences"]


def test_definitions_come_in_their_place_go_and_are_replaced() -> None:
    act = ports(
        "1.",
        "(1) Section 2 of the Ports Act 2010 is amended by adding the following in alphabetical order:",
        "inspector means a person who is named by the registrar;",
        "(2) The definitions berth and master in section 2 of the Act are repealed.",
    )
    assert section(act, "2")[2:6] == [
        "berth [Repealed, 2025, c. 7, s. 1]",
        "harbour means a harbour that is named in an order; (port)",
        "inspector means a person who is named by the registrar;",
        "master [Repealed, 2025, c. 7, s. 1]",
    ]


def test_sections_are_inserted_replaced_and_noted_as_repealed() -> None:
    act = ports(
        "1.",
        "The Ports Act 2010 is amended by adding the following after section 5:",
        "5.1. Costs",
        "The court may award costs.",
        "6. Records",
        "The registrar keeps records.",
        "2.",
        "Section 4 of the Act is repealed.",
    )
    assert section(act, "5.1") == ["5.1. Costs", "The court may award costs."]
    assert section(act, "6") == ["6. Records", "The registrar keeps records."]
    assert section(act, "4")[:2] == ["4.", "[Repealed, 2025, c. 7, s. 2]"]


def test_a_section_without_clauses_becomes_its_first() -> None:
    act = ports(
        "1.",
        "Section 4 of the Ports Act 2010 is renumbered as subsection 4(1) and is amended by adding the following:",
        "(2) No fee is paid for a raft.",
    )
    assert section(act, "4")[1:3] == [
        "(1) A fee is paid to a registrar within 30 days.",
        "(2) No fee is paid for a raft.",
    ]


def test_words_change_with_their_article_and_in_a_list_of_provisions() -> None:
    act = ports(
        "1.",
        "Every reference to “registrar” is replaced by a reference to “officer” in the following provisions:",
        "(a) in the Ports Act 2010,",
        "(i) subsection 3(3), and",
        "(ii) section 4; and",
        "(b) section 9 of the Customs Act.",
    )
    assert section(act, "4")[1] == "A fee is paid to an officer within 30 days."
    assert section(act, "3")[4] == "(3) The officer may refuse a licence if"
    assert [one.failure for one in act.outcomes] == [None, None, Failure.TARGET_UNKNOWN]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["Subsection 3(9) of the Ports Act 2010 is repealed."], Failure.NOT_FOUND),
        (["Section 12 of the Ports Act 2010 is repealed."], Failure.NOT_FOUND),
        (["Section 4 of the Customs Act is repealed."], Failure.TARGET_UNKNOWN),
        (["Subsection 3(2) of the French version of the Ports Act 2010 is repealed."], Failure.OTHER_VERSION),
        (["Section 4 of the Ports Act 2010 is amended by replacing “90 days” with “45 days”."], Failure.NOT_FOUND),
        (["Section 4 of the Ports Act 2010 is amended by moving it behind section 7."], Failure.NOT_UNDERSTOOD),
        (["The schedule to the Ports Act 2010 is repealed."], Failure.NOT_UNDERSTOOD),
        (
            ["If section 2 of the other Act comes into force, then section 4 of the Ports Act 2010 is repealed."],
            Failure.CONDITION,
        ),
        (
            [
                "Section 7 of the Ports Act 2010 is replaced by the following:",
                "7. Inspection",
                "(1) An inspector may board a ship.",
            ],
            Failure.ALREADY_SO,
        ),
    ],
)
def test_what_cannot_be_carried_out_is_named_and_changes_nothing(lines: list[str], reason: Failure) -> None:
    act = ports("1.", *lines)
    assert failure(act) is reason
    assert act.text == PORTS.strip()


def test_an_instruction_of_which_a_part_cannot_be_done_is_not_done_at_all() -> None:
    act = ports("1.", "Subsections 3(2) and (9) of the Ports Act 2010 are repealed.")
    assert failure(act) is Failure.NOT_FOUND
    assert act.text == PORTS.strip()


def test_a_day_that_an_order_fixes_is_unknown_until_somebody_gives_it() -> None:
    lines = [
        "1.",
        "(1) Section 4 of the Ports Act 2010 is repealed.",
        "(2) Subsection 3(2) of the Act is repealed.",
        "2. Commencement",
        "Subsection 1(2) comes into force on a day to be fixed by order of the Governor in Council.",
    ]
    assert [one.failure for one in ports(*lines).outcomes] == [None, Failure.DAY_UNKNOWN]
    given = ports(*lines, days={"1(2)": DAY})
    assert [one.failure for one in given.outcomes] == [None, None]
    later = ports(*lines, days={"1(2)": DAY + dt.timedelta(days=1)})
    assert [one.failure for one in later.outcomes] == [None, Failure.NOT_YET]


def test_instructions_are_carried_out_in_the_order_of_their_days() -> None:
    act = ports(
        "1.",
        "Section 4 of the Ports Act 2010 is amended by replacing “45 days” with “60 days”.",
        "2.",
        "Section 4 of the Act is amended by replacing “30 days” with “45 days”.",
        "3. Commencement",
        "Section 1 comes into force on June 1, 2025.",
    )
    assert section(act, "4")[1] == "A fee is paid to a registrar within 60 days."


def test_what_is_said_of_a_section_goes_before_what_is_said_of_its_division() -> None:
    lines = [
        "DIVISION 5",
        "1.",
        "(1) Section 4 of the Ports Act 2010 is repealed.",
        "(2) Subsection 3(2) of the Act is repealed.",
        "2. Commencement",
        "(1) Subject to subsection (2), the provisions of this Division come into force on June 1, 2025.",
        "(2) Subsection 1(2) comes into force on a day to be fixed by order, but that day must be after May 31, 2025.",
    ]
    outcomes = ports(*lines).outcomes
    assert [(one.instruction.day, one.failure) for one in outcomes] == [
        (dt.date(2025, 6, 1), None),
        (None, Failure.DAY_UNKNOWN),
    ]


def test_what_applies_only_if_something_happens_waits_for_a_person() -> None:
    act = ports(
        "1. Bill C-9",
        "(1) Subsections (2) and (3) apply if Bill C-9 receives royal assent.",
        "(2) Section 4 of the Ports Act 2010 is repealed.",
        "2.",
        "Section 5 of the Ports Act 2010 is repealed.",
    )
    assert [one.failure for one in act.outcomes] == [Failure.CONDITION, None]


def test_what_depends_on_another_act_is_shown_as_it_would_read_and_not_done() -> None:
    act = ports(
        "1.", "If section 2 of the other Act comes into force, then section 4 of the Ports Act 2010 is repealed."
    )
    [outcome] = act.outcomes
    assert [(one.number, one.after) for one in outcome.edits] == [("4", "4.\n[Repealed, 2025, c. 7, s. 1]")]
    assert act.text == PORTS.strip()


def test_a_list_ends_as_the_acts_of_the_country_end_it() -> None:
    added = ports(
        "1.",
        "Subsection 3(3) of the Ports Act 2010 is amended by striking out “or” at the end of paragraph (a)"
        " and by adding the following after paragraph (b):",
        "(c) the ship is a wreck.",
    )
    assert section(added, "3")[5:] == [
        "(a) the ship is not insured;",
        "(b) a fee is owed;",
        "(c) the ship is a wreck.",
        *section(added, "3")[8:],
    ]
    fewer = ports(
        "1.",
        "Subsection 3(3) of the Ports Act 2010 is amended by striking out “or” at the end of paragraph (a)"
        " and by repealing paragraph (b).",
    )
    assert section(fewer, "3")[5:7] == ["(a) the ship is not insured.", "(b) [Repealed, 2025, c. 7, s. 1]"]


def test_a_clause_that_gets_a_joining_word_keeps_the_sign_of_those_beside_it() -> None:
    act = ports(
        "1.",
        "The definition ship in section 2 of the Ports Act 2010 is amended by striking out “or” at the end of"
        " paragraph (a), by adding “or” at the end of paragraph (b) and by adding the following after paragraph (b):",
        "(c) carries fish,",
    )
    lines = section(act, "2")
    assert lines[lines.index("ship means a vessel that") + 1 :][:3] == [
        "(a) is longer than ten metres,",
        "(b) carries passengers, or",
        "(c) carries fish,",
    ]


def test_a_definition_stands_before_those_whose_terms_begin_with_it() -> None:
    act = ports(
        "1.",
        "(1) Section 2 of the Ports Act 2010 is amended by adding the following in alphabetical order:",
        "ship owner means whoever owns a ship;",
        "(2) The definitions ship and master in section 2 of the Act are replaced by the following:",
        "ship means a vessel;",
        "master means whoever commands a ship;",
    )
    assert [line.split(" means")[0] for line in section(act, "2")[2:7]] == [
        "berth",
        "harbour",
        "master",
        "ship",
        "ship owner",
    ]


def test_the_british_form_names_a_place_once_for_a_list() -> None:
    act = ports(
        "1. Amendment of licences",
        "In section 3 of the Ports Act 2010—",
        "(a) in subsection (2), for “30 days” substitute “45 days”;",
        "(b) after subsection (2) insert—",
        "“(2A) A licence may be renewed once.”;",
        "(c) omit paragraph (b) of subsection (3).",
    )
    assert section(act, "3")[3:5] == ["(2) A licence is valid for 45 days.", "(2A) A licence may be renewed once."]


def test_a_hebrew_amendment_with_its_own_list_and_commencement() -> None:
    text = GARDENS.strip()
    amending = """\
חוק הגינות הקהילתיות (תיקון מס' 3), התשפ"ה–2025
1. תיקון סעיף 1
בסעיף 1 לחוק הגינות הקהילתיות, התש"ף–2020 (להלן – החוק העיקרי), אחרי ההגדרה "גינה" יבוא:
""גנן" – מי שעובד בגינה;".
2. תיקון סעיף 2
בסעיף 2 לחוק העיקרי –
(1) בסעיף קטן (א), במקום "30 ימים" יבוא "45 ימים";
(2) סעיף קטן (ב) – יימחק;
(3) בסעיף קטן (ג), אחרי "לערור" יבוא "לפני ועדת ערר" ובמקום "15 ימים" יבוא "20 ימים";
(4) אחרי סעיף קטן (ג) יבוא:
"(ד) ועדת הערר תחליט בתוך 60 ימים.".
3. תיקון סעיף 3
בסעיף 3 לחוק העיקרי, האמור בו יסומן "(א)" ואחריו יבוא:
"(ב) הרשות רשאית לגבות פיקדון.".
4. הוספת סעיף 4א
אחרי סעיף 4 לחוק העיקרי יבוא:
"4א. אסיפה
הוועד יכנס אסיפה אחת לשנה.".
5. החלפת סעיף 5
במקום סעיף 5 לחוק העיקרי יבוא:
"5. עיצום כספי
המפר הוראה לפי חוק זה, ישלם עיצום כספי.".
6. ביטול סעיף 6
סעיף 6 לחוק העיקרי – בטל.
7. תיקון סעיף 4
בסעיף 4(א) לחוק העיקרי, פסקה (2) – תימחק ובסופו יבוא "ובלבד שהסכימו".
8. תחילה
תחילתו של חוק זה ביום ח' בטבת התשפ"ו (28 בדצמבר 2025).
"""
    act = consolidate(text=text, titles=['חוק הגינות הקהילתיות, התש"ף–2020'], amending=amending, on=DAY)
    assert [one.failure for one in act.outcomes] == [None] * len(act.outcomes)
    assert (
        act.text
        == """\
חוק הגינות הקהילתיות, התש"ף–2020
1. הגדרות
בחוק זה –
"גינה" – שטח ציבורי שהוקצה לגידול צמחים;
"גנן" – מי שעובד בגינה;
"ועד" – ועד הגינה שנבחר לפי סעיף 4;
"השר" – שר הפנים.
2. הקצאת שטח
(א) רשות מקומית תקצה שטח לגינה בתוך 45 ימים מיום הבקשה.
(ב) (בוטל).
(ג) על החלטה לפי סעיף זה ניתן לערור לפני ועדת ערר בתוך 20 ימים.
(ד) ועדת הערר תחליט בתוך 60 ימים.
3. דמי שימוש
(א) השימוש בגינה יהיה בלא תשלום.
(ב) הרשות רשאית לגבות פיקדון.
4. ועד הגינה
(א) לכל גינה ייבחר ועד שבו –
(1) יושב ראש;
(2) (בוטל).
(3) נציג הרשות המקומית ובלבד שהסכימו.
(ב) הוועד ייבחר לשנה.
4א. אסיפה
הוועד יכנס אסיפה אחת לשנה.
5. עיצום כספי
המפר הוראה לפי חוק זה, ישלם עיצום כספי.
6.
(בוטל)."""
    )
    assert {one.instruction.day for one in act.outcomes} == {dt.date(2025, 12, 28)}
    early = consolidate(
        text=text,
        titles=['חוק הגינות הקהילתיות, התש"ף–2020'],
        amending=amending,
        on=dt.date(2025, 12, 27),
    )
    assert {one.failure for one in early.outcomes} == {Failure.NOT_YET}
    assert early.text == text


def test_an_act_that_is_amended_beside_others_is_named_first() -> None:
    amending = """\
חוק התכנון (תיקון), התשפ"ה–2025
1. תיקון חוק הגינות
בחוק הגינות הקהילתיות, התש"ף–2020 –
(1) בסעיף 1, בהגדרה "ועד", במקום "הגינה" יבוא "הגינה הקהילתית";
(2) בסעיף 2(א), המילים "מיום הבקשה" – יימחקו;
(3) בסעיף 2, בסעיף קטן (ב), הסיפה החל במילים "שלא תעלה" – תימחק;
(4) בתוספת הראשונה, פרט 3 – יימחק.
2. תיקון חוק אחר
בסעיף 4(א) לחוק הגנת הצרכן, התשמ"א–1981, במקום "א" יבוא "ב".
3. תיקון נוסף
בחוק הגינות הקהילתיות, התש"ף–2020, בסעיף 4(ב), במקום "לשנה" יבוא "לשנתיים".
"""
    act = consolidate(
        text=GARDENS.strip(),
        titles=['חוק הגינות הקהילתיות, התש"ף–2020'],
        amending=amending,
        on=DAY,
        days=dict.fromkeys("123", DAY),
    )
    assert [one.failure for one in act.outcomes] == [
        *[None] * 3,
        Failure.NOT_UNDERSTOOD,
        Failure.TARGET_UNKNOWN,
        None,
    ]
    assert '"ועד" – ועד הגינה הקהילתית שנבחר לפי סעיף 4;' in act.text
    assert section(act, "2")[1:3] == [
        "(א) רשות מקומית תקצה שטח לגינה בתוך 30 ימים.",
        "(ב) ההקצאה תהיה לתקופה.",
    ]
    assert section(act, "4")[-1] == "(ב) הוועד ייבחר לשנתיים."


def test_words_before_a_list_are_no_heading_of_it() -> None:
    text = "Ports Act 2010\n1. The Minister may make regulations\n(a) about other regulations; and\n(b) about fees."
    amending = f"{HEAD}1.\nIn section 1 of the Ports Act 2010, for “regulations” substitute “rules”."
    act = consolidate(text=text, titles=["Ports Act 2010"], amending=amending, on=DAY)
    assert failure(act) == Failure.TWICE
    assert act.text == text


def test_a_definition_that_is_there_is_not_put_beside_itself() -> None:
    lines = ["1.", "Section 2 of the Ports Act 2010 is amended by adding the following in alphabetical order:"]
    assert failure(ports(*lines, "berth means a place at which a ship is moored;")) is Failure.ALREADY_SO
    assert failure(ports(*lines, "berth means a quay;")) is Failure.TWICE


MARINAS = """\
Marinas Act 2011
1. Short title
This Act may be cited as the Marinas Act 2011.
Wardens and Pilots
2.
[Repealed, 2015, c. 4, s. 2]
3. Costs of wardens
(1) A warden pays costs.
4. Fees
A fee is paid.
Old Amendments
5 to 9.
[Amendments]
Coming into Force
10. Beginning
This Act comes into force on a day.
"""


@pytest.mark.parametrize(
    ("said", "gone", "new"),
    [
        ("The heading before section 3 of the Marinas Act 2011 is repealed.", ["Wardens and Pilots"], []),
        (
            "Section 4 of the Marinas Act 2011 is replaced by the following:\n4. Fees\nNo fee is paid.",
            ["A fee is paid."],
            ["No fee is paid."],
        ),
        (
            "Every reference to “warden” and “wardens” is replaced by a reference to “quay agent” and “quay agents”, "
            "respectively, in the following provisions:\n(a) in the Marinas Act 2011, the heading before section 3.",
            ["Wardens and Pilots"],
            ["Quay Agents and Pilots"],
        ),
        (
            "Every reference to “warden” and “wardens” is replaced by a reference to “quay agent” and “quay agents”, "
            "respectively, in the following provisions:\n(a) in the Marinas Act 2011, subsection 3(1).",
            ["3. Costs of wardens", "(1) A warden pays costs."],
            ["3. Costs of quay agents", "(1) A quay agent pays costs."],
        ),
    ],
)
def test_nothing_but_what_is_named_changes(said: str, gone: list[str], new: list[str]) -> None:
    """What is repealed stays, also between a heading and its section, and so does a line for a range of sections."""
    made = consolidate(text=MARINAS.strip(), titles=["Marinas Act 2011"], amending=f"{HEAD}1.\n{said}", on=DAY)
    before, after = MARINAS.strip().split("\n"), made.text.split("\n")
    assert [one.failure for one in made.outcomes] == [None]
    assert [line for line in before if line not in after] == gone
    assert [line for line in after if line not in before] == new


@pytest.mark.parametrize(
    ("old", "new", "said", "then"),
    [
        ("board", "agency", "The board hears the Board of Trade.", None),
        ("board", "agency", "The board hears the Trade Board.", None),
        ("board", "agency", "A board meets in the board-room.", None),
        ("room", "hall", "A room is no board-room.", None),
        ("board", "agency", "The board is heard. Every Board is paid.", "The agency is heard. Every Agency is paid."),
    ],
)
def test_words_in_the_name_of_another_body_or_in_a_compound_are_not_replaced(
    old: str, new: str, said: str, then: str | None
) -> None:
    act = f"Lamps Act 2011\n1. Hearing\n{said}"
    amending = f"1. In section 1 of the Lamps Act 2011, for “{old}” substitute “{new}” wherever it occurs."
    made = consolidate(text=act, titles=["Lamps Act 2011"], amending=amending, on=DAY, days={"1": DAY})
    assert [one.failure for one in made.outcomes] == [None if then else Failure.TWICE]
    assert made.text == f"Lamps Act 2011\n1. Hearing\n{then or said}"


def test_words_behind_three_letters_of_prefix_are_replaced() -> None:
    title = 'חוק המגדלור, התשע"א-2011'
    act = f"{title}\n1. דיון\nהרשות תדון בו כשהרשות מוסמכת ומהרשות יינתן רישיון."
    amending = f'1. בסעיף 1 ל{title}, בכל מקום, במקום "רשות" יבוא "מועצה".'
    made = consolidate(text=act, titles=[title], amending=amending, on=DAY, days={"1": DAY})
    assert [one.failure for one in made.outcomes] == [None]
    assert made.text.endswith("\nהמועצה תדון בו כשהמועצה מוסמכת ומהמועצה יינתן רישיון.")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('בסעיף 8 לחוק המגדלור, התשע"א-2011, נקבע כי השומר מחויב בדיווח.', 0),
        ('בתקנה 2 לתקנות המגדלור, התשע"א-2011, יש רשימה של נמלים.', 0),
        ('בסעיף 8 לחוק המגדלור, התשע"א-2011, הכותרת תהיה דיווח.', 1),
        ("The following keeper is added to the register.", 0),
        ("The following Section 8a is inserted in the Lamps Act 2011:", 1),
    ],
)
def test_prose_that_speaks_of_an_act_is_no_instruction(text: str, count: int) -> None:
    assert len(instructions_of(f"1. {text}")) == count
