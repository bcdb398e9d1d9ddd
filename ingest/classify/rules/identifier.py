"""The number that a document bears: of the circular, the gazette, the form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.classify.rules.lines import Line, begins_section, is_furniture, is_heading_word
from ingest.classify.rules.title import FieldValue
from kb_project.languages import LANGUAGES

LOOKED_AT = 12  # lines: further down, numbers are those of other documents
LONGEST_LINE = 300
LATEST_START = 25  # characters into a line: behind more words than these, a number is spoken of, not borne
_CITING = frozenset(word for language in LANGUAGES for word in language.documents.citing_words)


def find_identifier(lines: Sequence[Line], title: FieldValue | None) -> FieldValue | None:
    """The document's own number, from its head or its title; a number in running text is another document's."""
    for line in lines[:LOOKED_AT]:
        if begins_section(line.text) or is_heading_word(line.text):
            return None  # the text has begun
        own = is_furniture(line.text) or (title is not None and line.text in title.quote)
        if not own and ("\t" in line.text or len(line.text) > LONGEST_LINE):
            continue
        for pattern in line.language.documents.numbers:
            match = pattern.search(line.text)
            if match and (own or _is_borne(line.text, match)):
                return FieldValue(match["number"].rstrip(".,-/"), match[0], line.page)
    return None


def _is_borne(text: str, match: re.Match[str]) -> bool:
    """Whether a number in a longer line is the document's: near its beginning, or announced by a colon."""
    before = text[: match.start()].rstrip()
    if before.rpartition(" ")[2].lower() in _CITING:
        return False
    return len(before) <= LATEST_START or (before.endswith(".") and ":" in match[0])
