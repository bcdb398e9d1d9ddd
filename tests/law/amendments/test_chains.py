"""Several amending acts on one act: out of order, back in time, for a while, and changed before they begin."""

import datetime as dt
from itertools import combinations

import pytest

from law.amendments.chains import MAX_ACTS, AmendingAct, carry_out_all
from law.amendments.finding import Failure
from tests.law.amendments.acts import GARDENS

TITLE = 'חוק הגינות הקהילתיות, התש"ף–2020'
TEXT = GARDENS.strip()
LAW = "חוק הגינות הקהילתיות"


def act(number: int, *lines: str) -> AmendingAct:
    title = f"{LAW} (תיקון מס' {number}), התשפ\"ה–2025"
    return AmendingAct(text="\n".join([title, *lines]), titles=(title, f"{LAW} (תיקון מס' {number})"))


LATE = act(1, f'1. בסעיף 2(ב) ל{TITLE}, במקום "שלוש שנים" יבוא "ארבע שנים".', "2. תחילתו של חוק זה ביום 1 ביוני 2025.")
EARLY = act(
    2,
    f'1. בסעיף 2(א) ל{TITLE}, במקום "30 ימים" יבוא "45 ימים".',
    f"2. סעיף 6 ל{TITLE} – בטל.",
    "3. תחילתו של סעיף 1 ביום 1 במאי 2025.",
    "4. תחילתו של סעיף 2 ביום 1 בינואר 2026.",
)
STOPS = act(3, f"1. סעיף 2 ל{EARLY.titles[1]} – בטל.", "2. תחילתו של חוק זה ביום 1 באוגוסט 2025.")
FOR_A_WHILE = act(
    4,
    f'1. בסעיף 3 ל{TITLE}, במקום "בלא תשלום" יבוא "תמורת תשלום".',
    "2. תחילתו של חוק זה ביום 1 ביולי 2025 ותוקפו עד יום 31 בדצמבר 2025.",
)
BACK = act(5, f'1. בסעיף 2(א) ל{TITLE}, במקום "45 ימים" יבוא "60 ימים".', "2. תחילתו של חוק זה ביום 15 במאי 2025.")
FIVE = [LATE, EARLY, STOPS, FOR_A_WHILE, BACK]
DAYS = [
    dt.date(2025, 4, 30),
    dt.date(2025, 5, 1),
    dt.date(2025, 5, 15),
    dt.date(2025, 6, 1),
    dt.date(2025, 7, 1),
    dt.date(2025, 12, 31),
    dt.date(2026, 1, 1),
]


def by_hand(acts: list[AmendingAct], on: dt.date) -> str:
    """The text as somebody would write it who reads the five acts."""
    text = TEXT
    if EARLY in acts and on >= dt.date(2025, 5, 1):
        text = text.replace("בתוך 30 ימים", "בתוך 45 ימים")
    if BACK in acts and on >= dt.date(2025, 5, 15):
        text = text.replace("45 ימים", "60 ימים")
    if LATE in acts and on >= dt.date(2025, 6, 1):
        text = text.replace("שלוש שנים", "ארבע שנים")
    if FOR_A_WHILE in acts and dt.date(2025, 7, 1) <= on < dt.date(2026, 1, 1):
        text = text.replace("בלא תשלום", "תמורת תשלום")
    if EARLY in acts and STOPS not in acts and on >= dt.date(2026, 1, 1):
        text = text.replace("6. ביצוע\nהשר ממונה על ביצוע חוק זה.", "6.\n(בוטל).")
    return text


@pytest.mark.parametrize("count", range(len(FIVE) + 1))
def test_any_of_five_acts_read_on_any_day_as_by_hand(count: int) -> None:
    for chosen in combinations(FIVE, count):
        for day in DAYS:
            made = carry_out_all(chosen, text=TEXT, titles=[TITLE], on=day)
            assert made.text == by_hand(list(chosen), day)


def test_what_each_instruction_came_to_is_told_also_of_an_act_of_the_chain() -> None:
    made = carry_out_all([*FIVE[:3], FIVE[3]], text=TEXT, titles=[TITLE], on=dt.date(2026, 1, 1))
    told = [(number, one.failure, one.sections) for number, one in made.outcomes]
    assert told == [
        (0, None, ("2",)),
        (1, None, ("2",)),
        (2, None, ("2",)),  # section 2 of the second act
        (3, Failure.ENDED, ()),
    ]


def test_an_instruction_whose_words_another_act_would_have_brought_is_named() -> None:
    [(_, one)] = carry_out_all([BACK], text=TEXT, titles=[TITLE], on=DAYS[-1]).outcomes
    assert one.failure is Failure.NOT_FOUND


