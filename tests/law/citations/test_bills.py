"""Which titles are those of bills."""

import pytest

from law.citations.titles import is_bill


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("הצעת חוק השאלת ספרים (תיקון), התשפ״ד–2024", True),
        ("Libraries (Amendment) Bill 2024", True),
        ("חוק השאלת ספרים, התשפ״א–2021", False),
        ("Bill of Rights Act 1990", False),
        ("Billing Act 1990", False),
        ("", False),
    ],
)
def test_a_title_tells_whether_an_act_is_only_proposed(title: str, found: bool) -> None:
    assert is_bill(title) is found
