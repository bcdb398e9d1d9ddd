"""How each language names acts, as compiled patterns."""

import re

from kb_project.languages import LANGUAGES
from kb_project.languages.protocol import ActWords

_NOTHING = "(?!)"


class ActPatterns:
    """The patterns of a language's `ActWords` by their names, compiled when they are first asked for."""

    def __init__(self, words: ActWords) -> None:
        self.types = words.types
        self.parents = words.parents
        self._words = words

    def __getattr__(self, name: str) -> re.Pattern[str]:
        pattern = re.compile(getattr(self._words, name) or _NOTHING)
        setattr(self, name, pattern)
        return pattern


_BY_LETTERS = [(re.compile(f"[{language.letters}]"), ActPatterns(language.acts)) for language in LANGUAGES]
ALL = [patterns for _, patterns in _BY_LETTERS]
HINT = re.compile("|".join(hint for language in LANGUAGES for hint in language.acts.hints) or _NOTHING)


def of_letter(letter: str) -> ActPatterns | None:
    """Those of the language that is written with this letter."""
    return next((patterns for letters, patterns in _BY_LETTERS if letters.match(letter)), None)
