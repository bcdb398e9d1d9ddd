"""Names that are a part of a title."""

import pytest

from law.citations.titles import PartName, parse_title


@pytest.mark.parametrize(
    ("name", "title", "may"),
    [
        ("Fish Act, 1950", "The Protection and Keeping of Fish Act, 1950", True),
        ("Fish Act, 1951", "The Protection and Keeping of Fish Act, 1950", False),
        ("Fish Act", "The Protection and Keeping of Fish Act, 1950", False),
        ("Foreign Ropes Act", "Sale and Keeping of Foreign Ropes Act, No. 4 of 2031", True),
        ("Oxbow Code", "Oxbow Code of Ordinances, Chapter 1 Carts", True),
        ("Hoists Act", "Hoists Act (Repeal) Order 2031", False),
        ("X.Y. Mar. Rop. Law", "Marine Ropes Law", True),
        ("X.Y. Mar. Lam. Law", "Marine Ropes Law", False),
    ],
)
def test_a_part_of_a_title(name: str, title: str, may: bool) -> None:
    assert PartName(name).may_mean(parse_title(title)) is may


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ('חוק המעבורות (תשכ"ח–1968)', 'חוק המעבורות, תשכ"ח–1968'),
        ("Ferries Act (1968)", "Ferries Act, 1968"),
        ("Ferries Act (of 1968)", "Ferries Act of 1968"),
        ("פקודת המעבורות (1944) [נוסח חדש]", "פקודת המעבורות, 1944 [נוסח חדש]"),
    ],
)
def test_a_year_in_brackets_is_the_year(said: str, title: str) -> None:
    assert parse_title(said) == parse_title(title)
    assert parse_title(said).year
