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


@pytest.mark.parametrize(
    "text",
    [
        f"It is so, as it is said in sections 1 to 4 and\n8. The keeper has paid, {AFTER}",
        f"It is so, as it is said in the Ferries Act 1990, section\n8. The keeper has paid, {AFTER}",
        f"It is so, as it is said of all the piers of the harbour in 9\nU.S.C. § 12, {AFTER}",
        f"It is so, as it is said of all the piers of the harbour in S.C. 2009, c.\n14, {AFTER}",
        f"It is so, as it is said of all the piers in S.C. 2009, c. 14, s. 126,\ns. 12, {AFTER}",
        f"It is so, as it is said of all the piers in section 5, subsection\n(2), of that Act, {AFTER}",
        f"Nothing turns on section\n19(8), {AFTER}",
        f"It is so, as the court said of all the piers of the harbour in Grant at\n[112]. {AFTER}",
        f'כך נקבע בחוק המעבורות, תשכ"ח–1968, סעיף 3, ביחס לכל הרציפים (להלן:\n"חוק המעבורות"), {AFTER}',
        f'כך נקבע בחוק המעבורות, תשכ"ח–1968, סעיף 3, ביחס לכל הרציפים (להלן\n– חוק המעבורות), {AFTER}',
        f"כך נקבע ביחס לכל הרציפים ולכל המעבורות של הנמל בסעיפים קטנים (א) עד\n(ג), {AFTER}",
    ],
)
def test_a_citation_goes_on_over_a_line_end(text: str) -> None:
    assert without_line_ends(text) == text.replace("\n", " ", 1)


def test_narrow_lines_are_joined_where_the_next_word_had_no_room() -> None:
    lines = [
        "The keeper of the Harbour",
        "Ferries (Lights) Act 1990",
        "has paid, as the court has",
        "seen, to all the others",
    ]
    paragraphs = ["\n".join(lines), "Short\nlines\nof a list", "\n".join(lines), "Piers Act\nHoists Act"]
    joined = without_line_ends("\n\n".join(paragraphs))
    assert joined == "\n\n".join(" ".join(lines) if place % 2 == 0 else one for place, one in enumerate(paragraphs))


def test_a_text_without_blank_lines_has_a_paragraph_in_each_line() -> None:
    text = "There remains section 4 of the Piers (Lights)\nAct 2024, which the other party has not answered yet."
    assert without_line_ends(text) == text
