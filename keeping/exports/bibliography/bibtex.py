"""BibTeX with the types of biblatex for law. A style that does not know them takes them for `misc`."""

import re
from collections.abc import Sequence
from urllib.parse import quote

from keeping.exports.bibliography.entries import Entry, EntryType

TYPE = "application/x-bibtex"
_TYPES = {EntryType.CASE: "jurisdiction", EntryType.DOCUMENT: "misc"}
_LANGUAGES = {"he": "hebrew", "en": "english"}
_ESCAPES = {
    **{char: f"\\{char}" for char in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_SPECIAL = re.compile(r"[#$%&_{}\\~^]")


def as_bibtex(entries: Sequence[Entry]) -> str:
    """The entries, in UTF-8."""
    return "\n".join(map(_entry, entries))


def _entry(entry: Entry) -> str:
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
    return f"@{_TYPES.get(entry.type, 'legislation')}{{{entry.key},\n{said}\n}}\n"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)
