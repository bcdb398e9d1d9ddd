"""Numbers with their units, in digits and in words."""

import pytest

from law.checking.quantities import days_and_things, quantities


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
        ("two lakh rupees, rupees 1.5 crores, five thousands", [(200_000, "rupee"), (15_000_000, "rupee")]),
        ("section 14 and the two owners", []),
        ("בתוך עשרים ואחד ימים, או ארבעה עשר יום", [(21, "day"), (14, "day")]),
        ("שנים עשר חודשים, שלוש שנים, שנתיים, חודש אחד", [(12, "month"), (3, "year"), (2, "year"), (1, "month")]),
        ("מאה ועשרים יום, שלוש מאות לירות, אלפיים שקלים", [(120, "day"), (300, "lira"), (2000, "shekel")]),
        ("מעשרים יום ועד ל־14 ימי עבודה", [(20, "day"), (14, "working day")]),
        ("מאסר שנה", [(1, "year")]),
        ("בתום שנה, תוך חודש וכעבור יום אחד", [(1, "year"), (1, "month"), (1, "day")]),
        ("לפני שנים, השנה, ויום העבודה", []),
        ("level 4, Rs. 20,000 and NIS 5", [(4, "level"), (20_000, "rupee"), (5, "shekel")]),
        ('60 ק"מ, ברמה 3', [(60, "kilometre"), (3, "level")]),
        ("בין עשר לשלושים שנים", [(10, "year"), (30, "year")]),
        ('5,000 ש"ח ושבועיים', [(5000, "shekel"), (2, "week")]),
    ],
)
def test_quantities(text: str, found: list[tuple[float, str]]) -> None:
    assert [(one.number, one.unit) for one in quantities(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by 1 July and March 3rd, on 4 May 2020; section 5 may apply", ["701 1 July", "303 March 3rd"]),
        ("by the end of March, in March 2020; may May", ["3 March"]),
        ("היום האחרון של חודש מרס ובחודש מאי 2020", ["3 מרס"]),
        ("all of the following, or any of these", ["1 all of the following", "0 any of these"]),
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
