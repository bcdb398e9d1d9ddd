"""Words that are put in the place of words, beside them or away. Each function raises `NotCarriedOut`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from law.amendments.finding import Failure, NotCarriedOut, lines_of, lines_of_one
from law.amendments.instructions import Action, Instruction, Place, Where
from law.languages import LANGUAGES
from law.languages.scripts import PREFIX_LETTERS, either
from law.patterns import regex

Lines = list[str]

SIGNS = frozenset(",;.:")
_BEFORE_SIGN = regex(r",? (?=[.,;:])")  # and a comma behind which nothing is left before the sign
_BEFORE_END = regex(r"[,;](?=\.$)")
_SPACES = regex(r" {2,}")
_COMPOUND = regex(r"[-‐‑־][^\W\d_]")
_COMPOUNDED = regex(r"[^\W\d_]{2}[-‐‑־]$")  # one letter is a prefix in Hebrew
_NAME = regex(r" (?:(?:of|for)(?: the)? )?[A-Z]")
_NAMED = regex(r"[^.:;“\"\s] [A-Z][\w’'-]+ $")
_LONG_WORD = regex(r"[^\W\d_]{4,}")
# An article, what it is before certain sounds, and the letters of these: `a an [aeiou]`
_ARTICLES = [
    language.amending.words["articles"].split() for language in LANGUAGES if "articles" in language.amending.words
]
_ARTICLE = either(form for *forms, _ in _ARTICLES for form in forms[::-1])
_SWALLOWS = [language.amending.pattern("swallows") for language in LANGUAGES if "swallows" in language.amending.words]
_HEADING = regex(either(language.amending.pattern("heading") for language in LANGUAGES))
_OF_WORDS = frozenset({Action.REPLACE_WORDS, Action.INSERT_WORDS, Action.STRIKE_FROM})
OF_PLACES = frozenset({Action.REPLACE_WORDS, Action.REPLACE_EVERYWHERE, Action.INSERT_WORDS})
_MIN_LETTERS = 4  # letters of a word that is looked for behind a prefix: a shorter one is often a part of another


def is_of_text(place: Place, instruction: Instruction) -> bool:
    """Whether certain words of a section's text are meant, and not those of its heading, which would be named."""
    if not instruction.times or instruction.action not in _OF_WORDS:
        return False
    return not any(map(_HEADING.search, (place.words, instruction.act, instruction.words)))


def reworded(lines: Lines, place: Place, instruction: Instruction) -> Lines:
    """The lines of a section with new words, as often as the instruction says that the old ones are there."""
    spans = lines_of(lines, place)
    out = list(lines)
    counts = [0] * len(instruction.old)
    for start, end in spans:
        for at in range(start, end):
            out[at] = _exchanged_words(out[at], instruction, counts)
    _check(instruction, counts)
    return out


def exchanged(line: str, instruction: Instruction) -> str:
    """A line with the new words of an instruction in place of the old."""
    counts = [0] * len(instruction.old)
    line = _exchanged_words(line, instruction, counts)
    _check(instruction, counts)
    return line


def reworded_where_found(line: str, instruction: Instruction) -> str:
    """A line with the new words in place of those old ones that are in it, if any are."""
    return _exchanged_words(line, instruction, [0] * len(instruction.old))


def has_old_words(lines: Lines, instruction: Instruction) -> bool:
    """Whether the old words of an instruction are in lines, in whatever form is looked for."""
    return any(reworded_where_found(line, instruction) != line for line in lines)


def is_in_capitals(heading: str) -> bool:
    """Whether each of the longer words of a heading begins with a capital, and there are several."""
    words = _LONG_WORD.findall(heading)
    return len(words) > 1 and all(word[0] != word[0].lower() for word in words)


def in_capitals(words: str) -> str:
    return _LONG_WORD.sub(lambda word: word[0][:1].upper() + word[0][1:], words)


def cut(lines: Lines, place: Place, instruction: Instruction) -> Lines:
    """Without what a place says from words on, or from words up to others. New words take its place.

    The sign at the end of the place stays.
    """
    start, end = lines_of_one(lines, place)
    first, *to = instruction.old
    at, found = _only(lines, range(start, end), first)
    begin, new = found.start(), " ".join(instruction.new)
    if instruction.where is Where.AFTER:
        begin, new = found.end(), f" {new}" if new and new[0] not in SIGNS else new
    if to:
        last, found = _only(lines, range(at, end), to[0])
        if last != at or found.end() <= begin:
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
        kept, rest = lines[at][:begin], lines[at][found.end() :]
        kept = kept.rstrip(" ,;") if not new and rest[:1] in SIGNS else kept
        return [*lines[:at], _tidy(f"{kept}{new}{rest}", new), *lines[at + 1 :]]
    sign = lines[end - 1][-1:] if lines[end - 1][-1:] in SIGNS else ""
    kept = f"{lines[at][:begin]}{new}" if new else lines[at][:begin].rstrip(" ,;–-")
    return [*lines[:at], f"{kept}{'' if kept[-1:] in SIGNS else sign}", *lines[end:]]


