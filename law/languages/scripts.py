"""Which language a word or a text is in, and patterns made of those of all languages."""

import re
from collections.abc import Callable, Iterable
from functools import cache

from law.languages import DEFAULT, LANGUAGES, Language
from law.patterns import Choice, regex

LETTERS = "".join(language.letters for language in LANGUAGES)
CASELESS = "".join(language.letters for language in LANGUAGES if not language.has_capitals)
"""Letters of scripts without capitals, as between the brackets of a pattern, like LETTERS."""

PREFIXES = frozenset(letter for language in LANGUAGES for letter in language.prefixes)
PREFIX_LETTERS = "".join(sorted(PREFIXES))
"""The same as between the brackets of a pattern."""
MAX_PREFIXES = 2  # letters that are joined to one word

_SCRIPTS = [(regex(f"[{language.letters}]"), language) for language in LANGUAGES]
_OTHERS = [(letter, language) for letter, language in _SCRIPTS if language is not DEFAULT]


def language_of(text: str) -> Language:
    """The first language but the default one of which the text has a letter, else the default one."""
    for letter, language in _OTHERS:
        if letter.search(text):
            return language
    return DEFAULT


def first_letter(text: str) -> str:
    """The first letter of any script in the text, or ''."""
    return next((char for char in text if char.isalpha()), "")


def are_prefixes(letters: str) -> bool:
    """Whether these stand before a word and belong to the sentence: `של` is none, `וב` is."""
    return len(letters) <= MAX_PREFIXES and language_of(letters).prefixes.issuperset(letters)


def main_language(text: str) -> Language:
    """The language of which the text has the most letters."""
    counts = {language.code: len(letter.findall(text)) for letter, language in _SCRIPTS}
    return max((DEFAULT, *LANGUAGES), key=lambda language: counts[language.code])


def either(patterns: Iterable[str]) -> str:
    """A pattern for any of these, in their order. Of none, one that matches nothing."""
    return f"(?:{'|'.join(filter(None, patterns)) or '(?!)'})"


class ChoiceByScript:
    """Patterns of the languages, of which only those are tried that begin with a letter of that script, or a sign."""

    def __init__(
        self,
        forms: Callable[[Language], Iterable[str]],
        *,
        signs: Iterable[str] = (),
        is_meant: Callable[[re.Match[str]], bool] | None = None,
    ) -> None:
        """`forms` are those of a language, ignoring case, `signs` those that begin with no letter."""
        self._of = {
            language.code: Choice(
                (*forms(language), *(signs if language is DEFAULT else ())), re.IGNORECASE, is_meant=is_meant
            )
            for language in LANGUAGES
        }

    def match(self, text: str, place: int = 0) -> re.Match[str] | None:
        """What the first of them matches that fits there."""
        return self._of[_code_of(text[place : place + 1])].match(text, place)


@cache
def _code_of(letter: str) -> str:
    return language_of(letter).code


def any_hint(hints: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of these, each of which begins with a character of its own.

    Joined by that, they are searched for several times faster.
    """
    rests: dict[str, list[str]] = {}
    for hint in dict.fromkeys(hints):
        rests.setdefault(hint[0], []).append(hint[1:])
    return regex("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()) or "(?!)")


def with_code(pattern: str, code: str) -> str:
    """The pattern with a code before the names of its groups, to be joined with those of other languages."""
    return pattern.replace("(?P<", f"(?P<{code}_")


def group(match: re.Match[str], name: str) -> str:
    """What the group of that name holds in whichever of the patterns of `with_code` has matched, or ''."""
    return next((held for key, held in match.groupdict().items() if held and key.endswith(f"_{name}")), "")
