"""DOCX: notes are counted and marked as settings and sections say."""

from pathlib import Path

import pytest

from extraction import extract
from tests.extraction.word_files import paragraph, part, word_file

NOTES = "".join(
    f'<w:footnote w:id="{number}">{paragraph(text)}</w:footnote>' for number, text in enumerate("abcdef", 1)
)


def _marked(text: str, *notes: int, section: str = "") -> str:
    marks = "".join(f'<w:r><w:footnoteReference w:id="{number}"/></w:r>' for number in notes)
    properties = f"<w:sectPr><w:footnotePr>{section}</w:footnotePr></w:sectPr>" if section else ""
    return paragraph(text, runs=marks, properties=properties)


def _format(name: str) -> str:
    return f'<w:numFmt w:val="{name}"/>'


EACH_SECTION = '<w:numRestart w:val="eachSect"/>'


@pytest.mark.parametrize(
    ("format", "marks"),
    [
        ("lowerRoman", ["ⁱ", "ⁱⁱ", "ⁱⁱⁱ"]),
        ("upperLetter", ["ᴬ", "ᴮ", "^C"]),
        ("hebrew2", ["^א", "^ב", "^ג"]),
        ("chicago", ["*", "†", "‡"]),
    ],
)
def test_marks_are_written_as_the_section_says(tmp_path: Path, format: str, marks: list[str]) -> None:
    body = "".join(_marked("גשר", number) for number in (1, 2, 3))
    body += f"<w:sectPr><w:footnotePr>{_format(format)}</w:footnotePr></w:sectPr>"
    [page] = extract(word_file(tmp_path / "a.docx", body, footnotes=NOTES))
    written = zip(marks, "abc", strict=True)
    assert page.paragraphs == (*(f"גשר{mark}" for mark in marks), *(f"{mark} {text}" for mark, text in written))


@pytest.mark.parametrize(
    ("settings", "sections", "marks"),
    [
        ('<w:numStart w:val="7"/>', ("", ""), ["⁷", "⁸"]),
        ("", (EACH_SECTION, EACH_SECTION), ["¹", "¹"]),
        (EACH_SECTION, ("<w:pos/>", ""), ["¹", "¹"]),
        (_format("lowerLetter"), (_format("decimal"), ""), ["¹", "ᵇ"]),
    ],
)
def test_settings_hold_where_a_section_says_nothing(
    tmp_path: Path, settings: str, sections: tuple[str, str], marks: list[str]
) -> None:
    body = _marked("גשר", 1, section=sections[0]) + _marked("גשר", 2, section=sections[1])
    others = {"settings.xml": part("settings", f"<w:footnotePr>{settings}</w:footnotePr>")}
    [page] = extract(word_file(tmp_path / "a.docx", body, (), others, footnotes=NOTES))
    assert page.paragraphs[:2] == tuple(f"גשר{mark}" for mark in marks)


def test_damaged_settings_are_no_reason_to_refuse(tmp_path: Path) -> None:
    path = word_file(tmp_path / "a.docx", _marked("גשר", 1), (), {"settings.xml": "<torn"}, footnotes=NOTES)
    assert [text for page in extract(path) for text in page.paragraphs] == ["גשר¹", "¹ a"]
