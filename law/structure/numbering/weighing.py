"""What the lines around a candidate say of it: of another act, a paragraph of the section above, a row, contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.number_keys import Key, SectionNumber, Style, as_fraction, is_below, step
from law.structure.lines.numbers import VERB, read_label
from law.structure.lines.word_numbers import IS_REPEALED
from law.structure.numbering.candidates import FORM, Border, NumberCandidate, Scan, heads_section

# Points, as those of `candidates`
INSERTED = "text of another act"
OTHER_ACT, INSIDE = -3.0, -4.0
MIN_DIVIDED = 2  # sections named by a word, whose paragraphs have numbers
NEAR = 2  # lines, between which a blank one or a title may stand
MIN_CODED = 3  # sections of a code
ENTRY_WORDS = 4  # of a line of a table of contents that tell it from others
NEAR_ENTRY = 2  # lines, between which a chapter may be named
MAX_ENTRY_LENGTH = 200  # characters of a line of a table of contents
LIKE = 20  # characters that two entries of one number share, which is printed twice
MIN_ROWS = 2
MIN_ENTRIES = 3  # of a table, behind which those on the next lines are of it too
CONTENTS, ROW, TABLE = -4.0, -2.0, -4.0  # points
_WORD = regex(r"\w+")
# What stands over the columns of a table: `No. Matter Fee`
_COLUMNS = regex(rf"{either(language.statutes.row_heads for language in LANGUAGES)}(?:\s[^\W\d_][\w'’()/-]*){{1,12}}")


def weigh(found: Scan, texts: Sequence[str], *, statutory: bool) -> None:
    """Give each candidate the reasons that its neighbours are, and leave out borders that are none."""
    if statutory:
        _weigh_insertions(found.candidates)
        _weigh_paragraphs(found)
        _weigh_lists(found)
        found.borders = list(_not_inserted(found))
    _join_headings(found.candidates)
    places = _weigh_contents(found.candidates, texts)
    amid = {border.place for border in found.borders if {border.place - 1, border.place + 1} <= places}
    found.quoted |= amid
    found.borders = [border for border in found.borders if border.place not in amid]
    found.borders = _without_own_number(found)
    annex = next((border.place for border in found.borders if border.division.annex), len(texts))
    _weigh_rows((one for one in found.candidates if one.place < annex), texts)
    for one in found.candidates:
        one.weight = sum(points for _, points in one.reasons)


def _weigh_insertions(candidates: Sequence[NumberCandidate]) -> None:
    """What is led in and does not go on from the number before is of another act, with all that goes on from it."""
    last: Key = ()
    inserted: Key = ()
    for one in candidates:
        key = one.label.key
        goes_on = len(last) == len(key) and step(last, key) == 1
        is_beside = bool(inserted) and len(key) > 1 and key[0] == inserted[0] and not goes_on  # 38.21 behind 38.2
        if (inserted and one.label.rest and (is_beside or step(inserted, key) == 1)) or (
            one.is_led_in and key[0][0] != 1 and not goes_on
        ):
            one.reasons.append((INSERTED, OTHER_ACT))
            inserted = key
        else:
            last, inserted = key, ()


def _weigh_paragraphs(found: Scan) -> None:
    """Numbers below `Article 5` that begin anew or go on with it, as `5.1`, are of its paragraphs."""
    annex = next((border.place for border in found.borders if border.division.annex), None)
    body = [one for one in found.candidates if annex is None or one.place < annex]
    named = [one for one in body if one.label.style is Style.WORD and not one.label.is_text]
    divided = [
        one
        for one, below in pairwise(body)
        if one.label.style is Style.WORD
        and below.label.style is Style.NUMBER
        and (is_below(one.label.key, below.label.key) or below.label.number == "1")
    ]
    if len(divided) < max(MIN_DIVIDED, len(named) / 2):
        return
    for one in body[body.index(divided[0]) :]:
        if one.label.style is Style.NUMBER:
            one.reasons.append(("a paragraph of the section above", INSIDE))


def _weigh_lists(found: Scan) -> None:
    """Below the numbers of a code, such as 64-01-05, whole numbers are those of lists."""
    coded = [one for one in found.candidates if one.label.is_coded and one.is_evident]
    if len(coded) < MIN_CODED:
        return
    for one in found.candidates:
        if one.place > coded[0].place and len(one.label.key) == 1 and one.label.style is not Style.WORD:
            one.reasons.append(("of a list in the section above", INSIDE))


def _not_inserted(found: Scan) -> Iterator[Border]:
    """The borders, without those of parts that are inserted into another act."""
    after = iter(found.candidates)
    one = next(after, None)
    for border in found.borders:
        while one and one.place < border.place:
            one = next(after, None)
        if one is None or (INSERTED, OTHER_ACT) not in one.reasons:
            yield border


def _without_own_number(found: Scan) -> list[Border]:
    """The borders, without the line `CHAPTER 395` that says which chapter of the country's laws the act is."""
    chapters = [border.division for border in found.borders if border.division.unit == "chp"]
    first = next((one for one in found.candidates if one.place not in found.quoted), None)
    own = found.borders[0] if found.borders else None
    is_own = (
        own is not None and first is not None and own.place < first.place and first.label.number == "1"
        and own.division.unit == "chp" and own.division.number.isdecimal() and own.division.number != "1"
        and all(chapter.number == own.division.number for chapter in chapters)
    )  # fmt: skip
    return [border for border in found.borders if not is_own or border.division.unit != "chp"]


def _join_headings(candidates: Sequence[NumberCandidate]) -> None:
    """`1 Introduction` right above `1.1 Dogs are …` is of the form of that, and `2 Scope` that goes on with it."""
    last = ""  # number of the last of these headings
    for one, below in pairwise([*candidates, *candidates[-1:]]):
        heads = one.label.style is Style.BARE and one.is_headed and below.label.style is Style.NUMBER
        heads = heads and below.place - one.place <= NEAR
        if heads and below.label.key[:-1] == one.label.key and below.label.key[-1][0] <= 1:
            before = [other for other in candidates if other.place <= one.place and _is_bare_heading(other)]
            numbers = [other.label.number for other in before]
            beside = before if numbers == [str(number) for number in range(1, len(before) + 1)] else [one]
            for other in beside:  # with those before it that have nothing below them
                _join(other)
            last = one.label.number
        elif last.isdecimal() and one.label.number == str(int(last) + 1):
            last = one.label.number
            if _is_bare_heading(one):
                _join(one)


def _join(heading: NumberCandidate) -> None:
    heading.label = replace(heading.label, style=Style.NUMBER)
    heading.reasons[0] = (Style.NUMBER.value, FORM[Style.NUMBER])


def _is_bare_heading(one: NumberCandidate) -> bool:
    return one.label.style is Style.BARE and one.is_headed and len(one.label.key) == 1


def _weigh_rows(candidates: Iterable[NumberCandidate], texts: Sequence[str]) -> None:
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


def _weigh_contents(candidates: Sequence[NumberCandidate], texts: Sequence[str]) -> set[int]:
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
