"""Values of cells read as they are displayed."""

import datetime as dt

import pytest

from extraction.sheets.number_formats import Value, displayed

ACCOUNTING = '_-* #,##0.00 ₪_-;-* #,##0.00 ₪_-;_-* "-"?? ₪_-;_-@_-'


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (0.25, "0%", "25%"),
        (1234, "#,##0.00", "1,234.00"),
        (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
        (5, "[$₪-40D] #,##0.00", "₪ 5.00"),
        (12, ACCOUNTING, "12.00 ₪"),
        (0, ACCOUNTING, "- ₪"),
        (123456789, "000-00-0000", "123-45-6789"),
        (7, "00000", "00007"),
        (2.25, "# ?/?", "2 1/4"),
        (0.5, "# ?/?", "1/2"),
        (12345, "0.00E+00", "1.23E+04"),
        (1234567, "#,##0,", "1,235"),
        (-0.001, "0.00", "0.00"),
        (1.005, "0.00", "1.01"),
        (0.1 + 0.2, "General", "0.3"),
        (3.0, "General", "3"),
        (True, "General", "TRUE"),
        (5, '[<10]"few";"many"', "few"),
        (50, '[<10]"few";"many"', "many"),
        (5, ";;;", ""),
        ("x", ";;;", ""),
        ("x", ";;;@", "x"),
        (dt.datetime(2020, 5, 12), "dd/mm/yyyy", "12/05/2020"),
        (dt.datetime(2020, 5, 12), "[$-1010000]d/m/yyyy;@", "12/5/2020"),
        (dt.datetime(2020, 5, 12), "[$-40D]d mmmm yyyy", "12 מאי 2020"),
        (dt.datetime(2020, 5, 12), "d-mmm-yy", "12-May-20"),
        (dt.datetime(2020, 5, 12, 13, 4), "d/m/yy h:mm AM/PM", "12/5/20 1:04 PM"),
        (dt.time(9, 5), "hh:mm", "09:05"),
        (dt.time(0, 5, 7), "mm:ss", "05:07"),
        (dt.timedelta(hours=27, minutes=3), "[h]:mm", "27:03"),
    ],
)
def test_a_value_is_written_as_its_format_displays_it(value: Value, number_format: str, text: str) -> None:
    assert displayed(value, number_format) == text


@pytest.mark.parametrize("number_format", ["mm-dd-yy", "[$-F800]dddd, mmmm dd, yyyy", "[$-8040D]d mmmm yyyy"])
def test_day_whose_display_is_not_in_the_file_cannot_be_misread(number_format: str) -> None:
    assert displayed(dt.datetime(2020, 5, 12), number_format) == "2020-05-12"
