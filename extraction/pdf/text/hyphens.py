"""Words that a line end broke."""

import re

from extraction.text.characters import SOFT_HYPHENS

MAX_WORD_LENGTH = 60
MAX_WORDS = 60_000  # remembered of one document

MIN_BREAKS, TIMES_AS_MANY = 2, 3  # words broken at line ends, and of what compounds alone would give
# First halves of English compounds with which hardly any other word begins, and letters of a second half.
_OF_COMPOUNDS, _SECOND_HALF = frozenset(["non", "self", "quasi", "half", "well", "cross", "vice"]), 4
_HEBREW = re.compile("[א-ת]")  # whose words no program breaks
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
        self._lines = self._breaks = self._all_words = self._compounds = 0

    def learn(self, text: str) -> None:
        """Learn from the lines of a page."""
        words = _WORD.findall(text.lower())
        if len(self._words) < MAX_WORDS:
            self._words.update(words)
        lines = text.split("\n")
        self._lines += len(lines)
        self._breaks += sum(line.endswith(SOFT_HYPHENS) for line in lines)
        self._all_words += len(words)
        self._compounds += sum("-" in word for word in words)

    def join(self, first: str, second: str) -> str:
        """Two lines as one, where the first ends with the mark of a broken word."""
        start = first.rstrip("".join(SOFT_HYPHENS))
        keeps = self._keeps_hyphen(start, second)
        return f"{start}-{second}" if keeps else start + second

    def _keeps_hyphen(self, start: str, second: str) -> bool:
        left, right = _LAST_WORD.search(start[-MAX_WORD_LENGTH:]), _FIRST_WORD.match(second)
        if left is None or right is None or right.group()[0].isupper():
            return True
        halves = left.group().lower(), right.group().lower()
        if "-".join(halves) in self._words:
            self._kept += 1
            return True
        if "".join(halves) in self._words:
            self._dropped += 1
            return False
        if halves[0] in _OF_COMPOUNDS and len(halves[1]) >= _SECOND_HALF:
            return True
        if self._kept != self._dropped or _HEBREW.match(right.group()):
            return self._kept >= self._dropped
        return not self._breaks_words()

    def _breaks_words(self) -> bool:
        """Whether more lines end in a hyphen than would if all of these were those of compounds."""
        compounds = self._compounds / max(1, self._all_words)
        return self._breaks >= MIN_BREAKS and self._breaks > TIMES_AS_MANY * compounds * self._lines
