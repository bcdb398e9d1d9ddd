"""Numbers that are of no language, and what counts in lists alone."""

import pytest

from law.structure.numbering.own_numbers import own_label

SECTIONS = [
    "I. A member pays.",
    "II. A member votes.",
    "III. Nobody else does.",
    "IV. Dues are fixed.",
    "V. This is all.",
]
LISTED = [line for one in SECTIONS for line in (one, "1. In spring.", "2. In autumn.")]


@pytest.mark.parametrize(
    ("lines", "is_read"),
    [
        (SECTIONS, True),
        (SECTIONS[:4], False),
        (["1. Scope", *SECTIONS], False),
        ([*SECTIONS, "Section 1. Scope"], False),
        ([*SECTIONS, *SECTIONS], False),
        (LISTED, False),
        ([*LISTED[:3], *SECTIONS[1:]], True),
    ],
)
def test_a_law_has_roman_sections_where_nothing_else_counts_them(lines: list[str], is_read: bool) -> None:
    label = own_label(lines, statutory=True)("IV. Dues are fixed.")
    assert (label is not None) is is_read
    assert own_label(lines, statutory=False)("IV. Dues are fixed.") is None
