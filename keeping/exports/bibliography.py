"""The places that a file cites, for programs that keep bibliographies: CSL-JSON, BibTeX and RIS."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from keeping.exports.pieces import Footnote
from law.citations.titles import is_bill
from sources.kinds import SourceKind

CSL_TYPE = "application/vnd.citationstyles.csl+json"
BIBTEX_TYPE = "application/x-bibtex"
RIS_TYPE = "application/x-research-info-systems"
_NOT_OF_KEYS = re.compile(r"[^A-Za-z0-9]+")


class EntryType(StrEnum):
    """What a document is, by its name in CSL."""

    LEGISLATION = "legislation"
    BILL = "bill"
    REGULATION = "regulation"
    CASE = "legal_case"
    DOCUMENT = "document"


_OF_KIND = {
    SourceKind.LAW: EntryType.LEGISLATION,
    SourceKind.REGULATION: EntryType.REGULATION,
    SourceKind.CIRCULAR: EntryType.REGULATION,
    SourceKind.CASELAW: EntryType.CASE,
}
_BIBTEX_TYPES = {EntryType.CASE: "jurisdiction", EntryType.DOCUMENT: "misc"}
_LANGUAGES = {"he": "hebrew", "en": "english"}
_ESCAPES = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_SPECIAL = re.compile(r"[#$%&_{}\\~^]")
_RIS_TYPES = {
    EntryType.LEGISLATION: "STAT",
    EntryType.BILL: "BILL",
    EntryType.REGULATION: "LEGAL",
    EntryType.CASE: "CASE",
    EntryType.DOCUMENT: "GEN",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """`key` is of small letters, digits and hyphens, and no other entry of the file has it. Texts have one line."""

    key: str
    type: EntryType
    title: str
    identifier: str
    number: str
    page: int | None
    issued: date | None
    accessed: date
    address: str
    language: str
    note: str


def entries(cited: Sequence[Footnote], *, made_on: date) -> list[Entry]:
    """An entry for each place, in their order."""
    made: list[Entry] = []
    taken: set[str] = set()
    for number, place in enumerate(cited, 1):
        key = _key(place)
        key = f"{key}-{number}" if key in taken else key
        taken.add(key)
        made.append(_entry_of(place, key=key, made_on=made_on))
    return made


def _entry_of(place: Footnote, *, key: str, made_on: date) -> Entry:
    title = _line(place.title or place.cited)
    return Entry(
        key=key,
        type=_type(place, title),
        title=title,
        identifier=_line(place.identifier),
        number=_line(place.number),
        page=place.page,
        issued=place.published_at or place.valid_from,
        accessed=made_on,
        address=place.address,
        language=place.language.code,
        note=_line("; ".join(filter(None, [place.cited, place.holds, place.quoted]))),
    )


def _type(place: Footnote, title: str) -> EntryType:
    found = _OF_KIND.get(SourceKind(place.kind)) if place.kind in SourceKind.values else None
    return EntryType.BILL if found is EntryType.LEGISLATION and is_bill(title) else found or EntryType.DOCUMENT


def _key(place: Footnote) -> str:
    """Made of the end of the address: the number of the document, and the provision."""
    name = _NOT_OF_KEYS.sub("-", place.address.partition("/documents/")[2].partition("quote=")[0])
    return f"kb-{name}".strip("-").lower()[:100]


def _line(text: str) -> str:
    return " ".join(text.split())


def as_csl(entries: Sequence[Entry]) -> str:
    """CSL-JSON, as Zotero, pandoc and citation processors read it (csl-data.json 1.0.2): an array of items.

    What is not known of one is left out.
    """
    return json.dumps([_csl_item(entry) for entry in entries], ensure_ascii=False, indent=1) + "\n"


def _csl_item(entry: Entry) -> dict[str, Any]:
    item = {
        "id": entry.key,
        "type": entry.type.value,
        "title": entry.title,
        "number": entry.identifier,
        "section": entry.number,
        "page": str(entry.page) if entry.page else "",
        "issued": _day(entry.issued),
        "accessed": _day(entry.accessed),
        "URL": entry.address,
        "language": entry.language,
        "note": entry.note,
    }
    return {name: value for name, value in item.items() if value}


def _day(day: date | None) -> dict[str, Any]:
    return {"date-parts": [[day.year, day.month, day.day]]} if day else {}


def as_bibtex(entries: Sequence[Entry]) -> str:
    """The types of biblatex for law, in UTF-8. A style that does not know them takes them for `misc`."""
    return "\n".join(map(_bibtex_entry, entries))


def _bibtex_entry(entry: Entry) -> str:
    fields = {
        "title": f"{{{_escaped(entry.title)}}}",  # braces keep its capitals
        "number": _escaped(entry.identifier),
        "pages": str(entry.page or ""),
        "date": entry.issued.isoformat() if entry.issued else "",
        "year": str(entry.issued.year) if entry.issued else "",
        "note": _escaped(entry.note),
        "url": quote(entry.address, safe=":/?#&=%~+,;@!$'()*-._[]"),
        "urldate": entry.accessed.isoformat(),
        "langid": _LANGUAGES.get(entry.language, ""),
    }
    said = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{_BIBTEX_TYPES.get(entry.type, 'legislation')}{{{entry.key},\n{said}\n}}\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)


def as_ris(entries: Sequence[Entry]) -> str:
    """A tag a line in UTF-8, as EndNote, Mendeley and Zotero read it.

    Lines end as the format asks for, and no value holds a line end.
    """
    return "\r\n".join(map(_ris_entry, entries))


def _ris_entry(entry: Entry) -> str:
    tags = [
        ("TY", _RIS_TYPES[entry.type]),
        ("ID", entry.key),
        ("TI", entry.title),
        ("M1", entry.identifier),
        ("SE", entry.number),
        ("SP", str(entry.page or "")),
        ("PY", f"{entry.issued:%Y}" if entry.issued else ""),
        ("DA", f"{entry.issued:%Y/%m/%d}" if entry.issued else ""),
        ("Y2", f"{entry.accessed:%Y/%m/%d}"),
        ("UR", entry.address),
        ("LA", entry.language),
        ("N1", entry.note),
        ("ER", ""),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in tags if value or tag == "ER")
