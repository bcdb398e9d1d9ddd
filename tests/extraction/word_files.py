"""Makes DOCX files for tests: any body, lists, styles and notes, written as WordprocessingML."""

import zipfile
from pathlib import Path

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)


def part(root: str, inside: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {NAMESPACES}>{inside}</w:{root}>'


def paragraph(text: str = "", *, properties: str = "", runs: str = "") -> str:
    run = f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>' if text else ""
    return f"<w:p><w:pPr>{properties}</w:pPr>{run}{runs}</w:p>"


def numbered(text: str, list_id: int, level: int = 0) -> str:
    return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def level(index: int, format: str, template: str, *, start: int = 1, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{format}"/>{more}'
        f'<w:lvlText w:val="{template}"/></w:lvl>'
    )


def abstract_list(list_id: int, *levels: str, more: str = "") -> str:
    return f'<w:abstractNum w:abstractNumId="{list_id}">{more}{"".join(levels)}</w:abstractNum>'


def list_of(list_id: int, abstract_id: int, more: str = "") -> str:
    return f'<w:num w:numId="{list_id}"><w:abstractNumId w:val="{abstract_id}"/>{more}</w:num>'


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{cell}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def word_file(path: Path, body: str, **parts: str) -> Path:
    """`parts` are the insides of numbering, styles, footnotes and the like."""
    roots = {"numbering": "numbering", "styles": "styles", "footnotes": "footnotes", "endnotes": "endnotes"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", part("document", f"<w:body>{body}</w:body>"))
        for name, inside in parts.items():
            archive.writestr(f"word/{name}.xml", part(roots[name], inside))
    return path
