"""Verify evidence: its words must be on a page, where only white space may differ."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.classify.proposal import HeadPage, RawEvidence

SHORTEST_QUOTE = 2
LONGEST_QUOTE = 600
_SPACE = re.compile(r"\s+")


def verified(evidence: RawEvidence, pages: Sequence[HeadPage]) -> dict[str, int | str | None] | None:
    """`{page, quote}` with the words as printed; None when no page has them.

    A wrong page number is corrected when exactly one other page has the words.
    """
    words = evidence.quote.split()
    if len("".join(words)) < SHORTEST_QUOTE or len(evidence.quote) > LONGEST_QUOTE:
        return None
    named = [page for page in pages if page.number == evidence.page]
    others = [page for page in pages if page.number != evidence.page]
    for page in named:
        if quote := _as_it_stands(words, page.text):
            return {"page": page.number, "quote": quote}
    found = [(page.number, quote) for page in others if (quote := _as_it_stands(words, page.text))]
    return {"page": found[0][0], "quote": found[0][1]} if len(found) == 1 else None


def _as_it_stands(words: Sequence[str], text: str) -> str:
    """The passage that has these words in sequence, or an empty text."""
    normal = _SPACE.sub(" ", text)
    at = normal.find(" ".join(words))
    if at < 0:
        return ""
    # The n-th visible character of the normalised text is the n-th visible one of the original.
    first = sum(not character.isspace() for character in normal[:at])
    length = sum(len(word) for word in words)
    visible = [index for index, character in enumerate(text) if not character.isspace()]
    return text[visible[first] : visible[first + length - 1] + 1]
