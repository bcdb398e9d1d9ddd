"""What of a passage's text is its number and headings, which are shown above it."""

import re
from itertools import takewhile

from search.results import SearchHit

_WORD = re.compile(r"\w+")
MAX_ABOVE = 5  # lines from the beginning in which a section's own heading is looked for


def heading_length(hit: SearchHit) -> int:
    """How much of the passage is its section's number and heading, and what it stands in."""
    above = {hit.heading, f"{hit.section} {hit.heading}", hit.section, *hit.path}
    names, lines = {_words(one) for one in above} - {""}, hit.text.splitlines(keepends=True)[:-1]
    above_it = len(list(takewhile(lambda line: _words(line) in names, lines)))
    # A heading between others may be no division. What stands before the section's own heading is not of the section.
    own = _words(f"{hit.section} {hit.heading}") if hit.section and hit.heading else ""
    above_it = max([above_it, *(at for at, line in enumerate(lines[:MAX_ABOVE], 1) if own and _words(line) == own)])
    length = sum(map(len, lines[:above_it]))
    number = re.compile(rf"{re.escape(hit.section)}(?:[.:)][\u00a0 ]*|[\u00a0 ]+)(?=[^\d\s])")
    printed = number.match(hit.text, length) if hit.section else None
    return printed.end() if printed else length


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
