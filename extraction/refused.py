"""What files are that no reader takes, by how they begin or what is in them, and what to do with them."""

from collections.abc import Collection

RTF = b"{\\rtf"
TEXTS = (
    (b"%!PS", "a PostScript file"),
    (RTF, "an RTF file that was saved as a text file in Unicode"),  # an RTF file itself is known by then
)
BINARIES = (
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a program"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a media file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x78\x9f\x3e\x22", "what Outlook packs text and attachments into for itself (winmail.dat)"),
)
# A stream by whose name the old file of a program is known.
OLD_OFFICE = (
    ("Workbook", "an old Excel workbook (.xls). Save it as XLSX"),
    ("Book", "an old Excel workbook (.xls). Save it as XLSX"),
    ("PowerPoint Document", "an old PowerPoint presentation (.ppt). Save it as PPTX"),
)
# XML by an address in its outermost element.
XML = (
    (
        "www.legislation.gov.uk/namespaces/legislation",
        "This is XML of legislation.gov.uk. Upload what is there as Akoma Ntoso instead (data.akn).",
    ),
    (
        "formex.publications.europa.eu",
        "This is XML of EUR-Lex (Formex). Upload what is there as HTML or PDF instead.",
    ),
)
ARCHIVES = {
    "xlsb": "This is a binary Excel workbook (.xlsb). Save it as XLSX and upload it again.",
    "epub": "This is an electronic book (EPUB). Save it as PDF and upload it again.",
    "apple": (
        "This is a file of Apple's Pages, Numbers or Keynote. Export it as DOCX, XLSX, PPTX or PDF and upload that."
    ),
    "xps": "This is an XPS document. Print it to PDF and upload it again.",
    "visio": "This is a Visio drawing. Save it as PDF and upload it again.",
}


def archive(names: Collection[str], mimetype: bytes) -> str:
    """What an archive is that is no document and holds none, as sentences. "" for any other. `names` are small."""
    signs = {
        "xlsb": "xl/workbook.bin" in names,
        "epub": mimetype.startswith(b"application/epub"),
        "apple": "index.apxl" in names or any(name.endswith(".iwa") for name in names),
        "xps": any(name.endswith(".fdseq") for name in names),
        "visio": any(name.startswith("visio/") for name in names),
    }
    return next((ARCHIVES[kind] for kind, found in signs.items() if found), "")
