"""What a language's laws and regulations are divided into, as their lines begin and end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class StatuteWords:
    """Patterns that respect case, unless said otherwise; an empty one is left out."""

    # A section's number at the start of a line
    section_words: str = ""  # `Section` in front of the number
    section_initials: str = ""  # letters that a line with such a number may begin with
    number_letters: str = ""  # behind the digits
    above_number: str = ""  # divisions printed inside the number: `Part 2.Chapter 1.6`
    number_suffix: str = ""  # words glued to a number: `1.2.Guidance`
    marginal_headings: bool = False  # whether laws print headings in the margin, which ends up in front of the number
    mentions: str = ""  # words that make a number behind them a reference
    title_start: str = ""  # the first letter of a section's title, where it is no capital
    clause_letters: str = ""  # in brackets, besides a to z and digits
    # Parts, chapters and schedules
    divisions: str = ""
    division_number: str = ""
    annexes: str = ""
    annex_gap: str = r"\s+"  # before the annex's number
    division_title: str = r"\S"  # how a title begins that follows the number without a sign
    division_initials: str = ""
    unnumbered_annexes: frozenset[str] = frozenset()  # annexes that may stand without a number
    division_mention: str = ""  # how a line goes on that only mentions a division
    contents: str = ""  # titles of a table of contents, ignoring case
    # Lines that go on, with their borders
    unfinished: str = ""  # at the end of a line that is no heading
    hanging: str = ""  # at the end of a line whose next line begins with a number that belongs to it; ignoring case
    inserts: str = ""  # before a quotation that is inserted into another law; ignoring case
