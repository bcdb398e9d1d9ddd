"""From when instructions are in force: what an amending act says of its parts, and what orders fix."""

import datetime as dt

import pytest

from law.amendments.beginning.orders import days_fixed
from law.amendments.consolidating import instructions_of

ASSENT, LATER = dt.date(2026, 6, 1), dt.date(2027, 1, 1)
ACT = """\
Quays Act 2026
Assented to 1st June 2026
PART 1
Moorings
1. Section 5 of the Ports Act is repealed.
PART 2
DIVISION 1
2. Section 6 of the Ports Act is repealed.
PART 3
3. Section 7 of the Ports Act is repealed.
4. {}
SCHEDULE 2
1. Section 8 of the Ports Act is repealed.
"""
OPEN = "This Act comes into force on a day or days to be fixed by order of the Governor in Council."
OPEN_HEBREW = """\
חוק הנמלים (תיקון מס' 3), התשפ"ו-2026
פרק א': עגינה
1. בחוק הנמלים, התשע"ב-2012, סעיף 5 – בטל.
פרק ב': אגרות
2. בחוק הנמלים, התשע"ב-2012, סעיף 6 – בטל.
3. תחילתו של חוק זה ביום שיקבע השר בצו.
"""


def days(text: str, *orders: str, titles: tuple[str, ...] = ("Quays Act 2026",)) -> list[dt.date | None]:
    fixed = days_fixed(instructions_of(text), orders=orders, titles=titles)
    return [one.day for one in instructions_of(text, days={of: one.day for of, one in fixed.items()})]


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("Part 2 comes into force on 1 January 2027.", [1]),
        ("Parts 2 and 3 come into force on 1 January 2027.", [1, 2]),
        ("Parts 1 to 3 come into force on 1 January 2027.", [0, 1, 2]),
        ("Division 1 of Part 2 comes into force on 1 January 2027.", [1]),
        ("Division 2 of Part 2 comes into force on 1 January 2027.", []),
        ("Section 1 and Part 3 come into force on 1 January 2027.", [0, 2]),
        ("Schedule 2 comes into force on 1 January 2027.", [3]),
        ("Part 2 takes effect on 1 January 2027.", [1]),
        ("Section 2 commences on 1 January 2027.", [1]),
        ("Sections 1 to 3 shall have effect from 1 January 2027.", [0, 1, 2]),
        (
            "The following provisions of this Act come into force on 1 January 2027—\n(a) section 1;\n(b) Part 3.",
            [0, 2],
        ),
        ("The following provisions come into force on 1 January 2027:\n(a) section 1;\n(b) section 2.", [0, 1]),
    ],
)
def test_a_part_of_an_act_begins_on_its_own_day(said: str, later: list[int]) -> None:
    assert days(ACT.format(said)) == [LATER if at in later else ASSENT for at in range(4)]


def test_all_but_a_part_begins_on_a_day() -> None:
    said = ACT.format("This Act, other than Part 2, comes into force on 1 January 2027.")
    assert days(said) == [LATER, ASSENT, LATER, LATER]

    said = ACT.format("This Act comes into force on 1 January 2027, except section 2.")
    assert days(said) == [LATER, ASSENT, LATER, LATER]


@pytest.mark.parametrize(
    "said",
    [
        "This Act comes into force on 1 January 2027, except section 2, which comes into force on 1 March 2027.",
        "Sections 1 and 3 come into force on 1 January 2027, and section 2 comes into force on 1 March 2027.",
    ],
)
def test_a_sentence_of_several_days_leaves_them_open(said: str) -> None:
    assert days(ACT.format(said)) == [None] * 4


@pytest.mark.parametrize(
    "lead",
    [
        "4. The Ports Act is amended by adding the following after section 8:",
        "4.1 The Ports Act 1990 is amended by adding the following after section 8:",
    ],
)
@pytest.mark.parametrize("behind", ["", "\n5. Section 9 of the Ports Act is repealed."])
def test_text_that_is_inserted_says_no_day_of_the_act_that_inserts_it(lead: str, behind: str) -> None:
    said = ACT.replace("4. {}", f"{lead}\n9. Section 2 commences on 1 January 2027.{behind}")
    assert days(said)[1] in (ASSENT, None)


def test_the_section_behind_inserted_text_says_the_day_of_the_act() -> None:
    inserted = "4. The Ports Act is amended by adding the following after section 8:\n9. Lights are kept.\n"
    said = ACT.replace("4. {}", f"{inserted}5. Section 2 commences on 1 January 2027.")
    assert days(said)[1] == LATER


