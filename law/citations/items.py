"""Sections as citations list them: `5(א)(2)`, `3 to 5 and 9`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, LETTERS, either, language_of
from law.words.numerals import LATIN_ORDINAL, division_number

_WORDS = [language.citations for language in LANGUAGES]
MOST_OF_RANGE = 10
MOST_ITEMS = 20  # of one list in a query, and clauses of one section; who names more wants the whole act
_WHOLE = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"(?P<stem>.*[.:-])(?P<last>\d+)")
_LAST_LETTER = re.compile(rf"(?P<stem>.*\d)(?P<last>[{LETTERS}])")
_INSERTED = re.compile(r"(?P<base>\d+)\D")
_A_YEAR = re.compile(r"(?:19|20)\d\d")
_SET_OFF = re.compile(r"[\"״ ]|[־-](?!\d)")


def any_of(attribute: str) -> str:
    """A pattern for what any of the languages says there."""
    return either(getattr(words, attribute) for words in _WORDS)


# Numbers that could be read as ranges or end too early, of codes in the United States: 16-5-1, 12.1-16-01, 18.2-32,
# 2C:11-3, 632-A:4; of the Netherlands: 1:2. A day such as 12-5-2020 is none.
_CODED = (
    r"(?!\d{1,2}-\d{1,2}-(?:19|20)\d\d(?!\d))"
    r"(?:\d{1,4}[A-Z]{0,2}(?:\.\d{1,3})?(?:-\d{1,5}[A-Z]{0,2}){2,3}(?:\.\d{1,4})?(?!-?\d)"
    r"|\d{1,3}\.\d{1,4}[A-Z]?\([a-z]{1,2}\)(?:\(\d{1,2}\))?-\d{1,3}[A-Z]{0,2}(?![\w-])"  # 1.401(a)-1
    r"|(?:\d{3}\.|(?<=[Rr]ule ))\d{1,2}[a-z]{1,2}\d{0,2}-\d{1,3}(?![\w-])"  # 240.10b-5
    r"|\d{1,3}\.\d{1,2}-\d{1,4}(?![.-]?\d)"
    r"|(?-i:[LRD])\. ?\d{1,4}(?:-\d{1,3}){1,2}(?![\w-])"  # of French codes: L. 121-1
    r"|\d{1,4}[A-Z]?(?:-[A-Z])?:\d{1,4}[a-z]?(?:-\d{1,4})?(?:\.\d{1,3})?(?![:-]?\d))"
)
# 5, 5א, 15ג, 63א1, 12A, 18.8.2, A1.2.3, 4 bis, 4-A; counted repetitions, so that no input makes the search slow.
NUMBER = (
    rf"(?:{_CODED}|(?:[A-Z](?=\d{{1,3}}\.\d))?\d{{1,5}}(?:[A-Z]{{1,2}}(?=\.\d))?(?:\.\d{{1,4}}){{0,6}}"
    rf"(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-])|{any_of('number_letters')}?\d{{0,2}}{any_of('later_letters')}?[׳']?))"
)
# 2016/679 is no section, 5% and 1,000 are none; the ו of `4ו־6` is an and
NUMBER_ENDS = rf"(?!(?!{any_of('conjunction')})[\w%/]|,\d{{3}}(?!\d))"
CLAUSES = r"(?: ?\( ?[\w׳'\"״]{1,5}(?:\.\d{1,2})? ?\)){1,6}"
_OF_NUMBER = rf"(?:{any_of('number_word')} ?)?"
# `section two`, right behind the word: in `section 5 and two others` it counts others.
_SPELLED = rf"(?i:{either(word for words in _WORDS for word in words.spelled_numbers)})(?![\w-])"
_LETTERED = rf"(?-i:{any_of('letters_number')})(?:{LATIN_ORDINAL})?(?![\w’'-])"
CITED = (
    rf"(?:(?:{any_of('unit')}|§§?|¶¶?) ?{_OF_NUMBER}(?={NUMBER}{NUMBER_ENDS}|{_SPELLED})"
    rf"|(?<!\w)(?-i:{any_of('lettered_unit')}) ?(?={_LETTERED}))"
)

UNIT = re.compile(CITED, re.IGNORECASE)
_COUNTED_LETTERS = re.compile(rf"[{CASELESS}\"״]+")  # סעיף ט"ו, which acts print as 15
_NUMBER = re.compile(rf"{NUMBER}{NUMBER_ENDS}")
_SPELLED_NUMBER = re.compile(_SPELLED)
_LETTERED_NUMBER = re.compile(_LETTERED)
_FIRST_NUMBER = re.compile(rf"{NUMBER}{NUMBER_ENDS}|{_SPELLED}|{_LETTERED}")
_CLAUSES = re.compile(CLAUSES)
_CLAUSE = re.compile(r"\( ?([^\s()]+) ?\)")
# `§ 28-4604` is one number, and so is `2-1002`: nobody names a range of a thousand sections.
_ONE_SIGN = re.compile(r"(?<!§)§ ?$")
_HYPHENATED = re.compile(rf"[-–](\d{{2,5}}(?:\.\d{{1,3}})?){NUMBER_ENDS}(?P<clause> ?\()?")
_AND = re.compile(rf" ?(?:[,;] ?{any_of('and_words')}?|{any_of('and_words')}) ?", re.IGNORECASE)
_GLUED_AND = re.compile(rf" {any_of('glued_and')}")
# `, subsection (2)`, ` paragraph 2`: a clause of the section before it.
BARE_CLAUSE = r" \d{1,2}(?![\d.\w%]| ?\()"
_CLAUSE_IN_PROSE = re.compile(
    rf",? ?(?:(?:{any_of('clause_units')}) ?(?P<clauses>{CLAUSES}|{BARE_CLAUSE})"
    rf"|(?-i:{any_of('inner_units')}) ?(?P<inner>{CLAUSES}|(?:\d{{1,3}}|(?-i:[a-z]))(?![\w%])))",
    re.IGNORECASE,
)
# ` § 2`, ` §§ 1 and 3 (c)`: paragraphs of an article, as the courts in Strasbourg cite them.
_PARAGRAPH = r"\d{1,2}(?: ?\(\w{1,3}\)){0,2}(?![\w%.])"
_SIGNED = re.compile(rf" §{{1,2}} ?(?P<paragraphs>{_PARAGRAPH}(?:(?:, | and |[-–]){_PARAGRAPH})*)")
_SIGNED_PARAGRAPH = re.compile(r"(?P<number>\d{1,2})(?P<clauses>(?: ?\(\w{1,3}\))*)")
_COUNTED = re.compile(any_of("counted"), re.IGNORECASE)
_ENDS = re.compile(rf" {any_of('section_ends')}(?!(?!{any_of('conjunction')})\w)", re.IGNORECASE)
CLAUSE_UNIT = re.compile(any_of("clause_units"), re.IGNORECASE)
_INNER_UNIT = re.compile(rf"{CLAUSE_UNIT.pattern} ?$", re.IGNORECASE)
_LONGEST_UNIT = 20  # characters
_TO = re.compile(rf" ?(?:[-–—־‐‑−]|{any_of('to_words')}) ?", re.IGNORECASE)


@dataclass(frozen=True)
class CitedItem:
    """One section of a reference, or all from it to `last`. `clauses` are the ways to what is meant inside it.

    It stands between the places `start` and `end` of the folded text. `last` has its own `last_clauses`. `parted` is
    where the words up to it end, and where it begins. `spans` are the places of the ways that were read last.
    """

    number: str
    last: str = ""
    clauses: tuple[tuple[str, ...], ...] = ()
    last_clauses: tuple[tuple[str, ...], ...] = ()
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    parted: tuple[int, int] = field(default=(0, 0), compare=False)
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    @property
    def each(self) -> "tuple[CitedItem, ...]":
        """Itself for each clause that is cited of it, `4(1)` and `(9)`, or the two ends of a range."""
        if self.last or len(self.spans) != len(self.clauses) or not self.spans:
            return self.ends
        starts = (self.start, *(start for start, _ in self.spans[1:]))
        ends = (*(end for _, end in self.spans[:-1]), self.end)
        return tuple(
            replace(self, clauses=(path,), spans=(), start=start, end=end)
            for path, start, end in zip(self.clauses, starts, ends, strict=True)
        )

    @property
    def ends(self) -> "tuple[CitedItem, ...]":
        """Itself, or the two ends of a range, of which the first keeps `last`: `sections 4 to` and `9`."""
        if not self.last:
            return (self,)
        first_end, last_start = self.parted
        first = replace(self, last_clauses=(), end=first_end)
        return first, CitedItem(self.last, clauses=self.last_clauses, start=last_start, end=self.end)

    @property
    def last_paths(self) -> tuple[tuple[str, ...], ...]:
        """The ways inside the section that was read last."""
        return self.last_clauses if self.last else self.clauses

    def with_path(self, path: tuple[str, ...], *, start: int, end: int) -> "CitedItem":
        """The same with one more of `last_paths`, which stands at these places."""
        paths, spans = (*self.last_paths, path), (*self.spans, (start, end))
        if self.last:
            return replace(self, last_clauses=paths, spans=spans, end=end)
        return replace(self, clauses=paths, spans=spans, end=end)

    @property
    def sections(self) -> list[str]:
        """The numbers it stands for, in order and at most MOST_OF_RANGE. Where a range makes no sense, its ends."""
        return _between(self.number, self.last) if self.last else [self.number]

    @property
    def written_as_one(self) -> str:
        """`1-102` may be a range, or the number of a single section."""
        return f"{self.number}-{self.last}" if self.last else ""

    def takes_in(self, section: str) -> str:
        """The number after which a section that was inserted later belongs to the range (`3א` of 3 to 5), or ''."""
        inserted = _INSERTED.match(section)
        if inserted and "." not in section and _WHOLE.fullmatch(self.last) and inserted["base"] in self.sections[:-1]:
            return inserted["base"]
        return ""


def _between(first: str, last: str) -> list[str]:
    if _WHOLE.fullmatch(first) and _WHOLE.fullmatch(last):
        return _counted("", int(first), int(last)) or [first, last]
    for pattern in (_LAST_NUMBER, _LAST_LETTER):
        one, other = pattern.fullmatch(first), pattern.fullmatch(last)
        if not one or not other or one["stem"] != other["stem"]:
            continue
        if one["last"].isdigit():
            return _counted(one["stem"], int(one["last"]), int(other["last"])) or [first, last]
        letters = language_of(one["last"]).alphabet
        start, end = letters.find(one["last"].upper()), letters.find(other["last"].upper())
        if 0 <= start < end:
            return [one["stem"] + letter for letter in letters[start : end + 1]][:MOST_OF_RANGE]
    return [first, last]


def _counted(stem: str, first: int, last: int) -> list[str]:
    return [f"{stem}{number}" for number in range(first, min(last, first + MOST_OF_RANGE - 1) + 1)]


def read_items(text: str, place: int, *, most: int = MOST_ITEMS) -> tuple[tuple[CitedItem, ...], int]:
    """The sections of a list, from its first number on, and where the list ends."""
    number = _FIRST_NUMBER.match(text, place)
    if not number:
        return (), place
    inner = _INNER_UNIT.search(text[max(0, place - _LONGEST_UNIT) : place]) is not None
    numbers = _LETTERED_NUMBER if _LETTERED_NUMBER.match(number[0]) else _NUMBER
    signs = text[max(0, place - 3) : place].rstrip()[-1:] == "§"
    one_sign = _ONE_SIGN.search(text[max(0, place - 3) : place]) is not None
    items = [_item(number)]
    place = number.end()
    if (hyphenated := _HYPHENATED.match(text, place)) and (one_sign or _is_one(number[0], hyphenated)):
        place = hyphenated.end(1)
        items = [replace(items[0], number=f"{items[0].number}-{hyphenated[1]}", end=place)]
    while len(items) < most and len(items[-1].last_paths) < MOST_ITEMS:
        last = items[-1]
        if clauses := _CLAUSES.match(text, place):
            path = clause_path(clauses[0])
            place = clauses.end()
            items[-1] = last.with_path(_beside(last.last_paths, path), start=clauses.start(), end=place)
            continue
        if (prose := _CLAUSE_IN_PROSE.match(text, place)) and last.last == "":
            path = clause_path(prose["clauses"] or prose["inner"])
            above = last.clauses[-1] if last.clauses else ()
            start = last.spans[-1][0] if last.spans else prose.start()
            place = prose.end()
            bare = replace(last, clauses=last.clauses[:-1], spans=last.spans[:-1])
            items[-1] = bare.with_path((*above, *path), start=start, end=place)
            continue
        if not last.last_paths and not signs and (signed := _SIGNED.match(text, place)):
            place = signed.end()
            for one in _SIGNED_PARAGRAPH.finditer(text, signed.start("paragraphs"), place):
                path = (one["number"], *_CLAUSE.findall(one["clauses"]))
                items[-1] = items[-1].with_path(path, start=one.start(), end=one.end())
            continue
        if ends := _ENDS.match(text, place):
            place = ends.end()
        to = _TO.match(text, place)
        number = _number_at(text, to.end(), numbers) if to and not last.last else None
        if to and number and not _counts(text, number, first=last.number):
            place = number.end()
            parted = (to.start() + len(to[0].rstrip()), to.end())
            items[-1] = replace(last, last=_plain(number), parted=parted, spans=(), end=place)
            continue
        after = to or _AND.match(text, place)
        if after and last.last_paths and (clauses := _CLAUSES.match(text, after.end())):
            place = clauses.start()
            continue
        number = _next_number(text, place, numbers, inner=inner)
        if number is None:
            break
        items.append(_item(number))
        place = number.end()
        if "-" in items[0].number and (hyphenated := _HYPHENATED.match(text, place)):  # `28-3803, 28-3814`
            place = hyphenated.end(1)
            items[-1] = replace(items[-1], number=f"{items[-1].number}-{hyphenated[1]}", end=place)
    return tuple(items), place


def _is_one(number: str, hyphenated: re.Match[str]) -> bool:
    """Whether `28-4604` is a number and no range: that would be of very many sections, or has clauses behind it."""
    more = len(hyphenated[1]) - len(number)
    return more >= 2 or (more == 1 and hyphenated["clause"] is not None)


def clause_path(clauses: str) -> tuple[str, ...]:
    """What is in each of the brackets: `(א)(2)`, or a bare number."""
    return tuple(_CLAUSE.findall(clauses)) or (clauses.strip(),)


def _item(number: re.Match[str]) -> CitedItem:
    return CitedItem(_plain(number), start=number.start(), end=number.end())


def _plain(number: re.Match[str]) -> str:
    """The number in digits, without what sets its letters off from them."""
    if _SPELLED_NUMBER.fullmatch(number[0]) or _COUNTED_LETTERS.fullmatch(number[0]):
        return division_number(number[0])
    return number[0] if number[0].isalnum() else _SET_OFF.sub("", number[0])


def _next_number(text: str, place: int, numbers: re.Pattern[str], *, inner: bool) -> re.Match[str] | None:
    """The next section of a list: `, 7`, `ו־9`, `and section 9`, `וסעיף 9`.

    `and paragraph 9` goes on with such a list only as the list is one of paragraphs itself, which `inner` says.
    """
    again = UNIT.match(text, place + 1) if _GLUED_AND.match(text, place) else None
    if again:
        return numbers.match(text, again.end())
    between = _AND.match(text, place)
    if between and not inner and CLAUSE_UNIT.match(text, between.end()):
        return None
    number = _number_at(text, between.end(), numbers) if between else None
    return None if number and _counts(text, number) else number


def _counts(text: str, number: re.Match[str], *, first: str = "") -> bool:
    """Whether a number is a year, or counts what is no section. `first` is where a range to it begins."""
    is_year = _A_YEAR.fullmatch(number[0]) and len(first) < len(number[0])
    return bool(is_year or _COUNTED.match(text, number.end()))


def _number_at(text: str, place: int, numbers: re.Pattern[str]) -> re.Match[str] | None:
    unit = UNIT.match(text, place)
    return numbers.match(text, unit.end() if unit else place)


def _beside(paths: Sequence[tuple[str, ...]], path: tuple[str, ...]) -> tuple[str, ...]:
    """A clause that is listed after another: `(1)(a) and (c)` means `(1)(c)`, `(1) and (2)` two clauses."""
    before = paths[-1] if paths else ()
    for depth in range(len(before) - 1, -1, -1):
        if before[depth][:1].isdigit() == path[0][:1].isdigit():
            return (*before[:depth], *path)
    return path
