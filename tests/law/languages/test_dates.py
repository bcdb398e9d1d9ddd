"""Full dates in two languages."""

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
    ],
)
def test_what_is_no_full_date_is_left(text: str) -> None:
    assert list(find_dates(text)) == []


def test_a_date_comes_with_its_place() -> None:
    text = "ביום 17 במאי 2001 ועד 3.4.2002"
    assert [text[found.start : found.end] for found in find_dates(text)] == ["17 במאי 2001", "3.4.2002"]
