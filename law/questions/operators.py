"""What looks like an operator in a query and is none here: `NOT`, a minus before a word, a star for letters."""

from dataclasses import dataclass

from law.patterns import regex
from law.questions.phrases import blanked

SIGNS = ("NOT", "-", "*")
SHOUTED = 3  # words in capitals beside it, with which `NOT` is a word of a sentence
_NOT = r"(?<![^\s(])NOT(?=[\s(-]+[\w\"])"
# Not in a number, a date or a word with a hyphen, nor the dash before a year in letters (`-תשמ"א`).
_MINUS = r"(?<=\s)-(?=[^\W\d_]|\"|\()(?![^\W\d_]+[\"״”]\w)"
_STAR = r"(?<!\*)(?:(?<=[^\W\d_])\*|\*(?=[^\W\d_]))(?!\*)|^\*$"
_OPERATOR = regex(f"{_NOT}|{_MINUS}|{_STAR}")
_CASED = regex(r"[A-Za-z]{2,}")


@dataclass(frozen=True)
class Operators:
    """Those of a query: each sign once, in their order, and the query with blanks in their places."""

    signs: tuple[str, ...]
    words: str


def find_operators(query: str) -> Operators:
    """What stands in a phrase is a part of it, and no operator."""
    outside = blanked(query, '"')
    found = list(_OPERATOR.finditer(outside))
    if _is_shouted(outside):
        found = [match for match in found if match[0] != "NOT"]
    words = query
    for match in found:
        words = f"{words[: match.start()]}{' ' * len(match[0])}{words[match.end() :]}"
    return Operators(tuple(dict.fromkeys(match[0] for match in found)), words)


def _is_shouted(query: str) -> bool:
    """Whether a sentence is in capitals, so that they say nothing."""
    words = [word for word in _CASED.findall(query) if word != "NOT"]
    return len(words) >= SHOUTED and all(map(str.isupper, words))
