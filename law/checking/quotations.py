"""The quotations of a text: between quotation marks of any language, as an indented block, or behind a colon."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

LONGEST = 6_000  # characters of one quotation
_PREFIX_LETTERS = "".join(letter for language in LANGUAGES for letter in language.prefixes)
# Before an opening mark: nothing, a sign, or letters that are joined to a word (`ש"המפקח רשאי`).
_JOINED = r"(?=[^\W\d_]{2})"  # else it is an abbreviation: `ב"כ`
_OPENS = rf"(?:(?<![^\W_])|(?<=\s[{_PREFIX_LETTERS}])(?=..?{_JOINED})|(?<=\s[{_PREFIX_LETTERS}]{{2}})(?=..?{_JOINED}))"
_CLOSES = r"(?![^\W_])"
_MARKS = tuple(
    regex(pattern)
    for pattern in (
        r"“(?P<quoted>[^“”]+)”",
        rf"{_OPENS}[„“](?P<quoted>[^„“”]+)[“”]{_CLOSES}",
        r"«(?P<quoted>[^«»]+)»",
        r"»(?P<quoted>[^«»]+)«",
        r"‹(?P<quoted>[^‹›]+)›",
        rf"{_OPENS}‚(?P<quoted>[^‚‘’]+)[‘’]{_CLOSES}",
        rf"{_OPENS}”(?P<quoted>(?:[^”\s]|\s(?!”))+?)”{_CLOSES}",
        # A mark between two letters is that of an abbreviation.
        rf"{_OPENS}[\"״](?=\S)(?P<quoted>(?:[^\"״]|(?<=[^\W\d_])[\"״](?=[^\W\d_]))+?)[\"״]{_CLOSES}",
        rf"{_OPENS}(?:''|׳׳)(?=\S)(?P<quoted>(?:(?!''|׳׳).|(?<=[^\W\d_])(?:''|׳׳)(?=[^\W\d_]))+?)(?:''|׳׳){_CLOSES}",
        rf"{_OPENS}‘(?=\S)(?P<quoted>(?:[^‘’]|(?<=\w)’(?=\w))+)’{_CLOSES}",
        rf"{_OPENS}(?<!')'(?=[^\s'])(?P<quoted>(?:[^']|(?<=\w)'(?=\w))+?)(?<=[^\s'])'(?!'){_CLOSES}",
    )
)
_MARK = regex("[“”„«»‹‚\"״‘']|׳׳")
_BLOCK = regex(r"(?:^(?:[ \t]*>|[ ]{4,}|\t)[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LEADS_IN = regex(
    rf"(?P<lead>{either(language.quoting.leads_in for language in LANGUAGES)})[ \t]*\n\s*"
    r"(?P<quoted>[^\n]+(?:\n[^\n]+)*)",
    re.IGNORECASE,
)
_PARAGRAPH = regex(r"\n[ \t]*\n")
_EDGE = " \t\n>,.;:…—–-"


@dataclass(frozen=True, slots=True)
class Quotation:
    """Characters `start` to `end` of a text, without the marks around them.

    `outer_start` and `outer_end` have the marks too. Not `certain` is what is a quotation only if the law reads so:
    a paragraph without marks behind a colon, or an indented one.
    """

    start: int
    end: int
    outer_start: int
    outer_end: int
    certain: bool = True


def find_quotations(text: str, *, no_blocks: Collection[int] = ()) -> list[Quotation]:
    """The outermost quotations of a text, in order and apart from one another. None goes on over an empty line.

    `no_blocks` are where paragraphs begin that are no quotations, though they are indented or follow a colon.
    """
    blocks = [one for one in _blocks(text) if one.outer_start not in no_blocks]
    found = [*blocks, *(one for one in _marked(text) if not any(_inside(one, block) for block in blocks))]
    found.sort(key=lambda one: (one.outer_start, -one.outer_end))
    kept: list[Quotation] = []
    for one in found:
        if not kept or one.outer_start >= kept[-1].outer_end:
            kept.append(one)
    return kept


def _inside(one: Quotation, other: Quotation) -> bool:
    return other.outer_start <= one.outer_start and one.outer_end <= other.outer_end


def _marked(text: str) -> Iterator[Quotation]:
    """What stands between marks: of those that overlap, the one that begins first."""
    place = 0
    while mark := _MARK.search(text, place):
        here = [found for pattern in _MARKS if (found := pattern.match(text, mark.start()))]
        fitting = [found for found in here if _is_one(found)]
        if not fitting:
            place = mark.end()
            continue
        found = min(fitting, key=lambda one: one.end())
        yield _trimmed(text, Quotation(*found.span("quoted"), *found.span()))
        place = found.end()


def _is_one(found: re.Match[str]) -> bool:
    quoted = found["quoted"]
    return len(quoted) <= LONGEST and not _PARAGRAPH.search(quoted) and any(char.isalpha() for char in quoted)


def _blocks(text: str) -> Iterator[Quotation]:
    for pattern in (_BLOCK, _LEADS_IN):
        for found in pattern.finditer(text):
            start, end = found.span("quoted") if "quoted" in found.groupdict() else found.span()
            if end - start > LONGEST or not any(char.isalpha() for char in text[start:end]):
                continue
            block = _trimmed(text, Quotation(start, end, start, end, certain=False))
            if marked := _whole_in_marks(text, block):
                yield marked
            elif not _MARK.match(text, block.start):  # else its marks say where it ends
                yield block


def _whole_in_marks(text: str, block: Quotation) -> Quotation | None:
    """An indented paragraph that stands in marks, which leave no doubt."""
    for pattern in _MARKS:
        found = pattern.match(text, block.start)
        if found and not text[found.end() : block.end].strip(_EDGE):
            return _trimmed(text, Quotation(*found.span("quoted"), block.outer_start, block.outer_end))
    return None


def _trimmed(text: str, one: Quotation) -> Quotation:
    start, end = one.start, one.end
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and text[end - 1] in " \t\n":
        end -= 1
    return replace(one, start=start, end=end)


def without_quotations(text: str, quotations: list[Quotation], *, longer_than: int) -> str:
    """The text with spaces in place of quotations of more than so many words: what they cite, the law cites."""
    parts, at = [], 0
    for one in quotations:
        if len(text[one.start : one.end].split()) > longer_than:
            parts += [text[at : one.start], " " * (one.end - one.start)]
            at = one.end
    return "".join([*parts, text[at:]])
