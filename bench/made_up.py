"""Files for a batch, made up from a seed: documents of a few pages, copies of some, and files that are broken."""

from __future__ import annotations

import io
import random
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import docx
from fpdf import FPDF

from tests.extraction.pdf.making import FONT_PLACES, english_pdf, hebrew_pdf

SEED = 2031
FORMATS = ("txt", "docx", "pdf")
KINDS = ("law", "circular", "caselaw")
# Syllables that stemming leaves alone: no letters of Hebrew prefixes or endings, no English suffixes.
SYLLABLES = {
    True: ("גד", "זט", "צק", "רנ", "ספ", "דז", "קר", "טג", "פצ", "נס"),
    False: ("bo", "da", "ki", "lu", "mo", "ra", "zu", "va", "po", "gu"),
}
TITLES = {True: "חוק הנמלים והמחסנים", False: "Harbours and Warehouses Act"}
OWN = {True: "הוראה זו חלה על {}.", False: "This provision applies to {}."}
SENTENCES = {
    True: (
        "הרשם יתקן את הפנקס בתוך שלושים ימים מיום שהובאה לפניו הבקשה.",
        "בעל הרישיון ישלם את האגרה בכל שנה, ולא יאוחר מסוף חודש מרס.",
        "המפקח רשאי להיכנס למחסן בשעות העבודה ולבדוק את המשקולות.",
        "מי שנפגע מן ההחלטה רשאי לערור עליה לפני הוועדה.",
    ),
    False: (
        "The registrar shall correct the register within thirty days of the request.",
        "The holder of a licence shall pay the fee in each year before the end of March.",
        "An inspector may enter a warehouse during working hours and examine the weights.",
        "Whoever is aggrieved by the decision may bring it before the committee.",
    ),
}


@dataclass(frozen=True, slots=True)
class MadeFile:
    """One file to upload, and what should become of it.

    A good file has its `kind` and a `word` that is in no other file. A broken one has the `code` it is to fail or,
    if `refused`, to be turned away with. A copy names its original in `copy_of`.
    """

    name: str
    content: bytes
    kind: str = ""
    word: str = ""
    code: str = ""
    refused: bool = False
    copy_of: str = ""


def make_files(*, good: int, copies: int, seed: int = SEED) -> list[MadeFile]:
    """That many good files, the broken ones among them, and copies of the first good ones at the end."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="kb-made-up-") as directory:
        writer = _Writer(Path(directory))
        files = list(_good_files(good, writer=writer, chance=chance))
        originals = files[:copies]
        for broken in _broken_files(writer):
            files.insert(chance.randrange(len(files) + 1), broken)
    copied = [MadeFile(f"copy of {file.name}", file.content, copy_of=file.name) for file in originals]
    return files + copied


def _good_files(count: int, *, writer: _Writer, chance: random.Random) -> Iterator[MadeFile]:
    words = {hebrew: _unique_words(count, SYLLABLES[hebrew], chance) for hebrew in (True, False)}
    for number in range(count):
        kind, suffix = KINDS[number % 3], FORMATS[number // 3 % 3]
        hebrew = number // 9 % 2 == 0 and (suffix != "pdf" or writer.has_hebrew)
        word = words[hebrew][number]
        lines = _lines(word, hebrew=hebrew, chance=chance)
        yield MadeFile(f"{kind}-{number:03d}.{suffix}", writer.write(lines, suffix, hebrew=hebrew), kind, word)


def _unique_words(count: int, syllables: Sequence[str], chance: random.Random) -> list[str]:
    """Words of five syllables, no two alike, that no sentence here has."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choice(syllables) for _ in range(5))] = None
    return list(found)


def _lines(word: str, *, hebrew: bool, chance: random.Random) -> list[str]:
    """A title and up to 21 sections, of which one has the word."""
    sections = [
        " ".join(chance.choices(SENTENCES[hebrew], k=chance.randrange(2, 7))) for _ in range(chance.randrange(6, 22))
    ]
    special = chance.randrange(len(sections))
    sections[special] = f"{OWN[hebrew].format(word)} {sections[special]}"
    return [f"{TITLES[hebrew]} {word}", *(f"{number}. {text}" for number, text in enumerate(sections, 1))]


class _Writer:
    """Writes lines as a file of a format; PDFs pass through files in its directory."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "made.pdf"
        self.has_hebrew = any(Path(place).is_file() for place in FONT_PLACES)

    def write(self, lines: list[str], suffix: str, *, hebrew: bool) -> bytes:
        if suffix == "txt":
            return "\n".join(lines).encode()
        if suffix == "docx":
            return _as_docx(lines)
        return self.pdf(lines, hebrew=hebrew)

    def pdf(self, lines: list[str], *, hebrew: bool = False) -> bytes:
        write = hebrew_pdf if hebrew else english_pdf
        return write(self._path, lines).read_bytes()


def _as_docx(lines: list[str]) -> bytes:
    document = docx.Document()
    for line in lines:
        document.add_paragraph(line)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _broken_files(writer: _Writer) -> Iterator[MadeFile]:
    """Ten files, each broken in a way of its own."""
    lines = ["Harbour Act 2020", *("The harbour master keeps the register of berths." for _ in range(60))]
    whole_pdf, whole_docx = writer.pdf(lines), _as_docx(lines)
    program = b"MZ\x90\x00" + bytes(range(256)) * 20
    picture = b"GIF89a" + bytes(range(256)) * 4
    yield MadeFile("no bytes.pdf", b"", code="empty", refused=True)
    yield MadeFile("white space.txt", b" \n\t\n ", code="empty", refused=True)
    yield MadeFile("blank page.pdf", writer.pdf([""]), code="empty")
    yield MadeFile("cut off.pdf", whole_pdf[: len(whole_pdf) // 2], code="corrupt")
    yield MadeFile("noise.pdf", b"%PDF-1.7\n/Root" + bytes(range(256)) * 8, code="corrupt")
    yield MadeFile("password.pdf", _locked_pdf(lines), code="encrypted")
    yield MadeFile("cut off.docx", whole_docx[: len(whole_docx) // 2], code="corrupt", refused=True)
    yield MadeFile("bad markup.docx", _with_bad_markup(whole_docx), code="corrupt")
    yield MadeFile("program.pdf", program, code="unsupported_type", refused=True)
    yield MadeFile("picture.docx", picture, code="unsupported_type", refused=True)


def _locked_pdf(lines: list[str]) -> bytes:
    pdf = FPDF()
    pdf.set_encryption(owner_password="owner", user_password="reader")
    pdf.set_font("Helvetica", size=11)
    pdf.add_page()
    pdf.multi_cell(0, 6, "\n".join(lines))
    return bytes(pdf.output())


def _with_bad_markup(whole: bytes) -> bytes:
    """A Word file, as a zip in order, whose document is XML that ends too early."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, content[:400] if name == "word/document.xml" else content)
    return stream.getvalue()
