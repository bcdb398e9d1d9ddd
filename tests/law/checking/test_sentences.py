"""Line ends inside paragraphs, across which titles go on."""

import pytest

from law.checking.sentences import without_line_ends

AFTER = "which the other party has not answered in any of its letters.\n\nThe end."


def test_a_title_goes_on_over_a_line_end() -> None:
    text = f"There remains section 4 of the Piers (Lights)\nAct 2024, {AFTER}"
    joined = without_line_ends(text)
    assert "the Piers (Lights) Act 2024" in joined
    assert len(joined) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        f"The answer is in section 4.\nPiers Act 2024 is another, {AFTER}",
        f"The permit needs, says the act:\n(a) a fee, {AFTER}",
        f"The permit needs these two things\n1. a fee, {AFTER}",
        f"The permit of the harbour master says\n    that a boat may not, {AFTER}",
        "Piers Act\nHoists Act\n\nThe end.",
        f"Hoists Act 1990\nRopes Act 2001, {AFTER}",
    ],
)
def test_what_is_no_line_end_inside_a_paragraph_stays(text: str) -> None:
    assert without_line_ends(text) == text


def test_a_text_without_blank_lines_has_a_paragraph_in_each_line() -> None:
    text = "There remains section 4 of the Piers (Lights)\nAct 2024, which the other party has not answered yet."
    assert without_line_ends(text) == text
