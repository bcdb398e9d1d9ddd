"""What of a passage's text is its number and headings, which are shown above it."""

import re

from search.results import SearchHit

_WORD = re.compile(r"\w+")


def heading_length(hit: SearchHit) -> int:
    """How much of the passage is its section's number and heading, and what it stands in."""
    above = {hit.heading, f"{hit.section} {hit.heading}", hit.section, *hit.path}
    length, names = 0, {_words(one) for one in above} - {""}
    for line in hit.text.splitlines(keepends=True)[:-1]:
        if _words(line) not in names:
            break
        length += len(line)
    number = re.compile(rf"{re.escape(hit.section)}(?:[.:)][\u00a0 ]*|[\u00a0 ]+)(?=[^\d\s])")
    printed = number.match(hit.text, length) if hit.section else None
    return printed.end() if printed else length


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
