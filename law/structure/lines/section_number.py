"""A section's number, and how a document marks its sections."""

import enum
from dataclasses import dataclass

from law.structure.lines.number_keys import Key


class Style(enum.StrEnum):
    """How a document marks its sections."""

    WORD = "word"  # Section 5, סעיף 5, § 5
    NUMBER = "number"  # 5. and 5.2.1, also 5.—(1)
    BRACKET = "bracket"  # 5)
    SQUARE = "square"  # [5]
    BARE = "bare"  # 5 Heading


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """A section number at the start of a line."""

    number: str  # as printed, without word and closing full stop
    key: Key
    style: Style
    rest: str  # what follows on the line
    clause: str = ""  # (2) in 1.2.1.(2)
    above: tuple[str, ...] = ()  # Part 2, Chapter 1 in Part 2.Chapter 1.6.
    prefix: str = ""  # A in A1.2.3
    heading: str = ""  # from the table cell before it, or the words before it on the line
    behind: bool = False  # there are such words, which might be the end of a sentence
    word: str = ""  # the first letter of the word before it: `Section`, `Sec.` and § are one form, `Article` is another
    is_text: bool = False  # nothing but a blank stands between such a word's number and a sentence

    @property
    def is_roman(self) -> bool:
        return self.style is Style.WORD and not self.prefix and self.number[0].isalpha()

    @property
    def is_coded(self) -> bool:
        """Whether it is that of a code: 64-01-05, 2:14."""
        return len(self.key) > 1 and self.number[:1].isdigit() and ("-" in self.number or ":" in self.number)

    @property
    def form(self) -> str:
        """What the numbers of a sequence have in common."""
        return self.style + self.word
