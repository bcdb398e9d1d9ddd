"""Days of the Hebrew calendar."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.languages.dates import find_dates
from law.languages.hebrew.calendar import date_of


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ('נתקבל ביום ט"ז בשבט התש"ט', "1949-02-15"),
        ("ה׳ באייר תש״ח", "1948-05-14"),
        ('כ"ג באלול התש"ס', "2000-09-23"),
        ("א' בתשרי התשס\"א", "2000-09-30"),
        ('י"ד באדר א׳ התשפ"ד', "2024-02-23"),
        ('י"ד באדר ב׳ התשפ"ד', "2024-03-24"),
        ("י״ד באדר שני ה'תשפ״ד", "2024-03-24"),
        ('י"ד באדר התשפ"ה', "2025-03-14"),
        ('ל׳ בשבט התשע"ח', "2018-02-15"),
        ('ט"ו במרחשוון תש"ף', "2019-11-13"),
        ('ט׳ באב תשל"ז', "1977-07-24"),
        ("ז' במנחם-אב תש\"ם", "1980-07-20"),
        ('מי"א בטבת התשס"ז', "2007-01-01"),
        ('ג׳ בסיון, תשכ"ז', "1967-06-11"),
        ('ב-כ"ט בכסלו תשס"ח', "2007-12-09"),
    ],
)
def test_a_day_is_found_in_the_gregorian_calendar(text: str, iso: str) -> None:
    assert [found.date.isoformat() for found in find_dates(text)] == [iso]


@pytest.mark.parametrize(
    "text",
    [
        'ט"ו בשבט',  # of every year
        'י"ד באדר התשפ"ד',  # of two months of that name
        'י"ד באדר ב׳ התשפ"ה',  # of one
        'ל׳ בטבת התשפ"ד',
        'ל׳ בחשון התשפ"א',
        'י"ה בניסן התשפ"א',
        'כ"ג באב',
        'חוק הטיילות, התשפ"ד–2024',
        'אדר תש"ף',
    ],
)
def test_what_names_no_day_is_left(text: str) -> None:
    assert list(find_dates(text)) == []


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('ביום י"ב בתשרי התש"ס (22 בספטמבר 1999), נחתם', 'י"ב בתשרי התש"ס (22 בספטמבר 1999'),
        ('ביום י"ב בתשרי (22.9.1999)', 'י"ב בתשרי (22.9.1999'),
        ('22 בספטמבר 1999, י"ב בתשרי התש"ס', '22 בספטמבר 1999, י"ב בתשרי התש"ס'),
        # the year of the one or the other is wrong, and printers err in the Hebrew one
        ('ביום י"ב בתשרי התש"ע (22 בספטמבר 1999)', 'י"ב בתשרי התש"ע (22 בספטמבר 1999'),
    ],
)
def test_of_a_day_in_both_calendars_the_gregorian_is_believed(text: str, whole: str) -> None:
    (found,) = find_dates(text)
    assert (found.date, text[found.start : found.end]) == (dt.date(1999, 9, 22), whole)


def test_hebrew_day_stands_in_for_gregorian_one_that_cannot_be() -> None:
    assert [found.date for found in find_dates('י"ב בתשרי התש"ס (31 בפברואר 1999)')] == [dt.date(1999, 9, 22)]


@given(st.integers(5461, 5960))
def test_a_year_has_every_day_once(year: int) -> None:
    days = [date for month in range(13) for day in range(1, 31) if (date := date_of(year, month, day))]
    assert [(date - days[0]).days for date in days] == list(range(len(days)))
    assert len(days) in {353, 354, 355, 383, 384, 385}
    following = date_of(year + 1, 0, 1)
    assert following is not None
    assert (following - days[-1]).days == 1
