"""Digits above and below the line stay apart from the number before them, in every format."""

from collections.abc import Callable
from pathlib import Path

import pytest

from extraction import extract
from extraction.raised import Apart, Lowered, Raised, joined
from tests.extraction.offices import odt_file, rtf_file

Write = Callable[[Path], Path]


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        (["כלל 7", Raised("3"), " חל"], "כלל 7³ חל"),
        (["1999", Raised("1"), Raised("2")], "1999¹²"),
        (["10", Raised("-6"), " מ", Raised("2")], "10⁻⁶ מ²"),
        (["rule 5", Raised("[4]"), Raised(", 6")], "rule 5[⁴], ⁶"),
        (["the 4", Raised("th"), " bridge"], "the 4th bridge"),
        ([Raised("small print on 12 bridges")], "small print on 12 bridges"),
        (["1", Raised("1"), "/", Lowered("2"), " years"], "1¹/₂ years"),
        (["H", Lowered("2"), "O, base 10", Lowered("2")], "H2O, base 10₂"),
        (["3", Apart("1/2"), " per cent"], "3 1/2 per cent"),
    ],
)
def test_a_line_is_put_together(pieces: list[str], line: str) -> None:
    assert joined(pieces) == line


def _odt(directory: Path) -> Path:
    styles = (
        '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="33% 58%"/>'
        '</style:style><style:style style:name="T1" style:family="text" style:parent-style-name="Up"/>'
    )
    body = '<text:p>Bridge 7<text:span text:style-name="T1">3</text:span> opens</text:p>'
    return odt_file(directory / "a.odt", body, styles=styles)


def _rtf(directory: Path) -> Path:
    return rtf_file(directory / "a.rtf", r"Bridge 7\super 3\nosupersub  opens\par")


def _html(markup: str) -> Write:
    def write(directory: Path) -> Path:
        path = directory / "a.html"
        path.write_text(f"<html><body><p>Bridge 7{markup} opens</p></body></html>")
        return path

    return write


def _akn(directory: Path) -> Path:
    path = directory / "a.xml"
    path.write_text("<akomaNtoso><act><body><p>Bridge 7<sup>3</sup> opens</p></body></act></akomaNtoso>")
    return path


@pytest.mark.parametrize(
    "write",
    [
        _odt,
        _rtf,
        _akn,
        _html("<sup>3</sup>"),
        _html('<span style="vertical-align: super">3</span>'),
        _html('<span style="position:relative;top:-4.0pt;mso-text-raise:4.0pt">3</span>'),
        _html("<style>.mark{color:red;vertical-align:super}</style><a class='mark'>3</a>"),
        _html("<span class='note-super'>3</span>"),
    ],
)
def test_raised_digits_of_every_format_stay_raised(tmp_path: Path, write: Write) -> None:
    [page] = extract(write(tmp_path))
    assert page.paragraphs == ("Bridge 7³ opens",)
