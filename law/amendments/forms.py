"""The rows of forms as patterns, and the words of one instruction read with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from law.languages import LANGUAGES, Language
from law.languages.amending import InstructionForm
from law.patterns import regex
from law.structure.lines.quoted import QUOTES, turns

_LEADS = regex(r"[:—–-]\s*$|\S\s*$")
_MASK = regex("\ue000(\\d+)\ue001")
_DEFINES = regex("\ue000\\d+\ue001.*\\w")  # a quotation with words behind it
_NEW_LAW = regex(r"\([\w.]{1,8}\)|\d{1,5}[A-Z]{0,3}\. |.*[.;:]$", re.DOTALL)  # no term: what follows is an instruction
_MASKS = "\ue000\\d+\ue001(?:(?:,| and| or|,? ו-?)? ?\ue000\\d+\ue001)*"
_FIELDS = {
    "place": r".{1,400}?",
    "inner": r".{1,300}?",
    "any": r".{1,80}?",
    "label": r"\S{1,8}",
}
_FIELDS |= dict.fromkeys(("old", "to", "new"), _MASKS)
_SIGNS = dict(  # by the name that an act calls them by: `comma`
    sign.rsplit(" ", 1)
    for language in LANGUAGES
    for sign in language.amending.words.get("signs", "").split("|")
    if sign
)
_FIELDS["sign"] = "|".join(map(re.escape, _SIGNS))
_TEXT = rf"(?:[:—–,-]* (?P<text>{_MASKS}))?"  # new text in the same line
_FIELD = regex(r"\{(\w+)\}")
_END = regex(r"(?:[\s:.;—–,-]|[,;] (?:and|or)$)+$")
_TIMES = {"\ue002": ("everywhere", 0), "\ue003": ("twice", 2)}  # signs for words that say how often old ones are there


@dataclass(frozen=True, slots=True)
class Masked:
    """A sentence in which each quotation is one sign, and the words of the quotations."""

    text: str
    quotations: tuple[str, ...]

    def words(self, masked: str | None) -> tuple[str, ...]:
        return tuple(self.quotations[int(number)] for number in _MASK.findall(masked or ""))

    def unmasked(self, text: str) -> str:
        return _MASK.sub(lambda mask: f"“{self.quotations[int(mask[1])]}”", text)


@dataclass(frozen=True, slots=True)
class ReadForm:
    """A form that fits words, and what stands in its fields."""

    form: InstructionForm
    place: str = ""
    inner: str = ""
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    times: int = 1


def mask(sentence: str) -> Masked:
    """Put a sign for each quotation, so that no word of it is taken for one of the instruction."""
    quotations: list[str] = []
    text, depth, opened, told = "", 0, 0, 0
    for at, turn in turns(sentence):
        if turn > 0:
            opened = at if not depth else opened
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                text += f"{sentence[told:opened]}\ue000{len(quotations)}\ue001"
                quotations.append(sentence[opened + 1 : at])
                told = at + 1
    return Masked(text + sentence[told:], tuple(quotations))


def opened_text(line: str) -> tuple[str, str]:
    """An instruction and the beginning of its new text, where a line opens a quotation and does not close it."""
    left = mask(line)
    for at, turn in turns(left.text):
        if turn > 0 and _LEADS.search(left.text, 0, at):
            return left.unmasked(left.text[:at]), left.unmasked(left.text[at + 1 :])
    return line, ""


def is_balanced(line: str) -> bool:
    """Whether a line begins with a quotation that ends within it, as a definition does: `“berth” means a place.`"""
    masked = mask(line)
    if _DEFINES.match(masked.text) is None or any(mark in masked.text for mark in QUOTES):
        return False
    return _NEW_LAW.match(masked.quotations[0]) is None


def bare(words: str) -> str:
    return _END.sub("", words).strip()


def first_fit(words: str, masked: Masked, language: Language) -> ReadForm | None:
    """The first form that all the words fit."""
    return next(_fits(words, masked, language), None)


def counted(words: str, language: Language) -> str:
    """Words with a sign for those that say how often old words are there: `wherever it occurs`, `twice`."""
    for sign, (name, _) in _TIMES.items():
        words = re.sub(language.amending.pattern(name), sign, words)
    return words


def times_in(words: str) -> tuple[str, int]:
    """Words without such signs, and how often they say that old words are there."""
    times = next((times for sign, (_, times) in _TIMES.items() if sign in words), 1)
    return words.translate(dict.fromkeys(map(ord, _TIMES))).strip(" ,"), times


def _fits(words: str, masked: Masked, language: Language) -> Iterator[ReadForm]:
    said, times = times_in(bare(words))
    said = bare(said)
    for form, pattern in _patterns(language.code):
        if match := pattern.fullmatch(said):
            of = match.groupdict()
            sign = [_SIGNS[of["sign"].casefold()]] if of.get("sign") else []
            old = (*masked.words(of.get("old")), *masked.words(of.get("to")), *sign)
            new = masked.words(of.get("new"))
            place, inner = (masked.unmasked((of.get(name) or "").strip()) for name in ("place", "inner"))
            text = tuple(line for words in masked.words(of.get("text")) for line in words.split("\n"))
            yield ReadForm(form, place, inner, old, new, text, times)


@cache
def leads(code: str, *, unread: bool = False) -> list[tuple[InstructionForm, re.Pattern[str]]]:
    """Forms that name a place, and `more` behind it says what is done there; `unread`: whatever `more` says."""
    language = next(one for one in LANGUAGES if one.code == code)
    more = "(?P<more> .+)" if unread else f"(?:[,:]| [–—-])? (?P<more>(?={language.amending.starts}).+)"
    return [
        (form, regex(_pattern(form.printed) + more, re.IGNORECASE | re.DOTALL))
        for form in language.amending.forms
        if form.lead and (form.sure or not unread)
    ]


@cache
def alone(printed: str) -> re.Pattern[str]:
    """A form with nothing behind it."""
    return regex(_pattern(printed), re.IGNORECASE)


@cache
def _patterns(code: str) -> list[tuple[InstructionForm, re.Pattern[str]]]:
    language = next(one for one in LANGUAGES if one.code == code)
    rows = [form for form in language.amending.forms if not form.lead]
    return [(form, regex(_pattern(form.printed) + (_TEXT if form.block else ""), re.IGNORECASE)) for form in rows]


def _pattern(printed: str) -> str:
    words = re.escape(printed).replace(r"\ ", " ").replace(r"\-", "-")
    for sign, pattern in (("\\[", "(?:"), ("\\]", ")?"), ("\\(", "(?:"), ("\\)", ")"), ("\\|", "|")):
        words = words.replace(sign, pattern)
    words = words.replace(r"\{", "{").replace(r"\}", "}")
    return _FIELD.sub(lambda name: f"(?P<{name[1]}>{_FIELDS[name[1]]})", words)
