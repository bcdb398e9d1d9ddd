"""What is put behind the end of a clause, or struck out there, and the sign with which it ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from law.amendments.edits.word_edits import SIGNS, Lines
from law.amendments.finding import Failure, NotCarriedOut
from law.amendments.instructions import Instruction
from law.amendments.portions import goes_on, labels_of
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

_ENDS = SIGNS | frozenset("–—-")  # behind which no sign comes
_INLINE = regex(r"([,;.:](?: \w+)?) (\(.+)")
_OTHER_TERM = regex(r"[;.] \([^()]+\)$")  # the term in the other language, behind a definition
_LIST_END = regex(r"[,;.:]?\s*$")
_JOINING = regex(either(language.amending.pattern("joining") for language in LANGUAGES))


def struck(line: str, instruction: Instruction) -> str:
    """A line without the word that it ends with. Raises `NotCarriedOut`."""
    word = instruction.old[0]
    if not (match := re.search(rf"\s*\b{re.escape(word)}\s*$", line)):
        raise NotCarriedOut(Failure.NOT_FOUND, word)
    return line[: match.start()]


def added(line: str, instruction: Instruction, mark: str) -> str:
    """A line with new words behind it; `mark` ends those beside it in a list. Raises `NotCarriedOut`."""
    word = instruction.new[0]
    kept, sign = _LIST_END.sub("", line), line[-1:] if line[-1:] in SIGNS else ""
    if any(re.search(rf"\b{re.escape(word)}\s*$", one) for one in (line, kept)):
        raise NotCarriedOut(Failure.ALREADY_SO, word)
    if instruction.old and line[-1:] != instruction.old[0]:
        raise NotCarriedOut(Failure.NOT_FOUND, instruction.old[0])
    if _OTHER_TERM.search(line):  # it goes behind what is put after this
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, word)
    if _JOINING.fullmatch(word):
        return f"{kept}{mark} {word}"
    if word[:1] in SIGNS:
        if not sign:
            raise NotCarriedOut(Failure.NOT_FOUND, word)
        return f"{kept}{word}{'' if _JOINING.fullmatch(word[1:].strip()) or word[-1] in _ENDS else sign}"
    if sign == word[-1] == "." and not word[0].islower() and not goes_on(word):
        if not word[0].isupper():  # without capitals it cannot be told whether a sentence begins
            raise NotCarriedOut(Failure.NOT_UNDERSTOOD, word)
        return f"{line} {word}"
    return f"{kept} {word}{'' if word[-1] in _ENDS else sign}"  # words go before the sign at the end


def begins_with_sign(text: Sequence[str]) -> bool:
    """Whether new text begins with a sign: with what goes on behind the words before it, `; and` and a clause."""
    return bool(text) and text[0][:1] in SIGNS


def gone_on(lines: Lines, at: int, new: Lines) -> Lines:
    """New clauses behind a line whose last sign gives way to the words that they begin with."""
    if inline := _INLINE.fullmatch(new[0]):
        new = [*inline.groups(), *new[1:]]
    line, sign = lines[at - 1][:-1], lines[at - 1][-1:]
    if len(new) < 2 or not labels_of(new[1]) or sign not in SIGNS:
        raise NotCarriedOut(Failure.NOT_UNDERSTOOD, new[0])
    last = new[-1] + ("" if new[-1][-1:] in SIGNS else sign)
    return [*lines[: at - 1], line + new[0], *new[1:-1], last, *lines[at:]]
