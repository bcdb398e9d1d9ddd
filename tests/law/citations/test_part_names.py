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
