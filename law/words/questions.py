"""What kind of answer a question wants: what something is, or a number, and the texts that have one."""

import re

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

_ENDS = " \t\n?!.,:;\"'“”״׳"
_ASKS = regex(either(one.questions.asks for one in LANGUAGES), re.IGNORECASE)
_MEANING = [regex(one.questions.meaning, re.IGNORECASE) for one in LANGUAGES if one.questions.meaning]
_QUANTITY = regex(either(one.questions.quantity for one in LANGUAGES), re.IGNORECASE)
_NUMBER_WORDS = (
    rf"(?<!\w)[{''.join(one.prefixes)}-]{{0,2}}(?:{'|'.join(one.number_words.split())})(?!\w)"
    for one in LANGUAGES
    if one.number_words
)
_QUANTITIES = regex(either([*_NUMBER_WORDS, *(one.questions.quantities for one in LANGUAGES)]), re.IGNORECASE)
_CITED = regex(rf"{either(one.citations.unit for one in LANGUAGES)}\s*\d[\w.()]*", re.IGNORECASE)
_OWN_NUMBER = regex(r"\s*(?:\d[\d.]*\w{0,2}[.\s]\s*|\(\w{1,4}\)\s*)+")
_DIGITS = regex(r"(?<![\w(.–-])\d[\d,.]*(?![\w)]|[.,]\d)")
_YEAR = regex(r"(?:1[89]|20)\d\d")


def is_question(query: str) -> bool:
    """Whether somebody asks, in whole sentences, else the query is some words, or a heading."""
    return "?" in query or bool(_ASKS.search(query.strip()))


def asked_term(question: str) -> str:
    """`משכון` of `מה זה משכון?`: what the question wants explained, with whatever follows. '' for another question."""
    text = question.strip(_ENDS)
    return next((match["term"].strip(_ENDS) for pattern in _MEANING if (match := pattern.match(text))), "")


def asks_for_number(question: str) -> bool:
    """Whether it wants an amount, a time or an age."""
    return bool(_QUANTITY.search(question.strip()))


def has_year(text: str) -> bool:
    """Whether a sentence has what may be a year, which some questions for a number want."""
    return any(_YEAR.fullmatch(digits) for digits in re.findall(r"\d+", text))


def has_number(text: str) -> bool:
    """Whether a sentence has a number, in words or digits: not its own, that of a section, or a year."""
    if own := _OWN_NUMBER.match(text):
        text = text[own.end() :]
    if _QUANTITIES.search(text):
        return True
    return any(not _YEAR.fullmatch(number[0].rstrip(".,")) for number in _DIGITS.finditer(_CITED.sub(" ", text)))
