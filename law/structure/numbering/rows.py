"""Lines with numbers that begin no section: rows of tables, of lists and of tables of contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.number_keys import SectionNumber, Style, as_fraction
from law.structure.lines.numbers import VERB, read_label
from law.structure.lines.word_numbers import IS_REPEALED
from law.structure.numbering.candidates import NumberCandidate, heads_section

ENTRY_WORDS = 4  # of a line of a table of contents that tell it from others
NEAR_ENTRY = 2  # lines, between which a chapter may be named
MAX_ENTRY_LENGTH = 200  # characters of a line of a table of contents
LIKE = 20  # characters that two entries of one number share, which is printed twice
MIN_ROWS = 2
MIN_ENTRIES = 3  # of a table, behind which those on the next lines are of it too
CONTENTS, ROW, TABLE = -4.0, -2.0, -4.0  # points, as those of `candidates`
_WORD = regex(r"\w+")
# What stands over the columns of a table: `No. Matter Fee`
_COLUMNS = regex(rf"{either(language.statutes.row_heads for language in LANGUAGES)}(?:\s[^\W\d_][\w'’()/-]*){{1,12}}")


def weigh_rows(candidates: Iterable[NumberCandidate], texts: Sequence[str]) -> None:
    """Lines from number 1 on right below the names of columns are the rows of that table."""
    rows: list[NumberCandidate] = []
    for one in candidates:
        if one.place and one.label.number == "1" and _COLUMNS.fullmatch(texts[one.place - 1]):
            rows = [one]
        elif rows and one.place == rows[-1].place + 1 and one.label.number == str(len(rows) + 1):
            rows.append(one)
            for row in rows if len(rows) == MIN_ROWS else rows[-1:]:
                row.reasons.append(("row of a table", TABLE))
        else:
            rows = []


def weigh_contents(candidates: Sequence[NumberCandidate], texts: Sequence[str]) -> set[int]:
    """Lines right beside one another, whose numbers and headings come again later, are a table of contents.

    Where nothing but the number is printed before their words, they are rows of a list in any case. Returns the places
    of the lines of tables.
    """
    later: dict[str, list[str]] = {}  # what stands behind each number
    places = set()
    repealed = {one.place for one in candidates if IS_REPEALED.match(one.label.rest)}
    taken = {one.place for one in candidates} - repealed
    for one in reversed(candidates):
        beside = not one.label.clause and not taken.isdisjoint({one.place - 1, one.place + 1})
        words = one.label.rest or one.following
        is_sentence = one.label.rest.endswith(".") and VERB.search(one.label.rest) is not None
        if beside and one.label.style is Style.BARE and one.place not in repealed and not is_sentence:
            one.reasons.append(("row of a list", ROW))
        known = later.setdefault(one.label.number, [])
        if beside and known and len(one.label.rest) <= MAX_ENTRY_LENGTH and _is_entry(words, known):
            one.reasons.append(("contents", CONTENTS))
            places.add(one.place)
        elif not one.label.clause:
            known.extend((words, one.label.heading) if one.label.heading else (words,))
            known.extend(texts[title] for title in one.titles)
    _weigh_first_entries(candidates, places)
    _weigh_last_entries(candidates, places)
    return places


def _weigh_last_entries(candidates: Sequence[NumberCandidate], places: set[int]) -> None:
    """The lines at the end of a table of which the text has only the first."""
    entries = 0  # on the lines before, with going numbers
    for before, one in pairwise(candidates):
        entries += before.place in places
        if not _goes_on(before.label, one.label) or one.place - before.place - 1 > len(one.titles) or one.label.clause:
            entries = 0
        elif one.place not in places and entries >= MIN_ENTRIES and _has_no_text(one):
            one.reasons.append(("contents", CONTENTS))
            places.add(one.place)


def _has_no_text(one: NumberCandidate) -> bool:
    goes_on = read_label(one.following) is not None or heads_section(one.following)
    return goes_on and len(one.label.rest) <= 2 * MAX_ENTRY_LENGTH


def _goes_on(before: SectionNumber, after: SectionNumber) -> bool:
    one, other = as_fraction(before.number, before.key), as_fraction(after.number, after.key)
    is_again = before.key == after.key and before.rest[:LIKE] == after.rest[:LIKE]
    rises = before.key < after.key or is_again or (one is not None and other is not None and one < other)
    return before.form == after.form and rises


def _weigh_first_entries(candidates: Sequence[NumberCandidate], places: set[int]) -> None:
    """The lines of a table that stands in a section, of that section itself and those before it."""
    earlier: dict[str, list[str]] = {}
    forms = {one.place: one.label.form for one in candidates if one.place in places}
    for one in candidates:
        words = one.label.rest or one.following
        near = any(forms.get(one.place + further) == one.label.form for further in range(1, NEAR_ENTRY + 1))
        if one.place not in forms and near and _is_entry(words, earlier.get(one.label.number, ())):
            one.reasons.append(("contents", CONTENTS))
            places.add(one.place)
        earlier.setdefault(one.label.number, []).append(words)


def _is_entry(text: str, later: Sequence[str]) -> bool:
    """Whether a later text begins with its words, but for the number of a page."""
    words = _WORD.findall(text.casefold())
    entries = [words[:ENTRY_WORDS], *([words[:-1][:ENTRY_WORDS]] if words and words[-1].isdecimal() else [])]
    known = [_WORD.findall(one.casefold())[:ENTRY_WORDS] for one in later]
    return any(one[: len(entry)] == entry for entry in entries if entry for one in known)
