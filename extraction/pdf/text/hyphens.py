"""Words that a line end broke."""

import re

from extraction.pdf.text.characters import SOFT_HYPHENS

LONGEST_WORD = 60
MAX_WORDS = 60_000  # remembered of one document

_WORD = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})*")
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


class Hyphenation:
    """Was the hyphen of a word broken at a line end there before ("climate-related") or made by the break?

    Learns the words of a document that stand inside lines, and decides by them.
    """

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._kept = 0
        self._dropped = 0

    def learn(self, text: str) -> None:
        if len(self._words) < MAX_WORDS:
            self._words.update(_WORD.findall(text.lower()))

    def join(self, first: str, second: str) -> str:
        """Two lines as one, where the first ends with the mark of a broken word."""
        start = first.rstrip("".join(SOFT_HYPHENS))
        keeps = self._keeps_hyphen(start, second)
        return f"{start}-{second}" if keeps else start + second

    def _keeps_hyphen(self, start: str, second: str) -> bool:
        left, right = _LAST_WORD.search(start[-LONGEST_WORD:]), _FIRST_WORD.match(second)
        if left is None or right is None or right.group()[0].isupper():
            return True
        halves = left.group().lower(), right.group().lower()
        if "-".join(halves) in self._words:
            self._kept += 1
            return True
        if "".join(halves) in self._words:
            self._dropped += 1
            return False
        return self._kept >= self._dropped
