"""Section numbers as they are printed at the start of a line."""

import re
from dataclasses import replace

from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, either
from law.patterns import regex
from law.structure.lines.headings import looks_like_heading
from law.structure.lines.number_keys import Key, SectionNumber, Style, key_of, step
from law.structure.lines.word_numbers import COLONED, DECIMAL, LETTERS, is_named, is_of_code, read_named
from law.words.numerals import LATIN_ORDINAL

_WORDS = [language.statutes for language in LANGUAGES]
# Up to 1899: the numbers after it, at the start of a line, are years.
_INSERTED = rf"(?:{LETTERS}\d{{0,2}}){{0,2}}(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-]))?"
_PLAIN = rf"(?:1[0-8]\d\d|\d{{1,3}}){_INSERTED}"
# A number with the signs behind it. Of codes: 12-99-103.5, 12.1-16-01, 12-1,101
_NUMBERED = [
    regex(form)
    for form in (
        rf"(?P<number>{DECIMAL})\.?(?=[\s(]|$|\.?[A-Z(][\w(])",
        r"(?P<number>\d{1,4}[A-Z]?(?:\.\d{1,3})?(?:-(?:\d,\d{3}|\d{1,5})[A-Z]{0,2}){1,2}(?:\.\d{1,3})?)\.(?=[\s—–]|$)",
        rf"(?P<number>{COLONED})(?:\.(?=[\s—–]|$)|(?<=[A-Z]:\d)(?= [A-Z])|(?<=[A-Z]:\d\d)(?= [A-Z]))",
        rf"(?P<number>{_PLAIN})(?:(?P<sign>[.)])(?=[\s({CASELESS}\[—–“\"]|-[\s(]|[A-Z][a-z]|$)(?:-(?=\s))?|—(?=[A-Z][a-z]))",
    )
]
_CLAUSE = regex(
    rf"(?P<clause>\.?\([^()\s]{{1,4}}\)|\.?{either(words.number_suffix for words in _WORDS)}\b[\w.]*)*"
    r"[\t ]*(?P<rest>.*)",
    re.S,
)
_BARE = regex(rf"(?P<number>{_PLAIN})(?P<space>[ \t\xa0]{{1,12}}|(?=\(1\)\s))")
# 73-18-1 Title. Not a day, as 12-05-2031
_BARE_OF_CODE = regex(r"(?P<number>\d{1,3}[A-Z]?-\d{1,3}[a-z]?-(?!(?:19|20)\d\d\b)\d{1,4}(?:\.\d{1,2})?) (?=[A-Z“\"])")
_BEFORE_SIGN = regex(r"(?P<number>\d{1,3}(?: ?[a-z])?) ?§ (?=[^\W\d_]|\(\d)")  # `3 a § A permit may be transferred.`
_AFTER_BARE = regex(rf"\(\w{{1,3}}\)|[“\"‘']?[^\W\d_]|[\[(](?i:{either(words.repealed for words in _WORDS)})")
# `2[4A. Powers`, `⁶[4A. Powers`: a bracket around what an amendment brought, with the mark of its note.
_AMENDED = regex(rf"(?:[\d⁰¹²³⁴-⁹]{{1,3}}|\*{{1,3}}|F[\d⁰¹²³⁴-⁹]{{1,4}})? ?\[(?={_PLAIN}\.[\s—–(])")
_AMENDED_WORD = regex(r"\[(?=[^\]]*$)")
_GLUED = regex(r"\[F(?P<digits>\d{2,7})[A-Z]{0,3}(?= [A-Z])")
_WIDE = 4  # blanks that set a number off as a full stop does
_SQUARE = regex(r"\[(?P<number>\d{1,4}(?:\.\d{1,3})?)\][ \t]*(?P<rest>.*)", re.S)
_ABOVE = regex(rf"({either(words.above_number for words in _WORDS)}) ?\.")
_CELL_BEFORE = regex(rf"(?P<heading>[^\t]{{2,90}})\t(?={_PLAIN}\.\s)")
# `הגדרות 36ט. בפרק זה –`: what was printed in the margin, drawn into the line.
_MARGINAL = "".join(language.letters for language in LANGUAGES if language.statutes.marginal_headings)
_MARGIN_BEFORE = regex(
    rf"(?P<heading>[{_MARGINAL}][^\d.;:,\t]{{2,60}})\.? (?={_PLAIN}\.(?: |[—–-](?=\())?[{_MARGINAL}(])"
)
VERB = regex(either(words.verbs for words in _WORDS))
_STARTS_SENTENCE = regex(rf"{either(words.sentence_start for words in _WORDS)}\s")
_MENTIONS = [regex(rf"(?:^|\s)(?:{words.mentions})$") for words in _WORDS if words.mentions]
# A line of a table of contents, or of a form to be filled in
_LEADER = regex(r"(?:\.{4,}|…|\t)\s*\d{1,4}$|[^\W\d][ :]*(?:\.{5,}|_{4,})$")
_STARTS = frozenset("0123456789§[⁰¹²³⁴⁵⁶⁷⁸⁹" + "".join(words.section_initials for words in _WORDS))
# `4 to 7.`, `71-218 — 71-228. Butter`: numbers of sections that are repealed, or of those that a heading is over
_OF_RANGE = regex(
    rf"(?:[–—-]\s?|{either(language.citations.to_words.strip() for language in LANGUAGES)}\s?)(?:§\s?)?"
    r"(?:\d{1,4}[.:-]){0,2}\d{1,5}[^\W\d]?(?=[.:\s]|$)",
    re.I,
)


