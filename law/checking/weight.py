"""Which words of a quotation change what the law says: negations, numbers, sums, days, and what one must or may."""

from collections.abc import Sequence

from law.languages import LANGUAGES
from law.languages.dates import MONTH_NUMBERS
from law.languages.scripts import PREFIXES, language_of
from law.words.analysis import QUOTES

_NEGATIONS = frozenset(word for language in LANGUAGES for word in language.quoting.negations.split())
_NEGATING = tuple(ending for language in LANGUAGES for ending in language.quoting.negating.split())
_APOSTROPHES = str.maketrans('"', "'")
_MEANINGS = {word: forms for language in LANGUAGES for forms in language.quoting.modals for word in forms.split()}
_NUMBERS = frozenset(
    word for one in LANGUAGES for words in (one.number_words, one.quoting.numerals.get(1, "")) for word in words.split()
)
UNITS = {
    word: name for language in LANGUAGES for name, forms in language.quoting.units.items() for word in forms.split()
}
UNITS |= {word: name for language in LANGUAGES for word, (_, name) in language.quoting.amounts.items()}
_FORBIDS = frozenset(word for language in LANGUAGES for word in language.quoting.forbids.split())


def is_negation(word: str) -> bool:
    return word in _NEGATIONS or word.translate(_APOSTROPHES).endswith(_NEGATING)


def modal_meaning(word: str) -> str:
    """The same for all words that allow, or for all that oblige, '' for any other word."""
    return _MEANINGS.get(word) or _MEANINGS.get(word[1:] if word[:1] in PREFIXES else "", "")


def is_number(word: str) -> bool:
    """A number in digits or words, the name of a month, a mark such as `(2)`."""
    bare = word.strip(f"(){QUOTES}")
    return (
        any(map(str.isdigit, word))
        or bare in _NUMBERS
        or bare in MONTH_NUMBERS
        or (bare[:1] in PREFIXES and (bare[1:] in _NUMBERS or bare[1:] in MONTH_NUMBERS))
    )


def month_of(written: str) -> int:
    """The number of the month that a word names as it is written, else 0: `may` is none, and `בדצמבר` is one."""
    word = written.casefold()
    if language_of(written).has_capitals:
        return MONTH_NUMBERS.get(word, 0) if written[:1].isupper() else 0
    return MONTH_NUMBERS.get(word) or (MONTH_NUMBERS.get(word[1:], 0) if word[:1] in PREFIXES else 0)


def named_unit(word: str) -> str:
    """The same for all forms of what numbers count, such as a week, '' for any other word."""
    return UNITS.get(word) or UNITS.get(word[1:] if word[:1] in PREFIXES else "", "")


def is_grave(quoted: Sequence[str], there: Sequence[str]) -> bool:
    """Whether the words of a quotation say something else than those in their place, by one of these words."""
    return (
        [word for word in quoted if is_negation(word)] != [word for word in there if is_negation(word)]
        or [word for word in quoted if is_number(word)] != [word for word in there if is_number(word)]
        or sorted(filter(None, map(modal_meaning, quoted))) != sorted(filter(None, map(modal_meaning, there)))
        or _of_other_units(quoted, there)
    )


def _of_other_units(quoted: Sequence[str], there: Sequence[str]) -> bool:
    units, others = ({one for word in words if (one := named_unit(word))} for words in (quoted, there))
    return bool(units and others) and units != others


def is_forbidding(words: str) -> bool:
    """Whether a sentence denies or forbids something."""
    said = [word.strip(f".,;:()[]{QUOTES}“”„«»").casefold() for word in words.split()]
    return any(is_negation(word) or word in _FORBIDS or word[1:] in _FORBIDS for word in said)
