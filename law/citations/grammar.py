"""The one reader of citations, for queries and for documents: sections, clauses, parts and schedules of an act."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from law.citations.cited_items import (
    ANNEX_ALONE,
    DIVISION,
    UNNUMBERED,
    CitedDivision,
    CitedItem,
    Clause,
    ParsedCitation,
    division_of,
    is_numbered,
)
from law.citations.items import BARE_CLAUSE, CLAUSE_UNIT, CLAUSES, MAX_ITEMS, clause_path, read_items
from law.citations.numbers import UNIT, any_of, each
from law.languages import LANGUAGES, Language
from law.languages.scripts import LETTERS, any_hint
from law.patterns import Choice, regex
from law.words.numerals import division_number
from law.words.series import rule_books

MAX_LEVELS = 6  # of clauses around one that is cited
MAX_LEAD_LENGTH = 9  # letters of a word before the hint in it: `ושבסעיף`, `subparagraph`


def _hints_of(language: Language) -> Iterator[str]:
    words = language.citations
    yield from words.hints
    cases = [form for hint in words.hints_in_any_case for form in (hint, hint.capitalize(), hint.upper())]
    ordinals = [form for word in language.divisions.ordinals for form in (word, word.capitalize(), word.upper())]
    yield from dict.fromkeys(cases)
    yield from (word + words.behind_ordinal for word in dict.fromkeys(ordinals) if words.behind_ordinal)


_BOOK_HINTS = (form.partition("(?:")[0] for _, forms in rule_books() for form in forms)
HINTS = ("§", "¶", *(hint for language in LANGUAGES for hint in _hints_of(language)), *_BOOK_HINTS)
HINT = any_hint(HINTS)
"""Something like it is in the first word of every citation; much quicker to find than the citation itself."""

NAME_BEFORE = regex(r"(?<![\w.])[A-Z][A-Za-z]{0,8}[A-Z] $")
# COBS 3.4.1, RCW 9A.32.030, RSA 632-A:4
SHORT_NAME = regex(r"(?<![\w.])(?P<name>[A-Z][A-Za-z]{0,8}[A-Z]) (?=\d{1,3}\.\d|\d{1,3}[A-Z][.:]\d|\d{1,4}-[A-Z]:\d)")
_BOOKS: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # by the first letter of a name
for _title, _forms in rule_books():
    for _form in _forms:
        _BOOKS.setdefault(_form[0], []).append((_title, regex(rf"(?<![\w.])(?P<name>{_form}) ?(?=\d)")))
_CLAUSE_NAMED = [rf"{unit} ?(?P<clauses>{CLAUSES}|{BARE_CLAUSE})" for unit in each("clause_units")]
_ANNEX_CLAUSE = Choice((rf",? ?{clause}" for clause in _CLAUSE_NAMED), re.IGNORECASE)
_PARENT, _CHILD = (regex(any_of(name), re.IGNORECASE) for name in ("parent", "child"))
_LETTER = regex(f"[{LETTERS}]")
_WITHIN = Choice(_CLAUSE_NAMED, re.IGNORECASE)
_JOINT = regex(rf" ?[,:]? ?(?:{any_of('of_words')} )?(?:{any_of('articles')} )?", re.IGNORECASE)
# `, (2) ו־(4)`, `to (4)`
_NEXT_CLAUSES = regex(
    rf" ?(?:(?P<to>[-–—־]|{any_of('to_words')})|,|{any_of('and_words')}) ?(?:{any_of('and_words')} ?)?", re.IGNORECASE
)
_CLAUSES = regex(rf"(?P<clauses>{CLAUSES})")
# ` of clause (e)`, around a clause that was cited, ` of subsection 2` where its section is named behind it
_OF = rf" (?:(?:{any_of('of_words')}) (?:{any_of('articles')} )?|(?={any_of('glued_of')}))"
_OUTER = Choice((_OF + clause for clause in _CLAUSE_NAMED), re.IGNORECASE)
_GAP = regex(rf"(?: (?:{any_of('of_words')})(?=,))?,? ")  # `section 25 of, and paragraph 7 of Schedule 2 to, the …`
_SEVERAL = regex(any_of("divisions_listed"), re.IGNORECASE)
_NEXT_DIVISION = regex(
    rf"(?: ?(?:[-–—]|, ?)|,? ?(?:{any_of('and_words')}|{any_of('to_words')}))+(?:{any_of('articles')} )?", re.IGNORECASE
)
_DIVISION_NUMBER = Choice(each("division_number"), re.IGNORECASE, is_meant=is_numbered)
_AND_WORD = regex(any_of("and_words"), re.IGNORECASE)
_GLUED_AND = regex(rf" {any_of('glued_and')}")
_TERM = regex(rf" {any_of('term_of')}", re.IGNORECASE)
ANAPHOR = regex(any_of("anaphor"), re.IGNORECASE)
OF_ANAPHOR = regex(rf",? (?:(?:{any_of('of_words')}) )?(?P<said>{any_of('anaphor')})", re.IGNORECASE)
AGAIN = regex(any_of("again"))
_SUBSECTION = regex(any_of("subsections"), re.IGNORECASE)


def word_start(text: str, place: int) -> int:
    """Where the word begins that has a letter at this place."""
    start = place
    while start and place - start <= MAX_LEAD_LENGTH and _LETTER.match(text, start - 1):
        start -= 1
    return start


def starts(text: str, place: int = 0) -> Iterator[int]:
    """Where words begin that a citation may begin with, in order."""
    for hint in HINT.finditer(text, place):
        yield word_start(text, hint.start())


def read(text: str, place: int, *, most: int = MAX_ITEMS) -> ParsedCitation | None:
    """The citation that begins at this place of a folded text."""
    if unit := UNIT.match(text, place):
        items, end = read_items(text, unit.end(), most=most)
        return _with_divisions(text, ParsedCitation(start=place, end=end, items=items))
    if within := _WITHIN.match(text, place):
        return _within(text, within, most=most)
    if DIVISION.match(text, place):
        return _in_division(text, place, most=most)
    if short := SHORT_NAME.match(text, place):
        items, end = read_items(text, short.end(), most=most)
        return ParsedCitation(start=place, end=end, items=items, name=short["name"]) if items else None
    annex = ANNEX_ALONE.match(text, place)
    return ParsedCitation(start=place, end=annex.end(), divisions=(division_of(annex),)) if annex else None


def _in_division(text: str, place: int, *, most: int) -> ParsedCitation | None:
    """A part or schedule, and the section or the clause of it that follows."""
    divisions, end = _read_divisions(text, place)
    unit = UNIT.match(text, _after_joint(text, end))
    items, end = read_items(text, unit.end(), most=most) if unit else ((), end)
    if not unit and divisions[-1].is_annex and (inside := _ANNEX_CLAUSE.match(text, end)):
        clause = Clause(path=clause_path(inside["clauses"]), start=inside.start("clauses"), end=inside.end())
        return ParsedCitation(start=place, end=clause.end, divisions=divisions, clauses=(clause,))
    return _with_divisions(text, ParsedCitation(start=place, end=end, items=items, divisions=divisions))


def read_in_document(text: str, place: int, *, most: int) -> ParsedCitation | None:
    """The same where `paragraph 6 of Article 4` is a clause of the article, and with the names of books of rules."""
    citation = read(text, place, most=most) or _of_book(text, place, most=most)
    if citation is None or not citation.items or citation.divisions or citation.name:
        return citation
    if not CLAUSE_UNIT.match(text, place):
        return _section_of_article(text, citation) or citation
    joint = _JOINT.match(text, citation.end)
    unit = UNIT.match(text, joint.end()) if joint and joint[0].strip() else None
    if unit is None or CLAUSE_UNIT.match(text, unit.start()):
        return citation
    (section, *others), end = read_items(text, unit.end(), most=most)
    above, one = next(iter(section.clauses), ()), replace(section, last="", last_clauses=(), spans=())
    items = [
        replace(one, clauses=((*above, item.number, *next(iter(item.clauses), ())),), start=item.start, end=item.end)
        for item in citation.items
    ]
    if section.last:
        items[-1] = replace(section, clauses=items[-1].clauses, start=items[-1].start)
    return _with_divisions(text, replace(citation, items=(*items, *others), placed=True, end=end))


def _of_book(text: str, place: int, *, most: int) -> ParsedCitation | None:
    """`Fed. R. Civ. P. 12(b)(6)`. No name of a book begins with a small letter."""
    for title, names in _BOOKS.get(text[place : place + 1], ()):
        if book := names.match(text, place):
            items, end = read_items(text, book.end(), most=most)
            return ParsedCitation(start=place, end=end, items=items, name=title or book["name"]) if items else None
    return None


def _section_of_article(text: str, citation: ParsedCitation) -> ParsedCitation | None:
    """`section 2, Article 5` and `Rule 65, Section 1`: two numbers behind a comma that are one place."""
    first, *others = citation.items
    unit = UNIT.match(text, first.end + 2) if text.startswith(", ", first.end) else None
    if unit is None or first.last or len(others) > 1:
        return None
    items, end = read_items(text, unit.end(), most=2)
    further = _GAP.match(text, end)
    if len(items) > 1 or items[0].last or (further and UNIT.match(text, further.end())):
        return None
    if _PARENT.match(text, citation.start) and _CHILD.match(text, unit.start()):
        above, one = first, items[0]
    elif _CHILD.match(text, citation.start) and _PARENT.match(text, unit.start()):
        above, one = items[0], first
    else:
        return None
    if above.number.isalpha():  # in which sections count anew
        article = CitedDivision("article", division_number(above.number))
        return replace(citation, items=(replace(one, start=citation.start, end=end),), divisions=(article,), end=end)
    path = (*next(iter(above.clauses), ()), one.number, *next(iter(one.clauses), ()))
    return replace(citation, items=(CitedItem(above.number, clauses=(path,), start=citation.start, end=end),), end=end)


def _within(text: str, start: re.Match[str], *, most: int) -> ParsedCitation | None:
    """Clauses, and the section that they are of if it is named: `סעיף קטן (ב) של סעיף 5`, `point (f) of`."""
    clauses = [Clause(path=clause_path(start["clauses"]), start=start.start(), end=start.end())]
    end = start.end()
    while len(clauses) < most and (to := _NEXT_CLAUSES.match(text, end)):
        more = _CLAUSES.match(text, to.end())
        if more is None:
            break
        if to["to"]:
            clauses[-1] = replace(clauses[-1], end=to.start("to") + len(to["to"].rstrip()), up_to=True)
        clauses.append(Clause(path=clause_path(more["clauses"]), start=more.start("clauses"), end=more.end()))
        end = more.end()
    for _ in range(MAX_LEVELS):
        outer = _OUTER.match(text, end)
        if outer is None or ("(" not in outer["clauses"] and not _section_at(text, outer.end())):
            break
        end, above = outer.end(), clause_path(outer["clauses"])
        clauses = [replace(one, path=(*above, *one.path)) for one in clauses]
        clauses[-1] = replace(clauses[-1], end=end)
    if term := _TERM.match(text, end):
        end = term.end()
    unit = _section_at(text, end)
    if unit is None:
        below = _SUBSECTION.match(text, start.start()) is not None
        return _with_divisions(text, ParsedCitation(start=start.start(), end=end, clauses=tuple(clauses), below=below))
    items, end = read_items(text, unit.end(), most=most)
    first, *others = items
    items = (*_of_section(first, clauses), *others)
    name = unit.groupdict().get("name") or ""
    return _with_divisions(text, ParsedCitation(start=start.start(), end=end, items=items, name=name))


def _section_at(text: str, place: int) -> re.Match[str] | None:
    """The word or the short name before the number of the section that clauses up to here are of."""
    joint = _after_joint(text, place)
    return UNIT.match(text, joint) or (SHORT_NAME.match(text, joint) if joint > place + 1 else None)


def _of_section(section: CitedItem, clauses: Sequence[Clause]) -> list[CitedItem]:
    """The section that was named behind its clauses: once for those that are listed, and for each range of them."""
    above = section.clauses[0] if section.clauses else ()
    found: list[CitedItem] = []
    before: Clause | None = None
    for one in clauses:
        path = (*above, *one.path)
        is_first = not found or one.up_to or found[-1].last
        if before and before.up_to:
            found[-1] = replace(found[-1], last=section.number, last_clauses=(path,), spans=(), end=one.end)
            found[-1] = replace(found[-1], parted=(before.end, one.start))
        elif is_first:
            found.append(replace(section, clauses=(path,), spans=((one.start, one.end),), start=one.start, end=one.end))
        else:
            found[-1] = found[-1].with_path(path, start=one.start, end=one.end)
        before = one
    return [*found[:-1], replace(found[-1], end=section.end)]


def _with_divisions(text: str, citation: ParsedCitation) -> ParsedCitation | None:
    """The citation with the parts and schedules that follow it, or None where there is nothing to cite."""
    if not (citation.items or citation.clauses or citation.divisions):
        return None
    if not (citation.items or citation.clauses):
        return citation
    divisions, end = _read_divisions(text, citation.end, any_of_kind=True)
    return replace(citation, divisions=(*citation.divisions, *divisions), end=end)


def next_in_list(text: str, last: ParsedCitation, *, most: int = MAX_ITEMS) -> ParsedCitation | None:
    """The citation that is listed after the last: `, Part 4 or section 7`."""
    place = last.end
    gap = _GAP.match(text, place)
    if gap is None:
        return None
    joined = _AND_WORD.match(text, gap.end())
    if further := _further_division(text, last):
        return further
    if joined and (citation := read(text, joined.end(), most=most)):
        return citation
    listed = gap[0] != " " or _GLUED_AND.match(text, place)
    return read(text, gap.end(), most=most) if listed else None


def _further_division(text: str, last: ParsedCitation) -> ParsedCitation | None:
    """The part that is listed after another by its number: ` and III` behind `Parts I`."""
    is_list = last.is_listed or _SEVERAL.match(text, last.start)
    if not is_list or len(last.divisions) != 1 or last.items or last.clauses:
        return None
    joined = _NEXT_DIVISION.match(text, last.end)
    number = _DIVISION_NUMBER.match(text, joined.end()) if joined else None
    if number is None or DIVISION.match(text, number.start()):
        return None
    division = CitedDivision(last.divisions[0].kind, division_number(number[0]))
    above, end = _read_divisions(text, number.end())
    return ParsedCitation(start=number.start(), end=end, divisions=(division, *above), is_listed=True)


def _after_joint(text: str, place: int) -> int:
    joint = _JOINT.match(text, place)
    return joint.end() if joint else place


def _read_divisions(text: str, place: int, *, any_of_kind: bool = False) -> tuple[tuple[CitedDivision, ...], int]:
    """Parts, chapters and schedules that follow one another, and where they end."""
    found: list[CitedDivision] = []
    while joint := _JOINT.match(text, place):
        division = DIVISION.match(text, joint.end()) or (any_of_kind and UNNUMBERED.match(text, joint.end()))
        if not division or (found and division_of(division).kind == found[-1].kind):
            break
        found.append(division_of(division))
        place = division.end()
    return tuple(found), place
