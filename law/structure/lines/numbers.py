"""Section numbers: how they are printed at the start of a line, and which may follow which."""

import enum
import re
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, either, language_of
from law.structure.lines.headings import HEADING_LENGTH, looks_like_heading
from law.words.numerals import LATIN_ORDINAL, LATIN_ORDINALS, LETTER_VALUES, division_number, roman_value

# One component is number, letters, number: 5, 5א, 5א1, 15A. A key is its components: 18.8.2 has three.
Component = tuple[int, int, int]
Key = tuple[Component, ...]


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
    def form(self) -> str:
        """What the numbers of a sequence have in common."""
        return self.style + self.word


_WORDS = [language.statutes for language in LANGUAGES]
_LETTERS = either(words.number_letters for words in _WORDS)
# Up to 1899: the numbers after it, at the start of a line, are years.
_INSERTED = rf"(?:{_LETTERS}\d{{0,2}}){{0,2}}(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-]))?"
_PLAIN = rf"(?:1[0-8]\d\d|\d{{1,3}}){_INSERTED}"
_DECIMAL = r"[A-Z]?\d{1,4}[A-Z]{0,2}(?:\.\d{1,4}[A-Z]{0,2})+"
_COLONED = r"\d{1,4}(?:-?[A-Z])?:\d{1,4}[a-z]?(?:-\d{1,4})?(?:\.\d{1,3})?"  # 1:2, 2C:11-3
# Of codes in the United States: 12-99-103.5, 12.1-16-01
_CODED = rf"(?:\d{{1,4}}[A-Z]?(?:\.\d{{1,3}})?(?:-\d{{1,5}}[A-Z]{{0,2}}){{1,2}}(?:\.\d{{1,3}})?|{_COLONED})"
_GONE = either(words.gone for words in _WORDS)
IS_GONE = re.compile(rf"[\[(]{_GONE}.*[\])]\.?$", re.I)
_SUFFIX = either(words.number_suffix for words in _WORDS)
_NUMBERED = re.compile(
    rf"(?:(?P<decimal>{_DECIMAL})\.?(?=[\s(]|$|\.?[A-Z(][\w(])"
    rf"|(?P<coded>{_CODED})(?:\.(?=[\s—–]|$)|(?<=[A-Z]:\d)(?= [A-Z])|(?<=[A-Z]:\d\d)(?= [A-Z]))"
    rf"|(?P<plain>{_PLAIN})(?P<delimiter>[.)])(?=[\s({CASELESS}\[—–“\"]|-[\s(]|[A-Z][a-z]|$)(?:-(?=\s))?)"
    rf"(?P<clause>\.?\([^()\s]{{1,4}}\)|\.?{_SUFFIX}\b[\w.]*)*[\t ]*(?P<rest>.*)",
    re.S,
)
_BARE = re.compile(
    rf"(?P<plain>{_PLAIN})(?P<space>[ \t\xa0]{{1,12}})(?P<rest>(?:\(\w{{1,3}}\)|[“\"‘']?[^\W\d_]|[\[(](?i:{_GONE})).*)",
    re.S,
)
# `2[4A. Powers`: a bracket around what an amendment brought, with the number of its footnote.
_AMENDED = re.compile(rf"(?:\d{{1,3}}|\*{{1,3}}|F\d{{1,4}})? ?\[(?={_PLAIN}\.[\s—–(])")
_WIDE = 4  # blanks that set a number off as a full stop does
_SQUARE = re.compile(r"\[(?P<number>\d{1,4}(?:\.\d{1,3})?)\][ \t]*(?P<rest>.*)", re.S)
_HYPHENATED = r"\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,2})?(?:[–-]\d{1,5}[A-Za-z]{0,2}){1,2}(?:\.\d{1,3}[a-z]?)?"
_OF_TAXES = r"\d{1,3}\.\d{1,4}[A-Z]?\([a-z]{1,2}\)(?:\(\d{1,2}\))?-\d{1,3}[A-Z]{0,2}"  # 1.401(a)-1
_CODE = r"[LRDA]\.? ?\d{1,4}(?:-\d{1,4}){0,4}"  # of a code in France: L. 121-1
_ONE_LETTERS = rf"(?:{_LETTERS}\d{{0,2}}|[a-z]{{1,2}}(?![\w’'])){{0,2}}"
_SPELLED = either(word for language in LANGUAGES for word in language.citations.spelled_numbers)
_WORD = re.compile(
    rf"(?:(?:{either(words.section_words for words in _WORDS)}|(?P<sign>§{{1,2}}))\s*(?P<open>\((?=\d{{1,3}}\)))?"
    rf"(?P<number>{_OF_TAXES}|{_COLONED}|{_HYPHENATED}|{_DECIMAL}|{_CODE}"
    rf"|\d{{1,4}}{_ONE_LETTERS}(?P<ordinal>[º°])?(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-]))?"
    rf"|(?P<spelled>(?i:{_SPELLED})(?![\w-])))(?(open)\))"
    rf"|{either(words.roman_words for words in _WORDS)}\s?"
    rf"(?P<roman>(?P<roman_number>[IVXLC]{{1,7}})(?:{LATIN_ORDINAL})?)(?!\w))"
    rf"(?P<separator>\s*[.:](?:\s?-)?(?=\s|[—–]|$)|\s*[–—]|\s*-(?=\s)|\s*$|\s)\s*(?P<rest>.*)",
    re.S,
)
_ABOVE = re.compile(rf"({either(words.above_number for words in _WORDS)}) ?\.")
_CELL_BEFORE = re.compile(rf"(?P<heading>[^\t]{{2,90}})\t(?={_PLAIN}\.\s)")
# `הגדרות 36ט. בפרק זה –`: what was printed in the margin, drawn into the line.
_MARGINAL = "".join(language.letters for language in LANGUAGES if language.statutes.marginal_headings)
_MARGIN_BEFORE = re.compile(rf"(?P<heading>[{_MARGINAL}][^\d.;:,\t]{{2,60}}) (?={_PLAIN}\. ?[{_MARGINAL}(])")
_MENTIONS = re.compile(rf"(?:^|\s){either(words.mentions for words in _WORDS)}$")
# A line of a table of contents, or of a form to be filled in
_LEADER = re.compile(r"(?:\.{4,}|…|\t)\s*\d{1,4}$|[^\W\d][ :]*(?:\.{5,}|_{4,})$")
_NUMBERING = "".join(language.numbering for language in LANGUAGES)
_QUOTED = "".join(LETTER_VALUES)  # a last letter behind a quotation mark: `5כ"ד`
_DETAIL = re.compile(rf"(\d+)([{_NUMBERING}]*)[\"״'׳]?([{_QUOTED}]?)(\d*)")
_STARTS = frozenset("0123456789§[" + "".join(words.section_initials for words in _WORDS))
_FIRST_CLAUSE = re.compile(r"\((?:1\)\s+[“\"‘']?[A-Z]|[A-Z][^()\d]{2,100}\))")  # or a heading in brackets
_TITLE_START = re.compile(either(words.title_start for words in _WORDS))
_LETTER_BEHIND = re.compile(r"[ –-](?=[A-Za-z])")  # 3-A is 3A, and 3-bis is 3bis
_BRACKETS = str.maketrans("", "", "()")
_BETWEEN = 1_000  # room for inserted letters between two letters
_CHILD_START = 3  # 5.1 follows 5; 5.7 does not


