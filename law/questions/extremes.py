"""Of what a text gives the most or the least: `the maximum fee` is no answer to who asks for the maximum deposit."""

import re
from collections.abc import Callable

from law.languages import LANGUAGES
from law.patterns import regex
from law.questions.answer_kinds import is_kind_word
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word

_EXTREMES = [regex(language.questions.extremes, re.IGNORECASE) for language in LANGUAGES if language.questions.extremes]


def is_of_another(question: str, text: str, is_same: Callable[[Term, Term], bool]) -> bool:
    """Whether a text gives the most or the least of something, and only of others than the question asks for.

    Words of one language are compared. `the maximum amount` may be one of anything.
    """
    for pattern in _EXTREMES:
        asked = [term for of in _measured(pattern, question) for term in of]
        given = _measured(pattern, text)
        if asked and given and not any(not of or any(is_same(a, b) for a in asked for b in of) for of in given):
            return True
    return False


def names_extreme(text: str) -> bool:
    """Whether a text gives the most or the least of anything."""
    return any(pattern.search(text) for pattern in _EXTREMES)


def _measured(pattern: re.Pattern[str], text: str) -> list[list[Term]]:
    """The telling words for what is measured, of each place that measures."""
    return [
        [term for term in terms(found["measured"]) if is_content_word(term.word) and not is_kind_word(term)]
        for found in pattern.finditer(text)
    ]
