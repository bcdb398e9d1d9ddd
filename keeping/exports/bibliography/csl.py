"""CSL-JSON, as Zotero, pandoc and citation processors read it (csl-data.json 1.0.2)."""

import json
from collections.abc import Sequence
from datetime import date
from typing import Any

from keeping.exports.bibliography.entries import Entry

TYPE = "application/vnd.citationstyles.csl+json"


def as_csl(entries: Sequence[Entry]) -> str:
    """An array of items. What is not known of one is left out."""
    return json.dumps([_item(entry) for entry in entries], ensure_ascii=False, indent=1) + "\n"


def _item(entry: Entry) -> dict[str, Any]:
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
