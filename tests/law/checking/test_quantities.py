"""Numbers with their units, in digits and in words, and what they say against those of the law."""

import pytest

from law.checking.quantities import Agreement, compared, days_and_things, is_doubtful, quantities

LAW = "The owner must have the hoist inspected within 14 days. The fee is $200."
PERIODS = """A notice of the hoist covers no more than two months: it is given once in three years.
The keeper lights the lamps 20 days before the boat comes, of the pier 30 days before."""
FINES = "The fine for a first lamp must not exceed $100; for a second lamp $500."
HEBREW = "בעל המנוף יבדוק אותו בתוך ארבעה עשר ימים מיום התיקון."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("within 14 days", [(14, "day")]),
        ("within twenty-one days", [(21, "day")]),
        ("three hundred and five members, one thousand two hundred persons", [(305, "member"), (1200, "person")]),
        ("14 to 21 days", [(14, "day"), (21, "day")]),
        ("two working days and 5 clear days", [(2, "working day"), (5, "day")]),
        (
            "a fortnight, 60 per cent, 12%, $1,000.50",
            [(2, "week"), (60, "percent"), (12, "percent"), (1000.5, "dollar")],
        ),
        ("3 million dollars", [(3_000_000, "dollar")]),
        ("section 14 and the two owners", []),
        ("בתוך עשרים ואחד ימים, או ארבעה עשר יום", [(21, "day"), (14, "day")]),
        ("שנים עשר חודשים, שלוש שנים, שנתיים, חודש אחד", [(12, "month"), (3, "year"), (2, "year"), (1, "month")]),
        ("מאה ועשרים יום, שלוש מאות לירות, אלפיים שקלים", [(120, "day"), (300, "lira"), (2000, "shekel")]),
        ("מעשרים יום ועד ל־14 ימי עבודה", [(20, "day"), (14, "working day")]),
        ("בתום שנה, תוך חודש וכעבור יום אחד", [(1, "year"), (1, "month"), (1, "day")]),
        ("לפני שנים, השנה, ויום העבודה", []),
        ('5,000 ש"ח ושבועיים', [(5000, "shekel"), (2, "week")]),
    ],
)
def test_quantities(text: str, found: list[tuple[float, str]]) -> None:
    assert [(one.number, one.unit) for one in quantities(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by 1 July and March 3rd, on 4 May 2020; section 5 may apply", ["701 1 July", "303 March 3rd"]),
        ("up to 200 children, two ropes", ["200 200 children", "2 two ropes"]),
        ("sections 4 and 10 apply, (3) Owners pay; 2.5 casks in 2020 casks", ["2.5 2.5 casks"]),
        ("עד 31 בדצמבר, עד 100 חניכים", ["1231 31 בדצמבר", "100 100 חניכים"]),
        ("לפי תקנה 10 מוסמך הרשם", []),
        ("in boat one seven sailors row", ["7 seven sailors"]),
        ("ברכב אחד שבעה חניכים", ["7 שבעה חניכים"]),
    ],
)
def test_days_of_a_year_and_numbers_of_things(text: str, found: list[str]) -> None:
    assert [f"{one.number:g} {text[one.start : one.end]}" for one in days_and_things(text)] == found