def begins_sentence(text: str) -> bool:
    """Whether it begins as sentences do and has a verb: `This Act may be cited as`."""
    return _STARTS_SENTENCE.match(text) is not None and VERB.search(text) is not None


def ends_in_mention(text: str) -> bool:
    """Whether a number behind it is a reference: `as laid down in clause`. A word alone is a title: `Examples`."""
    return any((found := one.search(text)) and found.start() > 0 for one in _MENTIONS)


def read_label(text: str) -> SectionNumber | None:
    """The section number that the line begins with. Whether it is one here, its neighbours decide."""
    if text[:1] not in _STARTS and "\t" not in text and not is_of_code(text):
        return _behind_margin(text)
    if _LEADER.search(text):
        return None
    label = _read(text)
    return None if label is not None and _OF_RANGE.match(label.rest) else label


def _read(text: str) -> SectionNumber | None:
    heading, whole = "", text
    if "\t" in text and (cell := _CELL_BEFORE.match(text)):
        heading = cell["heading"].strip()
        text = text[cell.end() :]
    if mark := _AMENDED.match(text) or _AMENDED_WORD.match(text):
        text = text[mark.end() :]
    above: list[str] = []
    while found := _ABOVE.match(text):
        above.append(found.group(1))
        text = text[found.end() :].lstrip()
    if not above and not text[:1].isdigit() and ((named := read_named(text)) or is_named(text)):
        return named
    numbered = next((found for form in _NUMBERED if (found := form.match(text))), None)
    if numbered is not None:
        return _numbered_label(text, numbered, heading, above)
    if above:  # `SECTION 1. SHORT TITLE`: no division with a number inside
        return read_named(whole)
    return None if heading else _behind_margin(text) or _unpointed(text)


def _numbered_label(text: str, numbered: re.Match[str], heading: str, above: list[str]) -> SectionNumber:
    number = numbered["number"]
    prefix = number[0] if number[0].isalpha() else ""
    behind = _CLAUSE.match(text, numbered.end())
    is_bracket = "sign" in numbered.re.groupindex and numbered["sign"] == ")"
    return SectionNumber(
        number=number,
        key=key_of(number[len(prefix) :]),
        style=Style.BRACKET if is_bracket else Style.NUMBER,
        rest=behind["rest"].strip() if behind else "",
        clause=(behind["clause"] or "") if behind else "",
        above=tuple(above),
        prefix=prefix,
        heading=heading,
    )


def without_mark(text: str, last: Key) -> str:
    """`2A Renewal` of `[F22A Renewal` behind section 2: the mark of the footnote is glued to the number."""
    if text[:2] != "[F" or (found := _GLUED.match(text)) is None:
        return text
    for at in range(found.start("digits") + 1, found.end("digits")):
        if step(last, key_of(text[at : found.end()])) == 1:
            return text[at:]
    return text


def _behind_margin(text: str) -> SectionNumber | None:
    """The number behind a heading of a few words on the same line."""
    margin = None if text[:1].islower() else _MARGIN_BEFORE.match(text)
    numbered = _NUMBERED[-1].match(text, margin.end()) if margin else None
    if margin is None or numbered is None:
        return None
    label = _numbered_label(text, numbered, margin["heading"].strip(), [])
    heading, rest = label.heading, label.rest
    if (
        not looks_like_heading(heading)
        or any(one.search(heading) for one in _MENTIONS)
        or VERB.search(heading)
        or rest[:1].islower()
    ):
        return None
    return replace(label, style=Style.NUMBER, clause="", behind=True)


def _unpointed(text: str) -> SectionNumber | None:
    """`[12] The claimant` and `5 Interpretation`: whether they are sections, only the others like them can tell."""
    if square := _SQUARE.match(text):
        found, rest, style = square, square["rest"], Style.SQUARE
    elif signed := _BEFORE_SIGN.match(text):
        found, rest, style = signed, text[signed.end() :], Style.WORD
    elif bare := _BARE.match(text) or _BARE_OF_CODE.match(text):
        found, rest = bare, text[bare.end() :]
        is_wide = "space" in bare.re.groupindex and len(bare["space"].expandtabs(_WIDE)) >= _WIDE
        style = Style.NUMBER if is_wide else Style.BARE
    else:
        return None
    if rest[:1].islower() or (style is not Style.SQUARE and not _AFTER_BARE.match(rest)):
        return None
    return SectionNumber(number=found["number"], key=key_of(found["number"]), style=style, rest=rest.strip())
