"""Numbers with which models cite by themselves: `[1, 2]`, `[^3]`, `【3†source】`. Only ours may stand in an answer."""

import re

_NUMBERS = r"\d{1,3}(?:\s{0,2}[,;–-]\s{0,2}\^?\d{1,3}){0,20}"
_BRACKETED = re.compile(
    rf"(?<![ \t])[ \t]*(?:\[\s?\^?(?P<square>{_NUMBERS})\s?(?:[:†‡][^\[\]\n]{{0,60}})?\]"
    rf"|【\s?(?P<lenticular>{_NUMBERS})[^【】\n]{{0,60}}】)"
)
# In round brackets a number is a clause's, unless it stands behind a sentence at the end of its line.
_ROUND = re.compile(rf"(?<=[.!?])[ \t]*\((?P<round>{_NUMBERS})\)(?=[ \t]*(?:\n|\Z))")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
_NUMBER = re.compile(r"\d+")
_MOST_OF_RANGE = 20
_MOST_NESTED = 10


def without_markers(text: str) -> str:
    """The text without numbers in brackets; to take one away may leave another: `[[1]2]`."""
    for _ in range(_MOST_NESTED):
        without = _BRACKETED.sub("", text)
        if without == text:
            return text
        text = without
    return text.replace("[", "(")


def read_markers(statement: str) -> tuple[str, list[int]]:
    """A whole statement without its markers, those in round brackets too, and the numbers that they name."""
    numbers: list[int] = []
    for pattern in (_BRACKETED, _ROUND):
        for match in pattern.finditer(statement):
            numbers += _named(next(filter(None, match.groups())))
    return without_markers(_ROUND.sub("", without_markers(statement))), list(dict.fromkeys(numbers))


def _named(numbers: str) -> list[int]:
    named = [int(number) for number in _NUMBER.findall(numbers)]
    for first, last in _RANGE.findall(numbers):
        named += range(int(first), min(int(last), int(first) + _MOST_OF_RANGE) + 1)
    return named
