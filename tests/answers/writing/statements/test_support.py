"""Which sentences an answer has, which of them state something, and which say nothing that a quote could support."""

import pytest

from answers.writing.statements.draft import read_markers
from answers.writing.statements.support import only_joins, pieces, states, unsupported


@pytest.mark.parametrize(
    "sentences",
    [
        [
            "According to Mr. Cohen v. Levi the fine is 5. [1] ",
            "Then No. 5 of 18.8.2 applies!\n",
            "- it is due;\n",
            "- now.",
        ],
        ["The fine is 5. ", "It is no. ", "So it is."],
        ["ס. 5 קובע. ", "א. כהן טוען: כך. [2][1] ", "האם? ", "1. ראשית, כך. "],
        ['He said "no." [1] ', "Nobody did (at all). ", "e.g. this one.\n\n", "Fees:\n", "U.S. law [1], as said"],
        ["The fee is five crowns [1]. ", "the fine is nine crowns."],
        ["The fee is five per cent. and more [1]. ", "iPhones are exempt. ", "so are boats."],
        ["\n No end"],
        [],
    ],
)
def test_an_answer_is_cut_at_stops_and_lines_and_not_at_abbreviations(sentences: list[str]) -> None:
    text = "".join(sentences)
    assert [text[start:end] for start, end in pieces(text)] == sentences


@pytest.mark.parametrize(
    "sentence",
    [
        *("The fine is 500.", "He pays thirty crowns.", "In May he pays.", "It is what Cohen wrote.", "ADGM decides."),
        *('It is a "safe harbour".', "the Tenant pays", "It breaks the Act.", "See section five and rule A."),
        *(
            "בתוך שלושים ימים.",
            "אלף שקלים.",
            "החוק אוסר זאת.",
            "לפי חוק הגנת השוכר אסור.",
            "לפי סעיף ד לחוק",
            "עד סוף מרץ.",
        ),
        *('בנק "לאומי" חייב.', "עד 5%.", "הוראות אלה חלות."),
    ],
)
def test_a_figure_a_date_a_name_or_law_states_something(sentence: str) -> None:
    assert states(sentence)
    assert not only_joins(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        *(
            "The tenant must pay.",
            "I think so.",
            "1. Pay the rent",
            "(a) pay it",
            "- The tenant pays",
            "It may not.",
            "No.",
        ),
        *("According to the documents, it may.", "The answer is no.", "Yes.", "They must leave."),
        *(
            "המאחר משלם שקל ליום.",
            "השוכר ישלם.",
            'צה"ל חייב בכך.',
            "בדרך כלל הדבר מותר.",
            "זהו.",
            "לא.",
            "התשובה היא לא.",
        ),
    ],
)
def test_other_sentences_are_marked(sentence: str) -> None:
    assert not states(sentence)
    assert list(unsupported(sentence, [])) == [(0, len(sentence))]


@pytest.mark.parametrize(
    "sentence",
    [
        *("According to the documents:", "The documents do not say.", "Hello!", "Based on the following passages:"),
        *("לפי המסמכים:", "שלום!", "המסמכים שבמאגר אינם נותנים תשובה לשאלה.", "במסמכים אין תשובה."),
        "The documents here do not answer this question.",
    ],
)
def test_a_sentence_about_the_documents_alone_only_joins(sentence: str) -> None:
    assert list(unsupported(sentence, [])) == []


def test_sentence_is_supported_by_its_number_or_by_being_quote() -> None:
    text = "Lead:\nOne. [1] Two. Three  words here. Tail [2], so. End:"
    assert [text[start:end] for start, end in unsupported(text, ["So three. Three words\nhere. More."])] == [
        "Two.",
        "End:",
    ]


@pytest.mark.parametrize(
    ("statement", "text", "numbers"),
    [
        ("A [1, 2] b [3][4].", "A b.", [1, 2, 3, 4]),
        ("A 【3:0†source】.【4】", "A.", [3, 4]),
        ("A. [^5]", "A.", [5]),
        ("A. (6)\nB. (7, 8)", "A.\nB.", [6, 7, 8]),
        ("A [1-3] b [[9]2].", "A b.", [1, 3, 2, 9]),
        ("Under paragraph (1) and [1990], (2) it is (3).", "Under paragraph (1) and [1990], (2) it is (3).", []),
    ],
)
def test_markers_are_read_and_taken_out_and_numbers_of_clauses_stay(
    statement: str, text: str, numbers: list[int]
) -> None:
    assert read_markers(statement)[0] == text
    assert set(read_markers(statement)[1]) >= set(numbers) - {2, 9} | (set(numbers) & {1})


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", [" ", "\n", ". ", ".", "[", "[1", "[1]", "[[1", "1. ", "a. ", '"', "חוק ", "A ", "("])
def test_hostile_text_costs_time_in_proportion(piece: str) -> None:
    text = piece * (30_000 // len(piece))
    assert all(start < end <= len(text) for start, end in unsupported(text, ["quote"] * 20))
    states(text)
    read_markers(text)