def test_a_temporary_order_that_is_put_off_before_it_ends_goes_on() -> None:
    longer = act(
        6,
        f'1. בסעיף 2 ל{FOR_A_WHILE.titles[1]}, במקום "31 בדצמבר 2025" יבוא "31 בדצמבר 2026".',
        "2. תחילתו של חוק זה ביום 1 בדצמבר 2025.",
    )
    for day, word in ((dt.date(2026, 6, 1), "תמורת תשלום"), (dt.date(2027, 1, 1), "בלא תשלום")):
        assert word in carry_out_all([FOR_A_WHILE, longer], text=TEXT, titles=[TITLE], on=day).text


@pytest.mark.parametrize(
    "lines",
    [
        ["2. תוקפו של חוק זה שנה מיום תחילתו."],
        ["2. חוק זה יעמוד בתוקפו כל עוד מתקיים מצב חירום."],
        ["2. תוקפו של סעיף 1 שנתיים מיום פרסומו."],
    ],
)
def test_a_temporary_order_whose_end_is_not_known_is_not_carried_out(lines: list[str]) -> None:
    begins = "3. תחילתו של חוק זה ביום 1 ביולי 2025."
    order = act(7, f'1. בסעיף 3 ל{TITLE}, במקום "בלא תשלום" יבוא "תמורת תשלום".', *lines, begins)
    made = carry_out_all([order], text=TEXT, titles=[TITLE], on=DAYS[-1])
    assert [one.failure for _, one in made.outcomes] == [Failure.END_UNKNOWN]
    assert made.text == TEXT


def test_an_act_that_is_called_a_temporary_order_needs_an_end() -> None:
    head = f"{LAW} (תיקון מס' 8 – הוראת שעה), התשפ\"ה–2025"
    lines = [f'1. בסעיף 3 ל{TITLE}, במקום "בלא תשלום" יבוא "תמורת תשלום".', "2. תחילתו של חוק זה ביום 1 ביולי 2025."]
    [(_, one)] = carry_out_all(
        [AmendingAct(text="\n".join([head, *lines]))], text=TEXT, titles=[TITLE], on=DAYS[-1]
    ).outcomes
    assert one.failure is Failure.END_UNKNOWN


def test_english_words_on_an_end_are_read_where_they_say_what_returns() -> None:
    text = "Ports Act 2010\n1. Fees\nA fee is paid within 30 days."
    change = "1. In section 1 of the Ports Act 2010, for “30 days” substitute “45 days”."
    begins = "3. This Act comes into force on 1 July 2025."
    ends = "2. The amendments made by section 1 cease to have effect at the end of 31 December 2025."
    for on, words in ((dt.date(2025, 12, 31), "45 days"), (dt.date(2026, 1, 1), "30 days")):
        order = AmendingAct(text="\n".join(["Ports (Fees) Act 2025", change, ends, begins]))
        assert words in carry_out_all([order], text=text, titles=["Ports Act 2010"], on=on).text
    open_end = AmendingAct(
        text="\n".join(["Ports (Fees) Act 2025", change, "2. This Act expires on 1 May 2026.", begins])
    )
    [(_, one)] = carry_out_all([open_end], text=text, titles=["Ports Act 2010"], on=dt.date(2025, 8, 1)).outcomes
    assert one.failure is Failure.END_UNKNOWN


def test_a_temporary_change_of_another_act_of_the_chain_ends() -> None:
    text = "Ports Act 2010\n1. Fees\nA fee is paid within 30 days."
    fees = [
        "Ports (Fees) Act 2025",
        "1. In section 1 of the Ports Act 2010, for “30 days” substitute “45 days”.",
        "2. This Act comes into force on 1 January 2026.",
    ]
    delay = [
        "Fees (Delay) Act 2025",
        "1. In section 1 of the Ports (Fees) Act 2025, for “45 days” substitute “60 days”.",
        "2. The amendments made by section 1 cease to have effect at the end of 30 September 2025.",
        "3. This Act comes into force on 1 June 2025.",
    ]
    acts = [AmendingAct(text="\n".join(lines), titles=(lines[0],)) for lines in (fees, delay)]
    for on, days, became in (
        (dt.date(2025, 5, 1), "30 days", [Failure.NOT_YET, Failure.NOT_YET]),
        (dt.date(2025, 7, 1), "30 days", [Failure.NOT_YET, None]),
        (dt.date(2026, 1, 1), "45 days", [None, Failure.ENDED]),
    ):
        made = carry_out_all(acts, text=text, titles=["Ports Act 2010"], on=on)
        assert days in made.text
        assert [one.failure for _, one in made.outcomes] == became


def test_more_acts_than_are_read_are_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        carry_out_all([AmendingAct(text="")] * (MAX_ACTS + 1), text=TEXT, titles=[TITLE], on=DAYS[-1])
