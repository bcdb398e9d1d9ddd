"""What all formats of bibliographies say of a place in a document, before it has one of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from keeping.exports.pieces import Footnote
from law.citations.titles import is_bill
from sources.kinds import SourceKind

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
        made.append(_entry(place, key=key, made_on=made_on))
    return made


def _entry(place: Footnote, *, key: str, made_on: date) -> Entry:
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