@pytest.mark.parametrize(
    ("statement", "law", "agreement"),
    [
        ("The owner must do so within 21 days", LAW, Agreement.OTHER),
        ("The owner must do so within twenty-one days", LAW, Agreement.OTHER),
        ("The owner must do so within fourteen days", LAW, Agreement.SAME),
        ("The owner must do so within two weeks", LAW, Agreement.SAME),
        ("The owner must have the hoist inspected within three weeks", LAW, Agreement.OTHER),
        ("The owner must do so within one month", LAW, Agreement.UNSURE),
        ("The owner of the hoist has 21 days to have it inspected", LAW, Agreement.OTHER),
        ("After 21 days the inspection of the hoist is void unless the owner was away", LAW, Agreement.UNSURE),
        ("After 21 days no hoist is inspected unless the owner agrees", LAW, Agreement.OTHER),
        ("The owner must pay the fee", LAW, Agreement.NONE),
        (
            "The keeper of the pier sends the list by 31 December",
            "The list of lamps is sent by the keeper of the pier not later than 1 July.",
            Agreement.OTHER,
        ),
        (
            "A pier with up to 200 lamps may have one keeper",
            "A pier with up to 100 lamps may have one keeper.",
            Agreement.OTHER,
        ),
        (
            "A pier with up to 200 lamps is lit",
            "Where 100 lamps were lost the keeper tells the owner.",
            Agreement.UNSURE,
        ),
        ("The pier has two lamps", LAW, Agreement.NONE),
        # What happened, or something else
        ("The owner lived there for 21 days", LAW, Agreement.UNSURE),
        ("The owner was told of the hoist within 21 days and inspected it", LAW, Agreement.UNSURE),
        ("A letter goes unanswered for five weeks", LAW, Agreement.UNSURE),
        ("The owner must do so within 21 days", f"{LAW} Within 30 days it is signed.", Agreement.UNSURE),
        # One of several clauses has its words
        ("A notice of the hoist may cover up to six months", PERIODS, Agreement.OTHER),
        ("A notice of the hoist may cover up to two months", PERIODS, Agreement.SAME),
        ("A notice of the pier may last up to six months", PERIODS, Agreement.UNSURE),
        ("A notice of the hoist that covers ropes must be read within 4 months", PERIODS, Agreement.UNSURE),
        ("The fine for a third lamp must not exceed $900", FINES, Agreement.UNSURE),
        ("The fine for a first lamp must not exceed $900", FINES, Agreement.OTHER),
        ("The keeper lights the lamps of the pier 9 days before the boat comes", PERIODS, Agreement.OTHER),
        ("The keeper counts the ropes of the pier 9 days before the boat comes", PERIODS, Agreement.UNSURE),
        ("The keeper lit the lamps and was away 9 days before the boat comes", PERIODS, Agreement.UNSURE),
        ("בעל המנוף חייב לבדוק אותו בתוך 21 יום", HEBREW, Agreement.OTHER),
        (
            "The fee of a hoist is from 20 to 95 dollars",
            "The fee of a hoist is from 20 to 90 dollars.",
            Agreement.OTHER,
        ),
        (
            "The fee of a hoist is from 25 to 95 dollars",
            "The fee of a hoist is from 20 to 90 dollars.",
            Agreement.UNSURE,
        ),
        ("The price of rope is 20 to 95 dollars", "The fee of a hoist is from 20 to 90 dollars.", Agreement.UNSURE),
        ("החוק נכנס לתוקף כעבור 12 חודשים", "תחילתו של חוק זה בתום שישה חודשים מיום פרסומו.", Agreement.OTHER),
        ("החוק נכנס לתוקף כעבור 12 חודשים", "תחילתו של חוק זה בתום שנה מיום פרסומו.", Agreement.SAME),
        ("בעל המנוף חייב לבדוק אותו בתוך שבועיים", HEBREW, Agreement.SAME),
        ("בדיקת המנוף בידי בעל המנוף נעשית בתוך עשרים ואחד ימים", HEBREW, Agreement.OTHER),
    ],
)
def test_quantities_are_compared(statement: str, law: str, agreement: Agreement) -> None:
    found, pairs = compared(statement, law)
    assert found is agreement
    assert bool(pairs) is (agreement is Agreement.OTHER)


@pytest.mark.parametrize(
    ("statement", "doubtful"),
    [
        ("The owner has the hoist inspected within 14 days", False),
        ("The owner has the hoist inspected within a month or 30 days", True),
        ("The owner may have the hoist inspected", True),
        ("The owner must not have the hoist inspected", True),
        ("The owner must have the hoist inspected from 3 May 2024", True),
        ("The owner must have the hoist inspected", False),
    ],
)
def test_what_differs_is_doubtful(statement: str, doubtful: bool) -> None:
    assert is_doubtful(statement, LAW) is doubtful