def test_a_beginning_whose_day_is_not_read_leaves_the_day_open() -> None:
    assert days(ACT.format("Part 2 comes into force as provided by an agreement.")) == [ASSENT, None, ASSENT, ASSENT]
    assert days(ACT.format("Section 3 commences when the registrar says so.")) == [ASSENT, ASSENT, None, ASSENT]


@pytest.mark.parametrize(
    ("order", "fixed"),
    [
        (  # Canada
            "Her Excellency the Governor General in Council, under section 4 of the Quays Act 2026, chapter "
            "3 of the Statutes of Canada, 2026, fixes January 1, 2027 as the day on which sections 1 and 2 of that Act "
            "come into force.",
            [0, 1],
        ),
        (
            "Under section 4 of the Quays Act 2026, the Governor in Council fixes\n"
            "(a) January 1, 2027 as the day on which section 1 of that Act comes into force; and\n"
            "(b) March 1, 2028 as the day on which sections 7 to 9 of that Act come into force.",
            [0],
        ),
        (  # the United Kingdom
            "The Quays Act 2026 (Commencement No. 1) Order 2026\n"
            "2. The following provisions of the Quays Act 2026 come into force on 1st January 2027—\n"
            "(a) section 1;\n(b) Part 3;\n(c) Schedule 2.",
            [0, 2, 3],
        ),
        (
            "The Quays Act 2026 (Commencement) Order 2026\n"
            "The day appointed for the coming into force of section 2 of the Act is 1st January 2027.",
            [1],
        ),
        (  # Ireland
            "Quays Act 2026 (Commencement) Order 2026\n"
            "The 1st day of January 2027 is appointed as the day on which the Quays Act 2026 (other than "
            "Part 2) comes into operation.",
            [0, 2, 3],
        ),
        (  # India
            "In exercise of the powers conferred by section 4 of the Quays Act 2026, the Central Government "
            "hereby appoints the 1st day of January, 2027 as the date on which sections 2 and 3 of the said Act shall "
            "come into force.",
            [1, 2],
        ),
        (  # Australia
            "I, the Governor-General, under section 4 of the Quays Act 2026, fix 1 January 2027 as the day "
            "on which Schedule 2 to that Act commences.",
            [3],
        ),
        (
            "Under the Fisheries Act, the Minister fixes January 1, 2027 as the day on which it comes into force.",
            [],
        ),
        (
            "The Quays Act 2026 is noted. The Minister fixes January 1, 2027 as the day on which section 1 "
            "of the Fisheries Act comes into force.",
            [],
        ),
    ],
)
def test_an_order_fixes_the_days_that_an_act_leaves_open(order: str, fixed: list[int]) -> None:
    assert days(ACT.format(OPEN), order) == [LATER if at in fixed else None for at in range(4)]


@pytest.mark.parametrize(
    ("order", "fixed"),
    [
        ("אני קובע את יום 1 בינואר 2027 כיום תחילתו של סעיף 1 לחוק האמור.", [0]),
        ("יום התחילה של סעיפים 1 ו-2 לחוק יהיה 1 בינואר 2027.", [0, 1]),
        ("אני קובעת את יום 1 בינואר 2027 כיום תחילתו של פרק ב' לחוק.", [1]),
        ("אני קובע את יום 1 בינואר 2027 כיום תחילתו של החוק.", [0, 1]),
    ],
)
def test_a_hebrew_order_does(order: str, fixed: list[int]) -> None:
    title = OPEN_HEBREW.split("\n")[0]
    found = days(OPEN_HEBREW, f"צו הנמלים (תחילה)\nבתוקף סמכותי לפי סעיף 3 ל{title}, {order}", titles=(title,))
    assert found == [LATER if at in fixed else None for at in range(2)]


NAMED = "The Quays Act 2026 is meant.\n"
UNDER = "Under the Quays Act 2026, the Minister fixes January 1, 2027 as the day on which "


