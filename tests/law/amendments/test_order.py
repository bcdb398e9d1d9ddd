"""Instructions are carried out on their days, and in the order of these."""

import datetime as dt

from law.amendments.finding import Failure
from tests.law.amendments.acts import DAY, ports, section


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
