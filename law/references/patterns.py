"""How each language names acts, as compiled patterns."""

import re
from functools import lru_cache

from law.languages import LANGUAGES
from law.languages.citations import ActWords
from law.languages.scripts import any_hint, either
from law.patterns import regex

_NOTHING = "(?!)"


class ActPatterns:
    """The patterns of a language's `ActWords` by their names, compiled when they are first asked for."""

    def __init__(self, words: ActWords) -> None:
        self.types = words.types
        self.parents = words.parents
        self._words = words

    def __getattr__(self, name: str) -> re.Pattern[str]:
        pattern = regex(getattr(self._words, name) or _NOTHING)
        setattr(self, name, pattern)
        return pattern


_BY_LETTERS = [(regex(f"[{language.letters}]"), ActPatterns(language.acts)) for language in LANGUAGES]
ALL = [patterns for _, patterns in _BY_LETTERS]
AMENDMENT_LEAD = f"{either(language.acts.amendment_lead for language in LANGUAGES)}?"
HINTS = tuple(hint for language in LANGUAGES for hint in language.acts.hints)
HINT = any_hint(HINTS)


@lru_cache(maxsize=1_000)
def of_letter(letter: str) -> ActPatterns | None:
    """Those of the language that is written with this letter."""
    return next((patterns for letters, patterns in _BY_LETTERS if letters.match(letter)), None)


def foreign_units(title: str) -> re.Pattern[str] | None:
    """The words for sections that an act with this title has none of."""
    units = [unit for each in LANGUAGES for titles, unit in each.acts.foreign_units if re.match(titles, title)]
    return regex("|".join(units)) if units else None


def held(match: re.Match[str], name: str) -> str:
    """What one of the groups with that name has matched: `genre`, `genre_2`."""
    return next(value for key, value in match.groupdict().items() if key.startswith(name) and value)
