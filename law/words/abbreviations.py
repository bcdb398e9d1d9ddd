"""Short names of documents in Latin letters, and abbreviations as texts explain them.

`FSMR` from the capitals of a title, `COBS` from an identifier. `Multilateral Trading Facility (MTF)` in a text, and
`המטה לביטחון לאומי (להלן – "המל"ל")`.
"""

from collections.abc import Iterator, Sequence

from law.languages import LANGUAGES
from law.languages.scripts import MAX_PREFIXES, PREFIXES, either, language_of
from law.patterns import regex
from law.words.analysis import terms
from law.words.series import find_series
from law.words.stop_words import FUNCTION_WORDS

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
_ANY_WORD = regex(r"[^\W_]+(?:[\"״'’][^\W_]+)*")
_MAX_BEFORE_LENGTH = 160  # characters in which the long form stands
_ACRONYM = either(language.acronym for language in LANGUAGES)
_EXPLAINED = regex(
    rf"(?:\((?:[^()\n]{{0,12}}[\s–—-])?[\"“”„״]?|[\"“”„״])(?P<letters>{_ACRONYM})s?(?:[\"“”״]?\)|[\"“”״])"
)
_SENTENCE_END = regex(r"[.;:\n\t]|\)\s")


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


def explained_abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """The stem of each abbreviation that the text explains, and the words that its letters are the first of."""
    for match in _EXPLAINED.finditer(text):
        before = text[max(0, match.start() - _MAX_BEFORE_LENGTH) : match.start()]
        for stem in _stems(match["letters"]):
            if long := _long_form(before, stem):
                yield stem, long
                break


def _stems(written: str) -> Iterator[str]:
    """The abbreviation as a query has it, without prefixes."""
    for count in range(MAX_PREFIXES + 1):
        if not all(letter in PREFIXES for letter in written[:count]):
            return
        for term in terms(written[count:])[:1]:
            if len(term.stem) >= MIN_LETTERS:
                yield term.stem


def _long_form(text: str, letters: str) -> str:
    """The words at the end of a text that the letters are the first of, or an empty text."""
    sentence = _SENTENCE_END.split(text)[-1]
    words = list(_ANY_WORD.finditer(sentence))
    for count in range(1, min(len(words), 2 * len(letters)) + 1):
        run = [word[0].casefold() for word in words[-count:]]
        if run[0] not in FUNCTION_WORDS and _spells(letters, run):
            return sentence[words[-count].start() : words[-1].end()]
    return ""


def _spells(letters: str, words: list[str]) -> bool:
    """Whether the letters are the first one or two of each word, of which small ones may be left out."""
    if not words:
        return not letters
    word, rest = words[0], words[1:]
    if word in FUNCTION_WORDS and _spells(letters, rest):
        return True
    forms = [word, word[1:]] if word[0] in language_of(word).prefixes else [word]
    starts = ((form[:count], count) for form in forms for count in (1, 2))
    return any(bool(start) and letters.startswith(start) and _spells(letters[count:], rest) for start, count in starts)
