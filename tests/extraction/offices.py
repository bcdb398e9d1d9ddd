"""Makes files of the formats that offices have: ODT, RTF, mail, archives, and DOC where LibreOffice is installed."""

import subprocess
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from openpyxl import Workbook
from pptx import Presentation

from extraction import libreoffice

needs_libreoffice = pytest.mark.skipif(libreoffice.program() is None, reason="LibreOffice is not installed (soffice)")

ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "draw", "svg", "form", "xlink")
)
_RTF_HEAD = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset177 David;}}"


def odt_file(
    path: Path, body: str, *, styles: str = "", masters: str = "", manifest: str = "<manifest/>", **parts: str
) -> Path:
    """`body` is what stands in `office:text`, `styles` what in its automatic styles, `masters` what has its margins.

    `parts` are contents of embedded objects by name.
    """
    content = (
        f"<office:document-content {ODF}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
        master_styles = f"<office:master-styles>{masters}</office:master-styles>"
        archive.writestr("styles.xml", f"<office:document-styles {ODF}>{master_styles}</office:document-styles>")
        for name, inside in parts.items():
            archive.writestr(f"{name}/content.xml", inside)
        archive.writestr("META-INF/manifest.xml", manifest)
    return path


def rtf_file(path: Path, body: str) -> Path:
    """`body` with a font 0 that is Latin and a font 1 that is Hebrew. Its letters become bytes of windows-1255."""
    path.write_bytes(f"{_RTF_HEAD}{body}}}".encode("cp1255"))
    return path


def xlsx_file(path: Path, *rows: list[object]) -> Path:
    """A workbook of one sheet with those rows."""
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(path)
    return path


def pptx_file(path: Path, title: str, *lines: str) -> Path:
    """A presentation of one slide."""
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = title, "\n".join(lines)
    show.save(str(path))
    return path


def with_macros(path: Path) -> Path:
    """The workbook or presentation as one with macros, beside it."""
    made = path.with_suffix(f"{path.suffix[:-1]}m")
    plain, main = {".xlsx": ("spreadsheetml.sheet", "sheet"), ".pptx": ("presentationml.presentation", "presentation")}[
        path.suffix
    ]
    program = "excel" if main == "sheet" else "powerpoint"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(made, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "[Content_Types].xml":
                before = f"application/vnd.openxmlformats-officedocument.{plain}.main+xml"
                behind = f"application/vnd.ms-{program}.{main}.macroEnabled.main+xml"
                part = part.replace(before.encode(), behind.encode())
                assert behind.encode() in part
            target.writestr(name, part)
        target.writestr(f"{'xl' if main == 'sheet' else 'ppt'}/vbaProject.bin", b"\xd0\xcf\x11\xe0")
    return made


def mail(*attached: tuple[str, bytes], text: str = "מצורפים המסמכים.", html: str = "") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "דנה <dana@example.org>", "legal@example.org"
    message["Date"], message["Subject"] = "Mon, 05 May 2025 10:00:00 +0300", "נוהל אגרות הגשרים"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    for name, content in attached:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message


def zip_file(path: Path, **members: bytes | str) -> Path:
    """An archive of files by name; `__` stands for a slash, and the last `_` for the dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            folder, _, last = name.rpartition("__")
            archive.writestr(f"{folder.replace('__', '/')}/{'.'.join(last.rsplit('_', 1))}".lstrip("/"), content)
    return path


def as_doc(path: Path) -> Path:
    """The file as LibreOffice saves it in Word's old format, beside it."""
    return saved(path, path.parent, format="doc:MS Word 97")


def saved(path: Path, directory: Path, *, format: str) -> Path:
    """The file as LibreOffice saves it in another format."""
    program = libreoffice.program()
    assert program is not None
    profile = f"-env:UserInstallation={(directory / 'profile').as_uri()}"
    command = [program, profile, "--headless", "--convert-to", format, "--outdir", str(directory), str(path)]
    for _ in range(2):  # the first run fills the profile
        subprocess.run(command, check=False, capture_output=True, timeout=300)
    return directory / f"{path.stem}.{format.partition(':')[0]}"
