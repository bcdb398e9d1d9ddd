"""Full dates in two languages."""

import datetime as dt

import pytest

from law.languages.dates import find_dates


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("ניתן ביום 17 במאי 2001", "2001-05-17"),
        ("כ״ו באדר התשפ״ה (26 במרץ 2025)", "2025-03-26"),
        ("1 ינואר, 1999", "1999-01-01"),
        ("נחתם 3 במארס 1961", "1961-03-03"),
        ("ביום 5.11.2018 פורסם", "2018-11-05"),
        ("תאריך: 05/11/2018", "2018-11-05"),
        ("made on 2 February 2025 by", "2025-02-02"),
        ("this 3rd day of March, 2011", "2011-03-03"),
        ("FILED Sep 13, 2019", "2019-09-13"),
        ("September 1st, 2019.", "2019-09-01"),
        ("Date: 2024-02-29", "2024-02-29"),
        ("on 25/12/2020", "2020-12-25"),
        ("on 12/25/2020", "2020-12-25"),
        ("on 4.5.2020", "2020-05-04"),
        ("תאריך: 4 . 5 . 2020", "2020-05-04"),
        ("תאריך: 4. 5. 2020", "2020-05-04"),
        ("כ''ו באדר התשפ''ה", "2025-03-26"),
        ("א׳ בתשרי תשפ׳׳ד", "2023-09-16"),
        ("17-במאי-2001", "2001-05-17"),
        ("Date: 2020/05/04", "2020-05-04"),
        ("Date: 2020/5/4", "2020-05-04"),
        ("Date: 2020.05.04", "2020-05-04"),
        ("Date: 04-May-2020", "2020-05-04"),
        ("Date: 4/May/2020", "2020-05-04"),
        ("Vienna, 4. May 2020", "2020-05-04"),
        ("4 בנוב׳ 2020", "2020-11-04"),
        ("נוב' 4, 2020", "2020-11-04"),
        ("ביום 4 בנובמבר שנת 2020", "2020-11-04"),
    ],
)
def test_a_full_date_is_found(text: str, iso: str) -> None:
    assert [found.date.isoformat() for found in find_dates(text)] == [iso]


@pytest.mark.parametrize(
    "text",
    [
        'התשס"א–2001',
        "במאי 2001",
        "31 בפברואר 2001",
        "May 2001",
        "on 4/5/2020",  # nobody can tell the day from the month
        "Docket No. 2019-06-0263",
        "61405-06-25",
        "section 18.8.2001.4",
        "99/99/2020",
        "1.1.0007",
        "rule 4.5.20",
        "תיק 4/5/20",
        "2020/13/40",
    ],
)
def test_what_is_no_full_date_is_left(text: str) -> None:
    assert list(find_dates(text)) == []


def test_a_date_comes_with_its_place() -> None:
    text = "ביום 17 במאי 2001 ועד 3.4.2002"
    assert [text[found.start : found.end] for found in find_dates(text)] == ["17 במאי 2001", "3.4.2002"]


@pytest.mark.parametrize(
    ("text", "iso"), [("4.5.20", "2020-05-04"), ("4/5/20", "2020-05-04"), ("4.5.98", "1998-05-04")]
)
def test_a_year_of_two_digits_is_read_where_it_is_asked_for(text: str, iso: str) -> None:
    [found] = find_dates(text, day_first=True, short_years=True)
    assert (found.date.isoformat(), found.is_short) == (iso, True)
    assert not any(date.is_short for date in find_dates("4.5.2020", short_years=True))


def test_a_year_of_two_digits_is_not_to_come() -> None:
    next_year = dt.date.today().year + 1
    [found] = find_dates(f"4.5.{next_year % 100:02}", short_years=True)
    assert found.date.year == next_year - 100