def _only(lines: Sequence[str], within: range, words: str) -> tuple[int, re.Match[str]]:
    """The one line in which words are, whole and once, and where."""
    whole = rf"{_at_border(words[:1], '(?<!')}{re.escape(words)}{_at_border(words[-1:], '(?!')}"
    found = [(at, match) for at in within for match in re.finditer(whole, lines[at])]
    if len(found) != 1:
        raise NotCarriedOut(Failure.TWICE if found else Failure.NOT_FOUND, words)
    return found[0]


def _at_border(letter: str, look: str) -> str:
    return rf"{look}\w)" if letter.isalnum() else ""


def _check(instruction: Instruction, counts: Sequence[int]) -> None:
    """Raise where old words are not there as often as they are to be."""
    if instruction.action is Action.REPLACE_EVERYWHERE:  # of several, a provision may have only some
        if not any(counts):
            raise NotCarriedOut(Failure.NOT_FOUND, ", ".join(instruction.old))
        return
    for old, count in zip(instruction.old, counts, strict=True):
        if not count or count < instruction.times:
            raise NotCarriedOut(Failure.NOT_FOUND, old)
        if count > instruction.times > 0:
            raise NotCarriedOut(Failure.TWICE, old)


def _exchanged_words(line: str, instruction: Instruction, counts: list[int]) -> str:
    for number, (old, new) in enumerate(_pairs(instruction)):
        if instruction.action is Action.INSERT_WORDS:
            space = "" if instruction.where is Where.AFTER and new[:1] in SIGNS else " "
            new = f"{old}{space}{new}" if instruction.where is Where.AFTER else f"{new} {old}"
        line, count = _exchanged(line, old, new, is_everywhere=not instruction.times)
        counts[number] += count
    return line


def _pairs(instruction: Instruction) -> Iterator[tuple[str, str]]:
    """Each of the old words with what takes its place: one for all, or one for each."""
    old, new = instruction.old, instruction.new or ("",)
    if len(new) not in {1, len(old)}:
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, instruction.words)
    return zip(old, new if len(new) == len(old) else new * len(old), strict=True)


def _exchanged(line: str, old: str, new: str, *, is_everywhere: bool) -> tuple[str, int]:
    """New words for old ones, with a capital where those have one, and with what goes before them."""
    first, rest = old[:1], re.escape(old[1:])
    before = rf"(?<!\w)(?:(?P<article>(?i:{_ARTICLE})) )?(?P<prefix>[{PREFIX_LETTERS}]{{0,3}})"
    if not first.isalnum():  # a sign stands behind a word
        before = "(?P<article>(?!))?(?P<prefix>)"
    behind = r"(?!\w)" if old[-1:].isalnum() else ""
    pattern = rf"{before}(?P<first>[{re.escape(first.lower() + first.upper())}]){rest}{behind}"
    is_short = len(old.split(" ")[0]) < _MIN_LETTERS

    def put(match: re.Match[str]) -> str:
        if match["prefix"] and is_short:
            raise NotCarriedOut(Failure.TWICE, match[0])  # perhaps a part of another word
        if _is_part_of_longer(match, is_everywhere=is_everywhere):
            raise NotCarriedOut(Failure.TWICE, match[0])
        words = new[:1].upper() + new[1:] if match["first"] != first and first.islower() else new
        if not match["article"]:
            return f"{match['prefix']}{words}"
        return f"{_article(match['article'], new)} {words}"

    line, count = re.subn(pattern, put, line)
    if is_everywhere and not is_short:
        line, more = _inflected(line, old, new)
        count += more
    return _tidy(line, new), count


def _is_part_of_longer(match: re.Match[str], *, is_everywhere: bool) -> bool:
    """Whether words are in a compound, `board-room`, or wherever they are, in a name of another: `Board of Trade`."""
    before, behind = match.string[: match.start("prefix")], match.string[match.end() :]
    if (match[0][-1].isalpha() and _COMPOUND.match(behind)) or (
        match["first"].isalpha() and _COMPOUNDED.search(before)
    ):
        return True
    return is_everywhere and match["first"].isupper() and bool(_NAME.match(behind) or _NAMED.search(before))


def _article(printed: str, word: str) -> str:
    """The article in the form that it has before a word, with the capital that it had."""
    for form, other, sounds in _ARTICLES:
        if printed.lower() in (form, other):
            fitting = other if re.match(sounds, word, re.IGNORECASE) else form
            return fitting.capitalize() if printed[0].isupper() else fitting
    return printed


def _inflected(line: str, old: str, new: str) -> tuple[str, int]:
    """Old words whose article a letter before them has swallowed: `לרשות` for `ל` and `הרשות`."""
    count = 0
    for swallows in _SWALLOWS:
        article, letters = swallows[0], swallows[1:]
        if not old.startswith(article):
            continue
        pattern = rf"(?<!\w)(?P<before>[{PREFIX_LETTERS}]{{0,2}}[{letters}]){re.escape(old[1:])}(?!\w)"
        if re.search(pattern, line) and not new.startswith(article):
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, old)
        line, more = re.subn(pattern, lambda match: f"{match['before']}{new[1:]}", line)
        count += more
    return line, count


def _tidy(line: str, new: str) -> str:
    return (line if new else _BEFORE_END.sub("", _BEFORE_SIGN.sub("", _SPACES.sub(" ", line)))).strip()
