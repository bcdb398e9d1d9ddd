"""Digits and letters above and below the line stay apart from the number before them, in every format."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from extraction import extract
from extraction.text.raised import Apart, Lowered, Raised, joined
from tests.extraction.offices import odt_file, rtf_file
from tests.extraction.word_files import paragraph, word_file

Write = Callable[[Path], Path]


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        (["כלל 7", Raised("3"), " חל"], "כלל 7³ חל"),
        (["1999", Raised("1"), Raised("2")], "1999¹²"),
        (["10", Raised("-6"), " מ", Raised("2")], "10⁻⁶ מ²"),
        (["rule 5", Raised("[4]"), Raised(", 6")], "rule 5[⁴], ⁶"),
        (["the 4", Raised("th"), " bridge"], "the 4th bridge"),
        (["rule 5", Raised("a"), ", 6", Raised("(b), c")], "rule 5ᵃ, 6(ᵇ), ᶜ"),
        (["rule 5", Raised("C"), " and כלל 5", Raised("(א)")], "rule 5^C and כלל 5^(א)"),
        (["fee", Raised("a"), " of M", Raised("c"), "Nab"], "feeᵃ of McNab"),
        (["base 5", Lowered("b")], "base 5_b"),
        ([Raised("small print on 12 bridges")], "small print on 12 bridges"),
        (["1", Raised("1"), "/", Lowered("2"), " years"], "1¹/₂ years"),
        (["H", Lowered("2"), "O, base 10", Lowered("2")], "H2O, base 10₂"),
        (["3", Apart("1/2"), " per cent"], "3 1/2 per cent"),
    ],
)
def test_a_line_is_put_together(pieces: list[str], line: str) -> None:
    assert joined(pieces) == line


def _odt(mark: str) -> Write:
    styles = (
        '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="33% 58%"/>'
        '</style:style><style:style style:name="T1" style:family="text" style:parent-style-name="Up"/>'
    )
    body = f'<text:p>Bridge 7<text:span text:style-name="T1">{mark}</text:span> opens</text:p>'
    return lambda directory: odt_file(directory / "a.odt", body, styles=styles)


def _rtf(mark: str) -> Write:
    return lambda directory: rtf_file(directory / "a.rtf", rf"Bridge 7\super {mark}\nosupersub  opens\par")


def _docx(mark: str) -> Write:
    properties = ("", '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>', "")
    pieces = zip(properties, ("Bridge 7", mark, " opens"), strict=True)
    runs = "".join(f'<w:r>{one}<w:t xml:space="preserve">{text}</w:t></w:r>' for one, text in pieces)
    return lambda directory: word_file(directory / "a.docx", paragraph(runs=runs))


def _html(markup: str) -> Callable[[str], Write]:
    def write(mark: str, directory: Path) -> Path:
        path = directory / "a.html"
        path.write_text(f"<html><body><p>Bridge 7{markup.format(mark)} opens</p></body></html>")
        return path

    return lambda mark: partial(write, mark)


def _akn(mark: str) -> Write:
    def write(directory: Path) -> Path:
        path = directory / "a.xml"
        path.write_text(f"<akomaNtoso><act><body><p>Bridge 7<sup>{mark}</sup> opens</p></body></act></akomaNtoso>")
        return path

    return write


@pytest.mark.parametrize(("mark", "small"), [("3", "³"), ("c", "ᶜ")])
@pytest.mark.parametrize(
    "made",
    [
        _odt,
        _rtf,
        _docx,
        _akn,
        _html("<sup>{}</sup>"),
        _html('<span style="vertical-align: super">{}</span>'),
        _html('<span style="position:relative;top:-4.0pt;mso-text-raise:4.0pt">{}</span>'),
        _html("<style>.mark{{color:red;vertical-align:super}}</style><a class='mark'>{}</a>"),
        _html("<span class='note-super'>{}</span>"),
    ],
)
def test_raised_digits_and_letters_of_every_format_stay_raised(
    tmp_path: Path, made: Callable[[str], Write], mark: str, small: str
) -> None:
    [page] = extract(made(mark)(tmp_path))
    assert page.paragraphs == (f"Bridge 7{small} opens",)
