"""Short names of documents in Latin letters: `FSMR` from the capitals of a title, `COBS` from an identifier."""

from collections.abc import Sequence

from law.languages import LANGUAGES
from law.patterns import regex
from law.words.series import find_series

# Kept apart from other identifiers: alone in a text it names nothing, beside a section number it does.
SIGN = "~"
MIN_LETTERS, MAX_LETTERS = 2, 10  # letters
MIN_INITIALS_LENGTH = 3

_WORD = regex(r"[A-Za-z][A-Za-z'’]*")
_SMALL = frozenset(word for language in LANGUAGES for word in language.small_title_words.split())
_SHORT_NAME = regex(r"(?<![A-Za-z])[A-Z][A-Za-z]{0,8}[A-Z](?![A-Za-z])")
_NAME_AFTER = regex(r"[\s\"'“(]*(?P<name>[A-Za-z]{2,10})(?![A-Za-z])(?P<rest>[\s\"'”).,;:?!]*$)?")
_NAME_BEFORE = regex(r"(?<![A-Za-z])(?P<name>[A-Z][A-Za-z]{0,8}[A-Z])(?:\s\d{4})?[\s\"'”).,:–-]*$")
_CALLED = regex(r"\((?P<name>[^()]{5,100})\)\s*$")  # what the act is called, at the end of its title
_PARTS = {word for language in LANGUAGES for word in language.divisions.addresses}
_PART = regex(rf"(?i),?\s(?:{'|'.join(sorted(_PARTS))})\s\d")  # where the title of a code goes on with that of its part
_BEFORE_LENGTH = 20
_MIN_SMALL = 4


def abbreviation_keys(*, title: str, identifier: str) -> list[str]:
    """The keys by which a document's short names find it: in capitals in its identifier or title, or its initials."""
    # The letters in a judgment's citation are its court's.
    named = "" if any(one.series.judgment for one in find_series(identifier)) else identifier
    names = [name for text in (named, title) if not title.isupper() for name in _SHORT_NAME.findall(text)]
    if title.isupper():
        names += _SHORT_NAME.findall(named)
    bare = title.split("(")[0]
    words, of_code = (_WORD.findall(words) for words in (bare, _PART.split(bare)[0]))
    called = _CALLED.search(title)
    every = [word[0] for word in words]
    initials = (_capitals(words), _capitals(of_code), every, _capitals(_WORD.findall(called["name"])) if called else [])
    names += ["".join(letters) for letters in initials if len(letters) >= MIN_INITIALS_LENGTH]
    fitting = (name.casefold() for name in names if MIN_LETTERS <= len(name) <= MAX_LETTERS)
    return [SIGN + name for name in dict.fromkeys(fitting)]


def _capitals(words: Sequence[str]) -> list[str]:
    return [word[0] for word in words if word[0].isupper() and word.casefold() not in _SMALL]


def abbreviation_beside(*, before: str, after: str) -> str:
    """The key of the short name that a reference stands next to: `Rule 3.4 of COBS`, `FSMR, section 58`, or ''.

    In small letters it must be all that follows.
    """
    following = _NAME_AFTER.match(after)
    if following:
        name = following["name"]
        capitals = sum(letter.isupper() for letter in name)
        if capitals > 1 or (following["rest"] is not None and len(name) >= _MIN_SMALL):
            return SIGN + name.casefold()
    preceding = _NAME_BEFORE.search(before[-_BEFORE_LENGTH:])
    return SIGN + preceding["name"].casefold() if preceding else ""