@pytest.mark.parametrize(
    "order",
    [
        f"{NAMED}The Minister fixes 1 January 2027 as the day on which this Order comes into force.",
        "The court heard that section 1 of the Quays Act 2026 comes into force on 1 January 2027.",
        "The harbour master says that the Quays Act 2026 comes into force on 1 January 2027.",
        f"{NAMED}Section 1 of the Salvage Act 2024 is noted. Section 2 of that Act comes into force on 1 January 2027.",
        f"{NAMED}Under the Salvage Act 2024, she fixes January 1, 2027 as the day on which section 1 of the Act "
        "comes into force.",
        "This Order is made with regard to the Quays Act 2026 and the Salvage Act 2024.\n"
        "2. The Act comes into force on 1 January 2027.",
        "Section 1 of the Small Quays Act 2026 and of no Quays Act 2026 is noted.\n"
        "2. The Small Quays Act 2026 comes into force on 1 January 2027.",
        "The Quays Act 2026 comes into force on 1 January 2027, except section 1.",
        "The Quays Act 2026 comes into force on 1 January 2027, with the exception of section 1, which comes into "
        "force on 1 March 2027.",
        "The Quays Act 2026 comes into force on the day on which the Act of 1 January 2027 is repealed.",
        "The Quays Act 2026 comes into force on or after 1 January 2027.",
        "The Quays Act 2026 comes into force on 1 January 2027, if the Convention is ratified.",
        "The Quays Act 2026 comes into force on 1 January 2027 in the northern ports only.",
        "Section 1 of the Quays Act 2026 comes into force on 1 January 2027 for the purpose of making rules.",
        "Unless the House decides otherwise, section 1 of the Quays Act 2026 comes into force on 1 January 2027.",
        "Unless the House decides otherwise—\n(a) section 1 of the Quays Act 2026 comes into force on 1 January 2027;",
        f"{UNDER}section 1, and March 1, 2027 as the day on which section 2 of that Act, come into force.",
        f"{UNDER}section 1 of that Act comes into force in the northern ports.",
        f"{UNDER}section 1 of that Act comes into force, if the Convention is ratified.",
        "Under the Quays Act 2026, the Minister refused to fix January 1, 2027 as the day on which that Act comes "
        "into force.",
        "The order under the Quays Act 2026 that fixes January 1, 2027 as the day on which that Act comes into force "
        "is repealed.",
        "If the Convention is ratified, the Minister under the Quays Act 2026 fixes January 1, 2027 as the day on "
        "which that Act comes into force.",
        "Under the Quays Act 2026, the Minister refuses to fix\n"
        "(a) January 1, 2027 as the day on which section 1 of that Act comes into force.",
    ],
)
def test_an_order_that_is_not_understood_whole_fixes_no_day(order: str) -> None:
    assert days(ACT.format(OPEN), order) == [None] * 4


@pytest.mark.parametrize(
    "order",
    [
        "השר סירב לבקשה, ואיני קובע את יום 1 בינואר 2027 כיום תחילתו של החוק.",
        "אם תאושר האמנה, אני קובע את יום 1 בינואר 2027 כיום תחילתו של החוק.",
        "אני קובע את יום 1 בינואר 2027 כיום תחילתו של צו זה.",
        "אני קובע את יום 1 בינואר 2027 כיום תחילתו של סעיף 1 לחוק בנמלי הצפון.",
        "אני קובע את יום 1 בינואר 2027 כיום תחילתו של החוק, למעט סעיף 2.",
        'ולפי חוק ההצלה, התשע"ב-2012, אני קובע את יום 1 בינואר 2027 כיום תחילתו של החוק.',
    ],
)
def test_a_hebrew_order_that_is_not_understood_whole_fixes_no_day(order: str) -> None:
    title = OPEN_HEBREW.split("\n")[0]
    assert days(OPEN_HEBREW, f"צו הנמלים (תחילה)\nלפי סעיף 3 ל{title}, {order}", titles=(title,)) == [None, None]


def test_an_order_changes_no_day_that_the_act_says() -> None:
    order = "Under the Quays Act 2026, fixes March 1, 2028 as the day on which that Act comes into force."
    assert days(ACT.format("Part 2 comes into force on 1 January 2027."), order) == [ASSENT, LATER, ASSENT, ASSENT]


def test_two_orders_that_differ_leave_the_day_open() -> None:
    order = "Under the Quays Act 2026, fixes {} as the day on which section 1 of that Act comes into force."
    orders = [order.format(day) for day in ("March 1, 2028", "January 1, 2027")]
    assert days(ACT.format(OPEN), *orders) == [None] * 4
    assert days(ACT.format(OPEN), orders[1], orders[1])[0] == LATER


def test_sections_that_are_marked_as_such_are_counted_and_begin_when_one_of_them_says() -> None:
    read = instructions_of(
        "AN ACT relating to ports\n"
        "SECTION 1. Section 3 of the Ports Act 2010 is amended by striking “30 days” and inserting “45 days”.\n"
        "SEC. 2. Section 4 of the Ports Act 2010 is repealed.\n"
        "SEC. 3. Section 2 of this Act takes effect on July 1, 2026.\n"
    )
    assert [(one.provision, one.day) for one in read] == [("1", None), ("2", dt.date(2026, 7, 1))]
