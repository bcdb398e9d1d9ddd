"""What cannot be carried out is named and changes nothing; what depends on something waits."""

import datetime as dt

import pytest

from law.amendments.consolidating import consolidate, instructions_of
from law.amendments.finding import Failure
from tests.law.amendments.acts import DAY, HEAD, PORTS, failure, ports, section


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


def test_what_applies_only_if_something_happens_waits_for_a_person() -> None:
    act = ports(
        "1. Bill C-9",
        "(1) Subsections (2) and (3) apply if Bill C-9 receives royal assent.",
        "(2) Section 4 of the Ports Act 2010 is repealed.",
        "2.",
        "Section 5 of the Ports Act 2010 is repealed.",
    )
    assert [one.failure for one in act.outcomes] == [Failure.CONDITION, None]


FIRST = "(2) If section 2 of the other Act comes into force before section 1 of this Act, then"
AFTER = "(2) If section 1 of this Act comes into force before section 1 of the other Act, then"


@pytest.mark.parametrize(
    ("lines", "failures"),
    [
        ([f"{FIRST} that section 1 is deemed never to have come into force and is repealed."], "cc"),
        ([f"{FIRST} section 1 of this Act is deemed never to have come into force and is repealed."], "cc"),
        ([f"{FIRST} that section is deemed never to have come into force."], "cc"),
        ([f"{FIRST} that section is deemed never to have applied."], "cc"),
        ([f"{FIRST} section 1 of this Act is to be treated as never having had effect."], "cc"),
        ([f"{FIRST} that section 1 has effect as if it had never been enacted."], "cc"),
        ([f"{FIRST} that section 1 is repealed."], "cc"),
        ([f"{FIRST} section 1 of this Act is repealed."], "cc"),
        ([f"{FIRST} section 1 is repealed."], "-c"),  # of the act that was named last
        ([f"{AFTER} that section 1 is deemed never to have come into force and is repealed."], "-c"),
        ([f"{AFTER} section 3 of the other Act is deemed never to have come into force and is repealed."], "-c"),
        ([FIRST, "(a) that section 1 is deemed never to have come into force and is repealed; and"], "cc"),
        (["(2) Section 1 and section 3 of this Act are deemed never to have come into force."], "cc"),
        (["(2) Section 1, and section 3 of this Act, are to be treated as never having had effect."], "cc"),
        (["(2) A licence under section 1 is to be treated as never having had effect."], "-"),
        (["(2) An order that contravenes section 1 shall be treated as if it had never been made."], "-"),
        (["(2) Section 1 applies to a licence, which shall be treated as if it had never been made."], "-"),
        (["(2) An order under section 1 is deemed never to have come into force."], "-"),
        (["(2) The amendments made by section 1 are deemed never to have come into force."], "cc"),
        ([FIRST, "(a) section 7 of the Ports Act 2010 is repealed.", "(3) Section 5 of that Act is repealed."], "-c-"),
    ],
)
def test_what_may_never_have_come_into_force_waits_for_a_person(lines: list[str], failures: str) -> None:
    act = ports("1.", "Section 4 of the Ports Act 2010 is repealed.", "2.", *lines)
    assert [one.failure for one in act.outcomes] == [Failure.CONDITION if at == "c" else None for at in failures]
    assert {one.instruction.act for one in act.outcomes} == {"Ports Act 2010"}


HEBREW_FIRST = "2. נכנס לתוקף סעיף 2 לחוק האחר לפני סעיף 1 לחוק זה,"


