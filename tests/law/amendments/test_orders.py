"""Orders of Canada as its gazette prints them, and what looks like them."""

import datetime as dt

import pytest

from law.amendments.beginning.orders import days_fixed
from law.amendments.consolidating import instructions_of

HEAD = """\
Order Fixing the Day on Which Certain Provisions of that Act Come into Force: SI/2021-26
Canada Gazette, Part II, Volume 155, Number 12
Registration
SI/2021-26 June 9, 2021
P.C. 2021-470 June 1, 2021
His Excellency the Administrator of the Government of Canada in Council, on the recommendation of the Minister of \
Transport, pursuant to subsections 69(1), (2) and (4) of """
BUDGET = "the Budget Implementation Act, 2019, No. 1, chapter 29 of the Statutes of Canada, 2019, "
LONG = "An Act to amend the Ports Act and to make related amendments to other Acts"
MADE, REGISTERED = dt.date(2021, 6, 1), dt.date(2021, 6, 9)
FIXED = dt.date(2022, 6, 20)


def fixed_for(order: str, *, titles: tuple[str, ...], sections: int = 6) -> dict[str, dt.date]:
    amending = [f"{at}. Section {at + 10} of the Ports Act is repealed." for at in range(1, sections + 1)]
    act = "\n".join([titles[0], *amending, "This Act comes into force on a day to be fixed by order."])
    return {of: one.day for of, one in days_fixed(instructions_of(act), orders=[order], titles=titles).items()}


@pytest.mark.parametrize(
    ("words", "day", "sections"),
    [
        ("fixes June 20, 2022 as the day on which sections 1 to 3 of that Act come into force.", FIXED, "123"),
        ("fixes the day on which this Order is registered as the day on which subsections 2(1) and (4) and sections 1, "
         "3 and 5 of that Act come into force.", REGISTERED, "135"),
        ("fixes the day on which this Order is made as the day on which section 4 of that Act comes into force.",
         MADE, "4"),
        ("fixes the day after the day on which this Order is made as the day on which section 6 of that Act comes into "
         "force.", MADE + dt.timedelta(days=1), "6"),
        ("fixes June 20, 2022 as the day on which that Act comes into force, other than subsection 2(3), paragraphs "
         "3(1)(a) and 4(a) and section 5.", FIXED, "12346"),
    ],
)  # fmt: skip
def test_an_order_in_council_fixes_days(words: str, day: dt.date, sections: str) -> None:
    for titles in [
        ("Budget Implementation Act, 2019, No. 1", "S.C. 2019, c. 29"),
        ("Budget Implementation Act, 2019, No. 1",),
        ("Ports Modernization Act", "S.C. 2019, c. 29"),  # its short title: the order may name it by the long one
    ]:
        assert fixed_for(HEAD + BUDGET + words, titles=titles) == dict.fromkeys(sections, day)


def test_an_act_is_known_by_a_long_title_that_names_other_acts() -> None:
    words = f"{LONG}, chapter 15 of the Statutes of Canada, 2019, fixes June 20, 2022 as the day on which section 1 of "
    order = f"{HEAD}{words}that Act comes into force."
    assert fixed_for(order, titles=(LONG, "S.C. 2019, c. 15")) == {"1": FIXED}
    assert fixed_for(order, titles=(LONG, "S.C. 2009, c. 15")) == {}  # acts of other years have the same long title
    assert fixed_for(order, titles=(LONG,)) == {}
    assert fixed_for(order, titles=("Ports Act", "R.S.C. 1985, c. P-5")) == {}
    assert fixed_for(order, titles=("Ports Act",)) == {}


@pytest.mark.parametrize(
    "words",
    [
        "fixes the day on which this Order is published as the day on which section 1 of that Act comes into force.",
        "fixes the second day after the day on which this Order is made as the day on which that Act comes into force.",
        "fixes June 20, 2022 as the day on which that Act comes into force, other than section 2, which came into "
        "force on assent.",
        "fixes June 20, 2022 as the day on which that Act comes into force, other than the provisions on wharves.",
        "and the Salvage Act, chapter 7 of the Statutes of Canada, 2020, fixes June 20, 2022 as the day on which "
        "section 1 of that Act comes into force.",
        "and chapter 7 of the Statutes of Canada, 2020, fixes June 20, 2022 as the day on which section 1 of that Act "
        "comes into force.",
        "declines to accept the recommendation and to fix June 20, 2022 as the day on which that Act comes into force.",
        "recommends that Council fixes June 20, 2022 as the day on which that Act comes into force.",
        "fixes June 20, 2022 as the day on which section 1 of the Budget Implementation Act, 2019, No. 2 comes into "
        "force.",
        "fixes June 20, 2022 as the day on which sections 1 to 6 of that Act come into force, other than sections 2 "
        "and 3 of the Seals Act.",
        "fixes June 20, 2022 as the day on which that Act comes into force, other than section 2 of the Seals Act.",
        "and section 5 of the Seals Act, as amended by section 3 of chapter 29 of the Statutes of Canada, 2019, fixes "
        "June 20, 2022 as the day on which section 1 of that Act comes into force.",
    ],
)
def test_what_is_not_understood_whole_fixes_nothing(words: str) -> None:
    titles = ("Budget Implementation Act, 2019, No. 1", "S.C. 2019, c. 29")
    assert fixed_for(HEAD + BUDGET + words, titles=titles) == {}


