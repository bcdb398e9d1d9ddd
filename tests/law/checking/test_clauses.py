"""Which clauses a section prints."""

import pytest

from law.checking.clauses import has_no_marks, is_beyond, is_printed

CITING = "10. Beginning\n(1) Section 2(1), (2) and (7) to (9) begins today.\n(2) The rest begins in a year."
PLAIN = "18. Regulations\nThe minister may make regulations under section 7(2)."
NUMBERED = "19. Tasks\n1. The council advises.\n2. The council reports."

# A number is missing between the last two: what stands there may be of either.
LISTED = """8.—(1) A ferry may carry—
(a) carts, or
(b) mules.
(2) It may not carry—
(a) oil,
(b) salt, or
(c) coal.
(4) Others may carry coal.
(6) They include—
(a) barges."""


@pytest.mark.parametrize(
    ("text", "path", "printed"),
    [
        (CITING, ("2",), True),
        (CITING, ("7",), False),
        (CITING, ("10",), False),
        (PLAIN, ("18",), False),
        (NUMBERED, ("2",), True),
        ("3. Oil. (a) The oil is bought; (b) it is burnt.", ("b",), True),
        ("3. Under section 4\n(b) it is burnt.", ("b",), True),
        (LISTED, ("1", "b"), True),
        (LISTED, ("1", "c"), False),
        (LISTED, ("2", "c"), True),
        (LISTED, ("2", "d"), False),
        (LISTED, ("4", "a"), True),
    ],
)
def test_clauses_that_are_printed(text: str, path: tuple[str, ...], printed: bool) -> None:
    assert is_printed(text, path) is printed


def test_the_number_of_a_section_is_no_mark_of_a_clause() -> None:
    assert has_no_marks(PLAIN)
    assert not has_no_marks(NUMBERED)
    assert is_beyond(NUMBERED, ("3",))