@pytest.mark.parametrize(
    ("line", "failures"),
    [
        (f"{HEBREW_FIRST} רואים את סעיף 1 לחוק זה כאילו לא נכנס לתוקף.", "cc"),
        (f"{HEBREW_FIRST} רואים אותו כאילו לא נכנס לתוקף.", "cc"),
        (f"{HEBREW_FIRST} יראו את אותו סעיף 1 כאילו מעולם לא נכנס לתוקף.", "cc"),
        ("2. סעיף 1 לחוק זה – בטל מעיקרו.", "cc"),
        ("2. סעיף 1 לחוק זה ייחשב כאילו לא חל.", "cc"),
        ("2. סעיף 1 לחוק זה, סעיף 3 לחוק זה – בטלים מעיקרם.", "cc"),
        ("2. יראו את סעיף 1 לחוק זה כאילו לא נחקק.", "cc"),
        ("2. סעיפים 1 ו-3 לחוק זה – בטלים מעיקרם.", "cc"),
        ("2. חוזה הנוגד את סעיף 1 לחוק זה בטל מעיקרו.", "-"),
        ("2. מינוי שלא לפי סעיף 1 לחוק זה בטל מעיקרו.", "-"),
        ("2. רואים את סעיף 3 לחוק האחר כאילו לא נכנס לתוקף.", "-"),
        ("2. סעיף 1 לחוק זה ייחשב כאילו לא חל על מי שקיבל רישיון.", "-"),
    ],
)
def test_hebrew_that_may_never_have_come_into_force_waits_for_a_person(line: str, failures: str) -> None:
    text = 'חוק השווקים, התש"ף–2020\n1. אגרה\nסוחר ישלם אגרה בתוך 30 ימים.'
    amending = f'1. בסעיף 1 לחוק השווקים, התש"ף–2020, במקום "30" יבוא "45".\n{line}'
    act = consolidate(text=text, titles=['חוק השווקים, התש"ף–2020'], amending=amending, on=DAY, days={"1": DAY})
    assert [one.failure for one in act.outcomes] == [Failure.CONDITION if at == "c" else None for at in failures]


def test_new_text_ends_before_what_never_comes_into_force() -> None:
    act = ports(
        "1.",
        "(1) Subsection 3(2) of the Ports Act 2010 is replaced by the following:",
        "(2) A licence is valid for 45 days.",
        "(2) Subsection (1) is deemed never to have come into force if the Minister says so.",
        "(3) In that case, subsection (1) is deemed never to have come into force and is repealed.",
    )
    assert act.outcomes[0].instruction.text == ("(2) A licence is valid for 45 days.",)
    assert {one.failure for one in act.outcomes} == {Failure.CONDITION}


def test_what_depends_on_another_act_is_shown_as_it_would_read_and_not_done() -> None:
    act = ports(
        "1.", "If section 2 of the other Act comes into force, then section 4 of the Ports Act 2010 is repealed."
    )
    [outcome] = act.outcomes
    assert [(one.number, one.after) for one in outcome.edits] == [("4", "4.\n[Repealed, 2025, c. 7, s. 1]")]
    assert act.text == PORTS.strip()


def test_a_definition_that_is_there_is_not_put_beside_itself() -> None:
    lines = ["1.", "Section 2 of the Ports Act 2010 is amended by adding the following in alphabetical order:"]
    assert failure(ports(*lines, "berth means a place at which a ship is moored;")) is Failure.ALREADY_SO
    assert failure(ports(*lines, "berth means a quay;")) is Failure.TWICE


def test_words_before_a_list_are_no_heading_of_it() -> None:
    text = "Ports Act 2010\n1. The Minister may make regulations\n(a) about other regulations; and\n(b) about fees."
    amending = f"{HEAD}1.\nIn section 1 of the Ports Act 2010, for “regulations” substitute “rules”."
    act = consolidate(text=text, titles=["Ports Act 2010"], amending=amending, on=DAY)
    assert failure(act) == Failure.TWICE
    assert act.text == text


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


@pytest.mark.parametrize(
    "text",
    [
        "הוראות סעיף 2(ב) לא יחולו על –\n(1) פעולה שמבצע אדם לעצמו;\n(2) הפעלת רמזור.",
        "צו לפי סעיף קטן (א) –\n(1) תצוין בו העילה;\n(2) יפורסם ברשומות.",
        "העוסק בתיווך בלא רישיון או היתר, דינו – קנס.",
    ],
)
def test_lists_and_offences_of_an_ordinary_act_are_no_instructions(text: str) -> None:
    assert instructions_of(f"1. {text}") == []


def test_a_clause_that_is_there_is_not_put_there_again_behind_its_note_or_another_clause() -> None:
    for new in (
        ["[Term]", "(2) A licence is valid for a year."],
        ["(1.1) A licence is not transferable.", "(2) A licence is valid for a year."],
    ):
        act = ports(
            "1.", "Section 3 of the Ports Act 2010 is amended by adding the following after subsection (1):", *new
        )
        assert failure(act) is Failure.TWICE
        assert act.text == PORTS.strip()


def test_what_is_repealed_keeps_its_note() -> None:
    act = ports("1.", "Section 6 of the Ports Act 2010 is repealed.")
    assert failure(act) is Failure.ALREADY_SO
    act = ports("1.", "Sections 5 to 7 of the Ports Act 2010 are repealed.")
    assert act.outcomes[0].sections == ("5", "7")
    assert "6.\n[Repealed, 2015, c. 4, s. 2]" in act.text