@pytest.mark.parametrize(
    ("order", "known"),
    [
        ("Section 5 of the Seals Act (see page 27), the Governor", "27"),
        ("Section 5 of the Seals Act, 2001, assented to on June 27, 2001, the Governor", "27"),
        ("Under section 3 of the Seals Act, R.S.C. 1985, c. 12, the Governor", "c. 12"),
        ("Under section 3 of the Seals Act, the Governor in Ports House", "Ports"),
        ("Under section 3 of the Seals Act (the Act), the Governor", "the Act"),
        ("Under section 3 of the Seals Act (the Principal Act), the Governor", "Principal Act"),
        ("In the Ports Modernization Act, see the Seals Act (page 27). The Governor", "27"),
    ],
)
def test_what_stands_for_anything_names_no_act(order: str, known: str) -> None:
    words = f"{order} fixes June 20, 2022 as the day on which section 1 of that Act comes into force."
    assert fixed_for(words, titles=("Ports Modernization Act", known)) == {}
    named = f"Notes on the Ports Modernization Act.\n{words}"
    assert fixed_for(named, titles=("Ports Modernization Act", known)) == {}


def test_a_title_of_one_word_is_no_name_in_passing() -> None:
    words = "Under section 3 of the Seals Act, the Governor in Ports House fixes June 20, 2022 as the day on which "
    assert fixed_for(f"{words}section 1 of that Act comes into force.", titles=("Ports",)) == {}


def test_the_day_of_an_order_is_that_of_its_own_head() -> None:
    words = f"Pursuant to section 69 of {BUDGET}fixes the day on which this Order is made as the day on which "
    words += "section 1 of that Act comes into force."
    titles = ("Budget Implementation Act, 2019, No. 1", "S.C. 2019, c. 29")
    assert fixed_for(words, titles=titles) == {}
    assert fixed_for(f"{HEAD}the Salvage Act, notes.\nP.C. 2021-9 June 5, 2021\n{words}", titles=titles) == {
        "1": dt.date(2021, 6, 5)
    }


@pytest.mark.parametrize(
    ("above", "made", "registered"),
    [
        ("Whereas by Order in Council P.C. 2015-3, May 4, 2015, the Minister was designated;\nTherefore, ", MADE,
         REGISTERED),
        ("Whereas SI/2015-3, May 4, 2015, fixed another day;\nTherefore, ", MADE, REGISTERED),
        ("Repeals Order P.C. 2015-3, May 4, 2015\n", MADE, REGISTERED),
        ("It is read with P.C. 2015-3, May 4, 2015.\n", None, None),  # the head is that of a text that has ended
        ("The Governor fixes July 1, 2023 as the day on which the Seals Act commences.\nOrder Two\n", None, None),
        ("The Governor fixes July 1, 2023 as the day on which the Seals Act commences\nOrder Two\n", None, None),
        ("Registration\nSI/2021-27 June 10, 2021\n", None, dt.date(2021, 6, 10)),
        ("the Governor\n(a) fixes June 20, 2022 as the day on which the Seals Act comes into force; and\n(b) ", MADE,
         REGISTERED),
    ],
)  # fmt: skip
def test_a_mention_of_an_order_is_no_head(above: str, made: dt.date | None, registered: dt.date | None) -> None:
    head = HEAD[: HEAD.index("His Excellency")]
    for kind, day in [("made", made), ("registered", registered)]:
        words = f"pursuant to section 69 of {BUDGET}fixes the day on which this Order is {kind} as the day on which "
        order = f"{head}{above}{words}section 1 of that Act comes into force."
        assert fixed_for(order, titles=("Budget Implementation Act, 2019, No. 1",)) == ({"1": day} if day else {})