def read_label(text: str) -> SectionNumber | None:
    """The section number that the line begins with. Whether it is one here, its neighbours decide."""
    if text[:1] not in _STARTS and "\t" not in text and _WORD.match(text) is None:
        return _behind_margin(text)
    if _LEADER.search(text):
        return None
    heading, whole = "", text
    if "\t" in text and (cell := _CELL_BEFORE.match(text)):
        heading = cell["heading"].strip()
        text = text[cell.end() :]
    if mark := _AMENDED.match(text):
        text = text[mark.end() :]
    above: list[str] = []
    while found := _ABOVE.match(text):
        above.append(found.group(1))
        text = text[found.end() :].lstrip()
    if not above and (word := _WORD.match(text)):
        return _word_label(word)
    numbered = _NUMBERED.match(text)
    if numbered is None and above:  # `SECTION 1. SHORT TITLE`: no division with a number inside
        word = _WORD.match(whole)
        return _word_label(word) if word else None
    if numbered is None:
        return (_behind_margin(text) or _unpointed(text)) if not heading else None
    number = numbered["decimal"] or numbered["coded"] or numbered["plain"]
    prefix = number[0] if number[0].isalpha() else ""
    return SectionNumber(
        number=number,
        key=key_of(number[len(prefix) :]),
        style=Style.BRACKET if numbered["delimiter"] == ")" else Style.NUMBER,
        rest=numbered["rest"].strip(),
        clause=numbered["clause"] or "",
        above=tuple(above),
        prefix=prefix,
        heading=heading,
    )


def _behind_margin(text: str) -> SectionNumber | None:
    """The number behind a heading of a few words on the same line."""
    margin = _MARGIN_BEFORE.match(text)
    numbered = _NUMBERED.match(text, margin.end()) if margin else None
    if margin is None or numbered is None or not numbered["plain"]:
        return None
    number, rest, heading = numbered["plain"], numbered["rest"].strip(), margin["heading"].strip()
    if not looks_like_heading(heading) or _MENTIONS.search(heading):
        return None
    return SectionNumber(number=number, key=key_of(number), style=Style.NUMBER, rest=rest, heading=heading, behind=True)


