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
    ],
)
def test_what_is_not_understood_whole_fixes_nothing(words: str) -> None:
    titles = ("Budget Implementation Act, 2019, No. 1", "S.C. 2019, c. 29")
    assert fixed_for(HEAD + BUDGET + words, titles=titles) == {}


def test_the_day_of_an_order_is_that_of_its_own_head() -> None:
    words = f"Pursuant to section 69 of {BUDGET}fixes the day on which this Order is made as the day on which "
    words += "section 1 of that Act comes into force."
    titles = ("Budget Implementation Act, 2019, No. 1", "S.C. 2019, c. 29")
    assert fixed_for(words, titles=titles) == {}
    assert fixed_for(f"{HEAD}the Salvage Act, notes.\nP.C. 2021-9 June 5, 2021\n{words}", titles=titles) == {
        "1": dt.date(2021, 6, 5)
    }
