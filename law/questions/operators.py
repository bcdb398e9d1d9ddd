"""What looks like an operator in a query and is none here: `NOT`, `AND`, a minus before a word, a star, `title:`."""

from dataclasses import dataclass

from law.patterns import regex
from law.questions.phrases import blanked

WORDS = ("NOT", "AND", "OR", "NEAR")
FIELD = ":"  # behind the name of a field, as in `title:lease`
SIGNS = (*WORDS, "-", "*", "|", "&", "+", FIELD)
SHOUTED = 3  # words in capitals beside it, with which `NOT` is a word of a sentence
_JOINING = r"(?<=[\w\")]\s)(?:AND|OR|NEAR(?:/\d{1,3})?|\|{1,2}|&&)(?=\s+[\w\"(-])"
_NOT = r"(?<![^\s(])NOT(?=[\s(-]+[\w\"])"
# Not in a number, a date or a word with a hyphen, nor the dash before a year in letters (`-תשמ"א`).
_MINUS = r"(?<=\s)-(?=[^\W\d_]|\"|\()(?![^\W\d_]+[\"״”]\w)"
_PLUS = r"(?<!\S)\+(?=[^\W\d_]|\"|\()"
_FIELD = r"(?<!\S)[a-z_]{2,12}:(?=[^\W\d_]|\"|\()"
_STAR = r"(?<!\*)(?:(?<=[^\W\d_])\*|\*(?=[^\W\d_]))(?!\*)|^\*$"
_OPERATOR = regex("|".join([_NOT, _JOINING, _MINUS, _PLUS, _FIELD, _STAR]))
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
        found = [match for match in found if _sign(match[0]) not in WORDS]
    words = query
    for match in found:
        words = f"{words[: match.start()]}{' ' * len(match[0])}{words[match.end() :]}"
    return Operators(tuple(dict.fromkeys(_sign(match[0]) for match in found)), words)


def _sign(written: str) -> str:
    """Which of `SIGNS` it is."""
    if written.endswith(FIELD):
        return FIELD
    return written[0] if written[0] in "|&" else written.partition("/")[0]


def _is_shouted(query: str) -> bool:
    """Whether a sentence is in capitals, so that they say nothing."""
    words = [word for word in _CASED.findall(query) if word not in WORDS]
    return len(words) >= SHOUTED and all(map(str.isupper, words))
