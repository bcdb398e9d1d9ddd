"""Exports for tests: made by hand, with Hebrew, English and what formats have to escape."""

import io
import subprocess
import zipfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pypdfium2
from lxml import etree

from extraction import libreoffice
from keeping.exports.pieces import (
    Caution,
    ComparedTexts,
    Export,
    Footnote,
    FootnoteMark,
    Heading,
    Mark,
    Paragraph,
    Piece,
    QuotedText,
    TextRun,
)
from law.languages import DEFAULT
from law.languages.scripts import main_language

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
DAY = date(2026, 11, 27)
LAW = Footnote(
    cited="סעיף 2 לחוק השאלת ספרים, התשפ״א–2021",
    address="https://kb.example/documents/12/#sec_2",
    title="חוק השאלת ספרים, התשפ״א–2021",
    identifier="ס״ח 2900",
    kind="law",
    number="2",
    page=3,
    published_at=date(2021, 1, 5),
    valid_from=date(2023, 1, 1),
    holds="בתוקף ב־27 בנובמבר 2026",
    quote="תושב זכאי לשאול תשעה ספרים בכל חודש.",
)
RULES = Footnote(
    cited="rule 4, Loans & Returns Rules {1990}_50%",
    address="https://kb.example/documents/13/?quote=a%20b#rule_4",
    title="Loans & Returns Rules {1990}_50%",
    identifier=r"B\7 ~ #3",
    kind="regulation",
    number="4",
    valid_to=date(2020, 1, 1),
    holds="superseded: not in force since 1 January 2020",
)
CASE = Footnote(
    cited="Reader v. Library", address="https://kb.example/documents/14/", title="Reader v. Library", kind="caselaw"
)


def export_of(title: str, *pieces: Piece) -> Export:
    return Export(title=title, pieces=pieces, language=main_language(title), made_on=DAY)


def hebrew() -> Export:
    """One of each piece, and a place that is cited twice."""
    return export_of(
        "כמה ספרים זכאי תושב לשאול?",
        Paragraph([TextRun("נשאל ב־27 בנובמבר 2026, בתחום ספריות.")]),
        Caution("Loans & Returns Rules {1990}_50%: not in force since 1 January 2020.", DEFAULT),
        Heading([TextRun("התשובה")]),
        Paragraph(
            [
                TextRun("תושב זכאי לשאול תשעה ספרים"),
                FootnoteMark(LAW),
                TextRun(" לפי Loans Act 1990 (סעיף 4)"),
                FootnoteMark(RULES),
                TextRun(", וראו שוב"),
                FootnoteMark(LAW),
                TextRun(". "),
                TextRun("כך נהוג.", Mark.UNSUPPORTED),
            ]
        ),
        QuotedText("2. זכות השאלה\n(א) תושב זכאי לשאול תשעה ספרים.", LAW),
        Heading([TextRun("2. השוואה")], level=2),
        ComparedTexts(
            [
                (
                    [TextRun("תושב זכאי לשאול "), TextRun("חמישה", Mark.REMOVED), TextRun(" ספרים.")],
                    [TextRun("תושב זכאי לשאול "), TextRun("תשעה", Mark.ADDED), TextRun(" ספרים.")],
                ),
                ([], [TextRun("הספרן ידווח.", Mark.ADDED)]),
            ]
        ),
        Paragraph([TextRun("A paragraph in English, with חוק in it and 5 < 6 & *stars* _lines_ [1].")]),
    )


def english() -> Export:
    return export_of(
        "What does a reader owe?",
        Paragraph(
            [TextRun("A reader owes a coin"), FootnoteMark(RULES), TextRun(" a day"), FootnoteMark(CASE), TextRun(".")]
        ),
        QuotedText("1. # Title\n- item\n3) more", CASE),
    )


def part(content: bytes, name: str) -> etree._Element:
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        return etree.fromstring(parts.read(f"word/{name}.xml"))


def footnotes(content: bytes) -> list[str]:
    """What the footnotes of a DOCX say, in order, without the separators."""
    notes = part(content, "footnotes").findall(f"{W}footnote")
    return ["".join(note.itertext()).strip() for note in notes if int(note.get(f"{W}id", "0")) > 0]


def text_of(content: bytes) -> str:
    """The paragraphs of a DOCX, those in tables too."""
    return "\n".join("".join(one.itertext()) for one in part(content, "document").iter(f"{W}p"))


def as_pdf(content: bytes, directory: Path, *, name: str) -> Path:
    """The DOCX as LibreOffice prints it."""
    word = directory / f"{name}.docx"
    word.write_bytes(content)
    command: Sequence[str] = [
        str(libreoffice.program()),
        f"-env:UserInstallation={(directory / 'profile').as_uri()}",
        *("--headless", "--norestore", "--nolockcheck", "--convert-to", "pdf", "--outdir", str(directory)),
    ]
    for _attempt in range(2):  # the first run of a new profile may only fill it
        if not word.with_suffix(".pdf").exists():
            subprocess.run([*command, str(word)], timeout=120, check=False, capture_output=True)
    return word.with_suffix(".pdf")


def pictures(pdf: Path) -> int:
    """The number of pages, of each of which a picture is put beside the PDF."""
    with pypdfium2.PdfDocument(pdf) as document:
        for number, page in enumerate(document, 1):
            page.render(scale=1.3).to_pil().save(pdf.with_name(f"{pdf.stem}-{number}.png"))
        return len(document)
