"""Paragraphs of Word files that stand apart as quotations: by their style, or further in."""

from pathlib import Path

import pytest

from extraction import extract
from tests.extraction.word_files import paragraph, word_file

STYLES = """
<w:style w:type="paragraph" w:styleId="a1"><w:name w:val="Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="a2"><w:name w:val="Block Text"/></w:style>
<w:style w:type="paragraph" w:styleId="a3"><w:name w:val="Intense Quote"/></w:style>
<w:style w:type="paragraph" w:styleId="a4"><w:name w:val="Judgment"/><w:basedOn w:val="a1"/></w:style>
<w:style w:type="paragraph" w:styleId="a5"><w:name w:val="Inset"/><w:pPr><w:ind w:start="720"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="a6"><w:name w:val="Inset 2"/><w:basedOn w:val="a5"/></w:style>
<w:style w:type="paragraph" w:styleId="a7"><w:name w:val="Flush"/><w:basedOn w:val="a5"/>
  <w:pPr><w:ind w:start="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="a8"><w:name w:val="Body Text"/><w:basedOn w:val="a8"/></w:style>
"""


@pytest.mark.parametrize(
    ("properties", "is_apart"),
    [
        ('<w:pStyle w:val="a1"/>', True),
        ('<w:pStyle w:val="a2"/>', True),
        ('<w:pStyle w:val="a3"/>', True),
        ('<w:pStyle w:val="a4"/>', True),  # by the style that it is based on
        ('<w:pStyle w:val="a5"/>', True),
        ('<w:pStyle w:val="a6"/>', True),
        ('<w:pStyle w:val="a7"/>', False),
        ('<w:pStyle w:val="a8"/>', False),
        ('<w:pStyle w:val="a5"/><w:ind w:left="0"/>', False),
        ('<w:ind w:left="720"/>', True),
        ('<w:ind w:start="720"/>', True),
        ('<w:ind w:left="200"/>', False),
        ('<w:ind w:left="720" w:hanging="360"/>', False),
        ('<w:ind w:firstLine="720"/>', False),
        ("", False),
    ],
)
def test_what_stands_apart(tmp_path: Path, properties: str, is_apart: bool) -> None:
    said = paragraph("The pier is closed at night.")
    apart = paragraph("Whoever moors a boat pays.", properties=properties)
    [page] = extract(word_file(tmp_path / "file.docx", said + apart + said, styles=STYLES))
    assert page.set_apart == ((1,) if is_apart else ())
    assert len(page.paragraphs) == 3