def _unpointed(text: str) -> SectionNumber | None:
    """`[12] The claimant` and `5 Interpretation`: whether they are sections, only the others like them can tell."""
    found, style = _SQUARE.match(text), Style.SQUARE
    if found is None:
        found, style = _BARE.match(text), Style.BARE
    if found is None or found["rest"][:1].islower():
        return None
    number = found[1]
    if style is Style.BARE and len(found["space"].expandtabs(_WIDE)) >= _WIDE:
        style = Style.NUMBER
    return SectionNumber(number=number, key=key_of(number), style=style, rest=found["rest"].strip())


def _word_label(word: re.Match[str]) -> SectionNumber | None:
    rest = word["rest"].strip()
    separated = bool(word["separator"].strip() or word["ordinal"] or word["open"]) or not rest
    is_text = False
    if not separated and not _may_be_title(rest.rstrip(".") if word["sign"] else rest):
        is_text = _may_be_text(rest)
        if not is_text:
            return None  # "Section 5 applies to", "סעיף 5 לחוק": a reference
    if rest and (rest[0] in ",;)" or (rest[0].islower() and not _in_small_letters(word))):
        return None
    number, prefix, digits = _printed_number(word)
    return SectionNumber(
        number=number,
        key=key_of(digits),
        style=Style.WORD,
        rest=rest,
        prefix=prefix,
        word="s" if word["sign"] else word[0][0].lower(),
        is_text=is_text,
    )


def _printed_number(word: re.Match[str]) -> tuple[str, str, str]:
    """The number as printed, the letter before it, and what is left of it in digits."""
    if roman := word["roman_number"]:
        return word["roman"], "", f"{roman_value(roman.lower())}{word['roman'][len(roman) :]}"
    if word["spelled"]:
        return (number := division_number(word["spelled"])), "", number
    number = word["number"].replace("º", "").replace("°", "")
    prefix = number[0] if number[0].isalpha() else ""
    return number, prefix, number[len(prefix) :].lstrip(". ")


def _may_be_text(rest: str) -> bool:
    """`Article 1 This Law applies to …`: whether that is a section, only the others can tell."""
    return rest.lstrip('“"')[:1].isupper() or _FIRST_CLAUSE.match(rest) is not None or IS_GONE.match(rest) is not None


def _in_small_letters(word: re.Match[str]) -> bool:
    """`Sec. 202. custody of disposal site`: a heading that was printed in small capitals."""
    rest = word["rest"].strip()
    return word["separator"].strip() == "." and len(rest) <= HEADING_LENGTH and rest[-1] not in ".;:,"


def _may_be_title(rest: str) -> bool:
    if len(rest) > 100 or rest[-1] in ".;:,–":
        return False
    return rest.lstrip('“"')[:1].isupper() or _TITLE_START.match(rest) is not None


def key_of(number: str) -> Key:
    """The number as something to compare: 5 < 5bis < 5א < 5א1 < 5ב < 6, and 1.9 < 1.10."""
    plain = _LETTER_BEHIND.sub("", number.translate(_BRACKETS)).replace(" ", "")
    return tuple(_component(part) for part in re.split(r"[.:–-]", plain))


def _component(part: str) -> Component:
    found = _DETAIL.match(part)
    if found is None:
        return 0, 0, 0
    behind = part[found.end(1) :]
    if behind in LATIN_ORDINALS:
        return int(found[1]), LATIN_ORDINALS[behind], 0
    if behind.isascii() and behind.islower():
        found = _DETAIL.match(part.upper()) or found
    digits, letters, more, last = found.groups()
    return int(digits), _letters_value(letters + more), int(last or 0)


def _letters_value(letters: str) -> int:
    """Order of the letters: א, ב, ... י, יא. בא stands between ב and ג. After A to Z comes AA."""
    if not letters:
        return 0
    place, inserted = language_of(letters[0]).letters_order(letters)
    return place * _BETWEEN + inserted


def step(last: Key, new: Key) -> int:
    """How far the new number is from the last: 1 is the next (or the first below it), 0 means that it goes back."""
    for depth, component in enumerate(new):
        if depth == len(last):
            return max(1, component[0]) if _starts_below(new[depth:]) else 0
        if component == last[depth]:
            continue
        if component < last[depth] or not _starts_below(new[depth + 1 :]):
            return 0
        return _difference(last[depth], component)
    return 0


def _difference(one: Component, other: Component) -> int:
    if other[0] > one[0]:
        return other[0] - one[0]
    if other[1] > one[1]:
        return max(1, other[1] // _BETWEEN - one[1] // _BETWEEN)
    return other[2] - one[2]


def _starts_below(components: Key) -> bool:
    return all(component[0] <= _CHILD_START for component in components)


def is_below(above: Key, key: Key) -> bool:
    """5.1 is below 5."""
    return len(key) > len(above) and key[: len(above)] == above
