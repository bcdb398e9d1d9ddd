"""Numbers of lines in the margin."""

from pathlib import Path

import pytest
from fpdf import FPDF

from extraction.pdf.layout.margins import without_line_numbers
from extraction.pdf.reader import read_pdf
from tests.extraction.pdf.making import text_line

PROSE = (
    "The keeper of the lock lets each boat through in the order in which it has come, unless the water is low, and "
    "then the boats that carry food go first, after them those that carry coal, and in the end all others. "
)


def lines_of(text: str, width: int = 60) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


@pytest.mark.parametrize("numbers_first", [False, True])
@pytest.mark.parametrize("first", [1, 38])
def test_they_are_left_out_of_sentences(tmp_path: Path, numbers_first: bool, first: int) -> None:
    lines = lines_of(PROSE * 4)
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=11)
    draws = [(15, str(first + n), n) for n in range(len(lines))], [(30, line, n) for n, line in enumerate(lines)]
    both = [*draws[0], *draws[1]] if numbers_first else [one for pair in zip(*draws, strict=True) for one in pair]
    for x, text, n in both:
        pdf.text(x, 40 + 6 * n, text)
    pdf.output(str(tmp_path / "a.pdf"))
    (page,) = read_pdf(tmp_path / "a.pdf", max_pages=1)
    assert " ".join(page.text.split()) == (PROSE * 4).strip()


@pytest.mark.parametrize(
    "texts",
    [
        [f"{n} Boats of more than {n * 10} tons, if they carry coal or ore" for n in range(1, 20)],  # a list
        [f"{n} rope{'s' * (n * 7 % 40)}" for n in range(1, 20)],
        [f"{n}. the keeper lets each boat through in the order in which" for n in range(1, 20)],
        [f"{n * n} the keeper lets each boat through in the order in which" for n in range(1, 20)],
        [f"{n} the keeper lets each boat through in the order in which" for n in range(1, 8)],
        [str(n) for n in range(1, 20)],
    ],
)
def test_numbers_of_lists_and_tables_are_text(texts: list[str]) -> None:
    lines = [text_line(text, baseline=700 - 14 * n) for n, text in enumerate(texts)]
    assert without_line_numbers(lines) == lines
