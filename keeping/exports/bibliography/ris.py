"""RIS, as EndNote, Mendeley and Zotero read it: a tag a line, in UTF-8."""

from collections.abc import Sequence

from keeping.exports.bibliography.entries import Entry, EntryType

TYPE = "application/x-research-info-systems"
_TYPES = {
    EntryType.LEGISLATION: "STAT",
    EntryType.BILL: "BILL",
    EntryType.REGULATION: "LEGAL",
    EntryType.CASE: "CASE",
    EntryType.DOCUMENT: "GEN",
}


def as_ris(entries: Sequence[Entry]) -> str:
    """The entries. Lines end as the format asks for, and no value holds a line end."""
    return "\r\n".join(map(_entry, entries))


def _entry(entry: Entry) -> str:
    tags = [
        ("TY", _TYPES[entry.type]),
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