def test_of_two_texts_of_one_place_on_one_day_neither_is_taken() -> None:
    lines = [
        "1.",
        "(1) Section 4 of the Ports Act 2010 is replaced by the following:",
        "4. Fees",
        "A fee is paid within 45 days.",
        "(2) Section 4 of the Act is replaced by the following:",
        "4. Fees",
        "A fee is paid within 60 days.",
    ]
    act = ports(*lines)
    assert [one.failure for one in act.outcomes] == [Failure.TWO_TEXTS, Failure.TWO_TEXTS]
    days = {"1(1)": DAY - dt.timedelta(days=1), "1(2)": DAY}
    act = consolidate(text=PORTS, titles=["Ports Act 2010"], amending=HEAD + "\n".join(lines), on=DAY, days=days)
    assert [one.failure for one in act.outcomes] == [None, None]
    assert "within 60 days" in act.text
    same = ports(*lines[:-1], lines[3])
    assert [one.failure for one in same.outcomes] == [None, Failure.ALREADY_SO]


def test_new_law_whose_end_is_not_seen_is_not_put_in() -> None:
    lead, last = "Section 4 of the Ports Act 2010 is replaced by the following:", "Section 7 of the Act is repealed."
    for behind in ([], [f"({n}) A ship pays." for n in range(2, 2_100)]):
        act = ports("1.", lead, "“4. Fees", "(1) A fee is paid.", *behind, "2.", last)
        assert [one.failure for one in act.outcomes] == [Failure.NOT_UNDERSTOOD, None]
        assert "A fee is paid to a registrar" in act.text
        act = ports("1.", lead, "“4. Fees", "(1) A fee is paid.", *behind[:1_900], "(2100) No more.”", "2.", last)
        assert [one.failure for one in act.outcomes] == [None, None]
        assert "(2100) No more." in section(act, "4")


def test_what_depends_on_another_act_is_not_taken_for_done_because_its_own_act_is_older() -> None:
    lines = ["1.", "If section 2 of the other Act comes into force, then section 4 of the Ports Act 2010 is repealed."]
    act = consolidate(text=PORTS, titles=["Ports Act 2010"], amending=HEAD + "\n".join(lines), on=DAY, since=DAY)
    assert failure(act) is Failure.CONDITION


def test_nothing_is_joined_behind_the_term_in_another_language() -> None:
    lines = ["1.", "The definition harbour in section 2 of the Ports Act 2010 is amended by adding “or” at the end."]
    assert failure(ports(*lines)) is Failure.NOT_UNDERSTOOD


TOLLS = """\
Tolls Act 2010
1. Toll
(1) The toll is A × B, where
A is the weight of the vehicle; and
B is 3.
2. Table
The tolls are set out in the schedule.
SCHEDULE
(Section 2)
Column 1 | Column 2
Car | 10
Truck | 25"""


@pytest.mark.parametrize(
    "lines",
    [
        ["Item 2 of the schedule to the Tolls Act 2010 is amended by replacing “25” with “30”."],
        ["In the Schedule to the Tolls Act 2010, for “25” substitute “30”."],
        ["The portion of item 2 of the schedule to the Tolls Act 2010 in column 2 is replaced by the following:", "30"],
        ["The schedule to the Tolls Act 2010 is replaced by the following:", "SCHEDULE", "(Section 2)", "Car | 12"],
        ["The Tolls Act 2010 is amended by adding, after the schedule, the schedule set out in Schedule 1."],
        ["The formula in subsection 1(1) of the Tolls Act 2010 is replaced by the following:", "A × B × C"],
        ["The description of B in subsection 1(1) of the Tolls Act 2010 is replaced by the following:", "B is 4."],
        ["In the table in section 2 of the Tolls Act 2010, for “10” substitute “12”."],
        ["In column 2 of the Schedule to the Tolls Act 2010, for “10” substitute “12”."],
    ],
)
def test_tables_and_formulas_are_seen_and_left_to_a_person(lines: list[str]) -> None:
    made = consolidate(text=TOLLS, titles=["Tolls Act 2010"], amending=f"{HEAD}1.\n" + "\n".join(lines), on=DAY)
    assert made.outcomes
    assert all(one.failure for one in made.outcomes)
    assert made.text == TOLLS
