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
        f"It is so, as it is said in sections 1 to 4 and\n8, as the keeper has paid, {AFTER}",
        f"It is so, as it is said in the Ferries Act 1990, section\n8 of the schedule, {AFTER}",
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


@pytest.mark.parametrize(
    "lines",
    [
        ["Piers Act 1990, section 4", "Hoists Act 2019, section 2", "Ropes Act 2001, section 7"] * 3,
        ["The toll that a skipper owes to the pier: Piers Act 1990, s 4", "Hoists Act 2019, s 2"],
        ["What a skipper owes to the master of the pier is in section 4", "Hoists Act 2019 knows no such toll."],
        ["Boats at the old pier, see section 4", "Hoists Act 2019: a crew of six", "Ropes at night, see section 12"]
        * 3,
        [
            "The skipper of the boat relied all along on the Piers Act 1990",
            "Section 47",
            "The Hoists Act 2019 added it",
        ],
        ["Name: Piers Act 1990", "Year: 1990", "Court: of the harbour", "Held under section 3", "Fine: 5 crowns"] * 2,
        [
            "Tolls under the Piers Act 1990 and other acts .............. 12",
            "Hoists Act 2019, section 2 ................ 14",
        ],
        ["12 Harbour Street", "Dear Madam", "Re: Piers Act 1990, section 4", "Hoists Act 2019, section 2"] * 2,
        ["We rely in this matter of the boat on section 4", "the Hoists Act 2019 is not needed for that at all"],
        ["The skipper relied in the lower court on Piers Act 1990, s 4", "s 2, Hoists Act 2019"],
        ["Pay the toll that is owed in paragraph", "3 weeks later he came."],
        ["Under section", "12 boats were bought"],
        [
            "(1) the toll of the skipper that is due under section 3 and",
            "(2) the toll that is due under section 4, which is small",
        ],
        [
            "1. the toll of the skipper, which is due under section 3 and",
            "2. the toll that is due under section 4, which is small",
        ],
        ["הדמים שעל בעל הסירה לשלם למנהל המזח הם לפי חוק המזחים, סעיף 4", "חוק המעבורות, סעיף 2"],
        ["חוק המזחים, סעיף 4", "חוק המעבורות, סעיף 2", "חוק החבלים, סעיף 12"] * 3,
        ["סירות ליד המזח הישן, ראו סעיף 4", "חוק המעבורות: צוות של שישה", "חבלים בלילה, ראו סעיף 12"] * 3,
    ],
)
def test_lines_of_lists_are_not_joined_behind_a_number(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert without_line_ends(f"Heading\n\n{text}\n\nThe end.") == f"Heading\n\n{text}\n\nThe end."


@pytest.mark.parametrize(
    "next_line",
    ["of the Piers Act 1990, which", "and section 5, which", "(“the Piers Act”), which", "binds him, which"],
)
def test_a_sentence_goes_on_behind_a_number_in_small_letters_or_a_bracket(next_line: str) -> None:
    text = f"It is so, as it is said of all the piers of this harbour in section 4\n{next_line} {AFTER}"
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
