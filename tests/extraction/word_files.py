"""Makes DOCX files for tests: any body, lists, styles and notes, written as WordprocessingML."""

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:a="urn:a" xmlns:c="urn:c" xmlns:dgm="urn:dgm" xmlns:m="urn:m" xmlns:wp="urn:wp"'
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


def relations(*of_parts: tuple[str, str, str]) -> str:
    """A part that says which parts another refers to: their ids, kinds and names."""
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    each = (f'<Relationship Id="{one}" Type="{base}/{kind}" Target="{name}"/>' for one, kind, name in of_parts)
    return f"<Relationships>{''.join(each)}</Relationships>"


def package(path: Path, parts: Mapping[str, str | bytes]) -> Path:
    """An archive of parts with these names."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def word_file(
    path: Path,
    body: str,
    related: Sequence[tuple[str, str, str]] = (),
    others: Mapping[str, str | bytes] | None = None,
    /,
    **parts: str,
) -> Path:
    """`parts` are the insides of numbering, styles, footnotes and the like. `others` are whole parts in `word/`.

    `related` are the ids, kinds and names of the parts that the body refers to.
    """
    roots = {name: name for name in ("numbering", "styles", "footnotes", "endnotes", "comments")}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", part("document", f"<w:body>{body}</w:body>"))
        for name, inside in parts.items():
            archive.writestr(f"word/{name}.xml", part(roots[name], inside))
        for name, content in (others or {}).items():
            archive.writestr(f"word/{name}", content)
        if related:
            archive.writestr("word/_rels/document.xml.rels", relations(*related))
    return path
